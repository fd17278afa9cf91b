//! What goes with a memory that a human lets go, and what becomes of those it had replaced.
//!
//! An edit and a merge keep the earlier text as a record of its own, behind the memory. Such a version is a part of the
//! memory: whoever deletes the memory means the earlier text too, and would be deceived if it stayed. What a memory
//! replaced or was consolidated from was a memory of its own: nobody asked about that one, so it stays.

mod by_hand;

use std::collections::{BTreeMap, BTreeSet};

use ulid::Ulid;

use crate::{
    change::Change,
    engine::undo,
    label::{Label, MemoryId},
    order,
    partition::Partition,
    record::{EdgeKey, Memory, ProposedAction, Record, State, relation},
    time::Timestamp,
};

/// The superseded memories of a scope, each behind the one that took its place.
pub(super) struct Behind<'p> {
    partition: &'p Partition,
    by: BTreeMap<&'p MemoryId, Vec<&'p Memory>>,
}

impl<'p> Behind<'p> {
    /// Those of `partition`.
    pub(super) fn of(partition: &'p Partition) -> Self {
        let mut by: BTreeMap<&MemoryId, Vec<&Memory>> = BTreeMap::new();
        for (_, memory) in partition.memories() {
            if let State::Superseded { by: successor, .. } = &memory.state {
                by.entry(successor).or_default().push(memory);
            }
        }
        by.values_mut().for_each(|behind| order::sort_by(behind, |a, b| a.id.cmp(&b.id)));
        Self { partition, by }
    }

    /// The versions of `memory`, and theirs, where one was brought back and edited.
    pub(super) fn versions(&self, memory: &'p Memory) -> Vec<&'p Memory> {
        let mut found: Vec<&Memory> = Vec::new();
        let mut next = 0;
        let mut of = memory;
        loop {
            let behind = self.all(&of.id);
            let new = behind.iter().filter(|kept| self.is_version(kept, of, behind));
            // A circle can only come from an import.
            let new: Vec<&Memory> = new
                .copied()
                .filter(|kept| kept.id != memory.id && !found.iter().any(|one| one.id == kept.id))
                .collect();
            found.extend(new);
            match found.get(next) {
                Some(version) => of = version,
                None => return found,
            }
            next += 1;
        }
    }

    /// Deletes `memory` for good with its versions; what happens, and the ids that go, the memory's first.
    pub(super) fn delete(&self, memory: &'p Memory, now: Timestamp) -> (Vec<Change>, Vec<MemoryId>) {
        let mut gone = vec![memory];
        gone.extend(self.versions(memory));
        let ids: Vec<MemoryId> = gone.iter().map(|memory| memory.id.clone()).collect();
        (self.delete_all(&gone, now), ids)
    }

    /// What deletes all of `gone` for good.
    pub(super) fn delete_all(&self, gone: &[&'p Memory], now: Timestamp) -> Vec<Change> {
        let ids: BTreeSet<&str> = order::filled(gone.iter().map(|memory| memory.id.as_str()));
        let mut changes = Vec::new();
        for deleted in gone {
            let orphans = self.all(&deleted.id).iter().filter(|orphan| !ids.contains(orphan.id.as_str()));
            changes.extend(orphans.map(|orphan| {
                let state = self.without(deleted, &ids, orphan, now);
                Change::Put(Record::Memory(Box::new(Memory { state, ..(*orphan).clone() })))
            }));
            // What was taken back stays so behind the next one.
            let orphans = self.all(&deleted.id).iter().filter(|orphan| !ids.contains(orphan.id.as_str()));
            changes.extend(orphans.filter_map(|orphan| match self.without(deleted, &ids, orphan, now) {
                State::Superseded { by, .. } => undo::marked_again(self.partition, orphan, &by, &orphan.id, now),
                _ => None,
            }));
            changes.extend(merges_into(self.partition, &deleted.id));
        }
        let delete = |memory: &&Memory| Change::DeleteMemory { scope: memory.scope.clone(), id: memory.id.clone() };
        changes.extend(gone.iter().map(delete));
        changes
    }

    /// The memories that `id` took the place of, by id.
    pub(super) fn all(&self, id: &MemoryId) -> &[&'p Memory] {
        self.by.get(id).map_or(&[], Vec::as_slice)
    }

    /// Whether `kept` is an earlier text of the memory that took its place.
    pub(super) fn is_version_of_another(&self, kept: &Memory) -> bool {
        let State::Superseded { by, .. } = &kept.state else { return false };
        self.partition.find(by.as_str()).is_some_and(|of| self.is_version(kept, of, self.all(by)))
    }

    /// The scope that they are of.
    pub(super) fn partition(&self) -> &'p Partition {
        self.partition
    }

    /// Whether `kept`, one of those `behind` the memory `of`, is an earlier text of it rather than a memory that once
    /// had a life of its own.
    ///
    /// A memory of its own was named when it was made. A version was named when it was put aside, by a ULID of that
    /// instant. Where it was made and put aside at one instant, as a clock that stands still has it, a merge leaves its
    /// link; and an edit counts the memory's version up from that of the text it keeps, of which there is one each.
    fn is_version(&self, kept: &Memory, of: &Memory, behind: &[&Memory]) -> bool {
        let State::Superseded { at, .. } = kept.state else { return false };
        let named_when_put_aside = |memory: &Memory, at: Timestamp| {
            Ulid::from_string(memory.id.as_str()).is_ok_and(|ulid| ulid.timestamp_ms() == at.0.max(0) as u64)
        };
        if !named_when_put_aside(kept, at) {
            return false;
        }
        if kept.created_at != at {
            return true;
        }
        let (from, to) = (of.id.clone(), kept.id.clone());
        let key = EdgeKey { scope: of.scope.clone(), from, to, relation: Label::ours(relation::MERGED_FROM) };
        let same_count = |other: &&&Memory| other.id != kept.id && other.version == kept.version;
        self.partition.edge(&key).is_some()
            || (kept.created_at == of.created_at
                && kept.version < of.version
                && behind.iter().filter(same_count).count() == 0)
    }

    /// The state of `orphan` with the memory gone that had taken its place: still behind the next one, where that had
    /// been replaced itself; else put away with the reason, since it was no longer true.
    fn without(&self, deleted: &Memory, ids: &BTreeSet<&str>, orphan: &Memory, now: Timestamp) -> State {
        let mut passed = BTreeSet::new();
        let mut at = deleted;
        while let State::Superseded { by: next, .. } = &at.state {
            let Some(found) = self.partition.find(next.as_str()).filter(|_| passed.insert(next.as_str())) else {
                break;
            };
            if !ids.contains(next.as_str()) && *next != orphan.id {
                let State::Superseded { at, .. } = orphan.state else { break };
                return State::Superseded { by: next.clone(), at };
            }
            at = found;
        }
        let undone = undo::taken_back(self.partition, orphan);
        let reason = if undone { undo::REASON } else { "what had replaced it was deleted" };
        State::Archived { at: now, reason: Some(reason.to_owned()) }
    }
}

/// Takes back what would merge another memory into `gone`.
pub(super) fn merges_into<'p>(partition: &'p Partition, gone: &'p MemoryId) -> impl Iterator<Item = Change> + 'p {
    let into_gone = move |action: &ProposedAction| matches!(action, ProposedAction::Merge { into } if into == gone);
    partition
        .proposals
        .values()
        .filter(move |proposal| into_gone(&proposal.action))
        .map(|proposal| Change::DeleteProposal { scope: proposal.scope.clone(), id: proposal.id.clone() })
}
