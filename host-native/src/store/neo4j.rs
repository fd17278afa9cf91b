//! A Neo4j server: the memory as a graph that a team shares. Any number of processes on any number of machines commit to
//! it, each against the revision it knows.

mod driver;
mod gather;
mod read;
mod rows;
mod schema;
mod write;

use std::{env, fmt, sync::Arc};

use ebbtrace_core::{JournalEntry, MemoryId, Record, Revision, Scope, StaticModel};

use self::driver::{Driver, Failed};
use super::{Answer, CommitAnswer, Gathered, Logged, Need, RESIDENT_LIMIT, Store, StoreError, purge};

/// Where a server is, and who asks.
#[derive(Clone, PartialEq, Eq)]
pub struct Neo4jServer {
    /// `bolt://HOST:7687`, or `neo4j://`, each also with `+s` (encrypted) or `+ssc` (encrypted, any certificate).
    pub uri: String,
    /// As the server knows it.
    pub user: String,
    /// The user's.
    pub password: String,
    /// Which database of the server; `None` for the user's own default.
    pub database: Option<String>,
    /// How many memories are loaded at most. Above that nothing is: what each operation looks at is found by the server's
    /// indexes.
    pub resident_limit: usize,
}

impl Neo4jServer {
    /// What `EBBTRACE_NEO4J_URI` (`bolt://localhost:7687` where it is not set), `_USER` (`neo4j`), `_PASSWORD` and
    /// `_DATABASE` say.
    ///
    /// # Errors
    /// [`StoreError::Open`] where no password is set.
    pub fn of_environment() -> Result<Self, StoreError> {
        let set = |name: &str| env::var(format!("EBBTRACE_NEO4J_{name}")).ok().filter(|value| !value.is_empty());
        let uri = set("URI").unwrap_or_else(|| "bolt://localhost:7687".to_owned());
        let password = set("PASSWORD").ok_or_else(|| StoreError::Denied {
            uri: uri.clone(),
            reason: "EBBTRACE_NEO4J_PASSWORD is not set".to_owned(),
        })?;
        let resident_limit = RESIDENT_LIMIT;
        Ok(Self {
            resident_limit,
            user: set("USER").unwrap_or_else(|| "neo4j".to_owned()),
            database: set("DATABASE"),
            uri,
            password,
        })
    }

    /// Where it is, with its database.
    fn name(&self) -> String {
        self.database.as_ref().map_or_else(|| self.uri.clone(), |database| format!("{} ({database})", self.uri))
    }
}

impl fmt::Debug for Neo4jServer {
    /// Without the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { uri, user, database, .. } = self;
        f.debug_struct("Neo4jServer").field("uri", uri).field("user", user).field("database", database).finish()
    }
}

/// A store on a Neo4j server.
#[derive(Debug)]
pub struct Neo4jStore {
    driver: Driver,
    /// Whether the constraints and indexes are known to be there. They are made at the first commit: nothing is made by
    /// looking.
    is_made: bool,
    /// Whether nothing is loaded.
    pushes_down: bool,
    /// What meanings are written by.
    model: Arc<StaticModel>,
    unreadable: usize,
}

impl Neo4jStore {
    /// Connects to a server, which may be empty.
    ///
    /// # Errors
    /// [`StoreError::Unreachable`], [`StoreError::Denied`], [`StoreError::NoDatabase`], [`StoreError::TooOld`],
    /// [`StoreError::Newer`], [`StoreError::Damaged`] where the database is another program's.
    pub fn open(server: Neo4jServer) -> Result<Self, StoreError> {
        let driver = Driver::connect(server)?;
        schema::check_version(&driver)?;
        let is_made = schema::identify(&driver)? == schema::Kind::Ours;
        let pushes_down = schema::memories(&driver)? >= driver.server().resident_limit;
        Ok(Self { driver, is_made, pushes_down, model: StaticModel::bundled(), unreadable: 0 })
    }

    fn make(&mut self) -> Result<(), StoreError> {
        if !self.is_made {
            schema::make(&self.driver, &self.model)?;
            self.is_made = true;
        }
        Ok(())
    }
}

impl Store for Neo4jStore {
    fn load(&mut self, sink: &mut dyn FnMut(Record)) -> Result<Revision, StoreError> {
        let (revision, records, unreadable) = read::everything(&self.driver)?;
        records.into_iter().for_each(sink);
        self.unreadable = unreadable;
        Ok(revision)
    }

    fn commit(&mut self, entry: &JournalEntry) -> Result<CommitAnswer, StoreError> {
        self.make()?;
        match write::entry(&self.driver, &self.model, entry) {
            Ok(true) => Ok(CommitAnswer::Committed),
            Ok(false) => Ok(CommitAnswer::Conflict),
            Err(Failed::InCommit) => Ok(CommitAnswer::Unknown),
            Err(Failed::Said(error)) => Err(error),
        }
    }

    fn changes_since(&mut self, revision: Revision) -> Result<Option<Vec<JournalEntry>>, StoreError> {
        read::entries_after(&self.driver, revision)
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
        read::journal(&self.driver, each)
    }

    fn gather(&mut self, need: &Need) -> Result<Option<Gathered>, StoreError> {
        if !self.pushes_down {
            return Ok(None);
        }
        // Before the first write there are no indexes to ask.
        let need = if self.is_made || schema::identify(&self.driver)? == schema::Kind::Ours {
            self.is_made = true;
            need
        } else {
            &Need::Nothing
        };
        gather::gather(&self.driver, &self.model, need).map(Some)
    }

    fn cypher(&mut self, cypher: &str) -> Result<Answer, StoreError> {
        self.driver.answer(cypher)
    }

    fn unreadable(&self) -> usize {
        self.unreadable
    }

    fn close(self: Box<Self>) -> Result<(), StoreError> {
        Ok(())
    }
}
