//! What a recall changes: the memories it found and the edges they came by are in use.

use crate::{
    change::Change,
    engine::edit,
    operation::Hit,
    order,
    partition::Partition,
    record::{EdgeKey, Memory, Record, State},
    time::Timestamp,
};

/// What keeps the hits and the edges they came by fresh. A memory that waited for a decision is in use again.
pub(super) fn changes(partition: &Partition, hits: &[Hit], now: Timestamp) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut edges: Vec<EdgeKey> = Vec::new();
    for hit in hits {
        let memory = &hit.memory;
        let (scope, id) = (memory.scope.clone(), memory.id.clone());
        let last_accessed_at = memory.last_accessed_at.max(now);
        let recalled_at = Some(memory.recalled_at.map_or(now, |at| at.max(now)));
        let recall_count = memory.recall_count.saturating_add(1);
        if matches!(memory.state, State::Proposed { .. }) {
            let state = State::Active;
            let woken = Memory { state, last_accessed_at, recalled_at, recall_count, ..memory.clone() };
            changes.push(Change::Put(Record::Memory(Box::new(woken))));
            changes.push(Change::DeleteProposal { scope, id });
        } else {
            changes.push(Change::Touch { scope, id, last_accessed_at, recalled_at, recall_count });
            if matches!(memory.state, State::Archived { .. }) {
                changes.extend(edit::no_deletion(partition, memory));
            }
        }
        for pair in hit.path.windows(2) {
            let between = partition.slot_of(pair[0].as_str()).map(|slot| partition.edges_of(slot)).unwrap_or_default();
            let keys = between.into_iter().map(|edge| edge.key).filter(|key| key.from == pair[1] || key.to == pair[1]);
            edges.extend(keys);
        }
    }
    order::sort(&mut edges);
    edges.dedup();
    changes.extend(edges.into_iter().map(|key| Change::TouchEdge { key, reinforced_at: now }));
    changes
}
