//! SQLite's errors in the store's terms.

use std::path::Path;

use rusqlite::{Error, ErrorCode, ffi};

use super::open::PATIENCE;
use crate::store::StoreError;

/// An error while the store was being opened.
pub(super) fn on_open(path: &Path, error: &Error) -> StoreError {
    match common(path, error) {
        // It can't be opened for writing: whether it can be read is another question.
        Some(StoreError::ReadOnly { path, reason }) => StoreError::Open { path, reason },
        Some(known) => known,
        None => StoreError::Open { path: path.display().to_string(), reason: error.to_string() },
    }
}

/// An error in an open store, while `doing` something; nothing was written.
pub(super) fn on_use(path: &Path, doing: &'static str, error: &Error) -> StoreError {
    match common(path, error) {
        Some(known) => known,
        None => StoreError::Io { doing, reason: error.to_string() },
    }
}

/// Whether a commit that ended in this error may be found written after all: the log was written and only its way
/// to the disk failed, so that recovery may still see it. A full disk or a lock is met before that.
pub(super) fn leaves_commit_unknown(error: &Error) -> bool {
    let in_doubt = |code: &ffi::Error| code.code == ErrorCode::SystemIoFailure;
    error.sqlite_error().is_some_and(in_doubt)
}

/// Whether another process has the lock that was asked for.
pub(super) fn is_busy(error: &Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

fn common(path: &Path, error: &Error) -> Option<StoreError> {
    if is_busy(error) {
        return Some(StoreError::Busy { waited_ms: PATIENCE.as_millis() as u64 });
    }
    // The file that processes share could not grow: it is the first to need room when a store is opened.
    if error.sqlite_error().is_some_and(|code| code.extended_code == ffi::SQLITE_IOERR_SHMSIZE) {
        return Some(StoreError::Full { path: path.display().to_string(), reason: error.to_string() });
    }
    match error.sqlite_error_code()? {
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => {
            Some(StoreError::Damaged { path: path.display().to_string(), reason: error.to_string() })
        }
        ErrorCode::DiskFull => Some(StoreError::Full { path: path.display().to_string(), reason: error.to_string() }),
        ErrorCode::ReadOnly => {
            Some(StoreError::ReadOnly { path: path.display().to_string(), reason: error.to_string() })
        }
        _ => None,
    }
}
