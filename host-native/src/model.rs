//! Transformers on disk: which one is meant, where its files are, how they get there, and the forward pass. Embedders
//! ([`crate::embed`]) and rerankers ([`crate::rerank`]) are made of them.

mod error;
mod source;

#[cfg(feature = "candle")]
pub(crate) mod bert;
#[cfg(feature = "candle")]
pub(crate) mod checkpoint;
#[cfg(feature = "candle")]
pub(crate) mod files;
#[cfg(feature = "candle")]
pub(crate) mod hub;
#[cfg(feature = "candle")]
pub(crate) mod lazy;
#[cfg(feature = "candle")]
pub(crate) mod setup;

pub use error::ModelError;
pub use source::ModelSource;
