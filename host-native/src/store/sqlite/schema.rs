//! The tables, and how a store of an older format becomes one of this format.

use rusqlite::{Connection, Result};

/// Says in the file's header that it is an Ebbtrace store: `Ebbt`.
pub(super) const APPLICATION_ID: i32 = 0x4562_6274;

/// Step i takes a store from format i to i + 1. Steps are only ever added: stores of every age keep opening.
const MIGRATIONS: &[&str] = &[FORMAT_1, FORMAT_2];

/// The format written here.
pub(super) const FORMAT: i64 = MIGRATIONS.len() as i64;

// Short texts that recur (kinds, relations, models) are kept once in `label`, and edges refer to memories by integer:
// loading 300,000 edges is then a matter of integers. Instants are milliseconds since 1970, UTC. JSON is only where a
// field has no fixed shape, and in the journal. `journal.changes` is null where an entry was too large to be kept, or
// deleted a memory, whose id would be in it.
const FORMAT_1: &str = "
CREATE TABLE store (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    revision INTEGER NOT NULL
) STRICT;
INSERT INTO store (one, revision) VALUES (1, 0);

CREATE TABLE scope (
    key INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    maintained_at INTEGER
) STRICT;

CREATE TABLE label (
    key INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE memory (
    key INTEGER PRIMARY KEY,
    scope INTEGER NOT NULL REFERENCES scope (key),
    id TEXT NOT NULL,
    kind INTEGER NOT NULL REFERENCES label (key),
    category TEXT NOT NULL,
    importance REAL NOT NULL,
    pinned INTEGER NOT NULL,
    occurred_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    valid_from INTEGER NOT NULL,
    last_accessed_at INTEGER NOT NULL,
    recalled_at INTEGER,
    recall_count INTEGER NOT NULL,
    version INTEGER NOT NULL,
    tier TEXT NOT NULL,
    state TEXT NOT NULL,
    state_at INTEGER,
    superseded_by TEXT,
    archive_reason TEXT,
    author TEXT,
    client TEXT,
    session TEXT,
    position INTEGER NOT NULL,
    uri TEXT,
    tags TEXT,
    metadata TEXT,
    content TEXT NOT NULL,
    embedding_model INTEGER REFERENCES label (key),
    embedding_scale REAL,
    embedding BLOB,
    UNIQUE (scope, id)
) STRICT;

CREATE TABLE edge (
    source INTEGER NOT NULL REFERENCES memory (key) ON DELETE CASCADE,
    target INTEGER NOT NULL REFERENCES memory (key) ON DELETE CASCADE,
    relation INTEGER NOT NULL REFERENCES label (key),
    weight REAL NOT NULL,
    created_at INTEGER NOT NULL,
    reinforced_at INTEGER NOT NULL,
    PRIMARY KEY (source, target, relation)
) STRICT, WITHOUT ROWID;
CREATE INDEX edge_target ON edge (target);

CREATE TABLE proposal (
    memory INTEGER PRIMARY KEY REFERENCES memory (key) ON DELETE CASCADE,
    action TEXT NOT NULL,
    merge_into TEXT,
    reason TEXT NOT NULL,
    proposed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE journal (
    revision INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    operation TEXT NOT NULL,
    changes TEXT
) STRICT;
";

// Who wrote a memory's present text, and whether others have said the same since: what an undo goes by.
const FORMAT_2: &str = "
ALTER TABLE memory ADD COLUMN editor TEXT;
ALTER TABLE memory ADD COLUMN shared INTEGER NOT NULL DEFAULT 0;
";

/// What a database file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A database with nothing in it.
    Empty,
    /// An Ebbtrace store of this format.
    Ours(i64),
    /// Another program's database.
    Foreign,
}

/// Reads what the database is, from its header and its list of tables, as they are at one instant: another process may
/// be making the store just now.
///
/// # Errors
/// SQLite's own: for one that it is no database at all.
pub(super) fn identify(connection: &Connection) -> Result<Kind> {
    let reading = connection.unchecked_transaction()?;
    let kind = kind(&reading)?;
    reading.finish()?;
    Ok(kind)
}

fn kind(connection: &Connection) -> Result<Kind> {
    let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let format = format(connection)?;
    if application == APPLICATION_ID {
        return Ok(Kind::Ours(format));
    }
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))?;
    Ok(if application == 0 && format == 0 && tables == 0 { Kind::Empty } else { Kind::Foreign })
}

/// The format in the database's header.
///
/// # Errors
/// SQLite's own.
pub(super) fn format(connection: &Connection) -> Result<i64> {
    connection.prepare_cached("PRAGMA user_version")?.query_row((), |row| row.get(0))
}

/// Brings an empty database or an older store to this format, in one transaction. Of several processes that come at
/// once, the first does it and the others find it done.
///
/// # Errors
/// SQLite's own; the database is as it was.
pub(super) fn migrate(connection: &mut Connection) -> Result<()> {
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let found = match kind(&transaction)? {
        Kind::Empty => 0,
        Kind::Ours(format) if format < FORMAT => format,
        Kind::Ours(_) | Kind::Foreign => return Ok(()),
    };
    for step in MIGRATIONS.iter().skip(usize::try_from(found).unwrap_or(0)) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", FORMAT)?;
    transaction.commit()
}
