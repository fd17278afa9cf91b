//! One journal entry into the tables, inside a transaction that the caller has begun.

use std::{collections::HashMap, io, mem};

use ebbtrace_core::{
    Change, Edge, EdgeKey, JournalEntry, Memory, MemoryId, Proposal, ProposedAction, Record, Scope, ScopeStatus, State,
};
use rusqlite::{Connection, OptionalExtension, Result, ToSql, named_params, params};
use serde::Serialize;

use super::purge::{clear_journal, drop_unused_labels, note_deletion};
use crate::store::purge;

/// An entry whose changes are longer than this as JSON (16 MiB) is written without them: whoever is behind it loads
/// anew, which is faster than reading so long a text.
const JOURNAL_BYTES: usize = 16 << 20;

/// Writes `entry`, or answers false and writes nothing where the store is not at the revision before it.
///
/// # Errors
/// SQLite's own; the caller must roll back.
pub(super) fn entry(connection: &Connection, entry: &JournalEntry) -> Result<bool> {
    let revision = number(entry.revision.0)?;
    let moved = connection
        .prepare_cached("UPDATE store SET revision = ?1 WHERE one = 1 AND revision = ?1 - 1")?
        .execute([revision])?;
    if moved == 0 {
        return Ok(false);
    }
    let mut writer = Writer {
        connection,
        scopes: HashMap::new(),
        labels: HashMap::new(),
        keys: HashMap::new(),
        waiting: Vec::new(),
    };
    for change in &entry.changes {
        writer.change(change)?;
    }
    let purges = purge::is_in(entry);
    if purges {
        drop_unused_labels(connection)?;
        note_deletion(connection, revision)?;
    }
    connection
        .prepare_cached("INSERT INTO journal (revision, at, operation, changes) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![
            revision,
            entry.at.0,
            operation(entry)?,
            if purges { None } else { short_json(&entry.changes)? }
        ])?;
    Ok(true)
}

/// Writes changes; remembers the integers that names stand for as long as the transaction lasts.
struct Writer<'c> {
    connection: &'c Connection,
    scopes: HashMap<Scope, i64>,
    labels: HashMap<String, i64>,
    keys: HashMap<(i64, MemoryId), i64>,
    /// Edges and proposals whose memories are not there yet: they may come later in the same entry, as in an import.
    /// What still waits when the entry ends is not kept.
    waiting: Vec<Record>,
}

