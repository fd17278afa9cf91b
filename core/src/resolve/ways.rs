//! Which way what is told goes: whether a change has led to what is known or away from it, and whether two verbs tell the
//! two ends of one thing.

use crate::resolve::{
    compare::Comparison,
    lexicon::{Lexicon, among},
    statement::{Change, Kind, Statement, Word},
};

/// Words up to which verbs are looked at.
const STORY: usize = 64;
/// What stands before a state.
const STATES: &str = "is are was were be stays remains not";
/// One of each pair of things that are done in turn.
const TURNS: [&str; 6] = ["open", "start", "lock", "depart", "enter", "in"];

/// Verbs of change that lead to something.
const MOVES: &str = "move reloc relocat switch migrat chang return convert came come went go transfer";

impl Comparison<'_> {
    /// The new one names the known value as what it was before: `changed from 5 to 7`.
    pub(super) fn changed_from(&self) -> Option<&'static str> {
        let pairs = self.pairs.iter().enumerate().filter_map(|(i, pair)| Some((i, (*pair)?)));
        let value = |word: &Word| word.kind != Kind::Plain || word.capital || word.code;
        let mut before = pairs.filter(|&(i, j)| {
            let (old, new) = (&self.old.words[i], &self.new.words[j]);
            value(old) && new.preposition == Some("from") && old.preposition != Some("from")
        });
        let from = before.next()?.1;
        let to = |word: &&Word| word.preposition == Some("to") && word.place > self.new.words[from].place;
        let to = self.extra.iter().any(to);
        let told = self.new.change != Change::None || self.new.words.iter().any(|word| among(MOVES, &word.stem));
        (to && told && self.same_subject()).then_some("it says that this has changed")
    }

    /// Whether what the change that the new one tells has led to is what was known: `moved back to Berlin`.
    pub(super) fn affirms(&self) -> bool {
        let verb = |word: &Word| among(MOVES, &word.stem);
        let Some(verb) = self.new.words.iter().find(|word| verb(word)).map(|word| word.place) else { return false };
        let subject = self.old.subject_words();
        let led =
            |word: &Word| word.place > verb && word.preposition.is_some_and(|to| matches!(to, "to" | "into" | "onto"));
        let pairs = self.pairs.iter().enumerate().skip(subject).filter_map(|(i, pair)| Some((i, (*pair)?)));
        let known = pairs.filter(|&(i, _)| self.old.words[i].preposition != Some("from"));
        known.map(|(_, j)| &self.new.words[j]).any(led) && self.new.negations == self.old.negations
    }

    /// Whether the new one tells of work on something.
    pub(super) fn tells_on(&self) -> bool {
        self.new.tokens.windows(2).any(|pair| pair[0].text.starts_with("work") && &*pair[1].text == "on")
    }

    /// Whether the two tell the start and the end of one thing, or two things done to it in turn: `opens at nine`, `closes
    /// at nine`; `log in`, `log out`. Both hold, unless one is a state: `is open`, `is closed`.
    pub(super) fn both_ends(&self) -> bool {
        let lexicon = Lexicon::english();
        let state = |statement: &Statement, word: &Word| {
            let before = word.place.checked_sub(1).and_then(|at| statement.tokens.get(at));
            before.is_some_and(|before| among(STATES, &before.text)) || word.text.ends_with("ed")
        };
        let turns = |word: &Word| lexicon.is_among(&word.base, &TURNS);
        self.missing.iter().any(|a| {
            self.extra.iter().any(|b| {
                turns(a) && turns(b) && lexicon.opposed(&a.base, &b.base) && !state(self.old, a) && !state(self.new, b)
            })
        })
    }

    /// Whether a verb goes the other way: `log in`, `log out`.
    pub(super) fn other_particle(&self) -> bool {
        const WAYS: [[&str; 2]; 3] = [["in", "out"], ["on", "off"], ["up", "down"]];
        let pairs = |statement: &'_ Statement| -> Vec<[Box<str>; 2]> {
            let pairs = statement.tokens.windows(2).filter(|pair| !among(STATES, &pair[0].text));
            pairs.map(|pair| [pair[0].text.clone(), pair[1].text.clone()]).take(STORY).collect()
        };
        let new = pairs(self.new);
        pairs(self.old).iter().any(|[verb, way]| {
            let other =
                WAYS.iter().find(|ways| ways.contains(&&**way)).map(|ways| ways[usize::from(ways[0] == &**way)]);
            other.is_some_and(|other| new.iter().any(|[same, way]| same == verb && &**way == other))
        })
    }

    /// Whether another verb is said of the same: `departs from`, `arrives at`; then both may hold.
    pub(super) fn other_verb(&self) -> bool {
        let verb = |statement: &Statement, word: &Word| {
            let object = statement.words.iter().any(|other| other.place > word.place);
            let bare = word.kind != Kind::Value && !word.capital && !word.code && word.preposition.is_none();
            bare && object && word.text.ends_with('s') && !word.text.ends_with("ss")
        };
        let at = |statement: &Statement, words: &[&Word]| {
            words.iter().find(|word| verb(statement, word)).map(|word| word.place)
        };
        // `leads` and `manages` are seen elsewhere.
        !self.old.frame.is
            && !self.new.frame.is
            && at(self.old, &self.missing).zip(at(self.new, &self.extra)).is_some_and(|(old, new)| old == new)
    }
}
