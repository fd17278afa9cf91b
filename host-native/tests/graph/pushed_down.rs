//! Neo4j pushed down: nothing is loaded, and the same is answered.

use std::sync::Arc;

use ebbtrace::{
    Service,
    clock::ManualClock,
    service::Options,
    store::{MemoryStore, Neo4jServer, Neo4jStore},
};
use ebbtrace_core::{ConnectInput, RecallInput, RememberInput, Timestamp, UpdateInput};

use crate::server::{alone, ask, named};

fn service(resident_limit: usize, now: i64) -> Service {
    let store = Neo4jStore::open(Neo4jServer { resident_limit, ..named() }).expect("a store");
    let clock = Box::new(Arc::new(ManualClock::new(Timestamp(now))));
    Service::open(Options { clock, ..Options::new(Box::new(store)) }).expect("a memory")
}

const NOW: i64 = 1_800_000_000_000;

fn remember(service: &Service, id: &str, content: &str, scope: Option<&str>) -> String {
    let input = RememberInput {
        id: Some(id.to_owned()),
        content: content.to_owned(),
        scope: scope.map(str::to_owned),
        ..RememberInput::default()
    };
    let remembered = service.remember(input).expect("stored");
    format!("{:?}", remembered.resolution)
}

fn found(service: &Service, query: &str, scope: Option<&str>) -> Vec<String> {
    let input =
        RecallInput { query: query.to_owned(), scope: scope.map(str::to_owned), peek: true, ..RecallInput::default() };
    let recalled = service.recall(input).expect("an answer");
    recalled.hits.iter().map(|hit| hit.memory.id.to_string()).collect()
}

/// What people ask, with the id of what answers, among a thousand others.
const ASKED: [(&str, &str, &str); 8] = [
    ("billing", "We bill customers by the outcome, not by the hour", "how do we bill customers?"),
    ("database", "The orders live in PostgreSQL 17 on the small machine", "where do the orders live?"),
    ("function", "parseUserConfig in src/config/loader.rs panics on an empty file", "why does parseUserConfig panic?"),
    (
        "korean",
        "\u{c2a4}\u{d14c}\u{c774}\u{c9d5} \u{c11c}\u{bc84}\u{b294} \u{c77c}\u{c694}\u{c77c}\u{c5d0} \u{cd08}\u{ae30}\u{d654}\u{b41c}\u{b2e4}",
        "\u{c2a4}\u{d14c}\u{c774}\u{c9d5} \u{c11c}\u{bc84}",
    ),
    ("error", "ERR_CONN-42 means that the proxy has run out of ports", "what is ERR_CONN-42?"),
    (
        "odd",
        "The flag --foo+bar:baz && (x || y) ~ \"quoted\" [a TO b] is not for production",
        "foo+bar:baz (x || y) \"quoted\" [a TO b]",
    ),
    ("picnic", "Maria brings lemonade to the summer picnic", "who brings the lemonade?"),
    ("bicycle", "The blue bicycle needs a new front tyre", "blue bicycle tyre"),
];

