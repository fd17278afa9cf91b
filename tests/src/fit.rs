//! Fits the shares of a fused score to questions whose answers are known.
//!
//! Each question is a choice among the memories that it found: the chance of one is the softmax of its score, and the
//! loss is the negative logarithm of the chance that the answers have together (listwise, as ListNet: Cao et al. 2007).
//! It is minimised by Adam over weights of at least 0, which makes shares once they are scaled to the sum they have now.
//! The parts that no conversation told at one moment can fit (graph, strength, activation) stay as they are.

use std::sync::Arc;

use ebbtrace::{Embedder, Service, clock::ManualClock, service::Options, store::MemoryStore};
use ebbtrace_core::{Config, RecallInput, Timestamp};

use crate::locomo::{self, Conversation, Outcome, Settings};

/// The parts that are fitted, by their names in a score.
pub const PARTS: [&str; 8] = ["lexical", "session", "tokens", "vector", "author", "time", "answer", "substance"];

/// Weights of the parts.
pub type Weights = [f64; PARTS.len()];

/// A memory that a question found: its evidence, and whether it answers.
pub struct Candidate {
    evidence: Weights,
    answers: bool,
}

impl Candidate {
    /// The same with one part at 0.
    #[must_use]
    pub fn without(&self, part: usize) -> Self {
        let mut evidence = self.evidence;
        evidence[part] = 0.0;
        Self { evidence, answers: self.answers }
    }
}

/// What one question found.
pub type Asked = Vec<Candidate>;

/// How many candidates of a question are looked at.
const DEPTH: i64 = 250;

/// The evidence of every question of a conversation.
///
/// # Errors
/// As [`locomo::run`].
pub fn ask(
    conversation: &Conversation,
    config: &Config,
    embedder: Option<&Arc<dyn Embedder>>,
) -> Result<Vec<Asked>, String> {
    // Equal shares, and no threshold: each part of a score is its evidence times one known number.
    let mut config = config.clone();
    let recall = &mut config.recall;
    recall.min_support = 0.0;
    recall.min_graph = 0.0;
    let shares = recall.shares().len() as f64;
    for share in [
        &mut recall.lexical,
        &mut recall.session,
        &mut recall.tokens,
        &mut recall.vector,
        &mut recall.author,
        &mut recall.time,
        &mut recall.answer,
        &mut recall.substance,
        &mut recall.graph,
        &mut recall.strength,
        &mut recall.activation,
    ] {
        *share = 1.0 / shares;
    }
    let clock = Arc::new(ManualClock::new(Timestamp(0)));
    let mut options = Options::new(Box::new(MemoryStore::new()));
    options.clock = Box::new(clock.clone());
    options.config = config;
    options.embedder = embedder.cloned();
    let service = Service::open(options).map_err(|error| error.to_string())?;
    let settings = Settings::default();
    let told = locomo::tell(conversation, &service, &clock, settings.lived, &mut Outcome::default(), &mut || {})?;
    clock.set(clock.now().plus_days(1.0));
    let ask = |question: &locomo::Question| {
        let input = RecallInput {
            scope: Some(conversation.id.clone()),
            query: question.question.clone(),
            k: Some(DEPTH),
            peek: true,
            ..RecallInput::default()
        };
        let recalled = service.recall(input).map_err(|error| error.to_string())?;
        let candidate = |hit: ebbtrace_core::Hit| {
            let turns = told.get(hit.memory.id.as_str()).cloned().unwrap_or_default();
            let parts = hit.score.parts();
            let part =
                |name: &str| parts.iter().find(|(known, _)| *known == name).map_or(0.0, |(_, value)| value * shares);
            Candidate { evidence: PARTS.map(part), answers: turns.iter().any(|turn| question.evidence.contains(turn)) }
        };
        Ok(recalled.hits.into_iter().map(candidate).collect())
    };
    conversation.qa.iter().map(ask).collect()
}

