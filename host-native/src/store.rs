//! Where committed changes live. A store is four calls, and some more that a store may do without.

mod address;
mod copy;
mod fault;
#[cfg(feature = "kuzu")]
mod kuzu;
mod location;
mod memory;
mod need;
#[cfg(feature = "neo4j")]
mod neo4j;
#[cfg(any(feature = "kuzu", feature = "neo4j"))]
mod net;
mod purge;
mod records;
mod sqlite;

use ebbtrace_core::{Change, JournalEntry, MemoryId, Record, Revision, Scope, Timestamp};

#[cfg(feature = "kuzu")]
pub use self::kuzu::KuzuStore;
#[cfg(feature = "neo4j")]
pub use self::neo4j::{Neo4jServer, Neo4jStore};
pub use address::Address;
pub use copy::{Copied, CopyError, copy};
pub use fault::{Fault, FaultStore, Faults};
pub use location::{RESIDENT_LIMIT, StoreKind, default_path, open_store};
pub use memory::MemoryStore;
pub use need::{Gathered, Need};
pub(crate) use sqlite::{Checkup, Glance, Pressing, ScopeKey, Use, in_use, log_bytes};
pub use sqlite::{Damage, SqliteStore};

/// What became of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommitAnswer {
    /// It is stored, and survives the end of the process.
    Committed,
    /// The store is at another revision: another process was faster. Nothing was written.
    Conflict,
    /// Nobody knows: the connection ended inside the commit. The host must reopen.
    Unknown,
}

/// An entry of the journal as it stands there, which a later purge may have taken changes out of.
#[derive(Clone, Debug, PartialEq)]
pub struct Logged {
    /// The revision that it made.
    pub revision: Revision,
    /// When.
    pub at: Timestamp,
    /// What was done, as [`ebbtrace_core::Operation`] is written.
    pub operation: String,
    /// By which channel a human decided it, as [`ebbtrace_core::Channel`] is written.
    pub channel: Option<String>,
    /// What it changed; `None` where that was not kept or can't be read.
    pub changes: Option<Vec<Change>>,
}

/// What is left of a memory that can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedMemory {
    /// Its content's bytes, which may be no text.
    pub content: Vec<u8>,
    /// How many links it has.
    pub edges: usize,
    /// How many proposals are about it.
    pub proposals: usize,
}

/// What a graph database answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The names of its columns.
    pub columns: Vec<String>,
    /// A value for each column, row by row.
    pub rows: Vec<Vec<serde_json::Value>>,
}

/// A place for records and their journal, shared by any number of processes where the engine behind it allows.
pub trait Store: Send {
    /// Hands every record to `sink`, in any order, and returns the revision they are at.
    ///
    /// # Errors
    /// [`StoreError`]; `sink` may have seen some records by then.
    fn load(&mut self, sink: &mut dyn FnMut(Record)) -> Result<Revision, StoreError>;

    /// Writes `entry` in one transaction if the store is still at the revision before `entry.revision`.
    ///
    /// # Errors
    /// [`StoreError`]: nothing was written.
    fn commit(&mut self, entry: &JournalEntry) -> Result<CommitAnswer, StoreError>;

    /// The journal after `revision`, in order; `None` where the journal no longer reaches back that far, and the
    /// caller must load anew.
    ///
    /// # Errors
    /// [`StoreError`].
    fn changes_since(&mut self, revision: Revision) -> Result<Option<Vec<JournalEntry>>, StoreError>;

    /// Ends the store's use of files and connections.
    ///
    /// # Errors
    /// [`StoreError`]; what was committed is safe all the same.
    fn close(self: Box<Self>) -> Result<(), StoreError>;

    /// Keeps other writers out until the next commit or [`Store::release`], so that what is staged in between can't
    /// conflict; false, at once, where another writer is at work. Only ever a matter of speed: a store that can't do it
    /// says true and does nothing.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is reserved then.
    fn reserve(&mut self) -> Result<bool, StoreError> {
        Ok(true)
    }

