//! Every conformance case holds for the core, and over every store.

use ebbtrace::{
    Store,
    store::{MemoryStore, SqliteStore},
};
use ebbtrace_tests::{
    conformance::{Ran, Verdict, run_all, run_all_over},
    folder,
};

#[test]
fn the_core_conforms() {
    all_pass(&run_all(&folder().join("conformance")).unwrap());
}

#[test]
fn over_sqlite_it_conforms() {
    all_pass(&over_files(|path| Box::new(SqliteStore::open(path).expect("a store"))));
}

#[test]
fn over_memory_it_conforms() {
    all_pass(&run_all_over(&folder().join("conformance"), &mut || Box::new(MemoryStore::new())).unwrap());
}

#[cfg(feature = "kuzu")]
#[test]
fn over_kuzu_it_conforms() {
    all_pass(&over_files(|path| Box::new(ebbtrace::store::KuzuStore::open(path).expect("a store"))));
}

#[cfg(feature = "neo4j")]
#[test]
fn over_neo4j_it_conforms_loaded_and_pushed_down() {
    neo4j(usize::MAX);
    neo4j(0);
}

#[cfg(feature = "neo4j")]
fn neo4j(resident_limit: usize) {
    use ebbtrace::store::{Neo4jServer, Neo4jStore};
    let server = Neo4jServer::of_environment().expect("EBBTRACE_NEO4J_PASSWORD: see `cargo xtask neo4j`");
    let server = Neo4jServer { resident_limit, ..server };
    let mut empty = || -> Box<dyn Store> {
        ebbtrace_tests::neo4j::empty(&server);
        Box::new(Neo4jStore::open(server.clone()).expect("a store"))
    };
    all_pass(&run_all_over(&folder().join("conformance"), &mut empty).expect("cases"));
}

/// Runs the cases over stores in files, each in a folder of its own.
fn over_files(open: fn(&std::path::Path) -> Box<dyn Store>) -> Vec<Ran> {
    let mut folders = Vec::new();
    let mut empty = || {
        let folder = tempfile::tempdir().expect("a folder");
        let store = open(&folder.path().join("memory.db"));
        folders.push(folder);
        store
    };
    run_all_over(&folder().join("conformance"), &mut empty).expect("cases")
}

fn all_pass(results: &[Ran]) {
    assert!(results.len() >= 40, "only {} cases were found", results.len());
    let wrong: Vec<String> = results
        .iter()
        .filter(|ran| !matches!(ran.verdict, Verdict::Passed | Verdict::Skipped(_)))
        .map(|ran| format!("{}: {:?}", ran.name, ran.verdict))
        .collect();
    assert!(wrong.is_empty(), "{} of {} cases fail:\n{}", wrong.len(), results.len(), wrong.join("\n"));
}
