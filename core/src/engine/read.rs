//! Reading: one memory, its neighbours, what waits for review, figures, forecasts, everything.

use std::collections::BTreeSet;

use crate::{
    engine::{
        Engine,
        forecast::HORIZON,
        purge::Behind,
        scope_or_default,
        state::{self, Report},
    },
    error::Error,
    label::{MemoryId, Scope},
    limits,
    operation::{CurrentTiers, Feature, Forecast, Neighbor, Page, ReviewItem, Shown, Standing, Stats, Trend},
    order,
    partition::Partition,
    record::{Category, Memory, Record, State, Tier},
    retention::Retention,
    time::Timestamp,
};

impl Engine {
    /// One memory as it is.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::BadName`].
    pub fn find(&self, scope: Option<&str>, id: &str) -> Result<&Memory, Error> {
        Ok(self.locate("id", &scope_or_default(scope)?, id)?.memory)
    }

    /// Every record of one scope, or of all scopes by name: memories by id, then edges, proposals, status.
    pub fn records<'a>(&'a self, scope: Option<&'a str>) -> impl Iterator<Item = Record> + 'a {
        let asked = move |name: &Scope| scope.is_none_or(|scope| scope == name.as_str());
        self.partitions
            .iter()
            .filter(move |partition| asked(partition.scope()))
            .flat_map(|partition| partition.records())
    }

    /// The scopes that hold something, by name.
    #[must_use]
    pub fn scopes(&self) -> Vec<String> {
        self.partitions.iter().map(|partition| partition.scope().to_string()).collect()
    }

