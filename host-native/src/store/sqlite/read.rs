//! Tables into records. A row that can't be read is passed over and named, never changed.

use std::{collections::HashMap, fmt, time::Instant};

use ebbtrace_core::{
    Category, Change, Channel, Edge, EdgeKey, JournalEntry, Label, Memory, MemoryId, Operation, Proposal,
    ProposedAction, Record, Revision, Scope, ScopeStatus, Source, State, Tier, Timestamp, vector::Embedding,
};
use rusqlite::{Connection, Result, Row, types::ValueRef};
use serde::de::DeserializeOwned;

use crate::store::Logged;

/// A row that can't be read: it stays in the file as it is, and the rest is used without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The table it is in.
    pub table: &'static str,
    /// Its key there, and the record's id where that much is legible.
    pub key: String,
    /// The column at fault.
    pub column: &'static str,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {} can't be read", self.table, self.key, self.column)
    }
}

/// The revision the store is at.
///
/// # Errors
/// SQLite's own.
pub(super) fn revision(connection: &Connection) -> Result<Revision> {
    let mut statement = connection.prepare_cached("SELECT revision FROM store WHERE one = 1")?;
    statement.query_row((), |row| row.get(0)).map(|revision: i64| Revision(revision.unsigned_abs()))
}

/// The entries after `known`, in order; `None` where they don't reach back that far or one of them was not kept or
/// can't be read.
///
/// # Errors
/// SQLite's own.
pub(super) fn entries_after(connection: &Connection, known: Revision) -> Result<Option<Vec<JournalEntry>>> {
    let current = revision(connection)?;
    if current <= known {
        return Ok((current == known).then(Vec::new));
    }
    let mut statement = connection
        .prepare_cached("SELECT revision, at, operation, changes FROM journal WHERE revision > ?1 ORDER BY revision")?;
    let mut rows = statement.query([i64::try_from(known.0).unwrap_or(i64::MAX)])?;
    let mut entries: Vec<JournalEntry> = Vec::new();
    let mut expected = known.next();
    while let Some(row) = rows.next()? {
        match entry(row) {
            Ok(entry) if entry.revision == expected => entries.push(entry),
            _ => return Ok(None),
        }
        expected = expected.next();
    }
    Ok((expected > current).then_some(entries))
}

fn entry(row: &Row<'_>) -> Read<JournalEntry> {
    let (operation, channel) = operation(text(row, 2, "operation")?).ok_or(Flaw("operation"))?;
    Ok(JournalEntry {
        revision: Revision(integer(row, 0, "revision")?.unsigned_abs()),
        at: instant(row, 1, "at")?,
        operation,
        channel,
        changes: serde_json::from_str::<Vec<Change>>(text(row, 3, "changes")?).map_err(|_| Flaw("changes"))?,
    })
}

/// Hands the entries to `each`, the newest first, until that says false. An entry that can't be read is handed out as far
/// as it can.
///
/// # Errors
/// SQLite's own.
pub(super) fn journal(connection: &Connection, each: &mut dyn FnMut(Logged) -> bool) -> Result<()> {
    let mut statement =
        connection.prepare_cached("SELECT revision, at, operation, changes FROM journal ORDER BY revision DESC")?;
    let mut rows = statement.query(())?;
    while let Some(row) = rows.next()? {
        let said = text(row, 2, "operation").unwrap_or("unknown");
        let (operation, channel) = said.split_once(' ').map_or((said, None), |(name, by)| (name, Some(by.to_owned())));
        let logged = Logged {
            revision: Revision(integer(row, 0, "revision").unwrap_or_default().unsigned_abs()),
            at: instant(row, 1, "at").unwrap_or_default(),
            operation: operation.to_owned(),
            channel,
            changes: json(row, 3, "changes").ok(),
        };
        if !each(logged) {
            break;
        }
    }
    Ok(())
}

/// What was done, and by which channel it was decided where a word after it says so: `approve terminal`.
fn operation(text: &str) -> Option<(Operation, Option<Channel>)> {
    let (name, channel) = text.split_once(' ').map_or((text, None), |(name, channel)| (name, Some(channel)));
    let channel = channel.map(|channel| named(channel).ok_or(())).transpose().ok()?;
    Some((named(name)?, channel))
}

fn named<T: DeserializeOwned>(name: &str) -> Option<T> {
    serde_json::from_value(serde_json::Value::from(name)).ok()
}

