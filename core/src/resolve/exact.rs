//! What of a text has to be equal to the letter, or to be there at all, for another to say the same: its symbols, the
//! brackets and signs of its numbers, its code, and the turns of phrase that make of what is what was or might be.

use std::{hash::BuildHasher, sync::OnceLock};

use rustc_hash::FxHashMap;

use crate::{order, resolve::lexicon::lines};

/// What is read of a text for that.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Exact {
    /// Symbols, emoji and emoticons, in order.
    symbols: String,
    /// The brackets that numbers stand in: `[0`, `1)`.
    brackets: Vec<String>,
    /// The turns of phrase it has, a bit each.
    turns: u64,
}

impl Exact {
    /// Reads a text and its words (lower case).
    pub(super) fn of(text: &str, words: &[&str]) -> Self {
        let mut exact = Self { turns: turns(words), ..Self::default() };
        for token in text.split_whitespace() {
            let bare = token.trim_matches(|c| "\"'“”‘’,.!?`".contains(c));
            if is_emoticon(bare) || is_emoticon(token) {
                exact.symbols.push_str(bare);
                exact.symbols.push(' ');
            } else {
                exact.symbols.extend(token.chars().filter(|&c| is_symbol(c)));
                exact.brackets.extend(bracketed(token.trim_end_matches(|c| ",.!?:;".contains(c))));
            }
        }
        // The clauses of a sentence may change places.
        order::sort(&mut exact.brackets);
        exact
    }
}

/// The code in a text, between back quotes: a hash for each piece, in order of the hashes.
pub(super) fn code_spans(text: &str) -> Vec<u64> {
    let mut spans: Vec<u64> = Vec::new();
    let mut pieces = text.split('`').skip(1);
    while let (Some(code), Some(_)) = (pieces.next(), pieces.clone().next()) {
        if !code.is_empty() {
            spans.push(rustc_hash::FxBuildHasher.hash_one(code));
        }
        pieces.next();
    }
    order::sort(&mut spans);
    spans
}

/// The calls in a text, as they stand without white space: `f(a, b)` is not `f(b, a)`.
pub(super) fn calls(text: &str) -> Vec<u64> {
    /// Longer ones are not looked at, so that a text of brackets is read in one go.
    const LENGTH: usize = 120;
    let end = |text: &str| text.char_indices().take(LENGTH).find(|(_, c)| *c == ')').map(|(end, _)| end);
    let mut calls: Vec<u64> = Vec::new();
    for (at, _) in text.match_indices('(') {
        let part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let start =
            text[..at].char_indices().rev().take(LENGTH).take_while(|(_, c)| part(*c)).last().map(|(start, _)| start);
        if let (Some(start), Some(end)) = (start, end(&text[at..])) {
            let call: String = text[start..at + end].chars().filter(|c| !c.is_whitespace()).collect();
            calls.push(rustc_hash::FxBuildHasher.hash_one(call));
        }
    }
    order::sort(&mut calls);
    calls
}

