//! What Ebbtrace is measured and tested with, apart from each crate's own tests.

pub mod conformance;
pub mod fit;
pub mod generate;
pub mod gold;
pub mod locomo;
#[cfg(feature = "neo4j")]
pub mod neo4j;
pub mod operations;
pub mod purity;
pub mod recall_gold;

use std::path::PathBuf;

/// This package's folder. Cargo says where it is now: a cached build may be of another checkout.
#[must_use]
pub fn folder() -> PathBuf {
    std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into()).into()
}
