//! Which store is opened, and where it is.

use std::{
    env,
    path::{Path, PathBuf},
};

use clap::ValueEnum;

use super::{MemoryStore, SqliteStore, Store, StoreError};

/// How many memories of a server are loaded at most, where nothing else is said: they take 300 MB, and some seconds to
/// load.
pub const RESIDENT_LIMIT: usize = 100_000;

/// The environment variable that names the store's file.
const VARIABLE: &str = "EBBTRACE_DB";

/// What keeps the records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum StoreKind {
    /// One SQLite file, shared by any number of processes. The default.
    #[default]
    Sqlite,
    /// A Kùzu database, a property graph in a file, for one process at a time.
    Kuzu,
    /// A Neo4j server, for any number of processes and machines.
    Neo4j,
    /// Nothing: it is gone when the process ends.
    Memory,
}

impl StoreKind {
    /// The kind's name, lower case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Kuzu => "kuzu",
            Self::Neo4j => "neo4j",
            Self::Memory => "memory",
        }
    }

    /// Whether this program was built with it.
    #[must_use]
    pub const fn is_built(self) -> bool {
        match self {
            Self::Sqlite | Self::Memory => true,
            Self::Kuzu => cfg!(feature = "kuzu"),
            Self::Neo4j => cfg!(feature = "neo4j"),
        }
    }

    /// Whether it is a file, at a path.
    #[must_use]
    pub const fn is_file(self) -> bool {
        matches!(self, Self::Sqlite | Self::Kuzu)
    }
}

/// Opens the store of `kind`. `path` is where it is, or [`default_path`] where none is given; a Neo4j server is where the
/// environment says: `EBBTRACE_NEO4J_URI`, `_USER`, `_PASSWORD` and `_DATABASE`. Of its memories, at most `resident_limit`
/// are loaded, [`RESIDENT_LIMIT`] where nothing is said; other kinds of store are always loaded whole.
///
/// # Errors
/// [`StoreError`]; [`StoreError::NotBuilt`] for a kind whose feature this program was built without.
pub fn open_store(
    kind: StoreKind,
    path: Option<&Path>,
    resident_limit: Option<usize>,
) -> Result<Box<dyn Store>, StoreError> {
    #[cfg(not(feature = "neo4j"))]
    let _ = resident_limit;
    let path = || path.map_or_else(|| default_path(kind), |path| Ok(path.to_owned()));
    Ok(match kind {
        StoreKind::Memory => Box::new(MemoryStore::new()),
        StoreKind::Sqlite => Box::new(SqliteStore::open(&path()?)?),
        #[cfg(feature = "kuzu")]
        StoreKind::Kuzu => Box::new(super::KuzuStore::open(path()?)?),
        #[cfg(feature = "neo4j")]
        StoreKind::Neo4j => {
            let server = super::Neo4jServer::of_environment()?;
            let resident_limit = resident_limit.unwrap_or(server.resident_limit);
            Box::new(super::Neo4jStore::open(super::Neo4jServer { resident_limit, ..server })?)
        }
        #[cfg(not(all(feature = "kuzu", feature = "neo4j")))]
        other => return Err(StoreError::NotBuilt { kind: other }),
    })
}

/// What `EBBTRACE_DB` says, else a file in the system's data directory, `memory.db` or for Kùzu `memory.kuzu`:
/// `~/.local/share/ebbtrace` on Linux, `~/Library/Application Support/ebbtrace` on macOS, `%APPDATA%\ebbtrace\data` on
/// Windows. Never a cache and never a temporary folder.
///
/// # Errors
/// [`StoreError::Open`] where the system names no home directory: nothing is kept where nobody would look for it.
pub fn default_path(kind: StoreKind) -> Result<PathBuf, StoreError> {
    let home = directories::ProjectDirs::from("", "", "ebbtrace").map(|dirs| dirs.data_dir().to_owned());
    choose(kind, env::var_os(VARIABLE).map(PathBuf::from), home)
}

fn choose(kind: StoreKind, variable: Option<PathBuf>, home: Option<PathBuf>) -> Result<PathBuf, StoreError> {
    let name = if kind == StoreKind::Kuzu { "memory.kuzu" } else { "memory.db" };
    if let Some(path) = variable.filter(|path| !path.as_os_str().is_empty()) {
        return Ok(path);
    }
    home.map(|home| home.join(name)).ok_or_else(|| StoreError::Open {
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
        let choose = |variable, home| choose(StoreKind::Sqlite, variable, home);
        assert_eq!(choose(Some("/x/y.db".into()), home()), Ok("/x/y.db".into()));
        assert_eq!(choose(Some("".into()), home()), Ok(default.clone()));
        assert_eq!(choose(None, home()), Ok(default.clone()));
        assert_eq!(choose(None, None).expect_err("nowhere to put it").code(), "store_open");
        // Two engines never take one file for theirs.
        assert_eq!(super::choose(StoreKind::Kuzu, None, home()), Ok(default.with_extension("kuzu")));
    }

    #[test]
    fn a9_the_default_is_in_no_cache() {
        let dirs = directories::ProjectDirs::from("", "", "ebbtrace").expect("a home directory");
        assert!(!dirs.data_dir().starts_with(dirs.cache_dir()));
    }

    #[test]
    fn kinds_are_read_by_name() {
        for kind in StoreKind::value_variants() {
            assert_eq!(StoreKind::from_str(kind.as_str(), false), Ok(*kind));
        }
        assert!(StoreKind::from_str("SQLite", false).is_err());
    }
}
