//! Law 7 in the file: what is purged is in no table, no journal row and no unused byte.

use std::{fs, path::Path};

use ebbtrace::{
    CommitAnswer, Store,
    store::{MemoryStore, SqliteStore},
};
use ebbtrace_core::{Change, JournalEntry, Memory, Operation, ProposedAction, Revision, State, Timestamp};

use crate::samples::{
    commit, edge, entry, id, label, loaded, plain, proposal, put_edge, put_memory, put_proposal, scope,
};

const SECRET: &str = "zebra-crossing-4711";

/// A memory long enough to spill over several pages, with the secret at its end.
fn secret(at: &str, name: &str) -> Memory {
    let content = format!("{} {SECRET}", "so it goes on and on ".repeat(700));
    Memory { content, ..plain(at, name) }
}

fn touch(name: &str) -> Change {
    Change::Touch {
        scope: scope("s"),
        id: id(name),
        last_accessed_at: Timestamp(50),
        recalled_at: Some(Timestamp(50)),
        recall_count: 1,
    }
}

/// A life of a secret memory among others, up to its deletion.
fn life() -> Vec<JournalEntry> {
    let others = [put_memory(plain("s", "b")), put_memory(secret("t", "a")), put_memory(plain("s", "a and b"))];
    let links = [edge("s", "a", "b", "r"), edge("s", "b", "a", "r")].map(put_edge);
    let question = put_proposal(proposal("s", "a", ProposedAction::Delete));
    vec![
        entry(1, Operation::Import, [&others[..], &[put_memory(secret("s", "a"))], &links[..]].concat()),
        entry(2, Operation::Recall, vec![touch("a"), touch("b")]),
        entry(3, Operation::Update, vec![put_memory(plain("s", "a"))]),
        entry(4, Operation::Maintain, vec![question]),
        entry(5, Operation::Approve, vec![Change::DeleteMemory { scope: scope("s"), id: id("a") }]),
    ]
}

/// How often the secret is in the bytes of the store's file and its log.
fn copies(path: &Path) -> usize {
    let folder = path.parent().expect("a folder");
    let files = fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
    let of = |bytes: &[u8]| bytes.windows(SECRET.len()).filter(|window| *window == SECRET.as_bytes()).count();
    files.map(|file| of(&fs::read(file).expect("a readable file"))).sum()
}

#[test]
fn a_purged_text_is_in_no_byte_of_the_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    purged(&mut SqliteStore::open(&path).expect("a store"), &path);
}

#[cfg(feature = "kuzu")]
#[test]
fn g2_a_purged_text_is_in_no_byte_of_kuzu_s_files() {
    use ebbtrace::store::KuzuStore;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.kuzu");
    let mut store = KuzuStore::open(&path).expect("a store");
    purged(&mut store, &path);
    assert!(store.files_clean() && store.has_cleaned_files());
    // A reader delays it, and does not prevent it; what is known of the journal stays.
    commit(&mut store, 7, vec![put_memory(secret("s", "late"))]);
    let mut reader = KuzuStore::open(&path).expect("a second handle");
    let mut waiting = Some(vec![Change::DeleteMemory { scope: scope("s"), id: id("late") }]);
    reader
        .load(&mut |_| {
            if let Some(delete) = waiting.take() {
                commit(&mut store, 8, delete);
                assert!(copies(&path) > 0 && !store.files_clean(), "somebody reads");
            }
        })
        .expect("a load");
    assert!(reader.files_clean() && reader.has_cleaned_files());
    assert_eq!((copies(&path), loaded(&mut store).1.len()), (0, 2));
    let mut told = Vec::new();
    store
        .journal(&mut |logged| {
            told.push(logged.revision.0);
            true
        })
        .expect("a journal");
    assert_eq!(told, [8, 7, 6, 5, 4, 3, 2, 1]);
    assert_eq!(store.changes_since(Revision(8)), Ok(Some(vec![])));
}

