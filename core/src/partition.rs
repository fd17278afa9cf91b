//! One scope: its records, and the indexes over them. All of it changes only through [`Partition::put_memory`] and
//! its siblings, and everything derived is a function of the records alone, in whatever order they came.

mod names;
mod proposals;
mod sessions;
mod standing;

use std::{borrow::Cow, collections::BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    analysis::Analysis,
    config::Fading,
    graph::Graph,
    label::{MemoryId, Scope},
    lexical::LexicalIndex,
    order,
    partition::{names::Names, proposals::Proposals, sessions::Sessions, standing::Standing},
    record::{Edge, EdgeKey, Memory, Record, ScopeStatus},
    time::Timestamp,
    vector::Embedding,
    vector_index::VectorIndex,
    wordpiece::TokenId,
};

pub use names::Named;
pub use sessions::Beside;

/// A place for a memory. Slots are reused; nothing that depends on their order leaves this crate.
#[derive(Debug)]
struct Slot {
    id: MemoryId,
    /// `None` while only edges have named it.
    memory: Option<Box<Memory>>,
    /// The telling pieces of its author's name and of its content in the static model's vocabulary.
    tokens: Box<[TokenId]>,
    /// How many of them are the name's.
    author_tokens: u32,
}

/// One scope's records and indexes.
#[derive(Debug)]
pub struct Partition {
    scope: Scope,
    slots: Vec<Option<Slot>>,
    by_id: FxHashMap<MemoryId, u32>,
    /// The edges.
    pub graph: Graph,
    /// The words.
    pub lexical: LexicalIndex,
    /// The static model's pooled vectors.
    pub pooled: VectorIndex,
    /// The host's own vectors, in order of model and dimension: there are few kinds.
    pub embedded: Vec<Embedded>,
    /// What stands beside what.
    sessions: Sessions,
    /// Who is spoken of.
    names: Names,
    /// Proposals by the memory they are about.
    pub proposals: Proposals,
    /// When maintenance last ran.
    pub maintained_at: Option<Timestamp>,
    /// How each slot stands, by slot.
    standings: Vec<Standing>,
    /// Active, unpinned memories by activation.
    ranking: BTreeSet<((i64, u64), u32)>,
    /// No clock in the scope is ahead of this.
    latest: Timestamp,
    /// Slots whose activation is out of date until [`Partition::settle`].
    unsettled: FxHashSet<u32>,
}

/// The host's vectors of one model and dimension.
#[derive(Debug)]
pub struct Embedded {
    /// The model's name.
    pub model: Box<str>,
    /// How many values each has.
    pub dimension: usize,
    /// The vectors.
    pub index: VectorIndex,
}

impl Embedded {
    /// Whether `embedding` is one of these.
    #[must_use]
    pub fn is_of(&self, embedding: &Embedding) -> bool {
        self.model == embedding.model && self.dimension == embedding.values.len()
    }
}

impl Partition {
    /// An empty scope.
    #[must_use]
    pub fn new(scope: Scope, dimension: usize) -> Self {
        Self {
            scope,
            slots: Vec::new(),
            by_id: FxHashMap::default(),
            graph: Graph::default(),
            lexical: LexicalIndex::default(),
            pooled: VectorIndex::new(dimension),
            embedded: Vec::new(),
            sessions: Sessions::default(),
            names: Names::default(),
            proposals: Proposals::default(),
            maintained_at: None,
            standings: Vec::new(),
            ranking: BTreeSet::new(),
            latest: Timestamp::MIN,
            unsettled: FxHashSet::default(),
        }
    }

    /// Which scope it is.
    #[must_use]
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    // Changing. Each call leaves activations out of date; `settle` brings them up to date.

    /// Stores a memory in place of the one with its id; `analyse` is asked where its text is another.
    pub fn put_memory(&mut self, mut memory: Box<Memory>, analyse: impl FnOnce(&Memory) -> Option<Analysis>) {
        let slot = self.slot_for(&memory.id);
        memory.scope = self.scope.clone();
        let old = self.slot_mut(slot).memory.take();
        let same_text = old.as_ref().is_some_and(|old| old.content == memory.content && old.author == memory.author);
        if let Some(old) = &old {
            if !same_text {
                self.lexical.remove(slot, &found_by(old));
            }
            self.sessions.leave(slot, old);
            self.leave_vectors(slot, old);
        }
        if let Some(old) = &old {
            self.names.remove(slot, old);
        }
        self.names.insert(slot, &memory);
        if !same_text {
            self.lexical.insert(slot, &found_by(&memory));
            if let Some(Analysis { pooled: (values, scale), tokens, author_tokens }) = analyse(&memory) {
                self.pooled.set(slot, &values, scale);
                let entry = self.slot_mut(slot);
                (entry.tokens, entry.author_tokens) = (tokens, author_tokens);
            }
        }
        self.sessions.join(slot, &memory);
        // A vector of zeros points nowhere: no index holds it.
        if let Some(embedding) = memory.embedding.as_ref().filter(|embedding| embedding.scale > 0.0) {
            let (model, dimension) = (&*embedding.model, embedding.values.len());
            let key = |of: &Embedded| (&*of.model, of.dimension).cmp(&(model, dimension));
            let place = self.embedded.binary_search_by(key).unwrap_or_else(|place| {
                let index = VectorIndex::new(dimension);
                self.embedded.insert(place, Embedded { model: model.into(), dimension, index });
                place
            });
            self.embedded[place].index.set(slot, &embedding.values, embedding.scale);
        }
        self.latest = self.latest.max(memory.last_accessed_at);
        self.slot_mut(slot).memory = Some(memory);
        self.unsettled.insert(slot);
    }

