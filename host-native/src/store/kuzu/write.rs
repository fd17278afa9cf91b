//! One journal entry as Cypher, inside a transaction that the caller has begun.

use std::{collections::HashMap, mem};

use ebbtrace_core::{
    Change, Edge, EdgeKey, JournalEntry, Memory, MemoryId, Proposal, ProposedAction, Record, Scope, ScopeStatus, State,
};
use kuzu::{Connection, Error, LogicalType, PreparedStatement, Value};

use super::{read, schema::BETWEEN};
use crate::store::purge;

/// Writes `entry`, its revision and its journal row; false where the store is at another revision, and nothing was
/// written.
///
/// # Errors
/// Kùzu's own; the caller must roll back.
pub(super) fn entry(connection: &Connection<'_>, entry: &JournalEntry) -> Result<bool, Error> {
    let mut writer = Writer { connection, prepared: HashMap::new(), waiting: Vec::new() };
    let revision = entry.revision.0.cast_signed();
    let moved = writer.rows(
        "MATCH (s:Store {one: 1}) WHERE s.revision = $before SET s.revision = $revision RETURN s.one",
        vec![("before", Value::Int64(revision - 1)), ("revision", Value::Int64(revision))],
    )?;
    if moved.is_empty() {
        return Ok(false);
    }
    for change in &entry.changes {
        writer.change(change)?;
    }
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
    let mut writer = Writer { connection: to, prepared: HashMap::new(), waiting: Vec::new() };
    to.query("BEGIN TRANSACTION")?;
    let mut records = Vec::new();
    read::records(from, &mut |record| records.push(record))?;
    // Edges and proposals come behind the memories that they are about.
    for record in records {
        writer.change(&Change::Put(record))?;
    }
    let entries = "MATCH (j:Journal) RETURN j.revision, j.at, j.operation, j.channel, j.changes ORDER BY j.revision";
    for row in from.query(entries)? {
        let told = ["revision", "at", "operation", "channel", "changes"].into_iter().zip(row).collect();
        writer.run(ADD_ENTRY, told)?;
    }
    let revision = read::revision(from)?.0.cast_signed();
    writer.run("MATCH (s:Store {one: 1}) SET s.revision = $revision", vec![("revision", Value::Int64(revision))])?;
    to.query("COMMIT").map(drop)
}

/// What names a memory in the tables.
pub(super) fn key(scope: &Scope, id: &MemoryId) -> String {
    format!("{scope}{BETWEEN}{id}")
}

pub(super) fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

fn optional(told: Option<&str>) -> Value {
    told.map_or(Value::Null(LogicalType::String), text)
}

fn number(told: Option<i64>) -> Value {
    told.map_or(Value::Null(LogicalType::Int64), Value::Int64)
}

struct Writer<'c, 'd> {
    connection: &'c Connection<'d>,
    prepared: HashMap<&'static str, PreparedStatement>,
    /// Edges and proposals whose memories are not there yet: they may come later in the same entry, as in an import.
    /// What still waits when the entry ends is not kept.
    waiting: Vec<Record>,
}

impl Writer<'_, '_> {
    fn change(&mut self, change: &Change) -> Result<(), Error> {
        match change {
            Change::Put(Record::Memory(memory)) => self.put_memory(memory),
            Change::Put(Record::Edge(edge)) => self.put_edge(edge),
            Change::Put(Record::Proposal(proposal)) => self.put_proposal(proposal),
            Change::Put(Record::Scope(status)) => self.put_scope(status),
            Change::Touch { scope, id, last_accessed_at, recalled_at, recall_count } => self.run(
                "MATCH (m:Memory {key: $key}) SET m.last_accessed_at = $accessed, m.recalled_at = $recalled, \
                 m.recall_count = $count",
                vec![
                    ("key", Value::String(key(scope, id))),
                    ("accessed", Value::Int64(last_accessed_at.0)),
                    ("recalled", number(recalled_at.map(|at| at.0))),
                    ("count", Value::Int64(i64::from(*recall_count))),
                ],
            ),
            Change::TouchEdge { key, reinforced_at } => {
                for record in &mut self.waiting {
                    if let Record::Edge(edge) = record
                        && edge.key == *key
                    {
                        edge.reinforced_at = *reinforced_at;
                    }
                }
                let mut told = ends(key);
                told.push(("at", Value::Int64(reinforced_at.0)));
                self.run(
                    "MATCH (:Memory {key: $from})-[l:Link]->(:Memory {key: $to}) WHERE l.relation = $relation \
                     SET l.reinforced_at = $at",
                    told,
                )
            }
            Change::DeleteMemory { scope, id } => self.delete_memory(scope, id),
            Change::DeleteEdge(key) => {
                self.waiting.retain(|record| !matches!(record, Record::Edge(edge) if edge.key == *key));
                self.run(
                    "MATCH (:Memory {key: $from})-[l:Link]->(:Memory {key: $to}) WHERE l.relation = $relation DELETE l",
                    ends(key),
                )
            }
            Change::DeleteProposal { scope, id } => {
                self.waiting.retain(|record| {
                    !matches!(record, Record::Proposal(proposal) if proposal.scope == *scope && proposal.id == *id)
                });
                self.run("MATCH (p:Proposal {key: $key}) DELETE p", vec![("key", Value::String(key(scope, id)))])
            }
        }
    }

