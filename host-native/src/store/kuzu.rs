//! A Kùzu database: the memory as an embedded property graph, which its owner can query in Cypher.
//!
//! The engine allows one process at a time. Within it any number of handles share one database, as the server's calls and
//! its maintenance do.

mod read;
mod schema;
mod write;

use std::{
    collections::HashMap,
    fmt, fs,
    io::{Read, Seek, Write},
    path::{Path, PathBuf},
    sync::{Arc, LazyLock, Mutex, PoisonError, Weak},
    thread,
    time::{Duration, Instant},
};

use ebbtrace_core::{JournalEntry, MemoryId, Record, Revision, Scope};
use kuzu::{Connection, Database, Error, SystemConfig};

use super::{CommitAnswer, Logged, Store, StoreError, purge};

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
}

struct Shared {
    database: Database,
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
            return Ok(Self { shared, unreadable: 0 });
        }
        let shared = Arc::new(Shared::open(path.clone())?);
        open.retain(|_, known| known.strong_count() > 0);
        open.insert(path, Arc::downgrade(&shared));
        Ok(Self { shared, unreadable: 0 })
    }

    fn connection(&self) -> Result<Connection<'_>, StoreError> {
        Connection::new(&self.shared.database).map_err(|error| failed("connecting", &error))
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
        let holder = hold(&path)?;
        let config = SystemConfig::default().buffer_pool_size(BUFFER_POOL).max_db_size(LARGEST);
        let database = Database::new(&path, config).map_err(|error| cannot_open(&path, error))?;
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
        Ok(Self { database, path, writing: Mutex::new(()), _holder: holder })
    }
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
        let connection = self.connection()?;
        // One transaction, so that the records are all of one revision.
        let loaded = connection.query("BEGIN TRANSACTION READ ONLY").and_then(|_| {
            let revision = read::revision(&connection)?;
            Ok((revision, read::records(&connection, sink)?))
        });
        // It fails only where nothing is open any more.
        let _ = connection.query("COMMIT");
        let (revision, unreadable) = loaded.map_err(|error| failed("loading", &error))?;
        drop(connection);
        self.unreadable = unreadable;
        Ok(revision)
    }

    fn commit(&mut self, entry: &JournalEntry) -> Result<CommitAnswer, StoreError> {
        let _writing = self.shared.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let connection = self.connection()?;
        connection.query("BEGIN TRANSACTION").map_err(|error| failed("waiting to write", &error))?;
        let written = write::entry(&connection, entry);
        let roll_back = || {
            // It fails only where the engine has rolled back by itself already.
            let _ = connection.query("ROLLBACK");
        };
        match written {
            Ok(true) => {}
            Ok(false) => {
                roll_back();
                return Ok(CommitAnswer::Conflict);
            }
            Err(error) => {
                roll_back();
                return Err(failed("writing", &error));
            }
        }
        if let Err(error) = connection.query("COMMIT") {
            roll_back();
            return Err(failed("committing", &error));
        }
        Ok(CommitAnswer::Committed)
    }

    fn changes_since(&mut self, revision: Revision) -> Result<Option<Vec<JournalEntry>>, StoreError> {
        read::entries_after(&self.connection()?, revision).map_err(|error| failed("catching up", &error))
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
        read::journal(&self.connection()?, each).map_err(|error| failed("reading the journal", &error))
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
