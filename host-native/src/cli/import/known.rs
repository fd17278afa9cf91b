//! What was in the memory before an import.

use std::collections::{BTreeMap, HashMap, HashSet};

use ebbtrace_core::{Memory, Record, State};

use super::{CLIENT, Call, Failure, RELATION, front};

/// What was in the scopes before.
#[derive(Default)]
pub(super) struct Known {
    pub(super) records: Vec<Record>,
    pub(super) ids: HashSet<String>,
    pub(super) links: HashSet<(String, String)>,
    /// The URIs that memories are from, whatever has become of them, by id.
    pub(super) uris: HashMap<String, String>,
    /// Active memories that an import made, with the URI of the file that they are from; by id.
    pub(super) imported: BTreeMap<String, String>,
    /// Other names of those, in lower case, with the memory that each stands for.
    pub(super) aliases: HashMap<String, String>,
}

impl Known {
    pub(super) fn read(call: &Call) -> Result<Self, Failure> {
        let mut known = Self::default();
        let scope = call.scope().unwrap_or("default");
        call.service.export(None, |record| {
            match &record {
                Record::Memory(memory) if memory.scope.as_str() == scope => known.memory(memory),
                Record::Edge(edge) if edge.key.scope.as_str() == scope && edge.key.relation.as_str() == RELATION => {
                    known.links.insert((edge.key.from.to_string(), edge.key.to.to_string()));
                }
                _ => {}
            }
            known.records.push(record);
        })?;
        Ok(known)
    }

    fn memory(&mut self, memory: &Memory) {
        let id = memory.id.to_string();
        if let (State::Active, Some(CLIENT), Some(uri)) =
            (&memory.state, memory.source.client.as_deref(), &memory.source.uri)
        {
            let aliases = memory.metadata.iter().filter(|(key, _)| front::is_aliases(key));
            for alias in aliases.flat_map(|(_, value)| front::names(value)) {
                // Each part of a long file has them; the file's first part has the shortest id and comes first.
                self.aliases.entry(alias.to_lowercase()).or_insert_with(|| id.clone());
            }
            self.imported.insert(id.clone(), uri.clone());
        }
        if let Some(uri) = &memory.source.uri {
            self.uris.insert(id.clone(), uri.clone());
        }
        self.ids.insert(id);
    }
}
