//! The kinds of store beside one another: the same memories are copied into each.

use std::{path::Path, time::Instant};

#[cfg(feature = "neo4j")]
use ebbtrace::store::open_store;
use ebbtrace::store::{Address, SqliteStore, StoreKind, copy};
use ebbtrace_tests::generate::NOW;

use super::{Opened, Row, open, recall, remember};

/// The figures of one kind of store over the memories of the SQLite store at `db`.
pub(super) fn rows(kind: &str, db: &Path, memories: usize, questions: usize) -> Result<Vec<Row>, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let address = match kind {
        "sqlite" => Address::File(StoreKind::Sqlite, Some(folder.path().join("memory.db"))),
        "kuzu" => Address::File(StoreKind::Kuzu, Some(folder.path().join("memory.kuzu"))),
        "neo4j" | "neo4j-pushed-down" => {
            #[cfg(feature = "neo4j")]
            ebbtrace_tests::neo4j::empty(
                &ebbtrace::store::Neo4jServer::of_environment().map_err(|error| error.to_string())?,
            );
            Address::Neo4j(None)
        }
        other => return Err(format!("no kind of store is called {other:?}: sqlite, kuzu, neo4j, neo4j-pushed-down")),
    };
    let opened = || -> Opened {
        #[cfg(feature = "neo4j")]
        if kind == "neo4j-pushed-down" {
            return open_store(StoreKind::Neo4j, None, Some(0)).map_err(|error| error.to_string());
        }
        address.open().map_err(|error| error.to_string())
    };
    let mut source = SqliteStore::open(db).map_err(|error| error.to_string())?;
    let started = Instant::now();
    let mut target = opened()?;
    copy(&mut source, target.as_mut(), NOW, &mut |_, _| {}).map_err(|error| error.to_string())?;
    target.close().map_err(|error| error.to_string())?;
    let copied = ("copied into it".to_owned(), format!("{:.1} s", started.elapsed().as_secs_f64()));
    let measured = [
        vec![copied],
        open(&opened)?,
        recall(&opened, memories, questions)?,
        remember(&opened, memories, 2 * questions)?,
    ]
    .concat();
    Ok(measured.into_iter().map(|(what, figures)| (format!("{kind}: {what}"), figures)).collect())
}
