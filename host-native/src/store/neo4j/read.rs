//! What the database holds, as records.

use std::sync::{Arc, Mutex, PoisonError};

use ebbtrace_core::{JournalEntry, Record, Revision};
use serde_json::{Value, json};

use super::{
    driver::{Columns, Driver, Failed, Statement, Work},
    rows,
};
use crate::store::{Logged, StoreError};

/// How many entries of the journal are fetched at once.
const PAGE: i64 = 500;

const REVISION: &str = "MATCH (s:Store {one: 1}) RETURN s.revision AS revision";
const MEMORIES: &str = "MATCH (m:Memory) RETURN properties(m) AS row";
const EDGES: &str = "MATCH (a:Memory)-[l:Link]->(b:Memory) RETURN {scope: a.scope, from: a.id, to: b.id, \
                     relation: l.relation, weight: l.weight, created_at: l.created_at, \
                     reinforced_at: l.reinforced_at} AS row";
const PROPOSALS: &str = "MATCH (p:Proposal) RETURN properties(p) AS row";
const SCOPES: &str = "MATCH (s:Scope) WHERE s.maintained_at IS NOT NULL RETURN properties(s) AS row";

/// Everything at one revision, and how many rows could not be read.
pub(super) fn everything(driver: &Driver) -> Result<(Revision, Vec<Record>, usize), StoreError> {
    // The server reads what is committed while it reads: what moved on meanwhile is read again, with writers kept out.
    for alone in [false, true] {
        let found = Arc::new(Mutex::new(None));
        let done = driver.transaction("loading", |work| {
            let found = Arc::clone(&found);
            async move {
                let (work, everything) = load(work, alone).await?;
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
async fn load(mut work: Work, alone: bool) -> Result<(Work, Option<(Revision, Vec<Record>, usize)>), neo4rs::Error> {
    if alone {
        work.rows(Statement::new(super::write::LOCK, Vec::new())).await?;
    }
    let before = revision(&work.rows(Statement::new(REVISION, Vec::new())).await?);
    let (mut records, mut unreadable) = (Vec::new(), 0);
    for (cypher, read) in [
        (SCOPES, (|row| rows::as_scope(row).map(Record::Scope)) as fn(&Columns) -> Option<Record>),
        (MEMORIES, |row| rows::as_memory(row).map(|memory| Record::Memory(Box::new(memory)))),
        (EDGES, |row| rows::as_edge(row).map(Record::Edge)),
        (PROPOSALS, |row| rows::as_proposal(row).map(Record::Proposal)),
    ] {
        for row in work.rows(Statement::new(cypher, Vec::new())).await? {
            match row.get("row").and_then(Value::as_object).and_then(read) {
                Some(record) => records.push(record),
                None => unreadable += 1,
            }
        }
    }
    let after = revision(&work.rows(Statement::new(REVISION, Vec::new())).await?);
    Ok((work, (before == after).then_some((before, records, unreadable))))
}

fn revision(rows: &[Columns]) -> Revision {
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
