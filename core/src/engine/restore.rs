//! Bringing back what was put away, superseded or proposed for deletion. Of what two memories tell about one thing only
//! one holds: what says otherwise by then goes behind what is brought back, and stays readable.

use crate::{
    change::{Change, Operation, Staged},
    engine::{
        Engine, Found, checked,
        purge::{Behind, merges_into},
        scope_or_default, state, undo,
    },
    error::Error,
    label::{Label, MemoryId, Scope},
    operation::Touched,
    order,
    partition::Partition,
    record::{Edge, EdgeKey, Editor, Memory, Record, State, relation},
    resolve::{Near, Verdict},
    time::{Moment, Timestamp},
};

/// The links between what replaced and what was replaced.
const HISTORY: [&str; 3] = [relation::SUPERSEDES, relation::MERGED_FROM, relation::UNDONE];

impl Engine {
    /// Makes a memory active again that was archived, superseded or proposed for deletion, whichever it was before. Of an
    /// earlier text, the memory that it is of says it again. What had taken its place, and what contradicts it, is
    /// superseded by it; what only says the same in other words stays.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::WrongState`] for one that is active; [`Error::OfRecord`] for an earlier text of a
    /// failure, a feature or a handoff.
    pub fn stage_restore(&self, scope: Option<&str>, id: &str, moment: Moment) -> Result<Staged<Touched>, Error> {
        let moment = checked(moment)?;
        let scope = scope_or_default(scope)?;
        let found = self.locate("id", &scope, id)?;
        if found.memory.state == State::Active {
            let allowed = "only an archived, superseded or proposed memory can be restored";
            return Err(Error::WrongState { id: found.memory.id.clone(), state: found.memory.state.as_str(), allowed });
        }
        let behind = Behind::of(found.partition);
        let text = text_of_another(&behind, found.memory);
        let found = match text {
            Some(of) => {
                state::must_be_no_record(of)?;
                self.locate("id", &scope, of.id.as_str())?
            }
            None => Found { ..found },
        };
        let text = text.map(|_| self.locate("id", &scope, id)).transpose()?.map(|text| text.memory);
        let mut restore = Restore {
            engine: self,
            partition: found.partition,
            scope: &scope,
            moment,
            ids: 0,
            changes: Vec::new(),
            dropped: Vec::new(),
        };
        let (new, superseded) = restore.bring(found.memory, text, &behind);
        let Restore { changes, mut dropped, .. } = restore;
        order::sort(&mut dropped);
        dropped.dedup();
        let changes = changes.into_iter().chain(dropped.into_iter().map(Change::DeleteEdge)).collect();
        let mut staged = self.touched(Operation::Restore, &found, new, changes, moment.now);
        staged.outcome.superseded = superseded;
        Ok(staged)
    }
}

/// The memory of which `memory` is an earlier text that it no longer says; none where it says the same in other words.
fn text_of_another<'p>(behind: &Behind<'p>, memory: &Memory) -> Option<&'p Memory> {
    let State::Superseded { by, .. } = &memory.state else { return None };
    let of = behind.partition().find(by.as_str())?;
    (behind.is_version_of_another(memory) && !says_the_same(behind.partition(), by, memory)).then_some(of)
}

/// Whether `memory` went behind `by` as other words for the same.
fn says_the_same(partition: &Partition, by: &MemoryId, memory: &Memory) -> bool {
    let link = |relation| {
        let relation = Label::ours(relation);
        let key = EdgeKey { scope: memory.scope.clone(), from: by.clone(), to: memory.id.clone(), relation };
        partition.edge(&key).is_some()
    };
    link(relation::MERGED_FROM) && !link(relation::SUPERSEDES)
}

struct Restore<'p> {
    engine: &'p Engine,
    partition: &'p Partition,
    scope: &'p Scope,
    moment: Moment,
    ids: u64,
    changes: Vec<Change>,
    /// Links that go.
    dropped: Vec<EdgeKey>,
}

impl<'p> Restore<'p> {
    /// `memory` holds again, and says `text` where there is one: as it will be, and what is superseded by it.
    fn bring(&mut self, memory: &'p Memory, text: Option<&'p Memory>, behind: &Behind<'p>) -> (Memory, Vec<MemoryId>) {
        let now = self.moment.now;
        let last_accessed_at = memory.last_accessed_at.max(now);
        let mut new = Memory { state: State::Active, last_accessed_at, ..memory.clone() };
        // When it did not hold stays readable, as does what it said.
        let until = match &memory.state {
            State::Superseded { at, .. } => Some(*at),
            _ => text.map(|_| now),
        };
        if let Some(until) = until {
            new.valid_from = now;
            new.version = memory.version.saturating_add(1);
            self.keep_version(memory, until);
        }
        if let Some(text) = text {
            new.content.clone_from(&text.content);
            new.embedding.clone_from(&text.embedding);
            new.occurred_at = text.occurred_at;
            new.updated_at = now;
            let (client, session) = (text.source.text_client(), text.source.text_session());
            let editor = Editor { client: client.map(str::to_owned), session: session.map(str::to_owned) };
            new.source = new.source.written_by(editor);
            new.source.shared = text.source.shared;
        }
        let mut ended: Vec<&'p Memory> = Vec::new();
        if let State::Superseded { by, .. } = &memory.state {
            self.leave(memory, by, behind);
            ended.extend(self.successor(memory));
        }
        let near = self.engine.near(self.partition, &new);
        let contradicted = near.iter().filter(|near| matches!(near.verdict(), Verdict::Contradiction(_)));
        // Two keys of the caller's own are two things.
        let contradicted = contradicted.filter(|near| !(memory.id.is_own_key() && near.memory.id.is_own_key()));
        for Near { memory: other, .. } in contradicted {
            // What was put away holds no longer anyway.
            let holds = !matches!(other.state, State::Archived { .. });
            if holds && other.id != memory.id && ended.iter().all(|known| known.id != other.id) {
                ended.push(other);
            }
        }
        new.pinned |= ended.iter().any(|other| other.pinned);
        ended.iter().for_each(|other| self.retire(other, &memory.id));
        if self.partition.proposals.contains_key(&memory.id) {
            self.withdraw(&memory.id);
        }
        self.changes.insert(0, Change::Put(Record::Memory(Box::new(new.clone()))));
        (new, ended.into_iter().map(|other| other.id.clone()).collect())
    }

