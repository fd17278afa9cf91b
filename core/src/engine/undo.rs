//! Taking back what one session wrote. Nothing is deleted: what it stored is put away or stands behind what it had
//! replaced, which holds again; what it edited says again what it said before.
//!
//! A memory tells the session that stored it, and who wrote its present text where that is another. So an undo goes by
//! the records alone, as they are in a store of any age and in an import. What leaves no session behind (a recall, a
//! pin, a link made by hand, an edit of labels alone) is not undone. An undo is of no session itself, so it can't be
//! undone as a whole: `restore` brings a memory back.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    change::{Change, Operation, Staged},
    engine::{Engine, checked, purge::Behind, scope_or_default},
    error::Error,
    label::{Label, MemoryId, Scope},
    limits,
    operation::{Kept, Undone},
    order,
    partition::Partition,
    record::{Edge, EdgeKey, Memory, Record, State, relation},
    time::{Moment, Timestamp},
};

/// Why what a session stored is put away.
pub(super) const REASON: &str = "the session that stored it was undone";

impl Engine {
    /// Takes back what `session` wrote, as far as nobody has built on it since; the answer names what is kept and why.
    /// A dry run answers the same and changes nothing. Done twice it is done once.
    ///
    /// # Errors
    /// [`Error::NotFound`] where nothing in the scope is of that session; a name that is blank or too long.
    pub fn stage_undo(
        &self,
        scope: Option<&str>,
        session: &str,
        dry_run: bool,
        moment: Moment,
    ) -> Result<Staged<Undone>, Error> {
        let moment = checked(moment)?;
        let scope = scope_or_default(scope)?;
        limits::length("session", session, limits::NAME_BYTES)?;
        let of_it = |memory: &Memory| wrote(memory, session) || memory.source.session.as_deref() == Some(session);
        let partition = self.partition(&scope);
        let Some(partition) = partition.filter(|partition| partition.memories().any(|(_, memory)| of_it(memory)))
        else {
            return Err(Error::not_found("session", "session", session, &scope, []));
        };
        let mut undo = Undo {
            engine: self,
            partition,
            scope: &scope,
            session,
            moment,
            behind: Behind::of(partition),
            undone: BTreeMap::new(),
            restored: BTreeMap::new(),
            changes: Vec::new(),
            dropped: BTreeSet::new(),
            ids: 0,
            outcome: Undone { session: session.to_owned(), dry_run, ..Undone::default() },
        };
        undo.choose();
        undo.put_away();
        undo.revert();
        let Undo { mut outcome, changes, dropped, .. } = undo;
        outcome.unlinked = dropped.len();
        for ids in [&mut outcome.archived, &mut outcome.superseded, &mut outcome.restored, &mut outcome.reverted] {
            order::sort(ids);
        }
        order::sort_by(&mut outcome.kept, |a, b| a.id.cmp(&b.id));
        let changes =
            if dry_run { Vec::new() } else { dropped.into_iter().map(Change::DeleteEdge).chain(changes).collect() };
        Ok(self.stage(Operation::Undo, moment.now, outcome, changes))
    }
}

/// Whether `session` wrote the memory's present text.
fn wrote(memory: &Memory, session: &str) -> bool {
    memory.source.text_session() == Some(session)
}

struct Undo<'p> {
    engine: &'p Engine,
    partition: &'p Partition,
    scope: &'p Scope,
    session: &'p str,
    moment: Moment,
    behind: Behind<'p>,
    /// The memories that the session stored and that are taken back.
    undone: BTreeMap<&'p MemoryId, &'p Memory>,
    /// Memories of others that hold again.
    restored: BTreeMap<&'p MemoryId, Memory>,
    changes: Vec<Change>,
    /// Links that go.
    dropped: BTreeSet<EdgeKey>,
    ids: u64,
    outcome: Undone,
}

