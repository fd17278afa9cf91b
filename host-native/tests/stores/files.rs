//! What SQLite stores do with files: others' are left alone, older ones open, newer ones are refused, damage is kept.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    thread,
};

use ebbtrace::{
    CommitAnswer, Store, StoreError,
    store::{Damage, SqliteStore, StoreKind, open_store},
};
use ebbtrace_core::{Change, Operation, ProposedAction, Revision};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::samples::{
    commit, edge, entry, full, id, label, loaded, of, plain, proposal, put_edge, put_memory, put_proposal, put_scope,
    scope,
};

/// The format that is written today.
const FORMAT: i64 = 2;
/// One that nobody writes yet.
const NEWER: i64 = 99;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Every file of a folder with its bytes.
fn bytes(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
    files.map(|file| (file.clone(), fs::read(&file).expect("a readable file"))).collect()
}

/// A closed store with a little in it.
fn made(path: &Path) -> Vec<Change> {
    let changes = vec![
        put_memory(full("s", "a")),
        put_memory(plain("s", "b")),
        put_edge(edge("s", "a", "b", "r")),
        put_proposal(proposal("s", "b", ProposedAction::Delete)),
        put_scope("s", 3),
    ];
    let mut store = SqliteStore::open(path).expect("a store");
    commit(&mut store, 1, changes.clone());
    Box::new(store).close().expect("a clean end");
    changes
}

/// Opens what must be refused, twice, and checks that nothing in the folder has changed.
fn refused(path: &Path) -> StoreError {
    let folder = path.parent().expect("a folder");
    let before = bytes(folder);
    let error = SqliteStore::open(path).expect_err("it is no store");
    assert_eq!(SqliteStore::open(path).expect_err("it is no store"), error);
    assert_eq!(bytes(folder), before, "{error}");
    error
}

#[test]
fn a3_files_of_other_kinds_are_refused_as_they_are() {
    let noise: Vec<u8> = (0..20_000_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let mut header_alone = b"SQLite format 3\0".to_vec();
    header_alone.extend([7; 2_000]);
    for content in [&b"notes of mine\n"[..], b"{}", &noise, &header_alone, &[0; 4_096]] {
        let folder = folder();
        let path = folder.path().join("notes.txt");
        fs::write(&path, content).expect("a file");
        assert_eq!(refused(&path).code(), "store_damaged", "{:?}", &content[..2]);
    }
}

#[test]
fn a3_other_programs_databases_are_refused_as_they_are() {
    for (setup, journal) in [
        ("PRAGMA application_id = 77; CREATE TABLE t (a); INSERT INTO t VALUES (1)", "DELETE"),
        ("PRAGMA application_id = 77; CREATE TABLE t (a); INSERT INTO t VALUES (1)", "WAL"),
        ("CREATE TABLE memory (a); INSERT INTO memory VALUES (1)", "DELETE"),
        ("PRAGMA user_version = 3", "DELETE"),
    ] {
        let folder = folder();
        let path = folder.path().join("places.sqlite");
        let other = Connection::open(&path).expect("a database");
        other.pragma_update_and_check(None, "journal_mode", journal, |_| Ok(())).expect("a journal mode");
        other.execute_batch(setup).expect("a database of another program");
        drop(other);
        assert_eq!(refused(&path).code(), "store_damaged", "{setup}");
    }
}

#[test]
fn a_folder_is_refused_and_so_is_a_file_for_a_folder() {
    let folder = folder();
    assert_eq!(SqliteStore::open(folder.path()).expect_err("a folder").code(), "store_open");
    let file = folder.path().join("file");
    fs::write(&file, "text").expect("a file");
    assert_eq!(SqliteStore::open(file.join("memory.db")).expect_err("below a file").code(), "store_open");
    assert_eq!(fs::read(&file).expect("the file"), b"text");
}

#[test]
fn a_write_protected_store_is_read_and_not_written() {
    let folder = folder();
    let path = folder.path().join("memory.db");
    let changes = made(&path);
    let mut permissions = fs::metadata(&path).expect("a file").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).expect("permissions");
    let mut store = SqliteStore::open(&path).expect("a store");
    assert_eq!(loaded(&mut store), (1, of(&changes)));
    let late = entry(2, Operation::Remember, vec![put_memory(plain("s", "c"))]);
    // An administrator may write all the same.
    match fs::OpenOptions::new().append(true).open(&path) {
        Ok(_) => drop(store.commit(&late).expect("the right to write")),
        Err(_) => assert_eq!(store.commit(&late).expect_err("no right to write").code(), "store_read_only"),
    }
}