#[test]
fn neo4j_pushed_down_finds_what_a_loaded_memory_finds() {
    let _alone = alone();
    let loaded = service(usize::MAX, NOW);
    let filler: Vec<ebbtrace_core::Record> = {
        remember(&loaded, "first", "note number zero about nothing in particular", None);
        let mut records = Vec::new();
        loaded.export(None, |record| records.push(record)).expect("an export");
        let Some(ebbtrace_core::Record::Memory(first)) = records.first() else { panic!("a memory") };
        (0..1_000)
            .map(|number| {
                let mut memory = first.clone();
                memory.id = format!("note-{number}").as_str().try_into().expect("an id");
                memory.content = format!("entry {number} of the long list, with the word w{number:x} in it");
                ebbtrace_core::Record::Memory(memory)
            })
            .collect()
    };
    loaded.import(&filler).expect("imported");
    for (id, content, _) in ASKED {
        remember(&loaded, id, content, None);
    }
    let pushed = service(0, NOW);
    for (id, _, query) in ASKED {
        assert_eq!(found(&loaded, query, None).first().map(String::as_str), Some(id), "loaded: {query}");
        assert_eq!(found(&pushed, query, None).first().map(String::as_str), Some(id), "pushed down: {query}");
    }
    assert_eq!(found(&pushed, "w3e7", None).first().map(String::as_str), Some("note-999"));
    // What is known already, and what has changed, is noticed.
    let whole = Service::open(Options::new(Box::new(MemoryStore::new()))).expect("a memory");
    let mut records = Vec::new();
    loaded.export(None, |record| records.push(record)).expect("an export");
    whole.import(&records).expect("imported");
    let tell = |service: &Service, content: &str| {
        let input = RememberInput { content: content.to_owned(), ..RememberInput::default() };
        let remembered = service.remember(input).expect("stored");
        format!("{:?} of {:?}", remembered.resolution, remembered.similarity)
    };
    let mut resolutions = Vec::new();
    for new in [
        "We bill customers by the outcome, not by the hour",
        "The orders live in MySQL 17 on the small machine",
        "Maria no longer brings lemonade to the summer picnic",
        "The blue bicycle needs a new front tyre soon",
        "Something that nobody has spoken of: walruses",
    ] {
        let resolution = tell(&pushed, new);
        assert_eq!(resolution, tell(&whole, new), "{new}");
        resolutions.push(resolution);
    }
    assert!(resolutions.iter().any(|one| one.starts_with("Created")), "{resolutions:?}");
    assert!(resolutions.iter().any(|one| !one.starts_with("Created")), "{resolutions:?}");
    let link = ConnectInput { from: "picnic".to_owned(), to: "bicycle".to_owned(), ..ConnectInput::default() };
    pushed.connect(&link).expect("linked");
    let neighbors = pushed.neighbors(None, "picnic", Some(1), None, None).expect("neighbours");
    assert!(neighbors.items.iter().any(|neighbor| neighbor.memory.id.as_str() == "bicycle"));
    let content = Some("The red bicycle needs a new front tyre".to_owned());
    pushed.update(UpdateInput { id: "bicycle".to_owned(), content, ..UpdateInput::default() }).expect("edited");
    assert_eq!(pushed.history(None, "bicycle").expect("a history").versions.len(), 2);
    pushed.pin(None, "bicycle", true).expect("pinned");
    // Everything as a loaded memory has it.
    let all = |service: &Service| {
        let mut records = Vec::new();
        service.export(None, |record| records.push(serde_json::to_string(&record).expect("JSON"))).expect("all");
        records.sort();
        records
    };
    assert_eq!(all(&pushed), all(&service(usize::MAX, NOW)));
}

#[test]
fn g1_neo4j_pushed_down_keeps_scopes_apart() {
    let _alone = alone();
    let pushed = service(0, NOW);
    for scope in ["one", "another scope", "one more"] {
        remember(&pushed, "canary", &format!("The canary of {scope} sings at dawn"), Some(scope));
    }
    for scope in ["one", "another scope", "one more", "empty"] {
        let input = RecallInput {
            query: "which canary sings at dawn?".to_owned(),
            scope: Some(scope.to_owned()),
            ..RecallInput::default()
        };
        let recalled = pushed.recall(input).expect("an answer");
        assert_eq!(recalled.hits.len(), usize::from(scope != "empty"), "{scope}");
        assert!(recalled.hits.iter().all(|hit| hit.memory.scope.as_str() == scope));
    }
    assert!(pushed.memory(Some("empty"), "canary").is_err());
    assert_eq!(pushed.scopes().expect("scopes"), ["another scope", "one", "one more"]);
}

#[test]
fn a_limit_decides_whether_neo4j_is_pushed_down() {
    let _alone = alone();
    let few = service(3, NOW);
    for (number, (_, content, _)) in ASKED.iter().take(3).enumerate() {
        remember(&few, &format!("note-{number}"), content, None);
    }
    // Whether it is loaded shows in whether it sees what nobody put into the log.
    ask("MATCH (m:Memory {id: 'note-0'}) SET m.content = 'written behind its back'");
    let seen = |service: &Service| service.memory(None, "note-0").expect("a memory").content;
    let (loaded, pushed) = (service(4, NOW), service(3, NOW));
    ask("MATCH (m:Memory {id: 'note-0'}) SET m.content = 'written again'");
    assert_eq!((seen(&loaded).as_str(), seen(&pushed).as_str()), ("written behind its back", "written again"));
}
