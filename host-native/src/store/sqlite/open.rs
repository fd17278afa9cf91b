//! Opening a file: what is not ours is refused as it is, and any number of processes may come at once.

use std::{
    cell::Cell,
    fs, io,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use rusqlite::{Connection, OpenFlags, config::DbConfig};

use super::{
    failure, reading,
    schema::{self, FORMAT, Kind},
};
use crate::store::StoreError;

/// How long a call waits for other processes before it gives up.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// How long emptying the log waits for readers; it is tried again later.
pub(super) const READERS_PATIENCE: Duration = Duration::from_secs(1);

/// Statements kept ready. There are fewer than this.
pub(super) const STATEMENTS: usize = 64;

/// Which file is at a path: device and number on Unix. Elsewhere a file in use can't be taken away, and all are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity(u64, u64);

impl Identity {
    /// That of the file at `path`.
    ///
    /// # Errors
    /// [`StoreError::Open`] where there is none.
    pub(super) fn of(path: &Path) -> Result<Self, StoreError> {
        let found = fs::metadata(path).map_err(|error| cannot_open(path, error.to_string()))?;
        #[cfg(unix)]
        let identity = {
            use std::os::unix::fs::MetadataExt;
            Self(found.dev(), found.ino())
        };
        #[cfg(not(unix))]
        let identity = Self(0, u64::from(found.is_dir()));
        Ok(identity)
    }
}

/// An open store.
pub(super) struct Opened {
    pub(super) connection: Connection,
    /// Why it can be read alone, where it can't be written.
    pub(super) read_only: Option<String>,
}

/// Opens the store at `path`, or makes it where there is nothing; to be read alone where it can't be written.
///
/// # Errors
/// [`StoreError`]; what is at `path` is as it was.
pub(super) fn open(path: &Path) -> Result<Opened, StoreError> {
    refuse_lost_log(path)?;
    refuse_other_programs(path)?;
    match for_writing(path) {
        Ok(connection) => Ok(Opened { connection, read_only: None }),
        Err(StoreError::Open { reason, .. } | StoreError::Full { reason, .. })
            if fs::metadata(path).is_ok_and(|found| found.len() > 0) =>
        {
            Ok(Opened { connection: reading::open(path)?, read_only: Some(reason) })
        }
        Err(error) => Err(error),
    }
}

/// Opens the store at `path` so that it can be written.
///
/// # Errors
/// [`StoreError`]; what is at `path` is as it was.
pub(super) fn for_writing(path: &Path) -> Result<Connection, StoreError> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(|error| cannot_open(path, error.to_string()))?;
    }
    make_private(path);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let failed = |error: rusqlite::Error| cannot_open(path, error.to_string());
    let mut connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    // Before anything is read: SQLite would make a log beside the file, as protected as that.
    if connection.is_readonly("main").map_err(failed)? {
        return Err(cannot_open(path, "it is write-protected".to_owned()));
    }
    prepare(&mut connection, path)?;
    Ok(connection)
}

/// Makes the file where there is none, such that only its owner can read it: SQLite would make it as open as others
/// are. Its log is made with the file's rights. A store that is there keeps its own.
fn make_private(path: &Path) {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // What stands in the way stands in SQLite's too, which says what it is.
    let _ = options.open(path);
}

fn prepare(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let failed = |error| failure::on_open(path, &error);
    connection.busy_handler(Some(wait_for_others)).map_err(failed)?;
    // Until the file is known to be ours and of a known format, not even its log is folded into it on closing.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map_err(failed)?;
    let kind = schema::identify(connection).map_err(failed)?;
    accept(kind, path)?;
    // Only then is the right to write needed: whoever has it keeps nobody from opening a store that is there.
    if kind != Kind::Ours(FORMAT) {
        schema::migrate(connection).map_err(failed)?;
        accept(schema::identify(connection).map_err(failed)?, path)?;
    }
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false).map_err(failed)?;
    use_write_ahead_log(connection).map_err(failed)?;
    // What is deleted is overwritten: a purged text must not stay in unused parts of the file.
    connection.pragma_update(None, "secure_delete", true).map_err(failed)?;
    connection.pragma_update(None, "foreign_keys", true).map_err(failed)?;
    connection.pragma_update(None, "synchronous", "FULL").map_err(failed)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(())
}

pub(super) fn accept(kind: Kind, path: &Path) -> Result<(), StoreError> {
    let path = path.display().to_string();
    match kind {
        Kind::Empty => Ok(()),
        Kind::Ours(found) if found > FORMAT => Err(StoreError::Newer { path, found, known: FORMAT }),
        Kind::Ours(_) => Ok(()),
        Kind::Foreign => Err(StoreError::Damaged { path, reason: "it is another program's database".to_owned() }),
    }
}

