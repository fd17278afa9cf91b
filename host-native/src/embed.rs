//! Models that turn text into vectors. The static table needs none of this: the core holds it.
//!
//! ```no_run
//! use ebbtrace::{Service, embed::EmbedderChoice, service::Options, store::SqliteStore};
//!
//! let choice: EmbedderChoice = "minilm".parse()?;
//! let store = Box::new(SqliteStore::open("memory.db")?);
//! let memory = Service::open(Options { embedder: choice.open()?, ..Options::new(store) })?;
//! memory.reembed(None, |progress| eprintln!("{} of {}", progress.done, progress.all))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod choice;
#[cfg(feature = "candle")]
mod transformer;

use ebbtrace_core::operation::RawEmbedding;

use crate::model::ModelError;

pub use choice::EmbedderChoice;
#[cfg(feature = "candle")]
pub use transformer::Transformer;

/// A model of the host's own, used beside the core's static token table. Equal texts give equal vectors, whatever they
/// are embedded with.
pub trait Embedder: Send + Sync {
    /// The model's id; vectors of different ids are never compared, so it changes with the weights. It may have to load
    /// the model.
    ///
    /// # Errors
    /// That the model could not be loaded.
    fn model(&self) -> Result<&str, ModelError>;

    /// One vector for each text, all of one length.
    ///
    /// # Errors
    /// What went wrong, for a person to read.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError>;

    /// The vectors of each text's tokens, each as it is meant there.
    ///
    /// # Errors
    /// [`ModelError::NoTokenVectors`] where the model has none, which is the default; else as [`Embedder::embed`].
    fn token_vectors(&self, texts: &[&str]) -> Result<Vec<TokenVectors>, ModelError> {
        match texts {
            [] => Ok(Vec::new()),
            _ => Err(ModelError::NoTokenVectors { model: self.model()?.to_owned() }),
        }
    }
}

/// The vectors of one text's tokens, without those that only mark its ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TokenVectors {
    /// Each token's number in the model's vocabulary.
    pub tokens: Vec<u32>,
    /// How many tokens that vocabulary has.
    pub vocabulary: usize,
    /// How many values each vector has.
    pub dimension: usize,
    /// The vectors one after the other, each of unit length.
    pub values: Vec<f32>,
}

/// Embeds one text.
///
/// # Errors
/// The model's own, or that it gave no vector.
pub(crate) fn embed_one(embedder: &dyn Embedder, text: &str) -> Result<RawEmbedding, ModelError> {
    let model = embedder.model()?.to_owned();
    match embedder.embed(&[text])?.pop() {
        Some(values) => Ok(RawEmbedding { model, values }),
        None => Err(ModelError::Failed { model, reason: "it gave no vector".to_owned() }),
    }
}