#[test]
fn a10_a_newer_store_is_refused_as_it_is() {
    let folder = folder();
    let path = folder.path().join("memory.db");
    made(&path);
    Connection::open(&path).and_then(|newer| newer.pragma_update(None, "user_version", NEWER)).expect("a newer store");
    let error = refused(&path);
    assert_eq!(error, StoreError::Newer { path: path.display().to_string(), found: NEWER, known: FORMAT });
}

#[test]
fn a10_a_store_that_becomes_newer_while_open_is_not_written_any_more() {
    let folder = folder();
    let path = folder.path().join("memory.db");
    let changes = made(&path);
    let mut store = SqliteStore::open(&path).expect("a store");
    let newer = Connection::open(&path).expect("a newer program");
    newer.pragma_update(None, "user_version", NEWER).expect("a newer format");
    let late = entry(2, Operation::Remember, vec![put_memory(plain("s", "c"))]);
    assert_eq!(store.commit(&late).expect_err("a newer format").code(), "store_newer");
    assert_eq!(store.load(&mut |_| {}).expect_err("a newer format").code(), "store_newer");
    // Its log holds the new format's mark; refusing it must not fold that into the file.
    let before = fs::read(&path).expect("the file");
    assert_eq!(SqliteStore::open(&path).expect_err("a newer format").code(), "store_newer");
    assert_eq!(fs::read(&path).expect("the file"), before);
    newer.pragma_update(None, "user_version", FORMAT).expect("the old format");
    assert_eq!(loaded(&mut store), (1, of(&changes)));
}

#[test]
fn a_newer_store_left_by_a_crash_is_refused_with_its_log_as_it_is() {
    let folder = folder();
    let path = folder.path().join("memory.db");
    made(&path);
    let newer = Connection::open(&path).expect("a newer program");
    newer.pragma_update(None, "user_version", NEWER).expect("a newer format");
    // What a crash of the newer program would leave: the file, and the mark of its format in the log alone.
    let crashed = self::folder();
    for name in ["memory.db", "memory.db-wal"] {
        fs::copy(folder.path().join(name), crashed.path().join(name)).expect("a copy");
    }
    let names = ["memory.db", "memory.db-wal"].map(|name| crashed.path().join(name));
    let before = names.each_ref().map(|name| fs::read(name).expect("a file"));
    assert_eq!(SqliteStore::open(&names[0]).expect_err("a newer format").code(), "store_newer");
    assert_eq!(names.each_ref().map(|name| fs::read(name).expect("a file")), before);
}

