//! Why a model is not there, or did not do its work.

use std::path::PathBuf;

/// Why a model is not there, or did not do its work. `model` is always what it was asked for by.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The model is there and failed.
    #[error("the model {model:?} could not embed the text: {reason}")]
    Failed {
        /// The model.
        model: String,
        /// What went wrong.
        reason: String,
    },
    /// The name is none of a model.
    #[error("{field} is {value:?}; allowed are {allowed}")]
    Unknown {
        /// The option.
        field: &'static str,
        /// What came.
        value: String,
        /// What is allowed.
        allowed: &'static str,
    },
    /// A folder lacks what a model consists of.
    #[error("the model folder {} lacks {}", folder.display(), files.join(", "))]
    MissingFiles {
        /// The folder.
        folder: PathBuf,
        /// The files that are not there.
        files: Vec<String>,
    },
    /// A file is there and can't be read.
    #[error("{} can't be read: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said, or what is wrong with it.
        reason: String,
    },
    /// The model is of a kind that is not known here.
    #[error("the model {model:?} can't be used: {reason}")]
    Unsupported {
        /// The model.
        model: String,
        /// What it has that is not known here.
        reason: String,
    },
    /// The model's files could not be fetched.
    #[error("the model {model:?} could not be fetched: {reason}; its files {} belong in {}", files.join(", "), folder.display())]
    Download {
        /// The model.
        model: String,
        /// What went wrong, with the address.
        reason: String,
        /// Where its files are looked for.
        folder: PathBuf,
        /// The files that it needs.
        files: Vec<String>,
    },
    /// A file is not what it should be.
    #[error("{} of the model {model:?} has the sha256 {actual}; expected is {expected}", path.display())]
    Checksum {
        /// The model.
        model: String,
        /// The file.
        path: PathBuf,
        /// The checksum that it should have.
        expected: String,
        /// The one it has.
        actual: String,
    },
    /// This program was built without transformers.
    #[error("the model {model:?} needs the feature `candle`, which this program was built without")]
    NotBuiltIn {
        /// The model.
        model: String,
    },
    /// The embedder gives vectors of whole texts alone.
    #[error("the embedder {model:?} gives no vectors of single tokens")]
    NoTokenVectors {
        /// The model.
        model: String,
    },
}

impl ModelError {
    /// A stable code for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Failed { .. } => "embed_failed",
            Self::Unknown { .. } => "unknown_value",
            Self::MissingFiles { .. } => "model_incomplete",
            Self::Unreadable { .. } => "model_unreadable",
            Self::Unsupported { .. } => "model_unsupported",
            Self::Download { .. } => "model_not_fetched",
            Self::Checksum { .. } => "model_checksum",
            Self::NotBuiltIn { .. } => "model_not_built_in",
            Self::NoTokenVectors { .. } => "no_token_vectors",
        }
    }

    /// What the caller can do now.
    #[must_use]
    pub fn next_step(&self) -> &'static str {
        match self {
            Self::Failed { .. } => "Check the embedding model, or choose another with --embedder.",
            Self::Unknown { .. } => "Call again with an allowed value.",
            Self::MissingFiles { .. } => {
                "Put those files there, as the model's page on the hub has them, or take --embedder static."
            }
            Self::Unreadable { .. } => "Check the file and its permissions, fetch it anew, or take --embedder static.",
            Self::Unsupported { .. } => "Choose a model of the BERT type, such as minilm, or take --embedder static.",
            Self::Download { .. } => {
                "Check the network and HTTPS_PROXY, or HF_ENDPOINT for another hub; or fetch the files elsewhere and put \
                 them there, or in a folder for --embedder ./FOLDER; or take --embedder static, which needs none."
            }
            Self::Checksum { .. } => "Delete that file, so that it is fetched anew, or take --embedder static.",
            Self::NotBuiltIn { .. } => "Build with default features, or take --embedder static.",
            Self::NoTokenVectors { .. } => {
                "Choose an embedder that has them, such as --embedder minilm; static compares word by word by itself, with no reranker."
            }
        }
    }
}
