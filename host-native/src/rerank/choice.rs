//! Which reranker is asked for.

use std::{
    fmt,
    str::FromStr,
    sync::{Arc, LazyLock},
};

use ebbtrace_core::{StaticModel, wordpiece::TokenId};

use super::{LateInteraction, Reranker};
use crate::{
    embed::Embedder,
    model::{ModelError, ModelSource},
};

/// What looks again at what the first stage found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum RerankerChoice {
    /// Nothing. The default.
    #[default]
    None,
    /// The embedder's token vectors, weighted by how much each token tells: see [`LateInteraction`].
    Late,
    /// A cross-encoder.
    Model(ModelSource),
}

impl RerankerChoice {
    /// The reranker, which loads its model when it is first used; `embedder` is the one that is in use.
    ///
    /// # Errors
    /// [`ModelError::MissingFiles`] for a folder without a model; [`ModelError::NoTokenVectors`] where late interaction
    /// has no embedder; [`ModelError::NotBuiltIn`].
    pub fn open(&self, embedder: Option<&Arc<dyn Embedder>>) -> Result<Option<Arc<dyn Reranker>>, ModelError> {
        match self {
            Self::None => Ok(None),
            Self::Late => match embedder {
                Some(embedder) => Ok(Some(Arc::new(LateInteraction::new(Arc::clone(embedder)).weighted(idf)))),
                None => Err(ModelError::NoTokenVectors { model: "static".to_owned() }),
            },
            Self::Model(source) => {
                source.check()?;
                #[cfg(feature = "candle")]
                return Ok(Some(Arc::new(super::CrossEncoder::new(source.clone()))));
                #[cfg(not(feature = "candle"))]
                Err(ModelError::NotBuiltIn { model: source.to_string() })
            }
        }
    }
}

/// How much a token tells, by the token table that ships with Ebbtrace; every token alike in another vocabulary than that
/// of uncased BERT models.
fn idf(token: u32, vocabulary: usize) -> f64 {
    static TABLE: LazyLock<Arc<StaticModel>> = LazyLock::new(StaticModel::bundled);
    if vocabulary == TABLE.vocabulary() {
        u16::try_from(token).map_or(0.0, |token| f64::from(TABLE.idf(TokenId(token))))
    } else {
        1.0
    }
}

impl FromStr for RerankerChoice {
    type Err = ModelError;

    /// Reads `none`, `late`, an `owner/name` of a hub, or a folder. An empty text is the default.
    fn from_str(text: &str) -> Result<Self, ModelError> {
        match text.trim() {
            "" | "none" => Ok(Self::None),
            "late" => Ok(Self::Late),
            other => match ModelSource::parse(other) {
                // That is an embedder, and no reranker.
                Some(ModelSource::MiniLm) | None => Err(ModelError::Unknown {
                    field: "reranker",
                    value: ebbtrace_core::limits::excerpt(text),
                    allowed: "none, late, OWNER/NAME of a hub, ./FOLDER",
                }),
                Some(source) => Ok(Self::Model(source)),
            },
        }
    }
}

impl fmt::Display for RerankerChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Late => f.write_str("late"),
            Self::Model(source) => source.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_read_as_they_are_written() {
        for text in ["none", "late", "cross-encoder/ms-marco-MiniLM-L-6-v2", "./model"] {
            assert_eq!(text.parse::<RerankerChoice>().unwrap().to_string(), text);
        }
        for text in ["minilm", "bm25"] {
            assert_eq!(text.parse::<RerankerChoice>().unwrap_err().code(), "unknown_value");
        }
        assert_eq!(RerankerChoice::Late.open(None).err().unwrap().code(), "no_token_vectors");
    }
}