/// Fits weights to questions.
#[must_use]
pub fn fit<'q>(questions: impl Iterator<Item = &'q Asked> + Clone) -> Weights {
    /// Steps of Adam, its step size and decay rates.
    const STEPS: i32 = 300;
    const STEP: f64 = 0.5;
    const DECAY: [f64; 2] = [0.9, 0.99];
    let mut weights = [10.0; PARTS.len()];
    let (mut first, mut second) = ([0.0; PARTS.len()], [0.0; PARTS.len()]);
    for step in 1..=STEPS {
        let mut gradient = [0.0; PARTS.len()];
        let mut count = 0.0;
        for asked in questions.clone().filter(|asked| asked.iter().any(|candidate| candidate.answers)) {
            count += 1.0;
            add_gradient(asked, &weights, &mut gradient);
        }
        for part in 0..PARTS.len() {
            let slope = gradient[part] / f64::max(count, 1.0);
            first[part] = DECAY[0] * first[part] + (1.0 - DECAY[0]) * slope;
            second[part] = DECAY[1] * second[part] + (1.0 - DECAY[1]) * slope * slope;
            let mean = first[part] / (1.0 - DECAY[0].powi(step));
            let spread = (second[part] / (1.0 - DECAY[1].powi(step))).sqrt();
            weights[part] = (weights[part] - STEP * mean / (spread + 1e-9)).max(0.0);
        }
    }
    weights
}

/// Adds the slope of one question's loss.
fn add_gradient(asked: &Asked, weights: &Weights, gradient: &mut Weights) {
    let scores: Vec<f64> = asked.iter().map(|candidate| score(candidate, weights)).collect();
    let highest = scores.iter().copied().fold(f64::MIN, f64::max);
    let chances: Vec<f64> = scores.iter().map(|score| (score - highest).exp()).collect();
    let sum = |of: &dyn Fn(&Candidate) -> bool| -> f64 {
        chances.iter().zip(asked).filter(|(_, candidate)| of(candidate)).map(|(chance, _)| chance).sum()
    };
    let (all, right) = (sum(&|_| true), sum(&|candidate| candidate.answers).max(1e-300));
    for (candidate, chance) in asked.iter().zip(&chances) {
        let pull = chance / all - if candidate.answers { chance / right } else { 0.0 };
        for (slope, evidence) in gradient.iter_mut().zip(candidate.evidence) {
            *slope += pull * evidence;
        }
    }
}

fn score(candidate: &Candidate, weights: &Weights) -> f64 {
    candidate.evidence.iter().zip(weights).map(|(evidence, weight)| evidence * weight).sum()
}

/// How many questions have an answer among their best `k`, and the sum of one over the rank of the first.
#[must_use]
pub fn hits<'q>(questions: impl Iterator<Item = &'q Asked>, weights: &Weights, k: usize) -> (usize, f64) {
    questions.fold((0, 0.0), |(hits, ranks), asked| {
        let best = asked.iter().filter(|candidate| candidate.answers).map(|candidate| score(candidate, weights));
        let best = best.fold(f64::MIN, f64::max);
        let before = asked.iter().filter(|candidate| score(candidate, weights) > best).count();
        let found = asked.iter().any(|candidate| candidate.answers);
        let rank = if found { 1.0 / (before + 1) as f64 } else { 0.0 };
        (hits + usize::from(found && before < k), ranks + rank)
    })
}

/// Scales weights so that they add up to what the fitted parts share now.
#[must_use]
pub fn shares(weights: &Weights, config: &Config) -> Weights {
    let recall = &config.recall;
    let left = 1.0 - recall.graph - recall.strength - recall.activation;
    let sum: f64 = weights.iter().sum();
    weights.map(|weight| weight * left / sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Questions whose answer is told by the second part alone, with noise in the first.
    fn questions() -> Vec<Asked> {
        let candidate = |noise: usize, tells: bool| {
            let mut evidence = [0.0; PARTS.len()];
            evidence[0] = (noise * 7 % 10) as f64 / 10.0;
            evidence[1] = if tells { 0.9 } else { 0.3 };
            Candidate { evidence, answers: tells }
        };
        (0..20).map(|n| (0..10).map(|m| candidate(n + m, m == 4)).collect()).collect()
    }

    #[test]
    fn the_part_that_tells_gets_the_weight() {
        let questions = questions();
        let weights = fit(questions.iter());
        assert!(weights[1] > 5.0 * weights[0], "{weights:?}");
        assert_eq!(hits(questions.iter(), &weights, 1).0, 20);
        let shares = shares(&weights, &Config::default());
        let fixed = Config::default().recall;
        let sum = shares.iter().sum::<f64>() + fixed.graph + fixed.strength + fixed.activation;
        assert!((sum - 1.0).abs() < 1e-9);
    }
}