/// Hands every record to `sink`; the damage that was met. The caller has begun a transaction.
///
/// # Errors
/// SQLite's own.
pub(super) fn records(connection: &Connection, sink: &mut dyn FnMut(Record)) -> Result<Vec<Damage>> {
    let mut reader = Reader { connection, sink, damage: Vec::new(), scopes: HashMap::new(), ends: HashMap::new() };
    reader.scopes()?;
    let labels = reader.labels()?;
    reader.memories(&labels)?;
    reader.edges(&labels)?;
    reader.proposals()?;
    Ok(reader.damage)
}

/// Hands the memories of `keys`, all of the scope `scope`, to `sink`, with the edges between any two of them that start
/// or end at one of the first `linked`. What can't be read is passed over; what is not read at `until` is left out.
///
/// # Errors
/// SQLite's own.
pub(super) fn some(
    connection: &Connection,
    scope: i64,
    keys: &[i64],
    linked: usize,
    until: Instant,
    sink: &mut dyn FnMut(Record),
) -> Result<()> {
    let mut reader = Reader { connection, sink, damage: Vec::new(), scopes: HashMap::new(), ends: HashMap::new() };
    let name: String = connection.query_row("SELECT name FROM scope WHERE key = ?1", [scope], |row| row.get(0))?;
    if let Ok(name) = Scope::try_from(name.as_str()) {
        reader.scopes.insert(scope, name);
    }
    let labels = reader.labels()?;
    let mut statement = connection.prepare(&format!("{MEMORY} WHERE key = ?1 AND scope = ?2"))?;
    for key in keys {
        if Instant::now() >= until {
            break;
        }
        let mut rows = statement.query([*key, scope])?;
        if let Some(row) = rows.next()?
            && let Ok(memory) = memory(row, &reader.scopes, &labels)
        {
            reader.ends.insert(*key, (memory.scope.clone(), memory.id.clone()));
            (reader.sink)(Record::Memory(Box::new(memory)));
        }
    }
    for by in ["source", "target"] {
        let mut statement = connection.prepare(&format!("{EDGE} WHERE {by} = ?1"))?;
        for key in keys.iter().take(linked) {
            if Instant::now() >= until {
                return Ok(());
            }
            let mut rows = statement.query([key])?;
            while let Some(row) = rows.next()? {
                // The other end may not have been asked for.
                if let Ok(edge) = edge(row, &reader.ends, &labels) {
                    (reader.sink)(Record::Edge(edge));
                }
            }
        }
    }
    Ok(())
}

/// Relations and kinds are labels; a model's name is not.
struct Name {
    text: Box<str>,
    label: Option<Label>,
}

struct Reader<'r> {
    connection: &'r Connection,
    sink: &'r mut dyn FnMut(Record),
    damage: Vec<Damage>,
    scopes: HashMap<i64, Scope>,
    /// The memories that were read, by key: what edges and proposals lead to.
    ends: HashMap<i64, (Scope, MemoryId)>,
}

