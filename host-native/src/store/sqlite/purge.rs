//! A deleted memory leaves the journal's rows and the table of labels. Deletions are a human's decision, so this may take
//! its time: it reads the whole journal.

use std::{collections::BTreeSet, time::Duration};

use ebbtrace_core::{Change, MemoryId, Scope};
use rusqlite::{Connection, OptionalExtension, Result, params};

use super::{open, write::json};
use crate::store::{DamagedMemory, purge};

/// Takes every change that speaks of the memory, or has its text, out of the entries in the journal: an earlier version
/// was stored under the id of the memory that it is a version of.
///
/// # Errors
/// SQLite's own; the caller must roll back.
pub(super) fn clear_journal(connection: &Connection, scope: &Scope, id: &MemoryId, text: &str) -> Result<()> {
    for (revision, changes) in rows_with(connection, id, text)? {
        // An entry that can't be read may hold the memory too: it goes as a whole, and readers load anew.
        let kept = serde_json::from_str::<Vec<Change>>(&changes).ok().map(|mut changes| {
            purge::clear(&mut changes, scope, id, text);
            json(&changes)
        });
        connection
            .prepare_cached("UPDATE journal SET changes = ?2 WHERE revision = ?1")?
            .execute(params![revision, kept.transpose()?])?;
    }
    Ok(())
}

/// What is left of the memory's row, where there is one.
///
/// # Errors
/// SQLite's own.
pub(super) fn damaged(connection: &Connection, scope: &Scope, id: &MemoryId) -> Result<Option<DamagedMemory>> {
    let sql = "SELECT content, (SELECT count(*) FROM edge WHERE source = key OR target = key),
            (SELECT count(*) FROM proposal WHERE memory = key)
        FROM memory WHERE id = ?2 AND scope = (SELECT scope.key FROM scope WHERE name = ?1)";
    let read = |row: &rusqlite::Row<'_>| {
        let content = row.get_ref(0)?.as_bytes().unwrap_or_default().to_vec();
        let count = |column| row.get::<_, i64>(column).map(|count| usize::try_from(count).unwrap_or(0));
        Ok(DamagedMemory { content, edges: count(1)?, proposals: count(2)? })
    };
    connection.prepare_cached(sql)?.query_row([scope.as_str(), id.as_str()], read).optional()
}

/// In how many entries there is something of `memories` for [`clear_journal`] to take out.
///
/// # Errors
/// SQLite's own.
pub(super) fn entries_about(connection: &Connection, scope: &Scope, memories: &[(MemoryId, String)]) -> Result<usize> {
    let mut about = BTreeSet::new();
    for (id, text) in memories {
        let speaks = |changes: &str| {
            serde_json::from_str::<Vec<Change>>(changes)
                .map_or(true, |changes| changes.iter().any(|change| purge::speaks_of(change, scope, id, text)))
        };
        let rows = rows_with(connection, id, text)?;
        about.extend(rows.into_iter().filter(|(_, changes)| speaks(changes)).map(|(revision, _)| revision));
    }
    Ok(about.len())
}

/// The revisions and changes of the entries that have the id or the text somewhere in them.
fn rows_with(connection: &Connection, id: &MemoryId, text: &str) -> Result<Vec<(i64, String)>> {
    // As it stands in the JSON text, in its quotes.
    let name = json(id)?;
    let content = if text.is_empty() { name.clone() } else { json(&text)? };
    let mut find = connection
        .prepare_cached("SELECT revision, changes FROM journal WHERE instr(changes, ?1) OR instr(changes, ?2)")?;
    let found = find.query_map([name, content], |row| Ok((row.get(0)?, row.get(1)?)))?;
    found.collect()
}

/// Drops the kinds, relations and models that nothing has any more: a kind may tell what a deleted memory was about.
///
/// # Errors
/// SQLite's own; the caller must roll back.
pub(super) fn drop_unused_labels(connection: &Connection) -> Result<()> {
    let drop = "DELETE FROM label WHERE key NOT IN (
        SELECT kind FROM memory UNION SELECT relation FROM edge
        UNION SELECT embedding_model FROM memory WHERE embedding_model IS NOT NULL)";
    connection.prepare_cached(drop)?.execute(()).map(std::mem::drop)
}

/// The deletions whose text may still be in the log. Made at the first one, so that no store needs a new format for it: a
/// program that doesn't know of it leaves it alone.
const DELETIONS: &str = "CREATE TABLE IF NOT EXISTS deletion (revision INTEGER PRIMARY KEY) STRICT";

/// Notes in the same transaction that the log is to be emptied after the deletion: whoever comes next, in any process,
/// finishes it.
///
/// # Errors
/// SQLite's own; the caller must roll back.
pub(super) fn note_deletion(connection: &Connection, revision: i64) -> Result<()> {
    connection.execute_batch(DELETIONS)?;
    connection.prepare_cached("INSERT OR IGNORE INTO deletion (revision) VALUES (?1)")?.execute([revision])?;
    Ok(())
}

/// The newest deletion whose text may still be in the log.
///
/// # Errors
/// SQLite's own.
pub(super) fn unfinished(connection: &Connection) -> Result<Option<i64>> {
    let table = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'deletion'";
    if connection.prepare_cached(table)?.query_row((), |row| row.get::<_, i64>(0))? == 0 {
        return Ok(None);
    }
    connection.prepare_cached("SELECT max(revision) FROM deletion")?.query_row((), |row| row.get(0))
}

/// Empties the log and strikes out the deletions before that; whether the log could be emptied.
pub(super) fn finish(connection: &mut Connection, patience: Duration) -> bool {
    // Another process may delete more while this one empties the log: that one is not struck out.
    let Ok(noted) = unfinished(connection) else { return false };
    if !open::empty_log(connection, patience) {
        return false;
    }
    if let Some(noted) = noted {
        // Where it fails, the log is emptied once more at the next opening.
        let _ = open::without_waiting(connection, |connection| {
            connection.prepare_cached("DELETE FROM deletion WHERE revision <= ?1")?.execute([noted]).map(drop)
        });
    }
    true
}
