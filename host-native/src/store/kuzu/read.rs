//! Rows into records. One that can't be read is passed over and counted, never changed.

use ebbtrace_core::{
    Category, Change, Channel, Edge, EdgeKey, JournalEntry, Label, Memory, MemoryId, Operation, Proposal,
    ProposedAction, Record, Revision, Scope, ScopeStatus, State, Tier, Timestamp, vector::Embedding,
};
use kuzu::{Connection, Error, Value};
use serde::de::DeserializeOwned;

use super::schema::BETWEEN;
use crate::store::Logged;

/// The revision the store is at.
///
/// # Errors
/// Kùzu's own.
pub(super) fn revision(connection: &Connection<'_>) -> Result<Revision, Error> {
    let row = connection.query("MATCH (s:Store {one: 1}) RETURN s.revision")?.next().unwrap_or_default();
    Ok(Revision(Row::new(&row).integer().unwrap_or_default().unsigned_abs()))
}

/// Whether nothing of what was deleted is left in the files.
///
/// # Errors
/// Kùzu's own.
pub(super) fn is_clean(connection: &Connection<'_>) -> Result<bool, Error> {
    let row = connection.query("MATCH (s:Store {one: 1}) RETURN s.clean")?.next().unwrap_or_default();
    Ok(Row::new(&row).flag().unwrap_or(true))
}

/// Hands every record to `sink`; how many rows could not be read.
///
/// # Errors
/// Kùzu's own.
pub(super) fn records(connection: &Connection<'_>, sink: &mut dyn FnMut(Record)) -> Result<usize, Error> {
    let mut unreadable = 0;
    let mut each = |cypher: &str, read: &dyn Fn(&mut Row<'_>) -> Option<Record>| -> Result<(), Error> {
        for row in connection.query(cypher)? {
            match read(&mut Row::new(&row)) {
                Some(record) => sink(record),
                None => unreadable += 1,
            }
        }
        Ok(())
    };
    each("MATCH (s:Scope) WHERE s.maintained_at IS NOT NULL RETURN s.name, s.maintained_at", &|row| {
        Some(Record::Scope(ScopeStatus { scope: row.name()?, maintained_at: row.instant()? }))
    })?;
    each(MEMORIES, &|row| memory(row).map(|memory| Record::Memory(Box::new(memory))))?;
    each(
        "MATCH (a:Memory)-[l:Link]->(b:Memory) RETURN a.key, b.key, l.relation, l.weight, l.created_at, l.reinforced_at",
        &|row| edge(row).map(Record::Edge),
    )?;
    each("MATCH (p:Proposal) RETURN p.scope, p.id, p.action, p.merge_into, p.reason, p.proposed_at", &|row| {
        proposal(row).map(Record::Proposal)
    })?;
    Ok(unreadable)
}

/// The entries after `known`, in order; `None` where they don't reach back that far or one of them was not kept or can't
/// be read.
///
/// # Errors
/// Kùzu's own.
pub(super) fn entries_after(connection: &Connection<'_>, known: Revision) -> Result<Option<Vec<JournalEntry>>, Error> {
    let current = revision(connection)?;
    if current <= known {
        return Ok((current == known).then(Vec::new));
    }
    let rows = connection.query(&format!(
        "MATCH (j:Journal) WHERE j.revision > {} RETURN j.revision, j.at, j.operation, j.channel, j.changes \
         ORDER BY j.revision",
        known.0
    ))?;
    let (mut entries, mut expected) = (Vec::new(), known.next());
    for row in rows {
        match entry(&mut Row::new(&row)) {
            Some(entry) if entry.revision == expected => entries.push(entry),
            _ => return Ok(None),
        }
        expected = expected.next();
    }
    Ok((expected > current).then_some(entries))
}

/// Hands the entries of the journal to `each`, the newest first, until that says false.
///
/// # Errors
/// Kùzu's own.
pub(super) fn journal(connection: &Connection<'_>, each: &mut dyn FnMut(Logged) -> bool) -> Result<(), Error> {
    let rows = connection.query(
        "MATCH (j:Journal) RETURN j.revision, j.at, j.operation, j.channel, j.changes ORDER BY j.revision DESC",
    )?;
    for row in rows {
        let mut row = Row::new(&row);
        let logged = Logged {
            revision: Revision(row.integer().unwrap_or_default().unsigned_abs()),
            at: row.instant().unwrap_or_default(),
            operation: row.text().unwrap_or_else(|| "unknown".to_owned()),
            channel: row.maybe(Row::text).flatten(),
            changes: row.maybe(Row::text).flatten().and_then(|text| serde_json::from_str(&text).ok()),
        };
        if !each(logged) {
            break;
        }
    }
    Ok(())
}

const MEMORIES: &str = "
MATCH (m:Memory) RETURN m.scope, m.id, m.kind, m.category, m.content, m.importance, m.pinned, m.tags, m.metadata,
    m.author, m.source, m.occurred_at, m.created_at, m.updated_at, m.valid_from, m.last_accessed_at, m.recalled_at,
    m.recall_count, m.version, m.tier, m.state, m.state_at, m.superseded_by, m.archive_reason, m.embedding_model,
    m.embedding_scale, m.embedding";

