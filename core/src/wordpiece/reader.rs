//! Reads a text word by word and gives each word to the vocabulary that knows it.
//!
//! A stretch of another script than Latin goes to the other languages' pieces. A word in Latin script is cut into
//! English pieces; where that takes more than one, or drops accents, the other languages may know it whole.

use std::borrow::Cow;

use super::{PIECE_LIMIT, TokenId, WORD_LIMIT, WordPiece, tables};
use crate::{
    unicode::{nfc, nfd, nfkc, within},
    unigram::{Part, Unigram, fold},
};

/// Longest stretch that is cut at once, in characters; a longer one is cut up first.
const STRETCH_LIMIT: usize = 256;

/// The first `limit` tokens of `text`. In a `foreign` text the other languages' words come before English ones.
/// Work stops at the limit.
pub(crate) fn read(english: &WordPiece, others: &Unigram, text: &str, limit: usize, foreign: bool) -> Vec<TokenId> {
    let mut reader = Reader {
        english,
        others,
        foreign,
        word: Vec::with_capacity(64),
        characters: 0,
        accented: false,
        spelling: String::new(),
        found: Vec::with_capacity(limit.min(text.len() / 3 + 2)),
        limit,
    };
    let mut rest = text;
    while !rest.is_empty() && !reader.full() {
        let (ascii, tail) = rest.split_at(first(rest, |byte| !byte.is_ascii()));
        let (other, next) = tail.split_at(first(tail, |byte| byte.is_ascii()));
        reader.read_ascii(ascii.as_bytes());
        match others.is_empty() || other.chars().all(is_plain) {
            true => reader.read_unicode(other.chars()),
            false => reader.read_scripts(other),
        }
        rest = next;
    }
    reader.end_word();
    reader.found.truncate(limit);
    reader.found
}

/// Where the first byte is that `stop` accepts, or the end.
fn first(text: &str, stop: impl Fn(u8) -> bool) -> usize {
    text.bytes().position(stop).unwrap_or(text.len())
}

/// The word being read, and the tokens of the words before it.
struct Reader<'a> {
    english: &'a WordPiece,
    others: &'a Unigram,
    foreign: bool,
    /// Lower-cased and without accents.
    word: Vec<u8>,
    characters: usize,
    /// Whether the word has anything beyond ASCII; only then is its spelling kept.
    accented: bool,
    /// Lower-cased, accents and all, decomposed.
    spelling: String,
    found: Vec<TokenId>,
    limit: usize,
}

