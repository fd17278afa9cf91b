//! The Neo4j server of the tests, which `cargo xtask neo4j` starts.

use std::sync::{Mutex, MutexGuard, PoisonError};

use ebbtrace::store::Neo4jServer;
use neo4rs::{Graph, query};

/// The server that the environment names.
pub(crate) fn named() -> Neo4jServer {
    Neo4jServer::of_environment().expect("EBBTRACE_NEO4J_PASSWORD: see `cargo xtask neo4j`")
}

/// Its one database, empty, for one test at a time.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    ask("MATCH (n) DETACH DELETE n");
    alone
}

/// What the server answers, a row a line, as JSON.
pub(crate) fn ask(cypher: &str) -> Vec<String> {
    let server = named();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let graph = Graph::new(&server.uri, &server.user, &server.password).expect("a server");
        let mut answer = graph.execute(query(cypher)).await.expect("an answer");
        let mut rows = Vec::new();
        while let Some(row) = answer.next().await.expect("a row") {
            rows.push(row.to::<serde_json::Value>().expect("JSON").to_string());
        }
        rows
    })
}
