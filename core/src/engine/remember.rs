//! Remember: check, compare with what is known, and decide what becomes of a new memory.

mod replace;

use ulid::Ulid;

use crate::{
    change::{Change, Operation, Staged},
    engine::{
        Engine, Found, checked,
        draft::{Draft, Link},
        edit,
        remember::replace::Ended,
        scope_or_default, state, undo,
    },
    error::Error,
    label::{Label, MemoryId, Scope},
    operation::{RememberInput, Remembered, Resolution},
    record::{Edge, EdgeKey, Editor, Memory, Record, Source, State, relation},
    resolve::{self, Near, Verdict},
    time::Moment,
};

impl Engine {
    /// Decides what becomes of a new memory: stored as its own, the known one again, merged, or in place of one that is
    /// no longer true. Nothing learned is lost: replaced and merged texts stay readable.
    ///
    /// # Errors
    /// An argument out of bounds or unknown: every variant of [`Error`] that names a field.
    pub fn stage_remember(&self, input: &RememberInput, moment: Moment) -> Result<Staged<Remembered>, Error> {
        let moment = checked(moment)?;
        let scope = scope_or_default(input.scope.as_deref())?;
        let draft = self.draft(input, &scope, moment.now)?;
        let links = self.links(&scope, draft.id.as_ref(), &input.links)?;
        let known = draft.id.as_ref().and_then(|id| self.lookup(&scope, id));
        if let Some(known) = &known {
            state::must_be_no_record(known.memory)?;
        }
        if state::is_tracked(&draft.memory) {
            let (value, allowed) = (draft.memory.kind.to_string(), "any other for a memory of that kind");
            return Err(Error::UnknownValue { field: "metadata.type", value, allowed });
        }
        let mut write = Write { engine: self, scope: &scope, moment, links, changes: Vec::new(), ids: 0 };
        let redacted = draft.redacted;
        let outcome = match known {
            Some(known) => write.edit(&known, &draft)?,
            None => write.resolve(draft),
        };
        let outcome = Remembered { redacted, ..outcome };
        let changes = write.changes;
        Ok(self.stage(Operation::Remember, moment.now, outcome, changes))
    }
}

impl Engine {
    /// Stores a record of an agent's work: as a memory of its own, or as what `known` says from now on, whose earlier
    /// text stays readable behind it. It is compared with nothing.
    pub(super) fn record(
        &self,
        scope: &Scope,
        draft: Draft,
        known: Option<&Found<'_>>,
        moment: Moment,
    ) -> (Remembered, Vec<Change>) {
        let mut write = Write { engine: self, scope, moment, links: Vec::new(), changes: Vec::new(), ids: 0 };
        let outcome = match known {
            Some(known) => write.rewrite(known.memory, draft.memory),
            None => {
                let near = self.partition(scope).map(|partition| self.near(partition, &draft.memory));
                write.create(draft, &near.unwrap_or_default(), &[])
            }
        };
        (outcome, write.changes)
    }
}

/// The changes of one remember, as they are put together.
struct Write<'e> {
    engine: &'e Engine,
    scope: &'e Scope,
    moment: Moment,
    links: Vec<Link>,
    changes: Vec<Change>,
    /// How many ids were made.
    ids: u64,
}

impl<'e> Write<'e> {
    /// The caller names a memory that exists: say it again, or edit it.
    fn edit(&mut self, known: &Found<'e>, draft: &Draft) -> Result<Remembered, Error> {
        let old = known.memory;
        if !old.state.is_current() && old.id.is_own_key() {
            return Ok(self.revive(known, draft));
        }
        edit::must_be_current(old)?;
        if self.undone(old) {
            return Ok(self.retell(known, None, draft, Resolution::Updated));
        }
        let labelled = draft.over(old);
        let same_text = old.content == draft.memory.content;
        if same_text && labelled == *old {
            return Ok(self.again(known, None, draft));
        }
        if let Some(outdated) = self.edited_late(known, draft) {
            return Ok(outdated);
        }
        let mut new = self.used(Memory { version: old.version.saturating_add(1), ..labelled });
        new.updated_at = self.moment.now;
        if !same_text {
            self.keep_version(old, &old.id, relation::SUPERSEDES);
            new = self.restated(new, draft);
        } else {
            new.source = new.source.shared_with(draft.session());
        }
        let reason = if same_text { "its labels were edited" } else { "its text was edited; the earlier one is kept" };
        Ok(self.known(new, Resolution::Updated, None, None, reason))
    }

