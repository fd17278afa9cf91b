//! What an undo writes: memories that are put away, that hold again, that say again what they said before.

use super::{REASON, Undo, mark, taken_back};
use crate::{
    change::Change,
    engine::purge::merges_into,
    label::{Label, MemoryId},
    limits, order,
    partition::Partition,
    record::{Edge, EdgeKey, Editor, Memory, Record, State, relation},
    time::{Moment, Timestamp},
};

impl<'p> Undo<'p> {
    /// Puts away a memory of which no text is left to hold, and has what it had replaced since `since` hold again. Whether
    /// it stands behind that now.
    pub(super) fn put_away(&mut self, memory: &'p Memory, since: Timestamp) -> bool {
        self.unlink(memory);
        let heirs = self.heirs(memory, since);
        let heir = heirs.first().map(|heir| heir.id.clone());
        heirs.into_iter().for_each(|heir| self.bring(heir, memory.pinned));
        let now = self.moment.now;
        let state = match (&heir, &memory.state) {
            (Some(heir), _) => State::Superseded { by: heir.clone(), at: now },
            (None, State::Archived { at, reason }) => {
                State::Archived { at: *at, reason: Some(because(reason.as_deref())) }
            }
            (None, _) => State::Archived { at: now, reason: Some(because(None)) },
        };
        self.withdraw(&memory.id);
        self.changes.extend(merges_into(self.partition, &memory.id));
        self.put(Memory { state, pinned: false, ..memory.clone() });
        match &heir {
            Some(heir) => {
                self.link(heir, &memory.id, relation::UNDONE);
                self.outcome.superseded.push(memory.id.clone());
            }
            None => self.outcome.archived.push(memory.id.clone()),
        }
        heir.is_some()
    }

    /// `memory` holds, and says the last text that nobody took back; and so does, in turn, what its texts since had
    /// replaced. When it did not stays readable: what was is kept behind it.
    pub(super) fn bring(&mut self, memory: &'p Memory, pinned: bool) {
        let mut open = vec![(memory, pinned)];
        while let Some((memory, pinned)) = open.pop() {
            if !self.brought.insert(memory.id.as_str()) {
                continue;
            }
            let text = if self.taken(memory) { self.live(memory) } else { None };
            let now = self.moment.now;
            let mut new = Memory {
                valid_from: now,
                last_accessed_at: memory.last_accessed_at.max(now),
                version: memory.version.saturating_add(1),
                ..memory.clone()
            };
            let mut until = now;
            if let State::Superseded { by, at } = &memory.state {
                for relation in [relation::SUPERSEDES, relation::MERGED_FROM, relation::UNDONE] {
                    self.drop_edge(by, &memory.id, relation);
                }
                until = *at;
                new = Memory { state: State::Active, pinned, ..new };
                self.outcome.restored.push(memory.id.clone());
            } else if matches!(memory.state, State::Proposed { .. }) {
                new.state = State::Active;
            }
            if let Some((before, since)) = text {
                new = said_before(new, memory, before, now);
                self.drop_links_since(memory, since);
                open.extend(self.heirs(memory, since).into_iter().map(|heir| (heir, false)));
                self.outcome.reverted.push(memory.id.clone());
            }
            self.withdraw(&memory.id);
            // A version is named by the instant at which it was put aside.
            let id = self.fresh_id(until);
            let state = State::Superseded { by: memory.id.clone(), at: until };
            self.put(new);
            self.put(Memory { id: id.clone(), state, pinned: false, ..memory.clone() });
            self.link(&memory.id, &id, if text.is_some() { relation::UNDONE } else { relation::SUPERSEDES });
        }
    }

    /// Marks what of the session stays where it is, behind what others wrote.
    pub(super) fn mark_all(&mut self) {
        order::sort(&mut self.marks);
        for (by, id) in std::mem::take(&mut self.marks) {
            // What it says is kept, and marked, in a record of its own by now.
            if self.brought.contains(id.as_str()) {
                continue;
            }
            let key = |relation| EdgeKey { relation: Label::ours(relation), ..mark(self.scope, by, id) };
            match self.partition.edge(&key(relation::SUPERSEDES)) {
                // The same link under another name: it is no stronger, and no newer.
                Some(edge) => {
                    let marked = Edge { key: key(relation::UNDONE), ..edge.clone() };
                    self.changes.extend([Change::DeleteEdge(edge.key), Change::Put(Record::Edge(marked))]);
                }
                None => self.link(by, id, relation::UNDONE),
            }
        }
    }

