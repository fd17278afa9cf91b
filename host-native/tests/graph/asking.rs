//! Moving a memory into a graph database, and asking it in Cypher.

use ebbtrace::{
    Service, Store,
    service::Options,
    store::{CopyError, Fault, FaultStore, Faults, MemoryStore, copy},
};
use ebbtrace_core::{ConnectInput, Record, RememberInput, Timestamp};
use serde_json::{Value, json};

/// A store with two scopes, a link, a superseded version, a pin and a memory whose text would break a question.
fn lived() -> MemoryStore {
    let store = MemoryStore::new();
    let service = Service::open(Options::new(Box::new(store.clone()))).expect("a memory");
    let remember = |id: &str, content: &str, scope: Option<&str>| {
        let input = RememberInput {
            id: Some(id.to_owned()),
            content: content.to_owned(),
            scope: scope.map(str::to_owned),
            ..RememberInput::default()
        };
        service.remember(input).expect("stored");
    };
    remember("deploy", "We deploy on Wednesdays, never on Fridays", None);
    remember("db", "The orders live in PostgreSQL 17 on the small machine", None);
    remember("db", "The orders live in MySQL 9 on the small machine", None);
    remember("odd", "A 'quote', a \"double\" one, a \\ and a } ]) in a text \u{1f600}", Some("other scope"));
    let link = ConnectInput { from: "deploy".to_owned(), to: "db".to_owned(), ..ConnectInput::default() };
    service.connect(&link).expect("linked");
    service.pin(None, "deploy", true).expect("pinned");
    service.close().expect("closed");
    store
}

fn records(store: &mut dyn Store) -> Vec<String> {
    let mut all = Vec::new();
    store.load(&mut |record: Record| all.push(serde_json::to_string(&record).expect("JSON"))).expect("a load");
    all.sort();
    all
}

/// Copies into the store that `open` opens, anew each time, and back.
fn moves(open: &dyn Fn() -> Box<dyn Store>) {
    let mut source = lived();
    // More than one page of records, so that there is something to go on with.
    let filler = Service::open(Options::new(Box::new(source.clone()))).expect("a memory");
    let batch: Vec<Record> = (0..4_500)
        .map(|number| {
            let Some(Record::Memory(mut memory)) = first(&source) else { panic!("a memory") };
            memory.id = format!("filler-{number}").as_str().try_into().expect("an id");
            memory.content = format!("filler number {number}");
            Record::Memory(memory)
        })
        .collect();
    filler.import(&batch).expect("imported");
    let now = Timestamp(1_800_000_000_000);
    // Broken off in its second page.
    let faults = Faults::new();
    let mut failing = FaultStore::new(MemoryStore::new(), faults.clone());
    faults.at(4, Fault::Fail);
    let broken = copy(&mut source, &mut failing, now, &mut |_, _| {});
    assert!(matches!(broken, Err(CopyError::Store(_))), "{broken:?}");
    let again = copy(&mut source, &mut failing, now, &mut |_, _| {}).expect("it goes on");
    assert!(again.written < again.records && again.written > 0, "{again:?}");
    // The same into the graph, by two calls.
    let mut told = Vec::new();
    let copied = copy(&mut source, open().as_mut(), now, &mut |done, all| told.push((done, all))).expect("copied");
    assert_eq!(
        (copied.written, told.first(), told.last()),
        (copied.records, Some(&(0, copied.records)), Some(&(copied.records, copied.records)))
    );
    assert!(told.len() >= 4, "{told:?}");
    assert_eq!(copied.digest, again.digest);
    let second = copy(&mut source, open().as_mut(), now, &mut |_, _| {}).expect("nothing to do");
    assert_eq!((second.written, &second.digest), (0, &copied.digest));
    assert_eq!(records(&mut source), records(open().as_mut()));
    let mut back = MemoryStore::new();
    assert_eq!(copy(open().as_mut(), &mut back, now, &mut |_, _| {}).expect("copied back").digest, copied.digest);
    // One that is in use is not written over.
    let service = Service::open(Options::new(open())).expect("a memory");
    service.reinforce(None, "db").expect("used");
    drop(service);
    let before = records(open().as_mut());
    let refused = copy(&mut source, open().as_mut(), now, &mut |_, _| {}).expect_err("it is in use");
    assert_eq!(refused.code(), "target_in_use", "{refused}");
    assert_eq!(records(open().as_mut()), before);
}

fn first(store: &MemoryStore) -> Option<Record> {
    let mut found = None;
    let mut keep = |record| {
        if let (Record::Memory(_), None) = (&record, &found) {
            found = Some(record);
        }
    };
    store.clone().load(&mut keep).expect("a load");
    found
}

