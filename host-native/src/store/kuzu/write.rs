//! One journal entry as Cypher, inside a transaction that the caller has begun. Each kind of record is written at once:
//! a statement costs the engine far more than a row.

use std::collections::BTreeMap;

use ebbtrace_core::{
    Change, Edge, EdgeKey, JournalEntry, Memory, MemoryId, Operation, Proposal, ProposedAction, Record, Revision,
    Scope, ScopeStatus, State, Timestamp,
};
use kuzu::{Connection, Error, LogicalType, Value};

use super::{read, schema::BETWEEN};
use crate::store::{
    net::{Clocks, Fate, Key, Net},
    purge,
};

/// A row's fields, in the same order in all rows of a statement.
type Row = Vec<(&'static str, Value)>;

/// How many rows a statement is given.
const BATCH: usize = 2_000;

/// Writes `entry`, its revision and its journal row; false where the store is at another revision, and nothing was
/// written.
///
/// # Errors
/// Kùzu's own; the caller must roll back.
pub(super) fn entry(connection: &Connection<'_>, entry: &JournalEntry) -> Result<bool, Error> {
    let writer = Writer { connection };
    let revision = entry.revision.0.cast_signed();
    let moved = writer.rows(
        "MATCH (s:Store {one: 1}) WHERE s.revision = $before SET s.revision = $revision RETURN s.one",
        vec![("before", Value::Int64(revision - 1)), ("revision", Value::Int64(revision))],
    )?;
    if moved.is_empty() {
        return Ok(false);
    }
    writer.net(&Net::of(entry))?;
    if purge::is_in(entry) {
        writer.run("MATCH (s:Store {one: 1}) SET s.clean = false", Vec::new())?;
    }
    let changes = (!purge::is_in(entry)).then(|| serde_json::to_string(&entry.changes).unwrap_or_default());
    let operation = serde_json::to_string(&entry.operation).unwrap_or_default();
    writer.run(
        ADD_ENTRY,
        vec![
            ("revision", Value::Int64(revision)),
            ("at", Value::Int64(entry.at.0)),
            // A unit variant's JSON is its name in quotes.
            ("operation", text(operation.trim_matches('"'))),
            ("channel", optional(entry.channel.map(|channel| channel.as_str()))),
            ("changes", optional(changes.as_deref())),
        ],
    )?;
    Ok(true)
}

/// Copies everything into an empty database, in one transaction.
///
/// # Errors
/// Kùzu's own; nothing was copied.
pub(super) fn copy(from: &Connection<'_>, to: &Connection<'_>) -> Result<(), Error> {
    let writer = Writer { connection: to };
    to.query("BEGIN TRANSACTION")?;
    let mut changes = Vec::new();
    read::records(from, &mut |record: Record| changes.push(Change::Put(record)))?;
    let operation = Operation::Import;
    let all = JournalEntry { revision: Revision(0), at: Timestamp(0), operation, channel: None, changes };
    writer.net(&Net::of(&all))?;
    let entries = "MATCH (j:Journal) RETURN j.revision, j.at, j.operation, j.channel, j.changes ORDER BY j.revision";
    for row in from.query(entries)? {
        let told = ["revision", "at", "operation", "channel", "changes"].into_iter().zip(row).collect();
        writer.run(ADD_ENTRY, told)?;
    }
    let revision = read::revision(from)?.0.cast_signed();
    writer.run("MATCH (s:Store {one: 1}) SET s.revision = $revision", vec![("revision", Value::Int64(revision))])?;
    to.query("COMMIT").map(drop)
}

struct Writer<'c, 'd> {
    connection: &'c Connection<'d>,
}

impl Writer<'_, '_> {
    fn net(&self, net: &Net) -> Result<(), Error> {
        for (key, _) in net.memories.iter().filter(|(_, fate)| fate.deleted) {
            self.delete_memory(key, net)?;
        }
        let proposals = net.proposals.iter();
        self.batches(DELETE_PROPOSALS, proposals.filter(|(_, fate)| fate.deleted).map(|(key, _)| named(key)))?;
        let edges = net.edges.iter();
        let parted = edges.clone().filter(|(_, fate)| fate.deleted && fate.put.is_none());
        self.batches(DELETE_EDGES, parted.map(|(key, _)| ends(key)))?;
        self.batches(PUT_MEMORIES, puts(&net.memories).map(memory))?;
        let touched = net.memories.iter().filter_map(|(key, fate)| Some(clocks(key, fate.touch.as_ref()?)));
        self.batches(TOUCH_MEMORIES, touched)?;
        // An edge or a proposal without its memory is not kept.
        self.batches(PUT_EDGES, puts(&net.edges).map(edge))?;
        self.batches(
            TOUCH_EDGES,
            edges.filter_map(|(key, fate)| {
                let mut row = ends(key);
                row.push(("at", Value::Int64(fate.touch?.0)));
                Some(row)
            }),
        )?;
        self.batches(PUT_PROPOSALS, puts(&net.proposals).map(proposal))?;
        self.batches(PUT_SCOPES, net.scopes.values().map(status))
    }

    fn batches(&self, cypher: &str, rows: impl Iterator<Item = Row>) -> Result<(), Error> {
        let mut rows = rows.peekable();
        while rows.peek().is_some() {
            let batch: Vec<Row> = rows.by_ref().take(BATCH).collect();
            let Some(first) = batch.first() else { break };
            let fields = first.iter().map(|(name, value)| ((*name).to_owned(), LogicalType::from(value))).collect();
            let of = |row: Row| Value::Struct(row.into_iter().map(|(name, value)| (name.to_owned(), value)).collect());
            let list = Value::List(LogicalType::Struct { fields }, batch.into_iter().map(of).collect());
            self.run(cypher, vec![("rows", list)])?;
        }
        Ok(())
    }

    /// The memory's edges go with it; the journal is cleared of it too.
    fn delete_memory(&self, of: &Key, net: &Net) -> Result<(), Error> {
        let (scope, id) = of;
        let key = key(scope, id);
        let rows = self.rows("MATCH (m:Memory {key: $key}) RETURN m.content", vec![("key", text(&key))])?;
        let stored = match rows.into_iter().flatten().next() {
            Some(Value::String(content)) => content,
            _ => String::new(),
        };
        let put_before = net.gone.iter().filter(|(gone, _)| gone == of).map(|(_, text)| text.as_str());
        for text in std::iter::once(stored.as_str()).chain(put_before) {
            self.clear_journal(scope, id, text)?;
        }
        self.run("MATCH (m:Memory {key: $key}) DETACH DELETE m", vec![("key", Value::String(key))])
    }

    fn clear_journal(&self, scope: &Scope, id: &MemoryId, content: &str) -> Result<(), Error> {
        let rows =
            self.rows("MATCH (j:Journal) WHERE j.changes IS NOT NULL RETURN j.revision, j.changes", Vec::new())?;
        for row in rows {
            let [Value::Int64(revision), Value::String(told)] = &row[..] else { continue };
            let Ok(mut changes) = serde_json::from_str::<Vec<Change>>(told) else { continue };
            let known = changes.len();
            purge::clear(&mut changes, scope, id, content);
            if changes.len() < known {
                let left = serde_json::to_string(&changes).unwrap_or_default();
                self.run(
                    "MATCH (j:Journal {revision: $revision}) SET j.changes = $changes",
                    vec![("revision", Value::Int64(*revision)), ("changes", Value::String(left))],
                )?;
            }
        }
        Ok(())
    }

    fn run(&self, cypher: &str, told: Row) -> Result<(), Error> {
        self.rows(cypher, told).map(drop)
    }

    fn rows(&self, cypher: &str, told: Row) -> Result<Vec<Vec<Value>>, Error> {
        let mut statement = self.connection.prepare(cypher)?;
        Ok(self.connection.execute(&mut statement, told)?.collect())
    }
}

/// What names a memory in the tables.
fn key(scope: &Scope, id: &MemoryId) -> String {
    format!("{scope}{BETWEEN}{id}")
}

fn named((scope, id): &Key) -> Row {
    vec![("key", Value::String(key(scope, id)))]
}

fn puts<K, R, T>(fates: &BTreeMap<K, Fate<R, T>>) -> impl Iterator<Item = &R> {
    fates.values().filter_map(|fate| fate.put.as_ref())
}

fn memory(memory: &Memory) -> Row {
    let (state_at, superseded_by, archive_reason) = match &memory.state {
        State::Active => (None, None, None),
        State::Superseded { by, at } => (Some(at.0), Some(by.as_str()), None),
        State::Archived { at, reason } => (Some(at.0), None, reason.as_deref()),
        State::Proposed { at } => (Some(at.0), None, None),
    };
    let embedding = memory.embedding.as_ref();
    let values = embedding.map(|embedding| embedding.values.iter().map(|&value| Value::Int8(value)).collect());
    let list = LogicalType::List { child_type: Box::new(LogicalType::Int8) };
    let json = |told: serde_json::Result<String>| told.unwrap_or_default();
    vec![
        ("key", Value::String(key(&memory.scope, &memory.id))),
        ("scope", text(memory.scope.as_str())),
        ("id", text(memory.id.as_str())),
        ("kind", text(memory.kind.as_str())),
        ("category", text(memory.category.as_str())),
        ("content", text(&memory.content)),
        ("importance", Value::Double(memory.importance)),
        ("pinned", Value::Bool(memory.pinned)),
        ("tags", Value::List(LogicalType::String, memory.tags.iter().map(|tag| text(tag)).collect())),
        ("metadata", Value::String(json(serde_json::to_string(&memory.metadata)))),
        ("author", optional(memory.author.as_deref())),
        ("source", Value::String(json(serde_json::to_string(&memory.source)))),
        ("occurred_at", Value::Int64(memory.occurred_at.0)),
        ("created_at", Value::Int64(memory.created_at.0)),
        ("updated_at", Value::Int64(memory.updated_at.0)),
        ("valid_from", Value::Int64(memory.valid_from.0)),
        ("last_accessed_at", Value::Int64(memory.last_accessed_at.0)),
        ("recalled_at", number(memory.recalled_at.map(|at| at.0))),
        ("recall_count", Value::Int64(i64::from(memory.recall_count))),
        ("version", Value::Int64(i64::from(memory.version))),
        ("tier", text(memory.tier.as_str())),
        ("state", text(memory.state.as_str())),
        ("state_at", number(state_at)),
        ("superseded_by", optional(superseded_by)),
        ("archive_reason", optional(archive_reason)),
        ("embedding_model", optional(embedding.map(|embedding| &*embedding.model))),
        (
            "embedding_scale",
            embedding.map_or(Value::Null(LogicalType::Float), |embedding| Value::Float(embedding.scale)),
        ),
        ("embedding", values.map_or(Value::Null(list), |values| Value::List(LogicalType::Int8, values))),
    ]
}

fn clocks((scope, id): &Key, clocks: &Clocks) -> Row {
    vec![
        ("key", Value::String(key(scope, id))),
        ("accessed", Value::Int64(clocks.last_accessed_at.0)),
        ("recalled", number(clocks.recalled_at.map(|at| at.0))),
        ("count", Value::Int64(i64::from(clocks.recall_count))),
    ]
}

fn ends(key: &EdgeKey) -> Row {
    vec![
        ("from", Value::String(self::key(&key.scope, &key.from))),
        ("to", Value::String(self::key(&key.scope, &key.to))),
        ("relation", text(key.relation.as_str())),
    ]
}

fn edge(edge: &Edge) -> Row {
    let mut row = ends(&edge.key);
    row.extend([
        ("weight", Value::Double(edge.weight)),
        ("created_at", Value::Int64(edge.created_at.0)),
        ("reinforced_at", Value::Int64(edge.reinforced_at.0)),
    ]);
    row
}

fn proposal(proposal: &Proposal) -> Row {
    let Proposal { scope, id, action, reason, proposed_at } = proposal;
    let (action, into) = match action {
        ProposedAction::Delete => ("delete", None),
        ProposedAction::Merge { into } => ("merge", Some(into.as_str())),
    };
    vec![
        ("key", Value::String(key(scope, id))),
        ("scope", text(scope.as_str())),
        ("id", text(id.as_str())),
        ("action", text(action)),
        ("merge_into", optional(into)),
        ("reason", text(reason)),
        ("proposed_at", Value::Int64(proposed_at.0)),
    ]
}

fn status(status: &ScopeStatus) -> Row {
    vec![("name", text(status.scope.as_str())), ("at", Value::Int64(status.maintained_at.0))]
}

fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

fn optional(told: Option<&str>) -> Value {
    told.map_or(Value::Null(LogicalType::String), text)
}

fn number(told: Option<i64>) -> Value {
    told.map_or(Value::Null(LogicalType::Int64), Value::Int64)
}

const ADD_ENTRY: &str =
    "CREATE (:Journal {revision: $revision, at: $at, operation: $operation, channel: $channel, changes: $changes})";

const DELETE_PROPOSALS: &str = "UNWIND $rows AS r MATCH (p:Proposal {key: r.key}) DELETE p";
const DELETE_EDGES: &str = "UNWIND $rows AS r MATCH (:Memory {key: r.from})-[l:Link]->(:Memory {key: r.to}) \
                            WHERE l.relation = r.relation DELETE l";
const TOUCH_MEMORIES: &str = "UNWIND $rows AS r MATCH (m:Memory {key: r.key}) SET m.last_accessed_at = r.accessed, \
                              m.recalled_at = r.recalled, m.recall_count = r.count";
const PUT_EDGES: &str = "UNWIND $rows AS r MATCH (a:Memory {key: r.from}), (b:Memory {key: r.to}) \
                         MERGE (a)-[l:Link {relation: r.relation}]->(b) SET l.weight = r.weight, \
                         l.created_at = r.created_at, l.reinforced_at = r.reinforced_at";
const TOUCH_EDGES: &str = "UNWIND $rows AS r MATCH (:Memory {key: r.from})-[l:Link]->(:Memory {key: r.to}) \
                           WHERE l.relation = r.relation SET l.reinforced_at = r.at";
const PUT_PROPOSALS: &str = "UNWIND $rows AS r MATCH (m:Memory {key: r.key}) MERGE (p:Proposal {key: r.key}) \
                             SET p.scope = r.scope, p.id = r.id, p.action = r.action, p.merge_into = r.merge_into, \
                             p.reason = r.reason, p.proposed_at = r.proposed_at";
const PUT_SCOPES: &str = "UNWIND $rows AS r MERGE (s:Scope {name: r.name}) SET s.maintained_at = r.at";

const PUT_MEMORIES: &str = "
    UNWIND $rows AS r MERGE (m:Memory {key: r.key}) SET m.scope = r.scope, m.id = r.id, m.kind = r.kind,
    m.category = r.category, m.content = r.content, m.importance = r.importance, m.pinned = r.pinned, m.tags =
    r.tags, m.metadata = r.metadata, m.author = r.author, m.source = r.source, m.occurred_at = r.occurred_at,
    m.created_at = r.created_at, m.updated_at = r.updated_at, m.valid_from = r.valid_from, m.last_accessed_at =
    r.last_accessed_at, m.recalled_at = r.recalled_at, m.recall_count = r.recall_count, m.version = r.version,
    m.tier = r.tier, m.state = r.state, m.state_at = r.state_at, m.superseded_by = r.superseded_by,
    m.archive_reason = r.archive_reason, m.embedding_model = r.embedding_model, m.embedding_scale =
    r.embedding_scale, m.embedding = r.embedding";