#[test]
fn a10_a_store_of_format_1_opens() {
    let folder = folder();
    let path = folder.path().join("memory.db");
    let old = Connection::open(&path).expect("a database");
    old.execute_batch(include_str!("format-1.sql")).expect("a store of format 1");
    drop(old);
    let mut archived = full("team", "decision:pricing");
    archived.content = "Yearly plans are shown first.".to_owned();
    (archived.source.editor, archived.source.shared) = (None, false);
    archived.metadata = serde_json::from_str(r#"{"ticket":12}"#).expect("an object");
    let embedding = archived.embedding.as_mut().expect("a vector");
    (embedding.model, embedding.values, embedding.scale) = ("minilm".into(), [1, -1, 127, -128].into(), 0.25);
    let mut replaced = plain("team", "01HOLD");
    replaced.state = ebbtrace_core::State::Superseded { by: id("decision:pricing"), at: ebbtrace_core::Timestamp(9) };
    let expected = [
        put_memory(archived),
        put_memory(replaced),
        put_edge(edge("team", "decision:pricing", "01HOLD", "supersedes")),
        put_proposal(proposal("team", "01HOLD", ProposedAction::Merge { into: id("decision:pricing") })),
        put_scope("team", 500),
    ];
    let mut store = SqliteStore::open(&path).expect("an old store");
    assert_eq!(loaded(&mut store), (7, of(&expected)));
    assert_eq!(store.damaged(), []);
    let deletion = Change::DeleteEdge(edge("team", "decision:pricing", "01HOLD", "semantic").key);
    let journal = store.changes_since(Revision(6));
    assert_eq!(journal, Ok(Some(vec![entry(7, Operation::Approve, vec![deletion])])));
    // Its journal doesn't reach back to before revision 6.
    assert_eq!(store.changes_since(Revision(5)), Ok(None));
}

#[test]
fn a3_a_log_without_its_store_is_not_wiped() {
    let folder = folder();
    let path = folder.path().join("memory.db");
    let log = folder.path().join("memory.db-wal");
    let mut store = SqliteStore::open(&path).expect("a store");
    commit(&mut store, 1, vec![put_memory(plain("s", "a"))]);
    let written = fs::read(&log).expect("a log");
    assert!(!written.is_empty());
    drop(store);
    fs::remove_file(&path).expect("the file is deleted");
    fs::write(&log, &written).expect("its log stays");
    assert_eq!(refused(&path).code(), "store_damaged");
}

#[test]
fn a6_damaged_rows_are_named_and_kept_and_the_rest_is_loaded() {
    let folder = folder();
    let path = folder.path().join("memory.db");
    let mut changes = made(&path);
    changes.extend(["c", "d", "e"].map(|name| put_memory(plain("s", name))));
    let mut store = SqliteStore::open(&path).expect("a store");
    commit(&mut store, 2, changes[5..].to_vec());
    let raw = Connection::open(&path).expect("a database");
    raw.execute_batch(
        "PRAGMA foreign_keys = OFF;
         UPDATE memory SET category = 'nonsense' WHERE id = 'b';
         UPDATE memory SET content = CAST(x'6162FF' AS TEXT) WHERE id = 'c';
         UPDATE memory SET kind = 999 WHERE id = 'd';",
    )
    .expect("damage");
    // `b` takes its edge and its proposal along.
    let readable = [put_memory(full("s", "a")), put_scope("s", 3), put_memory(plain("s", "e"))];
    assert_eq!(loaded(&mut store), (2, of(&readable)));
    let damage = |table, key: &str, column| Damage { table, key: key.to_owned(), column };
    let expected = [
        damage("memory", "2 b", "category"),
        damage("memory", "3 c", "content"),
        damage("memory", "4 d", "kind"),
        damage("edge", "1 2", "target"),
        damage("proposal", "2 delete", "memory"),
    ];
    assert_eq!(store.damaged(), expected);
    commit(&mut store, 3, vec![put_memory(plain("s", "f"))]);
    let count: i64 = raw.query_row("SELECT count(*) FROM memory", (), |row| row.get(0)).expect("a count");
    assert_eq!(count, 6, "what can't be read is still there");
    raw.execute_batch("UPDATE memory SET category = 'fact' WHERE id = 'b'").expect("a repair");
    assert_eq!(loaded(&mut store).1.len(), 7);
    assert_eq!(store.damaged().len(), 2);
}

#[test]
fn a_damaged_journal_row_sends_readers_to_the_records() {
    let folder = folder();
    let path = folder.path().join("memory.db");
    made(&path);
    let mut store = SqliteStore::open(&path).expect("a store");
    commit(&mut store, 2, vec![put_memory(plain("s", "c"))]);
    commit(&mut store, 3, vec![put_memory(plain("s", "d"))]);
    let raw = Connection::open(&path).expect("a database");
    raw.execute_batch("UPDATE journal SET changes = '[{' WHERE revision = 2").expect("damage");
    assert_eq!(store.changes_since(Revision(1)), Ok(None));
    assert_eq!(store.changes_since(Revision(2)).map(|later| later.map(|later| later.len())), Ok(Some(1)));
    raw.execute_batch("DELETE FROM journal WHERE revision = 3").expect("damage");
    assert_eq!(store.changes_since(Revision(2)), Ok(None));
}

#[test]
fn an_entry_too_large_for_the_journal_sends_readers_to_the_records() {
    let folder = folder();
    let path = folder.path().join("memory.db");
    let (mut store, mut reader) = (SqliteStore::open(&path).expect("a store"), SqliteStore::open(&path).expect("one"));
    // 17 MiB of text: 272 memories of 64 KiB.
    let large = |number| ebbtrace_core::Memory { content: "x".repeat(65_536), ..plain("s", &format!("m{number}")) };
    let changes: Vec<Change> = (0..272).map(|number| put_memory(large(number))).collect();
    commit(&mut store, 1, changes);
    commit(&mut store, 2, vec![put_memory(plain("s", "small"))]);
    assert_eq!(reader.changes_since(Revision(0)), Ok(None));
    assert_eq!(reader.changes_since(Revision(1)).map(|later| later.map(|later| later.len())), Ok(Some(1)));
    assert_eq!(loaded(&mut reader).1.len(), 273);
}

#[test]
fn a3_a_torn_page_is_reported_and_nothing_is_wiped() {
    let folder = folder();
    let path = folder.path().join("memory.db");
    let mut store = SqliteStore::open(&path).expect("a store");
    let many = (0..500).map(|number| put_memory(full("s", &format!("m{number}")))).collect();
    commit(&mut store, 1, many);
    Box::new(store).close().expect("a clean end");
    let mut content = fs::read(&path).expect("the file");
    let length = content.len();
    // The newest rows are in the journal, behind the memories.
    content[length / 8..length / 2].fill(0xA5);
    fs::write(&path, &content).expect("damage");
    let mut store = SqliteStore::open(&path).expect("its header is whole");
    assert_eq!(store.load(&mut |_| {}).expect_err("half of it is gone").code(), "store_damaged");
    drop(store);
    assert_eq!(fs::read(&path).expect("the file"), content);
}

#[test]
fn parent_folders_are_made_and_odd_names_are_names() {
    let folder = folder();
    let path = folder.path().join("a/b c/50% #1?mode=memory&x.db");
    let changes = made(&path);
    assert!(path.is_file());
    let mut store = open_store(StoreKind::Sqlite, Some(&path), None).expect("a store");
    assert_eq!(loaded(store.as_mut()), (1, of(&changes)));
    assert_eq!(loaded(open_store(StoreKind::Memory, None, None).expect("a store").as_mut()).0, 0);
}

#[test]
fn many_threads_make_one_store_at_once() {
    for _ in 0..10 {
        let folder = folder();
        let path = folder.path().join("new/memory.db");
        thread::scope(|threads| {
            for writer in 0..8 {
                let path = &path;
                threads.spawn(move || {
                    let mut store = SqliteStore::open(path).expect("a store");
                    loop {
                        let next = loaded(&mut store).0 + 1;
                        let memory = put_memory(plain("s", &format!("writer-{writer}")));
                        match store.commit(&entry(next, Operation::Remember, vec![memory])) {
                            Ok(CommitAnswer::Committed) => break,
                            answer => assert_eq!(answer, Ok(CommitAnswer::Conflict)),
                        }
                    }
                });
            }
        });
        let (revision, records) = loaded(&mut SqliteStore::open(&path).expect("a store"));
        assert_eq!((revision, records.len()), (8, 8));
    }
}

#[test]
fn a_memory_of_one_scope_is_no_end_for_an_edge_of_another() {
    let folder = folder();
    let path = folder.path().join("memory.db");
    let mut store = SqliteStore::open(&path).expect("a store");
    commit(&mut store, 1, vec![put_memory(plain("s", "a")), put_memory(plain("t", "b"))]);
    let raw = Connection::open(&path).expect("a database");
    let crossing = "INSERT INTO label (name) VALUES ('r');
        INSERT INTO edge SELECT 1, 2, key, 1.0, 0, 0 FROM label WHERE name = 'r'";
    raw.execute_batch(crossing).expect("an edge that Ebbtrace would not write");
    assert_eq!(loaded(&mut store).1.len(), 2, "{:?} {:?}", scope("s"), label("r"));
    assert_eq!(store.damaged().len(), 1);
}

#[test]
fn a_reservation_keeps_writers_out_and_readers_in() {
    let folder = folder();
    let path = folder.path().join("memory.db");
    let changes = made(&path);
    let (mut first, mut second) = (SqliteStore::open(&path).expect("a store"), SqliteStore::open(&path).expect("one"));
    assert_eq!(first.reserve(), Ok(true));
    assert_eq!(second.reserve(), Ok(false));
    assert_eq!(loaded(&mut second), (1, of(&changes)));
    assert_eq!(loaded(&mut SqliteStore::open(&path).expect("a third")), (1, of(&changes)));
    commit(&mut first, 2, vec![]);
    assert_eq!(second.reserve(), Ok(true));
    assert_eq!(first.reserve(), Ok(false));
    drop(second);
    assert_eq!(first.reserve(), Ok(true));
}

#[cfg(unix)]
#[test]
fn nothing_is_acknowledged_into_a_file_that_is_gone() {
    let folder = folder();
    let path = folder.path().join("memory.db");
    let changes = made(&path);
    let aside = folder.path().join("aside.db");
    let mut store = SqliteStore::open(&path).expect("a store");
    let late = entry(2, Operation::Remember, vec![put_memory(plain("s", "c"))]);
    fs::rename(&path, &aside).expect("the file is moved");
    assert_eq!(store.commit(&late).expect_err("no file").code(), "store_open");
    fs::copy(&aside, &path).expect("another file comes");
    assert_eq!(store.commit(&late).expect_err("another file").code(), "store_open");
    fs::rename(&aside, &path).expect("the file is back");
    assert_eq!(store.commit(&late), Ok(CommitAnswer::Committed));
    assert_eq!(loaded(&mut SqliteStore::open(&path).expect("a store")).1.len(), changes.len() + 1);
}
