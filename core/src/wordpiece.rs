//! BERT's uncased tokenizer: text to token ids of an English WordPiece vocabulary. Words of other languages are cut into
//! pieces of their own, as [`StaticModel::tokens`](crate::StaticModel::tokens) does.
//!
//! Same steps and same answers as the Hugging Face `BertTokenizer` with lower-casing: remove control characters, put
//! spaces round CJK ideographs, decompose canonically, drop accents, lower-case, split at whitespace and at every
//! punctuation mark, then cut each word greedily into the longest pieces of the vocabulary, `##` marking a piece that
//! continues a word. A word that can't be cut, or that is longer than [`WORD_LIMIT`] characters, is one `[UNK]`.
//!
//! One difference is deliberate: special tokens written in the text (`[CLS]`) are ordinary text here, brackets and
//! all, because what a memory says must not steer the model.

mod pieces;
pub(crate) mod reader;
mod tables;

pub(crate) use pieces::PieceIndex;

use crate::unigram::Unigram;

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

/// An English vocabulary, indexed for greedy longest-match lookup. About 0.5 MB for 30,522 pieces.
pub struct WordPiece {
    pieces: PieceIndex,
    unknown: TokenId,
}

impl WordPiece {
    /// Indexes a vocabulary given as one piece a line, in id order. Where a piece is listed twice, the later id counts.
    ///
    /// # Errors
    ///
    /// [`VocabularyError`] when there are too many pieces, one is too long, or none is `[UNK]`.
    pub fn new(vocabulary: &str) -> Result<Self, VocabularyError> {
        let pieces = vocabulary.split('\n').map(|piece| match piece.strip_prefix("##") {
            Some(bare) if !bare.is_empty() => (bare, true),
            _ => (piece, false),
        });
        let pieces = PieceIndex::new(pieces, vocabulary.len())?;
        let unknown = pieces.find(b"[UNK]", false).ok_or(VocabularyError::NoUnknown)?;
        Ok(Self { pieces, unknown: TokenId(unknown) })
    }

    /// How many pieces the vocabulary has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Whether the vocabulary has no piece; never so for one that [`WordPiece::new`] made.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first `limit` tokens of `text`, without `[CLS]` and `[SEP]`. Work stops at the limit.
    #[must_use]
    pub fn tokens(&self, text: &str, limit: usize) -> Vec<TokenId> {
        reader::read(self, &Unigram::default(), text, limit, false)
    }

    /// The token of a whole word.
    pub(crate) fn word(&self, word: &str) -> Option<TokenId> {
        self.pieces.find(word.as_bytes(), false).map(TokenId)
    }

    /// Adds the tokens of a word of `characters` characters, lower-cased and without accents, to `found`.
    fn cut(&self, word: &[u8], characters: usize, found: &mut Vec<TokenId>) {
        let known = found.len();
        let mut rest = word;
        while !rest.is_empty() {
            let piece = match characters <= WORD_LIMIT {
                true => self.pieces.longest(rest, rest.len() < word.len()),
                false => None,
            };
            let Some((id, bytes)) = piece else {
                found.truncate(known);
                found.push(self.unknown);
                break;
            };
            found.push(TokenId(id));
            rest = &rest[bytes..];
        }
    }
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
}
