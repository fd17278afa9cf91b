//! Changes that were worked out on a copy, and whether they still fit the memory, which moved on meanwhile.

use std::collections::BTreeSet;

use ebbtrace_core::{Change, EdgeKey, JournalEntry, MemoryId, Operation, Record, Revision, Scope, Staged};

use super::{Service, ServiceError};
use crate::store::Need;

impl Service {
    /// Commits `changes` that were worked out on a copy of the memory at `base`, all of them at once; false, and
    /// nothing written, where another process has since changed what they change or deleted what they lean on.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn adopt(&self, base: Revision, changes: &[Change]) -> Result<bool, ServiceError> {
        loop {
            let Some(since) = self.lock().store.changes_since(base)? else { return Ok(false) };
            if clash(changes, &since) {
                return Ok(false);
            }
            let seen = since.last().map_or(base, |entry| entry.revision);
            let adopted = self.write(&Need::Nothing, |engine, moment| {
                let outcome = engine.revision() == seen;
                let changes = if outcome { changes.to_vec() } else { Vec::new() };
                let (revision, operation) = (seen.next(), Operation::Import);
                Ok(Staged {
                    outcome,
                    base: seen,
                    entry: JournalEntry { revision, at: moment.now, operation, channel: None, changes },
                })
            })?;
            if adopted {
                return Ok(true);
            }
        }
    }

    /// How many commits the store has seen.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn revision(&self) -> Result<Revision, ServiceError> {
        self.read(&Need::Nothing, |engine| Ok(engine.revision()))
    }
}

/// The memories that entries write, with what hangs on them.
pub(super) fn written(entries: &[JournalEntry]) -> BTreeSet<(Scope, MemoryId)> {
    Reach::of(entries.iter().flat_map(|entry| &entry.changes)).written
}

/// What changes write and what they lean on.
#[derive(Default)]
struct Reach {
    /// Memories that are written, with what hangs on them: proposals.
    written: BTreeSet<(Scope, MemoryId)>,
    /// Memories that are deleted.
    deleted: BTreeSet<(Scope, MemoryId)>,
    /// Both ends of edges that are written.
    ends: BTreeSet<(Scope, MemoryId)>,
    /// Edges that are written, as pairs of their ends.
    edges: BTreeSet<(Scope, MemoryId, MemoryId)>,
}

impl Reach {
    fn of<'c>(changes: impl Iterator<Item = &'c Change>) -> Self {
        let mut reach = Self::default();
        for change in changes {
            match change {
                Change::Put(Record::Memory(memory)) => {
                    reach.written.insert((memory.scope.clone(), memory.id.clone()));
                }
                Change::Put(Record::Proposal(proposal)) => {
                    reach.written.insert((proposal.scope.clone(), proposal.id.clone()));
                }
                Change::Touch { scope, id, .. } | Change::DeleteProposal { scope, id } => {
                    reach.written.insert((scope.clone(), id.clone()));
                }
                Change::DeleteMemory { scope, id } => {
                    reach.written.insert((scope.clone(), id.clone()));
                    reach.deleted.insert((scope.clone(), id.clone()));
                }
                Change::Put(Record::Edge(edge)) => reach.edge(&edge.key),
                Change::TouchEdge { key, .. } | Change::DeleteEdge(key) => reach.edge(key),
                // When maintenance last ran: the later word counts.
                Change::Put(Record::Scope(_)) => {}
            }
        }
        reach
    }

    fn edge(&mut self, key: &EdgeKey) {
        let EdgeKey { scope, from, to, .. } = key;
        self.ends.insert((scope.clone(), from.clone()));
        self.ends.insert((scope.clone(), to.clone()));
        self.edges.insert((scope.clone(), from.clone(), to.clone()));
    }
}

/// Whether `ours`, worked out before `theirs` were committed, would overwrite something of theirs or lean on something
/// that they deleted.
fn clash(ours: &[Change], theirs: &[JournalEntry]) -> bool {
    let ours = Reach::of(ours.iter());
    let theirs = Reach::of(theirs.iter().flat_map(|entry| &entry.changes));
    !ours.written.is_disjoint(&theirs.written)
        || !ours.edges.is_disjoint(&theirs.edges)
        || !ours.ends.is_disjoint(&theirs.deleted)
        || !theirs.ends.is_disjoint(&ours.deleted)
}

#[cfg(test)]
mod tests {
    use ebbtrace_core::{Label, Timestamp};

    use super::*;

    fn id(text: &str) -> MemoryId {
        MemoryId::try_from(text).unwrap()
    }

    fn touch(text: &str) -> Change {
        let (scope, now) = (Scope::default(), Timestamp(1));
        Change::Touch { scope, id: id(text), last_accessed_at: now, recalled_at: None, recall_count: 1 }
    }

    fn edge(from: &str, to: &str) -> Change {
        let relation = Label::parse("relation", "related").unwrap();
        let key = EdgeKey { scope: Scope::default(), from: id(from), to: id(to), relation };
        Change::TouchEdge { key, reinforced_at: Timestamp(1) }
    }

    fn delete(text: &str) -> Change {
        Change::DeleteMemory { scope: Scope::default(), id: id(text) }
    }

    #[test]
    fn only_what_meets_clashes() {
        for (ours, theirs, expected) in [
            (touch("a"), touch("b"), false),
            (touch("a"), touch("a"), true),
            (edge("a", "b"), touch("b"), false),
            (edge("a", "b"), edge("a", "c"), false),
            (edge("a", "b"), edge("a", "b"), true),
            (edge("a", "b"), delete("b"), true),
            (delete("b"), edge("a", "b"), true),
            (delete("b"), touch("b"), true),
        ] {
            let entry = JournalEntry {
                revision: Revision(1),
                at: Timestamp(1),
                operation: Operation::Recall,
                channel: None,
                changes: vec![theirs.clone()],
            };
            assert_eq!(clash(std::slice::from_ref(&ours), &[entry]), expected, "{ours:?} {theirs:?}");
        }
    }
}