    /// Drops the links that came with a memory of the session, other than to its own earlier texts.
    fn unlink(&mut self, memory: &Memory) {
        for edge in self.edges(memory) {
            let history = [relation::SUPERSEDES, relation::MERGED_FROM, relation::UNDONE];
            let made = [memory.created_at, memory.valid_from].contains(&edge.created_at);
            if edge.key.from == memory.id && made && !history.contains(&edge.key.relation.as_str()) {
                self.dropped.push(edge.key);
            }
        }
    }

    /// Drops the links that were made with the texts of a memory after the one put aside at `since`.
    fn drop_links_since(&mut self, memory: &'p Memory, since: Timestamp) {
        let edits: Vec<Timestamp> =
            self.texts(memory).into_iter().map(|(_, at)| at).filter(|at| *at >= since).collect();
        for edge in self.edges(memory) {
            let ours = relation::RESERVED.contains(&edge.key.relation.as_str());
            if edge.key.from == memory.id && edits.contains(&edge.created_at) && !ours {
                self.dropped.push(edge.key);
            }
        }
    }

    fn edges(&self, memory: &Memory) -> Vec<Edge> {
        let slot = self.partition.slot_of(memory.id.as_str());
        slot.map(|slot| self.partition.edges_of(slot)).unwrap_or_default()
    }

    /// Drops a link that says what replaced what; it is no link of the session's own to be counted.
    fn drop_edge(&mut self, from: &MemoryId, to: &MemoryId, relation: &'static str) {
        let key = EdgeKey { relation: Label::ours(relation), ..mark(self.scope, from, to) };
        self.changes.extend(self.partition.edge(&key).map(|edge| Change::DeleteEdge(edge.key)));
    }

    fn link(&mut self, from: &MemoryId, to: &MemoryId, relation: &'static str) {
        let key = EdgeKey { relation: Label::ours(relation), ..mark(self.scope, from, to) };
        let now = self.moment.now;
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

    fn fresh_id(&mut self, at: Timestamp) -> MemoryId {
        let id = self.engine.fresh_id(self.scope, Moment { now: at, ..self.moment }, self.ids);
        self.ids += 1;
        id
    }
}

/// `new`, which is `memory` from now on, with what the text `before` says.
fn said_before(new: Memory, memory: &Memory, before: &Memory, now: Timestamp) -> Memory {
    let mut new = Memory {
        content: before.content.clone(),
        embedding: before.embedding.clone(),
        occurred_at: before.occurred_at,
        updated_at: now,
        ..new
    };
    // Other words for what it says, of another session, were a memory of that session when they came.
    let (client, session) = (before.source.text_client(), before.source.text_session());
    let editor = Editor { client: client.map(str::to_owned), session: session.map(str::to_owned) };
    new.source = new.source.written_by(editor);
    new.source.shared = before.source.shared;
    // Where the labels were edited after the text, that is another's doing.
    if memory.updated_at == memory.valid_from {
        let Memory { kind, category, importance, tags, metadata, author, .. } = before.clone();
        new = Memory { kind, category, importance, tags, metadata, author, ..new };
        new.source.uri.clone_from(&before.source.uri);
    }
    new
}

/// The reason of what is put away; what it was put away for before stays readable.
fn because(before: Option<&str>) -> String {
    let with = before.map(|before| format!("{REASON}; it was put away before: {before}"));
    with.filter(|reason| reason.len() <= limits::REASON_BYTES).unwrap_or_else(|| REASON.to_owned())
}

/// A link that marks `id`, where `memory` is taken back and `by` takes its place.
pub(in crate::engine) fn marked_again(
    partition: &Partition,
    memory: &Memory,
    by: &MemoryId,
    id: &MemoryId,
    now: Timestamp,
) -> Option<Change> {
    let edge = Edge { key: mark(&memory.scope, by, id), weight: 1.0, created_at: now, reinforced_at: now };
    taken_back(partition, memory).then_some(Change::Put(Record::Edge(edge)))
}
