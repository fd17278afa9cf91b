//! One journal entry in one transaction: the revision is compared under a lock, then each kind of record is written at
//! once.

use std::sync::Arc;

use ebbtrace_core::{Change, JournalEntry, StaticModel};
use neo4rs::Error;
use serde_json::{Value, json};

use super::{
    driver::{Columns, Driver, Failed, Statement, Work},
    rows,
};
use crate::store::{
    net::{Fate, Key, Net},
    purge,
};

/// Keeps other writers out until the transaction ends: whoever writes a node holds its lock. The revision is read by the
/// next statement: one that reads and writes it has read it before it waits for the lock.
pub(super) const LOCK: &str = "MATCH (s:Store {one: 1}) SET s.locked = true";

const MOVE_ON: &str = "MATCH (s:Store {one: 1}) WHERE s.revision = $before SET s.revision = $revision RETURN s.one";
const TEXTS: &str = "UNWIND $rows AS r MATCH (m:Memory {scope: r.scope, id: r.id}) \
                     RETURN m.scope AS scope, m.id AS id, m.content AS content";
const DELETE_MEMORIES: &str = "UNWIND $rows AS r MATCH (m:Memory {scope: r.scope, id: r.id}) DETACH DELETE m";
const DELETE_PROPOSALS: &str = "UNWIND $rows AS r MATCH (p:Proposal {scope: r.scope, id: r.id}) DELETE p";
const DELETE_EDGES: &str = "UNWIND $rows AS r MATCH (:Memory {scope: r.scope, id: r.from})-[l:Link {relation: \
                            r.relation}]->(:Memory {scope: r.scope, id: r.to}) DELETE l";
const PUT_MEMORIES: &str = "UNWIND $rows AS r MERGE (m:Memory {scope: r.scope, id: r.id}) SET m = r";
const TOUCH_MEMORIES: &str = "UNWIND $rows AS r MATCH (m:Memory {scope: r.scope, id: r.id}) \
                              SET m.last_accessed_at = r.last_accessed_at, m.recalled_at = r.recalled_at, \
                              m.recall_count = r.recall_count";
// An edge or a proposal without its memory is not kept.
const PUT_EDGES: &str = "UNWIND $rows AS r MATCH (a:Memory {scope: r.scope, id: r.from}) \
                         MATCH (b:Memory {scope: r.scope, id: r.to}) MERGE (a)-[l:Link {relation: r.relation}]->(b) \
                         SET l.weight = r.weight, l.created_at = r.created_at, l.reinforced_at = r.reinforced_at";
const TOUCH_EDGES: &str = "UNWIND $rows AS r MATCH (:Memory {scope: r.scope, id: r.from})-[l:Link {relation: \
                           r.relation}]->(:Memory {scope: r.scope, id: r.to}) SET l.reinforced_at = r.reinforced_at";
const PUT_PROPOSALS: &str = "UNWIND $rows AS r MATCH (:Memory {scope: r.scope, id: r.id}) \
                             MERGE (p:Proposal {scope: r.scope, id: r.id}) SET p = r";
const PUT_SCOPES: &str = "UNWIND $rows AS r MERGE (s:Scope {name: r.name}) SET s = r";
const ENTRIES_WITH: &str = "MATCH (j:Journal) WHERE j.changes CONTAINS $id OR j.changes CONTAINS $text \
                            RETURN j.revision AS revision, j.changes AS changes";
const REWRITE_ENTRY: &str = "MATCH (j:Journal {revision: $revision}) SET j.changes = $changes";
const ADD_ENTRY: &str = "CREATE (j:Journal) SET j = $row";

/// How many rows a statement is given: the server holds all of them in memory.
const BATCH: usize = 5_000;

/// Writes `entry`, its revision and its journal row; false where the store is at another revision, and nothing was
/// written.
pub(super) fn entry(driver: &Driver, model: &StaticModel, entry: &JournalEntry) -> Result<bool, Failed> {
    let plan = Arc::new(Plan::of(entry, model));
    driver.transaction("writing", move |work| carry_out(work, Arc::clone(&plan)))
}

/// What is written, worked out once, however often it is tried.
struct Plan {
    revision: i64,
    net: Net,
    /// The rows of the memories that are put.
    memories: Vec<Value>,
    /// The journal's row.
    row: Value,
}

impl Plan {
    fn of(entry: &JournalEntry, model: &StaticModel) -> Self {
        let changes = (!purge::is_in(entry)).then(|| serde_json::to_string(&entry.changes).unwrap_or_default());
        let revision = entry.revision.0.cast_signed();
        let row = json!({ "revision": revision, "at": entry.at.0, "operation": entry.operation,
            "channel": entry.channel.map(|channel| channel.as_str()), "changes": changes });
        let net = Net::of(entry);
        let memories = net.memories.values().filter_map(|fate| Some(rows::memory(fate.put.as_ref()?, model))).collect();
        Self { revision, net, memories, row }
    }
}

