//! A Kùzu database: the memory as an embedded property graph, which its owner can query in Cypher.
//!
//! The engine allows one process at a time. Within it any number of handles share one database, as the server's calls and
//! its maintenance do.

mod json;
mod question;
mod read;
mod schema;
mod write;

use std::{
    collections::HashMap,
    fmt, fs,
    io::{self, Read, Seek, Write},
    path::{Path, PathBuf},
    sync::{Arc, LazyLock, Mutex, PoisonError, RwLock, TryLockError, Weak},
    thread,
    time::{Duration, Instant},
};

use ebbtrace_core::{JournalEntry, MemoryId, Record, Revision, Scope};
use kuzu::{Connection, Database, Error, SystemConfig};

use super::{Answer, CommitAnswer, Logged, Store, StoreError, purge};

/// The most memory that the engine keeps pages in, in bytes.
const BUFFER_POOL: u64 = 256 << 20;
/// The largest that a database may grow, in bytes: so much address space is set aside for it.
const LARGEST: u64 = 64 << 30;
/// How long a process that is ending is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// The databases that this process has open, by path.
static OPEN: LazyLock<Mutex<HashMap<PathBuf, Weak<Shared>>>> = LazyLock::new(Mutex::default);

/// A store in a Kùzu database, for one process at a time.
pub struct KuzuStore {
    shared: Arc<Shared>,
    unreadable: usize,
    has_cleaned: bool,
}

struct Shared {
    /// `None` only while its files are written anew, and where they could not be opened after that.
    database: RwLock<Option<Database>>,
    path: PathBuf,
    /// One writer at a time: the engine refuses a second.
    writing: Mutex<()>,
    /// Held as long as the database is open, with what holds it written in it.
    _holder: fs::File,
}

impl KuzuStore {
    /// Opens the database at `path`; makes it, and the folders above it, where there is nothing.
    ///
    /// # Errors
    /// [`StoreError::Held`] where another process has it open; [`StoreError::Open`]; [`StoreError::Damaged`] where the
    /// file is something else; [`StoreError::Newer`]. What is at `path` stays as it was.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = std::path::absolute(path.as_ref()).map_err(|error| cannot_open(path.as_ref(), error))?;
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(shared) = open.get(&path).and_then(Weak::upgrade) {
            return Ok(Self { shared, unreadable: 0, has_cleaned: false });
        }
        let shared = Arc::new(Shared::open(path.clone())?);
        open.retain(|_, known| known.strong_count() > 0);
        open.insert(path, Arc::downgrade(&shared));
        Ok(Self { shared, unreadable: 0, has_cleaned: false })
    }

    /// Takes what is left of deleted texts out of the files; whether none is left. The caller writes alone.
    fn clean(&mut self) -> Result<bool, StoreError> {
        if self.with("reading", read::is_clean)? {
            return Ok(true);
        }
        self.has_cleaned = self.shared.rewrite()?;
        Ok(self.has_cleaned)
    }

    /// Does something over a connection of its own.
    fn with<T>(
        &self,
        doing: &'static str,
        work: impl FnOnce(&Connection<'_>) -> Result<T, Error>,
    ) -> Result<T, StoreError> {
        let database = self.shared.database.read().unwrap_or_else(PoisonError::into_inner);
        let closed = || Error::FailedQuery("the database is closed: it could not be opened after a purge".to_owned());
        let done = database.as_ref().ok_or_else(closed).and_then(|database| work(&Connection::new(database)?));
        done.map_err(|error| failed(doing, &error))
    }
}

impl fmt::Debug for KuzuStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KuzuStore").field("path", &self.shared.path).finish_non_exhaustive()
    }
}

