//! How near each memory is to use at one instant: activation, strength, retention, tier.
//!
//! retention = max(strength, activation / peak), where the peak is the highest activation of an active, unpinned
//! memory of the scope, and at least `full_activation`. Tiers by retention: hot from 0.35, warm from 0.15, cold below.
//! Frozen needs all three: retention under 0.05, no current neighbour at or over 0.05 across an edge whose decayed
//! weight is 0.05 or more, and no pin.

use crate::{
    activation::{self, Level, Own, View},
    config::Config,
    graph::EdgeWeight,
    label::MemoryId,
    partition::Partition,
    rank,
    record::{Memory, State, Tier},
    score,
    time::Timestamp,
};

/// [`score::fades_at`] is never later than this after a memory's strength fell under the line.
const FADES_WITHIN_MS: i64 = 120_000;

/// A scope seen at one instant.
pub struct Retention<'a> {
    partition: &'a Partition,
    config: &'a Config,
    now: Timestamp,
    view: View,
    /// What activations are measured by, above 0.
    peak: f64,
    /// Activations by slot where a clock is ahead of `now`, so that the settled ones don't hold.
    rewound: Option<Vec<Level>>,
}

impl<'a> Retention<'a> {
    /// The scope at `now`.
    #[must_use]
    pub fn new(partition: &'a Partition, config: &'a Config, now: Timestamp) -> Self {
        let view = View::new(now, &config.fading);
        let rewound = (partition.latest() > now).then(|| rewind(partition, config, now));
        let peak = match &rewound {
            None => partition.peak().seen(&view),
            Some(levels) => partition
                .memories()
                .filter(|(_, memory)| memory.state == State::Active && !memory.pinned)
                .map(|(slot, _)| levels[slot as usize].seen(&view))
                .fold(0.0, f64::max),
        };
        let peak = peak.max(config.fading.full_activation);
        Self { partition, config, now, view, peak, rewound }
    }

    /// A memory's activation: see [`crate::activation`]. At least 0.
    #[must_use]
    pub fn activation(&self, slot: u32) -> f64 {
        let level = match &self.rewound {
            None => self.partition.activation(slot),
            Some(levels) => levels.get(slot as usize).copied().unwrap_or(Level::ZERO),
        };
        level.seen(&self.view)
    }

    /// Activation over the scope's peak, 0..=1.
    #[must_use]
    pub fn relative_activation(&self, slot: u32) -> f64 {
        (self.activation(slot) / self.peak).min(1.0)
    }

    /// Strength by the forgetting curve, 0..=1.
    #[must_use]
    pub fn strength(&self, memory: &Memory) -> f64 {
        score::strength_of(memory, self.now, &self.config.fading)
    }

    /// What a tier goes by, 0..=1.
    #[must_use]
    pub fn retention(&self, slot: u32, memory: &Memory) -> f64 {
        self.strength(memory).max(self.relative_activation(slot))
    }

    /// A memory's tier. What was put away by hand is at most cold; what waits for a decision is frozen.
    #[must_use]
    pub fn tier(&self, slot: u32, memory: &Memory) -> Tier {
        let tiers = &self.config.tiers;
        if memory.pinned && memory.state == State::Active {
            return Tier::Hot;
        }
        if matches!(memory.state, State::Proposed { .. }) {
            return Tier::Frozen;
        }
        let retention = self.retention(slot, memory);
        let tier = if retention >= tiers.hot {
            Tier::Hot
        } else if retention >= tiers.warm {
            Tier::Warm
        } else if retention >= tiers.frozen || memory.pinned || self.is_held(slot) {
            Tier::Cold
        } else {
            Tier::Frozen
        };
        if memory.state == State::Active { tier } else { tier.max(Tier::Cold) }
    }

    /// A memory's tier as a decision goes by it: what waits for one is judged as if it did not, since it may be in use
    /// again.
    #[must_use]
    pub fn judged(&self, slot: u32, memory: &Memory) -> Tier {
        match memory.state {
            State::Proposed { .. } => self.tier(slot, &Memory { state: State::Active, ..memory.clone() }),
            _ => self.tier(slot, memory),
        }
    }

    /// An edge's weight after decay.
    #[must_use]
    pub fn weight(&self, edge: &EdgeWeight) -> f64 {
        edge.level_at(self.now, &self.config.fading).seen(&self.view)
    }

