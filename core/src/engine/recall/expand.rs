//! Graph expansion: what the best direct matches are linked to.

use std::collections::{
    btree_map::{BTreeMap, Entry},
    hash_map,
};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    engine::recall::{Candidate, Search},
    label::MemoryId,
    late::Matcher,
    operation::Profile,
    rank,
    record::relation,
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
    pub(super) fn expand(&self, candidates: &mut BTreeMap<u32, Candidate<'a>>, matcher: &mut Option<Matcher<'_>>) {
        let config = self.config();
        if config.graph == 0.0 || config.graph_seeds == 0 {
            return;
        }
        // How well tokens fit is dear to know: only of twice as many as are needed.
        let relevance = |candidate: &Candidate<'_>| candidate.evidence.relevance(config);
        let mut seeds: Vec<(f64, u32)> =
            candidates.values().map(|candidate| (relevance(candidate), candidate.slot)).collect();
        self.keep_best(&mut seeds, 2 * config.graph_seeds);
        seeds.retain_mut(|(value, slot)| {
            candidates.get_mut(slot).is_some_and(|candidate| {
                self.complete(candidate, matcher);
                *value = relevance(candidate);
                candidate.evidence.support >= config.min_support
            })
        });
        self.keep_best(&mut seeds, config.graph_seeds);
        let mut walks = Walks::default();
        for (relevance, seed) in seeds {
            self.walk(seed, relevance, &mut walks);
        }
        for (&slot, &step) in &walks.best {
            // What too little leads to, and nothing else speaks for, is no answer.
            if let Entry::Vacant(entry) = candidates.entry(slot)
                && walks.steps[step].value >= config.min_graph
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
        let config = self.config();
        let mut frontier = vec![walks.steps.len()];
        walks.steps.push(Step { slot: seed, value: relevance, before: None });
        let mut seen = FxHashSet::from_iter([seed]);
        let mut ties = Vec::new();
        for _ in 0..config.graph_depth {
            // The best step to each memory that is met for the first time.
            let mut next: FxHashMap<u32, Step> = FxHashMap::default();
            for &from in &frontier {
                self.ties(walks.steps[from].slot, &mut ties);
                for &(weight, far) in &ties {
                    if seen.contains(&far) {
                        continue;
                    }
                    let step = Step { slot: far, value: walks.steps[from].value * weight, before: Some(from) };
                    match next.entry(far) {
                        hash_map::Entry::Vacant(entry) => {
                            entry.insert(step);
                        }
                        hash_map::Entry::Occupied(mut entry) => {
                            if self.is_better(&step, entry.get(), walks) {
                                entry.insert(step);
                            }
                        }
                    }
                }
            }
            frontier.clear();
            for (slot, step) in next {
                seen.insert(slot);
                frontier.push(walks.steps.len());
                walks.steps.push(step);
                self.keep_better(walks, walks.steps.len() - 1);
            }
        }
    }

    /// Whether `step` brings more than `known` to the same memory; of equal ones, that from the better step before.
    fn is_better(&self, step: &Step, known: &Step, walks: &Walks) -> bool {
        step.value.total_cmp(&known.value).is_gt()
            || step.value == known.value && {
                let before = |step: &Step| {
                    let before = &walks.steps[step.before.expect("it is not the start")];
                    (before.value, self.id(before.slot))
                };
                rank::order(before(step), before(known)).is_lt()
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

    /// Puts the heaviest edges at `slot` that lead to a memory that may be walked through into `ties`, in no particular
    /// order: (weight, at most 1; far end).
    fn ties(&self, slot: u32, ties: &mut Vec<(f64, u32)>) {
        let passes =
            |far: u32| self.partition.is_current(far) || self.request.as_of && self.partition.memory(far).is_some();
        let graph = &self.partition.graph;
        // What is alike, and what stands beside, is seen without a walk; the older formula walks over everything.
        let counts = |number: u32| {
            let relation = graph.relation(number).as_str();
            self.request.profile == Profile::Engram || ![relation::SEMANTIC, relation::FOLLOWS].contains(&relation)
        };
        let found = graph.ties(slot).filter(|tie| counts(tie.edge.relation) && passes(tie.far));
        ties.clear();
        ties.extend(found.map(|tie| (self.retention.weight(&tie.edge).min(1.0), tie.far)));
        self.keep_best(ties, self.config().graph_fan);
    }
}