    /// Sets a memory's clocks of use, if it is there.
    pub fn touch(&mut self, id: &MemoryId, accessed: Timestamp, recalled: Option<Timestamp>, count: u32) {
        let Some(slot) = self.slot_of(id.as_str()) else { return };
        let Some(memory) = self.slot_mut(slot).memory.as_mut() else { return };
        memory.last_accessed_at = accessed;
        memory.recalled_at = recalled;
        memory.recall_count = count;
        self.latest = self.latest.max(accessed);
        self.unsettled.insert(slot);
    }

    /// Removes a memory with its edges and its proposal.
    pub fn delete_memory(&mut self, id: &MemoryId) {
        let Some(slot) = self.by_id.remove(id.as_str()) else { return };
        self.unsettled.extend(self.graph.ties(slot).map(|tie| tie.far));
        self.unsettled.remove(&slot);
        let Some(removed) = self.slots[slot as usize].take() else { return };
        let standing = std::mem::replace(&mut self.standings[slot as usize], Standing::NONE);
        self.ranking.remove(&(standing.activation.sort_key(), slot));
        if let Some(memory) = removed.memory {
            self.lexical.remove(slot, &found_by(&memory));
            self.pooled.clear(slot);
            self.sessions.leave(slot, &memory);
            self.leave_vectors(slot, &memory);
            self.names.remove(slot, &memory);
        }
        self.graph.remove(slot);
        self.proposals.remove(id.as_str());
    }

    /// Sets an edge. An end that is not there yet is expected to come.
    pub fn put_edge(&mut self, edge: &Edge, fading: &Fading) {
        let (from, to) = (self.slot_for(&edge.key.from), self.slot_for(&edge.key.to));
        let clocks = [edge.created_at, edge.reinforced_at];
        self.graph.put(from, to, &edge.key.relation, edge.weight, clocks, fading);
        self.latest = self.latest.max(edge.reinforced_at);
        self.unsettled.extend([from, to]);
    }

    /// Sets an edge's clock, if it is there.
    pub fn touch_edge(&mut self, key: &EdgeKey, at: Timestamp, fading: &Fading) {
        let Some((from, to)) = self.ends(key) else { return };
        if self.graph.touch(from, to, &key.relation, at, fading) {
            self.latest = self.latest.max(at);
            self.unsettled.extend([from, to]);
        }
    }

    /// Removes an edge, if it is there.
    pub fn delete_edge(&mut self, key: &EdgeKey) {
        let Some((from, to)) = self.ends(key) else { return };
        self.graph.cut(from, to, &key.relation);
        self.unsettled.extend([from, to]);
    }

    // Reading.

    /// The slot of the memory `id`.
    #[must_use]
    pub fn slot_of(&self, id: &str) -> Option<u32> {
        self.by_id.get(id).copied()
    }

    /// The memory in `slot`.
    #[must_use]
    pub fn memory(&self, slot: u32) -> Option<&Memory> {
        self.slots.get(slot as usize)?.as_ref()?.memory.as_deref()
    }