    /// A memory's activation at `now`, >= 0: see [`crate::activation`].
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::BadName`].
    pub fn activation(&self, scope: Option<&str>, id: &str, now: Timestamp) -> Result<f64, Error> {
        let found = self.locate("id", &scope_or_default(scope)?, id)?;
        Ok(Retention::new(found.partition, &self.config, now).activation(found.slot))
    }

    /// The memories around one in the graph: nearest first, then by the weight of the edge that led there, then by id.
    ///
    /// `depth` is 1 to 5, default 1; `limit` 1 to 1,000, default [`crate::config::Defaults::page`]; numbers outside are
    /// taken as the nearest bound. `cursor` is what the page before gave.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::BadName`]; [`Error::OutOfRange`] for a cursor that no page gave.
    pub fn neighbors(
        &self,
        scope: Option<&str>,
        id: &str,
        depth: Option<i64>,
        limit: Option<i64>,
        cursor: Option<&str>,
        now: Timestamp,
    ) -> Result<Page<Neighbor>, Error> {
        let found = self.locate("id", &scope_or_default(scope)?, id)?;
        let partition = found.partition;
        let view = Retention::new(partition, &self.config, now);
        let mut seen = BTreeSet::from([found.slot]);
        let mut frontier = vec![found.slot];
        let mut steps = Vec::new();
        for distance in 1..=depth.unwrap_or(1).clamp(1, 5) as usize {
            let mut found: Vec<Step> = Vec::new();
            for &from in &frontier {
                for tie in partition.graph.ties(from) {
                    if seen.contains(&tie.far) || partition.memory(tie.far).is_none() {
                        continue;
                    }
                    let weight = view.weight(&tie.edge);
                    let (far, relation, out) = (tie.far, tie.edge.relation, tie.outgoing);
                    found.push(Step { far, from, distance, weight, relation, out });
                }
            }
            // Of several ways to one memory, the first by its key.
            order::sort_by(&mut found, |a, b| a.far.cmp(&b.far).then_with(|| a.key(partition).cmp(&b.key(partition))));
            found.dedup_by_key(|step| step.far);
            seen.extend(found.iter().map(|step| step.far));
            order::sort_by(&mut found, |a, b| {
                b.weight.total_cmp(&a.weight).then_with(|| partition.id(a.far).cmp(&partition.id(b.far)))
            });
            frontier = found.iter().map(|step| step.far).collect();
            steps.extend(found);
        }
        self.page(steps, limit, cursor, |step| {
            let memory = partition.memory(step.far)?;
            Some(Neighbor {
                memory: memory.clone(),
                distance: step.distance,
                relation: partition.graph.relation(step.relation).clone(),
                outgoing: step.out,
                weight: step.weight,
                via: partition.id(step.from)?.clone(),
                tier: view.tier(step.far, memory),
            })
        })
    }

    /// What waits for a human's decision and still holds, by id. `limit` and `cursor` are as in [`Engine::neighbors`].
    ///
    /// # Errors
    /// [`Error::BadName`]; [`Error::OutOfRange`] for a cursor that no page gave.
    pub fn review_queue(
        &self,
        scope: Option<&str>,
        limit: Option<i64>,
        cursor: Option<&str>,
        now: Timestamp,
    ) -> Result<Page<ReviewItem>, Error> {
        let Some(partition) = self.partition(&scope_or_default(scope)?) else {
            return self.page(Vec::new(), limit, cursor, |(): ()| None);
        };
        let view = Retention::new(partition, &self.config, now);
        let behind = Behind::of(partition);
        self.page(self.waiting(&view, partition), limit, cursor, |proposal| {
            self.review_item(partition, &view, &behind, proposal)
        })
    }

    /// About how many of these memories a human's decision is still waited for: as many as the review queue has.
    ///
    /// # Errors
    /// [`Error::BadName`].
    pub fn still_waiting(&self, scope: Option<&str>, shown: &[Shown], now: Timestamp) -> Result<usize, Error> {
        let Some(partition) = self.partition(&scope_or_default(scope)?) else { return Ok(0) };
        let waiting = self.waiting(&Retention::new(partition, &self.config, now), partition);
        Ok(shown.iter().filter(|shown| waiting.iter().any(|proposal| proposal.id == shown.id)).count())
    }

    /// Figures of a scope.
    ///
    /// # Errors
    /// [`Error::BadName`].
    pub fn stats(&self, scope: Option<&str>, now: Timestamp) -> Result<Stats, Error> {
        let scope = scope_or_default(scope)?;
        let mut stats = Stats { scope: scope.clone(), ..Stats::default() };
        stats.tiers = order::filled(Tier::ALL.iter().map(|tier| (tier.as_str().to_owned(), 0)));
        stats.categories = order::filled(Category::ALL.iter().map(|category| (category.as_str().to_owned(), 0)));
        let Some(partition) = self.partition(&scope) else { return Ok(stats) };
        let view = Retention::new(partition, &self.config, now);
        let mut current = 0;
        let mut strength = 0.0;
        for (slot, memory) in partition.by_id() {
            stats.memories += 1;
            trend(&mut stats.week, memory, now, 7.0);
            trend(&mut stats.month, memory, now, 30.0);
            work(&mut stats, memory);
            *stats.states.entry(memory.state.as_str().to_owned()).or_default() += 1;
            stats.pinned += usize::from(memory.pinned);
            if memory.state.is_current() {
                current += 1;
                strength += view.strength(memory);
                let tier = view.tier(slot, memory);
                stats.archived += usize::from(tier >= Tier::Cold);
                *stats.tiers.entry(tier.as_str().to_owned()).or_default() += 1;
                *stats.kinds.entry(memory.kind.to_string()).or_default() += 1;
                *stats.categories.entry(memory.category.as_str().to_owned()).or_default() += 1;
            }
        }
        stats.edges = partition.graph.edge_count();
        stats.proposals = self.waiting(&view, partition).len();
        stats.average_strength = if current > 0 { strength / f64::from(current) } else { 0.0 };
        stats.maintained_at = partition.maintained_at;
        Ok(stats)
    }

    /// The tier of each current memory of a scope, by id.
    ///
    /// # Errors
    /// [`Error::BadName`] and its like for the scope.
    pub fn tiers(&self, scope: Option<&str>, now: Timestamp) -> Result<CurrentTiers, Error> {
        let Some(partition) = self.partition(&scope_or_default(scope)?) else { return Ok(CurrentTiers::default()) };
        let view = Retention::new(partition, &self.config, now);
        let current = partition.memories().filter(|(_, memory)| memory.state.is_current());
        let mut all: Vec<_> = current.map(|(slot, memory)| (memory.id.clone(), view.tier(slot, memory))).collect();
        order::sort_by(&mut all, |a, b| a.0.cmp(&b.0));
        Ok(CurrentTiers(all))
    }

    /// When a memory reaches each tier if nothing in its scope is used any more. Everything only fades then, so each
    /// tier is reached once: found by halving, to a thousandth of a day, within 100 years.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::BadName`].
    pub fn forecast(&self, scope: Option<&str>, id: &str, now: Timestamp) -> Result<Forecast, Error> {
        let found = self.locate("id", &scope_or_default(scope)?, id)?;
        let tier_after = |days: f64| {
            Retention::new(found.partition, &self.config, now.plus_days(days)).tier(found.slot, found.memory)
        };
        let reaches = |tier: Tier| {
            if tier_after(HORIZON) < tier {
                return None;
            }
            let (mut before, mut after) = (0.0, HORIZON);
            if tier_after(0.0) >= tier {
                return Some(0.0);
            }
            while after - before > 0.001 {
                let middle = f64::midpoint(before, after);
                if tier_after(middle) >= tier { after = middle } else { before = middle }
            }
            Some(after)
        };
        let view = Retention::new(found.partition, &self.config, now);
        Ok(Forecast {
            tier: view.tier(found.slot, found.memory),
            retention: view.retention(found.slot, found.memory),
            warm: reaches(Tier::Warm),
            cold: reaches(Tier::Cold),
            frozen: reaches(Tier::Frozen),
        })
    }

    /// One page of `all`.
    pub(super) fn page<S, T>(
        &self,
        all: Vec<S>,
        limit: Option<i64>,
        cursor: Option<&str>,
        make: impl FnMut(S) -> Option<T>,
    ) -> Result<Page<T>, Error> {
        let limit = limit.map_or(self.config.defaults.page, |limit| limit.clamp(1, limits::RESULTS as i64) as usize);
        let start = match cursor {
            None => 0,
            Some(cursor) => cursor.parse::<usize>().map_err(|_| Error::OutOfRange {
                field: "cursor",
                value: limits::excerpt(cursor),
                allowed: "the cursor that the page before gave",
            })?,
        };
        let total = all.len();
        let end = start.saturating_add(limit);
        let items = all.into_iter().skip(start).take(limit).filter_map(make).collect();
        Ok(Page { items, total, cursor: (end < total).then(|| end.to_string()) })
    }
}