impl Writer<'_> {
    fn change(&mut self, change: &Change) -> Result<()> {
        match change {
            Change::Put(Record::Memory(memory)) => self.put_memory(memory),
            Change::Put(Record::Edge(edge)) => self.put_edge(edge),
            Change::Put(Record::Proposal(proposal)) => self.put_proposal(proposal),
            Change::Put(Record::Scope(status)) => self.put_scope(status),
            Change::Touch { scope, id, last_accessed_at, recalled_at, recall_count } => {
                let Some(key) = self.memory(scope, id)? else { return Ok(()) };
                self.run(
                    "UPDATE memory SET last_accessed_at = ?2, recalled_at = ?3, recall_count = ?4 WHERE key = ?1",
                    &[&key, &last_accessed_at.0, &recalled_at.map(|at| at.0), recall_count],
                )
            }
            Change::TouchEdge { key, reinforced_at } => {
                self.with_waiting_edge(key, |edge| edge.reinforced_at = *reinforced_at);
                let Some((source, target, relation)) = self.edge(key)? else { return Ok(()) };
                self.run(
                    "UPDATE edge SET reinforced_at = ?4 WHERE source = ?1 AND target = ?2 AND relation = ?3",
                    &[&source, &target, &relation, &reinforced_at.0],
                )
            }
            Change::DeleteMemory { scope, id } => self.delete_memory(scope, id),
            Change::DeleteEdge(key) => {
                self.waiting.retain(|record| !matches!(record, Record::Edge(edge) if edge.key == *key));
                let Some((source, target, relation)) = self.edge(key)? else { return Ok(()) };
                self.run(
                    "DELETE FROM edge WHERE source = ?1 AND target = ?2 AND relation = ?3",
                    &[&source, &target, &relation],
                )
            }
            Change::DeleteProposal { scope, id } => {
                self.waiting.retain(|record| {
                    !matches!(record, Record::Proposal(proposal) if proposal.scope == *scope && proposal.id == *id)
                });
                let Some(key) = self.memory(scope, id)? else { return Ok(()) };
                self.run("DELETE FROM proposal WHERE memory = ?1", &[&key])
            }
        }
    }

    fn put_memory(&mut self, memory: &Memory) -> Result<()> {
        let scope = self.scope(&memory.scope)?;
        let kind = self.label(memory.kind.as_str())?;
        let (state_at, superseded_by, archive_reason) = match &memory.state {
            State::Active => (None, None, None),
            State::Superseded { by, at } => (Some(at.0), Some(by.as_str()), None),
            State::Archived { at, reason } => (Some(at.0), None, reason.as_deref()),
            State::Proposed { at } => (Some(at.0), None, None),
        };
        let embedding = memory.embedding.as_ref();
        let model = embedding.map(|embedding| self.label(&embedding.model)).transpose()?;
        let values = embedding.map(|embedding| embedding.values.iter().map(|&value| value as u8).collect::<Vec<_>>());
        let tags = (!memory.tags.is_empty()).then(|| json(&memory.tags)).transpose()?;
        let editor = memory.source.editor.as_ref().map(json).transpose()?;
        let metadata = (!memory.metadata.is_empty()).then(|| json(&memory.metadata)).transpose()?;
        let key = self.connection.prepare_cached(PUT_MEMORY)?.query_row(
            named_params! {
                ":scope": scope,
                ":id": memory.id.as_str(),
                ":kind": kind,
                ":category": memory.category.as_str(),
                ":importance": memory.importance,
                ":pinned": memory.pinned,
                ":occurred_at": memory.occurred_at.0,
                ":created_at": memory.created_at.0,
                ":updated_at": memory.updated_at.0,
                ":valid_from": memory.valid_from.0,
                ":last_accessed_at": memory.last_accessed_at.0,
                ":recalled_at": memory.recalled_at.map(|at| at.0),
                ":recall_count": memory.recall_count,
                ":version": memory.version,
                ":tier": memory.tier.as_str(),
                ":state": memory.state.as_str(),
                ":state_at": state_at,
                ":superseded_by": superseded_by,
                ":archive_reason": archive_reason,
                ":author": memory.author,
                ":client": memory.source.client,
                ":session": memory.source.session,
                ":position": memory.source.position,
                ":uri": memory.source.uri,
                ":tags": tags,
                ":metadata": metadata,
                ":content": memory.content,
                ":embedding_model": model,
                ":embedding_scale": embedding.map(|embedding| f64::from(embedding.scale)),
                ":embedding": values,
                ":editor": editor,
                ":shared": memory.source.shared,
            },
            |row| row.get(0),
        )?;
        self.keys.insert((scope, memory.id.clone()), key);
        for record in mem::take(&mut self.waiting) {
            match &record {
                Record::Edge(edge) => self.put_edge(edge)?,
                Record::Proposal(proposal) => self.put_proposal(proposal)?,
                Record::Memory(_) | Record::Scope(_) => {}
            }
        }
        Ok(())
    }

    fn put_edge(&mut self, edge: &Edge) -> Result<()> {
        let Some((source, target, relation)) = self.edge(&edge.key)? else {
            self.waiting.push(Record::Edge(edge.clone()));
            return Ok(());
        };
        self.run(
            "INSERT INTO edge (source, target, relation, weight, created_at, reinforced_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT DO UPDATE SET weight = excluded.weight, created_at = excluded.created_at,
                 reinforced_at = excluded.reinforced_at",
            &[&source, &target, &relation, &edge.weight, &edge.created_at.0, &edge.reinforced_at.0],
        )
    }

    fn put_proposal(&mut self, proposal: &Proposal) -> Result<()> {
        let Some(key) = self.memory(&proposal.scope, &proposal.id)? else {
            self.waiting.push(Record::Proposal(proposal.clone()));
            return Ok(());
        };
        let (action, into) = match &proposal.action {
            ProposedAction::Delete => ("delete", None),
            ProposedAction::Merge { into } => ("merge", Some(into.as_str())),
        };
        self.run(
            "INSERT INTO proposal (memory, action, merge_into, reason, proposed_at) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT DO UPDATE SET action = excluded.action, merge_into = excluded.merge_into,
                 reason = excluded.reason, proposed_at = excluded.proposed_at",
            &[&key, &action, &into, &proposal.reason, &proposal.proposed_at.0],
        )
    }

    fn put_scope(&mut self, status: &ScopeStatus) -> Result<()> {
        let key = self.scope(&status.scope)?;
        self.run("UPDATE scope SET maintained_at = ?2 WHERE key = ?1", &[&key, &status.maintained_at.0])
    }

    /// The memory's edges and its proposal go with it, by the tables' own rules; the journal is cleared of it too.
    fn delete_memory(&mut self, scope: &Scope, id: &MemoryId) -> Result<()> {
        self.waiting.retain(|record| !purge::is_of(record, scope, id));
        let key = self.memory(scope, id)?;
        let text = match key {
            Some(key) => self
                .connection
                .prepare_cached("SELECT content FROM memory WHERE key = ?1")?
                // What is damaged may be no text.
                .query_row([key], |row| {
                    Ok(String::from_utf8_lossy(row.get_ref(0)?.as_bytes().unwrap_or_default()).into_owned())
                })?,
            None => String::new(),
        };
        clear_journal(self.connection, scope, id, &text)?;
        let Some(key) = key else { return Ok(()) };
        self.keys.retain(|_, known| *known != key);
        self.run("DELETE FROM memory WHERE key = ?1", &[&key])
    }

    fn with_waiting_edge(&mut self, key: &EdgeKey, change: impl Fn(&mut Edge)) {
        for record in &mut self.waiting {
            if let Record::Edge(edge) = record
                && edge.key == *key
            {
                change(edge);
            }
        }
    }

    /// The integers of an edge's ends and relation; `None` where an end is missing.
    fn edge(&mut self, key: &EdgeKey) -> Result<Option<(i64, i64, i64)>> {
        let (Some(source), Some(target)) = (self.memory(&key.scope, &key.from)?, self.memory(&key.scope, &key.to)?)
        else {
            return Ok(None);
        };
        Ok(Some((source, target, self.label(key.relation.as_str())?)))
    }

    fn memory(&mut self, scope: &Scope, id: &MemoryId) -> Result<Option<i64>> {
        let scope = self.scope(scope)?;
        let name = (scope, id.clone());
        if let Some(key) = self.keys.get(&name) {
            return Ok(Some(*key));
        }
        let found = self
            .connection
            .prepare_cached("SELECT key FROM memory WHERE scope = ?1 AND id = ?2")?
            .query_row(params![scope, id.as_str()], |row| row.get(0))
            .optional()?;
        if let Some(key) = found {
            self.keys.insert(name, key);
        }
        Ok(found)
    }

    fn scope(&mut self, scope: &Scope) -> Result<i64> {
        if let Some(key) = self.scopes.get(scope) {
            return Ok(*key);
        }
        let key = self.intern(
            "SELECT key FROM scope WHERE name = ?1",
            "INSERT INTO scope (name) VALUES (?1) RETURNING key",
            scope.as_str(),
        )?;
        self.scopes.insert(scope.clone(), key);
        Ok(key)
    }

    fn label(&mut self, name: &str) -> Result<i64> {
        if let Some(key) = self.labels.get(name) {
            return Ok(*key);
        }
        let key = self.intern(
            "SELECT key FROM label WHERE name = ?1",
            "INSERT INTO label (name) VALUES (?1) RETURNING key",
            name,
        )?;
        self.labels.insert(name.to_owned(), key);
        Ok(key)
    }

    fn intern(&self, find: &str, make: &str, name: &str) -> Result<i64> {
        let found = self.connection.prepare_cached(find)?.query_row([name], |row| row.get(0)).optional()?;
        match found {
            Some(key) => Ok(key),
            None => self.connection.prepare_cached(make)?.query_row([name], |row| row.get(0)),
        }
    }

    fn run(&self, sql: &str, values: &[&dyn ToSql]) -> Result<()> {
        self.connection.prepare_cached(sql)?.execute(values).map(drop)
    }
}