impl<'p> Undo<'p> {
    /// Which memories of the session are taken back: those that still are as it left them, and those that only its own
    /// have replaced.
    fn choose(&mut self) {
        let mut replaced = Vec::new();
        for (_, memory) in self.partition.by_id() {
            if memory.source.session.as_deref() != Some(self.session) || self.behind.is_version_of_another(memory) {
                continue;
            }
            if !wrote(memory, self.session) {
                self.keep(&memory.id, "its text was edited since, outside the session");
            } else if memory.source.shared {
                self.keep(&memory.id, "it was said again or labelled since, outside the session");
            } else if let State::Superseded { by, .. } = &memory.state {
                replaced.push((memory, by));
            } else {
                self.undone.insert(&memory.id, memory);
            }
        }
        loop {
            let known = self.undone.len();
            replaced.retain(|(memory, by)| {
                let follows = self.undone.contains_key(by);
                if follows {
                    self.undone.insert(&memory.id, memory);
                }
                !follows
            });
            if self.undone.len() == known {
                break;
            }
        }
        for (memory, by) in replaced {
            self.keep(&memory.id, &format!("it no longer holds: {by} took its place"));
        }
    }

    /// Puts away what the session stored, and has what it had replaced hold again.
    fn put_away(&mut self) {
        let mut heirs: BTreeMap<&MemoryId, &MemoryId> = BTreeMap::new();
        let undone: Vec<&Memory> = self.undone.values().copied().collect();
        for memory in &undone {
            for old in self.behind.all(&memory.id).to_vec() {
                if self.undone.contains_key(&old.id) || self.behind.is_version_of_another(old) {
                    continue;
                }
                self.restore(old, memory.pinned);
                // The whole chain of the session's memories that led away from it stands behind it.
                let mut at = *memory;
                while !heirs.contains_key(&at.id) {
                    heirs.insert(&at.id, &old.id);
                    let State::Superseded { by, .. } = &at.state else { break };
                    let Some(next) = self.undone.get(by) else { break };
                    at = next;
                }
            }
        }
        for memory in undone {
            self.unlink(memory);
            let heir = heirs.get(&memory.id).copied();
            let state = match (heir, &memory.state) {
                // One that had been replaced held until then.
                (Some(heir), State::Superseded { at, .. }) => State::Superseded { by: heir.clone(), at: *at },
                (Some(heir), _) => State::Superseded { by: heir.clone(), at: self.moment.now },
                (None, State::Active | State::Proposed { .. }) => {
                    State::Archived { at: self.moment.now, reason: Some(REASON.to_owned()) }
                }
                (None, other) => other.clone(),
            };
            let new = Memory { state, pinned: false, ..memory.clone() };
            if new == *memory {
                continue;
            }
            self.withdraw(&memory.id);
            match heir {
                Some(heir) => {
                    if let State::Superseded { by, .. } = &memory.state {
                        self.drop_edge(by, &memory.id, relation::SUPERSEDES);
                        self.drop_edge(by, &memory.id, relation::MERGED_FROM);
                    }
                    self.supersedes(heir, &memory.id);
                    self.outcome.superseded.push(memory.id.clone());
                }
                None => self.outcome.archived.push(memory.id.clone()),
            }
            self.put(new);
        }
    }

    /// Memories of others that the session edited say again what they said before.
    fn revert(&mut self) {
        let mut ended = Vec::new();
        for (_, memory) in self.partition.by_id() {
            if memory.source.session.as_deref() == Some(self.session) || self.behind.is_version_of_another(memory) {
                continue;
            }
            let texts = self.texts(memory);
            if !wrote(memory, self.session) {
                if texts.iter().any(|(text, _)| wrote(text, self.session)) && self.is_news(memory, &texts) {
                    self.keep(&memory.id, "its text was edited since, outside the session");
                }
            } else if memory.state.is_current() {
                self.put_back(memory);
            } else {
                ended.push(memory);
            }
        }
        // What the session edited and then replaced holds again by now, with the session's text.
        loop {
            let holds = |memory: &&Memory| self.restored.contains_key(&memory.id);
            let (again, left): (Vec<_>, Vec<_>) = ended.into_iter().partition(holds);
            ended = left;
            if again.is_empty() {
                break;
            }
            again.into_iter().for_each(|memory| self.put_back(memory));
        }
        for memory in ended {
            self.keep(&memory.id, "what the session edited was replaced since");
        }
    }

