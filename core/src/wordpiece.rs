//! BERT's uncased tokenizer: text to token ids of a WordPiece vocabulary.
//!
//! Same steps and same answers as the Hugging Face `BertTokenizer` with lower-casing: remove control characters, put
//! spaces round CJK ideographs, decompose canonically, drop accents, lower-case, split at whitespace and at every
//! punctuation mark, then cut each word greedily into the longest pieces of the vocabulary, `##` marking a piece that
//! continues a word. A word that can't be cut, or that is longer than [`WORD_LIMIT`] characters, is one `[UNK]`.
//!
//! One difference is deliberate: special tokens written in the text (`[CLS]`) are ordinary text here, brackets and
//! all, because what a memory says must not steer the model.

mod tables;

use unicode_normalization::UnicodeNormalization;

/// Longest word that is cut into pieces, in characters after accents are dropped; a longer one is `[UNK]`.
pub const WORD_LIMIT: usize = 100;

/// Longest piece a vocabulary may hold, in bytes of UTF-8 without the `##`.
pub const PIECE_LIMIT: usize = 64;

/// Most pieces a vocabulary may hold; one id is kept free to mark an empty slot.
pub const VOCABULARY_LIMIT: usize = u16::MAX as usize;

/// A token's number: its line in the vocabulary, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenId(pub u16);

impl TokenId {
    /// The id as an index into per-token arrays.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Why a vocabulary can't be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VocabularyError {
    /// More pieces than [`VOCABULARY_LIMIT`].
    #[error("it has {pieces} pieces, at most {VOCABULARY_LIMIT} are allowed")]
    TooMany {
        /// How many there are.
        pieces: usize,
    },
    /// A piece longer than [`PIECE_LIMIT`].
    #[error("the piece on line {line} has {bytes} bytes, at most {PIECE_LIMIT} are allowed")]
    PieceTooLong {
        /// Its line, from 0.
        line: usize,
        /// Its length in bytes.
        bytes: usize,
    },
    /// No piece `[UNK]`, which stands for whatever the vocabulary can't spell.
    #[error("no piece is [UNK]")]
    NoUnknown,
}

/// A vocabulary, indexed for greedy longest-match lookup. About 0.5 MB for 30,522 pieces.
pub struct WordPiece {
    /// All pieces one after the other, without `##`.
    text: Box<[u8]>,
    /// Piece `i` is `text[starts[i]..starts[i + 1]]`.
    starts: Box<[u32]>,
    /// Whether piece `i` continues a word.
    continues: Box<[bool]>,
    /// Open-addressing hash table of ids; a power of two of them, at most half full.
    slots: Box<[u16]>,
    /// Length in bytes of the longest piece.
    longest: usize,
    unknown: TokenId,
}

impl WordPiece {
    /// Indexes a vocabulary given as one piece a line, in id order. Where a piece is listed twice, the later id counts.
    ///
    /// # Errors
    ///
    /// [`VocabularyError`] when there are too many pieces, one is too long, or none is `[UNK]`.
    pub fn new(vocabulary: &str) -> Result<Self, VocabularyError> {
        let pieces = vocabulary.split('\n').count();
        if pieces > VOCABULARY_LIMIT {
            return Err(VocabularyError::TooMany { pieces });
        }
        let mut text = Vec::with_capacity(vocabulary.len());
        let mut starts = Vec::with_capacity(pieces + 1);
        let mut continues = Vec::with_capacity(pieces);
        let mut longest = 0;
        let mut unknown = None;
        starts.push(0);
        for (line, piece) in vocabulary.split('\n').enumerate() {
            let (bare, continuing) = match piece.strip_prefix("##") {
                Some(bare) if !bare.is_empty() => (bare, true),
                _ => (piece, false),
            };
            let bytes = bare.len();
            if bytes > PIECE_LIMIT {
                return Err(VocabularyError::PieceTooLong { line, bytes });
            }
            if piece == "[UNK]" {
                unknown = Some(TokenId(line as u16));
            }
            longest = longest.max(bytes);
            text.extend_from_slice(bare.as_bytes());
            starts.push(text.len() as u32);
            continues.push(continuing);
        }
        let mut index = Self {
            text: text.into(),
            starts: starts.into(),
            continues: continues.into(),
            slots: vec![EMPTY; (2 * pieces).next_power_of_two()].into(),
            longest,
            unknown: unknown.ok_or(VocabularyError::NoUnknown)?,
        };
        for id in 0..pieces {
            index.insert(id as u16);
        }
        Ok(index)
    }