/// Every property of every node on the server, as JSON.
#[cfg(feature = "neo4j")]
fn properties() -> String {
    crate::server::ask("MATCH (n) RETURN properties(n) AS row").join("\n")
}

#[cfg(feature = "neo4j")]
#[test]
fn g2_a_purged_text_is_in_no_property_of_neo4j() {
    let _alone = crate::server::alone();
    let mut store = ebbtrace::store::Neo4jStore::open(crate::server::named()).expect("a store");
    for entry in &life() {
        assert_eq!(store.commit(entry), Ok(CommitAnswer::Committed));
    }
    assert_eq!(properties().matches(SECRET).count(), 3, "of the other scope: its text, its terms, its journal row");
    commit(&mut store, 6, vec![Change::DeleteMemory { scope: scope("t"), id: id("a") }]);
    assert_eq!(properties().matches(SECRET).count(), 0);
    let changes = [put_memory(secret("s", "c")), Change::DeleteMemory { scope: scope("s"), id: id("c") }];
    commit(&mut store, 7, changes.to_vec());
    assert_eq!(properties().matches(SECRET).count(), 0);
}

/// Lives the life, and looks for what it deletes in the files.
fn purged(store: &mut dyn Store, path: &Path) {
    let entries = life();
    for entry in &entries[..4] {
        assert_eq!(store.commit(entry), Ok(CommitAnswer::Committed));
    }
    // The memory and its journal row, twice: one of each is in the other scope.
    assert!(copies(path) >= 4, "the secret should have been there: {}", copies(path));
    assert_eq!(store.commit(&entries[4]), Ok(CommitAnswer::Committed));
    let kept = copies(path);
    assert_eq!(kept, 2, "only the other scope's memory and its journal row may remain");
    let other = Change::DeleteMemory { scope: scope("t"), id: id("a") };
    commit(store, 6, vec![other]);
    assert_eq!(copies(path), 0);
    assert_eq!(loaded(store).1.len(), 2);
}

#[test]
fn whoever_was_behind_a_purge_loads_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = SqliteStore::open(folder.path().join("memory.db")).expect("a store");
    let mut model = MemoryStore::new();
    for entry in &life() {
        assert_eq!(store.commit(entry), Ok(CommitAnswer::Committed));
        assert_eq!(model.commit(entry), Ok(CommitAnswer::Committed));
    }
    for known in 0..5 {
        assert_eq!(store.changes_since(Revision(known)), Ok(None), "behind at {known}");
    }
    assert_eq!(store.changes_since(Revision(5)), Ok(Some(vec![])));
    assert_eq!(loaded(&mut model), loaded(&mut store));
}

#[test]
fn what_names_a_purged_memory_is_in_no_row() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    let mut store = SqliteStore::open(&path).expect("a store");
    let about = |name: &str| Memory { kind: label("about-zebras"), ..plain("s", name) };
    let behind = State::Superseded { by: id(SECRET), at: Timestamp(3) };
    let first = vec![
        put_memory(about(SECRET)),
        put_memory(Memory { state: behind, ..plain("s", "old") }),
        put_memory(plain("s", "b")),
        put_proposal(proposal("s", "b", ProposedAction::Merge { into: id(SECRET) })),
        put_edge(edge("s", SECRET, "b", "hides-from")),
        put_edge(edge("s", "b", "old", "knows")),
    ];
    commit(&mut store, 1, first);
    let question = proposal("s", SECRET, ProposedAction::Delete);
    commit(&mut store, 2, vec![put_proposal(question)]);
    let last = vec![
        Change::DeleteProposal { scope: scope("s"), id: id(SECRET) },
        put_memory(plain("s", "old")),
        Change::DeleteProposal { scope: scope("s"), id: id("b") },
        Change::DeleteMemory { scope: scope("s"), id: id(SECRET) },
    ];
    commit(&mut store, 3, last);
    assert_eq!(copies(&path), 0);
    let raw = rusqlite::Connection::open(&path).expect("a database");
    let mut labels = raw.prepare("SELECT name FROM label ORDER BY name").expect("a table");
    let labels: Vec<String> =
        labels.query_map((), |row| row.get(0)).expect("rows").collect::<Result<_, _>>().expect("names");
    assert_eq!(labels, ["knows", "note"], "a kind and a relation tell too what was purged");
    // What the journal says of the others is still there.
    let kept: String =
        raw.query_row("SELECT changes FROM journal WHERE revision = 1", (), |row| row.get(0)).expect("one");
    assert!(kept.contains("\"b\"") && kept.contains("knows"), "{kept}");
}

