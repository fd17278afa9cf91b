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

/// A store that its reader may not write. Whoever runs the tests as an administrator, who may write everything, has the
/// program run as nobody.
#[cfg(unix)]
mod read_only {
    use std::{
        fs::Permissions,
        os::unix::{fs::PermissionsExt, process::CommandExt},
        process::Command,
    };

    use serde_json::json;

    use super::*;
    use crate::support::{Ran, ended};

    const NOBODY: u32 = 65_534;

    fn set(path: &std::path::Path, mode: u32) {
        fs::set_permissions(path, Permissions::from_mode(mode)).expect("a file of ours");
    }

    fn run(home: &Home, arguments: &[&str]) -> Ran {
        let mut command: Command = home.command(arguments);
        if fs::OpenOptions::new().append(true).open(home.path().join("memory.db")).is_ok() {
            // Nobody else can reach into every folder that programs are built in.
            let program = home.path().join("program");
            if !program.exists() && fs::hard_link(command.get_program(), &program).is_err() {
                fs::copy(command.get_program(), &program).expect("room for the program");
            }
            command = home.command_of(&program, arguments);
            command.uid(NOBODY).gid(NOBODY);
        }
        ended(command)
    }

    fn home() -> Home {
        let home = Home::new();
        home.remember("The tram stops at the harbour", &["--id", "tram"]);
        home.remember("Lunch is at noon", &["--id", "lunch", "--link", "tram"]);
        home
    }

    fn reads(home: &Home) {
        let before = fs::read(home.path().join("memory.db")).expect("the store");
        let found = run(home, &["recall", "where does the tram stop?", "--json"]).object();
        assert_eq!(found["hits"][0]["memory"]["id"], "tram", "{found}");
        let notice = found["notices"][0].as_str().expect("a notice");
        assert!(notice.starts_with("This use was not recorded"), "{found}");
        assert_eq!(run(home, &["stats", "--json"]).object()["memories"], 2);
        assert_eq!(run(home, &["neighbors", "tram", "--json"]).object()["total"], 1);
        for verb in [&["export"][..], &["forecast", "tram"], &["review", "--list"], &["maintain", "--dry-run"]] {
            let ran = run(home, verb);
            assert_eq!(ran.code, Some(0), "{verb:?}: {ran:?}");
        }
        for verb in [&["remember", "A new one"][..], &["forget", "tram"], &["maintain"], &["pin", "tram"]] {
            let ran = run(home, verb);
            assert!(ran.code == Some(1) && ran.stderr.starts_with("error[store_read_only]: "), "{verb:?}: {ran:?}");
            assert!(ran.stderr.contains("next step: Nothing was written."), "{ran:?}");
        }
        assert_eq!(fs::read(home.path().join("memory.db")).expect("the store"), before);
    }

    #[test]
    fn a_store_that_can_t_be_written_is_read() {
        let home = home();
        for (file, folder) in [(0o444, 0o555), (0o444, 0o777), (0o666, 0o555)] {
            set(&home.path().join("memory.db"), file);
            set(home.path(), folder);
            reads(&home);
            let files = fs::read_dir(home.path()).expect("the folder").filter_map(Result::ok);
            let names: Vec<_> = files.map(|file| file.file_name()).filter(|name| name != "program").collect();
            assert_eq!(names, ["memory.db"], "a log was left beside the file: {file:o} in {folder:o}");
        }
        set(home.path(), 0o755);
        set(&home.path().join("memory.db"), 0o600);
        home.remember("And written again", &[]);
        assert_eq!(home.count("memory"), 3);
    }

    #[test]
    fn what_its_owner_writes_meanwhile_is_read() {
        let home = home();
        let owner = rusqlite::Connection::open(home.path().join("memory.db")).expect("the store");
        owner
            .execute_batch("UPDATE memory SET content = 'The tram stops at the market' WHERE id = 'tram'")
            .expect("a log");
        for name in ["memory.db", "memory.db-wal", "memory.db-shm"] {
            set(&home.path().join(name), 0o444);
        }
        set(home.path(), 0o555);
        let found = run(&home, &["recall", "where does the tram stop?", "--json"]).object();
        assert_eq!(found["hits"][0]["memory"]["content"], "The tram stops at the market");
        set(home.path(), 0o755);
    }

    #[test]
    fn what_is_not_the_whole_store_is_not_taken_for_it() {
        // A log that its reader can't use holds what is newest.
        let home = home();
        let owner = rusqlite::Connection::open(home.path().join("memory.db")).expect("the store");
        owner
            .execute_batch("UPDATE memory SET content = 'The tram stops at the market' WHERE id = 'tram'")
            .expect("a log");
        fs::copy(home.path().join("memory.db-wal"), home.path().join("kept")).expect("a copy");
        drop(owner);
        let other = self::home();
        for (from, to) in [("memory.db", "memory.db"), ("kept", "memory.db-wal")] {
            fs::copy(home.path().join(from), other.path().join(to)).expect("a copy");
            set(&other.path().join(to), 0o444);
        }
        set(other.path(), 0o555);
        let ran = run(&other, &["recall", "where does the tram stop?"]);
        assert!(ran.code == Some(1) && ran.stderr.starts_with("error[store_open]"), "{ran:?}");
        assert!(ran.stderr.contains("its newest changes are in its log"), "{ran:?}");
        set(other.path(), 0o755);
    }

    #[test]
    fn a_store_that_nobody_can_write_to_is_read() {
        let home = home();
        // No file may grow: as on a full disk, but for everyone.
        let program = env!("CARGO_BIN_EXE_ebbtrace");
        let shell = |arguments: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", &format!("trap '' XFSZ; ulimit -f 0; exec {program} {arguments}")]);
            command.env("EBBTRACE_DB", home.path().join("memory.db")).current_dir(home.path());
            ended(command)
        };
        let found = shell("recall 'where does the tram stop?' --json").object();
        assert_eq!(found["hits"][0]["memory"]["id"], "tram", "{found}");
        assert!(found["notices"][0].as_str().is_some_and(|said| said.contains("not recorded")), "{found}");
        assert_eq!(shell("remember 'A new one' --json").object()["error"]["code"], json!("store_read_only"));
        assert_eq!(home.count("memory"), 2);
    }
}
