//! A store that is a graph database: whether it can be opened and read, and what it holds.

use std::{collections::BTreeMap, fs};

use ebbtrace_core::Record;

use super::{Check, State, store};
use crate::{
    cli::{args::Global, open, screen::count},
    store::{StoreError, open_store},
};

/// What a store holds.
#[derive(Default)]
struct Census {
    memories: BTreeMap<String, i64>,
    edges: usize,
    vectors: BTreeMap<String, i64>,
    unreadable: usize,
}

pub(super) fn checks(global: &Global) -> Vec<Check> {
    let path = open::store_path(global);
    if let Some(path) = &path {
        match fs::metadata(path) {
            Ok(found) => {
                let says = format!("{}, a Kùzu database; {}", path.display(), store::size(found.len()));
                let mut checks = vec![Check::new("store", State::Good, says)];
                checks.extend(store::rights(path, &found));
                checks.extend(looked_through(global));
                return checks;
            }
            Err(_) => {
                let says = format!("nothing is stored yet at {}", path.display());
                return vec![Check::new("store", State::Note, says)];
            }
        }
    }
    let mut checks = vec![Check::new("store", State::Note, "a Neo4j server, as EBBTRACE_NEO4J_URI says")];
    checks.extend(looked_through(global));
    checks
}

fn looked_through(global: &Global) -> Vec<Check> {
    let census = match census(global) {
        Ok(census) => census,
        Err(error) => {
            let broken = Check::new("opening", State::Broken, error.to_string()).mend(error.next_step());
            return vec![broken];
        }
    };
    let total: i64 = census.memories.values().sum();
    let memories = count(usize::try_from(total).unwrap_or_default(), "memory", "memories");
    let edges = count(census.edges, "link", "links");
    let soundness = if census.unreadable == 0 {
        Check::new("soundness", State::Good, format!("{memories} and {edges}, all legible"))
    } else {
        let rows = count(census.unreadable, "row", "rows");
        Check::new("soundness", State::Broken, format!("{rows} can't be read; {memories} and {edges} can"))
            .mend("What they hold is not recalled, exported or counted. Restore a copy where it is needed.")
    };
    let scopes: Vec<(String, i64)> = census.memories.into_iter().collect();
    let vectors: Vec<(String, i64)> = census.vectors.into_iter().collect();
    vec![soundness, store::scope(global, &scopes), store::vectors(global, &scopes, &vectors)]
}

fn census(global: &Global) -> Result<Census, StoreError> {
    let mut store = open_store(global.store, global.db.as_deref(), global.resident_limit)?;
    let mut census = Census::default();
    store.load(&mut |record| match record {
        Record::Memory(memory) => {
            *census.memories.entry(memory.scope.to_string()).or_default() += 1;
            if let Some(vector) = &memory.embedding {
                *census.vectors.entry(vector.model.to_string()).or_default() += 1;
            }
        }
        Record::Edge(_) => census.edges += 1,
        Record::Proposal(_) | Record::Scope(_) => {}
    })?;
    census.unreadable = store.unreadable();
    store.close()?;
    Ok(census)
}