/// Asks the store questions, and tries to write by them.
fn asks(mut store: Box<dyn Store>, writing: &[&str]) {
    copy(&mut lived(), store.as_mut(), Timestamp(1_800_000_000_000), &mut |_, _| {}).expect("copied");
    let before = records(store.as_mut());
    let mut asked = |cypher: &str| store.cypher(cypher);
    let linked =
        asked("MATCH (a:Memory)-[l:Link]->(b:Memory) WHERE a.id = 'deploy' RETURN a.id, l.weight AS weight, b.id");
    let linked = linked.expect("an answer");
    assert_eq!(linked.columns, ["a.id", "weight", "b.id"]);
    assert_eq!((&linked.rows[0][0], &linked.rows[0][2]), (&json!("deploy"), &json!("db")));
    let whole = asked("MATCH (m:Memory {id: 'odd'}) RETURN m").expect("an answer");
    let odd: &Value = &whole.rows[0][0];
    assert_eq!((odd["scope"].as_str(), odd["pinned"].as_bool()), (Some("other scope"), Some(false)), "{odd}");
    let none = asked("MATCH (m:Memory {id: 'nobody'}) RETURN m.id").expect("an answer");
    assert!(none.rows.is_empty());
    let counted =
        asked("MATCH (m:Memory) WHERE m.pinned RETURN count(m) AS pinned, collect(m.id) AS ids").expect("one");
    assert_eq!(counted.rows, [[json!(1), json!(["deploy"])]]);
    for cypher in writing {
        let refused = asked(cypher).expect_err(cypher);
        assert_eq!(refused.code(), "cypher_refused", "{cypher}: {refused}");
    }
    assert_eq!(records(store.as_mut()), before);
}

#[cfg(feature = "kuzu")]
mod kuzu {
    use std::fs;

    use ebbtrace::{Store, store::KuzuStore};

    #[test]
    fn a_memory_moves_into_kuzu_and_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("memory.kuzu");
        super::moves(&|| -> Box<dyn Store> { Box::new(KuzuStore::open(&path).expect("a store")) });
    }

    #[test]
    fn kuzu_answers_questions_and_is_not_written_by_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Box::new(KuzuStore::open(folder.path().join("memory.kuzu")).expect("a store"));
        let out = folder.path().join("out").display().to_string();
        let (copied, exported) =
            (format!("COPY (MATCH (m:Memory) RETURN m.id) TO '{out}.csv'"), format!("EXPORT DATABASE '{out}'"));
        let smuggled = format!("MATCH (m:Memory) RETURN m; {copied}");
        super::asks(
            store,
            &[
                "CREATE (:Memory {key: 'x'})",
                "MATCH (m:Memory) SET m.content = 'x'",
                "MATCH (m:Memory) DETACH DELETE m",
                "MATCH (m:Memory) RETURN m; CREATE (:Scope {name: 'x'})",
                "RETURN 1; COMMIT; CREATE (:Scope {name: 'x'})",
                "COMMIT",
                "DROP TABLE Link",
                "/* MATCH */ CREATE (:Scope {name: 'x'})",
                &copied,
                &exported,
                &smuggled,
                "nonsense",
                "",
            ],
        );
        let files: Vec<_> =
            fs::read_dir(folder.path()).expect("a folder").flatten().map(|file| file.file_name()).collect();
        assert!(files.iter().all(|name| name.to_string_lossy().starts_with("memory.kuzu")), "{files:?}");
    }
}

#[cfg(feature = "neo4j")]
mod neo4j {
    use ebbtrace::{Store, store::Neo4jStore};

    use crate::server::{alone, named};

    #[test]
    fn a_memory_moves_into_neo4j_and_back() {
        let _alone = alone();
        super::moves(&|| -> Box<dyn Store> { Box::new(Neo4jStore::open(named()).expect("a store")) });
    }

    #[test]
    fn neo4j_answers_questions_and_is_not_written_by_them() {
        let _alone = alone();
        super::asks(
            Box::new(Neo4jStore::open(named()).expect("a store")),
            &[
                "CREATE (:Memory {id: 'x'})",
                "MATCH (m:Memory) SET m.content = 'x'",
                "MATCH (m:Memory) DETACH DELETE m",
                "MATCH (m:Memory) RETURN m; CREATE (:Scope {name: 'x'})",
                "CREATE INDEX x FOR (m:Memory) ON (m.content)",
                "DROP CONSTRAINT ebbtrace_memory",
                "CALL db.createLabel('x')",
                "CALL { CREATE (:Scope {name: 'x'}) } IN TRANSACTIONS",
                "nonsense",
                "",
            ],
        );
    }
}
