//! Models that turn text into vectors. The static table needs none of this: the core holds it.

use ebbtrace_core::operation::RawEmbedding;

/// A model of the host's own, used beside the core's static token table.
pub trait Embedder: Send + Sync {
    /// The model's id; vectors of different ids are never compared.
    fn model(&self) -> &str;

    /// One vector for each text, all of one length.
    ///
    /// # Errors
    /// What went wrong, for a person to read.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;
}

/// Why a text could not be embedded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the model {model:?} could not embed the text: {reason}")]
pub struct EmbedError {
    /// The model.
    pub model: String,
    /// What went wrong.
    pub reason: String,
}

/// Embeds one text.
///
/// # Errors
/// The model's own, or that it gave no vector.
pub(crate) fn embed_one(embedder: &dyn Embedder, text: &str) -> Result<RawEmbedding, EmbedError> {
    let model = embedder.model().to_owned();
    match embedder.embed(&[text])?.pop() {
        Some(values) => Ok(RawEmbedding { model, values }),
        None => Err(EmbedError { model, reason: "it gave no vector".to_owned() }),
    }
}