    /// How many journal entries speak of any of the memories, each given with its text, or have one of those texts. A
    /// store that keeps no journal to look through says 0.
    ///
    /// # Errors
    /// [`StoreError`].
    fn entries_about(&mut self, scope: &Scope, memories: &[(MemoryId, String)]) -> Result<usize, StoreError> {
        let _ = (scope, memories);
        Ok(0)
    }

    /// Hands every entry of the journal to `each`, the newest first, until that says false. A store that keeps none for
    /// people to read hands out nothing.
    ///
    /// # Errors
    /// [`StoreError`].
    fn journal(&mut self, each: &mut dyn FnMut(Logged) -> bool) -> Result<(), StoreError> {
        let _ = each;
        Ok(())
    }

    /// Takes what is left of deleted texts out of the store's files, waiting at most a second for whoever reads them;
    /// whether none is left. Where one is, a later call of any process takes it out.
    fn files_clean(&mut self) -> bool {
        true
    }

    /// Whether this store has taken something deleted earlier out of the files since it was opened.
    fn has_cleaned_files(&self) -> bool {
        false
    }

    /// The memory's row, where there is one; asked for one that no load could read.
    ///
    /// # Errors
    /// [`StoreError`].
    fn damaged(&mut self, scope: &Scope, id: &MemoryId) -> Result<Option<DamagedMemory>, StoreError> {
        let _ = (scope, id);
        Ok(None)
    }

    /// What an operation needs of a store that is too large to be loaded; `None` from one that is loaded whole.
    ///
    /// # Errors
    /// [`StoreError`].
    fn gather(&mut self, need: &Need) -> Result<Option<Gathered>, StoreError> {
        let _ = need;
        Ok(None)
    }

    /// Asks a graph database in its own language; it may only read.
    ///
    /// # Errors
    /// [`StoreError::Cypher`] where it can't be asked this; [`StoreError`].
    fn cypher(&mut self, cypher: &str) -> Result<Answer, StoreError> {
        let _ = cypher;
        Err(StoreError::Cypher { reason: "this store is no graph database".to_owned() })
    }

    /// How many rows the last load could not read and left out.
    fn unreadable(&self) -> usize {
        0
    }

    /// Whether opening it a second time, as another process does, gives the same store.
    fn reopens(&self) -> bool {
        true
    }

    /// Lets other writers in again where there was nothing to commit. Without effect where nothing is reserved.
    fn release(&mut self) {}
}

/// Why a store failed. A failure is never taken for an empty or a broken store, and nothing is wiped or renamed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file or folder can't be opened or made.
    #[error("the store at {path} can't be opened: {reason}")]
    Open {
        /// Where it is.
        path: String,
        /// What the system said.
        reason: String,
    },
    /// The file is something else, or damaged.
    #[error("the file at {path} is not a readable Ebbtrace store: {reason}")]
    Damaged {
        /// Where it is.
        path: String,
        /// What is wrong.
        reason: String,
    },
    /// The store was written by a newer Ebbtrace.
    #[error("the store at {path} has format {found}; this Ebbtrace reads up to {known}")]
    Newer {
        /// Where it is.
        path: String,
        /// The format it has.
        found: i64,
        /// The newest format known here.
        known: i64,
    },
    /// Other processes held the store for too long.
    #[error("the store was busy for {waited_ms} ms")]
    Busy {
        /// How long was waited, in milliseconds.
        waited_ms: u64,
    },
    /// The store can be read and not written: it is write-protected, on a read-only medium, or another user's.
    #[error("the store at {path} can only be read: {reason}")]
    ReadOnly {
        /// Where it is.
        path: String,
        /// What the system said.
        reason: String,
    },
    /// Another process has the store, and its engine allows one at a time.
    #[error("the store at {path} is in use by {holder}")]
    Held {
        /// Where it is.
        path: String,
        /// Which process has it.
        holder: String,
    },
    /// A server can't be reached, or is none of the kind.
    #[error("the server at {uri} can't be reached: {reason}")]
    Unreachable {
        /// Where it is said to be.
        uri: String,
        /// What the system said.
        reason: String,
    },
    /// A server lets this user do nothing.
    #[error("the server at {uri} refuses the user: {reason}")]
    Denied {
        /// Where it is.
        uri: String,
        /// What it said.
        reason: String,
    },
    /// A server has no database of that name.
    #[error("the server at {uri} has no such database: {reason}")]
    NoDatabase {
        /// Where it is.
        uri: String,
        /// What it said.
        reason: String,
    },
    /// A server is of a version that lacks what is needed.
    #[error("the server at {uri} is Neo4j {found}; {needed} or newer is needed")]
    TooOld {
        /// Where it is.
        uri: String,
        /// Its version.
        found: String,
        /// The oldest that will do.
        needed: String,
    },
    /// A question that a graph database does not take: it is no Cypher, or it would write.
    #[error("the question is refused: {reason}")]
    Cypher {
        /// What the database said.
        reason: String,
    },
    /// This program was built without that kind of store.
    #[error("this ebbtrace was built without {}", kind.as_str())]
    NotBuilt {
        /// Which kind.
        kind: StoreKind,
    },
    /// There is no room left to write.
    #[error("the disk of the store at {path} is full: {reason}")]
    Full {
        /// Where it is.
        path: String,
        /// What the system said.
        reason: String,
    },
    /// Writing or reading failed.
    #[error("the store failed while {doing}: {reason}")]
    Io {
        /// What was being done.
        doing: &'static str,
        /// What the engine said.
        reason: String,
    },
}

