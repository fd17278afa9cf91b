//! One SQLite file with a write-ahead log, for any number of processes.
//!
//! A commit is one transaction that compares and sets the revision, changes the tables and writes the journal row.
//! It is on the disk before it is acknowledged, except that of a recall: what it writes is only how fresh memories
//! are, so that losing the last of it with the power is worth a recall without a wait for the disk. Either way a
//! killed process loses nothing.

mod checkup;
mod failure;
mod glance;
mod open;
mod purge;
mod read;
mod reading;
mod schema;
mod write;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use ebbtrace_core::{Change, JournalEntry, MemoryId, Operation, Record, Revision, Scope};
use rusqlite::Connection;

use super::{CommitAnswer, DamagedMemory, Logged, Store, StoreError};

pub(crate) use checkup::{Checkup, Use, in_use, log_bytes};
pub(crate) use glance::{Glance, Pressing, ScopeKey};
use open::Identity;
pub use read::Damage;

/// A store in one file, shared by any number of processes.
#[derive(Debug)]
pub struct SqliteStore {
    connection: Connection,
    path: PathBuf,
    identity: Identity,
    /// Why it can only be read, where it can't be written.
    read_only: Option<String>,
    /// The connection from the time when it could only be read: to close it would give up the locks of the other one.
    earlier: Option<Connection>,
    /// Whether a transaction is open for the next commit.
    reserved: bool,
    /// Whether a commit waits for the disk, as SQLite is set now.
    waits_for_disk: bool,
    /// Whether the log may still hold the text of a memory that was deleted, here or by another process.
    log_holds_deleted: bool,
    /// Whether one was there when the store was loaded.
    left_before: bool,
    /// Whether such a text was taken out of the files that an earlier call had to leave there.
    cleaned: bool,
    damage: Vec<Damage>,
}

impl SqliteStore {
    /// Opens the store at `path`; makes it, and the folders above it, where there is nothing. One that can't be written is
    /// opened to be read: then each commit is refused with [`StoreError::ReadOnly`].
    ///
    /// # Errors
    /// [`StoreError::Open`] where the system refuses; [`StoreError::Damaged`] where the file is something else, or its
    /// log is there without it; [`StoreError::Newer`]; [`StoreError::Busy`]. What is at `path` stays as it was.
    ///
    /// # Example
    /// ```
    /// use ebbtrace::{Store, store::SqliteStore};
    /// let folder = tempfile::tempdir()?;
    /// let mut store = SqliteStore::open(folder.path().join("memory.db"))?;
    /// assert_eq!(store.load(&mut |_| {})?.0, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        // Whoever changes the working directory later means the same file still.
        let path = std::path::absolute(path).map_err(|error| open::cannot_open(path, error.to_string()))?;
        let open::Opened { connection, read_only } = open::open(&path)?;
        Ok(Self {
            connection,
            read_only,
            earlier: None,
            identity: Identity::of(&path)?,
            path,
            reserved: false,
            waits_for_disk: true,
            log_holds_deleted: false,
            left_before: false,
            cleaned: false,
            damage: Vec::new(),
        })
    }

    /// The rows that the last load could not read. They are in the file still.
    #[must_use]
    pub fn damaged(&self) -> &[Damage] {
        &self.damage
    }

    /// Where the file is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes sure that the store can be written: what stood in the way when it was opened may be gone by now.
    fn need_writing(&mut self) -> Result<(), StoreError> {
        let Some(reason) = &self.read_only else { return Ok(()) };
        let connection = open::for_writing(&self.path).map_err(|error| match error {
            StoreError::Full { .. } => error,
            _ => StoreError::ReadOnly { path: self.path.display().to_string(), reason: reason.clone() },
        })?;
        self.earlier = Some(std::mem::replace(&mut self.connection, connection));
        (self.read_only, self.waits_for_disk) = (None, true);
        Ok(())
    }

    /// Takes what was deleted out of the log, as soon as no reader needs it there any more.
    fn tidy(&mut self, patience: Duration) {
        // Within a transaction it can't be done.
        if self.log_holds_deleted && !self.reserved && self.read_only.is_none() {
            self.log_holds_deleted = !purge::finish(&mut self.connection, patience);
            self.cleaned |= self.left_before && !self.log_holds_deleted;
        }
    }

    fn failed(&self, doing: &'static str, error: &rusqlite::Error) -> StoreError {
        failure::on_use(&self.path, doing, error)
    }

    fn run(&self, sql: &str) -> rusqlite::Result<()> {
        self.connection.prepare_cached(sql)?.execute(()).map(drop)
    }

    /// Another process may have brought the store to a newer format while this one had it open.
    fn check_format(&self) -> Result<(), StoreError> {
        match schema::format(&self.connection) {
            Ok(schema::FORMAT) => Ok(()),
            Ok(found) => {
                let path = self.path.display().to_string();
                Err(StoreError::Newer { path, found, known: schema::FORMAT })
            }
            Err(error) => Err(self.failed("reading", &error)),
        }
    }

    /// A file that was deleted or replaced takes writes still, and nobody will ever find them.
    fn check_place(&self) -> Result<(), StoreError> {
        if Identity::of(&self.path)? == self.identity {
            return Ok(());
        }
        Err(open::cannot_open(&self.path, "another file has taken its place since it was opened".to_owned()))
    }

    fn set_waiting(&mut self, waits: bool) -> rusqlite::Result<()> {
        if self.waits_for_disk != waits {
            self.connection.pragma_update(None, "synchronous", if waits { "FULL" } else { "NORMAL" })?;
            self.waits_for_disk = waits;
        }
        Ok(())
    }

    fn begin(&mut self, waits: bool) -> Result<(), StoreError> {
        let begun = self.set_waiting(waits).and_then(|()| self.run("BEGIN IMMEDIATE"));
        begun.map_err(|error| self.failed("waiting to write", &error))
    }

    fn roll_back(&self) {
        // It fails only where SQLite has rolled back by itself already.
        let _ = self.run("ROLLBACK");
    }

    fn write(&self, entry: &JournalEntry) -> Result<CommitAnswer, StoreError> {
        self.check_place()?;
        self.check_format()?;
        match write::entry(&self.connection, entry) {
            Ok(true) => {}
            Ok(false) => return Ok(CommitAnswer::Conflict),
            Err(error) => return Err(self.failed("writing", &error)),
        }
        match self.run("COMMIT") {
            Ok(()) => Ok(CommitAnswer::Committed),
            Err(error) if failure::leaves_commit_unknown(&error) => Ok(CommitAnswer::Unknown),
            Err(error) => Err(self.failed("committing", &error)),
        }
    }

    fn load_records(&mut self, sink: &mut dyn FnMut(Record)) -> Result<Revision, StoreError> {
        self.check_format()?;
        let revision = read::revision(&self.connection).map_err(|error| self.failed("loading", &error))?;
        let damage = read::records(&self.connection, sink).map_err(|error| self.failed("loading", &error))?;
        self.damage = damage;
        let unfinished = purge::unfinished(&self.connection).map_err(|error| self.failed("loading", &error))?;
        self.log_holds_deleted |= unfinished.is_some();
        self.left_before |= unfinished.is_some();
        Ok(revision)
    }
}