const PUT_MEMORY: &str = "
INSERT INTO memory (scope, id, kind, category, importance, pinned, occurred_at, created_at, updated_at, valid_from,
    last_accessed_at, recalled_at, recall_count, version, tier, state, state_at, superseded_by, archive_reason, author,
    client, session, position, uri, tags, metadata, content, embedding_model, embedding_scale, embedding, editor, shared)
VALUES (:scope, :id, :kind, :category, :importance, :pinned, :occurred_at, :created_at, :updated_at, :valid_from,
    :last_accessed_at, :recalled_at, :recall_count, :version, :tier, :state, :state_at, :superseded_by,
    :archive_reason, :author, :client, :session, :position, :uri, :tags, :metadata, :content, :embedding_model,
    :embedding_scale, :embedding, :editor, :shared)
ON CONFLICT (scope, id) DO UPDATE SET kind = excluded.kind, category = excluded.category,
    importance = excluded.importance, pinned = excluded.pinned, occurred_at = excluded.occurred_at,
    created_at = excluded.created_at, updated_at = excluded.updated_at, valid_from = excluded.valid_from,
    last_accessed_at = excluded.last_accessed_at, recalled_at = excluded.recalled_at,
    recall_count = excluded.recall_count, version = excluded.version, tier = excluded.tier, state = excluded.state,
    state_at = excluded.state_at, superseded_by = excluded.superseded_by, archive_reason = excluded.archive_reason,
    author = excluded.author, client = excluded.client, session = excluded.session, position = excluded.position,
    uri = excluded.uri, tags = excluded.tags, metadata = excluded.metadata, content = excluded.content,
    embedding_model = excluded.embedding_model, embedding_scale = excluded.embedding_scale,
    embedding = excluded.embedding, editor = excluded.editor, shared = excluded.shared
