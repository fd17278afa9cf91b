//! What the database holds, as records.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
};

use ebbtrace_core::{JournalEntry, Record, Revision};
use serde_json::{Value, json};

use super::{
    driver::{Columns, Driver, Failed, Statement, Work},
    rows,
};
use crate::store::{Logged, StoreError};

/// How many entries of the journal are fetched at once.
const PAGE: i64 = 500;

pub(super) const REVISION: &str = "MATCH (s:Store {one: 1}) RETURN s.revision AS revision";

/// A memory without what only the indexes are for.
macro_rules! memory {
    ($match:literal) => {
        concat!(
            $match,
            " RETURN m {.scope, .id, .kind, .category, .content, .importance, .pinned, .tags, .metadata, .author, \
             .source, .occurred_at, .created_at, .updated_at, .valid_from, .last_accessed_at, .recalled_at, \
             .recall_count, .version, .tier, .state, .state_at, .superseded_by, .archive_reason, .embedding_model, \
             .embedding_scale, .embedding} AS row"
        )
    };
}
macro_rules! edge {
    ($match:literal) => {
        concat!(
            $match,
            " RETURN {scope: a.scope, from: a.id, to: b.id, relation: l.relation, weight: l.weight, \
             created_at: l.created_at, reinforced_at: l.reinforced_at} AS row"
        )
    };
}

/// What everything is read by: scopes, memories, edges, proposals.
const ALL: [&str; 4] = [
    "MATCH (s:Scope) WHERE s.maintained_at IS NOT NULL RETURN properties(s) AS row",
    memory!("MATCH (m:Memory)"),
    edge!("MATCH (a:Memory)-[l:Link]->(b:Memory)"),
    "MATCH (p:Proposal) RETURN properties(p) AS row",
];
/// What a scope is read by.
const OF_SCOPE: [&str; 4] = [
    "MATCH (s:Scope {name: $scope}) WHERE s.maintained_at IS NOT NULL RETURN properties(s) AS row",
    memory!("MATCH (m:Memory {scope: $scope})"),
    edge!("MATCH (a:Memory {scope: $scope})-[l:Link]->(b:Memory)"),
    "MATCH (p:Proposal {scope: $scope}) RETURN properties(p) AS row",
];
/// What some memories are read by.
const OF_NODES: [&str; 4] = [
    "MATCH (s:Scope {name: $scope}) WHERE s.maintained_at IS NOT NULL RETURN properties(s) AS row",
    memory!("MATCH (m:Memory) WHERE id(m) IN $nodes"),
    edge!("MATCH (a:Memory) WHERE id(a) IN $nodes MATCH (a)-[l:Link]->(b:Memory) WHERE id(b) IN $nodes"),
    "MATCH (m:Memory) WHERE id(m) IN $nodes MATCH (p:Proposal {scope: m.scope, id: m.id}) RETURN properties(p) AS row",
];
/// What a row is, in that order.
const READERS: [fn(&Columns) -> Option<Record>; 4] = [
    |row| rows::as_scope(row).map(Record::Scope),
    |row| rows::as_memory(row).map(|memory| Record::Memory(Box::new(memory))),
    |row| rows::as_edge(row).map(Record::Edge),
    |row| rows::as_proposal(row).map(Record::Proposal),
];

/// Records at one revision, and how many rows could not be read.
pub(super) type Loaded = (Revision, Vec<Record>, usize);

/// Everything.
pub(super) fn everything(driver: &Driver) -> Result<Loaded, StoreError> {
    whole(driver, ALL, Vec::new())
}

/// Everything in a scope.
pub(super) fn of_scope(driver: &Driver, scope: &str) -> Result<Loaded, StoreError> {
    whole(driver, OF_SCOPE, vec![("scope", json!(scope))])
}

/// The scopes' status, and a memory of each.
pub(super) fn scopes(driver: &Driver) -> Result<Vec<Record>, StoreError> {
    let one = memory!("MATCH (m:Memory) WITH m.scope AS scope, head(collect(m)) AS m");
    let mut records = Vec::new();
    for (cypher, read) in [(ALL[0], READERS[0]), (one, READERS[1])] {
        let found = driver.rows("gathering", Statement::new(cypher, Vec::new()))?;
        records.extend(found.iter().filter_map(|row| row.get("row")?.as_object().and_then(read)));
    }
    Ok(records)
}

