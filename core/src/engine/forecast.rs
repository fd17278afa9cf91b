//! What a scope will lose from sight within some days, if nothing in it is used.

use crate::{
    engine::{Engine, scope_or_default},
    error::Error,
    limits,
    operation::{Coming, Fade, Fading},
    partition::Partition,
    record::{Memory, State, Tier},
    retention::Retention,
    time::Timestamp,
};

/// How far a forecast looks at most, in days: 100 years.
pub(super) const HORIZON: f64 = 36_525.0;

/// How near to each other two moments are taken for one, in days: a quarter of an hour.
const RESOLUTION: f64 = 0.01;

impl Engine {
    /// What will be archived, or proposed for deletion by maintenance, within `days` (above 0, at most 36,525) if nothing
    /// in the scope is used. Soonest first, `limit` of them (1 to 1,000, default [`crate::config::Defaults::page`]).
    ///
    /// Everything only fades then, so each memory sinks once: the time is halved, the memories that have sunk by its
    /// middle are looked at first, and no more of it than the answer needs.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for `days`, [`Error::BadName`] for the scope.
    pub fn forecast_within(
        &self,
        scope: Option<&str>,
        days: f64,
        limit: Option<i64>,
        now: Timestamp,
    ) -> Result<Fading, Error> {
        if !(days > 0.0 && days <= HORIZON) {
            let allowed = "a number of days above 0, at most 36525";
            return Err(Error::OutOfRange { field: "within", value: days.to_string(), allowed });
        }
        let limit = limit.map_or(self.config.defaults.page, |limit| limit.clamp(1, limits::RESULTS as i64) as usize);
        let scope = scope_or_default(scope)?;
        let mut fading =
            Fading { scope: scope.clone(), within_days: days, coming: Vec::new(), archived: 0, proposed: 0 };
        let Some(partition) = self.partition(&scope) else { return Ok(fading) };
        let view = Retention::new(partition, &self.config, now);
        let then = Retention::new(partition, &self.config, now.plus_days(days));
        let mut due = Vec::new();
        let mut later = Vec::new();
        for (slot, memory) in partition.by_id() {
            for fade in [Fade::Archived, Fade::Proposed] {
                let candidate = Candidate { slot, memory, fade };
                if !candidate.can(partition) || !candidate.has_sunk(&then) {
                    continue;
                }
                let is_due = candidate.has_sunk(&view);
                match fade {
                    // What is archived already does not become so.
                    Fade::Archived if is_due => continue,
                    Fade::Archived => fading.archived += 1,
                    Fade::Proposed => fading.proposed += 1,
                }
                if is_due { due.push((0.0, candidate)) } else { later.push(candidate) }
            }
        }
        let mut search = Search { engine: self, partition, now, limit, found: due };
        search.within(0.0, days, later);
        search.found.truncate(limit);
        fading.coming = search.found.into_iter().map(|(days, candidate)| candidate.coming(&view, days, now)).collect();
        Ok(fading)
    }
}

/// A memory and what may become of it.
#[derive(Clone, Copy)]
struct Candidate<'p> {
    slot: u32,
    memory: &'p Memory,
    fade: Fade,
}

impl Candidate<'_> {
    /// Whether that can become of it at all.
    fn can(&self, partition: &Partition) -> bool {
        match self.fade {
            Fade::Archived => self.memory.state == State::Active,
            Fade::Proposed => !partition.proposals.contains_key(&self.memory.id),
        }
    }

    fn has_sunk(&self, view: &Retention<'_>) -> bool {
        match self.fade {
            Fade::Archived => view.tier(self.slot, self.memory) >= Tier::Cold,
            Fade::Proposed => view.judged(self.slot, self.memory) == Tier::Frozen,
        }
    }

    fn coming(&self, view: &Retention<'_>, days: f64, now: Timestamp) -> Coming {
        let memory = self.memory;
        Coming {
            id: memory.id.clone(),
            fade: self.fade,
            days,
            at: now.plus_days(days),
            tier: view.tier(self.slot, memory),
            retention: view.retention(self.slot, memory),
            kind: memory.kind.clone(),
            category: memory.category,
            content: memory.content.clone(),
        }
    }
}

/// Finds when candidates sink, the soonest first.
struct Search<'p> {
    engine: &'p Engine,
    partition: &'p Partition,
    now: Timestamp,
    limit: usize,
    found: Vec<(f64, Candidate<'p>)>,
}

impl<'p> Search<'p> {
    /// `candidates` sink after `from` and by `to`, in days from now. The scope is seen once at each moment, whatever the
    /// number of candidates.
    fn within(&mut self, from: f64, to: f64, candidates: Vec<Candidate<'p>>) {
        if candidates.is_empty() || self.found.len() >= self.limit {
            return;
        }
        if to - from <= RESOLUTION {
            // They come by id, and the archiving of one before its proposal.
            self.found.extend(candidates.into_iter().map(|candidate| (to, candidate)));
            return;
        }
        let middle = f64::midpoint(from, to);
        let (sooner, later): (Vec<_>, Vec<_>) = {
            let view = Retention::new(self.partition, self.engine.config(), self.now.plus_days(middle));
            candidates.into_iter().partition(|candidate| candidate.has_sunk(&view))
        };
        self.within(from, middle, sooner);
        self.within(middle, to, later);
    }
}