impl Store for SqliteStore {
    fn load(&mut self, sink: &mut dyn FnMut(Record)) -> Result<Revision, StoreError> {
        if self.reserved {
            return self.load_records(sink);
        }
        // One transaction, so that the records are all of one revision.
        self.run("BEGIN").map_err(|error| self.failed("loading", &error))?;
        let loaded = self.load_records(sink);
        self.roll_back();
        self.tidy(Duration::ZERO);
        loaded
    }

    fn commit(&mut self, entry: &JournalEntry) -> Result<CommitAnswer, StoreError> {
        self.need_writing()?;
        if !self.reserved {
            self.begin(entry.operation != Operation::Recall)?;
        }
        self.reserved = false;
        let answer = self.write(entry);
        if answer != Ok(CommitAnswer::Committed) {
            self.roll_back();
            return answer;
        }
        let deletes = entry.changes.iter().any(|change| matches!(change, Change::DeleteMemory { .. }));
        self.log_holds_deleted |= deletes;
        // A reader that stays for hours must not cost every write a second.
        self.tidy(if deletes { open::READERS_PATIENCE } else { Duration::ZERO });
        answer
    }

    fn changes_since(&mut self, revision: Revision) -> Result<Option<Vec<JournalEntry>>, StoreError> {
        self.tidy(Duration::ZERO);
        read::entries_after(&self.connection, revision).map_err(|error| self.failed("reading the journal", &error))
    }

    fn close(mut self: Box<Self>) -> Result<(), StoreError> {
        self.release();
        self.tidy(Duration::ZERO);
        let Self { connection, path, .. } = *self;
        connection.close().map_err(|(_, error)| failure::on_use(&path, "closing", &error))
    }

    fn reserve(&mut self) -> Result<bool, StoreError> {
        self.need_writing()?;
        if !self.reserved {
            self.set_waiting(true).map_err(|error| self.failed("waiting to write", &error))?;
            let begun = open::without_waiting(&mut self.connection, |connection| {
                connection.prepare_cached("BEGIN IMMEDIATE")?.execute(()).map(drop)
            });
            self.reserved = match begun {
                Ok(()) => true,
                Err(error) if failure::is_busy(&error) => false,
                Err(error) => return Err(self.failed("waiting to write", &error)),
            };
        }
        Ok(self.reserved)
    }

    fn entries_about(&mut self, scope: &Scope, memories: &[(MemoryId, String)]) -> Result<usize, StoreError> {
        let counted = purge::entries_about(&self.connection, scope, memories);
        counted.map_err(|error| self.failed("reading the journal", &error))
    }

    fn journal(&mut self, each: &mut dyn FnMut(Logged) -> bool) -> Result<(), StoreError> {
        read::journal(&self.connection, each).map_err(|error| self.failed("reading the journal", &error))
    }

    fn files_clean(&mut self) -> bool {
        self.tidy(open::READERS_PATIENCE);
        !self.log_holds_deleted
    }

    fn has_cleaned_files(&self) -> bool {
        self.cleaned
    }

    fn damaged(&mut self, scope: &Scope, id: &MemoryId) -> Result<Option<DamagedMemory>, StoreError> {
        purge::damaged(&self.connection, scope, id).map_err(|error| self.failed("reading", &error))
    }

    fn unreadable(&self) -> usize {
        self.damage.len()
    }

    fn release(&mut self) {
        if self.reserved {
            self.roll_back();
            self.reserved = false;
        }
    }
}