    /// Whether the tier of the memory in `slot` is `limit` or a hotter one. For hot and warm that is cheaper to know
    /// than the tier: neighbours don't matter, and most memories of a large scope need not even be looked at.
    #[must_use]
    pub fn is_within(&self, slot: u32, limit: Tier) -> bool {
        let tiers = &self.config.tiers;
        let line = match limit {
            Tier::Hot => tiers.hot,
            Tier::Warm => tiers.hot.min(tiers.warm),
            Tier::Cold | Tier::Frozen => {
                return self.partition.memory(slot).is_some_and(|memory| self.tier(slot, memory) <= limit);
            }
        };
        if !self.partition.is_active(slot) {
            return false;
        }
        if self.rewound.is_none() {
            let fades_at = self.partition.fades_at(slot);
            let lively = || self.relative_activation(slot) >= line;
            if fades_at <= self.now && fades_at < Timestamp::MAX {
                return lively();
            }
            if limit == Tier::Warm && fades_at.0 - FADES_WITHIN_MS > self.now.0 || lively() {
                return true;
            }
        }
        self.partition.memory(slot).is_some_and(|memory| memory.pinned || self.retention(slot, memory) >= line)
    }

    /// Where a memory has faded and is not frozen all the same because of a neighbour in use: that neighbour, the one
    /// with the heaviest edge, then by id.
    #[must_use]
    pub fn holder(&self, slot: u32, memory: &Memory) -> Option<&'a MemoryId> {
        if memory.pinned || self.retention(slot, memory) >= self.config.tiers.frozen {
            return None;
        }
        let holders = self.holders(slot).filter_map(|(far, weight)| Some((weight, self.partition.id(far)?)));
        holders.min_by(|a, b| rank::order(*a, *b)).map(|(_, id)| id)
    }

    /// Whether a living edge joins the memory to a current one that is above the prune line.
    fn is_held(&self, slot: u32) -> bool {
        self.holders(slot).next().is_some()
    }

    /// The neighbours that hold a memory, each with the weight of the edge.
    fn holders(&self, slot: u32) -> impl Iterator<Item = (u32, f64)> + '_ {
        let tiers = &self.config.tiers;
        let in_use = |far: u32| {
            let memory = self.partition.memory(far);
            memory.is_some_and(|memory| memory.state.is_current() && self.retention(far, memory) >= tiers.frozen)
        };
        let ties = self.partition.graph.ties(slot).map(|tie| (tie.far, self.weight(&tie.edge)));
        ties.filter(move |(far, weight)| *weight >= tiers.live_edge && in_use(*far))
    }
}

/// Every activation anew, with clocks ahead of `now` counting as `now`.
fn rewind(partition: &Partition, config: &Config, now: Timestamp) -> Vec<Level> {
    let fading = &config.fading;
    let own: Vec<Own> = (0..partition.slot_count() as u32)
        .map(|slot| {
            if partition.id(slot).is_some() {
                partition.own(slot, now, fading)
            } else {
                Own { own: Level::ZERO, fan: Level::ZERO }
            }
        })
        .collect();
    (0..partition.slot_count() as u32)
        .map(|slot| {
            if partition.id(slot).is_none() {
                return Level::ZERO;
            }
            let ties = partition.graph.ties(slot).map(|tie| (tie.edge.level_at(now, fading), own[tie.far as usize]));
            activation::total(own[slot as usize], ties, fading)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::Scope;

    #[test]
    fn what_is_within_a_tier_is_what_has_it_or_a_hotter_one() {
        let config = Config::default();
        let mut partition = Partition::new(Scope::default(), 0);
        let used_at = Timestamp(1_790_000_000_000);
        let mut number = 0;
        for importance in [0.0, 0.1, 0.3, 0.5, 0.9, 1.0] {
            for recall_count in [0, 1, 9] {
                for (state, pinned) in [("active", false), ("active", true), ("archived", false)] {
                    number += 1;
                    let memory = serde_json::from_value(serde_json::json!({
                        "id": format!("m{number}"), "kind": "note", "category": "fact", "content": "x",
                        "importance": importance, "recall_count": recall_count, "pinned": pinned, "state": state,
                        "at": 0, "occurred_at": 0, "created_at": 0, "updated_at": 0, "valid_from": 0, "version": 1,
                        "last_accessed_at": used_at.0,
                    }));
                    partition.put_memory(Box::new(memory.unwrap()), |_| None);
                }
            }
        }
        partition.settle(&config);
        let mut times: Vec<Timestamp> = (0..400).map(|step| used_at.plus_days(f64::from(step) * 0.731)).collect();
        let edges = partition.memories().flat_map(|(slot, _)| {
            let at = partition.fades_at(slot).0;
            [-120_001, -120_000, -60_000, -1, 0, 1].map(|ms| Timestamp(at + ms))
        });
        times.extend(edges.filter(|at| (used_at..=Timestamp::MAX).contains(at)));
        times.extend([Timestamp::MAX, used_at.plus_days(-1.0)]);
        for now in times {
            let retention = Retention::new(&partition, &config, now);
            for (slot, memory) in partition.memories() {
                for limit in [Tier::Hot, Tier::Warm, Tier::Cold, Tier::Frozen] {
                    let within = retention.tier(slot, memory) <= limit;
                    assert_eq!(retention.is_within(slot, limit), within, "{now:?} {limit:?} {memory:?}");
                }
            }
        }
    }
}