    /// The memory `old`, saying from now on what `new` does; it keeps its id, use and origin.
    fn rewrite(&mut self, old: &Memory, new: Memory) -> Remembered {
        let same_text = old.content == new.content && !self.undone(old);
        if !same_text {
            self.keep_version(old, &old.id, relation::SUPERSEDES);
        }
        let embedding = new.embedding.clone().or_else(|| old.embedding.clone().filter(|_| same_text));
        let source = if same_text {
            old.source.clone().shared_with(new.source.session.as_deref())
        } else {
            let Source { client, session, .. } = new.source;
            old.source.clone().written_by(Editor { client, session })
        };
        let next = self.used(Memory {
            content: new.content,
            kind: new.kind,
            category: new.category,
            importance: new.importance,
            metadata: new.metadata,
            occurred_at: new.occurred_at,
            updated_at: new.updated_at,
            valid_from: if same_text { old.valid_from } else { new.valid_from },
            version: old.version.saturating_add(1),
            embedding,
            source,
            ..old.clone()
        });
        self.known(next, Resolution::Updated, None, None, "it was brought up to date; its earlier text is kept")
    }

    /// A new text: compare it with what is near.
    fn resolve(&mut self, draft: Draft) -> Remembered {
        let engine = self.engine;
        let partition = engine.partition(self.scope);
        let near = partition.map(|partition| engine.near(partition, &draft.memory)).unwrap_or_default();
        let verdicts: Vec<Verdict> = near.iter().map(Near::verdict).collect();
        // A key of the caller's own is a memory of its own: it may replace others, but is never taken into one.
        if let (Some(partition), None) = (partition, &draft.id) {
            let is_known = |verdict: &Verdict| matches!(verdict, Verdict::Same | Verdict::Restated);
            let mut known = near.iter().zip(&verdicts).filter(|(_, verdict)| is_known(verdict)).map(|(near, _)| near);
            let nearest = known.clone().next();
            // The very text goes before one that is merely as near.
            let here = known.find(|near| resolve::is_one_text(&near.memory.content, &draft.memory.content));
            if let Some(near) = here.or(nearest) {
                let known = Found { partition, slot: near.slot, memory: near.memory };
                return self.known_already(&known, near.similarity, &draft);
            }
        }
        let ended = self.ended(&draft, &near, &verdicts);
        if let Some(by) = self.later(&draft, &ended) {
            return self.outdated(draft, by);
        }
        match self.key_of(&draft, &ended) {
            Some(key) => self.renew(&draft, key, &ended),
            None => self.create(draft, &near, &ended),
        }
    }

    /// What is known already: counted where its very text is kept, else merged, so that no text is lost.
    fn known_already(&mut self, known: &Found<'_>, similarity: f64, draft: &Draft) -> Remembered {
        let text = &draft.memory.content;
        if self.undone(known.memory) {
            let verbatim = resolve::is_one_text(&known.memory.content, text);
            let resolution = if verbatim { Resolution::Reinforced } else { Resolution::Merged };
            return self.retell(known, Some(similarity), draft, resolution);
        }
        if resolve::is_one_text(&known.memory.content, text) || version_behind(known, text).is_some() {
            self.again(known, Some(similarity), draft)
        } else {
            self.merge(known, similarity, draft)
        }
    }

    /// The known memory, which was taken back, is told again. From now on it is as it is told, by who tells it; what was
    /// taken back stays so.
    fn retell(
        &mut self,
        known: &Found<'_>,
        similarity: Option<f64>,
        draft: &Draft,
        resolution: Resolution,
    ) -> Remembered {
        let old = known.memory;
        let other = self.keep_version(old, &old.id, relation::SUPERSEDES);
        let version = old.version.saturating_add(1);
        let new = self.used(Memory { version, updated_at: self.moment.now, ..draft.anew(old) });
        let new = self.restated(new, draft);
        let other = (resolution == Resolution::Merged).then_some(other);
        self.known(new, resolution, other, similarity, "it had been taken back, and is told again")
    }

    /// Whether an undo has taken back what a known memory says.
    fn undone(&self, memory: &Memory) -> bool {
        self.engine.partition(self.scope).is_some_and(|partition| undo::taken_back(partition, memory))
    }

