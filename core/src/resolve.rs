//! Resolution (first form).

use crate::{config::ResolutionConfig, record::Memory, static_model::StaticModel, terms};

/// A text.
pub struct Statement {
    terms: Vec<Box<str>>,
}

impl Statement {
    /// Parses.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        Self { terms: terms::query_terms(text).into_iter().map(|t| t.term).collect() }
    }
}

/// What becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Same.
    Same,
    /// Restated.
    Restated,
    /// Contradiction.
    Contradiction(&'static str),
    /// Distinct.
    Distinct,
}

/// Near.
pub struct Near<'p> {
    /// slot
    pub slot: u32,
    /// memory
    pub memory: &'p Memory,
    /// similarity
    pub similarity: f64,
    same: bool,
}

impl<'p> Near<'p> {
    /// new
    #[must_use]
    pub fn new(
        slot: u32,
        memory: &'p Memory,
        similarity: f64,
        new: &Statement,
        old: &Statement,
        same_author: bool,
        _model: Option<&StaticModel>,
    ) -> Self {
        Self { slot, memory, similarity, same: same_author && new.terms == old.terms }
    }
    /// verdict
    #[must_use]
    pub fn verdict(&self, config: &ResolutionConfig) -> Verdict {
        if self.same && self.similarity >= config.reinforce { Verdict::Same } else { Verdict::Distinct }
    }
}

/// word similarity
#[must_use]
pub fn word_similarity(a: &Statement, b: &Statement) -> f64 {
    let common = a.terms.iter().filter(|t| b.terms.contains(t)).count() as f64;
    common / a.terms.len().max(b.terms.len()).max(1) as f64
}

/// count
#[must_use]
pub fn telling_terms(text: &str) -> usize {
    terms::query_terms(text).len()
}
