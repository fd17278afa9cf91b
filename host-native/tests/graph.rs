//! What only a store that is a graph database can do, or can do wrong. Each case has the store's name in its own:
//! `cargo xtask test` runs those that can be run.
#![cfg(feature = "neo4j")]

#[path = "graph/neo4j.rs"]
mod neo4j;
#[path = "graph/proxy.rs"]
mod proxy;
#[path = "stores/server.rs"]
mod server;
