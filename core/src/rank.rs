//! From evidence to a score and an order: pure functions over what indexes found, whichever indexes those were.
//!
//! A fused score is a sum of shares, each part 0..=1 before its share:
//!
//! score = lexical x L + tokens x T + vector x V + graph x G + strength x S + activation x A
//!
//! The shares are in [`crate::config::RecallConfig`] and add up to 1. Fading is a small prior: it decides ties and,
//! through the tier, whether a memory is looked at, not whether a question finds its answer.

use std::cmp::Ordering;

use crate::{
    config::RecallConfig,
    label::MemoryId,
    operation::{Profile, Score},
};

/// What speaks for a memory, each part 0..=1 and without its share.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence {
    /// BM25 over the best that the query could reach.
    pub lexical: f64,
    /// How well the memory's tokens cover the query's.
    pub tokens: f64,
    /// Cosine of the pooled vectors, negative ones as 0.
    pub vector: f64,
    /// How much of what the query asks for the memory has, by words or by meaning, whichever is more. Not part of the
    /// score: it decides whether there is an answer at all.
    pub support: f64,
    /// What came over the graph: the start's relevance x the weights of the edges on the way, each at most 1.
    pub graph: f64,
    /// Strength by the forgetting curve.
    pub strength: f64,
    /// Activation relative to the scope's highest.
    pub activation: f64,
}

impl Evidence {
    /// How well the memory itself answers the query, 0..=1: the direct parts by their shares.
    #[must_use]
    pub fn relevance(&self, config: &RecallConfig) -> f64 {
        let shares = config.lexical + config.tokens + config.vector;
        let direct = self.lexical * config.lexical + self.tokens * config.tokens + self.vector * config.vector;
        if shares > 0.0 { direct / shares } else { 0.0 }
    }

    /// Whether the memory answers the query at all: it has enough of what is asked for, or hangs on one that has.
    #[must_use]
    pub fn answers(&self, config: &RecallConfig) -> bool {
        self.support >= config.min_support || self.graph >= config.min_graph
    }

    /// The score by `profile`: the parts with their shares, and their sum.
    #[must_use]
    pub fn score(&self, profile: Profile, config: &RecallConfig) -> Score {
        match profile {
            Profile::Fused => Score::of(
                self.lexical * config.lexical,
                self.tokens * config.tokens,
                self.vector * config.vector,
                self.graph * config.graph,
                self.strength * config.strength,
                self.activation * config.activation,
            ),
            // The sources' formula reaches 1.3; dividing keeps the score in 0..=1 and the order as it was.
            Profile::Engram => Score::of(
                0.4 * self.lexical / 1.3,
                0.0,
                0.6 * self.vector * self.strength / 1.3,
                0.3 * self.graph / 1.3,
                0.0,
                0.0,
            ),
        }
    }
}

impl Score {
    fn of(lexical: f64, tokens: f64, vector: f64, graph: f64, strength: f64, activation: f64) -> Self {
        let total = (lexical + tokens + vector + graph + strength + activation).min(1.0);
        Self { total, lexical, tokens, vector, graph, strength, activation }
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

    #[test]
    fn shares_add_up_to_one() {
        let config = RecallConfig::default();
        let all = Evidence {
            lexical: 1.0,
            tokens: 1.0,
            vector: 1.0,
            support: 1.0,
            graph: 1.0,
            strength: 1.0,
            activation: 1.0,
        };
        for profile in [Profile::Fused, Profile::Engram] {
            let score = all.score(profile, &config);
            assert!((score.total - 1.0).abs() < 1e-9, "{profile:?}: {score:?}");
        }
    }
}