    /// How many pieces the vocabulary has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.continues.len()
    }

    /// Whether the vocabulary has no piece; never so for one that [`WordPiece::new`] made.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.continues.is_empty()
    }

    /// The first `limit` tokens of `text`, without `[CLS]` and `[SEP]`. Work stops at the limit.
    #[must_use]
    pub fn tokens(&self, text: &str, limit: usize) -> Vec<TokenId> {
        let mut words = Words {
            pieces: self,
            word: Vec::with_capacity(64),
            characters: 0,
            found: Vec::with_capacity(limit.min(text.len() / 3 + 2)),
            limit,
        };
        let mut rest = text;
        while !rest.is_empty() && !words.full() {
            let (ascii, tail) = rest.split_at(first(rest, |byte| !byte.is_ascii()));
            let (other, next) = tail.split_at(first(tail, |byte| byte.is_ascii()));
            words.read_ascii(ascii.as_bytes());
            words.read_unicode(other);
            rest = next;
        }
        words.end_word();
        words.found.truncate(limit);
        words.found
    }

    fn piece(&self, id: u16) -> (&[u8], bool) {
        let id = usize::from(id);
        let range = self.starts[id] as usize..self.starts[id + 1] as usize;
        (&self.text[range], self.continues[id])
    }

    fn insert(&mut self, id: u16) {
        let (text, continuing) = self.piece(id);
        let hash = text.iter().fold(seed(continuing), |hash, &byte| extend(hash, byte));
        let mut slot = self.slot(hash);
        while self.slots[slot] != EMPTY && self.piece(self.slots[slot]) != (text, continuing) {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = id;
    }

    fn slot(&self, hash: u32) -> usize {
        // The multiplications carry entropy upwards, so the slot is taken from the high bits.
        ((u64::from(hash) * self.slots.len() as u64) >> 32) as usize
    }

    fn lookup(&self, text: &[u8], continuing: bool, hash: u32) -> Option<TokenId> {
        let mut slot = self.slot(hash);
        loop {
            let id = self.slots[slot];
            if id == EMPTY {
                return None;
            }
            if self.piece(id) == (text, continuing) {
                return Some(TokenId(id));
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// The longest piece that `rest` begins with, and its length in bytes.
    fn longest_piece(&self, rest: &[u8], continuing: bool) -> Option<(TokenId, usize)> {
        let reach = rest.len().min(self.longest);
        let mut hashes = [0_u32; PIECE_LIMIT];
        let mut hash = seed(continuing);
        for (slot, &byte) in hashes.iter_mut().zip(&rest[..reach]) {
            hash = extend(hash, byte);
            *slot = hash;
        }
        // A cut inside a character finds nothing: pieces are whole UTF-8.
        (1..=reach).rev().find_map(|bytes| {
            let id = self.lookup(&rest[..bytes], continuing, hashes[bytes - 1])?;
            Some((id, bytes))
        })
    }
}

/// An empty slot; [`VOCABULARY_LIMIT`] keeps it from being an id.
const EMPTY: u16 = u16::MAX;

fn seed(continuing: bool) -> u32 {
    if continuing { 0x85EB_CA6B } else { 0x27D4_EB2F }
}

fn extend(hash: u32, byte: u8) -> u32 {
    (hash.rotate_left(5) ^ u32::from(byte)).wrapping_mul(0x9E37_79B1)
}

/// Where the first byte is that `stop` accepts, or the end.
fn first(text: &str, stop: impl Fn(u8) -> bool) -> usize {
    text.bytes().position(stop).unwrap_or(text.len())
}

/// The word being read, and the tokens of the words before it.
struct Words<'a> {
    pieces: &'a WordPiece,
    word: Vec<u8>,
    characters: usize,
    found: Vec<TokenId>,
    limit: usize,
}

impl Words<'_> {
    fn full(&self) -> bool {
        self.found.len() >= self.limit
    }

    fn read_ascii(&mut self, text: &[u8]) {
        for &byte in text {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => self.end_word(),
                0..=31 | 127 => {}
                _ if byte.is_ascii_punctuation() => self.single(&[byte]),
                _ => self.push(&[byte.to_ascii_lowercase()]),
            }
            if self.full() {
                return;
            }
        }
    }

    /// Reads a stretch without ASCII. ASCII takes no part in canonical reordering, so stretches can be read alone.
    fn read_unicode(&mut self, text: &str) {
        let cleaned = text.chars().filter(|&c| !within(c, tables::REMOVED));
        let spaced = cleaned.flat_map(|c| {
            let space = is_ideograph(c).then_some(' ');
            [space, Some(c), space].into_iter().flatten()
        });
        for c in spaced.nfd().filter(|&c| !within(c, tables::NONSPACING)) {
            for lower in c.to_lowercase() {
                self.read_char(lower);
            }
            if self.full() {
                return;
            }
        }
    }

    fn read_char(&mut self, c: char) {
        let mut buffer = [0; 4];
        if c.is_whitespace() {
            self.end_word();
        } else if c.is_ascii_punctuation() || within(c, tables::PUNCTUATION) {
            self.single(c.encode_utf8(&mut buffer).as_bytes());
        } else {
            self.push(c.encode_utf8(&mut buffer).as_bytes());
        }
    }

    fn push(&mut self, character: &[u8]) {
        self.characters += 1;
        if self.characters <= WORD_LIMIT {
            self.word.extend_from_slice(character);
        }
    }

    /// A word of one character.
    fn single(&mut self, character: &[u8]) {
        self.end_word();
        self.push(character);
        self.end_word();
    }

    fn end_word(&mut self) {
        let known = self.found.len();
        let mut rest = self.word.as_slice();
        while !rest.is_empty() {
            let piece = match self.characters <= WORD_LIMIT {
                true => self.pieces.longest_piece(rest, rest.len() < self.word.len()),
                false => None,
            };
            let Some((id, bytes)) = piece else {
                self.found.truncate(known);
                self.found.push(self.pieces.unknown);
                break;
            };
            self.found.push(id);
            rest = &rest[bytes..];
        }
        self.word.clear();
        self.characters = 0;
    }
}

