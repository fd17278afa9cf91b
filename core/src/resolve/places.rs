//! Whether the same words stand in other places, so that they say something else.

use crate::resolve::{
    compare::Comparison,
    statement::{Kind, Statement, Word},
};

impl Comparison<'_> {
    /// Whether the same words stand in other places, so that it is not the same: `from A to B` and `from B to A`, or
    /// `A calls B` and `B calls A`.
    pub(super) fn changed_places(&self) -> bool {
        /// Prepositions that say the opposite of each other.
        const SIDES: [[&str; 2]; 5] =
            [["before", "after"], ["above", "below"], ["above", "under"], ["over", "under"], ["from", "to"]];
        let pairs = || {
            self.pairs.iter().enumerate().filter_map(|(i, pair)| Some((&self.old.words[i], &self.new.words[(*pair)?])))
        };
        let swapped = pairs().any(|(old, new)| {
            old.preposition != new.preposition
                && binds(old.preposition)
                && old.preposition.is_some_and(|preposition| {
                    // The preposition now belongs to a word that had its place elsewhere.
                    pairs()
                        .any(|(old, new)| new.preposition == Some(preposition) && old.preposition != Some(preposition))
                })
        });
        let turned = pairs().any(|(old, new)| {
            old.preposition
                .zip(new.preposition)
                .is_some_and(|(a, b)| SIDES.iter().any(|side| side.contains(&a) && side.contains(&b) && a != b))
        });
        if swapped || turned || self.other_numbers() {
            return true;
        }
        if self.new.passive != self.old.passive {
            return self.other_agent();
        }
        if self.changed_parts() || self.changed_persons() {
            return true;
        }
        let entity = |old: &Word, new: &Word| {
            let named = old.capital_anywhere && new.capital_anywhere && (old.capital || new.capital);
            named && !(old.preposition.is_some() && old.preposition == new.preposition)
        };
        let order: Vec<usize> = self
            .pairs
            .iter()
            .enumerate()
            .filter_map(|(i, pair)| pair.filter(|&j| entity(&self.old.words[i], &self.new.words[j])))
            .collect();
        order.windows(2).any(|pair| pair[0] > pair[1] && !self.new.in_one_list(pair[1], pair[0]))
    }

    /// Whether two things changed parts around what one does to the other: `the parent owns the child`.
    fn changed_parts(&self) -> bool {
        let part = |statement: &Statement, at: usize| {
            let word = &statement.words[at];
            let counted = at > 0 && statement.words[at - 1].kind == Kind::Value;
            word.preposition.is_none() && !word.owner && !word.person && word.kind != Kind::Value && !counted
        };
        let placed: Vec<usize> = self
            .pairs
            .iter()
            .enumerate()
            .filter_map(|(i, pair)| pair.filter(|&j| part(self.old, i) && part(self.new, j)))
            .take(STORY)
            .collect();
        // Three in a row that stand the other way round.
        (1..placed.len())
            .any(|b| placed[..b].iter().any(|a| *a > placed[b]) && placed[b + 1..].iter().any(|c| *c < placed[b]))
    }

    /// Whether those who do something and those it is done to changed parts: `I lent Ben the drill`, `Ben lent me the drill`.
    fn changed_persons(&self) -> bool {
        let takes_part = |word: &Word| word.preposition.is_none() && (word.person && !word.owner || word.capital);
        let placed: Vec<usize> = self
            .pairs
            .iter()
            .enumerate()
            .filter_map(|(i, pair)| Some((&self.old.words[i], (*pair)?)))
            .filter(|(old, j)| {
                let new = &self.new.words[*j];
                (old.person || new.person || old.capital_anywhere && new.capital_anywhere)
                    && (takes_part(old) || takes_part(new))
                    && old.preposition.is_none()
                    && new.preposition.is_none()
            })
            .map(|(_, j)| j)
            .take(STORY)
            .collect();
        placed.windows(2).any(|pair| {
            let persons = self.new.words[pair[0]].person || self.new.words[pair[1]].person;
            persons && pair[0] > pair[1] && !self.new.in_one_list(pair[1], pair[0])
        })
    }

    /// Whether, where one is told in the passive voice, the one who does it there is the one it is done to here.
    fn other_agent(&self) -> bool {
        let agent = |word: &Word| word.preposition == Some("by") && word.kind != Kind::Value;
        let paired = || self.pairs.iter().enumerate().filter_map(|(i, pair)| pair.map(|j| (i, j)));
        let (passive, places): (_, Vec<(usize, usize)>) = if self.new.passive {
            (self.new, paired().map(|(i, j)| (j, i)).collect())
        } else {
            (self.old, paired().collect())
        };
        let active = |at: usize| places.iter().find(|(here, _)| *here == at).map(|(_, there)| *there);
        let doer = passive.words.iter().position(agent).and_then(active);
        let done = passive.words.iter().position(|word| !word.person).and_then(active);
        doer.zip(done).is_some_and(|(doer, done)| done < doer)
    }

    /// Whether a word has another number by it: `server 2 has 4 disks` and `server 4 has 2 disks`.
    fn other_numbers(&self) -> bool {
        let by = |statement: &'_ Statement, at: usize| {
            let word = |i: usize| statement.words.get(i).filter(|word| word.kind != Kind::Value);
            let place = statement.words[at].place;
            let after = word(at + 1).filter(|word| word.place == place + 1).map(|_| at + 1);
            after.or_else(|| word(at.checked_sub(1)?).filter(|word| word.place + 1 == place).map(|_| at - 1))
        };
        let numbers: Vec<(usize, usize)> = self
            .pairs
            .iter()
            .enumerate()
            .filter_map(|(i, pair)| pair.filter(|_| self.old.words[i].kind == Kind::Value).map(|j| (i, j)))
            .take(STORY)
            .collect();
        numbers.iter().any(|&(i, _)| {
            by(self.old, i).and_then(|noun| self.pairs[noun]).is_some_and(|noun| {
                let mut rivals = numbers.iter().filter(|&&(_, j)| by(self.new, j) == Some(noun)).peekable();
                rivals.peek().is_some()
                    && rivals.all(|&(other, _)| self.old.words[other].stem != self.old.words[i].stem)
            })
        })
    }
}

impl Statement {
    /// Whether the words from `a` to `b` are members of one list.
    fn in_one_list(&self, a: usize, b: usize) -> bool {
        self.words[a + 1..=b].iter().all(|word| word.listed)
    }
}

/// Words up to which the places are looked at.
const STORY: usize = 64;

/// Prepositions that give what follows them a part of its own.
fn binds(preposition: Option<&str>) -> bool {
    matches!(
        preposition,
        Some(
            "from"
                | "to"
                | "into"
                | "onto"
                | "before"
                | "after"
                | "over"
                | "than"
                | "under"
                | "above"
                | "not"
                | "instead"
        )
    )
}
