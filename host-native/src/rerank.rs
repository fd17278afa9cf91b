//! Rerankers: what reads a question and a memory together, and so tells better than an index whether one answers the
//! other. Too dear for every memory: the first stage finds the [`SHORTLIST`] that they are asked about.

mod choice;
#[cfg(feature = "candle")]
mod cross_encoder;
mod late;
mod recent;
mod run;

use crate::model::ModelError;

pub use choice::RerankerChoice;
#[cfg(feature = "candle")]
pub use cross_encoder::CrossEncoder;
pub use late::LateInteraction;
pub(crate) use run::scores;

/// How many memories of the first stage a reranker is asked about.
pub const SHORTLIST: usize = 50;

/// Says how well texts answer a question.
pub trait Reranker: Send + Sync {
    /// What it is called, for messages.
    fn model(&self) -> &str;

    /// How well each text answers `query`, 0..=1, in their order.
    ///
    /// # Errors
    /// What went wrong, for a person to read.
    fn score(&self, query: &str, texts: &[&str]) -> Result<Vec<f32>, ModelError>;

    /// Loads what it needs, so that the time of the first question does not count that. By default it needs nothing.
    ///
    /// # Errors
    /// That it could not be loaded.
    fn prepare(&self) -> Result<(), ModelError> {
        Ok(())
    }
}