/// Counts what happened to a memory within `days` before `now`.
fn trend(trend: &mut Trend, memory: &Memory, now: Timestamp, days: f64) {
    let within = |at: Timestamp| now.days_since(at) <= days;
    trend.stored += usize::from(within(memory.created_at));
    trend.used += usize::from(memory.state.is_current() && memory.recall_count > 0 && within(memory.last_accessed_at));
    trend.superseded += usize::from(matches!(memory.state, State::Superseded { at, .. } if within(at)));
}

/// Counts a memory that is a record of an agent's work.
fn work(stats: &mut Stats, memory: &Memory) {
    if !memory.state.is_current() {
        return;
    }
    match state::report(memory) {
        Some(Report::Failure(failure, open)) => {
            stats.failures.total += 1;
            stats.failures.unresolved += usize::from(open);
            *stats.failures.by_component.entry(failure.component).or_default() += 1;
            *stats.failures.by_severity.entry(failure.severity).or_default() += 1;
        }
        Some(Report::Feature(Feature { feature, status, completion, .. }, _)) => {
            stats.features.tracked += 1;
            if status != "done" {
                stats.features.active.insert(feature, Standing { status, completion });
            }
        }
        Some(Report::Handoff(_)) | None => {}
    }
}

/// One step of a walk over the graph.
struct Step {
    far: u32,
    from: u32,
    distance: usize,
    weight: f64,
    relation: u32,
    out: bool,
}

impl Step {
    /// Orders the ways to one memory: the heaviest first, then by where it comes from and what it says.
    fn key<'p>(&self, partition: &'p Partition) -> (std::cmp::Reverse<u64>, Option<&'p MemoryId>, &'p str, bool) {
        let relation = partition.graph.relation(self.relation).as_str();
        // A positive f64's bits order as its value.
        (std::cmp::Reverse(self.weight.to_bits()), partition.id(self.from), relation, self.out)
    }
}
