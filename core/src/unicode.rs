//! Unicode's normal forms, and its marks, as of Unicode 18.
//!
//! The libraries that have them bring tables for quick look-ups, of 30 to 65 KB when compressed: too much of what a
//! browser loads. `unicode/forms.txt` is 13 KB, and is read once, at the first text beyond ASCII. A test holds all forms
//! against a library's, and makes the file.

mod marks;

use std::{borrow::Cow, sync::OnceLock};

use rustc_hash::FxHashMap;

use crate::order;

use marks::class;
pub(crate) use marks::is_mark;

/// What characters are taken apart into, whole: three parts of lines. A line is a character, then what it and each one
/// after it are taken apart into, with tabs between.
///
/// - Characters that are composed again.
/// - Those that are not: their parts are the better form.
/// - Those that are kept for compatibility alone.
const FORMS: &str = include_str!("unicode/forms.txt");

struct Forms {
    canonical: FxHashMap<char, &'static str>,
    compatible: FxHashMap<char, &'static str>,
    pairs: FxHashMap<(char, char), char>,
}

impl Forms {
    fn get() -> &'static Self {
        static READ: OnceLock<Forms> = OnceLock::new();
        READ.get_or_init(|| {
            let mut parts = FORMS.split("\n\n").map(entries);
            let mut next = || parts.next().into_iter().flatten();
            let composed: Vec<(char, &str)> = next().collect();
            let whole: FxHashMap<&str, char> = composed.iter().map(|&(c, parts)| (parts, c)).collect();
            let pair = |&(c, parts): &(char, &'static str)| {
                let (at, last) = parts.char_indices().next_back()?;
                let first = whole.get(&parts[..at]).copied().or_else(|| parts.chars().next())?;
                Some(((first, last), c))
            };
            let pairs = composed.iter().filter_map(pair).collect();
            Self { pairs, canonical: composed.into_iter().chain(next()).collect(), compatible: next().collect() }
        })
    }
}

fn entries(lines: &'static str) -> impl Iterator<Item = (char, &'static str)> {
    lines.lines().flat_map(|line| {
        let mut entries = line.split('\t');
        let first = entries.next().and_then(|first| first.chars().next()).unwrap_or_default();
        (first..).zip(entries)
    })
}

/// Composed.
pub(crate) fn nfc(text: &str) -> Cow<'_, str> {
    // What stands before the marks is composed, and has nothing to be composed with.
    if text.chars().all(|c| c < '\u{300}') {
        return text.into();
    }
    composed(&decomposed(&mut text.chars(), false)).into()
}

/// Composed, and without the forms that are kept for compatibility: full width, ligatures, raised digits.
pub(crate) fn nfkc(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return text.into();
    }
    composed(&decomposed(&mut text.chars(), true)).into()
}

/// Decomposed, with marks in canonical order.
pub(crate) fn nfd(text: &mut dyn Iterator<Item = char>) -> impl Iterator<Item = char> {
    decomposed(text, false).into_iter().map(|(c, _)| c)
}

/// What `c` is taken apart into, but Hangul.
pub(crate) fn parts(c: char) -> Option<&'static str> {
    Forms::get().canonical.get(&c).copied()
}

/// Whether `c` is in one of the ascending, inclusive `ranges`.
pub(crate) fn within(c: char, ranges: &[(u32, u32)]) -> bool {
    let code = u32::from(c);
    let after = ranges.partition_point(|&(low, _)| low <= code);
    after > 0 && code <= ranges[after - 1].1
}

/// Characters with their classes.
fn decomposed(text: &mut dyn Iterator<Item = char>, compatible: bool) -> Vec<(char, u8)> {
    let forms = Forms::get();
    let mut all = Vec::new();
    for c in text {
        match c {
            ..'\u{A0}' | '\u{3400}'..'\u{A000}' => all.push((c, 0)),
            '\u{AC00}'..='\u{D7A3}' => {
                let syllable = u32::from(c) - SYLLABLES;
                let (leading, vowel, trailing) = (syllable / 588, syllable / 28 % 21, syllable % 28);
                let parts = [LEADING + leading, VOWELS + vowel, TRAILING + trailing];
                let parts = &parts[..if trailing > 0 { 3 } else { 2 }];
                all.extend(parts.iter().copied().filter_map(char::from_u32).map(|part| (part, 0)));
            }
            _ => match forms.compatible.get(&c).filter(|_| compatible).or_else(|| forms.canonical.get(&c)) {
                Some(parts) => all.extend(parts.chars().map(|part| (part, class(part)))),
                None => all.push((c, class(c))),
            },
        }
    }
    for marks in all.chunk_by_mut(|(_, a), (_, b)| *a > 0 && *b > 0).filter(|run| run.len() > 1) {
        order::sort_by(marks, |(_, a), (_, b)| a.cmp(b));
    }
    all
}

fn composed(text: &[(char, u8)]) -> String {
    let forms = Forms::get();
    let mut all: Vec<char> = Vec::with_capacity(text.len());
    // Where the last character is that others are composed with, and the class of what stands between; 0 is nothing.
    let mut starter: Option<usize> = None;
    let mut between = 0;
    for &(c, own) in text {
        if let Some(at) = starter
            && c >= '\u{300}'
            && (at + 1 == all.len() || own > between)
            && let Some(whole) = forms.pairs.get(&(all[at], c)).copied().or_else(|| syllable(all[at], c))
        {
            all[at] = whole;
            continue;
        }
        if own == 0 {
            starter = Some(all.len());
        }
        between = own;
        all.push(c);
    }
    all.into_iter().collect()
}

const SYLLABLES: u32 = 0xAC00;
const LEADING: u32 = 0x1100;
const VOWELS: u32 = 0x1161;
/// One before the first: a syllable may have none.
const TRAILING: u32 = 0x11A7;

/// A Hangul syllable of two parts.
fn syllable(first: char, second: char) -> Option<char> {
    let (a, b) = (u32::from(first), u32::from(second));
    match (first, second) {
        ('\u{1100}'..='\u{1112}', '\u{1161}'..='\u{1175}') => {
            char::from_u32(SYLLABLES + (a - LEADING) * 588 + (b - VOWELS) * 28)
        }
        ('\u{AC00}'..='\u{D7A3}', '\u{11A8}'..='\u{11C2}') if (a - SYLLABLES).is_multiple_of(28) => {
            char::from_u32(a + b - TRAILING)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
