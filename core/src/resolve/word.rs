//! A word of a text, and what it is to a comparison.

use crate::resolve::lexicon::among;

/// Past forms that don't end in `ed`, of things done.
const PAST: &str = "ran bought paid met ate saw went took made sent wrote fixed slept drank spent gave got found sold won lost \
    flew drove read built shipped swam rode taught";
/// Words in `ed` that say how things are or will be.
const STATE: &str = "need decid agre schedul plan prefer base locat allow requir support use deprec expect limit \
    disabl enabl speed seed feed embed inde";

/// Any word of a text.
#[derive(Debug)]
pub(super) struct Token {
    /// Lower case.
    pub text: Box<str>,
    /// Whether a comma or the like, or the end of a sentence, stands before it.
    pub parted: bool,
}

/// Whether a text says that something is no longer as it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Change {
    #[default]
    None,
    /// `now`, `new`, `moved`, `raised` ...
    Hinted,
    /// `no longer`, `switched`, `replaced`, `left` ...
    Stated,
}

/// A telling word.
#[derive(Clone, Debug)]
pub(super) struct Word {
    /// Lower case.
    pub text: Box<str>,
    /// Its stem, or a value's canonical form: what the lists of this module go by.
    pub stem: Box<str>,
    /// What its inflections have in common, or a value's canonical form: what other words are compared with.
    pub base: Box<str>,
    pub kind: Kind,
    /// Whether it names the one who speaks or is spoken for: the user, we, the team. It may come or go.
    pub person: bool,
    /// Whether it starts with a capital letter and a sentence does not start with it.
    pub capital: bool,
    /// Whether it starts with a capital letter, wherever it stands.
    pub capital_anywhere: bool,
    /// The preposition before it, if the two are joined.
    pub preposition: Option<&'static str>,
    /// Whether `and`, `or` or a comma joins it to the word before.
    pub listed: bool,
    /// +1 for liking or using, -1 for the opposite, 0 for neither; negation applied.
    pub stance: i8,
    /// Where it stands in the text, in words.
    pub place: usize,
    /// Whether it is an owner: `the user's`.
    pub owner: bool,
    /// Whether it is a path, an identifier or a flag, which no other word stands for.
    pub code: bool,
    /// As it is written.
    pub raw: Box<str>,
    /// How many words of the text it takes.
    pub width: usize,
    /// Whether it is what a password, a name for logging in or the like is.
    pub secret: bool,
}

impl Word {
    /// What a word must have in common with another to be the same.
    pub(super) fn key(&self) -> (bool, &str) {
        (self.kind == Kind::Value, &self.base)
    }
}

/// What a word is to a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A number, amount, time, version, code.
    Value,
    /// One of several alternatives that exclude each other: a weekday, a direction, a colour.
    Side,
    /// Any other word that tells something.
    Plain,
}

/// Whether a word says that something was done.
pub(super) fn is_done(word: &Word) -> bool {
    let past = word.text.len() > 4 && word.text.ends_with("ed") || among(PAST, &word.text);
    past && word.kind != Kind::Value && !among(STATE, &word.stem)
}
