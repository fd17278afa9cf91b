//! Neo4j: connections that die, and servers that are not what they should be.

use std::{
    io::Write,
    net::TcpListener,
    thread,
    time::{Duration, Instant},
};

use ebbtrace::{
    CommitAnswer, Service, Store,
    service::Options,
    store::{Neo4jServer, Neo4jStore},
};
use ebbtrace_core::{Change, JournalEntry, Operation, Record, RememberInput, Revision, Scope, ScopeStatus, Timestamp};

use crate::{
    proxy::{Cut, Proxy},
    server::{alone, ask, named},
};

fn entry(revision: u64) -> JournalEntry {
    let scope = Scope::try_from(format!("scope {revision}").as_str()).expect("a scope");
    JournalEntry {
        revision: Revision(revision),
        at: Timestamp(5),
        operation: Operation::Maintain,
        channel: None,
        changes: vec![Change::Put(Record::Scope(ScopeStatus { scope, maintained_at: Timestamp(7) }))],
    }
}

fn through(proxy: &Proxy) -> Neo4jServer {
    Neo4jServer { uri: proxy.uri(), ..named() }
}

fn revision(store: &mut Neo4jStore) -> u64 {
    store.load(&mut |_| {}).expect("a load").0
}

#[test]
fn a_connection_to_neo4j_that_dies_inside_a_commit_leaves_it_unknown() {
    let _alone = alone();
    let proxy = Proxy::to(&named().uri);
    let mut store = Neo4jStore::open(through(&proxy)).expect("a store");
    assert_eq!(store.commit(&entry(1)), Ok(CommitAnswer::Committed));
    proxy.cut(Cut::BeforeCommit);
    assert_eq!(store.commit(&entry(2)), Ok(CommitAnswer::Unknown));
    // The server rolls back what it never heard the end of.
    assert_eq!(revision(&mut store), 1);
    proxy.cut(Cut::AfterCommit);
    assert_eq!(store.commit(&entry(2)), Ok(CommitAnswer::Unknown));
    assert_eq!(revision(&mut store), 2, "it was committed, and nobody was told");
    assert_eq!(store.commit(&entry(2)), Ok(CommitAnswer::Conflict));
    assert_eq!(store.commit(&entry(3)), Ok(CommitAnswer::Committed));
}

#[test]
fn a_service_over_neo4j_knows_what_became_of_an_unknown_commit() {
    let _alone = alone();
    let proxy = Proxy::to(&named().uri);
    let open = |server| {
        let store = Box::new(Neo4jStore::open(server).expect("a store"));
        Service::open(Options::new(store)).expect("a memory")
    };
    let service = open(through(&proxy));
    let remember = |id: &str, content: &str| {
        let input = RememberInput { id: Some(id.to_owned()), content: content.to_owned(), ..RememberInput::default() };
        service.remember(input)
    };
    remember("first", "The orders live in PostgreSQL").expect("stored");
    for (cut, id, content, stands) in [
        (Cut::BeforeCommit, "second", "Maria brings lemonade to the picnic", false),
        (Cut::AfterCommit, "third", "The blue bicycle needs a new tyre", true),
    ] {
        proxy.cut(cut);
        assert_eq!(remember(id, content).expect_err("nobody knows").code(), "unknown_outcome");
        assert_eq!(service.memory(None, id).is_ok(), stands, "{cut:?}");
        assert_eq!(open(named()).memory(None, id).is_ok(), stands, "{cut:?}");
    }
    remember("second", "Maria brings lemonade to the picnic").expect("stored the second time");
    let all = |service: &Service| {
        let mut records = Vec::new();
        service.export(None, |record| records.push(record)).expect("an export");
        records
    };
    assert_eq!(all(&service), all(&open(named())));
}

#[test]
fn a_neo4j_that_started_anew_is_taken_up_again() {
    let _alone = alone();
    let proxy = Proxy::to(&named().uri);
    let mut store = Neo4jStore::open(through(&proxy)).expect("a store");
    for number in 1..=4 {
        assert_eq!(store.commit(&entry(number)), Ok(CommitAnswer::Committed));
        proxy.cut_all();
    }
    assert_eq!(revision(&mut store), 4);
    proxy.cut_all();
    assert_eq!(store.changes_since(Revision(2)).map(|entries| entries.map(|entries| entries.len())), Ok(Some(2)));
}

/// What opening it is refused with.
fn refused(server: Neo4jServer) -> (&'static str, String, Duration) {
    let started = Instant::now();
    let error = Neo4jStore::open(server).expect_err("it is refused");
    (error.code(), error.to_string(), started.elapsed())
}

#[test]
fn a_neo4j_that_is_not_what_it_should_be_is_refused_and_left_alone() {
    let _alone = alone();
    let (code, says, _) = refused(Neo4jServer { password: "wrong".to_owned(), ..named() });
    assert_eq!(code, "store_denied", "{says}");
    assert!(!says.contains("wrong"), "no password is shown: {says}");
    let (code, says, _) = refused(Neo4jServer { database: Some("nowhere".to_owned()), ..named() });
    assert_eq!(code, "store_no_database", "{says}");
    let free = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("its address").port();
    let (code, says, took) = refused(Neo4jServer { uri: format!("bolt://127.0.0.1:{free}"), ..named() });
    assert_eq!(code, "store_unreachable", "{says}");
    assert!(took < Duration::from_secs(10), "{took:?}");
    for uri in ["http://localhost:7474", "bolt://", "nonsense", "bolt://no-such-host.invalid:7687"] {
        let (code, says, took) = refused(Neo4jServer { uri: uri.to_owned(), ..named() });
        assert_eq!(code, "store_unreachable", "{uri}: {says}");
        assert!(took < Duration::from_secs(20), "{uri}: {took:?}");
    }
    let (code, says, _) = refused(Neo4jServer { uri: talks("HTTP/1.1 400 Bad Request\r\n\r\n"), ..named() });
    assert_eq!(code, "store_unreachable", "{says}");
    let (code, says, took) = refused(Neo4jServer { uri: talks(""), ..named() });
    assert_eq!(code, "store_unreachable", "{says}");
    assert!(took < Duration::from_secs(30), "one that never answers: {took:?}");
    assert_eq!(ask("MATCH (n) RETURN count(n) AS n"), [r#"{"n":0}"#]);

    ask("CREATE (:Memory {text: 'of another program'})");
    let (code, says, _) = refused(named());
    assert_eq!(code, "store_damaged", "{says}");
    assert_eq!(ask("MATCH (n) RETURN count(n) AS n"), [r#"{"n":1}"#]);
    ask("MATCH (n) DETACH DELETE n");

    let mut store = Neo4jStore::open(named()).expect("a store");
    assert_eq!(ask("MATCH (n) RETURN count(n) AS n"), [r#"{"n":0}"#], "looking makes nothing");
    assert_eq!(store.commit(&entry(1)), Ok(CommitAnswer::Committed));
    ask("MATCH (s:Store) SET s.format = 99");
    let (code, says, _) = refused(named());
    assert_eq!(code, "store_newer", "{says}");
    assert!(says.contains("99"), "{says}");
}

/// A server of another kind: it says `says` to whoever comes, and holds the connection.
fn talks(says: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("its address").port();
    thread::spawn(move || {
        let mut held = Vec::new();
        for client in listener.incoming().flatten() {
            let mut client = client;
            // Whoever hangs up misses nothing.
            let _ = client.write_all(says.as_bytes());
            held.push(client);
        }
    });
    format!("bolt://127.0.0.1:{port}")
}
