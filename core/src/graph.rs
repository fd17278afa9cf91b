//! The edges of one scope, over petgraph. A memory's slot is its node's index.

use petgraph::{
    Direction,
    stable_graph::{EdgeIndex, NodeIndex, StableDiGraph},
    visit::{EdgeRef, IntoEdgeReferences},
};
use rustc_hash::FxHashMap;

use crate::{activation::Level, config::Fading, label::Label, time::Timestamp};

/// What an edge carries.
#[derive(Clone, Copy, Debug)]
pub struct EdgeWeight {
    /// Its relation's number: see [`Graph::relation`].
    pub relation: u32,
    /// Above 0, at most 10.
    pub weight: f64,
    /// When it was made.
    pub created_at: Timestamp,
    /// Its clock.
    pub reinforced_at: Timestamp,
    /// Its weight, decaying.
    pub level: Level,
}

impl EdgeWeight {
    /// The edge's decayed weight as seen at `now`: a clock ahead of it counts as it.
    #[must_use]
    pub fn level_at(&self, now: Timestamp, fading: &Fading) -> Level {
        if self.reinforced_at <= now { self.level } else { Level::new(self.weight, now, fading) }
    }
}

/// One end of an edge, seen from the other.
#[derive(Clone, Copy, Debug)]
pub struct Tie {
    /// The slot at the far end.
    pub far: u32,
    /// Whether the edge leads there.
    pub outgoing: bool,
    /// What it carries.
    pub edge: EdgeWeight,
}

/// Nodes, edges and the names of their relations.
#[derive(Debug, Default)]
pub struct Graph {
    graph: StableDiGraph<(), EdgeWeight>,
    relations: Vec<Label>,
    numbers: FxHashMap<Label, u32>,
}

impl Graph {
    /// A new node; returns its slot, the index of a removed one where there is any.
    pub fn add(&mut self) -> u32 {
        self.graph.add_node(()).index() as u32
    }

    /// Removes a node with its edges.
    pub fn remove(&mut self, slot: u32) {
        self.graph.remove_node(node(slot));
    }

    /// Sets the edge (from, to, relation).
    pub fn put(&mut self, from: u32, to: u32, relation: &Label, weight: f64, clocks: [Timestamp; 2], fading: &Fading) {
        let number = self.number(relation);
        let [created_at, reinforced_at] = clocks;
        let level = Level::new(weight, reinforced_at, fading);
        let edge = EdgeWeight { relation: number, weight, created_at, reinforced_at, level };
        match self.find(from, to, number) {
            Some(index) => self.graph[index] = edge,
            None => {
                self.graph.add_edge(node(from), node(to), edge);
            }
        }
    }

    /// Sets the clock of the edge (from, to, relation); whether there is such an edge.
    pub fn touch(&mut self, from: u32, to: u32, relation: &Label, at: Timestamp, fading: &Fading) -> bool {
        let Some(index) = self.numbers.get(relation).and_then(|&number| self.find(from, to, number)) else {
            return false;
        };
        let edge = &mut self.graph[index];
        edge.reinforced_at = at;
        edge.level = Level::new(edge.weight, at, fading);
        true
    }

    /// Removes the edge (from, to, relation), if there is one.
    pub fn cut(&mut self, from: u32, to: u32, relation: &Label) {
        if let Some(index) = self.numbers.get(relation).and_then(|&number| self.find(from, to, number)) {
            self.graph.remove_edge(index);
        }
    }

    /// The edge (from, to, relation).
    #[must_use]
    pub fn edge(&self, from: u32, to: u32, relation: &Label) -> Option<&EdgeWeight> {
        let number = *self.numbers.get(relation)?;
        self.find(from, to, number).map(|index| &self.graph[index])
    }

    /// The edges at `slot`, out and in, in no particular order.
    pub fn ties(&self, slot: u32) -> impl Iterator<Item = Tie> + Clone + '_ {
        let side = |direction, outgoing| {
            self.graph.edges_directed(node(slot), direction).map(move |edge| {
                let far = if outgoing { edge.target() } else { edge.source() };
                Tie { far: far.index() as u32, outgoing, edge: *edge.weight() }
            })
        };
        side(Direction::Outgoing, true).chain(side(Direction::Incoming, false))
    }

    /// Every edge as (from, to, what it carries), in no particular order.
    pub fn edges(&self) -> impl Iterator<Item = (u32, u32, &EdgeWeight)> + '_ {
        self.graph
            .edge_references()
            .map(|edge| (edge.source().index() as u32, edge.target().index() as u32, edge.weight()))
    }

    /// How many edges there are.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.graph.edge_count()
    }

    /// A relation's name.
    #[must_use]
    pub fn relation(&self, number: u32) -> &Label {
        &self.relations[number as usize]
    }

    fn number(&mut self, relation: &Label) -> u32 {
        if let Some(&number) = self.numbers.get(relation) {
            return number;
        }
        let number = self.relations.len() as u32;
        self.relations.push(relation.clone());
        self.numbers.insert(relation.clone(), number);
        number
    }

    fn find(&self, from: u32, to: u32, relation: u32) -> Option<EdgeIndex> {
        self.graph
            .edges_connecting(node(from), node(to))
            .find(|edge| edge.weight().relation == relation)
            .map(|edge| edge.id())
    }
}

fn node(slot: u32) -> NodeIndex {
    NodeIndex::new(slot as usize)
}
