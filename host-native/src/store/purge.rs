//! A deleted memory leaves the journal too: which changes speak of it.

use ebbtrace_core::{Change, EdgeKey, JournalEntry, MemoryId, ProposedAction, Record, Scope, State};

/// Whether the entry deletes a memory. Its changes are not kept in the journal: they would name what is gone. Whoever is
/// behind it loads anew.
pub(super) fn is_in(entry: &JournalEntry) -> bool {
    entry.changes.iter().any(|change| matches!(change, Change::DeleteMemory { .. }))
}

/// Takes every change that speaks of the memory out of an earlier entry. Nobody catches up by what is left, since a
/// deletion follows that is not kept; it is there for whoever wants to know what was done.
pub(super) fn clear(changes: &mut Vec<Change>, scope: &Scope, id: &MemoryId, text: &str) {
    changes.retain(|change| !speaks_of(change, scope, id, text));
}

/// Whether the change is one that [`clear`] takes out.
pub(super) fn speaks_of(change: &Change, scope: &Scope, id: &MemoryId, text: &str) -> bool {
    let has_text =
        matches!(change, Change::Put(Record::Memory(memory)) if memory.scope == *scope && memory.content == *text);
    has_text || names(change, scope, id)
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

fn names(change: &Change, scope: &Scope, id: &MemoryId) -> bool {
    match change {
        Change::Put(record) => is_of(record, scope, id) || leads_to(record, scope, id),
        Change::TouchEdge { key, .. } | Change::DeleteEdge(key) => joins(key, scope, id),
        Change::Touch { scope: at, id: named, .. }
        | Change::DeleteProposal { scope: at, id: named }
        | Change::DeleteMemory { scope: at, id: named } => at == scope && named == id,
    }
}

/// Whether the record is of another memory, and says that this one took its place or is to.
fn leads_to(record: &Record, scope: &Scope, id: &MemoryId) -> bool {
    match record {
        Record::Memory(memory) => {
            memory.scope == *scope && matches!(&memory.state, State::Superseded { by, .. } if by == id)
        }
        Record::Proposal(proposal) => {
            proposal.scope == *scope && matches!(&proposal.action, ProposedAction::Merge { into } if into == id)
        }
        Record::Edge(_) | Record::Scope(_) => false,
    }
}
