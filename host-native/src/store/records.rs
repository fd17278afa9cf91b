//! Records in plain maps, changed the way [`Change`] says: what every other store is compared with.

use std::collections::BTreeMap;

use ebbtrace_core::{
    Change, Edge, EdgeKey, JournalEntry, Memory, MemoryId, Proposal, Record, Revision, Scope, ScopeStatus,
};

/// The records of every scope at one revision, each kind by its key.
#[derive(Clone, Debug, Default)]
pub(super) struct Records {
    revision: Revision,
    scopes: BTreeMap<Scope, ScopeStatus>,
    memories: BTreeMap<(Scope, MemoryId), Memory>,
    edges: BTreeMap<EdgeKey, Edge>,
    proposals: BTreeMap<(Scope, MemoryId), Proposal>,
}

impl Records {
    /// Takes in one commit.
    pub(super) fn apply(&mut self, entry: &JournalEntry) {
        for change in &entry.changes {
            self.change(change);
        }
        // An edge or a proposal may come before its memory within one entry; not after it.
        for change in &entry.changes {
            match change {
                Change::Put(Record::Edge(Edge { key, .. }))
                    if !(self.has(&key.scope, &key.from) && self.has(&key.scope, &key.to)) =>
                {
                    self.edges.remove(key);
                }
                Change::Put(Record::Proposal(Proposal { scope, id, .. })) if !self.has(scope, id) => {
                    self.proposals.remove(&(scope.clone(), id.clone()));
                }
                _ => {}
            }
        }
        self.revision = entry.revision;
    }

    /// The revision they are at.
    pub(super) fn revision(&self) -> Revision {
        self.revision
    }

    /// Every record: scopes, memories, edges, proposals, each by key.
    pub(super) fn iter(&self) -> impl Iterator<Item = Record> + '_ {
        let scopes = self.scopes.values().cloned().map(Record::Scope);
        let memories = self.memories.values().cloned().map(|memory| Record::Memory(Box::new(memory)));
        let edges = self.edges.values().cloned().map(Record::Edge);
        let proposals = self.proposals.values().cloned().map(Record::Proposal);
        scopes.chain(memories).chain(edges).chain(proposals)
    }

    /// A memory's text; empty where there is no such memory.
    pub(super) fn text(&self, scope: &Scope, id: &MemoryId) -> &str {
        self.memories.get(&(scope.clone(), id.clone())).map_or("", |memory| &memory.content)
    }

    fn has(&self, scope: &Scope, id: &MemoryId) -> bool {
        self.memories.contains_key(&(scope.clone(), id.clone()))
    }

    fn change(&mut self, change: &Change) {
        match change {
            Change::Put(record) => self.put(record.clone()),
            Change::Touch { scope, id, last_accessed_at, recalled_at, recall_count } => {
                if let Some(memory) = self.memories.get_mut(&(scope.clone(), id.clone())) {
                    memory.last_accessed_at = *last_accessed_at;
                    memory.recalled_at = *recalled_at;
                    memory.recall_count = *recall_count;
                }
            }
            Change::TouchEdge { key, reinforced_at } => {
                if let Some(edge) = self.edges.get_mut(key) {
                    edge.reinforced_at = *reinforced_at;
                }
            }
            Change::DeleteMemory { scope, id } => {
                let key = (scope.clone(), id.clone());
                self.memories.remove(&key);
                self.proposals.remove(&key);
                self.edges.retain(|edge, _| edge.scope != *scope || (edge.from != *id && edge.to != *id));
            }
            Change::DeleteEdge(key) => {
                self.edges.remove(key);
            }
            Change::DeleteProposal { scope, id } => {
                self.proposals.remove(&(scope.clone(), id.clone()));
            }
        }
    }

    fn put(&mut self, record: Record) {
        match record {
            Record::Memory(memory) => {
                self.memories.insert((memory.scope.clone(), memory.id.clone()), *memory);
            }
            Record::Edge(edge) => {
                self.edges.insert(edge.key.clone(), edge);
            }
            Record::Proposal(proposal) => {
                self.proposals.insert((proposal.scope.clone(), proposal.id.clone()), proposal);
            }
            Record::Scope(status) => {
                self.scopes.insert(status.scope.clone(), status);
            }
        }
    }
}