impl Reader<'_> {
    fn scopes(&mut self) -> Result<()> {
        self.each("scope", "SELECT key, name, maintained_at FROM scope ORDER BY key", |reader, row| {
            let scope = Scope::try_from(text(row, 1, "name")?).map_err(|_| Flaw("name"))?;
            reader.scopes.insert(integer(row, 0, "key")?, scope.clone());
            if let Some(maintained_at) = optional(row, 2, "maintained_at", instant)? {
                (reader.sink)(Record::Scope(ScopeStatus { scope, maintained_at }));
            }
            Ok(())
        })
    }

    fn labels(&mut self) -> Result<HashMap<i64, Name>> {
        let mut names = HashMap::new();
        self.each("label", "SELECT key, name FROM label ORDER BY key", |_, row| {
            let text = text(row, 1, "name")?;
            let label = Label::try_from(text).ok();
            names.insert(integer(row, 0, "key")?, Name { text: text.into(), label });
            Ok(())
        })?;
        Ok(names)
    }

    fn memories(&mut self, labels: &HashMap<i64, Name>) -> Result<()> {
        self.each("memory", &format!("{MEMORY} ORDER BY key"), |reader, row| {
            let memory = memory(row, &reader.scopes, labels)?;
            reader.ends.insert(integer(row, 0, "key")?, (memory.scope.clone(), memory.id.clone()));
            (reader.sink)(Record::Memory(Box::new(memory)));
            Ok(())
        })
    }

    fn edges(&mut self, labels: &HashMap<i64, Name>) -> Result<()> {
        self.each("edge", EDGE, |reader, row| {
            let edge = edge(row, &reader.ends, labels)?;
            (reader.sink)(Record::Edge(edge));
            Ok(())
        })
    }

    fn proposals(&mut self) -> Result<()> {
        let sql = "SELECT memory, action, merge_into, reason, proposed_at FROM proposal ORDER BY memory";
        self.each("proposal", sql, |reader, row| {
            let (scope, id) = reader.ends.get(&integer(row, 0, "memory")?).ok_or(Flaw("memory"))?;
            let action = match text(row, 1, "action")? {
                "delete" => ProposedAction::Delete,
                "merge" => ProposedAction::Merge { into: name(row, 2, "merge_into")? },
                _ => return Err(Flaw("action")),
            };
            (reader.sink)(Record::Proposal(Proposal {
                scope: scope.clone(),
                id: id.clone(),
                action,
                reason: text(row, 3, "reason")?.to_owned(),
                proposed_at: instant(row, 4, "proposed_at")?,
            }));
            Ok(())
        })
    }

    fn each(
        &mut self,
        table: &'static str,
        sql: &str,
        mut read: impl FnMut(&mut Self, &Row<'_>) -> Read<()>,
    ) -> Result<()> {
        let connection = self.connection;
        let mut statement = connection.prepare_cached(sql)?;
        let mut rows = statement.query(())?;
        while let Some(row) = rows.next()? {
            if let Err(Flaw(column)) = read(self, row) {
                let damage = Damage { table, key: key_of(row), column };
                tracing::warn!(%damage, "a damaged record was passed over; it stays in the file");
                self.damage.push(damage);
            }
        }
        Ok(())
    }
}

// The order of the columns is that of their numbers in `memory`.
const MEMORY: &str = "
SELECT key, id, scope, kind, category, importance, pinned, occurred_at, created_at, updated_at, valid_from,
    last_accessed_at, recalled_at, recall_count, version, tier, state, state_at, superseded_by, archive_reason, author,
    client, session, position, uri, tags, metadata, content, embedding_model, embedding_scale, embedding, editor, shared
FROM memory";

const EDGE: &str = "SELECT source, target, relation, weight, created_at, reinforced_at FROM edge";

fn edge(row: &Row<'_>, ends: &HashMap<i64, (Scope, MemoryId)>, labels: &HashMap<i64, Name>) -> Read<Edge> {
    let (scope, from) = ends.get(&integer(row, 0, "source")?).ok_or(Flaw("source"))?;
    let (other, to) = ends.get(&integer(row, 1, "target")?).ok_or(Flaw("target"))?;
    if scope != other {
        return Err(Flaw("target"));
    }
    let relation = label(row, 2, "relation", labels)?;
    Ok(Edge {
        key: EdgeKey { scope: scope.clone(), from: from.clone(), to: to.clone(), relation },
        weight: real(row, 3, "weight")?,
        created_at: instant(row, 4, "created_at")?,
        reinforced_at: instant(row, 5, "reinforced_at")?,
    })
}

