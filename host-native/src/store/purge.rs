//! A deleted memory leaves the journal too: which changes are about it.

use std::borrow::Cow;

use ebbtrace_core::{Change, EdgeKey, MemoryId, Record, Scope};

/// Takes every change about the memory out of an earlier entry. Who catches up from it sees the deletion later on all
/// the same, so that the outcome is equal.
pub(super) fn clear(changes: &mut Vec<Change>, scope: &Scope, id: &MemoryId) {
    changes.retain(|change| !is_about(change, scope, id));
}

/// The changes without those about a memory that is deleted further on among them.
pub(super) fn without_deleted(changes: &[Change]) -> Cow<'_, [Change]> {
    let mut kept = Cow::Borrowed(changes);
    for change in changes {
        if let Change::DeleteMemory { scope, id } = change {
            let mut deleted = false;
            kept.to_mut().retain(|other| {
                deleted |= other == change;
                deleted || !is_about(other, scope, id)
            });
        }
    }
    kept
}

/// Whether the record is the memory, or an edge or a proposal of it.
pub(super) fn is_of(record: &Record, scope: &Scope, id: &MemoryId) -> bool {
    match record {
        Record::Memory(memory) => memory.scope == *scope && memory.id == *id,
        Record::Edge(edge) => joins(&edge.key, scope, id),
        Record::Proposal(proposal) => proposal.scope == *scope && proposal.id == *id,
        Record::Scope(_) => false,
    }
}

fn joins(key: &EdgeKey, scope: &Scope, id: &MemoryId) -> bool {
    key.scope == *scope && (key.from == *id || key.to == *id)
}

fn is_about(change: &Change, scope: &Scope, id: &MemoryId) -> bool {
    match change {
        Change::Put(record) => is_of(record, scope, id),
        Change::TouchEdge { key, .. } | Change::DeleteEdge(key) => joins(key, scope, id),
        Change::Touch { scope: at, id: named, .. } | Change::DeleteProposal { scope: at, id: named } => {
            at == scope && named == id
        }
        // A deletion stays: it is what makes the outcome equal.
        Change::DeleteMemory { .. } => false,
    }
}