    /// The memory `id`.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<&Memory> {
        self.memory(self.slot_of(id)?)
    }

    /// The telling pieces of the memory in `slot`, who said it and what, in the static model's vocabulary.
    #[must_use]
    pub fn tokens(&self, slot: u32) -> &[TokenId] {
        self.slots.get(slot as usize).and_then(Option::as_ref).map_or(&[], |slot| &slot.tokens)
    }

    /// The telling pieces of what the memory in `slot` says, in the static model's vocabulary.
    #[must_use]
    pub fn content_tokens(&self, slot: u32) -> &[TokenId] {
        let entry = self.slots.get(slot as usize).and_then(Option::as_ref);
        entry.map_or(&[], |slot| &slot.tokens[slot.author_tokens as usize..])
    }

    /// Every memory with its slot, in no particular order.
    pub fn memories(&self) -> impl Iterator<Item = (u32, &Memory)> + '_ {
        (0..).zip(&self.slots).filter_map(|(slot, entry)| Some((slot, entry.as_ref()?.memory.as_deref()?)))
    }

    /// The memories with their slots, by id.
    #[must_use]
    pub fn by_id(&self) -> Vec<(u32, &Memory)> {
        let mut all: Vec<(u32, &Memory)> = self.memories().collect();
        order::sort_by(&mut all, |a, b| a.1.id.cmp(&b.1.id));
        all
    }

    /// The edge `key`, if it is there.
    #[must_use]
    pub fn edge(&self, key: &EdgeKey) -> Option<Edge> {
        let (from, to) = self.ends(key)?;
        let edge = self.graph.edge(from, to, &key.relation)?;
        Some(Edge {
            key: key.clone(),
            weight: edge.weight,
            created_at: edge.created_at,
            reinforced_at: edge.reinforced_at,
        })
    }

    /// The edges at the memory in `slot`, by key.
    #[must_use]
    pub fn edges_of(&self, slot: u32) -> Vec<Edge> {
        let Some(id) = self.id(slot) else { return Vec::new() };
        let mut edges: Vec<Edge> = self
            .graph
            .ties(slot)
            .filter_map(|tie| {
                let far = self.id(tie.far)?;
                let (from, to) = if tie.outgoing { (id, far) } else { (far, id) };
                let relation = self.graph.relation(tie.edge.relation).clone();
                let key = EdgeKey { scope: self.scope.clone(), from: from.clone(), to: to.clone(), relation };
                let edge = tie.edge;
                Some(Edge { key, weight: edge.weight, created_at: edge.created_at, reinforced_at: edge.reinforced_at })
            })
            .collect();
        order::sort_by(&mut edges, |a, b| a.key.cmp(&b.key));
        edges
    }

    /// Every record of the scope in a fixed order: memories, edges, proposals, status.
    pub fn records(&self) -> impl Iterator<Item = Record> + '_ {
        let memories = self.by_id();
        let edges: Vec<u32> = memories.iter().map(|(slot, _)| *slot).collect();
        let edges = edges.into_iter().flat_map(move |slot| {
            let edges = self.edges_of(slot).into_iter();
            edges
                .filter(move |edge| self.slot_of(edge.key.from.as_str()) == Some(slot))
                .filter(move |edge| self.find(edge.key.to.as_str()).is_some())
        });
        let status = self.maintained_at.map(|at| ScopeStatus { scope: self.scope.clone(), maintained_at: at });
        memories
            .into_iter()
            .map(|(_, memory)| Record::Memory(Box::new(memory.clone())))
            .chain(edges.map(Record::Edge))
            .chain(self.proposals.values().cloned().map(Record::Proposal))
            .chain(status.map(Record::Scope))
    }

    /// The dimension of the vectors from `model`, where the scope holds any.
    #[must_use]
    pub fn dimension(&self, model: &str) -> Option<usize> {
        self.embedded.iter().find(|of| *of.model == *model).map(|of| of.dimension)
    }

    /// Whether nothing is left in the scope.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty() && self.maintained_at.is_none()
    }

    /// The id of `slot`.
    #[must_use]
    pub fn id(&self, slot: u32) -> Option<&MemoryId> {
        self.slots.get(slot as usize)?.as_ref().map(|slot| &slot.id)
    }

    /// No clock in the scope is ahead of this.
    #[must_use]
    pub fn latest(&self) -> Timestamp {
        self.latest
    }

    /// How many slots there are, used or not.
    #[must_use]
    pub fn slot_count(&self) -> usize {
        self.slots.len()
    }

    fn ends(&self, key: &EdgeKey) -> Option<(u32, u32)> {
        Some((self.slot_of(key.from.as_str())?, self.slot_of(key.to.as_str())?))
    }

    fn slot_for(&mut self, id: &MemoryId) -> u32 {
        if let Some(&slot) = self.by_id.get(id.as_str()) {
            return slot;
        }
        let slot = self.graph.add();
        if self.slots.len() <= slot as usize {
            self.slots.resize_with(slot as usize + 1, || None);
        }
        self.slots[slot as usize] =
            Some(Slot { id: id.clone(), memory: None, tokens: Box::default(), author_tokens: 0 });
        self.standings.resize(self.slots.len(), Standing::NONE);
        self.standings[slot as usize] = Standing::NONE;
        self.by_id.insert(id.clone(), slot);
        slot
    }

    fn slot_mut(&mut self, slot: u32) -> &mut Slot {
        self.slots[slot as usize].as_mut().expect("a slot that was just looked up is there")
    }

    fn leave_vectors(&mut self, slot: u32, memory: &Memory) {
        let Some(embedding) = &memory.embedding else { return };
        if let Some(of) = self.embedded.iter_mut().find(|of| of.is_of(embedding)) {
            of.index.clear(slot);
        }
        self.embedded.retain(|of| !of.index.is_empty());
    }
}

/// The text that the lexical index has of a memory: who said it, and what.
fn found_by(memory: &Memory) -> Cow<'_, str> {
    match &memory.author {
        Some(author) => format!("{author}: {}", memory.content).into(),
        None => memory.content.as_str().into(),
    }
}
