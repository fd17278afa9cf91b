//! The Neo4j server of the tests, which `cargo xtask neo4j` starts.

use ebbtrace::store::Neo4jServer;

/// The server that the environment names.
pub(crate) fn named() -> Neo4jServer {
    Neo4jServer::of_environment().expect("EBBTRACE_NEO4J_PASSWORD: run this with `cargo xtask neo4j test`")
}

/// Takes everything out of its database.
pub(crate) fn empty() {
    let server = named();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let graph = neo4rs::Graph::new(&server.uri, &server.user, &server.password).expect("a server");
        graph.run(neo4rs::query("MATCH (n) DETACH DELETE n")).await.expect("an empty database");
    });
}
