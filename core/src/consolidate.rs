//! Consolidation: memories that say the same form clusters, and each cluster keeps its most important one.

use petgraph::unionfind::UnionFind;
use rustc_hash::FxHashMap;

use crate::{
    engine::{Engine, Sameness, taken_back},
    label::MemoryId,
    order,
    partition::Partition,
    record::Memory,
};

/// A memory that another one says as well.
pub struct Merge<'p> {
    /// The one that would go.
    pub memory: &'p Memory,
    /// The one that would stay.
    pub into: MemoryId,
    /// How alike they are, 0..=1.
    pub similarity: f64,
}

/// What could be merged, by id: clusters of current memories that are at least `consolidate` alike, joined by
/// union-find. Vetoes hold between each pair that joins and between each memory and the one that stays. Only pairs of
/// which one is new or edited since the last maintenance are looked at.
#[must_use]
pub fn merges<'p>(engine: &Engine, partition: &'p Partition) -> Vec<Merge<'p>> {
    let mut current: Vec<(u32, &Memory)> = partition.by_id();
    // What was taken back neither stands for another nor needs one.
    current.retain(|(_, memory)| memory.state.is_current() && !memory.pinned && !taken_back(partition, memory));
    let places: FxHashMap<u32, usize> = current.iter().enumerate().map(|(place, (slot, _))| (*slot, place)).collect();
    let mut clusters = UnionFind::<usize>::new(current.len());
    for (place, (slot, memory)) in current.iter().enumerate() {
        if partition.maintained_at.is_some_and(|at| memory.updated_at <= at) {
            continue;
        }
        for near in engine.restatements(partition, *slot, memory) {
            if let Some(&other) = places.get(&near) {
                clusters.union(place, other);
            }
        }
    }
    let mut members: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for place in 0..current.len() {
        members.entry(clusters.find(place)).or_default().push(place);
    }
    let mut merges = Vec::new();
    for cluster in members.into_values().filter(|cluster| cluster.len() > 1) {
        let (kept_slot, kept) =
            cluster.iter().map(|&place| current[place]).min_by(|a, b| better(a.1, b.1)).expect("not empty");
        let mut sameness = Sameness::new(engine, partition, kept_slot, kept);
        for (slot, memory) in cluster.iter().map(|&place| current[place]).filter(|(slot, _)| *slot != kept_slot) {
            if let Some(similarity) = sameness.with(slot, memory) {
                merges.push(Merge { memory, into: kept.id.clone(), similarity });
            }
        }
    }
    order::sort_by(&mut merges, |a, b| a.memory.id.cmp(&b.memory.id));
    merges
}

/// The one to keep comes first: more important, then more often used, then longer, then newer, then by id.
fn better(a: &Memory, b: &Memory) -> std::cmp::Ordering {
    b.importance
        .total_cmp(&a.importance)
        .then_with(|| b.recall_count.cmp(&a.recall_count))
        .then_with(|| b.content.len().cmp(&a.content.len()))
        .then_with(|| b.updated_at.cmp(&a.updated_at))
        .then_with(|| a.id.cmp(&b.id))
}
