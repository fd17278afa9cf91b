//! Two statements side by side: which words of one stand for which of the other, whether anything that matters
//! differs, and whether the newer one says that the older no longer holds.

use crate::{
    resolve::{
        lexicon::Lexicon,
        pairing::pair_up,
        statement::{Kind, Statement, Word},
    },
    static_model::StaticModel,
};

/// What two statements have in common.
pub(super) struct Comparison<'s> {
    pub(super) new: &'s Statement,
    pub(super) old: &'s Statement,
    /// For each word of the old statement its counterpart in the new one.
    pub(super) pairs: Vec<Option<usize>>,
    /// Words of the old statement without one.
    pub(super) missing: Vec<&'s Word>,
    /// Words of the new statement without one.
    pub(super) extra: Vec<&'s Word>,
}

impl<'s> Comparison<'s> {
    pub(super) fn new(new: &'s Statement, old: &'s Statement, model: Option<&StaticModel>) -> Self {
        let (pairs, taken) = pair_up(new, old, model);
        let told = |word: &&Word| !word.person;
        let missing = old.words.iter().zip(&pairs).filter(|(_, pair)| pair.is_none()).map(|(word, _)| word);
        let missing = missing.filter(told).collect();
        let extra = new.words.iter().zip(&taken).filter(|(_, taken)| !**taken).map(|(word, _)| word);
        let extra = extra.filter(told).collect();
        Self { new, old, pairs, missing, extra }
    }

    /// Whether nothing that matters differs: every value, name and telling word of each has its counterpart in the
    /// other, as many things are denied, nobody else is spoken of, and nothing has changed places.
    pub(super) fn agrees(&self) -> bool {
        let script = &self.new.script;
        if self.new.negations % 2 != self.old.negations % 2
            || script.negations != self.old.script.negations
            || script.stance != self.old.script.stance
            || self.new.question != self.old.question
            || self.new.rest != self.old.rest
            || self.new.operators != self.old.operators
            || !script.says_the_same(&self.old.script)
            || self.new.scope != self.old.scope
            || self.new.exact != self.old.exact
            || self.other_code()
            || self.other_force()
            || self.other_bounds()
            || self.moved_values()
            || self.other_person()
            || self.other_time()
            || self.opposite_sides()
            || self.changed_places()
        {
            return false;
        }
        let (missing, extra) = (self.missing.len(), self.extra.len());
        if missing + extra == 0 {
            return true;
        }
        if !script.is_empty() {
            return false;
        }
        // One word more on one side is the same fact told more fully, if the word may be said of any: another would be of
        // another thing, as `the old server`, or of another case, as `manually`.
        let one = self.missing.iter().chain(&self.extra).all(|word| {
            let plain = word.kind == Kind::Plain && !word.capital && !word.code && !word.owner;
            plain && Lexicon::english().is_filler(&word.base)
        });
        one && missing + extra == 1 && self.shared() >= 3
    }

    /// Whether every telling word has its counterpart.
    pub(super) fn is_complete(&self) -> bool {
        self.missing.is_empty() && self.extra.is_empty()
    }

    /// How many words have a counterpart.
    pub(super) fn shared(&self) -> usize {
        self.pairs.iter().filter(|pair| pair.is_some()).count()
    }

    /// Whether one speaks of him and the other of her, or of the user. A person who is left out may be anyone.
    pub(super) fn other_person(&self) -> bool {
        let persons = |words: &'s [Word]| words.iter().filter(|word| word.person).map(|word| &*word.stem);
        let other = |stem: &str| persons(&self.old.words).all(|old| old != stem);
        let third = |stem: &str| matches!(stem, "he" | "she");
        persons(&self.new.words).next().is_some()
            && persons(&self.old.words).next().is_some()
            && persons(&self.new.words).all(other)
            && persons(&self.new.words).chain(persons(&self.old.words)).any(third)
    }

    /// Whether one says `must` and the other `should` or `can`.
    fn other_force(&self) -> bool {
        self.new.force.zip(self.old.force).is_some_and(|(new, old)| new != old)
    }

    /// Whether both quote code, and not the same.
    fn other_code(&self) -> bool {
        let other = |new: &[u64], old: &[u64]| !new.is_empty() && !old.is_empty() && new != old;
        other(&self.new.code, &self.old.code) || other(&self.new.calls, &self.old.calls)
    }

    /// Whether an alternative in one stands against another alternative of its axis in the other.
    fn opposite_sides(&self) -> bool {
        let lexicon = Lexicon::english();
        let bases = |words: &[&'s Word], asides: &'s [Box<str>]| -> Vec<&'s str> {
            words.iter().map(|word| &*word.base).chain(asides.iter().map(|base| &**base)).collect()
        };
        let extra = bases(&self.extra, &self.new.asides);
        bases(&self.missing, &self.old.asides).iter().any(|a| extra.iter().any(|b| lexicon.opposed(a, b)))
    }
}