    fn put_memory(&mut self, memory: &Memory) -> Result<(), Error> {
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
        self.run(
            PUT_MEMORY,
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
            ],
        )?;
        for record in mem::take(&mut self.waiting) {
            match &record {
                Record::Edge(edge) => self.put_edge(edge)?,
                Record::Proposal(proposal) => self.put_proposal(proposal)?,
                Record::Memory(_) | Record::Scope(_) => {}
            }
        }
        Ok(())
    }

    fn put_edge(&mut self, edge: &Edge) -> Result<(), Error> {
        let mut told = ends(&edge.key);
        told.extend([
            ("weight", Value::Double(edge.weight)),
            ("created_at", Value::Int64(edge.created_at.0)),
            ("reinforced_at", Value::Int64(edge.reinforced_at.0)),
        ]);
        let made = self.rows(
            "MATCH (a:Memory {key: $from}), (b:Memory {key: $to}) MERGE (a)-[l:Link {relation: $relation}]->(b) \
             SET l.weight = $weight, l.created_at = $created_at, l.reinforced_at = $reinforced_at RETURN l.weight",
            told,
        )?;
        if made.is_empty() {
            self.waiting.push(Record::Edge(edge.clone()));
        }
        Ok(())
    }

    fn put_proposal(&mut self, proposal: &Proposal) -> Result<(), Error> {
        let Proposal { scope, id, action, reason, proposed_at } = proposal;
        let of = key(scope, id);
        let there = self.rows("MATCH (m:Memory {key: $key}) RETURN m.id", vec![("key", text(&of))])?;
        if there.is_empty() {
            self.waiting.push(Record::Proposal(proposal.clone()));
            return Ok(());
        }
        let (action, into) = match action {
            ProposedAction::Delete => ("delete", None),
            ProposedAction::Merge { into } => ("merge", Some(into.as_str())),
        };
        self.run(
            "MERGE (p:Proposal {key: $key}) SET p.scope = $scope, p.id = $id, p.action = $action, \
             p.merge_into = $merge_into, p.reason = $reason, p.proposed_at = $proposed_at",
            vec![
                ("key", Value::String(of)),
                ("scope", text(scope.as_str())),
                ("id", text(id.as_str())),
                ("action", text(action)),
                ("merge_into", optional(into)),
                ("reason", text(reason)),
                ("proposed_at", Value::Int64(proposed_at.0)),
            ],
        )
    }

    fn put_scope(&mut self, status: &ScopeStatus) -> Result<(), Error> {
        self.run(
            "MERGE (s:Scope {name: $name}) SET s.maintained_at = $at",
            vec![("name", text(status.scope.as_str())), ("at", Value::Int64(status.maintained_at.0))],
        )
    }

    /// The memory's edges and its proposal go with it; the journal is cleared of it too.
    fn delete_memory(&mut self, scope: &Scope, id: &MemoryId) -> Result<(), Error> {
        self.waiting.retain(|record| !purge::is_of(record, scope, id));
        let of = key(scope, id);
        let rows = self.rows("MATCH (m:Memory {key: $key}) RETURN m.content", vec![("key", text(&of))])?;
        let content = match rows.into_iter().flatten().next() {
            Some(Value::String(content)) => content,
            _ => String::new(),
        };
        self.clear_journal(scope, id, &content)?;
        self.run("MATCH (p:Proposal {key: $key}) DELETE p", vec![("key", text(&of))])?;
        self.run("MATCH (m:Memory {key: $key}) DETACH DELETE m", vec![("key", Value::String(of))])
    }

    fn clear_journal(&mut self, scope: &Scope, id: &MemoryId, content: &str) -> Result<(), Error> {
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

    fn run(&mut self, cypher: &'static str, told: Vec<(&str, Value)>) -> Result<(), Error> {
        self.rows(cypher, told).map(drop)
    }

    fn rows(&mut self, cypher: &'static str, told: Vec<(&str, Value)>) -> Result<Vec<Vec<Value>>, Error> {
        let statement = match self.prepared.entry(cypher) {
            std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::hash_map::Entry::Vacant(new) => new.insert(self.connection.prepare(cypher)?),
        };
        Ok(self.connection.execute(statement, told)?.collect())
    }
}

fn ends(key: &EdgeKey) -> Vec<(&'static str, Value)> {
    vec![
        ("from", Value::String(self::key(&key.scope, &key.from))),
        ("to", Value::String(self::key(&key.scope, &key.to))),
        ("relation", text(key.relation.as_str())),
    ]
}

const ADD_ENTRY: &str =
    "CREATE (:Journal {revision: $revision, at: $at, operation: $operation, channel: $channel, changes: $changes})";

const PUT_MEMORY: &str = "
MERGE (m:Memory {key: $key}) SET m.scope = $scope, m.id = $id, m.kind = $kind, m.category = $category,
    m.content = $content, m.importance = $importance, m.pinned = $pinned, m.tags = $tags, m.metadata = $metadata,
    m.author = $author, m.source = $source, m.occurred_at = $occurred_at, m.created_at = $created_at,
    m.updated_at = $updated_at, m.valid_from = $valid_from, m.last_accessed_at = $last_accessed_at,
    m.recalled_at = $recalled_at, m.recall_count = $recall_count, m.version = $version, m.tier = $tier,
    m.state = $state, m.state_at = $state_at, m.superseded_by = $superseded_by, m.archive_reason = $archive_reason,
    m.embedding_model = $embedding_model, m.embedding_scale = $embedding_scale, m.embedding = $embedding";