async fn carry_out(mut work: Work, plan: Arc<Plan>) -> Result<(Work, bool), Error> {
    let Plan { revision, net, memories, row } = &*plan;
    work.rows(Statement::new(LOCK, Vec::new())).await?;
    let told = vec![("before", json!(revision - 1)), ("revision", json!(revision))];
    if work.rows(Statement::new(MOVE_ON, told)).await?.is_empty() {
        return Ok((work, false));
    }
    let gone: Vec<Value> = deleted(&net.memories).map(name).collect();
    if !gone.is_empty() {
        clear_journal(&mut work, net, &gone).await?;
        batches(&mut work, DELETE_MEMORIES, gone).await?;
    }
    batches(&mut work, DELETE_PROPOSALS, deleted(&net.proposals).map(name).collect()).await?;
    let edges = net.edges.iter();
    let parted = edges.clone().filter(|(_, fate)| fate.deleted && fate.put.is_none());
    batches(&mut work, DELETE_EDGES, parted.map(|(key, _)| Value::Object(rows::edge_key(key))).collect()).await?;
    batches(&mut work, PUT_MEMORIES, memories.clone()).await?;
    let touched = net.memories.iter().filter_map(|(key, fate)| {
        let clocks = fate.touch?;
        Some(json!({ "scope": key.0, "id": key.1, "last_accessed_at": clocks.last_accessed_at.0,
            "recalled_at": clocks.recalled_at.map(|at| at.0), "recall_count": clocks.recall_count }))
    });
    batches(&mut work, TOUCH_MEMORIES, touched.collect()).await?;
    batches(&mut work, PUT_EDGES, puts(net.edges.values(), rows::edge)).await?;
    let touched = edges.filter_map(|(key, fate)| {
        let mut row = rows::edge_key(key);
        row.insert("reinforced_at".to_owned(), json!(fate.touch?.0));
        Some(Value::Object(row))
    });
    batches(&mut work, TOUCH_EDGES, touched.collect()).await?;
    batches(&mut work, PUT_PROPOSALS, puts(net.proposals.values(), rows::proposal)).await?;
    let scopes = net.scopes.values();
    let scopes = scopes.map(|status| json!({ "name": status.scope, "maintained_at": status.maintained_at.0 }));
    batches(&mut work, PUT_SCOPES, scopes.collect()).await?;
    work.rows(Statement::new(ADD_ENTRY, vec![("row", row.clone())])).await?;
    Ok((work, true))
}

fn deleted<R, T>(fates: &std::collections::BTreeMap<Key, Fate<R, T>>) -> impl Iterator<Item = &Key> {
    fates.iter().filter(|(_, fate)| fate.deleted).map(|(key, _)| key)
}

fn name((scope, id): &Key) -> Value {
    json!({ "scope": scope, "id": id })
}

fn puts<'f, R: 'f, T: 'f>(fates: impl Iterator<Item = &'f Fate<R, T>>, row: fn(&R) -> Value) -> Vec<Value> {
    fates.filter_map(|fate| fate.put.as_ref().map(row)).collect()
}

async fn batches(work: &mut Work, cypher: &'static str, rows: Vec<Value>) -> Result<(), Error> {
    for batch in rows.chunks(BATCH) {
        work.rows(Statement::new(cypher, vec![("rows", json!(batch))])).await?;
    }
    Ok(())
}

/// Takes what is deleted out of the journal's earlier entries.
async fn clear_journal(work: &mut Work, net: &Net, gone: &[Value]) -> Result<(), Error> {
    let stored = work.rows(Statement::new(TEXTS, vec![("rows", json!(gone))])).await?;
    let stored = stored.iter().filter_map(|row| {
        let (scope, id) = (row.get("scope")?.as_str()?, row.get("id")?.as_str()?);
        let key = net.memories.keys().find(|key| key.0.as_str() == scope && key.1.as_str() == id)?;
        Some((key.clone(), row.get("content")?.as_str()?.to_owned()))
    });
    let mut texts: Vec<(Key, String)> = stored.chain(net.gone.iter().cloned()).collect();
    // One whose text is not known is named all the same.
    let unknown: Vec<Key> =
        deleted(&net.memories).filter(|key| texts.iter().all(|(known, _)| known != *key)).cloned().collect();
    texts.extend(unknown.into_iter().map(|key| (key, String::new())));
    for ((scope, id), text) in texts {
        // As the journal's JSON has them.
        let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
        let told = vec![("id", json!(quoted(id.as_str()))), ("text", json!(quoted(&text)))];
        for row in work.rows(Statement::new(ENTRIES_WITH, told)).await? {
            if let Some(rewritten) = rewritten(&row, |changes| purge::clear(changes, &scope, &id, &text)) {
                work.rows(rewritten).await?;
            }
        }
    }
    Ok(())
}

/// The statement that writes an entry's changes anew; `None` where nothing was taken out.
fn rewritten(row: &Columns, clear: impl FnOnce(&mut Vec<Change>)) -> Option<Statement> {
    let mut changes: Vec<Change> = serde_json::from_str(row.get("changes")?.as_str()?).ok()?;
    let known = changes.len();
    clear(&mut changes);
    let left = serde_json::to_string(&changes).ok().filter(|_| changes.len() < known)?;
    let told = vec![("revision", row.get("revision")?.clone()), ("changes", json!(left))];
    Some(Statement::new(REWRITE_ENTRY, told))
}
