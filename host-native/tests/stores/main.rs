//! Every store: one suite over all of them, the laws through a service, and what SQLite does with files.

mod files;
mod laws;
mod purge;
mod samples;
#[cfg(feature = "neo4j")]
mod server;
mod suite;