    /// Takes `memory` out of its place behind `by`. What it had itself replaced was replaced by that as well.
    fn leave(&mut self, memory: &'p Memory, by: &'p MemoryId, behind: &Behind<'p>) {
        for relation in HISTORY {
            self.dropped.extend(self.edge(by, &memory.id, relation).map(|edge| edge.key));
        }
        if self.partition.find(by.as_str()).is_none() {
            return;
        }
        for old in behind.all(&memory.id).iter().copied() {
            let State::Superseded { at, .. } = old.state else { continue };
            if old.id == *by || behind.is_version_of_another(old) || says_the_same(self.partition, &memory.id, old) {
                continue;
            }
            let state = State::Superseded { by: by.clone(), at };
            self.changes.push(Change::Put(Record::Memory(Box::new(Memory { state, ..old.clone() }))));
            for relation in HISTORY {
                let Some(edge) = self.edge(&memory.id, &old.id, relation) else { continue };
                self.dropped.push(edge.key.clone());
                let key = EdgeKey { from: by.clone(), ..edge.key };
                self.changes.push(Change::Put(Record::Edge(Edge { key, ..edge })));
            }
        }
    }

    /// What holds in place of `memory` and says something else, over as many as there were.
    fn successor(&self, memory: &'p Memory) -> Option<&'p Memory> {
        let (mut at, mut seen, mut same) = (memory, vec![&memory.id], true);
        while let State::Superseded { by, .. } = &at.state {
            same = same && says_the_same(self.partition, by, at);
            at = self.partition.find(by.as_str()).filter(|next| !seen.contains(&&next.id))?;
            seen.push(&at.id);
        }
        (!same).then_some(at)
    }

    /// `memory` is superseded by `by`.
    fn retire(&mut self, memory: &'p Memory, by: &MemoryId) {
        self.withdraw(&memory.id);
        self.changes.extend(merges_into(self.partition, &memory.id));
        let state = State::Superseded { by: by.clone(), at: self.moment.now };
        let old = Memory { state, pinned: false, ..memory.clone() };
        self.changes.push(Change::Put(Record::Memory(Box::new(old))));
        self.link(by, memory);
    }

    /// Keeps `memory` as it is, as what held until `until`.
    fn keep_version(&mut self, memory: &'p Memory, until: Timestamp) {
        // A version is named by the instant at which it was put aside.
        let id = self.engine.fresh_id(self.scope, Moment { now: until, ..self.moment }, self.ids);
        self.ids += 1;
        let state = State::Superseded { by: memory.id.clone(), at: until };
        let kept = Memory { id: id.clone(), state, pinned: false, ..memory.clone() };
        self.changes.push(Change::Put(Record::Memory(Box::new(kept))));
        self.link_as(&memory.id, &id, undo::taken_back(self.partition, memory));
    }

    /// The link that says what stands in the place of `memory`. What was taken back stays so.
    fn link(&mut self, by: &MemoryId, memory: &'p Memory) {
        self.link_as(by, &memory.id, undo::taken_back(self.partition, memory));
    }

    fn link_as(&mut self, by: &MemoryId, id: &MemoryId, undone: bool) {
        let relation = Label::ours(if undone { relation::UNDONE } else { relation::SUPERSEDES });
        let key = EdgeKey { scope: self.scope.clone(), from: by.clone(), to: id.clone(), relation };
        let now = self.moment.now;
        self.dropped.retain(|dropped| *dropped != key);
        self.changes.push(Change::Put(Record::Edge(Edge { key, weight: 1.0, created_at: now, reinforced_at: now })));
    }

    fn edge(&self, from: &MemoryId, to: &MemoryId, relation: &'static str) -> Option<Edge> {
        let (from, to) = (from.clone(), to.clone());
        self.partition.edge(&EdgeKey { scope: self.scope.clone(), from, to, relation: Label::ours(relation) })
    }

    fn withdraw(&mut self, id: &MemoryId) {
        let known = self.partition.proposals.get(id);
        self.changes.extend(known.map(|_| Change::DeleteProposal { scope: self.scope.clone(), id: id.clone() }));
    }
}
