//! The static embedder: a table of one vector a token, distilled from a sentence transformer.
//!
//! A text's pooled vector is the weighted mean of its tokens' vectors; late interaction compares the tokens one by one
//! through [`StaticModel::cosine`] and weighs them by [`StaticModel::idf`]. There is no network to run, so both are
//! cheap enough to be derived from the text whenever they are needed, and need not be stored.
//!
//! # The file
//!
//! Little endian, in this order: the 8 bytes `EBBSTAT1`; a `u32` length and that many bytes of JSON (`id`, `dimension`
//! D, `vocabulary` V, and how the table was made); a `u32` length and that many bytes of vocabulary, one piece a line
//! in id order; zeros up to a multiple of 4; then `scale`, `weight` and `idf`, V `f32` each; then V rows of D `i8`.
//! A row times its scale is the token's vector at unit length.

use std::{borrow::Cow, fmt, ops::Range};

use crate::{
    vector_math::{add_scaled, dot_bytes, normalise},
    wordpiece::{TokenId, VocabularyError, WordPiece},
};

mod format;

/// Most tokens that are read of one text; what comes after has no part in its vectors.
pub const TOKEN_LIMIT: usize = 512;

/// A loaded token table. Beside the bytes it was loaded from, it holds about 1 MB for 30,522 tokens.
pub struct StaticModel {
    id: Box<str>,
    dimension: usize,
    pieces: WordPiece,
    scale: Box<[f32]>,
    weight: Box<[f32]>,
    idf: Box<[f32]>,
    /// The whole file; borrowed when it was handed over as `&'static [u8]`.
    file: Cow<'static, [u8]>,
    /// Where the rows are in `file`.
    rows: Range<usize>,
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
        static FILE: &[u8] = include_bytes!("../models/static-minilm-v1.bin");
        match Self::load(FILE) {
            Ok(model) => std::sync::Arc::new(model),
            Err(error) => unreachable!("a test loads the bundled table: {error}"),
        }
    }

    /// The model's name, such as `static-minilm-v1`. Vectors of models with different ids can't be compared.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Length of every vector, at least 1.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// How many tokens there are; ids are below it.
    #[must_use]
    pub fn vocabulary(&self) -> usize {
        self.pieces.len()
    }

    /// The first [`TOKEN_LIMIT`] tokens of `text`, in order and with repetitions.
    #[must_use]
    pub fn tokens(&self, text: &str) -> Vec<TokenId> {
        self.pieces.tokens(text, TOKEN_LIMIT)
    }

    /// The weighted mean of the tokens' vectors at unit length, or all zero when none of them has a weight.
    #[must_use]
    pub fn pooled(&self, tokens: &[TokenId]) -> Vec<f32> {
        let mut sum = vec![0.0; self.dimension];
        for &token in tokens {
            let factor = self.weight(token) * self.scale(token);
            if factor > 0.0 {
                add_scaled(&mut sum, self.row(token), factor);
            }
        }
        normalise(&mut sum);
        sum
    }

    /// The token's quantised vector: [`dimension`](Self::dimension) bytes, each the two's complement of a signed byte
    /// (`byte.cast_signed()`). Empty for an id that is not in the table.
    #[must_use]
    pub fn row(&self, token: TokenId) -> &[u8] {
        let rows = self.file.get(self.rows.clone()).unwrap_or_default();
        let start = token.index() * self.dimension;
        rows.get(start..start + self.dimension).unwrap_or_default()
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
        let dot = dot_bytes(self.row(a), self.row(b)) as f32;
        (dot * self.scale(a) * self.scale(b)).clamp(-1.0, 1.0)
    }
}

impl fmt::Debug for StaticModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StaticModel")
            .field("id", &self.id)
            .field("dimension", &self.dimension)
            .field("vocabulary", &self.vocabulary())
            .finish_non_exhaustive()
    }
}

/// Why bytes are not a token table.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The first 8 bytes are not `EBBSTAT1`.
    #[error("not a token table: it begins with \"{found}\", not \"EBBSTAT1\"; give the bytes of a static-*.bin file")]
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
mod tests {
    use super::*;

    static FILE: &[u8] = include_bytes!("../models/static-minilm-v1.bin");
    const PARITY: &str = include_str!("../../tests/models/parity.json");

    fn model() -> StaticModel {
        StaticModel::load(FILE).unwrap()
    }

    #[test]
    fn the_checked_in_table_loads_without_a_copy() {
        let model = model();
        assert_eq!((model.id(), model.dimension(), model.vocabulary()), ("static-minilm-v1", 256, 30_522));
        assert!(matches!(model.file, Cow::Borrowed(_)));
        assert!(FILE.len() <= 10_000_000);
    }

    #[test]
    fn tokens_and_pooled_vectors_equal_the_python_ones() {
        let model = model();
        let cases: serde_json::Value = serde_json::from_str(PARITY).unwrap();
        for case in cases["cases"].as_array().unwrap() {
            let text = case["text"].as_str().unwrap();
            let tokens = model.tokens(text);
            let ids: Vec<u64> = tokens.iter().map(|token| u64::from(token.0)).collect();
            let wanted: Vec<u64> = case["tokens"].as_array().unwrap().iter().map(|id| id.as_u64().unwrap()).collect();
            assert_eq!(ids, wanted, "{text:?}");
            let pooled = model.pooled(&tokens);
            for (i, wanted) in case["pooled"].as_array().into_iter().flatten().enumerate() {
                assert!((f64::from(pooled[i]) - wanted.as_f64().unwrap()).abs() < 1e-3, "{text:?} at {i}");
            }
        }
    }

    #[test]
    fn every_row_is_unit_length_and_every_token_its_own_best_match() {
        let model = model();
        for id in (0..30_522).step_by(97).map(TokenId) {
            assert!((model.cosine(id, id) - 1.0).abs() < 0.01, "{id:?}");
        }
    }

    #[test]
    fn meaning_shows() {
        let model = model();
        let token = |word: &str| model.tokens(word)[0];
        assert!(model.cosine(token("dog"), token("puppy")) > model.cosine(token("dog"), token("tax")) + 0.2);
        assert_eq!(model.idf(token(",")), 0.0);
        assert!(model.idf(token("the")) < 0.2 * model.idf(token("puppy")));
        let cosine = |a: &str, b: &str| -> f32 {
            let (a, b) = (model.pooled(&model.tokens(a)), model.pooled(&model.tokens(b)));
            a.iter().zip(&b).map(|(x, y)| x * y).sum()
        };
        assert!(cosine("my dog is ill", "the puppy is sick") > cosine("my dog is ill", "the tax is due") + 0.1);
    }

    #[test]
    fn ids_outside_the_table_are_nothing() {
        let (model, beyond) = (model(), TokenId(u16::MAX));
        assert!(model.row(beyond).is_empty());
        assert_eq!((model.scale(beyond), model.weight(beyond), model.idf(beyond)), (0.0, 0.0, 0.0));
        assert_eq!(model.cosine(beyond, TokenId(2000)), 0.0);
        assert!(model.pooled(&[beyond]).iter().all(|&value| value == 0.0));
        assert!(model.pooled(&[]).iter().all(|&value| value == 0.0));
    }

    #[test]
    fn long_texts_are_read_up_to_the_limit() {
        assert_eq!(model().tokens(&"word ".repeat(5000)).len(), TOKEN_LIMIT);
    }
}
