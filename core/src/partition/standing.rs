//! How each memory of a scope stands: what recall asks of every one of them, in one small block of memory.

use crate::{
    activation::{self, Level, Own},
    config::{Config, Fading},
    partition::Partition,
    record::{Memory, State},
    score,
    time::Timestamp,
};

/// What of a memory's standing holds at every later time, until the memory or something beside it changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    /// Its activation, decaying.
    pub activation: Level,
    own: Own,
    /// From when on its strength is under the warm line.
    fades_at: Timestamp,
    /// Whether there is a memory, and it is current.
    current: bool,
    /// Whether it is active: neither archived by hand, nor superseded, nor proposed for deletion.
    active: bool,
}

impl Standing {
    /// That of a slot without a memory.
    pub(super) const NONE: Self = Self {
        activation: Level::ZERO,
        own: Own { own: Level::ZERO, fan: Level::ZERO },
        fades_at: Timestamp::MIN,
        current: false,
        active: false,
    };
}

impl Partition {
    /// Brings the standing of what has changed, and of its neighbours, up to date.
    pub fn settle(&mut self, config: &Config) {
        let fading = &config.fading;
        // By slot: what came together lies together.
        let mut touched: Vec<u32> = self.unsettled.drain().collect();
        touched.sort_unstable();
        for &slot in &touched {
            let own = self.own(slot, Timestamp::MAX, fading);
            let memory = self.memory(slot);
            let fades_at = memory.map_or(Timestamp::MIN, |memory| fades_at(memory, config));
            let current = memory.is_some_and(|memory| memory.state.is_current());
            let active = memory.is_some_and(|memory| memory.state == State::Active);
            let activation = self.standings[slot as usize].activation;
            self.standings[slot as usize] = Standing { activation, own, fades_at, current, active };
        }
        let standings = &self.standings;
        self.sessions.settle(self.slots.len(), |slot| standings[slot as usize].current);
        let mut affected = touched.clone();
        affected.extend(touched.iter().flat_map(|&slot| self.graph.ties(slot)).map(|tie| tie.far));
        affected.sort_unstable();
        affected.dedup();
        let mut entering = Vec::new();
        for slot in affected {
            let own = |slot: u32| self.standings[slot as usize].own;
            let ties = self.graph.ties(slot).map(|tie| (tie.edge.level, own(tie.far)));
            let level = activation::total(own(slot), ties, fading);
            let ranks = self.memory(slot).is_some_and(ranks);
            let known = std::mem::replace(&mut self.standings[slot as usize].activation, level);
            if level != known || !ranks {
                self.ranking.remove(&(known.sort_key(), slot));
            }
            if ranks {
                entering.push((level.sort_key(), slot));
            }
        }
        if self.ranking.is_empty() {
            self.ranking = entering.into_iter().collect();
        } else {
            self.ranking.extend(entering);
        }
    }

    /// The settled activation of `slot`.
    #[must_use]
    pub fn activation(&self, slot: u32) -> Level {
        self.standings.get(slot as usize).map_or(Level::ZERO, |standing| standing.activation)
    }

    /// The highest settled activation of an active, unpinned memory.
    #[must_use]
    pub fn peak(&self) -> Level {
        self.ranking.last().map_or(Level::ZERO, |&(_, slot)| self.activation(slot))
    }

    /// An instant from which on the strength of the memory in `slot` is under the warm line, by its settled clocks.
    #[must_use]
    pub fn fades_at(&self, slot: u32) -> Timestamp {
        self.standings.get(slot as usize).map_or(Timestamp::MIN, |standing| standing.fades_at)
    }

    /// Whether there is a memory in `slot`, and it is current.
    #[must_use]
    pub fn is_current(&self, slot: u32) -> bool {
        self.standings.get(slot as usize).is_some_and(|standing| standing.current)
    }

    /// Whether there is an active memory in `slot`.
    #[must_use]
    pub fn is_active(&self, slot: u32) -> bool {
        self.standings.get(slot as usize).is_some_and(|standing| standing.active)
    }

    /// A slot's own terms, with clocks ahead of `now` counting as `now`.
    #[must_use]
    pub fn own(&self, slot: u32, now: Timestamp, fading: &Fading) -> Own {
        let read = self
            .memory(slot)
            .map_or(Level::ZERO, |memory| Level::new(fading.read_bonus, memory.last_accessed_at.min(now), fading));
        activation::own(self.graph.ties(slot).map(|tie| tie.edge.level_at(now, fading)), read)
    }
}

/// From when on a memory is neither hot nor warm by its strength alone. Pinned ones stay hot.
fn fades_at(memory: &Memory, config: &Config) -> Timestamp {
    if memory.pinned {
        return Timestamp::MAX;
    }
    score::fades_at(memory, config.tiers.warm.min(config.tiers.hot), &config.fading)
}

/// Whether a memory's activation is one that others are measured by.
fn ranks(memory: &Memory) -> bool {
    memory.state == State::Active && !memory.pinned
}