impl StoreError {
    /// A stable code for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Open { .. } => "store_open",
            Self::Damaged { .. } => "store_damaged",
            Self::Newer { .. } => "store_newer",
            Self::Busy { .. } => "store_busy",
            Self::ReadOnly { .. } => "store_read_only",
            Self::Held { .. } => "store_held",
            Self::Unreachable { .. } => "store_unreachable",
            Self::Denied { .. } => "store_denied",
            Self::NoDatabase { .. } => "store_no_database",
            Self::TooOld { .. } => "store_too_old",
            Self::Cypher { .. } => "cypher_refused",
            Self::NotBuilt { .. } => "store_not_built",
            Self::Full { .. } => "store_full",
            Self::Io { .. } => "store_io",
        }
    }

    /// What the caller can do now.
    #[must_use]
    pub fn next_step(&self) -> &'static str {
        match self {
            Self::Open { .. } => "Check the path and its permissions, or name another with --db.",
            Self::Damaged { .. } => "Nothing was changed. Name the right file with --db, or restore a copy.",
            Self::Newer { .. } => "Nothing was changed. Update Ebbtrace to the version that wrote the store.",
            Self::Busy { .. } => "Call again in a moment.",
            Self::ReadOnly { .. } => {
                "Nothing was written. Make the file and its folder writable, or name another store with --db."
            }
            Self::Held { .. } => {
                "Nothing was touched. End that program, or keep the memory in SQLite, which any number of programs share."
            }
            Self::Unreachable { .. } => "Nothing was written. Start the server, or check EBBTRACE_NEO4J_URI.",
            Self::Denied { .. } => "Nothing was written. Check EBBTRACE_NEO4J_USER and EBBTRACE_NEO4J_PASSWORD.",
            Self::NoDatabase { .. } => {
                "Nothing was written. Check EBBTRACE_NEO4J_DATABASE, or make that database first."
            }
            Self::TooOld { .. } => "Nothing was written. Update the server, or name another in EBBTRACE_NEO4J_URI.",
            Self::Cypher { .. } => {
                "Nothing was written: a question may only read. Nodes are (:Memory), links [:Link]; the README shows examples."
            }
            Self::NotBuilt { .. } => {
                "Install it with that feature: cargo install --path host-native --locked --features kuzu,neo4j (Kùzu wants `cargo xtask kuzu` first). Or leave out --store: SQLite is always there."
            }
            Self::Full { .. } => {
                "Nothing was written, and what was stored can be read. Free some space there, and call again."
            }
            Self::Io { .. } => "Nothing was written. Check the disk's space and permissions, and call again.",
        }
    }
}
