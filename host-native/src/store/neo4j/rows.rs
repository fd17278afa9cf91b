//! Records as properties, and back. A row that can't be read is passed over and counted, never changed.

use ebbtrace_core::{
    Change, Edge, EdgeKey, JournalEntry, Memory, Proposal, ProposedAction, Revision, ScopeStatus, State, StaticModel,
    Timestamp, vector::Embedding,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::{driver::Columns, gather};
use crate::store::Logged;

/// A memory's properties, with what the indexes are made of: its terms, and its meaning by the token table.
pub(super) fn memory(memory: &Memory, model: &StaticModel) -> Value {
    let meaning = gather::meaning(model, &memory.content);
    let (state, state_at, superseded_by, archive_reason) = match &memory.state {
        State::Active => ("active", None, None, None),
        State::Superseded { by, at } => ("superseded", Some(at.0), Some(by.as_str()), None),
        State::Archived { at, reason } => ("archived", Some(at.0), None, reason.as_deref()),
        State::Proposed { at } => ("proposed", Some(at.0), None, None),
    };
    let embedding = memory.embedding.as_ref();
    json!({
        "scope": memory.scope, "id": memory.id, "kind": memory.kind.as_str(), "category": memory.category,
        "content": memory.content, "importance": memory.importance, "pinned": memory.pinned, "tags": memory.tags,
        "metadata": serde_json::to_string(&memory.metadata).unwrap_or_default(), "author": memory.author,
        "source": serde_json::to_string(&memory.source).unwrap_or_default(),
        "occurred_at": memory.occurred_at.0, "created_at": memory.created_at.0, "updated_at": memory.updated_at.0,
        "valid_from": memory.valid_from.0, "last_accessed_at": memory.last_accessed_at.0,
        "recalled_at": memory.recalled_at.map(|at| at.0), "recall_count": memory.recall_count,
        "version": memory.version, "tier": memory.tier, "state": state, "state_at": state_at,
        "superseded_by": superseded_by, "archive_reason": archive_reason,
        "embedding_model": embedding.map(|embedding| embedding.model.to_string()),
        "embedding_scale": embedding.map(|embedding| f64::from(embedding.scale)),
        "embedding": embedding.map(|embedding| embedding.values.to_vec()),
        "terms": gather::terms_of(memory.scope.as_str(), &memory.content),
        "meaning": (!meaning.is_empty()).then_some(meaning),
    })
}

/// A memory of its properties.
pub(super) fn as_memory(row: &Columns) -> Option<Memory> {
    let at = || instant(row, "state_at");
    let state = match row.get("state")?.as_str()? {
        "active" => State::Active,
        "superseded" => State::Superseded { by: of(row, "superseded_by")?, at: at()? },
        "archived" => State::Archived { at: at()?, reason: maybe(row, "archive_reason")? },
        "proposed" => State::Proposed { at: at()? },
        _ => return None,
    };
    let embedding = match maybe::<String>(row, "embedding_model")? {
        None => None,
        Some(model) => {
            let values: Vec<i8> = of(row, "embedding")?;
            let scale = row.get("embedding_scale")?.as_f64()? as f32;
            Some(Embedding { model: model.into(), values: values.into(), scale })
        }
    };
    Some(Memory {
        scope: of(row, "scope")?,
        id: of(row, "id")?,
        kind: of(row, "kind")?,
        category: of(row, "category")?,
        content: of(row, "content")?,
        importance: row.get("importance")?.as_f64()?,
        pinned: of(row, "pinned")?,
        tags: of(row, "tags")?,
        metadata: written(row, "metadata")?,
        author: maybe(row, "author")?,
        source: written(row, "source")?,
        occurred_at: instant(row, "occurred_at")?,
        created_at: instant(row, "created_at")?,
        updated_at: instant(row, "updated_at")?,
        valid_from: instant(row, "valid_from")?,
        last_accessed_at: instant(row, "last_accessed_at")?,
        recalled_at: maybe::<i64>(row, "recalled_at")?.map(Timestamp),
        recall_count: of(row, "recall_count")?,
        version: of(row, "version")?,
        tier: of(row, "tier")?,
        state,
        embedding,
    })
}

/// What names an edge, in a row.
pub(super) fn edge_key(key: &EdgeKey) -> Map<String, Value> {
    let mut row = Map::new();
    row.insert("scope".to_owned(), json!(key.scope));
    row.insert("from".to_owned(), json!(key.from));
    row.insert("to".to_owned(), json!(key.to));
    row.insert("relation".to_owned(), json!(key.relation.as_str()));
    row
}

/// An edge as a row.
pub(super) fn edge(edge: &Edge) -> Value {
    let mut row = edge_key(&edge.key);
    row.insert("weight".to_owned(), json!(edge.weight));
    row.insert("created_at".to_owned(), json!(edge.created_at.0));
    row.insert("reinforced_at".to_owned(), json!(edge.reinforced_at.0));
    Value::Object(row)
}

/// An edge of its row.
pub(super) fn as_edge(row: &Columns) -> Option<Edge> {
    let key = EdgeKey {
        scope: of(row, "scope")?,
        from: of(row, "from")?,
        to: of(row, "to")?,
        relation: of(row, "relation")?,
    };
    let weight = row.get("weight")?.as_f64()?;
    Some(Edge { key, weight, created_at: instant(row, "created_at")?, reinforced_at: instant(row, "reinforced_at")? })
}

/// A proposal's properties.
pub(super) fn proposal(proposal: &Proposal) -> Value {
    let Proposal { scope, id, action, reason, proposed_at } = proposal;
    let (action, into) = match action {
        ProposedAction::Delete => ("delete", None),
        ProposedAction::Merge { into } => ("merge", Some(into.as_str())),
    };
    json!({ "scope": scope, "id": id, "action": action, "merge_into": into, "reason": reason,
        "proposed_at": proposed_at.0 })
}

/// A proposal of its properties.
pub(super) fn as_proposal(row: &Columns) -> Option<Proposal> {
    let action = match row.get("action")?.as_str()? {
        "delete" => ProposedAction::Delete,
        "merge" => ProposedAction::Merge { into: of(row, "merge_into")? },
        _ => return None,
    };
    let proposed_at = instant(row, "proposed_at")?;
    Some(Proposal { scope: of(row, "scope")?, id: of(row, "id")?, action, reason: of(row, "reason")?, proposed_at })
}

/// A scope's status of its properties.
pub(super) fn as_scope(row: &Columns) -> Option<ScopeStatus> {
    Some(ScopeStatus { scope: of(row, "name")?, maintained_at: instant(row, "maintained_at")? })
}

/// An entry of the journal; `None` where it was not kept whole.
pub(super) fn as_entry(row: &Columns) -> Option<JournalEntry> {
    Some(JournalEntry {
        revision: Revision(row.get("revision")?.as_u64()?),
        at: instant(row, "at")?,
        operation: of(row, "operation")?,
        channel: maybe(row, "channel")?,
        changes: written::<Vec<Change>>(row, "changes")?,
    })
}

/// An entry of the journal as it stands there.
pub(super) fn as_logged(row: &Columns) -> Logged {
    Logged {
        revision: Revision(row.get("revision").and_then(Value::as_u64).unwrap_or_default()),
        at: instant(row, "at").unwrap_or_default(),
        operation: of(row, "operation").unwrap_or_else(|| "unknown".to_owned()),
        channel: maybe(row, "channel").flatten(),
        changes: written(row, "changes"),
    }
}

fn of<T: DeserializeOwned>(row: &Columns, name: &str) -> Option<T> {
    T::deserialize(row.get(name)?).ok()
}

/// A property that may be absent; `None` where it is there and is something else.
fn maybe<T: DeserializeOwned>(row: &Columns, name: &str) -> Option<Option<T>> {
    match row.get(name) {
        None | Some(Value::Null) => Some(None),
        Some(value) => T::deserialize(value).ok().map(Some),
    }
}

fn instant(row: &Columns, name: &str) -> Option<Timestamp> {
    row.get(name)?.as_i64().map(Timestamp)
}

/// A property that holds JSON.
fn written<T: DeserializeOwned>(row: &Columns, name: &str) -> Option<T> {
    serde_json::from_str(row.get(name)?.as_str()?).ok()
}
