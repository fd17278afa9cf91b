//! A store that can't be written can still be read: a file of another user, a read-only medium, a full disk.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{Connection, OpenFlags};

use super::{
    failure,
    open::{STATEMENTS, accept, cannot_open, immutable_uri, wait_for_others},
    schema::{self, FORMAT, Kind},
};
use crate::store::StoreError;

/// Opens the store at `path` to be read alone; nothing is made beside it where no log is there already.
///
/// # Errors
/// [`StoreError`].
pub(super) fn open(path: &Path) -> Result<Connection, StoreError> {
    open_within(path, None)
}

/// As [`open`], but waits no longer than `patience` for whoever has the store for itself, where that is given.
///
/// # Errors
/// [`StoreError`].
pub(super) fn open_within(path: &Path, patience: Option<Duration>) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    // Where somebody has the store open, what they write is in the log, and SQLite's locks are needed to read it.
    if beside(path, "-shm").exists() || has_log(path) {
        match Connection::open_with_flags(path, flags).map(|connection| prepare(connection, path, patience)) {
            Ok(Ok(connection)) => return Ok(connection),
            Ok(Err(known @ (StoreError::Newer { .. } | StoreError::Damaged { .. }))) => return Err(known),
            // Whoever can't wait is told so; whoever can has waited long enough to try without locks.
            Ok(Err(busy @ StoreError::Busy { .. })) if patience.is_some() => return Err(busy),
            Ok(Err(_)) | Err(_) => {}
        }
    }
    if has_log(path) {
        let reason = "its newest changes are in its log, which can't be read without the right to write beside it";
        return Err(cannot_open(path, reason.to_owned()));
    }
    let flags = flags | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(immutable_uri(path), flags);
    prepare(connection.map_err(|error| cannot_open(path, error.to_string()))?, path, patience)
}

fn prepare(mut connection: Connection, path: &Path, patience: Option<Duration>) -> Result<Connection, StoreError> {
    let failed = |error: rusqlite::Error| match patience {
        Some(patience) if failure::is_busy(&error) => StoreError::Busy { waited_ms: patience.as_millis() as u64 },
        _ => cannot_open(path, error.to_string()),
    };
    match patience {
        Some(patience) => connection.busy_timeout(patience),
        None => connection.busy_handler(Some(wait_for_others)),
    }
    .map_err(failed)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    let kind = schema::identify(&connection).map_err(failed)?;
    accept(kind, path)?;
    if kind != Kind::Ours(FORMAT) {
        let reason = "it is only read here, and it is empty or of an older form: a command that writes, such as `ebbtrace maintain`, \
             brings it up to date";
        return Err(cannot_open(path, reason.to_owned()));
    }
    Ok(connection)
}

/// Whether a log is there, of new changes or, where the file system can't do that, of a change that was cut short: the
/// file alone is not the whole store then.
fn has_log(path: &Path) -> bool {
    ["-wal", "-journal"].iter().any(|end| fs::metadata(beside(path, end)).is_ok_and(|found| found.len() > 0))
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name: OsString = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}
