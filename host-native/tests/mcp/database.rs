//! What stands in the store's journal.

use std::path::Path;

use rusqlite::Connection;

/// What each commit was, with the channel that decided it where one did.
pub(crate) fn journal(path: &Path) -> Vec<String> {
    let file = Connection::open(path).unwrap();
    let mut rows = file.prepare("SELECT operation FROM journal ORDER BY revision").unwrap();
    rows.query_map((), |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
}
