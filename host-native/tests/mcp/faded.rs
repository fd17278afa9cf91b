//! A store of the system's present in which three memories wait to be let go.

use std::{path::Path, process::Command};

use rusqlite::Connection;

pub(crate) fn run(path: &Path, arguments: &[&str]) {
    let done = Command::new(env!("CARGO_BIN_EXE_ebbtrace")).args(arguments).arg("--db").arg(path).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// Three memories of 2024, not used since and not yet maintained.
pub(crate) fn store_old(path: &Path) {
    for (id, text) in [
        ("n1", "The projector in room four flickers"),
        ("n2", "Sam borrowed the blue adapter"),
        ("n3", "Coffee beans ran out on Tuesday"),
    ] {
        run(path, &["remember", text, "--id", id, "--importance", "0.2", "--now", "2024-01-01"]);
    }
}

/// The same, with a proposal about each: four commits.
pub(crate) fn store_faded(path: &Path) {
    store_old(path);
    run(path, &["maintain"]);
}

/// The memories there are, and whether each is pinned.
pub(crate) fn ids(path: &Path) -> Vec<(String, bool)> {
    let file = Connection::open(path).unwrap();
    let mut rows = file.prepare("SELECT id, pinned FROM memory ORDER BY id").unwrap();
    rows.query_map((), |row| Ok((row.get(0)?, row.get(1)?))).unwrap().collect::<Result<_, _>>().unwrap()
}