    /// The known memory again: an echo of what was just recalled changes nothing, else it counts up.
    fn again(&mut self, known: &Found<'_>, similarity: Option<f64>, draft: &Draft) -> Remembered {
        let old = known.memory;
        let window = (self.engine.config.resolution.echo_hours * 3_600_000.0) as i64;
        let echo = old.recalled_at.is_some_and(|at| (self.moment.now.0 - at.0).abs() <= window);
        // What was put away since is wanted back.
        if echo && self.links.is_empty() && old.state == State::Active {
            let reason = "it was recalled a moment ago: an echo changes nothing";
            return self.remembered(old.id.clone(), Resolution::Echo, None, similarity, reason, 0, old.recall_count);
        }
        let new = self.used(draft.again(old));
        self.known(new, Resolution::Reinforced, None, similarity, "it is known: counted, not stored twice")
    }

    /// The known memory in other words: the fuller text is current, the other stays readable behind it. So that nothing
    /// is lost, this holds for what differs in a single word too.
    fn merge(&mut self, known: &Found<'_>, similarity: f64, draft: &Draft) -> Remembered {
        let old = known.memory;
        let mut new = self.used(draft.again(old));
        let fuller = resolve::telling_words(&draft.memory.content) > resolve::telling_words(&old.content);
        let other = if fuller {
            new = self.with_text(Memory { version: old.version.saturating_add(1), ..new }, &draft.memory);
            new.updated_at = self.moment.now;
            self.keep_version(old, &old.id, relation::MERGED_FROM)
        } else {
            // The other words stand for who said them.
            new.source.shared = old.source.shared;
            self.keep_version(&draft.memory, &old.id, relation::MERGED_FROM)
        };
        let reason = if fuller {
            "it says the same as a known one, more fully: both texts are kept, this one is current"
        } else {
            "it says the same as a known one in other words: both texts are kept, the known one is current"
        };
        self.known(new, Resolution::Merged, Some(other), Some(similarity), reason)
    }

    /// A memory of its own, linked to what is near, to the one before in its session, and to what it replaces.
    fn create(&mut self, draft: Draft, near: &[Near<'e>], ended: &[Ended<'e>]) -> Remembered {
        let mut memory = draft.memory;
        if draft.id.is_none() {
            memory.id = self.fresh_id();
        }
        replace::inherit(&mut memory, ended.iter().map(|old| old.memory));
        let id = memory.id.clone();
        let partition = self.engine.partition(self.scope);
        let session = memory.source.session.as_deref().zip(partition);
        let (position, before) = session.map_or((0, None), |(session, partition)| partition.end_of_session(session));
        memory.source.position = if memory.source.session.is_some() { position + 1 } else { 0 };
        self.changes.push(Change::Put(Record::Memory(Box::new(memory))));
        // What the caller says is superseded is linked as what is seen to be.
        let is_ended = |link: &Link| {
            link.relation.as_str() == relation::SUPERSEDES && ended.iter().any(|old| old.memory.id == link.to)
        };
        self.links.retain(|link| !is_ended(link));
        let mut made = self.link(&id);
        let config = &self.engine.config.resolution;
        for near in near.iter().filter(|near| near.similarity >= config.semantic_edge).take(config.semantic_edges) {
            if ended.iter().all(|old| old.slot != near.slot) {
                self.edge(&id, &near.memory.id, relation::SEMANTIC, near.similarity * config.semantic_weight);
                made += 1;
            }
        }
        if let Some(before) = before {
            self.edge(&id, &before.id, relation::FOLLOWS, config.follows_weight);
            made += 1;
        }
        self.replace(id, ended, made)
    }

    /// Stores the known memory as it is now, and its new links.
    fn known(
        &mut self,
        memory: Memory,
        resolution: Resolution,
        other: Option<MemoryId>,
        similarity: Option<f64>,
        reason: &str,
    ) -> Remembered {
        let (id, recall_count) = (memory.id.clone(), memory.recall_count);
        self.changes.push(Change::Put(Record::Memory(Box::new(memory))));
        let made = self.link(&id);
        self.remembered(id, resolution, other, similarity, reason, made, recall_count)
    }

    /// `memory` used now: its clock is reset, it counts up, and it is active again.
    fn used(&mut self, memory: Memory) -> Memory {
        self.withdraw(&memory);
        Memory {
            last_accessed_at: memory.last_accessed_at.max(self.moment.now),
            recall_count: memory.recall_count.saturating_add(1),
            state: State::Active,
            ..memory
        }
    }

    /// `memory` with the text of `new`, in force from now.
    fn with_text(&self, memory: Memory, new: &Memory) -> Memory {
        let (content, embedding) = (new.content.clone(), new.embedding.clone());
        let (client, session) = (new.source.client.clone(), new.source.session.clone());
        let source = memory.source.clone().written_by(Editor { client, session });
        Memory { content, embedding, source, valid_from: self.moment.now, ..memory }
    }