#[test]
fn a_reader_delays_the_emptying_of_the_log_and_does_not_prevent_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    let mut store = SqliteStore::open(&path).expect("a store");
    commit(&mut store, 1, vec![put_memory(secret("s", "a")), put_memory(plain("s", "b"))]);
    let reader = rusqlite::Connection::open(&path).expect("a reader");
    reader.execute_batch("BEGIN; SELECT * FROM memory;").expect("a reading transaction");
    commit(&mut store, 2, vec![Change::DeleteMemory { scope: scope("s"), id: id("a") }]);
    assert_eq!(loaded(&mut store).1.len(), 1);
    assert!(copies(&path) > 0, "a reader still sees the old pages");
    reader.execute_batch("COMMIT").expect("the end of the reading");
    commit(&mut store, 3, vec![put_memory(plain("s", "c"))]);
    assert_eq!(copies(&path), 0);
}

#[test]
fn a_memory_that_comes_and_goes_in_one_entry_is_not_in_the_journal() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    let mut store = SqliteStore::open(&path).expect("a store");
    let delete = || Change::DeleteMemory { scope: scope("s"), id: id("a") };
    let changes = [put_memory(secret("s", "a")), delete(), put_memory(plain("s", "a")), delete()];
    commit(&mut store, 1, [&changes[..], &[put_memory(plain("s", "a"))]].concat());
    assert_eq!(copies(&path), 0);
    assert_eq!(loaded(&mut store).1.len(), 1);
}

#[test]
fn g2_whoever_comes_next_finishes_what_a_reader_delayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    let mut store = SqliteStore::open(&path).expect("a store");
    let mut running = SqliteStore::open(&path).expect("a running server's store");
    commit(&mut store, 1, vec![put_memory(secret("s", "a")), put_memory(plain("s", "b"))]);
    assert_eq!(loaded(&mut running).1.len(), 2);
    assert!(store.files_clean() && running.files_clean());
    let reader = rusqlite::Connection::open(&path).expect("a reader");
    reader.execute_batch("BEGIN; SELECT * FROM memory;").expect("a reading transaction");
    commit(&mut store, 2, vec![Change::DeleteMemory { scope: scope("s"), id: id("a") }]);
    assert!(!store.files_clean(), "it is in the log still");
    // The process that deleted is gone; those left know from the store alone.
    Box::new(store).close().expect("closed");
    let mut next = SqliteStore::open(&path).expect("a store");
    assert_eq!(loaded(&mut next).1.len(), 1);
    assert!(!next.files_clean());
    assert_eq!(running.changes_since(Revision(1)), Ok(None));
    assert_eq!(loaded(&mut running).1.len(), 1);
    assert!(!running.files_clean());
    assert!(copies(&path) > 0);
    reader.execute_batch("COMMIT").expect("the end of the reading");
    // The server's next question does it.
    assert_eq!(running.changes_since(Revision(2)), Ok(Some(vec![])));
    assert_eq!(copies(&path), 0);
    assert!(next.files_clean());
    let open: i64 = reader.query_row("SELECT count(*) FROM deletion", (), |row| row.get(0)).expect("the table");
    assert_eq!(open, 0, "it is struck out");
}