impl Reader<'_> {
    fn full(&self) -> bool {
        self.found.len() >= self.limit
    }

    fn read_ascii(&mut self, text: &[u8]) {
        for &byte in text {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => self.end_word(),
                0..=31 | 127 => {}
                _ if byte.is_ascii_punctuation() => self.single(char::from(byte)),
                _ => self.push_ascii(byte.to_ascii_lowercase()),
            }
            if self.full() {
                return;
            }
        }
    }

    /// Reads a stretch without ASCII, script by script.
    fn read_scripts(&mut self, text: &str) {
        let cleaned = text.chars().filter(|&c| !within(c, tables::REMOVED)).flat_map(full_width);
        let mut stretch = String::new();
        let mut characters = 0;
        let mut other_script = false;
        for c in cleaned {
            let same =
                if other_script { is_other_script(c) || within(c, tables::NONSPACING) } else { !is_other_script(c) };
            if !same || characters == STRETCH_LIMIT {
                self.read_stretch(&stretch, other_script);
                if self.full() {
                    return;
                }
                stretch.clear();
                characters = 0;
                other_script ^= !same;
            }
            stretch.push(c);
            characters += 1;
        }
        self.read_stretch(&stretch, other_script);
    }

    fn read_stretch(&mut self, text: &str, other_script: bool) {
        if !other_script {
            return self.read_unicode(text.chars());
        }
        self.end_word();
        for part in self.others.cut(&fold(text)) {
            match part {
                Part::Known(token) => self.found.push(token),
                Part::Unknown(text) => {
                    self.read_unicode(text.chars());
                    self.end_word();
                }
            }
        }
    }

    /// Reads characters beyond ASCII. ASCII takes no part in canonical reordering, so stretches can be read alone.
    fn read_unicode(&mut self, text: impl Iterator<Item = char>) {
        let cleaned = text.filter(|&c| !within(c, tables::REMOVED));
        let mut spaced = cleaned.flat_map(|c| {
            let space = is_ideograph(c).then_some(' ');
            [space, Some(c), space].into_iter().flatten()
        });
        for c in nfd(&mut spaced) {
            if within(c, tables::NONSPACING) {
                self.spell(c);
                continue;
            }
            for lower in c.to_lowercase() {
                self.read_char(lower);
            }
            if self.full() {
                return;
            }
        }
    }

    fn read_char(&mut self, c: char) {
        if c.is_whitespace() {
            self.end_word();
        } else if c.is_ascii_punctuation() || within(c, tables::PUNCTUATION) {
            self.single(c);
        } else {
            self.push(c);
        }
    }

    fn push(&mut self, c: char) {
        if self.accented || !c.is_ascii() {
            self.spell(c);
        }
        self.characters += 1;
        if self.characters <= WORD_LIMIT {
            self.word.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }

    fn push_ascii(&mut self, byte: u8) {
        if self.accented {
            self.spell(char::from(byte));
        }
        self.characters += 1;
        if self.characters <= WORD_LIMIT {
            self.word.push(byte);
        }
    }

    /// Adds to the word's spelling, which begins with what there is of the word.
    fn spell(&mut self, c: char) {
        if !self.accented {
            self.accented = true;
            self.spelling.clear();
            self.spelling.extend(self.word.iter().map(|&byte| char::from(byte)));
        }
        // What is longer is no piece.
        if self.spelling.len() <= 2 * PIECE_LIMIT {
            self.spelling.push(c);
        }
    }

    /// A word of one character.
    fn single(&mut self, c: char) {
        self.end_word();
        self.word.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        self.characters = 1;
        self.end_word();
    }

    fn end_word(&mut self) {
        let known = self.found.len();
        self.english.cut(&self.word, self.characters, &mut self.found);
        let pieces = self.found.len() - known;
        let whole = pieces == 1 && self.found[known] != self.english.unknown;
        if pieces > 0 && !self.others.is_empty() && (!whole || self.accented || self.foreign) {
            let spelling: Cow<'_, str> = match self.accented {
                true => nfc(&self.spelling),
                false => String::from_utf8_lossy(&self.word),
            };
            if let Some(tokens) = self.others.word(&spelling, self.foreign && !whole) {
                self.found.truncate(known);
                self.found.extend(tokens);
            }
        }
        self.word.clear();
        self.characters = 0;
        self.accented = false;
    }
}

/// Whether `c` needs no look at its script: accented Latin letters, most punctuation and symbols.
fn is_plain(c: char) -> bool {
    matches!(c, ..'\u{370}' | '\u{2000}'..'\u{2E80}')
}

fn is_other_script(c: char) -> bool {
    within(c, tables::OTHER_SCRIPTS) && !within(c, tables::PUNCTUATION) && !c.is_whitespace()
}

/// The blocks that BERT counts as CJK ideographs: each one is a word of its own. Hangul and Kana are not among them.
fn is_ideograph(c: char) -> bool {
    matches!(u32::from(c),
        0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x2_0000..=0x2_A6DF
        | 0x2_A700..=0x2_B81F | 0x2_B920..=0x2_CEAF | 0x2_F800..=0x2_FA1F)
}

/// Half and full width forms as the characters they stand for: one, or a space and a mark.
fn full_width(c: char) -> impl Iterator<Item = char> {
    let whole = match c {
        '\u{FF00}'..='\u{FFEF}' => {
            let mut bytes = [0; 4];
            let whole = nfkc(c.encode_utf8(&mut bytes));
            let mut whole = whole.chars();
            [whole.next(), whole.next()]
        }
        _ => [Some(c), None],
    };
    whole.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_ascending() {
        for table in [tables::REMOVED, tables::NONSPACING, tables::PUNCTUATION, tables::OTHER_SCRIPTS] {
            assert!(table.iter().all(|(low, high)| low <= high));
            assert!(table.windows(2).all(|pair| pair[0].1 < pair[1].0));
        }
    }
}
