//! From evidence to a score and an order: pure functions over what indexes found, whichever indexes those were.
//!
//! A fused score is a sum of shares, each part 0..=1 before its share:
//!
//! score = lexical x L + session x N + tokens x T + vector x V + author x W + time x D + answer x K
//!       + substance x B + graph x G + strength x S + activation x A
//!
//! The shares are in [`crate::config::RecallConfig`] and add up to 1. Fading is a small prior: it decides ties and,
//! through the tier, whether a memory is looked at, not whether a question finds its answer. Where a second stage has
//! read a query's best memories, its verdict takes the share R, and all other parts count by 1 - R.

use std::cmp::Ordering;

use crate::{
    config::RecallConfig,
    label::MemoryId,
    operation::{Profile, Score},
};

/// What speaks for a memory, each part 0..=1 and without its share.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence {
    /// BM25 over the best that the query could reach, the memory read together with those beside it in its session.
    pub lexical: f64,
    /// The same over what stands around the memory in its session, all read as one text.
    pub session: f64,
    /// How well the memory's tokens, and those beside it, cover the query's.
    pub tokens: f64,
    /// Cosine of the pooled vectors, the memory's with those beside it; negative ones as 0.
    pub vector: f64,
    /// 1 where the one whom the query names said it, or it is about them.
    pub author: f64,
    /// 1 where it is of the time that the query names.
    pub time: f64,
    /// 1 where it has what the query asks for: a time for *when*, a number for *how many*, a name for *who*.
    pub answer: f64,
    /// How much it tells by itself: little where it is short or asks.
    pub substance: f64,
    /// What came over the graph: the start's relevance x the weights of the edges on the way, each at most 1.
    pub graph: f64,
    /// Strength by the forgetting curve.
    pub strength: f64,
    /// Activation relative to the scope's highest.
    pub activation: f64,
    /// How much of what the query asks for the memory has, by words or by meaning, whichever is more. Not part of the
    /// score: it decides whether there is an answer at all.
    pub support: f64,
    /// What a second stage made of it, where there was one.
    pub second_stage: Option<f64>,
}

impl Evidence {
    /// How well the memory itself answers the query, 0..=1: the direct parts by their shares.
    #[must_use]
    pub fn relevance(&self, config: &RecallConfig) -> f64 {
        let shares = config.lexical + config.session + config.tokens + config.vector + config.author + config.time;
        let shares = shares + config.answer + config.substance;
        let direct = self.lexical * config.lexical
            + self.session * config.session
            + self.tokens * config.tokens
            + self.vector * config.vector
            + self.author * config.author
            + self.time * config.time
            + self.answer * config.answer
            + self.substance * config.substance;
        if shares > 0.0 { direct / shares } else { 0.0 }
    }

    /// Whether the memory may be part of an answer: it has what the rest of one must have, or hangs on one.
    #[must_use]
    pub fn answers(&self, config: &RecallConfig) -> bool {
        self.support >= config.rest_support || self.graph >= config.min_graph
    }

    /// The score by `profile`: the parts with their shares, and their sum.
    #[must_use]
    pub fn score(&self, profile: Profile, config: &RecallConfig) -> Score {
        let parts = match profile {
            Profile::Fused => Score {
                lexical: self.lexical * config.lexical,
                session: self.session * config.session,
                tokens: self.tokens * config.tokens,
                vector: self.vector * config.vector,
                author: self.author * config.author,
                time: self.time * config.time,
                answer: self.answer * config.answer,
                substance: self.substance * config.substance,
                graph: self.graph * config.graph,
                strength: self.strength * config.strength,
                activation: self.activation * config.activation,
                ..Score::default()
            },
            // The sources' formula reaches 1.3; dividing keeps the score in 0..=1 and the order as it was.
            Profile::Engram => Score {
                lexical: 0.4 * self.lexical / 1.3,
                vector: 0.6 * self.vector * self.strength / 1.3,
                graph: 0.3 * self.graph / 1.3,
                ..Score::default()
            },
        };
        let second = self.second_stage.map_or(0.0, |verdict| verdict * config.second_stage);
        let left = if self.second_stage.is_some() { 1.0 - config.second_stage } else { 1.0 };
        Score { second_stage: second, ..parts.scaled(left) }.summed()
    }
}

impl Score {
    /// The parts by name, in the order in which they are shown; their sum is the total.
    #[must_use]
    pub fn parts(&self) -> [(&'static str, f64); 12] {
        [
            ("lexical", self.lexical),
            ("session", self.session),
            ("tokens", self.tokens),
            ("vector", self.vector),
            ("author", self.author),
            ("time", self.time),
            ("answer", self.answer),
            ("substance", self.substance),
            ("graph", self.graph),
            ("strength", self.strength),
            ("activation", self.activation),
            ("second_stage", self.second_stage),
        ]
    }

    fn scaled(self, factor: f64) -> Self {
        Self {
            total: 0.0,
            lexical: self.lexical * factor,
            session: self.session * factor,
            tokens: self.tokens * factor,
            vector: self.vector * factor,
            author: self.author * factor,
            time: self.time * factor,
            answer: self.answer * factor,
            substance: self.substance * factor,
            graph: self.graph * factor,
            strength: self.strength * factor,
            activation: self.activation * factor,
            second_stage: self.second_stage * factor,
        }
    }

    fn summed(self) -> Self {
        Self { total: self.parts().iter().map(|(_, part)| part).sum::<f64>().min(1.0), ..self }
    }
}

/// The order of all rankings: score descending, then id.
#[must_use]
pub fn order(a: (f64, &MemoryId), b: (f64, &MemoryId)) -> Ordering {
    b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(second_stage: Option<f64>) -> Evidence {
        Evidence {
            lexical: 1.0,
            session: 1.0,
            tokens: 1.0,
            vector: 1.0,
            author: 1.0,
            time: 1.0,
            answer: 1.0,
            substance: 1.0,
            graph: 1.0,
            strength: 1.0,
            activation: 1.0,
            support: 1.0,
            second_stage,
        }
    }

    #[test]
    fn shares_add_up_to_one() {
        let config = RecallConfig::default();
        for second_stage in [None, Some(1.0)] {
            for profile in [Profile::Fused, Profile::Engram] {
                let score = all(second_stage).score(profile, &config);
                assert!((score.total - 1.0).abs() < 1e-9, "{profile:?}: {score:?}");
            }
        }
    }

    #[test]
    fn a_second_stage_takes_its_share_of_what_was() {
        let config = RecallConfig { second_stage: 0.25, ..RecallConfig::default() };
        let (plain, read) = (all(None).score(Profile::Fused, &config), all(Some(0.5)).score(Profile::Fused, &config));
        assert!((read.lexical - 0.75 * plain.lexical).abs() < 1e-12);
        assert!((read.second_stage - 0.125).abs() < 1e-12);
        assert!((read.total - 0.875).abs() < 1e-9);
    }
}
