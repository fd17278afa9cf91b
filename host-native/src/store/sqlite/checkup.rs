//! A look at the whole of a store, for whoever wants to know whether it is sound. Nothing is written.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{Connection, OpenFlags, config::DbConfig};

use super::{Damage, failure, purge, read, reading};
use crate::store::StoreError;

/// How long a store is waited for that another process has for itself.
const PATIENCE: Duration = Duration::from_secs(2);

/// Complaints of SQLite that are shown.
const COMPLAINTS: usize = 5;

/// What was found.
#[derive(Debug)]
pub(crate) struct Checkup {
    /// What SQLite finds wrong with the file, at most [`COMPLAINTS`].
    pub(crate) faults: Vec<String>,
    /// Rows that can't be read.
    pub(crate) damage: Vec<Damage>,
    /// How many memories each scope holds, by name.
    pub(crate) scopes: Vec<(String, i64)>,
    /// How many edges there are.
    pub(crate) edges: i64,
    /// How many memories have a vector of each model.
    pub(crate) vectors: Vec<(String, i64)>,
    /// Whether the log may hold the text of a memory that was deleted.
    pub(crate) deleted_in_log: bool,
    /// `wal`, where writers and readers don't wait for each other.
    pub(crate) journal_mode: String,
}

impl Checkup {
    /// Looks at the store at `path`.
    ///
    /// # Errors
    /// [`StoreError`]: it can't be opened, or is no store.
    pub(crate) fn of(path: &Path) -> Result<Self, StoreError> {
        let connection = reading::open_within(path, Some(PATIENCE))?;
        let failed = |error: rusqlite::Error| failure::on_use(path, "reading", &error);
        let faults = faults(&connection).map_err(failed)?;
        let counts = |sql: &str| -> rusqlite::Result<Vec<(String, i64)>> {
            connection.prepare(sql)?.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        };
        let scopes =
            "SELECT name, (SELECT count(*) FROM memory WHERE memory.scope = scope.key) FROM scope ORDER BY name";
        let vectors = "SELECT name, count(*) FROM memory JOIN label ON label.key = embedding_model GROUP BY name";
        Ok(Self {
            faults,
            damage: read::records(&connection, &mut |_| {}).map_err(failed)?,
            scopes: counts(scopes).map_err(failed)?,
            edges: connection.query_row("SELECT count(*) FROM edge", (), |row| row.get(0)).map_err(failed)?,
            vectors: counts(vectors).map_err(failed)?,
            deleted_in_log: purge::unfinished(&connection).map_err(failed)?.is_some(),
            journal_mode: connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).map_err(failed)?,
        })
    }
}

fn faults(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let sql = format!("PRAGMA quick_check({COMPLAINTS})");
    let said: Vec<String> = connection.prepare(&sql)?.query_map((), |row| row.get(0))?.collect::<Result<_, _>>()?;
    Ok(said.into_iter().filter(|fault| fault != "ok").collect())
}

/// Who has a store open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// Nobody, as far as its files tell.
    Free,
    /// Somebody, who does not write just now.
    Open,
    /// Somebody writes.
    Writing,
}

/// Finds out who has the store at `path` open. The right to write is asked for and given back at once, and only where
/// somebody has it open already: nothing is made beside it.
pub(crate) fn in_use(path: &Path) -> Use {
    if !beside(path, "-shm").exists() {
        return Use::Free;
    }
    let asked = || {
        let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        connection.busy_timeout(Duration::ZERO)?;
        connection.execute_batch("BEGIN IMMEDIATE; ROLLBACK")
    };
    match asked() {
        Err(error) if failure::is_busy(&error) => Use::Writing,
        // Whoever may only read can't ask.
        Ok(()) | Err(_) => Use::Open,
    }
}

/// How large the store's log is, in bytes.
pub(crate) fn log_bytes(path: &Path) -> u64 {
    fs::metadata(beside(path, "-wal")).map_or(0, |found| found.len())
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}
