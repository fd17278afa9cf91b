//! Which model is meant: by name, by its id on a hub, or by a folder.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use super::ModelError;

/// What MiniLM is called on hubs.
const MINILM: &str = "sentence-transformers/all-MiniLM-L6-v2";

/// The sha256 of MiniLM's weights.
const MINILM_WEIGHTS: &str = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db";

/// Where a model comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelSource {
    /// sentence-transformers/all-MiniLM-L6-v2 of a hub, with the weights that are known here.
    MiniLm,
    /// A model of a hub: `owner/name`.
    Hub(String),
    /// A folder with config.json, tokenizer.json and model.safetensors.
    Folder(PathBuf),
}

impl ModelSource {
    /// Reads `minilm`, an `owner/name`, or a folder: what begins as a path does, or is one. `None` where it is none of
    /// them.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let path = Path::new(text);
        let as_path = path.is_absolute() || text.starts_with('.') || text.starts_with('~') || text.contains('\\');
        if text == "minilm" {
            Some(Self::MiniLm)
        } else if as_path || (text.contains('/') && path.is_dir()) {
            Some(Self::Folder(path.to_owned()))
        } else {
            is_hub_id(text).then(|| Self::Hub(text.to_owned()))
        }
    }

    /// The model's id on hubs, where it comes from one.
    #[must_use]
    pub fn hub_id(&self) -> Option<&str> {
        match self {
            Self::MiniLm => Some(MINILM),
            Self::Hub(id) => Some(id),
            Self::Folder(_) => None,
        }
    }

    /// The sha256 that the weights must have, where one is known.
    #[must_use]
    pub fn pinned(&self) -> Option<&'static str> {
        match self.hub_id() {
            Some(MINILM) => Some(MINILM_WEIGHTS),
            _ => None,
        }
    }

    /// That a folder has what a model needs; nothing of what is to be fetched.
    ///
    /// # Errors
    /// [`ModelError::MissingFiles`]; [`ModelError::NotBuiltIn`] where this program has no transformers.
    pub fn check(&self) -> Result<(), ModelError> {
        #[cfg(feature = "candle")]
        return match self {
            Self::Folder(folder) => super::files::complete(folder),
            _ => Ok(()),
        };
        #[cfg(not(feature = "candle"))]
        Err(ModelError::NotBuiltIn { model: self.to_string() })
    }
}

impl fmt::Display for ModelSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MiniLm => f.write_str("minilm"),
            Self::Hub(id) => f.write_str(id),
            Self::Folder(folder) => folder.display().fmt(f),
        }
    }
}

/// `owner/name`, each of letters, digits, `-`, `_` and `.`, and neither of them dots alone.
fn is_hub_id(text: &str) -> bool {
    let plain = |part: &str| {
        let known = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        part.len() <= 96 && part.starts_with(|c: char| c.is_ascii_alphanumeric()) && part.chars().all(known)
    };
    text.split_once('/').is_some_and(|(owner, name)| plain(owner) && plain(name) && !text.contains(".."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_ids_and_folders_are_told_apart() {
        assert_eq!(ModelSource::parse("minilm"), Some(ModelSource::MiniLm));
        assert_eq!(
            ModelSource::parse("BAAI/bge-small-en-v1.5"),
            Some(ModelSource::Hub("BAAI/bge-small-en-v1.5".into()))
        );
        for folder in ["./model", "../model", "/opt/model", ".", "~/model", "C:\\model"] {
            assert_eq!(ModelSource::parse(folder), Some(ModelSource::Folder(folder.into())), "{folder}");
        }
        for nonsense in ["", "bert", "a/b/c", "owner/..", "owner/na me", "https://hub/a", "-a/b"] {
            assert_eq!(ModelSource::parse(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn the_weights_of_minilm_are_known_by_either_name() {
        assert_eq!(ModelSource::MiniLm.pinned(), ModelSource::Hub(MINILM.to_owned()).pinned());
        assert!(ModelSource::MiniLm.pinned().is_some_and(|sum| sum.len() == 64));
        assert_eq!(ModelSource::Hub("BAAI/bge-small-en-v1.5".to_owned()).pinned(), None);
    }
}