impl Shared {
    fn open(path: PathBuf) -> Result<Self, StoreError> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| cannot_open(&path, error))?;
        }
        // The engine makes its file, and a log beside it at each write: all that this process makes from now on is for
        // its user alone.
        #[cfg(unix)]
        rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
        let holder = hold(&path)?;
        let database = opened(&path).map_err(|error| cannot_open(&path, error))?;
        {
            let connection = Connection::new(&database).map_err(|error| cannot_open(&path, error))?;
            let damaged = |reason: String| StoreError::Damaged { path: path.display().to_string(), reason };
            match schema::identify(&connection).map_err(|error| damaged(error.to_string()))? {
                schema::Kind::Empty => {
                    schema::make(&connection).map_err(|error| failed("making the tables", &error))?
                }
                schema::Kind::Ours(found) if found > schema::FORMAT => {
                    let known = schema::FORMAT;
                    return Err(StoreError::Newer { path: path.display().to_string(), found, known });
                }
                schema::Kind::Ours(_) => {}
                schema::Kind::Foreign => return Err(damaged("it is another program's database".to_owned())),
            }
        }
        Ok(Self { database: RwLock::new(Some(database)), path, writing: Mutex::new(()), _holder: holder })
    }

    /// Copies what there is into new files and puts those in place of the old, which may hold what was deleted: the
    /// engine does not overwrite what it frees. False where somebody reads for longer than a second.
    fn rewrite(&self) -> Result<bool, StoreError> {
        let doing = "writing the files anew";
        let started = Instant::now();
        let mut database = loop {
            match self.database.try_write() {
                Ok(database) => break database,
                Err(TryLockError::Poisoned(poisoned)) => break poisoned.into_inner(),
                Err(TryLockError::WouldBlock) if started.elapsed() < Duration::from_secs(1) => {
                    thread::sleep(Duration::from_millis(10));
                }
                Err(TryLockError::WouldBlock) => return Ok(false),
            }
        };
        let Some(old) = database.as_ref() else { return Ok(false) };
        let beside = |end: &str| {
            let mut name = self.path.as_os_str().to_owned();
            name.push(end);
            PathBuf::from(name)
        };
        let new = beside(".new");
        let files = |error: io::Error| StoreError::Io { doing, reason: error.to_string() };
        // Left by one that was killed here.
        for file in [&new, &beside(".new.wal")] {
            match fs::remove_file(file) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(files(error)),
                _ => {}
            }
        }
        let copied = || -> Result<(), Error> {
            let copy = opened(&new)?;
            let to = Connection::new(&copy)?;
            schema::make(&to)?;
            write::copy(&Connection::new(old)?, &to)?;
            to.query("CHECKPOINT").map(drop)
        };
        copied().map_err(|error| failed(doing, &error))?;
        *database = None;
        let moved = fs::rename(&new, &self.path);
        let log = beside(".wal");
        if moved.is_ok() && log.exists() {
            fs::remove_file(log).map_err(files)?;
        }
        // The old files, where the new ones could not take their place.
        *database = Some(opened(&self.path).map_err(|error| cannot_open(&self.path, error))?);
        moved.map(|()| true).map_err(files)
    }
}

fn opened(path: &Path) -> Result<Database, Error> {
    Database::new(path, SystemConfig::default().buffer_pool_size(BUFFER_POOL).max_db_size(LARGEST))
}

/// Takes the database for this process, waiting a moment for one that is ending.
fn hold(path: &Path) -> Result<fs::File, StoreError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let lock = PathBuf::from(name);
    let mut file = fs::File::options().read(true).write(true).create(true).truncate(false).open(&lock);
    let file = file.as_mut().map_err(|error| cannot_open(path, &*error))?;
    let started = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => break,
            Err(fs::TryLockError::WouldBlock) if started.elapsed() < PATIENCE => {
                thread::sleep(Duration::from_millis(20))
            }
            Err(fs::TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // Who it is is said where it can be read.
                let _ = file.read_to_string(&mut holder);
                let path = path.display().to_string();
                return Err(StoreError::Held { path, holder: holder.trim().to_owned() });
            }
            Err(fs::TryLockError::Error(error)) => return Err(cannot_open(path, error)),
        }
    }
    let program = std::env::current_exe().unwrap_or_default();
    let told = format!("process {}, {}", std::process::id(), program.display());
    let written = file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(told.as_bytes()));
    written.map_err(|error| cannot_open(path, error))?;
    file.try_clone().map_err(|error| cannot_open(path, error))
}

