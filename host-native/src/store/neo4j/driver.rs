//! The connection: neo4rs behind calls that wait, with its errors as ours, and with what failed in passing tried again.

use std::{
    fmt,
    future::Future,
    sync::{Arc, mpsc},
    thread,
    time::{Duration, Instant},
};

use neo4rs::{BoltType, ConfigBuilder, Error, Graph, Neo4jErrorKind, Query, Row, Txn, query};
use serde_json::Value;
use tokio::runtime::{self, Runtime};

use super::Neo4jServer;
use crate::store::{Answer, StoreError};

/// How long a server may take to take up the first connection.
const CONNECTING: Duration = Duration::from_secs(10);
/// How long an answer may take: an import of many memories is one.
const ANSWERING: Duration = Duration::from_secs(600);
/// How long what fails in passing is tried again: a server that starts anew, a lock that two wait for.
const PATIENCE: Duration = Duration::from_secs(15);
/// The first thing that is asked: a server that does not answer it is not there, and nothing is tried again.
const FIRST: &str = "connecting";
/// How many records an answer is fetched by.
const FETCH: usize = 10_000;

/// Why a transaction came to nothing.
#[derive(Debug)]
pub(super) enum Failed {
    /// The connection ended while it was being committed: nobody knows what became of it.
    InCommit,
    /// Nothing was written.
    Said(StoreError),
}

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Self {
        Self::Said(error)
    }
}

/// A row of an answer: its columns, as JSON.
pub(super) type Columns = serde_json::Map<String, Value>;

/// A server that was reached.
pub(super) struct Driver {
    server: Arc<Neo4jServer>,
    graph: Graph,
    /// Its own: calls come from threads that wait, some of them inside of another runtime.
    runtime: Option<Runtime>,
}

impl fmt::Debug for Driver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Driver").field("server", &self.server).finish_non_exhaustive()
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// A statement with what it is told.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub(super) cypher: &'static str,
    pub(super) told: Vec<(&'static str, Value)>,
}

impl Statement {
    pub(super) fn new(cypher: &'static str, told: Vec<(&'static str, Value)>) -> Self {
        Self { cypher, told }
    }

    fn query(&self) -> Result<Query, Error> {
        self.told.iter().try_fold(query(self.cypher), |query, (name, value)| {
            Ok(query.param(name, BoltType::try_from(value.clone())?))
        })
    }
}

impl Driver {
    pub(super) fn connect(server: Neo4jServer) -> Result<Self, StoreError> {
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("ebbtrace-neo4j")
            .enable_all()
            .build()
            .map_err(|error| StoreError::Open { path: server.name(), reason: error.to_string() })?;
        let mut config = ConfigBuilder::default()
            .uri(&server.uri)
            .user(&server.user)
            .password(&server.password)
            .fetch_size(FETCH)
            .max_connections(4)
            // It holds for every answer too, not for connecting alone.
            .connection_timeout(ANSWERING);
        if let Some(database) = &server.database {
            config = config.db(database.as_str());
        }
        let server = Arc::new(server);
        let built = config.build().and_then(|config| {
            // The pool asks for a runtime as it is made.
            let _inside = runtime.enter();
            Graph::connect(config)
        });
        let graph = built.map_err(|error| told(&server, "connecting", &error))?;
        let driver = Self { server, graph, runtime: Some(runtime) };
        driver.rows(FIRST, Statement::new("RETURN 1 AS one", Vec::new()))?;
        Ok(driver)
    }

    pub(super) fn server(&self) -> &Neo4jServer {
        &self.server
    }

    /// Runs a statement by itself.
    pub(super) fn run(&self, doing: &'static str, cypher: &str) -> Result<(), StoreError> {
        let cypher = cypher.to_owned();
        self.again(doing, move |graph| {
            let cypher = cypher.clone();
            async move { graph.run(query(&cypher)).await }
        })
    }

    /// The rows that a statement answers with, read in a transaction of its own.
    pub(super) fn rows(&self, doing: &'static str, statement: Statement) -> Result<Vec<Columns>, StoreError> {
        self.again(doing, move |graph| {
            let statement = statement.clone();
            async move {
                let mut answer = graph.execute_read(statement.query()?).await?;
                let mut rows = Vec::new();
                while let Some(row) = answer.next().await? {
                    rows.push(columns(&row)?);
                }
                Ok(rows)
            }
        })
    }

