//! The tables: memories as nodes, edges as links between them, and what a person can ask of both in Cypher.

use kuzu::{Connection, Error, Value};

/// The format written here.
pub(super) const FORMAT: i64 = 1;

/// What stands between a scope and an id in a key: neither can hold it.
pub(super) const BETWEEN: char = '\u{1f}';

// Instants are milliseconds since 1970, UTC. `source` and `metadata` are JSON, since neither has a fixed shape.
// `Journal.changes` is null where an entry deleted a memory, whose id would be in it. `Store.clean` is false where the
// files may hold what was deleted.
const TABLES: [&str; 6] = [
    "CREATE NODE TABLE Memory(key STRING, scope STRING, id STRING, kind STRING, category STRING, content STRING, \
     importance DOUBLE, pinned BOOL, tags STRING[], metadata STRING, author STRING, source STRING, occurred_at INT64, \
     created_at INT64, updated_at INT64, valid_from INT64, last_accessed_at INT64, recalled_at INT64, \
     recall_count INT64, version INT64, tier STRING, state STRING, state_at INT64, superseded_by STRING, \
     archive_reason STRING, embedding_model STRING, embedding_scale FLOAT, embedding INT8[], PRIMARY KEY(key))",
    "CREATE REL TABLE Link(FROM Memory TO Memory, relation STRING, weight DOUBLE, created_at INT64, \
     reinforced_at INT64)",
    "CREATE NODE TABLE Proposal(key STRING, scope STRING, id STRING, action STRING, merge_into STRING, \
     reason STRING, proposed_at INT64, PRIMARY KEY(key))",
    "CREATE NODE TABLE Scope(name STRING, maintained_at INT64, PRIMARY KEY(name))",
    "CREATE NODE TABLE Journal(revision INT64, at INT64, operation STRING, channel STRING, changes STRING, \
     PRIMARY KEY(revision))",
    "CREATE NODE TABLE Store(one INT64, format INT64, revision INT64, clean BOOL, PRIMARY KEY(one))",
];

/// What a database holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing.
    Empty,
    /// An Ebbtrace store of this format.
    Ours(i64),
    /// Something else.
    Foreign,
}

/// Reads what the database is.
///
/// # Errors
/// Kùzu's own.
pub(super) fn identify(connection: &Connection<'_>) -> Result<Kind, Error> {
    let tables: Vec<String> = connection
        .query("CALL show_tables() RETURN name")?
        .filter_map(|row| match row.into_iter().next() {
            Some(Value::String(name)) => Some(name),
            _ => None,
        })
        .collect();
    if tables.is_empty() {
        return Ok(Kind::Empty);
    }
    if !["Memory", "Link", "Journal", "Store"].iter().all(|ours| tables.iter().any(|table| table == ours)) {
        return Ok(Kind::Foreign);
    }
    let format = connection.query("MATCH (s:Store {one: 1}) RETURN s.format")?.next();
    Ok(match format.and_then(|row| row.into_iter().next()) {
        Some(Value::Int64(format)) => Kind::Ours(format),
        _ => Kind::Foreign,
    })
}

/// Makes the tables in an empty database.
///
/// # Errors
/// Kùzu's own; nothing was made.
pub(super) fn make(connection: &Connection<'_>) -> Result<(), Error> {
    connection.query("BEGIN TRANSACTION")?;
    let made = TABLES
        .iter()
        .try_for_each(|table| connection.query(table).map(drop))
        .and_then(|()| {
            let row = format!("CREATE (:Store {{one: 1, format: {FORMAT}, revision: 0, clean: true}})");
            connection.query(&row).map(drop)
        })
        .and_then(|()| connection.query("COMMIT").map(drop));
    if made.is_err() {
        // It fails only where nothing is open any more.
        let _ = connection.query("ROLLBACK");
    }
    made
}
