//! English words that mean the same, exclude each other, or carry no fact: plain text files, read once.

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{resolve::base::base, terms::is_stop_word};

/// The word lists, by what the inflections of a word have in common (see [`base`]).
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    groups: FxHashMap<Box<str>, Vec<u16>>,
    axes: FxHashMap<Box<str>, Vec<Side>>,
    /// As they stand: of a word that tells nothing another form may tell something, as `name` beside `named`.
    light: FxHashSet<&'static str>,
    filler: FxHashSet<Box<str>>,
}

/// One of several alternatives that exclude each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Side {
    /// What it is about, such as the day of the week.
    pub axis: u16,
    /// Which of the alternatives.
    pub alternative: u16,
}

impl Lexicon {
    /// The lists that come with the engine.
    pub(super) fn english() -> &'static Self {
        static ENGLISH: OnceLock<Lexicon> = OnceLock::new();
        ENGLISH.get_or_init(|| {
            Self::parse(
                [include_str!("../lexicon/synonyms.txt"), include_str!("../lexicon/families.txt")],
                include_str!("../lexicon/opposites.txt"),
                include_str!("../lexicon/light.txt"),
                include_str!("../lexicon/filler.txt"),
            )
        })
    }

    /// Whether a word that ends as an inflection does is whole.
    pub(super) fn is_whole(word: &str) -> bool {
        static WHOLE: OnceLock<FxHashSet<&str>> = OnceLock::new();
        let read = || lines(include_str!("../lexicon/whole.txt")).flat_map(str::split_whitespace).collect();
        WHOLE.get_or_init(read).contains(word)
    }

    /// Whether two words mean the same or are of one family, by their bases; so in all that follows.
    pub(super) fn synonymous(&self, a: &str, b: &str) -> bool {
        match (self.groups.get(a), self.groups.get(b)) {
            (Some(a), Some(b)) => a.iter().any(|group| b.contains(group)),
            _ => false,
        }
    }

    /// Whether two words stand for alternatives that exclude each other.
    pub(super) fn opposed(&self, a: &str, b: &str) -> bool {
        let (a, b) = (self.sides(a), self.sides(b));
        let on = |test: fn(&Side, &Side) -> bool| a.iter().any(|a| b.iter().any(|b| a.axis == b.axis && test(a, b)));
        on(|a, b| a.alternative != b.alternative) && !on(|a, b| a.alternative == b.alternative)
    }

    /// Whether two words stand for the same alternative.
    pub(super) fn one_side(&self, a: &str, b: &str) -> bool {
        self.sides(a).iter().any(|side| self.sides(b).contains(side))
    }

    /// Whether a word stands on an axis that one of `anchors` is on.
    pub(super) fn is_among(&self, base: &str, anchors: &[&str]) -> bool {
        let axes = |base: &str| self.sides(base).iter().map(|side| side.axis);
        axes(base).any(|axis| anchors.iter().any(|anchor| axes(anchor).any(|other| other == axis)))
    }

    /// The alternatives that a word stands for.
    pub(super) fn sides(&self, base: &str) -> &[Side] {
        self.axes.get(base).map_or(&[], Vec::as_slice)
    }

    /// Whether a word may come or go without changing a fact.
    pub(super) fn is_light(&self, word: &str) -> bool {
        self.light.contains(word) || is_stop_word(word)
    }

    /// Whether a word may be one more on one side of two texts that say the same.
    pub(super) fn is_filler(&self, base: &str) -> bool {
        self.filler.contains(base)
    }

    fn parse(synonyms: [&str; 2], opposites: &str, light: &'static str, filler: &str) -> Self {
        let mut lexicon = Self::default();
        for (group, line) in (0..).zip(synonyms.into_iter().flat_map(lines)) {
            for word in line.split_whitespace() {
                lexicon.groups.entry(base(word).as_ref().into()).or_default().push(group);
            }
        }
        for (axis, line) in (0..).zip(lines(opposites)) {
            for (alternative, words) in (0..).zip(line.split('|')) {
                for word in words.split_whitespace() {
                    lexicon.axes.entry(base(word).as_ref().into()).or_default().push(Side { axis, alternative });
                }
            }
        }
        lexicon.filler = lines(filler).flat_map(str::split_whitespace).map(|word| base(word).as_ref().into()).collect();
        lexicon.light = lines(light).flat_map(str::split_whitespace).collect();
        lexicon
    }
}

/// Whether `word` is in a list of words with space between them.
pub(super) fn among(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == word)
}

/// The lines of a list, without its comments.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}