/// A log without its store is what is left when the file was moved or deleted alone. SQLite would take it for
/// rubbish and remove it; it may hold the newest memories.
fn refuse_lost_log(path: &Path) -> Result<(), StoreError> {
    let length = |path: &Path| fs::metadata(path).map_or(0, |found| found.len());
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    // In this order: whoever makes a store writes the file before the log.
    if length(&PathBuf::from(&log)) > 0 && length(path) == 0 {
        let reason = format!("the file is missing, but its log {} is there", Path::new(&log).display());
        return Err(StoreError::Damaged { path: path.display().to_string(), reason });
    }
    Ok(())
}

/// Looks at the header alone, without locks and without the log: SQLite changes nothing about a file opened as
/// immutable. Only what is certain is refused here; the rest is looked at again under SQLite's locks.
fn refuse_other_programs(path: &Path) -> Result<(), StoreError> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err(cannot_open(path, "it is a folder".to_owned())),
        Ok(found) if found.len() > 0 => {}
        Ok(_) => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(cannot_open(path, error.to_string())),
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let header = Connection::open_with_flags(immutable_uri(path), flags).and_then(|connection| {
        let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
        Ok((application, schema::format(&connection)?))
    });
    match header {
        Ok((schema::APPLICATION_ID, found)) => accept(Kind::Ours(found), path),
        Ok((0, _)) | Err(_) => Ok(()),
        Ok(_) => accept(Kind::Foreign, path),
    }
}

pub(super) fn immutable_uri(path: &Path) -> String {
    let text = path.as_os_str().as_encoded_bytes();
    let mut uri = String::from("file:");
    if cfg!(windows) && path.is_absolute() {
        uri.push_str("///");
    }
    for &byte in text {
        match byte {
            b'\\' if cfg!(windows) => uri.push('/'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b':' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri.push_str("?immutable=1");
    uri
}

/// The change to a log needs the file for oneself, and SQLite doesn't wait for that by itself. Where the file system
/// can't do it, the store works without, only slower.
fn use_write_ahead_log(connection: &Connection) -> rusqlite::Result<()> {
    let started = Instant::now();
    loop {
        let answer: rusqlite::Result<String> =
            connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0));
        match answer {
            Err(error) if failure::is_busy(&error) && started.elapsed() < PATIENCE => {
                thread::sleep(Duration::from_millis(1));
            }
            answer => return answer.map(drop),
        }
    }
}

/// What SQLite calls while another process has the lock: waits 0.1 to 3.2 ms, longer each time, up to [`PATIENCE`].
pub(super) fn wait_for_others(attempt: i32) -> bool {
    thread_local! {
        static SINCE: Cell<Option<Instant>> = const { Cell::new(None) };
    }
    let now = Instant::now();
    if attempt == 0 {
        SINCE.set(Some(now));
    }
    if SINCE.get().is_some_and(|since| now.duration_since(since) > PATIENCE) {
        return false;
    }
    thread::sleep(Duration::from_micros(100 << attempt.clamp(0, 5)));
    true
}

/// Folds the log into the file and cuts it to nothing; whether that could be done with so much waiting for readers.
/// The newest text of a deleted memory is in the log until then.
pub(super) fn empty_log(connection: &mut Connection, patience: Duration) -> bool {
    let emptied = waiting(connection, patience, |connection| {
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |row| row.get::<_, i64>(0))
    });
    emptied == Ok(0)
}

/// Calls SQLite such that it answers at once that another process has the lock.
///
/// # Errors
/// SQLite's own.
pub(super) fn without_waiting<T>(
    connection: &mut Connection,
    call: impl FnOnce(&Connection) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    waiting(connection, Duration::ZERO, call)
}

fn waiting<T>(
    connection: &mut Connection,
    patience: Duration,
    call: impl FnOnce(&Connection) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    connection.busy_timeout(patience)?;
    let answer = call(connection);
    connection.busy_handler(Some(wait_for_others))?;
    answer
}

/// That the system refuses the file at `path`.
pub(super) fn cannot_open(path: &Path, reason: String) -> StoreError {
    StoreError::Open { path: path.display().to_string(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_a_uri_of_harmless_characters() {
        assert_eq!(immutable_uri(Path::new("/a b/c?d#e%f.db")), "file:/a%20b/c%3Fd%23e%25f.db?immutable=1");
        assert_eq!(immutable_uri(Path::new("é.db")), "file:%C3%A9.db?immutable=1");
    }
}