    /// The texts that a memory had, the last one first, each with the instant at which it was put aside.
    fn texts(&self, memory: &Memory) -> Vec<(&'p Memory, Timestamp)> {
        let mut texts: Vec<(&Memory, Timestamp)> = Vec::new();
        for kept in self.behind.all(&memory.id).iter().copied() {
            let State::Superseded { at, .. } = kept.state else { continue };
            if self.behind.is_version_of_another(kept) && !self.never_held(memory, kept, at) {
                texts.push((kept, at));
            }
        }
        order::sort_by(&mut texts, |a, b| {
            (b.1, b.0.version).cmp(&(a.1, a.0.version)).then_with(|| a.0.id.cmp(&b.0.id))
        });
        texts
    }

    /// Whether the present text is another than the one before the session's: an undo that was done leaves the same.
    fn is_news(&self, memory: &Memory, texts: &[(&Memory, Timestamp)]) -> bool {
        let before = texts.iter().skip_while(|(text, _)| !wrote(text, self.session));
        let before = before.map(|(text, _)| *text).find(|text| !wrote(text, self.session));
        before.is_none_or(|before| before.content != memory.content)
    }

    /// Whether `kept` was put behind `memory` at once, as other words for what it says.
    fn never_held(&self, memory: &Memory, kept: &Memory, at: Timestamp) -> bool {
        kept.valid_from == at && self.partition.edge(&self.key(&memory.id, &kept.id, relation::MERGED_FROM)).is_some()
    }

    /// `memory` says again what it said before the session's edits, and what those had replaced holds again.
    fn put_back(&mut self, memory: &'p Memory) {
        if memory.source.shared {
            return self.keep(&memory.id, "it was said again or labelled since, outside the session");
        }
        let mut texts = self.texts(memory);
        let Some(place) = texts.iter().position(|(text, _)| !wrote(text, self.session)) else {
            return self.keep(&memory.id, "no earlier text of it is kept");
        };
        texts.truncate(place + 1);
        let (before, since) = texts[place];
        let edits: BTreeSet<Timestamp> = order::filled(texts.iter().map(|(_, at)| *at));
        for old in self.behind.all(&memory.id).to_vec() {
            let ended_then = matches!(old.state, State::Superseded { at, .. } if at >= since);
            if ended_then && !self.behind.is_version_of_another(old) {
                self.restore(old, false);
            }
        }
        for edge in self.edges(memory) {
            let ours = relation::RESERVED.contains(&edge.key.relation.as_str());
            if edge.key.from == memory.id && edits.contains(&edge.created_at) && !ours {
                self.dropped.insert(edge.key);
            }
        }
        let now = self.moment.now;
        let present = self.restored.get(&memory.id).unwrap_or(memory).clone();
        let mut new = Memory {
            content: before.content.clone(),
            embedding: before.embedding.clone(),
            occurred_at: before.occurred_at,
            valid_from: now,
            updated_at: now,
            last_accessed_at: present.last_accessed_at.max(now),
            version: present.version.saturating_add(1),
            ..present.clone()
        };
        new.source.editor.clone_from(&before.source.editor);
        new.source.shared = before.source.shared;
        // Where the labels were edited after the text, that is another's doing.
        if memory.updated_at == memory.valid_from {
            let Memory { kind, category, importance, tags, metadata, author, .. } = before.clone();
            new = Memory { kind, category, importance, tags, metadata, author, ..new };
            new.source.uri.clone_from(&before.source.uri);
        }
        if matches!(new.state, State::Proposed { .. }) {
            new.state = State::Active;
        }
        self.withdraw(&memory.id);
        let id = self.fresh_id(now);
        let state = State::Superseded { by: memory.id.clone(), at: now };
        self.put(new);
        self.put(Memory { id: id.clone(), state, pinned: false, ..present });
        self.supersedes(&memory.id, &id);
        self.outcome.reverted.push(memory.id.clone());
    }