fn memory(row: &Row<'_>, scopes: &HashMap<i64, Scope>, labels: &HashMap<i64, Name>) -> Read<Memory> {
    let scope = scopes.get(&integer(row, 2, "scope")?).ok_or(Flaw("scope"))?;
    let state = match text(row, 16, "state")? {
        "active" => State::Active,
        "superseded" => State::Superseded { by: name(row, 18, "superseded_by")?, at: instant(row, 17, "state_at")? },
        "archived" => {
            State::Archived { at: instant(row, 17, "state_at")?, reason: optional(row, 19, "archive_reason", owned)? }
        }
        "proposed" => State::Proposed { at: instant(row, 17, "state_at")? },
        _ => return Err(Flaw("state")),
    };
    let embedding = optional(row, 28, "embedding_model", |row, column, name| {
        let model = labels.get(&integer(row, column, name)?).ok_or(Flaw(name))?;
        let values = blob(row, 30, "embedding")?;
        Ok(Embedding {
            model: model.text.clone(),
            values: values.iter().map(|&value| value as i8).collect(),
            scale: real(row, 29, "embedding_scale")? as f32,
        })
    })?;
    Ok(Memory {
        scope: scope.clone(),
        id: name(row, 1, "id")?,
        kind: label(row, 3, "kind", labels)?,
        category: Category::parse(text(row, 4, "category")?).map_err(|_| Flaw("category"))?,
        importance: real(row, 5, "importance")?,
        pinned: integer(row, 6, "pinned")? != 0,
        occurred_at: instant(row, 7, "occurred_at")?,
        created_at: instant(row, 8, "created_at")?,
        updated_at: instant(row, 9, "updated_at")?,
        valid_from: instant(row, 10, "valid_from")?,
        last_accessed_at: instant(row, 11, "last_accessed_at")?,
        recalled_at: optional(row, 12, "recalled_at", instant)?,
        recall_count: count(row, 13, "recall_count")?,
        version: count(row, 14, "version")?,
        tier: Tier::parse("tier", text(row, 15, "tier")?).map_err(|_| Flaw("tier"))?,
        state,
        author: optional(row, 20, "author", owned)?,
        source: Source {
            client: optional(row, 21, "client", owned)?,
            session: optional(row, 22, "session", owned)?,
            position: count(row, 23, "position")?,
            uri: optional(row, 24, "uri", owned)?,
            editor: optional(row, 31, "editor", json)?,
            shared: integer(row, 32, "shared")? != 0,
        },
        tags: optional(row, 25, "tags", json)?.unwrap_or_default(),
        metadata: optional(row, 26, "metadata", json)?.unwrap_or_default(),
        content: owned(row, 27, "content")?,
        embedding,
    })
}

/// The column that can't be read.
struct Flaw(&'static str);

type Read<T> = std::result::Result<T, Flaw>;

fn value<'r>(row: &'r Row<'_>, column: usize, name: &'static str) -> Read<ValueRef<'r>> {
    row.get_ref(column).map_err(|_| Flaw(name))
}

fn integer(row: &Row<'_>, column: usize, name: &'static str) -> Read<i64> {
    value(row, column, name)?.as_i64().map_err(|_| Flaw(name))
}

fn real(row: &Row<'_>, column: usize, name: &'static str) -> Read<f64> {
    value(row, column, name)?.as_f64().map_err(|_| Flaw(name))
}

fn text<'r>(row: &'r Row<'_>, column: usize, name: &'static str) -> Read<&'r str> {
    value(row, column, name)?.as_str().map_err(|_| Flaw(name))
}

fn blob<'r>(row: &'r Row<'_>, column: usize, name: &'static str) -> Read<&'r [u8]> {
    value(row, column, name)?.as_blob().map_err(|_| Flaw(name))
}

fn owned(row: &Row<'_>, column: usize, name: &'static str) -> Read<String> {
    text(row, column, name).map(str::to_owned)
}

fn instant(row: &Row<'_>, column: usize, name: &'static str) -> Read<Timestamp> {
    integer(row, column, name).map(Timestamp)
}

fn count(row: &Row<'_>, column: usize, name: &'static str) -> Read<u32> {
    u32::try_from(integer(row, column, name)?).map_err(|_| Flaw(name))
}

fn name(row: &Row<'_>, column: usize, name: &'static str) -> Read<MemoryId> {
    MemoryId::try_from(text(row, column, name)?).map_err(|_| Flaw(name))
}

fn json<T: DeserializeOwned>(row: &Row<'_>, column: usize, name: &'static str) -> Read<T> {
    serde_json::from_str(text(row, column, name)?).map_err(|_| Flaw(name))
}

fn label(row: &Row<'_>, column: usize, name: &'static str, labels: &HashMap<i64, Name>) -> Read<Label> {
    labels.get(&integer(row, column, name)?).and_then(|found| found.label.clone()).ok_or(Flaw(name))
}

fn optional<T>(
    row: &Row<'_>,
    column: usize,
    name: &'static str,
    read: impl FnOnce(&Row<'_>, usize, &'static str) -> Read<T>,
) -> Read<Option<T>> {
    match value(row, column, name)? {
        ValueRef::Null => Ok(None),
        _ => read(row, column, name).map(Some),
    }
}

/// What names a row to a person: its first two columns, as far as they are legible.
fn key_of(row: &Row<'_>) -> String {
    let shown = |column| match row.get_ref(column) {
        Ok(ValueRef::Integer(number)) => number.to_string(),
        Ok(ValueRef::Text(text)) => String::from_utf8_lossy(text).into_owned(),
        _ => "?".to_owned(),
    };
    format!("{} {}", shown(0), shown(1))
}
