//! The Neo4j server of the tests, which `cargo xtask neo4j` starts.

use ebbtrace::store::Neo4jServer;

/// Takes everything out of its database.
///
/// # Panics
/// Where the server can't be reached.
pub fn empty(server: &Neo4jServer) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let graph = neo4rs::Graph::new(&server.uri, &server.user, &server.password).expect("a server");
        graph.run(neo4rs::query("MATCH (n) DETACH DELETE n")).await.expect("an empty database");
    });
}