    /// `memory` with the text of the draft, in force from now and of the draft's time.
    fn restated(&self, memory: Memory, draft: &Draft) -> Memory {
        let occurred_at = draft.memory.occurred_at;
        Memory { occurred_at, ..self.with_text(memory, &draft.memory) }
    }

    /// Keeps a text that is not current, readable behind the memory `by`; returns its id.
    fn keep_version(&mut self, version: &Memory, by: &MemoryId, relation: &'static str) -> MemoryId {
        let id = self.fresh_id();
        let state = State::Superseded { by: by.clone(), at: self.moment.now };
        let kept = Memory { id: id.clone(), state, pinned: false, ..version.clone() };
        self.changes.push(Change::Put(Record::Memory(Box::new(kept))));
        self.edge(by, &id, if self.undone(version) { relation::UNDONE } else { relation }, 1.0);
        id
    }

    /// Makes the caller's links from `id`; how many. What it is said to supersede is no longer current.
    fn link(&mut self, id: &MemoryId) -> usize {
        let links = std::mem::take(&mut self.links);
        let links: Vec<Link> = links.into_iter().filter(|link| link.to != *id).collect();
        let partition = self.engine.partition(self.scope);
        for Link { to, relation, weight } in &links {
            let known = partition.and_then(|partition| partition.find(to.as_str()));
            if let Some(ended) = known.filter(|memory| memory.state.is_current())
                && relation.as_str() == relation::SUPERSEDES
            {
                self.retire(ended, id);
            }
            self.put_edge(id, to, relation.clone(), *weight);
        }
        links.len()
    }

    fn edge(&mut self, from: &MemoryId, to: &MemoryId, relation: &'static str, weight: f64) {
        self.put_edge(from, to, Label::ours(relation), weight);
    }

    fn put_edge(&mut self, from: &MemoryId, to: &MemoryId, relation: Label, weight: f64) {
        let key = EdgeKey { scope: self.scope.clone(), from: from.clone(), to: to.clone(), relation };
        let now = self.moment.now;
        let created_at = self
            .engine
            .partition(self.scope)
            .and_then(|partition| partition.edge(&key))
            .map_or(now, |edge| edge.created_at);
        self.changes.push(Change::Put(Record::Edge(Edge { key, weight, created_at, reinforced_at: now })));
    }

    fn fresh_id(&mut self) -> MemoryId {
        let id = self.engine.fresh_id(self.scope, self.moment, self.ids);
        self.ids += 1;
        id
    }

    #[expect(clippy::too_many_arguments, reason = "one for each field of the answer")]
    fn remembered(
        &self,
        id: MemoryId,
        resolution: Resolution,
        other: Option<MemoryId>,
        similarity: Option<f64>,
        reason: &str,
        links: usize,
        recall_count: u32,
    ) -> Remembered {
        let scope = self.scope.clone();
        Remembered {
            id,
            scope,
            resolution,
            other,
            similarity,
            reason: reason.to_owned(),
            links,
            recall_count,
            redacted: 0,
        }
    }
}

/// The version behind a memory, an earlier or another one, that has a text.
fn version_behind<'p>(known: &Found<'p>, text: &str) -> Option<&'p Memory> {
    let Found { partition, slot, .. } = known;
    let is_ours = |relation: &Label| matches!(relation.as_str(), relation::MERGED_FROM | relation::SUPERSEDES);
    let versions = partition.graph.ties(*slot).filter(|tie| tie.outgoing);
    let versions = versions.filter(|tie| is_ours(partition.graph.relation(tie.edge.relation)));
    let mut versions = versions.filter_map(|tie| partition.memory(tie.far));
    // What was taken back is not known.
    versions.find(|version| !undo::taken_back(partition, version) && resolve::is_one_text(&version.content, text))
}

impl Engine {
    /// A ULID from the moment, the `number`th of it; never one that the scope has.
    pub(super) fn fresh_id(&self, scope: &Scope, moment: Moment, number: u64) -> MemoryId {
        let ms = moment.now.0.max(0) as u64;
        let mut seed = moment.entropy.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        loop {
            // SplitMix64 (Steele et al. 2014) spreads neighbouring seeds over all 80 bits.
            let (high, low) = (split_mix(&mut seed), split_mix(&mut seed));
            let random = (u128::from(high) << 16) | u128::from(low & 0xffff);
            let id = MemoryId::from_ulid(Ulid::from_parts(ms, random));
            if self.partition(scope).is_none_or(|partition| partition.slot_of(id.as_str()).is_none()) {
                return id;
            }
        }
    }
}

fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