/// Some memories of a scope, with their proposals and the edges between them; nothing is said of the revision.
pub(super) fn of_nodes(driver: &Driver, scope: &str, nodes: &BTreeSet<i64>) -> Result<Vec<Record>, StoreError> {
    let told = vec![("scope", json!(scope)), ("nodes", json!(nodes))];
    let mut records = Vec::new();
    for (cypher, read) in OF_NODES.into_iter().zip(READERS) {
        let found = driver.rows("gathering", Statement::new(cypher, told.clone()))?;
        records.extend(found.iter().filter_map(|row| row.get("row")?.as_object().and_then(read)));
    }
    Ok(records)
}

fn whole(driver: &Driver, cypher: [&'static str; 4], told: Vec<(&'static str, Value)>) -> Result<Loaded, StoreError> {
    // The server reads what is committed while it reads: what moved on meanwhile is read again, with writers kept out.
    for alone in [false, true] {
        let found = Arc::new(Mutex::new(None));
        let done = driver.transaction("loading", |work| {
            let (found, told) = (Arc::clone(&found), told.clone());
            async move {
                let (work, everything) = load(work, alone, cypher, told).await?;
                *found.lock().unwrap_or_else(PoisonError::into_inner) = everything;
                Ok((work, false))
            }
        });
        match done {
            Ok(_) => {}
            Err(Failed::Said(error)) => return Err(error),
            Err(Failed::InCommit) => {
                let reason = "no answer while loading".to_owned();
                return Err(StoreError::Unreachable { uri: driver.server().name(), reason });
            }
        }
        let loaded = found.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(everything) = loaded {
            return Ok(everything);
        }
    }
    let reason = "the revision moved while it was locked".to_owned();
    Err(StoreError::Io { doing: "loading", reason })
}

/// `None` where it changed meanwhile.
async fn load(
    mut work: Work,
    alone: bool,
    cypher: [&'static str; 4],
    told: Vec<(&'static str, Value)>,
) -> Result<(Work, Option<Loaded>), neo4rs::Error> {
    if alone {
        work.rows(Statement::new(super::write::LOCK, Vec::new())).await?;
    }
    let before = revision(&work.rows(Statement::new(REVISION, Vec::new())).await?);
    let (mut records, mut unreadable) = (Vec::new(), 0);
    for (cypher, read) in cypher.into_iter().zip(READERS) {
        for row in work.rows(Statement::new(cypher, told.clone())).await? {
            match row.get("row").and_then(Value::as_object).and_then(read) {
                Some(record) => records.push(record),
                None => unreadable += 1,
            }
        }
    }
    let after = revision(&work.rows(Statement::new(REVISION, Vec::new())).await?);
    Ok((work, (before == after).then_some((before, records, unreadable))))
}

pub(super) fn revision(rows: &[Columns]) -> Revision {
    let found = rows.first().and_then(|row| row.get("revision")).and_then(Value::as_u64);
    Revision(found.unwrap_or_default())
}

/// The entries after `known`, in order; `None` where they don't reach back that far, or one of them was not kept or can't
/// be read.
pub(super) fn entries_after(driver: &Driver, known: Revision) -> Result<Option<Vec<JournalEntry>>, StoreError> {
    let doing = "catching up";
    let current = revision(&driver.rows(doing, Statement::new(REVISION, Vec::new()))?);
    if current <= known {
        return Ok((current == known).then(Vec::new));
    }
    let asked = "MATCH (j:Journal) WHERE j.revision > $known AND j.revision <= $current \
                 RETURN properties(j) AS row ORDER BY j.revision";
    let told = vec![("known", json!(known.0)), ("current", json!(current.0))];
    let (mut entries, mut expected) = (Vec::new(), known.next());
    for row in driver.rows(doing, Statement::new(asked, told))? {
        match row.get("row").and_then(Value::as_object).and_then(rows::as_entry) {
            Some(entry) if entry.revision == expected => entries.push(entry),
            _ => return Ok(None),
        }
        expected = expected.next();
    }
    Ok((expected > current).then_some(entries))
}

/// Hands the entries of the journal to `each`, the newest first, until that says false.
pub(super) fn journal(driver: &Driver, each: &mut dyn FnMut(Logged) -> bool) -> Result<(), StoreError> {
    let asked = "MATCH (j:Journal) WHERE j.revision < $before RETURN properties(j) AS row \
                 ORDER BY j.revision DESC LIMIT $page";
    let mut before = i64::MAX;
    loop {
        let told = vec![("before", json!(before)), ("page", json!(PAGE))];
        let page = driver.rows("reading the journal", Statement::new(asked, told))?;
        for row in page.iter().filter_map(|row| row.get("row").and_then(Value::as_object)) {
            let logged = rows::as_logged(row);
            before = before.min(logged.revision.0.cast_signed());
            if !each(logged) {
                return Ok(());
            }
        }
        if page.is_empty() {
            return Ok(());
        }
    }
}
