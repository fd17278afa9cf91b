//! What only a store that is a graph database can do, or can do wrong. Each case has the store's name in its own:
//! `cargo xtask test` runs those that can be run.
#![cfg(any(feature = "kuzu", feature = "neo4j"))]

#[path = "graph/asking.rs"]
mod asking;
#[cfg(feature = "neo4j")]
#[path = "graph/neo4j.rs"]
mod neo4j;
#[cfg(feature = "neo4j")]
#[path = "graph/proxy.rs"]
mod proxy;
#[cfg(feature = "neo4j")]
#[path = "graph/pushed_down.rs"]
mod pushed_down;
#[cfg(feature = "neo4j")]
#[path = "stores/server.rs"]
mod server;
