//! Which store is opened, and where it is.

use std::{
    env,
    path::{Path, PathBuf},
    str::FromStr,
};

use super::{MemoryStore, SqliteStore, Store, StoreError};

/// The environment variable that names the store's file.
const VARIABLE: &str = "EBBTRACE_DB";

/// What keeps the records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StoreKind {
    /// One SQLite file. The default.
    #[default]
    Sqlite,
    /// Nothing: it is gone when the process ends.
    Memory,
}

impl StoreKind {
    /// Every kind.
    pub const ALL: [Self; 2] = [Self::Sqlite, Self::Memory];

    /// The kind's name, lower case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Memory => "memory",
        }
    }
}

impl FromStr for StoreKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let kind = Self::ALL.into_iter().find(|kind| kind.as_str() == text);
        kind.ok_or_else(|| format!("the store is {text:?}; allowed are sqlite, memory"))
    }
}

/// Opens the store of `kind`; `path` is where it is, or [`default_path`] where none is given.
///
/// # Errors
/// [`StoreError`].
pub fn open_store(kind: StoreKind, path: Option<&Path>) -> Result<Box<dyn Store>, StoreError> {
    Ok(match (kind, path) {
        (StoreKind::Memory, _) => Box::new(MemoryStore::new()),
        (StoreKind::Sqlite, Some(path)) => Box::new(SqliteStore::open(path)?),
        (StoreKind::Sqlite, None) => Box::new(SqliteStore::open(&default_path()?)?),
    })
}

/// What `EBBTRACE_DB` says, else `memory.db` in the system's data directory: `~/.local/share/ebbtrace` on Linux,
/// `~/Library/Application Support/ebbtrace` on macOS, `%APPDATA%\ebbtrace\data` on Windows. Never a cache and never a
/// temporary folder.
///
/// # Errors
/// [`StoreError::Open`] where the system names no home directory: nothing is kept where nobody would look for it.
pub fn default_path() -> Result<PathBuf, StoreError> {
    let home = directories::ProjectDirs::from("", "", "ebbtrace").map(|dirs| dirs.data_dir().to_owned());
    choose(env::var_os(VARIABLE).map(PathBuf::from), home)
}

fn choose(variable: Option<PathBuf>, home: Option<PathBuf>) -> Result<PathBuf, StoreError> {
    if let Some(path) = variable.filter(|path| !path.as_os_str().is_empty()) {
        return Ok(path);
    }
    home.map(|home| home.join("memory.db")).ok_or_else(|| StoreError::Open {
        path: "the default location".to_owned(),
        reason: "the system names no home directory".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_wins_over_the_data_directory_unless_empty() {
        let home = || Some(PathBuf::from("/home/a/.local/share/ebbtrace"));
        let default = PathBuf::from("/home/a/.local/share/ebbtrace/memory.db");
        assert_eq!(choose(Some("/x/y.db".into()), home()), Ok("/x/y.db".into()));
        assert_eq!(choose(Some("".into()), home()), Ok(default.clone()));
        assert_eq!(choose(None, home()), Ok(default));
        assert_eq!(choose(None, None).expect_err("nowhere to put it").code(), "store_open");
    }

    #[test]
    fn a9_the_default_is_in_no_cache() {
        let dirs = directories::ProjectDirs::from("", "", "ebbtrace").expect("a home directory");
        assert!(!dirs.data_dir().starts_with(dirs.cache_dir()));
    }

    #[test]
    fn kinds_are_read_by_name() {
        for kind in StoreKind::ALL {
            assert_eq!(kind.as_str().parse(), Ok(kind));
        }
        assert!("SQLite".parse::<StoreKind>().is_err());
    }
}
