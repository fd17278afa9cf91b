//! The static embedder: a table of one vector a token, distilled from two sentence transformers, an English one and one
//! for many languages.
//!
//! A text's pooled vector is the weighted mean of its tokens' vectors; late interaction compares the tokens one by one
//! through [`StaticModel::cosine`] and weighs them by [`StaticModel::idf`]. There is no network to run, so both are
//! cheap enough to be derived from the text whenever they are needed, and need not be stored.
//!
//! # The file
//!
//! Little endian, in this order: the 8 bytes `EBBSTAT2`; a `u32` length and that many bytes of JSON (`id`, `dimension`
//! D, `vocabulary` V, `pieces` N, the words `english` and `foreign` that tell a text's language, and how the table was
//! made); a `u32` length and that many bytes of English vocabulary, one WordPiece a line in id order; as much for the
//! pieces of other languages, whose ids go on from V; zeros up to a multiple of 4; then `scale`, `weight` and `idf`,
//! V + N `f32` each; N `u16` costs; V rows of D `i8`; N rows of D values of 4 bits. Of these, byte i holds value i in
//! its low bits and value i + D/2 in its high ones, each plus 8. A row times its scale is the token's vector at unit
//! length.

use std::{borrow::Cow, fmt, ops::Range};

use crate::{
    unigram::Unigram,
    vector_math::{add_scaled, add_scaled_wide, dot_wide, normalise, widen, widen_halves},
    wordpiece::{TokenId, VocabularyError, WordPiece, reader},
};

mod format;

/// Most tokens that are read of one text; what comes after has no part in its vectors.
pub const TOKEN_LIMIT: usize = 512;

/// A loaded token table. Beside the bytes it was loaded from, it holds about 2.5 MB for 65,000 tokens.
pub struct StaticModel {
    id: Box<str>,
    english: WordPiece,
    others: Unigram,
    /// What each token says of its text: -1 that it is English, 1 that it is in another language of Latin script.
    leaning: Box<[i8]>,
    scale: Box<[f32]>,
    weight: Box<[f32]>,
    idf: Box<[f32]>,
    rows: Rows,
}

/// The quantised vectors, in the file's bytes.
struct Rows {
    /// The whole file; borrowed when it was handed over as `&'static [u8]`.
    file: Cow<'static, [u8]>,
    dimension: usize,
    /// The English rows, a byte a value.
    bytes: Range<usize>,
    /// The other rows, two values a byte.
    halves: Range<usize>,
}

/// One quantised vector.
enum Row<'a> {
    Bytes(&'a [u8]),
    Halves(&'a [u8]),
}

impl Rows {
    /// Empty for an id that is not in the table.
    fn get(&self, token: TokenId) -> Row<'_> {
        let part = |range: &Range<usize>, place: usize, length: usize| {
            let rows = self.file.get(range.clone()).unwrap_or_default();
            rows.get(place * length..(place + 1) * length).unwrap_or_default()
        };
        match token.index().checked_sub(self.bytes.len() / self.dimension) {
            None => Row::Bytes(part(&self.bytes, token.index(), self.dimension)),
            Some(place) => Row::Halves(part(&self.halves, place, self.dimension / 2)),
        }
    }
}

impl StaticModel {
    /// Loads a table from the bytes of its file, without copying the rows.
    ///
    /// # Errors
    ///
    /// [`ModelError`] when the bytes are not such a file, or not all of one. No bytes make it panic.
    pub fn load(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self, ModelError> {
        format::read(bytes.into())
    }

    /// The table that is compiled into the library, loaded anew at each call (a few milliseconds): keep it.
    #[cfg(feature = "bundled-model")]
    #[must_use]
    pub fn bundled() -> std::sync::Arc<Self> {
        static FILE: &[u8] = include_bytes!("../models/static-multi-v1.bin");
        match Self::load(FILE) {
            Ok(model) => std::sync::Arc::new(model),
            Err(error) => unreachable!("a test loads the bundled table: {error}"),
        }
    }

    /// The model's name, such as `static-multi-v1`. Vectors of models with different ids can't be compared.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Length of every vector, at least 1.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.rows.dimension
    }

    /// How many tokens there are; ids are below it.
    #[must_use]
    pub fn vocabulary(&self) -> usize {
        self.leaning.len()
    }

    /// The first [`TOKEN_LIMIT`] tokens of `text`, in order and with repetitions. A text that shows more words of
    /// another language in Latin script than English function words is read as that language.
    #[must_use]
    pub fn tokens(&self, text: &str) -> Vec<TokenId> {
        let read = |foreign| reader::read(&self.english, &self.others, text, TOKEN_LIMIT, foreign);
        let tokens = read(false);
        let leaning: i32 =
            tokens.iter().filter_map(|token| self.leaning.get(token.index())).map(|&l| i32::from(l)).sum();
        if leaning > 0 { read(true) } else { tokens }
    }

