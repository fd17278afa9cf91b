//! Which embedder is asked for.

use std::{fmt, str::FromStr, sync::Arc};

use super::Embedder;
use crate::model::{ModelError, ModelSource};

/// What compares meanings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum EmbedderChoice {
    /// The token table that ships with Ebbtrace. The default.
    #[default]
    Static,
    /// Words and links alone.
    None,
    /// A transformer, beside the token table.
    Model(ModelSource),
}

impl EmbedderChoice {
    /// The embedder, which loads its model when it is first used; `None` where nothing is to be embedded.
    ///
    /// # Errors
    /// [`ModelError::MissingFiles`] for a folder without a model; [`ModelError::NotBuiltIn`].
    pub fn open(&self) -> Result<Option<Arc<dyn Embedder>>, ModelError> {
        let Self::Model(source) = self else { return Ok(None) };
        source.check()?;
        #[cfg(feature = "candle")]
        return Ok(Some(Arc::new(super::Transformer::new(source.clone()))));
        #[cfg(not(feature = "candle"))]
        Err(ModelError::NotBuiltIn { model: source.to_string() })
    }
}

impl FromStr for EmbedderChoice {
    type Err = ModelError;

    /// Reads `static`, `none`, or what [`ModelSource::parse`] does. An empty text is the default.
    fn from_str(text: &str) -> Result<Self, ModelError> {
        match text.trim() {
            "" | "static" => Ok(Self::Static),
            "none" => Ok(Self::None),
            other => ModelSource::parse(other).map(Self::Model).ok_or_else(|| ModelError::Unknown {
                field: "embedder",
                value: ebbtrace_core::limits::excerpt(text),
                allowed: "static, none, minilm, OWNER/NAME of a hub, ./FOLDER",
            }),
        }
    }
}

impl fmt::Display for EmbedderChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Static => f.write_str("static"),
            Self::None => f.write_str("none"),
            Self::Model(source) => source.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_read_as_they_are_written() {
        for text in ["static", "none", "minilm", "BAAI/bge-small-en-v1.5", "./model"] {
            assert_eq!(text.parse::<EmbedderChoice>().unwrap().to_string(), text);
        }
        assert_eq!("".parse(), Ok(EmbedderChoice::Static));
        let refused = "word2vec".parse::<EmbedderChoice>().unwrap_err();
        assert_eq!(refused.code(), "unknown_value");
        assert!(refused.to_string().contains("\"word2vec\"; allowed are static"), "{refused}");
    }

    #[test]
    fn a_folder_without_a_model_is_refused_at_once() {
        let refused = EmbedderChoice::Model(ModelSource::Folder("./nowhere".into())).open().err().unwrap();
        let code = if cfg!(feature = "candle") { "model_incomplete" } else { "model_not_built_in" };
        assert_eq!(refused.code(), code);
        assert!(EmbedderChoice::Static.open().unwrap().is_none());
    }
}
