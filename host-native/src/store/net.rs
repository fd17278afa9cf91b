//! What an entry comes to: of all that it does to a record, what is left in the end. So a store can write each kind of
//! record at once.

use std::collections::BTreeMap;

use ebbtrace_core::{
    Change, Edge, EdgeKey, JournalEntry, Memory, MemoryId, Proposal, Record, Scope, ScopeStatus, Timestamp,
};

/// What becomes of one record.
#[derive(Debug)]
pub(super) struct Fate<R, T> {
    /// Whether what was stored goes. A record put later is another one.
    pub(super) deleted: bool,
    pub(super) put: Option<R>,
    /// New clocks for what is stored, where nothing is put.
    pub(super) touch: Option<T>,
}

impl<R, T> Default for Fate<R, T> {
    fn default() -> Self {
        Self { deleted: false, put: None, touch: None }
    }
}

impl<R, T> Fate<R, T> {
    fn set(&mut self, record: R) {
        (self.put, self.touch) = (Some(record), None);
    }

    fn delete(&mut self) {
        (self.deleted, self.put, self.touch) = (true, None, None);
    }
}

/// A memory's clocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clocks {
    pub(super) last_accessed_at: Timestamp,
    pub(super) recalled_at: Option<Timestamp>,
    pub(super) recall_count: u32,
}

/// A memory's name.
pub(super) type Key = (Scope, MemoryId);

/// What an entry comes to.
#[derive(Debug, Default)]
pub(super) struct Net {
    pub(super) memories: BTreeMap<Key, Fate<Memory, Clocks>>,
    pub(super) edges: BTreeMap<EdgeKey, Fate<Edge, Timestamp>>,
    pub(super) proposals: BTreeMap<Key, Fate<Proposal, ()>>,
    pub(super) scopes: BTreeMap<Scope, ScopeStatus>,
    /// Texts that were put and deleted in this entry.
    pub(super) gone: Vec<(Key, String)>,
}

impl Net {
    pub(super) fn of(entry: &JournalEntry) -> Self {
        let mut net = Self::default();
        entry.changes.iter().for_each(|change| net.add(change));
        net
    }

    fn add(&mut self, change: &Change) {
        match change {
            Change::Put(Record::Memory(memory)) => {
                let key = (memory.scope.clone(), memory.id.clone());
                self.memories.entry(key).or_default().set(Memory::clone(memory));
            }
            Change::Put(Record::Edge(edge)) => self.edges.entry(edge.key.clone()).or_default().set(edge.clone()),
            Change::Put(Record::Proposal(proposal)) => {
                let key = (proposal.scope.clone(), proposal.id.clone());
                self.proposals.entry(key).or_default().set(proposal.clone());
            }
            Change::Put(Record::Scope(status)) => {
                self.scopes.insert(status.scope.clone(), status.clone());
            }
            Change::Touch { scope, id, last_accessed_at, recalled_at, recall_count } => {
                let fate = self.memories.entry((scope.clone(), id.clone())).or_default();
                let clocks = Clocks {
                    last_accessed_at: *last_accessed_at,
                    recalled_at: *recalled_at,
                    recall_count: *recall_count,
                };
                match &mut fate.put {
                    Some(memory) => {
                        memory.last_accessed_at = clocks.last_accessed_at;
                        memory.recalled_at = clocks.recalled_at;
                        memory.recall_count = clocks.recall_count;
                    }
                    None if !fate.deleted => fate.touch = Some(clocks),
                    None => {}
                }
            }
            Change::TouchEdge { key, reinforced_at } => {
                let fate = self.edges.entry(key.clone()).or_default();
                match &mut fate.put {
                    Some(edge) => edge.reinforced_at = *reinforced_at,
                    None if !fate.deleted => fate.touch = Some(*reinforced_at),
                    None => {}
                }
            }
            Change::DeleteMemory { scope, id } => {
                let key = (scope.clone(), id.clone());
                let fate = self.memories.entry(key.clone()).or_default();
                self.gone.extend(fate.put.take().map(|memory| (key.clone(), memory.content)));
                fate.delete();
                // Its edges and its proposal go with it.
                for (known, fate) in &mut self.edges {
                    if known.scope == *scope && (known.from == *id || known.to == *id) {
                        fate.delete();
                    }
                }
                self.proposals.entry(key).or_default().delete();
            }
            Change::DeleteEdge(key) => self.edges.entry(key.clone()).or_default().delete(),
            Change::DeleteProposal { scope, id } => {
                self.proposals.entry((scope.clone(), id.clone())).or_default().delete();
            }
        }
    }
}