    /// `old` holds again. When it did not stays readable: the time before is kept behind it.
    fn restore(&mut self, old: &'p Memory, pinned: bool) {
        let State::Superseded { by, at } = &old.state else { return };
        for relation in [relation::SUPERSEDES, relation::MERGED_FROM] {
            self.drop_edge(by, &old.id, relation);
        }
        self.withdraw(&old.id);
        let now = self.moment.now;
        // A version is named by the instant at which it was put aside.
        let id = self.fresh_id(*at);
        let state = State::Superseded { by: old.id.clone(), at: *at };
        let kept = Memory { id: id.clone(), state, pinned: false, ..old.clone() };
        let new = Memory {
            state: State::Active,
            pinned,
            valid_from: now,
            last_accessed_at: old.last_accessed_at.max(now),
            version: old.version.saturating_add(1),
            ..old.clone()
        };
        self.restored.insert(&old.id, new.clone());
        self.put(new);
        self.put(kept);
        self.supersedes(&old.id, &id);
        self.outcome.restored.push(old.id.clone());
    }

    /// Drops the links that came with a memory of the session, other than to its own earlier texts.
    fn unlink(&mut self, memory: &Memory) {
        for edge in self.edges(memory) {
            let relation = edge.key.relation.as_str();
            let history = relation == relation::SUPERSEDES || relation == relation::MERGED_FROM;
            let made = [memory.created_at, memory.valid_from].contains(&edge.created_at);
            if edge.key.from == memory.id && made && !history {
                self.dropped.insert(edge.key);
            }
        }
    }

    fn edges(&self, memory: &Memory) -> Vec<Edge> {
        let slot = self.partition.slot_of(memory.id.as_str());
        slot.map(|slot| self.partition.edges_of(slot)).unwrap_or_default()
    }

    fn key(&self, from: &MemoryId, to: &MemoryId, relation: &'static str) -> EdgeKey {
        let (scope, relation) = (self.scope.clone(), Label::ours(relation));
        EdgeKey { scope, from: from.clone(), to: to.clone(), relation }
    }

    /// Drops a link that says what replaced what; it is no link of the session's own to be counted.
    fn drop_edge(&mut self, from: &MemoryId, to: &MemoryId, relation: &'static str) {
        let edge = self.partition.edge(&self.key(from, to, relation));
        self.changes.extend(edge.map(|edge| Change::DeleteEdge(edge.key)));
    }

    fn supersedes(&mut self, from: &MemoryId, to: &MemoryId) {
        let (key, now) = (self.key(from, to, relation::SUPERSEDES), self.moment.now);
        let edge = Edge { key, weight: 1.0, created_at: now, reinforced_at: now };
        self.changes.push(Change::Put(Record::Edge(edge)));
    }

    fn withdraw(&mut self, id: &MemoryId) {
        if self.partition.proposals.contains_key(id) {
            self.changes.push(Change::DeleteProposal { scope: self.scope.clone(), id: id.clone() });
        }
    }

    fn put(&mut self, memory: Memory) {
        self.changes.push(Change::Put(Record::Memory(Box::new(memory))));
    }

    fn keep(&mut self, id: &MemoryId, reason: &str) {
        self.outcome.kept.push(Kept { id: id.clone(), reason: reason.to_owned() });
    }

    fn fresh_id(&mut self, at: Timestamp) -> MemoryId {
        let id = self.engine.fresh_id(self.scope, Moment { now: at, ..self.moment }, self.ids);
        self.ids += 1;
        id
    }
}