    /// What the server answers to a question of the user's own, in a transaction that may only read.
    pub(super) fn answer(&self, cypher: &str) -> Result<Answer, StoreError> {
        let cypher = cypher.to_owned();
        let asked = self.again("asking", move |graph| {
            let cypher = cypher.clone();
            async move {
                let mut rows = graph.execute_read(query(&cypher)).await?;
                let mut answer = Answer::default();
                while let Some(row) = rows.next().await? {
                    let mut known = columns(&row)?;
                    if answer.columns.is_empty() {
                        answer.columns = row.keys().iter().map(ToString::to_string).collect();
                        in_order(&mut answer.columns, &cypher);
                    }
                    let value = |name: &String| known.remove(name).unwrap_or_default();
                    answer.rows.push(answer.columns.iter().map(value).collect());
                }
                Ok(answer)
            }
        });
        asked.map_err(|error| match error {
            // What the server says of the question itself.
            StoreError::Io { reason, .. } => StoreError::Cypher { reason },
            other => other,
        })
    }

    /// Does `work` in a transaction, and commits it where that says so.
    ///
    /// # Errors
    /// [`Failed`].
    pub(super) fn transaction<F, W>(&self, doing: &'static str, work: F) -> Result<bool, Failed>
    where
        F: Fn(Work) -> W,
        W: Future<Output = Result<(Work, bool), Error>> + Send + 'static,
    {
        let started = Instant::now();
        loop {
            let worked = work(Work { graph: self.graph.clone(), open: None });
            let done = self.wait(ANSWERING, async move {
                let (mut work, commits) = worked.await.map_err(|error| (error, false))?;
                let open = work.open.take();
                match open {
                    Some(open) if commits => open.commit().await.map_err(|error| (error, true))?,
                    // What is not committed is rolled back by the server, whatever becomes of this.
                    Some(open) => drop(open.rollback().await),
                    None => {}
                }
                Ok(commits)
            });
            match done {
                Some(Ok(committed)) => return Ok(committed),
                // An answer of the server's own says that it is rolled back; no answer says nothing.
                Some(Err((error, true))) if !is_answer(&error) => return Err(Failed::InCommit),
                None => return Err(Failed::InCommit),
                Some(Err((error, _))) if passes(&error) && started.elapsed() < PATIENCE => pause(started),
                Some(Err((error, _))) => return Err(Failed::Said(told(&self.server, doing, &error))),
            }
        }
    }

    /// Does something that changes nothing when it is done twice, again while it fails in passing.
    fn again<T, F, W>(&self, doing: &'static str, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: Fn(Graph) -> W,
        W: Future<Output = Result<T, Error>> + Send + 'static,
    {
        let started = Instant::now();
        let within = if doing == FIRST { CONNECTING } else { ANSWERING };
        loop {
            match self.wait(within, work(self.graph.clone())) {
                Some(Ok(done)) => return Ok(done),
                // A server that can't be reached at the first call is not there.
                Some(Err(error)) if doing != FIRST && passes(&error) && started.elapsed() < PATIENCE => {
                    pause(started);
                }
                Some(Err(error)) => return Err(told(&self.server, doing, &error)),
                None => {
                    let reason = format!("no answer within {} s", within.as_secs());
                    return Err(StoreError::Unreachable { uri: self.server.name(), reason });
                }
            }
        }
    }

    /// Waits for a future, wherever the caller is; `None` where it takes too long.
    fn wait<T: Send + 'static>(&self, within: Duration, future: impl Future<Output = T> + Send + 'static) -> Option<T> {
        let (done, waits) = mpsc::channel();
        self.runtime.as_ref()?.spawn(async move {
            // Whoever waited has gone, where nobody hears it.
            let _ = done.send(tokio::time::timeout(within, future).await.ok());
        });
        waits.recv().ok().flatten()
    }
}

/// A transaction at work.
pub(super) struct Work {
    graph: Graph,
    open: Option<Txn>,
}

impl Work {
    /// The rows that a statement answers with, inside the transaction.
    pub(super) async fn rows(&mut self, statement: Statement) -> Result<Vec<Columns>, Error> {
        let query = statement.query()?;
        if self.open.is_none() {
            self.open = Some(self.graph.start_txn().await?);
        }
        let Some(open) = &mut self.open else { return Err(Error::ConnectionError) };
        let mut answer = open.execute(query).await?;
        let mut rows = Vec::new();
        while let Some(row) = answer.next(open.handle()).await? {
            rows.push(columns(&row)?);
        }
        Ok(rows)
    }
}

/// The driver keeps columns in no order: that of the question's last RETURN is taken.
fn in_order(columns: &mut [String], cypher: &str) {
    let cypher = cypher.to_lowercase();
    let returned = cypher.rfind("return").map_or("", |at| &cypher[at + "return".len()..]);
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let place = |name: &String| {
        let name = name.to_lowercase();
        let alone = |at: &usize| {
            let before = returned[..*at].chars().next_back();
            let after = returned[at + name.len()..].chars().next();
            !before.is_some_and(is_word) && !after.is_some_and(is_word)
        };
        // A name that was given stands behind what it names.
        let named = returned.match_indices(&format!("as {name}")).map(|(at, _)| at + 3).find(alone);
        let found = named.or_else(|| returned.match_indices(name.as_str()).map(|(at, _)| at).find(alone));
        (found.unwrap_or(usize::MAX), name)
    };
    columns.sort_by_key(place);
}

fn columns(row: &Row) -> Result<Columns, Error> {
    row.to::<Columns>().map_err(Error::DeserializationError)
}

fn pause(started: Instant) {
    // A little longer each time, and never for all at once.
    let waited = started.elapsed().as_millis() as u64;
    thread::sleep(Duration::from_millis((waited / 4 + 10 + waited % 7).min(1_000)));
}

/// Whether the server itself said so, over a connection that holds.
fn is_answer(error: &Error) -> bool {
    matches!(error, Error::Neo4j(_))
}

/// Whether it may go well the next time: the server says so, or the connection is gone.
fn passes(error: &Error) -> bool {
    match error {
        Error::Neo4j(said) => said.kind() == Neo4jErrorKind::Transient || said.code().ends_with("DatabaseUnavailable"),
        Error::IOError { .. } | Error::ConnectionError | Error::IncompleteBoltExchange => true,
        _ => false,
    }
}

/// The driver's error as ours.
fn told(server: &Neo4jServer, doing: &'static str, error: &Error) -> StoreError {
    let uri = server.name();
    let reason = error.to_string();
    match error {
        Error::Neo4j(said) => {
            let reason = said.message().to_owned();
            match said.code() {
                code if code.starts_with("Neo.ClientError.Security") => StoreError::Denied { uri, reason },
                "Neo.ClientError.Database.DatabaseNotFound" => StoreError::NoDatabase { uri, reason },
                code => StoreError::Io { doing, reason: format!("{reason} ({code})") },
            }
        }
        Error::AuthenticationError(_) => StoreError::Denied { uri, reason },
        Error::IOError { detail } => StoreError::Unreachable { uri, reason: detail.to_string() },
        Error::ConnectionError | Error::IncompleteBoltExchange | Error::ProtocolMismatch(_) => {
            StoreError::Unreachable { uri, reason }
        }
        Error::UrlParseError(_) | Error::UnsupportedScheme(_) | Error::InvalidDnsName(_) | Error::InvalidConfig => {
            StoreError::Unreachable { uri, reason }
        }
        _ => StoreError::Io { doing, reason },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_come_in_the_order_of_the_question() {
        for (cypher, wanted) in [
            ("MATCH (m) RETURN m.id AS z, m.scope AS a", &["z", "a"][..]),
            ("MATCH (m)-[l]->(n) RETURN n.id, m.id, l.relation LIMIT 3", &["n.id", "m.id", "l.relation"]),
            ("match (m) with m as b return count(*) as n, b", &["n", "b"]),
            ("SHOW INDEXES", &["name", "type"]),
        ] {
            let mut columns: Vec<String> = wanted.iter().rev().map(ToString::to_string).collect();
            in_order(&mut columns, cypher);
            assert_eq!(columns, wanted, "{cypher}");
        }
    }
}
