//! What a new statement does to those that it contradicts: it takes their place, or a key's memory takes its text, or it
//! is older than what is known and becomes history at once.

use super::{Write, version_behind};
use crate::{
    change::Change,
    engine::{Found, draft::Draft, edit},
    label::{Label, MemoryId},
    operation::{Remembered, Resolution},
    partition::Partition,
    record::{EdgeKey, Memory, Record, State, relation},
    resolve::{self, Near, Verdict},
    time::Timestamp,
};

/// A current memory that no longer holds by what is remembered.
pub(super) struct Ended<'m> {
    pub slot: u32,
    pub memory: &'m Memory,
    similarity: Option<f64>,
    reason: &'static str,
}

impl<'e> Write<'e> {
    /// What `near` the draft is contradicted by it, nearest first, and what the caller says that it supersedes. Two keys
    /// of the caller's own are two things: one ends the other only where the caller says so.
    pub(super) fn ended(&self, draft: &Draft, near: &[Near<'e>], verdicts: &[Verdict]) -> Vec<Ended<'e>> {
        let said = |id: &MemoryId| {
            self.links.iter().any(|link| link.to == *id && link.relation.as_str() == relation::SUPERSEDES)
        };
        let contradicted = near.iter().zip(verdicts).filter_map(|(near, verdict)| match verdict {
            Verdict::Contradiction(reason) => {
                let Near { slot, memory, similarity, .. } = *near;
                Some(Ended { slot, memory, similarity: Some(similarity), reason })
            }
            _ => None,
        });
        let mut ended: Vec<Ended<'e>> = contradicted
            .filter(|old| draft.id.is_none() || !old.memory.id.is_own_key() || said(&old.memory.id))
            .collect();
        let Some(partition) = self.engine.partition(self.scope) else { return ended };
        for link in self.links.iter().filter(|link| said(&link.to)) {
            let known = partition.slot_of(link.to.as_str()).and_then(|slot| Some((slot, partition.memory(slot)?)));
            let Some((slot, memory)) = known.filter(|(_, memory)| memory.state.is_current()) else { continue };
            if ended.iter().all(|old| old.slot != slot) {
                ended.push(Ended { slot, memory, similarity: None, reason: "it is said to supersede it" });
            }
        }
        ended
    }

    /// The nearest of `ended` that was said later than the draft, whose time the caller gave.
    pub(super) fn later<'m>(&self, draft: &Draft, ended: &[Ended<'m>]) -> Option<&'m Memory> {
        let said = draft.said_at()?;
        ended.iter().map(|old| old.memory).find(|memory| said < said_at(memory))
    }

    /// What the draft says was over before it came: it is history, readable behind the later statement.
    pub(super) fn outdated(&mut self, mut draft: Draft, by: &Memory) -> Remembered {
        let partition = self.engine.partition(self.scope);
        let known = partition.and_then(|partition| Some((partition, partition.slot_of(by.id.as_str())?)));
        let reason = format!("{} says otherwise and is of later: this is kept as what was", by.id);
        if let (Some((partition, slot)), None) = (known, &draft.id) {
            let known = Found { partition, slot, memory: by };
            if let Some(version) = version_behind(&known, &draft.memory.content) {
                let (id, other) = (version.id.clone(), Some(by.id.clone()));
                return self.remembered(id, Resolution::Outdated, other, None, &reason, 0, version.recall_count);
            }
        }
        if draft.id.is_none() {
            draft.memory.id = self.fresh_id();
        }
        let id = draft.memory.id.clone();
        // It is history itself, whatever it says that it supersedes.
        self.links.retain(|link| link.relation.as_str() != relation::SUPERSEDES);
        self.changes.push(Change::Put(Record::Memory(Box::new(history(draft.memory, by)))));
        let made = self.link(&id);
        self.edge(&by.id, &id, relation::SUPERSEDES, 1.0);
        self.remembered(id, Resolution::Outdated, Some(by.id.clone()), None, &reason, made + 1, 0)
    }

    /// The caller writes to a key, of a time before what it tells: where the two contradict each other, it tells that no
    /// longer, and the draft is kept behind it.
    pub(super) fn edited_late(&mut self, known: &Found<'e>, draft: &Draft) -> Option<Remembered> {
        let old = known.memory;
        draft.said_at().filter(|said| *said < said_at(old))?;
        let near = self.engine.near(known.partition, &draft.memory);
        let verdict = near.iter().find(|near| near.slot == known.slot).map(Near::verdict);
        matches!(verdict, Some(Verdict::Contradiction(_))).then_some(())?;
        let reason = format!("{} tells otherwise and is of later: this is kept as what was", old.id);
        if let Some(version) = version_behind(known, &draft.memory.content) {
            let (id, count) = (version.id.clone(), version.recall_count);
            return Some(self.remembered(id, Resolution::Outdated, Some(old.id.clone()), None, &reason, 0, count));
        }
        let id = self.fresh_id();
        let version = history(Memory { id: id.clone(), ..draft.memory.clone() }, old);
        self.changes.push(Change::Put(Record::Memory(Box::new(version))));
        self.edge(&old.id, &id, relation::SUPERSEDES, 1.0);
        Some(self.remembered(id, Resolution::Outdated, Some(old.id.clone()), None, &reason, 1, 0))
    }

    /// The key whose memory is to tell from now on what the draft says: so that a key always tells what holds, and can be
    /// written again.
    pub(super) fn key_of<'m, 's>(&self, draft: &Draft, ended: &'s [Ended<'m>]) -> Option<&'s Ended<'m>> {
        let said = |old: &Ended<'_>| self.links.iter().any(|link| link.to == old.memory.id);
        let mut keyed = ended.iter().filter(|old| old.memory.id.is_own_key() && !said(old));
        keyed.next().filter(|_| draft.id.is_none())
    }

    /// The memory of a key takes the draft's text; the earlier one stays readable behind it. All else that it ends is
    /// superseded by the key, but for other keys: those that say the very same take the text too, the others are of
    /// something else.
    pub(super) fn renew(&mut self, draft: &Draft, key: &Ended<'e>, ended: &[Ended<'e>]) -> Remembered {
        let mut kept = None;
        let id = &key.memory.id;
        let mut renewed = None;
        for old in ended {
            let same = old.slot == key.slot || resolve::is_one_text(&old.memory.content, &key.memory.content);
            if !old.memory.id.is_own_key() {
                self.retire(old.memory, id);
                self.edge(id, &old.memory.id, relation::SUPERSEDES, 1.0);
            } else if same {
                let version = self.keep_version(old.memory, &old.memory.id, relation::SUPERSEDES);
                let new = self.rewritten(draft, old.memory);
                if old.slot == key.slot {
                    kept = Some(version);
                    renewed = Some(new);
                } else {
                    self.changes.push(Change::Put(Record::Memory(Box::new(new))));
                }
            }
        }
        let mut new = renewed.unwrap_or_else(|| self.rewritten(draft, key.memory));
        inherit(&mut new, ended.iter().filter(|old| !old.memory.id.is_own_key()).map(|old| old.memory));
        let reason = format!("it contradicts {id}: {}", key.reason);
        self.known(new, Resolution::Replaced, kept, key.similarity, &reason)
    }

    /// `old` with the draft's text, edited now.
    fn rewritten(&mut self, draft: &Draft, old: &Memory) -> Memory {
        self.withdraw(old);
        let labelled = if self.undone(old) {
            draft.anew(old)
        } else {
            Memory { importance: old.importance.max(draft.memory.importance), ..draft.again(old) }
        };
        let new = Memory {
            version: old.version.saturating_add(1),
            state: State::Active,
            updated_at: self.moment.now,
            last_accessed_at: old.last_accessed_at.max(self.moment.now),
            ..labelled
        };
        self.restated(new, draft)
    }

    /// Retires all of `ended` in favour of `id`; the answer says it of the first.
    pub(super) fn replace(&mut self, id: MemoryId, ended: &[Ended<'_>], made: usize) -> Remembered {
        for old in ended {
            self.retire(old.memory, &id);
            self.edge(&id, &old.memory.id, relation::SUPERSEDES, 1.0);
        }
        let Some(first) = ended.first() else {
            return self.remembered(id, Resolution::Created, None, None, "it is new", made, 0);
        };
        let mut reason = format!("it contradicts {}: {}", first.memory.id, first.reason);
        if ended.len() > 1 {
            reason.push_str(&format!("; and {} more", ended.len() - 1));
        }
        let (other, made) = (Some(first.memory.id.clone()), made + ended.len());
        self.remembered(id, Resolution::Replaced, other, first.similarity, &reason, made, 0)
    }

    /// The caller writes to a key whose memory is no longer current. It is current again, with what is said now, and what
    /// took its place and is no key itself is superseded where it is about the same; unless that was said later.
    pub(super) fn revive(&mut self, known: &Found<'e>, draft: &Draft) -> Remembered {
        let (partition, old) = (known.partition, known.memory);
        let successor = successor(partition, old);
        let near = self.engine.near(partition, &draft.memory);
        let verdict = |id: &MemoryId| near.iter().find(|near| near.memory.id == *id).map(Near::verdict);
        let undone = self.undone(old);
        let differs = undone || old.content != draft.memory.content;
        let later = successor.filter(|by| draft.said_at().is_some_and(|said| said < said_at(by)));
        let labelled = if undone { draft.anew(old) } else { draft.over(old) };
        let edited = Memory { version: old.version.saturating_add(1), updated_at: self.moment.now, ..labelled };
        if let Some(by) = later {
            let reason = format!("{} says otherwise and is of later: this is kept as what was", by.id);
            let other = Some(by.id.clone());
            if !differs {
                let id = old.id.clone();
                return self.remembered(id, Resolution::Outdated, other, None, &reason, 0, old.recall_count);
            }
            self.keep_version(old, &old.id, relation::SUPERSEDES);
            let edited = history(self.restated(edited, draft), by);
            return self.known(edited, Resolution::Outdated, other, None, &reason);
        }
        let mut new = self.used(edited);
        if differs {
            self.keep_version(old, &old.id, relation::SUPERSEDES);
            new = self.restated(new, draft);
        } else {
            new.valid_from = self.moment.now;
            new.source = new.source.shared_with(draft.session());
        }
        if let State::Superseded { by, .. } = &old.state {
            for label in [relation::SUPERSEDES, relation::MERGED_FROM, relation::UNDONE].map(Label::ours) {
                let key = EdgeKey { scope: self.scope.clone(), from: by.clone(), to: old.id.clone(), relation: label };
                self.changes.extend(partition.edge(&key).map(|edge| Change::DeleteEdge(edge.key)));
            }
        }
        let about = |by: &&Memory| verdict(&by.id).is_some_and(|verdict| verdict != Verdict::Distinct);
        let ended = successor.filter(|by| !by.id.is_own_key()).filter(about);
        if let Some(by) = ended {
            self.retire(by, &old.id);
            self.edge(&old.id, &by.id, relation::SUPERSEDES, 1.0);
            inherit(&mut new, [by]);
        }
        let reason = match ended {
            Some(by) => format!("its key was no longer current and is again; {} is superseded by it", by.id),
            None => "its key was no longer current and is again".to_owned(),
        };
        self.known(new, Resolution::Updated, ended.map(|by| by.id.clone()), None, &reason)
    }

    /// `memory` is no longer current: `by` is.
    pub(super) fn retire(&mut self, memory: &Memory, by: &MemoryId) {
        self.withdraw(memory);
        let state = State::Superseded { by: by.clone(), at: self.moment.now };
        // Its pin has gone to what took its place.
        let old = Memory { state, pinned: false, ..memory.clone() };
        self.changes.push(Change::Put(Record::Memory(Box::new(old))));
        // What was taken back stays so behind it.
        if self.undone(memory) {
            self.edge(by, &memory.id, relation::UNDONE, 1.0);
        }
    }

    /// Takes back what would delete or merge `memory`.
    pub(super) fn withdraw(&mut self, memory: &Memory) {
        let partition = self.engine.partition(self.scope);
        self.changes.extend(partition.and_then(|partition| edit::no_deletion(partition, memory)));
    }
}

/// What takes the place of others is as important as they were, and pinned where one of them was.
pub(super) fn inherit<'m>(new: &mut Memory, ended: impl IntoIterator<Item = &'m Memory>) {
    for old in ended {
        new.pinned |= old.pinned;
        new.importance = new.importance.max(old.importance);
    }
}

/// `memory` as what held until `by` did.
fn history(memory: Memory, by: &Memory) -> Memory {
    let at = said_at(by);
    let state = State::Superseded { by: by.id.clone(), at };
    Memory { state, pinned: false, valid_from: memory.occurred_at.min(at), ..memory }
}

/// When a memory's text was said: at the latest when it was taken in.
fn said_at(memory: &Memory) -> Timestamp {
    memory.occurred_at.min(memory.valid_from)
}

/// The current memory that took the place of `memory`, over as many as there were.
fn successor<'p>(partition: &'p Partition, memory: &'p Memory) -> Option<&'p Memory> {
    let mut seen = vec![&memory.id];
    let mut at = memory;
    while let State::Superseded { by, .. } = &at.state {
        at = partition.find(by.as_str()).filter(|next| !seen.contains(&&next.id))?;
        seen.push(&at.id);
    }
    Some(at).filter(|at| at.id != memory.id)
}
