//! Ebbtrace on a computer of your own: stores, embedders, the MCP server and the command line over
//! [`ebbtrace_core`]. [`Service`] is the whole memory behind one handle.

/// The examples of the project's README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

pub mod cli;
pub mod clock;
pub mod embed;
mod instant;
pub mod mcp;
pub mod model;
pub mod rerank;
pub mod service;
pub mod store;

pub use clock::Clock;
pub use embed::Embedder;
pub use rerank::Reranker;
pub use service::{Service, ServiceError};
pub use store::{CommitAnswer, Store, StoreError};
