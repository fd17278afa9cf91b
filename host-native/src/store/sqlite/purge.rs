//! A deleted memory leaves the journal's rows and the table of labels. Deletions are a human's decision, so this may take its time: it reads the
//! whole journal, about a quarter of a second for 100 MB.

use ebbtrace_core::{Change, MemoryId, Scope};
use rusqlite::{Connection, Result, params};

use super::write::json;
use crate::store::purge;

/// Takes every change that speaks of the memory out of the entries in the journal.
///
/// # Errors
/// SQLite's own; the caller must roll back.
pub(super) fn clear_journal(connection: &Connection, scope: &Scope, id: &MemoryId) -> Result<()> {
    // As it stands in the JSON text, in its quotes.
    let name = json(id)?;
    let mut find = connection.prepare_cached("SELECT revision, changes FROM journal WHERE instr(changes, ?1)")?;
    let found = find.query_map([name], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let found: Vec<(i64, String)> = found.collect::<Result<_>>()?;
    for (revision, text) in found {
        // An entry that can't be read may hold the memory too: it goes as a whole, and readers load anew.
        let kept = serde_json::from_str::<Vec<Change>>(&text).ok().map(|mut changes| {
            purge::clear(&mut changes, scope, id);
            json(&changes)
        });
        connection
            .prepare_cached("UPDATE journal SET changes = ?2 WHERE revision = ?1")?
            .execute(params![revision, kept.transpose()?])?;
    }
    Ok(())
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