impl Store for KuzuStore {
    fn load(&mut self, sink: &mut dyn FnMut(Record)) -> Result<Revision, StoreError> {
        let (revision, unreadable) = self.with("loading", |connection| {
            // One transaction, so that the records are all of one revision.
            connection.query("BEGIN TRANSACTION READ ONLY")?;
            let revision = read::revision(connection);
            let loaded = revision.and_then(|revision| Ok((revision, read::records(connection, sink)?)));
            // It fails only where nothing is open any more.
            let _ = connection.query("COMMIT");
            loaded
        })?;
        self.unreadable = unreadable;
        Ok(revision)
    }

    fn commit(&mut self, entry: &JournalEntry) -> Result<CommitAnswer, StoreError> {
        let shared = Arc::clone(&self.shared);
        let _writing = shared.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = self.with("writing", |connection| {
            connection.query("BEGIN TRANSACTION")?;
            let written = write::entry(connection, entry)
                .and_then(|written| if written { connection.query("COMMIT").map(|_| true) } else { Ok(false) });
            if !matches!(written, Ok(true)) {
                // It fails only where the engine has rolled back by itself already.
                let _ = connection.query("ROLLBACK");
            }
            written.map(|written| if written { CommitAnswer::Committed } else { CommitAnswer::Conflict })
        })?;
        if answer == CommitAnswer::Committed && purge::is_in(entry) {
            // What is deleted is deleted; where its bytes can't go now, a later call takes them out.
            let _ = self.clean();
        }
        Ok(answer)
    }

    fn changes_since(&mut self, revision: Revision) -> Result<Option<Vec<JournalEntry>>, StoreError> {
        self.with("catching up", |connection| read::entries_after(connection, revision))
    }

    fn entries_about(&mut self, scope: &Scope, memories: &[(MemoryId, String)]) -> Result<usize, StoreError> {
        let mut count = 0;
        self.journal(&mut |logged| {
            let about = |change| memories.iter().any(|(id, text)| purge::speaks_of(change, scope, id, text));
            count += usize::from(logged.changes.iter().flatten().any(about));
            true
        })?;
        Ok(count)
    }

    fn journal(&mut self, each: &mut dyn FnMut(Logged) -> bool) -> Result<(), StoreError> {
        self.with("reading the journal", |connection| read::journal(connection, each))
    }

    fn cypher(&mut self, cypher: &str) -> Result<Answer, StoreError> {
        question::check(cypher).map_err(|reason| StoreError::Cypher { reason })?;
        let asked = self.with("asking", |connection| {
            connection.query("BEGIN TRANSACTION READ ONLY")?;
            // One statement alone can be prepared: none follows that would end the transaction.
            let answer = connection.prepare(cypher).and_then(|mut asked| {
                let rows = connection.execute(&mut asked, Vec::new())?;
                let columns = rows.get_column_names();
                Ok(Answer { columns, rows: rows.map(|row| row.iter().map(json::of).collect()).collect() })
            });
            // It fails only where the question has ended the transaction.
            let _ = connection.query("ROLLBACK");
            answer
        });
        asked.map_err(|error| match error {
            StoreError::Io { reason, .. } => StoreError::Cypher { reason },
            other => other,
        })
    }

    fn files_clean(&mut self) -> bool {
        let shared = Arc::clone(&self.shared);
        let _writing = shared.writing.lock().unwrap_or_else(PoisonError::into_inner);
        self.clean().unwrap_or(false)
    }

    fn has_cleaned_files(&self) -> bool {
        self.has_cleaned
    }

    fn unreadable(&self) -> usize {
        self.unreadable
    }

    fn close(self: Box<Self>) -> Result<(), StoreError> {
        Ok(())
    }
}

fn cannot_open(path: &Path, error: impl fmt::Display) -> StoreError {
    StoreError::Open { path: path.display().to_string(), reason: error.to_string() }
}

fn failed(doing: &'static str, error: &Error) -> StoreError {
    StoreError::Io { doing, reason: error.to_string() }
}
