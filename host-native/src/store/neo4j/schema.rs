//! What a database holds: its constraints and indexes, its format, and whether it is ours.

use ebbtrace_core::StaticModel;

use super::driver::{Columns, Driver, Statement};
use crate::store::StoreError;

/// The format written here.
const FORMAT: i64 = 1;
/// The oldest server with vector indexes as they are made here.
const OLDEST: (u32, u32) = (5, 15);

/// Made on first use, each where it is not there yet. Instants are milliseconds since 1970, UTC. `source` and `metadata`
/// are JSON, since neither has a fixed shape. `changes` of a journal entry is absent where it deleted a memory.
const SCHEMA: [&str; 6] = [
    "CREATE CONSTRAINT ebbtrace_memory IF NOT EXISTS FOR (m:Memory) REQUIRE (m.scope, m.id) IS UNIQUE",
    "CREATE CONSTRAINT ebbtrace_proposal IF NOT EXISTS FOR (p:Proposal) REQUIRE (p.scope, p.id) IS UNIQUE",
    "CREATE CONSTRAINT ebbtrace_scope IF NOT EXISTS FOR (s:Scope) REQUIRE s.name IS UNIQUE",
    "CREATE CONSTRAINT ebbtrace_journal IF NOT EXISTS FOR (j:Journal) REQUIRE j.revision IS UNIQUE",
    "CREATE CONSTRAINT ebbtrace_store IF NOT EXISTS FOR (s:Store) REQUIRE s.one IS UNIQUE",
    // Terms are core's own: the server's analyser only takes them apart again.
    "CREATE FULLTEXT INDEX ebbtrace_terms IF NOT EXISTS FOR (m:Memory) ON EACH [m.terms] \
     OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}",
];

/// What a database is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It has nothing of ours.
    Empty,
    /// It is a store.
    Ours,
}

/// Refuses a server that is too old.
pub(super) fn check_version(driver: &Driver) -> Result<(), StoreError> {
    let asked = "CALL dbms.components() YIELD name, versions WHERE name = 'Neo4j Kernel' RETURN versions[0] AS version";
    let rows = driver.rows("asking for the version", Statement::new(asked, Vec::new()))?;
    let found = rows.first().and_then(|row| row["version"].as_str()).unwrap_or("unknown").to_owned();
    if is_older(&found) {
        let needed = format!("{}.{}", OLDEST.0, OLDEST.1);
        return Err(StoreError::TooOld { uri: driver.server().name(), found, needed });
    }
    Ok(())
}

fn is_older(found: &str) -> bool {
    let mut parts = found.split(['.', '-']).map_while(|part| part.parse::<u32>().ok());
    match (parts.next(), parts.next()) {
        (Some(major), minor) => (major, minor.unwrap_or_default()) < OLDEST,
        // What names itself in another way is newer than this.
        (None, _) => false,
    }
}

/// Finds out what the database is.
///
/// # Errors
/// [`StoreError::Newer`]; [`StoreError::Damaged`] where its nodes are another program's.
pub(super) fn identify(driver: &Driver) -> Result<Kind, StoreError> {
    let asked = "OPTIONAL MATCH (s:Store {one: 1}) WITH s.format AS format LIMIT 1 \
                 RETURN format, format IS NULL AND EXISTS { (:Memory) } AS is_foreign";
    let rows = driver.rows("looking at the database", Statement::new(asked, Vec::new()))?;
    let row: Columns = rows.into_iter().next().unwrap_or_default();
    let path = driver.server().name();
    match row.get("format").and_then(serde_json::Value::as_i64) {
        Some(found) if found > FORMAT => Err(StoreError::Newer { path, found, known: FORMAT }),
        Some(_) => Ok(Kind::Ours),
        None if row.get("is_foreign").is_some_and(|is_foreign| is_foreign == true) => {
            let reason = "it has (:Memory) nodes of another program; give Ebbtrace a database of its own".to_owned();
            Err(StoreError::Damaged { path, reason })
        }
        None => Ok(Kind::Empty),
    }
}

/// How many memories there are: the server knows it without counting.
pub(super) fn memories(driver: &Driver) -> Result<usize, StoreError> {
    let rows = driver.rows("counting", Statement::new("MATCH (m:Memory) RETURN count(m) AS memories", Vec::new()))?;
    let counted = rows.first().and_then(|row| row.get("memories")).and_then(serde_json::Value::as_u64);
    Ok(usize::try_from(counted.unwrap_or_default()).unwrap_or(usize::MAX))
}

/// Makes what is not there yet. Several processes may do so at once.
pub(super) fn make(driver: &Driver, model: &StaticModel) -> Result<(), StoreError> {
    for statement in SCHEMA {
        driver.run("making the constraints and indexes", statement)?;
    }
    let meanings = format!(
        "CREATE VECTOR INDEX ebbtrace_meaning IF NOT EXISTS FOR (m:Memory) ON m.meaning \
         OPTIONS {{indexConfig: {{`vector.dimensions`: {}, `vector.similarity_function`: 'cosine'}}}}",
        model.dimension()
    );
    driver.run("making the index of meanings", &meanings)?;
    driver.run("waiting for the indexes", "CALL db.awaitIndexes(300)")?;
    let row = format!("MERGE (s:Store {{one: 1}}) ON CREATE SET s.format = {FORMAT}, s.revision = 0");
    driver.run("making the revision", &row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        for old in ["4.4.40", "5.1.0", "5.14.0", "3.5"] {
            assert!(is_older(old), "{old}");
        }
        for new in ["5.15.0", "5.26.30", "5.26-aura", "2025.06.0", "aura"] {
            assert!(!is_older(new), "{new}");
        }
    }
}
