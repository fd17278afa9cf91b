//! What is read of texts in Chinese, Japanese and Korean: pairs of characters, and words of stance and change.

use rustc_hash::FxHashSet;

use crate::{
    order,
    resolve::script_words::{
        AFTER_LABEL, CHANGE, DISLIKES, ENDINGS, HINTS, LIGHT, LIKES, NEGATIONS, OPPOSITES, PRONOUNS, TERMS,
    },
    terms::without_particle,
};

/// Longer texts are read up to about this many bytes; what they say beyond it counts as a whole.
const BYTES: usize = 8_192;

/// What is read of such a text.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// Pairs of characters, sorted, each once; single characters stand for themselves.
    pub grams: Vec<Box<str>>,
    /// The first word, or the first two characters: what the text is about.
    pub subject: Box<str>,
    /// The text in one form: letters and digits alone, lower case, without endings of courtesy; Korean, where particles
    /// say who does what, with its words in order of the alphabet.
    core: String,
    /// Whether it speaks of a change.
    pub change: bool,
    /// Whether it says how something is at present.
    pub hint: bool,
    /// For each of [`OPPOSITES`] which of the two it has: -1, +1, or 0 for neither or both.
    opposites: Vec<i8>,
    /// Whether a number says which one is spoken of: `订单1001`.
    pub label: bool,
    /// +1 for liking, -1 for disliking, 0 for neither or both.
    pub stance: i8,
    /// How many negations it has.
    pub negations: usize,
}

/// Whether a character belongs to a script that is read in pairs.
pub(super) fn is_gram(c: char) -> bool {
    matches!(c,
        '\u{1100}'..='\u{11ff}' | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}' | '\u{3130}'..='\u{318f}'
        | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}' | '\u{0e00}'..='\u{0eff}')
}

impl Reading {
    pub(super) fn of(text: &str) -> Self {
        if text.is_ascii() || !text.chars().any(is_gram) {
            return Self::default();
        }
        let end = (0..=BYTES.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        let (text, rest) = text.split_at(end);
        let hint = HINTS.iter().any(|word| text.contains(word));
        let told = HINTS.iter().fold(text.to_owned(), |text, word| text.replace(word, ""));
        let mut grams = FxHashSet::default();
        let mut subject = "";
        let mut label = false;
        let mut before = ' ';
        for run in told.split_inclusive(|c: char| !is_gram(c)) {
            let (word, after) = match run.char_indices().next_back() {
                Some((at, c)) if !is_gram(c) => (&run[..at], c),
                _ => (run, ' '),
            };
            let digit = before.is_ascii_digit();
            before = after;
            if word.is_empty() {
                continue;
            }
            let hangul = word.starts_with(|c: char| matches!(c, '\u{ac00}'..='\u{d7a3}'));
            label |=
                digit && AFTER_LABEL.iter().any(|mark| if hangul { word == *mark } else { word.starts_with(mark) });
            let word = if hangul { without_particle(word) } else { word };
            if subject.is_empty() {
                subject = if hangul { word } else { subject_of(word) };
            }
            let chars: Vec<char> = word.chars().collect();
            if let [single] = chars[..] {
                grams.insert(Box::from(single.to_string()));
            }
            grams.extend(chars.windows(2).map(|pair| Box::from(pair.iter().collect::<String>())));
        }
        let mut grams: Vec<Box<str>> = grams.into_iter().collect();
        order::sort(&mut grams);
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        let dislikes = has(DISLIKES);
        let likes = has(LIKES) && !dislikes;
        let plain = TERMS.iter().fold(text.to_owned(), |text, term| text.replace(term, ""));
        let negations = NEGATIONS.iter().map(|word| plain.matches(word).count()).sum();
        // A word may be a part of its opposite: the longer is taken out first.
        let opposites = OPPOSITES
            .iter()
            .map(|[one, other]| i8::from(text.replace(other, "").contains(one)) - i8::from(text.contains(other)));
        Self {
            grams,
            subject: subject.into(),
            core: core(text) + rest,
            change: has(CHANGE),
            hint,
            opposites: opposites.collect(),
            label,
            stance: i8::from(likes) - i8::from(dislikes),
            negations,
        }
    }

    /// Whether the two differ in nothing but form.
    pub(super) fn says_the_same(&self, other: &Self) -> bool {
        self.core == other.core
    }

    /// Whether one has a word that excludes one of the other.
    pub(super) fn opposed(&self, other: &Self) -> bool {
        self.opposites.iter().zip(&other.opposites).any(|(a, b)| a * b < 0)
    }

    /// Whether there is nothing of these scripts in the text.
    pub(super) fn is_empty(&self) -> bool {
        self.grams.is_empty()
    }

    /// The share of this text's pairs that `other` has too, 0..=1.
    pub(super) fn shared(&self, other: &Self) -> f64 {
        let shared = self.grams.iter().filter(|gram| other.grams.binary_search(gram).is_ok()).count();
        shared as f64 / self.grams.len().max(1) as f64
    }
}

/// A text in one form, see [`Reading::core`].
fn core(text: &str) -> String {
    let hangul = text.contains(|c: char| matches!(c, '\u{ac00}'..='\u{d7a3}'));
    let mut words: Vec<String> = Vec::new();
    for sentence in text.split(['。', '\n', '!', '?', '！', '？']) {
        let sentence = sentence.trim().trim_end_matches('.');
        let plain = ENDINGS.iter().find_map(|(end, plain)| Some(sentence.strip_suffix(end)?.to_owned() + plain));
        let sentence = plain.unwrap_or_else(|| sentence.to_owned()).replace("使用", "用");
        words.extend(sentence.split_whitespace().map(|word| {
            let word = if hangul {
                word.strip_suffix(['은', '는']).filter(|bare| !bare.is_empty()).unwrap_or(word)
            } else {
                word
            };
            let told =
                word.chars().filter(|&c| c.is_alphanumeric() && !LIGHT.contains(c) || matches!(c, '.' | ':' | '-'));
            told.flat_map(char::to_lowercase).collect()
        }));
    }
    if hangul {
        words.retain(|word| !word.is_empty());
        order::sort(&mut words);
        words.join(" ")
    } else {
        words.concat()
    }
}

/// What a run of characters is about: a pronoun, what stands before a Japanese topic or subject particle, or else the
/// first two characters; words of liking and allowing at the start are passed over.
fn subject_of(run: &str) -> &str {
    let mut stance = LIKES.iter().chain(DISLIKES).chain(OPPOSITES.iter().flatten());
    let run = stance.find_map(|word| run.strip_prefix(*word)).filter(|rest| !rest.is_empty()).unwrap_or(run);
    if let Some(pronoun) = PRONOUNS.iter().find(|pronoun| run.starts_with(**pronoun)) {
        return &run[..pronoun.len()];
    }
    if let Some((at, _)) = run.char_indices().find(|(at, c)| *at > 0 && matches!(c, 'は' | 'が' | 'を' | 'に')) {
        return &run[..at];
    }
    run.char_indices().nth(2).map_or(run, |(at, _)| &run[..at])
}
