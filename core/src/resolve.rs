//! Resolution: what a new memory is to a known one. Pure functions over two texts and how alike they are.
//!
//! Similarity alone can't tell 'the limit is 3' from 'the limit is 5', so it only opens the question; the words decide
//! it. A differing number, date, version, amount, name or negation, or two things that changed places, are vetoes: such
//! texts are never taken for one. They may contradict each other, where the subject is the same and the newer text takes
//! the opposite stance, denies, gives another value for what has one value at a time, or says that something changed.

mod compare;
mod lexicon;
mod scripts;
mod statement;
mod value;

pub use statement::Statement;

use crate::{config::ResolutionConfig, record::Memory, resolve::compare::Comparison, static_model::StaticModel};

/// What a new text is to a known one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The known one again, word for word or nearly so.
    Same,
    /// The known one in other words, or told more or less fully.
    Restated,
    /// The known one no longer holds; why, in a few words.
    Contradiction(&'static str),
    /// Another fact.
    Distinct,
}

/// A known memory near a new text.
pub struct Near<'p> {
    /// Its slot.
    pub slot: u32,
    /// The memory.
    pub memory: &'p Memory,
    /// How alike the texts are, 0..=1.
    pub similarity: f64,
    verdict: Verdict,
}

/// What the comparison of two texts needs beside the texts.
pub struct Terms<'a> {
    /// How alike they are, 0..=1.
    pub similarity: f64,
    /// Whether one author said both.
    pub same_author: bool,
    /// The token table, for words in other clothes.
    pub model: Option<&'a StaticModel>,
    /// The thresholds.
    pub config: &'a ResolutionConfig,
}

impl<'p> Near<'p> {
    /// Judges a new text against the one of `memory`.
    #[must_use]
    pub fn new(slot: u32, memory: &'p Memory, new: &Statement, old: &Statement, terms: &Terms<'_>) -> Self {
        Self { slot, memory, similarity: terms.similarity, verdict: judge(new, old, terms) }
    }

    /// A memory that is known to be another fact without a look at its words.
    #[must_use]
    pub fn distinct(slot: u32, memory: &'p Memory, similarity: f64) -> Self {
        Self { slot, memory, similarity, verdict: Verdict::Distinct }
    }

    /// What the new text is to this memory.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }
}

/// Judges a new text against a known one.
///
/// ```
/// use ebbtrace_core::{config::ResolutionConfig, resolve::{Statement, Terms, Verdict, judge, word_similarity}};
/// let config = ResolutionConfig::default();
/// let verdict = |old: &str, new: &str| {
///     let (old, new) = (Statement::parse(old), Statement::parse(new));
///     let similarity = word_similarity(&new, &old);
///     judge(&new, &old, &Terms { similarity, same_author: true, model: None, config: &config })
/// };
/// assert_eq!(verdict("The limit is 3 retries", "The limit is three retries"), Verdict::Same);
/// assert_eq!(
///     verdict("The limit is 3 retries", "The limit is 5 retries"),
///     Verdict::Contradiction("it gives another value for the same"),
/// );
/// assert_eq!(
///     verdict("User prefers TypeScript", "User decided to abandon TypeScript and use Go"),
///     Verdict::Contradiction("it takes the opposite stance"),
/// );
/// assert_eq!(verdict("Alice lives in Berlin", "Bob lives in Paris"), Verdict::Distinct);
/// ```
#[must_use]
pub fn judge(new: &Statement, old: &Statement, terms: &Terms<'_>) -> Verdict {
    let config = terms.config;
    // What two people say of themselves in the same words is two facts.
    let alike = terms.similarity.max(old.script.shared(&new.script));
    if !terms.same_author || alike < config.comparable {
        return Verdict::Distinct;
    }
    let comparison = Comparison::new(new, old, terms.model);
    if comparison.agrees() {
        return match terms.similarity {
            alike if alike >= config.reinforce && comparison.is_complete() => Verdict::Same,
            alike if alike >= config.related => Verdict::Restated,
            _ => Verdict::Distinct,
        };
    }
    comparison.contradiction().map_or(Verdict::Distinct, Verdict::Contradiction)
}

/// How alike two texts are by their words alone, 0..=1: the share of telling words in common, of the longer text's.
/// The measure where there is no token table, and for scripts that it does not know.
#[must_use]
pub fn word_similarity(a: &Statement, b: &Statement) -> f64 {
    let forth = Comparison::new(a, b, None);
    let words = forth.shared() as f64;
    let shared = a.script.shared(&b.script) * a.script.grams.len() as f64;
    let longer = a.telling().max(b.telling());
    if longer == 0 { 0.0 } else { (words + shared) / longer as f64 }
}

/// How many telling words a text has.
#[must_use]
pub fn telling_words(text: &str) -> usize {
    Statement::parse(text).telling()
}