/// Whether `c` is in one of the ascending, inclusive `ranges`.
fn within(c: char, ranges: &[(u32, u32)]) -> bool {
    let code = u32::from(c);
    let after = ranges.partition_point(|&(low, _)| low <= code);
    after > 0 && code <= ranges[after - 1].1
}

/// The blocks that BERT counts as CJK ideographs: each one is a word of its own. Hangul and Kana are not among them.
fn is_ideograph(c: char) -> bool {
    matches!(u32::from(c),
        0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x2_0000..=0x2_A6DF
        | 0x2_A700..=0x2_B81F | 0x2_B920..=0x2_CEAF | 0x2_F800..=0x2_FA1F)
}

#[cfg(test)]
mod tests {
    use super::*;

    const VOCABULARY: &str = "[PAD]\n[UNK]\n[CLS]\nun\n##aff\n##able\n##a\n,\nhello\n[\n]\ncls\n中\ne\n##é\n##\n#";

    fn pieces() -> WordPiece {
        WordPiece::new(VOCABULARY).unwrap()
    }

    fn spelled(text: &str) -> String {
        let lines: Vec<_> = VOCABULARY.split('\n').collect();
        let tokens = pieces().tokens(text, 100);
        tokens.iter().map(|id| lines[id.index()]).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn longest_pieces_first() {
        assert_eq!(spelled("UNaffable, héllo"), "un ##aff ##able , hello");
        assert_eq!(spelled("una unx"), "un ##a [UNK]");
    }

    #[test]
    fn special_tokens_in_text_are_text() {
        assert_eq!(spelled("[CLS]"), "[ cls ]");
        assert_eq!(spelled("##"), "# #");
    }

    #[test]
    fn spaces_controls_and_ideographs() {
        assert_eq!(spelled(" \t\u{a0}hel\u{0}l\u{200d}o\u{3000}中中\u{301}e\u{301}"), "hello 中 中 e");
        assert_eq!(spelled(""), "");
    }

    #[test]
    fn a_word_over_the_limit_is_unknown() {
        let word = format!("un{}", "a".repeat(WORD_LIMIT - 2));
        assert_eq!(pieces().tokens(&word, 200).len(), WORD_LIMIT - 1);
        assert_eq!(spelled(&(word + "a")), "[UNK]");
    }

    #[test]
    fn stops_at_the_limit() {
        let long = "hello, ".repeat(1000);
        let all = pieces().tokens(&long, usize::MAX);
        assert_eq!(all.len(), 2000);
        for limit in 0..20 {
            assert_eq!(pieces().tokens(&long, limit), all[..limit]);
        }
    }

    #[test]
    fn unusable_vocabularies_say_why() {
        let long = format!("[UNK]\n{}", "a".repeat(65));
        let many = "[UNK]".to_owned() + &"\n".repeat(VOCABULARY_LIMIT);
        assert_eq!(WordPiece::new("a\nb").err(), Some(VocabularyError::NoUnknown));
        assert_eq!(WordPiece::new(&long).err(), Some(VocabularyError::PieceTooLong { line: 1, bytes: 65 }));
        assert_eq!(WordPiece::new(&many).err(), Some(VocabularyError::TooMany { pieces: 65_536 }));
    }

    #[test]
    fn tables_are_ascending() {
        for table in [tables::REMOVED, tables::NONSPACING, tables::PUNCTUATION] {
            assert!(table.iter().all(|(low, high)| low <= high));
            assert!(table.windows(2).all(|pair| pair[0].1 < pair[1].0));
        }
    }
}
