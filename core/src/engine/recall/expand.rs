//! Graph expansion: what the best direct matches are linked to.

use std::collections::btree_map::{BTreeMap, Entry};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    engine::recall::{Candidate, Search},
    label::MemoryId,
    rank,
};

/// One step of a walk from a direct match.
struct Step {
    slot: u32,
    /// The start's relevance times the weights on the way.
    value: f64,
    /// The step before it; none for the start.
    before: Option<usize>,
}

/// The walks from every start, and the best way to each memory that they reached.
#[derive(Default)]
struct Walks {
    steps: Vec<Step>,
    best: FxHashMap<u32, usize>,
}

impl Walks {
    /// The slots from the start to `step`.
    fn path(&self, step: usize) -> Vec<u32> {
        let mut path: Vec<u32> = std::iter::successors(Some(step), |&step| self.steps[step].before)
            .map(|step| self.steps[step].slot)
            .collect();
        path.reverse();
        path
    }
}

impl<'a> Search<'a> {
    /// Follows edges from the best direct matches, breadth first. What is reached counts as the start's relevance
    /// times the weights on the way, each at most 1; the best way counts.
    pub(super) fn expand(&self, candidates: &mut BTreeMap<u32, Candidate<'a>>) {
        let config = &self.engine.config.recall;
        let mut seeds: Vec<(f64, u32)> = candidates
            .values()
            .filter(|candidate| candidate.evidence.support >= config.min_support)
            .map(|candidate| (candidate.evidence.relevance(config), candidate.slot))
            .collect();
        self.keep_best(&mut seeds, config.graph_seeds);
        let mut walks = Walks::default();
        for (relevance, seed) in seeds {
            self.walk(seed, relevance, &mut walks);
        }
        for (&slot, &step) in &walks.best {
            if let Entry::Vacant(entry) = candidates.entry(slot)
                && self.admits(slot)
                && let Some(candidate) = self.candidate(slot)
            {
                entry.insert(candidate);
            }
            if let Some(candidate) = candidates.get_mut(&slot) {
                candidate.evidence.graph = walks.steps[step].value;
                candidate.path = walks.path(step);
            }
        }
    }

    fn walk(&self, seed: u32, relevance: f64, walks: &mut Walks) {
        let config = &self.engine.config.recall;
        let mut frontier = vec![walks.steps.len()];
        walks.steps.push(Step { slot: seed, value: relevance, before: None });
        let mut seen = FxHashSet::from_iter([seed]);
        for _ in 0..config.graph_depth {
            // The best step to each memory that is met for the first time.
            let mut next: FxHashMap<u32, Step> = FxHashMap::default();
            for &from in &frontier {
                for (weight, far) in self.ties(walks.steps[from].slot) {
                    let value = walks.steps[from].value * weight;
                    if !seen.contains(&far) && next.get(&far).is_none_or(|known| value > known.value) {
                        next.insert(far, Step { slot: far, value, before: Some(from) });
                    }
                }
            }
            let mut next: Vec<Step> = next.into_values().collect();
            next.sort_unstable_by(|a, b| rank::order((a.value, self.id(a.slot)), (b.value, self.id(b.slot))));
            frontier.clear();
            for step in next {
                seen.insert(step.slot);
                frontier.push(walks.steps.len());
                walks.steps.push(step);
                self.keep_better(walks, walks.steps.len() - 1);
            }
        }
    }

    /// Notes `step` as the best way to its memory, if it is; of equal ways, the one whose ids come first.
    fn keep_better(&self, walks: &mut Walks, step: usize) {
        let Step { slot, value, .. } = walks.steps[step];
        let better = walks.best.get(&slot).is_none_or(|&known| {
            let ids = |step: usize| walks.path(step).into_iter().map(|slot| self.id(slot)).collect::<Vec<&MemoryId>>();
            value.total_cmp(&walks.steps[known].value).then_with(|| ids(known).cmp(&ids(step))).is_gt()
        });
        if better {
            walks.best.insert(slot, step);
        }
    }

    /// The heaviest edges at `slot` that lead to a memory that may be walked through: (weight, at most 1; far end).
    fn ties(&self, slot: u32) -> Vec<(f64, u32)> {
        let passes =
            |far: u32| self.partition.is_current(far) || self.request.as_of && self.partition.memory(far).is_some();
        let ties = self.partition.graph.ties(slot).filter(|tie| passes(tie.far));
        let mut ties = ties.map(|tie| (self.retention.weight(&tie.edge).min(1.0), tie.far)).collect();
        self.keep_best(&mut ties, self.engine.config.recall.graph_fan);
        ties
    }
}