/// Whether a character is one that says something by itself: an emoji, a star, an arrow, a tick.
fn is_symbol(c: char) -> bool {
    matches!(c,
        '\u{2190}'..='\u{2211}' | '\u{2213}'..='\u{24ff}' | '\u{2580}'..='\u{25a9}' | '\u{25ac}'..='\u{25cb}'
        | '\u{2600}'..='\u{27bf}' | '\u{2900}'..='\u{297f}' | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

/// `:)`, `;-(`, `:D`, `<3`.
fn is_emoticon(token: &str) -> bool {
    let mut chars = token.chars();
    if !chars.next().is_some_and(|eyes| ":;=8xX".contains(eyes)) {
        return matches!(token, "<3" | "</3" | "^^" | "-_-" | "o_O" | "O_o" | "T_T");
    }
    let rest = chars.as_str().trim_start_matches(['-', '\'', '^', 'o']);
    let mouth = !rest.is_empty() && rest.chars().all(|c| ")(]['DPp/\\|O3*@#$><".contains(c));
    // `8)` and `x)` mark the entries of a list, `=3` is a value.
    let eyes = token.starts_with([':', ';']) || token.starts_with('=') && rest.starts_with([')', '(', 'D']);
    mouth && rest.len() <= 3 && (eyes || token.starts_with(['8', 'x', 'X']) && token.contains('-'))
}

/// The brackets at a number; a year or a note of it in brackets is merely by the way.
fn bracketed(token: &str) -> impl Iterator<Item = String> + use<> {
    let digit = |c: char| c.is_ascii_digit();
    let inner = token.trim_matches(|c| "()[]".contains(c));
    let year = inner.len() == 4 && inner.chars().all(digit) && (inner.starts_with("19") || inner.starts_with("20"));
    let signed = inner.trim_start_matches(['-', '+', '$', '€', '£', '−', '–']);
    let number = inner.split([',', ';']).next().unwrap_or(inner);
    let opened = token.starts_with(['(', '[']) && signed.starts_with(digit) && !year;
    let closed = token.ends_with([')', ']']) && inner.ends_with(digit) && !year;
    let last = inner.rsplit([',', ';']).next().unwrap_or(inner);
    let start = opened.then(|| format!("{}{number}", &token[..1]));
    let end = closed.then(|| format!("{last}{}", &token[token.len() - 1..]));
    start.into_iter().chain(end)
}

/// The turns of phrase among `words`, a bit each.
fn turns(words: &[&str]) -> u64 {
    type Phrases = FxHashMap<&'static str, Vec<(Vec<&'static str>, u64)>>;
    static PHRASES: OnceLock<Phrases> = OnceLock::new();
    let phrases = PHRASES.get_or_init(|| {
        let mut phrases = Phrases::default();
        for (bit, line) in (0..64).zip(lines(include_str!("../lexicon/frames.txt"))) {
            for phrase in line.split('|') {
                let mut words = phrase.split_whitespace();
                let Some(first) = words.next() else { continue };
                phrases.entry(first).or_default().push((words.collect(), 1 << bit));
            }
        }
        phrases
    });
    let mut found = 0;
    for (at, word) in words.iter().enumerate() {
        for (rest, bit) in phrases.get(word).into_iter().flatten() {
            if words[at + 1..].starts_with(rest) {
                found |= bit;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(text: &str) -> Exact {
        let lower = text.to_lowercase();
        Exact::of(text, &lower.split_whitespace().collect::<Vec<_>>())
    }

    #[test]
    fn symbols_and_brackets_count() {
        for (a, b) in [
            ("fine :)", "fine :("),
            ("fine 👍", "fine 👎"),
            ("stars ★★★", "stars ★★★★★"),
            ("a → b", "a ← b"),
            ("x in [0,1)", "x in (0,1]"),
            ("a loss of (500)", "a loss of 500"),
            ("open until nine", "open from nine"),
            ("every other week", "every week"),
        ] {
            assert_ne!(exact(a), exact(b), "{a} / {b}");
        }
        for (a, b) in [
            ("the plan (2024) holds", "the plan 2024 holds"),
            ("a note: done", "a note - done"),
            ("“quoted” • text…", "quoted text"),
            ("see (the table) here", "see the table here"),
        ] {
            assert_eq!(exact(a), exact(b), "{a} / {b}");
        }
    }

    #[test]
    fn code_is_what_stands_between_back_quotes() {
        assert_ne!(code_spans("run `sed -i`"), code_spans("run `sed -I`"));
        assert_eq!(code_spans("`a` and `b`"), code_spans("`b` or `a`"));
        assert!(code_spans("a ` alone").is_empty());
        assert_ne!(calls("run f(a, b)"), calls("run f(b, a)"));
        assert_eq!(calls("run f(a, b)"), calls("f(a,b) runs"));
        assert!(calls("the limit (of two) holds").is_empty());
    }
}