fn memory(row: &mut Row<'_>) -> Option<Memory> {
    Some(Memory {
        scope: row.name()?,
        id: row.name()?,
        kind: row.name()?,
        category: row.named::<Category>()?,
        content: row.text()?,
        importance: row.float()?,
        pinned: row.flag()?,
        tags: row.list(|value| match value {
            Value::String(tag) => Some(tag.as_str().into()),
            _ => None,
        })?,
        metadata: row.json()?,
        author: row.maybe(Row::text)?,
        source: row.json()?,
        occurred_at: row.instant()?,
        created_at: row.instant()?,
        updated_at: row.instant()?,
        valid_from: row.instant()?,
        last_accessed_at: row.instant()?,
        recalled_at: row.maybe(Row::instant)?,
        recall_count: row.small()?,
        version: row.small()?,
        tier: row.named::<Tier>()?,
        state: {
            let (state, at, by) = (row.text()?, row.maybe(Row::instant)?, row.maybe(Row::name::<MemoryId>)?);
            let reason = row.maybe(Row::text)?;
            match state.as_str() {
                "active" => State::Active,
                "superseded" => State::Superseded { by: by?, at: at? },
                "archived" => State::Archived { at: at?, reason },
                "proposed" => State::Proposed { at: at? },
                _ => return None,
            }
        },
        embedding: {
            let (model, scale) = (row.maybe(Row::text)?, row.maybe(Row::single)?);
            let values = row.maybe(|row| {
                row.list(|value| match value {
                    Value::Int8(value) => Some(*value),
                    _ => None,
                })
            })?;
            match model {
                Some(model) => Some(Embedding { model: model.into(), values: values?.into(), scale: scale? }),
                None => None,
            }
        },
    })
}

fn edge(row: &mut Row<'_>) -> Option<Edge> {
    let (from, to) = (row.text()?, row.text()?);
    let ((scope, from), (_, to)) = (from.split_once(BETWEEN)?, to.split_once(BETWEEN)?);
    let key = EdgeKey {
        scope: Scope::try_from(scope).ok()?,
        from: MemoryId::try_from(from).ok()?,
        to: MemoryId::try_from(to).ok()?,
        relation: row.name::<Label>()?,
    };
    Some(Edge { key, weight: row.float()?, created_at: row.instant()?, reinforced_at: row.instant()? })
}

fn proposal(row: &mut Row<'_>) -> Option<Proposal> {
    let (scope, id, action) = (row.name()?, row.name()?, row.text()?);
    let into = row.maybe(Row::name::<MemoryId>)?;
    let action = match action.as_str() {
        "delete" => ProposedAction::Delete,
        "merge" => ProposedAction::Merge { into: into? },
        _ => return None,
    };
    Some(Proposal { scope, id, action, reason: row.text()?, proposed_at: row.instant()? })
}

fn entry(row: &mut Row<'_>) -> Option<JournalEntry> {
    Some(JournalEntry {
        revision: Revision(row.integer()?.unsigned_abs()),
        at: row.instant()?,
        operation: row.named::<Operation>()?,
        channel: row.maybe(Row::named::<Channel>)?,
        changes: serde_json::from_str::<Vec<Change>>(&row.text()?).ok()?,
    })
}

/// The values of a row, taken one after the other.
struct Row<'r>(std::slice::Iter<'r, Value>);

impl<'r> Row<'r> {
    fn new(values: &'r [Value]) -> Self {
        Self(values.iter())
    }

    fn text(&mut self) -> Option<String> {
        match self.0.next()? {
            Value::String(text) => Some(text.clone()),
            _ => None,
        }
    }

    fn integer(&mut self) -> Option<i64> {
        match self.0.next()? {
            Value::Int64(number) => Some(*number),
            _ => None,
        }
    }

    fn small(&mut self) -> Option<u32> {
        self.integer().and_then(|number| u32::try_from(number).ok())
    }

    fn instant(&mut self) -> Option<Timestamp> {
        self.integer().map(Timestamp)
    }

    fn float(&mut self) -> Option<f64> {
        match self.0.next()? {
            Value::Double(number) => Some(*number),
            _ => None,
        }
    }

    fn single(&mut self) -> Option<f32> {
        match self.0.next()? {
            Value::Float(number) => Some(*number),
            _ => None,
        }
    }

    fn flag(&mut self) -> Option<bool> {
        match self.0.next()? {
            Value::Bool(flag) => Some(*flag),
            _ => None,
        }
    }

    fn name<T: for<'t> TryFrom<&'t str>>(&mut self) -> Option<T> {
        self.text().and_then(|text| T::try_from(&text).ok())
    }

    /// A value that is written as its name.
    fn named<T: DeserializeOwned>(&mut self) -> Option<T> {
        self.text().and_then(|text| serde_json::from_value(serde_json::Value::from(text)).ok())
    }

    fn json<T: DeserializeOwned>(&mut self) -> Option<T> {
        self.text().and_then(|text| serde_json::from_str(&text).ok())
    }

    fn list<T>(&mut self, of: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
        match self.0.next()? {
            Value::List(_, values) => values.iter().map(of).collect(),
            _ => None,
        }
    }

    /// A value that may be missing: `Some(None)` where it is.
    fn maybe<T>(&mut self, of: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        if matches!(self.0.as_slice().first()?, Value::Null(_)) {
            self.0.next();
            return Some(None);
        }
        of(self).map(Some)
    }
}
