//! What must never be lost or shown: the store, an earlier export.

use std::fs;

use super::support::Home;

/// Every file of the store, and what is in it.
fn files(home: &Home) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(home.path())
        .expect("the folder")
        .map(|entry| entry.expect("an entry"))
        .filter(|entry| entry.path().is_file())
        .map(|entry| (entry.file_name().into_string().expect("UTF-8"), fs::read(entry.path()).expect("bytes")))
        .collect();
    files.sort();
    files
}

#[test]
fn an_export_never_overwrites_a_store() {
    let home = Home::new();
    home.remember("Not to be lost", &["--id", "a"]);
    home.json(&["remember", "In another store", "--db", "other.db"]);
    fs::create_dir(home.path().join("below")).expect("a folder");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("memory.db", home.path().join("soft.jsonl")).expect("a link");
        fs::hard_link(home.path().join("memory.db"), home.path().join("hard.jsonl")).expect("a link");
    }
    let whole = home.path().join("memory.db");
    let before = (files(&home), home.records());
    let mut targets = vec!["memory.db", "./below/../memory.db", "memory.db-wal", "memory.db-shm", "memory.db-journal"];
    targets.extend([whole.to_str().expect("UTF-8"), "other.db", "other.db-wal", "below/../other.db-shm"]);
    #[cfg(unix)]
    targets.extend(["soft.jsonl", "hard.jsonl"]);
    for target in targets {
        assert_eq!(home.refused(&["export", "-o", target], "output_is_store"), "output", "{target}");
        // From a store in memory too: whichever is open, a store is lost.
        if !target.contains('-') {
            home.refused(&["export", "-o", target, "--store", "memory"], "output_is_store");
        }
    }
    assert_eq!((files(&home), home.records()), before);
    home.text(&["export", "-o", "memory.db.jsonl"]);
}

#[test]
fn a_log_in_use_is_not_overwritten() {
    let home = Home::new();
    home.remember("Not to be lost", &["--id", "a"]);
    // Another process has the store open, so that its log is there.
    let other = rusqlite::Connection::open(home.path().join("memory.db")).expect("the store");
    other.execute_batch("CREATE TABLE x (y); DROP TABLE x").expect("a log");
    assert!(home.path().join("memory.db-wal").metadata().expect("a log").len() > 0);
    fs::hard_link(home.path().join("memory.db-wal"), home.path().join("hard.jsonl")).expect("a link");
    for target in ["memory.db-wal", "memory.db-shm", "hard.jsonl"] {
        home.refused(&["export", "-o", target], "output_is_store");
    }
    drop(other);
    assert_eq!(home.count("memory"), 1);
}

#[cfg(unix)]
mod rights {
    use std::{fs::Permissions, os::unix::fs::PermissionsExt};

    use super::*;

    fn rights(home: &Home, name: &str) -> u32 {
        fs::metadata(home.path().join(name)).expect("a file").permissions().mode() & 0o777
    }

    fn set(home: &Home, name: &str, mode: u32) {
        fs::set_permissions(home.path().join(name), Permissions::from_mode(mode)).expect("a file of ours");
    }

    #[test]
    fn what_is_remembered_is_its_owners_alone() {
        let home = Home::new();
        home.remember("Nobody else's business", &[]);
        home.text(&["export", "-o", "out.jsonl"]);
        assert_eq!((rights(&home, "memory.db"), rights(&home, "out.jsonl")), (0o600, 0o600));
        // The log has the file's rights.
        let other = rusqlite::Connection::open(home.path().join("memory.db")).expect("the store");
        other.execute_batch("CREATE TABLE x (y); DROP TABLE x").expect("a log");
        assert_eq!(rights(&home, "memory.db-wal"), 0o600);
    }

    #[test]
    fn whoever_gave_others_a_right_keeps_giving_it() {
        let home = Home::new();
        home.remember("Of the whole team", &[]);
        home.file("out.jsonl", "older");
        set(&home, "memory.db", 0o640);
        set(&home, "out.jsonl", 0o644);
        home.text(&["export", "-o", "out.jsonl"]);
        home.remember("Another one", &[]);
        assert_eq!((rights(&home, "memory.db"), rights(&home, "out.jsonl")), (0o640, 0o644));
        // A backup that is protected from writing is not replaced.
        set(&home, "out.jsonl", 0o444);
        let before = fs::read(home.path().join("out.jsonl")).expect("the export");
        assert_eq!(home.refused(&["export", "-o", "out.jsonl"], "unwritable"), "output");
        assert_eq!(fs::read(home.path().join("out.jsonl")).expect("the export"), before);
    }
}