RETURNING key";

fn operation(entry: &JournalEntry) -> Result<String> {
    // A unit variant's JSON is its name in quotes.
    let name = json(&entry.operation).map(|name| name.trim_matches('"').to_owned())?;
    // In the same column, so that a store needs no new format for it: a program from before this that meets such an
    // entry takes it for damaged and loads the store anew.
    Ok(entry.channel.map_or_else(|| name.clone(), |channel| format!("{name} {}", channel.as_str())))
}

fn number(value: u64) -> Result<i64> {
    i64::try_from(value).map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
}

/// # Errors
/// Where `value` has no form in JSON.
pub(super) fn json<T: Serialize + ?Sized>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
}

/// The changes as JSON; `None` where they take more than [`JOURNAL_BYTES`].
fn short_json(changes: &[Change]) -> Result<Option<String>> {
    let mut text = Bounded(Vec::with_capacity(1_024));
    match serde_json::to_writer(&mut text, changes) {
        Ok(()) => {}
        Err(error) if error.is_io() => return Ok(None),
        Err(error) => return Err(rusqlite::Error::ToSqlConversionFailure(Box::new(error))),
    }
    let text = String::from_utf8(text.0);
    text.map(Some).map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
}

/// Takes [`JOURNAL_BYTES`] and no more.
struct Bounded(Vec<u8>);

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > JOURNAL_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_over_the_limit_are_not_kept() -> Result<()> {
        let delete = |number: u32| Change::DeleteMemory {
            scope: Scope::default(),
            id: MemoryId::try_from(&*format!("{number:0>200}")).expect("a valid id"),
        };
        let few: Vec<Change> = (0..2).map(delete).collect();
        assert_eq!(short_json(&few)?, Some(json(&few)?));
        let many: Vec<Change> = (0..70_000).map(delete).collect();
        assert_eq!(short_json(&many)?, None);
        Ok(())
    }
}
