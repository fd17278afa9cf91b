//! Whether values stand by what they stood by: two texts with the same numbers, codes and single letters are one only
//! where each of them belongs to the same words.

use crate::resolve::{
    base::base,
    compare::Comparison,
    statement::{Kind, Statement, Word},
};

/// Words up to which the values are looked at.
const STORY: usize = 64;
/// Words that tie a value to nothing.
const PASSED: &str = "a an the is are was were be of";
/// Words that part what is said of one value from what is said of the next.
const PARTS: &str = "and or but & while whereas";

/// A word beside a value: one that has a counterpart, by its place in the new statement, or one as it stands.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Beside {
    Paired(usize),
    Plain(Box<str>),
}

impl Comparison<'_> {
    /// Whether a value has gone to other words: `Lions 3, Tigers 2` and `Lions 2, Tigers 3`.
    pub(super) fn moved_values(&self) -> bool {
        let paired = self.pairs.iter().enumerate().filter_map(|(i, pair)| pair.map(|j| (i, j)));
        let values: Vec<(usize, usize)> =
            paired.filter(|&(i, j)| is_value(&self.old.words[i]) && is_value(&self.new.words[j])).take(STORY).collect();
        let first = values.first().map(|&(i, _)| self.old.words[i].key());
        if values.iter().all(|&(i, _)| Some(self.old.words[i].key()) == first) {
            return false;
        }
        let beside: Vec<[Vec<Beside>; 2]> =
            values.iter().map(|&(i, j)| [self.beside(self.old, i), self.beside(self.new, j)]).collect();
        // What stands by two values says of neither which it is.
        let shared = |word: &Beside, at: usize| {
            (0..2).any(|side| {
                beside.iter().zip(&values).any(|(other, &(i, _))| {
                    self.old.words[i].key() != self.old.words[values[at].0].key() && other[side].contains(word)
                })
            })
        };
        (0..values.len()).any(|at| {
            let own = |side: usize| beside[at][side].iter().filter(|word| !shared(word, at)).collect::<Vec<_>>();
            let (old, new) = (own(0), own(1));
            if old.is_empty() || new.is_empty() {
                return self.out_of_order(values[at]);
            }
            !old.iter().any(|word| new.contains(word))
        })
    }

    /// Whether a word before (i, j) in one text is behind it in the other.
    fn out_of_order(&self, (i, j): (usize, usize)) -> bool {
        let pairs = self.pairs.iter().enumerate().filter_map(|(a, pair)| pair.map(|b| (a, b)));
        pairs.filter(|&(a, _)| !self.old.words[a].person).any(|(a, b)| (a < i) != (b < j) && a != i && b != j)
    }

    /// The words on both sides of a value, in its own clause.
    fn beside(&self, statement: &Statement, at: usize) -> Vec<Beside> {
        let word = &statement.words[at];
        let (tokens, is_old) = (&statement.tokens, std::ptr::eq(statement, self.old));
        let ends = |at: usize| among_tokens(PARTS, &tokens[at].text);
        let passed = |at: usize| among_tokens(PASSED, &tokens[at].text);
        let mut places = Vec::new();
        let mut before = word.place;
        while before > 0 && !tokens[before].parted {
            before -= 1;
            if ends(before) {
                break;
            }
            if !passed(before) {
                places.push(before);
                break;
            }
        }
        let mut after = word.place + word.width;
        while after < tokens.len() && !tokens[after].parted && !ends(after) {
            if !passed(after) {
                places.push(after);
                break;
            }
            after += 1;
        }
        let told = |place: usize| statement.words.iter().position(|word| word.place == place);
        let beside = places.into_iter().filter_map(|place| {
            let plain = || Beside::Plain(base(&tokens[place].text).as_ref().into());
            let Some(other) = told(place) else { return Some(plain()) };
            if is_value(&statement.words[other]) {
                return None;
            }
            let counterpart = if is_old { self.pairs[other] } else { Some(other) };
            Some(counterpart.map_or_else(plain, Beside::Paired))
        });
        beside.collect()
    }

    /// Whether a number or a time is bounded otherwise: `by Friday` and `on Friday`.
    pub(super) fn other_bounds(&self) -> bool {
        let bound = |statement: &Statement, at: usize| {
            let to = || statement.words[at + 1..].iter().any(|word| word.preposition == Some("to"));
            match statement.words[at].preposition {
                Some("from") if !to() => 1,
                Some("by") => 2,
                Some("before") => 3,
                Some("after") => 4,
                Some("over" | "above") => 5,
                Some("under" | "below") => 6,
                Some("than") => 7,
                _ => 0,
            }
        };
        self.pairs.iter().enumerate().filter_map(|(i, pair)| pair.map(|j| (i, j))).any(|(i, j)| {
            let (old, new) = (&self.old.words[i], &self.new.words[j]);
            let (was, is) = (bound(self.old, i), bound(self.new, j));
            // `written by 5 people` is `5 people wrote`.
            let told_by = (was == 2 || is == 2) && (old.preposition.is_none() || new.preposition.is_none());
            let time = super::contradict::is_time(old);
            was != is && (time || old.kind == Kind::Value && !told_by)
        })
    }
}

/// Whether a word is a value or stands for one: a number, a code, a single letter.
fn is_value(word: &Word) -> bool {
    word.kind == Kind::Value || word.code || word.capital_anywhere && word.text.chars().count() == 1 && !word.person
}

fn among_tokens(list: &str, token: &str) -> bool {
    super::lexicon::among(list, token)
}