    /// The weighted mean of the tokens' vectors at unit length, or all zero when none of them has a weight.
    #[must_use]
    pub fn pooled(&self, tokens: &[TokenId]) -> Vec<f32> {
        let mut sum = vec![0.0; self.dimension()];
        let mut wide = Vec::new();
        for &token in tokens {
            let factor = self.weight(token) * self.scale(token);
            if factor > 0.0 {
                match self.rows.get(token) {
                    Row::Bytes(row) => add_scaled(&mut sum, row, factor),
                    Row::Halves(row) => {
                        wide.resize(self.dimension(), 0);
                        widen_halves(row, &mut wide);
                        add_scaled_wide(&mut sum, &wide, factor);
                    }
                }
            }
        }
        normalise(&mut sum);
        sum
    }

    /// Writes the token's quantised vector, [`dimension`](Self::dimension) values of -128 to 127. All zero for an id
    /// that is not in the table.
    pub fn row_into(&self, token: TokenId, row: &mut [i16]) {
        row.fill(0);
        match self.rows.get(token) {
            Row::Bytes(bytes) => widen(bytes, row),
            Row::Halves(halves) => widen_halves(halves, row),
        }
    }

    /// What a row is multiplied with to get the token's unit vector, 0 to 1. 0 for an id that is not in the table.
    #[must_use]
    pub fn scale(&self, token: TokenId) -> f32 {
        self.scale.get(token.index()).copied().unwrap_or(0.0)
    }

    /// What the token weighs in [`pooled`](Self::pooled), at least 0: much for a rare, decided word.
    /// 0 for special tokens, and for an id that is not in the table.
    #[must_use]
    pub fn weight(&self, token: TokenId) -> f32 {
        self.weight.get(token.index()).copied().unwrap_or(0.0)
    }

    /// How much the token tells in late interaction, at least 0: nothing for punctuation and special tokens, little for
    /// function words, much for rare words and numbers. 0 for an id that is not in the table.
    #[must_use]
    pub fn idf(&self, token: TokenId) -> f32 {
        self.idf.get(token.index()).copied().unwrap_or(0.0)
    }

    /// Cosine of two tokens' vectors, -1 to 1.
    #[must_use]
    pub fn cosine(&self, a: TokenId, b: TokenId) -> f32 {
        let mut rows = vec![0; 2 * self.dimension()];
        let (row_a, row_b) = rows.split_at_mut(self.dimension());
        self.row_into(a, row_a);
        self.row_into(b, row_b);
        let dot = dot_wide(row_a, row_b) as f32;
        (dot * self.scale(a) * self.scale(b)).clamp(-1.0, 1.0)
    }
}

impl fmt::Debug for StaticModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StaticModel")
            .field("id", &self.id)
            .field("dimension", &self.dimension())
            .field("vocabulary", &self.vocabulary())
            .finish_non_exhaustive()
    }
}

/// Why bytes are not a token table.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The first 8 bytes are not `EBBSTAT2`.
    #[error("not a token table: it begins with \"{found}\", not \"EBBSTAT2\"; give the bytes of a static-*.bin file")]
    Magic {
        /// The first bytes, escaped.
        found: String,
    },
    /// The bytes end inside a part.
    #[error("the token table ends early: {part} ends at byte {needed}, the file at {length}; fetch the file again")]
    Truncated {
        /// The part that is cut off.
        part: &'static str,
        /// Bytes up to the end of that part.
        needed: u64,
        /// Bytes there are.
        length: usize,
    },
    /// There are bytes after the last part.
    #[error("the token table has {extra} bytes too many after its rows; fetch the file again")]
    TrailingBytes {
        /// How many.
        extra: usize,
    },
    /// The header is not JSON with the fields it needs, or one is out of range.
    #[error("the token table's header is unusable: {reason}; make the file anew with tests/models/distill.py")]
    Header {
        /// What is wrong with it.
        reason: String,
    },
    /// The vocabulary is not text, or not one that can be indexed.
    #[error("the token table's vocabulary is unusable: {reason}; make the file anew with tests/models/distill.py")]
    Vocabulary {
        /// What is wrong with it.
        reason: String,
    },
    /// A number is out of range or not a number.
    #[error("the token table's {part} of token {token} is {value}, allowed is 0 to {limit}; fetch the file again")]
    Number {
        /// `scale`, `weight` or `idf`.
        part: &'static str,
        /// The token's id.
        token: usize,
        /// What stands there.
        value: f32,
        /// The highest allowed value.
        limit: f32,
    },
}

impl ModelError {
    /// A word for programs: `magic`, `truncated`, `trailing_bytes`, `header`, `vocabulary` or `number`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Magic { .. } => "magic",
            Self::Truncated { .. } => "truncated",
            Self::TrailingBytes { .. } => "trailing_bytes",
            Self::Header { .. } => "header",
            Self::Vocabulary { .. } => "vocabulary",
            Self::Number { .. } => "number",
        }
    }
}

impl From<VocabularyError> for ModelError {
    fn from(error: VocabularyError) -> Self {
        Self::Vocabulary { reason: error.to_string() }
    }
}

#[cfg(test)]
mod tests;
