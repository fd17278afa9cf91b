//! Maintenance: move memories between tiers, and propose to a human what may be deleted or merged away. Maintenance
//! itself deletes nothing; what a human answers is carried out in `decide`.

use crate::{
    change::{Change, Operation, Staged},
    consolidate,
    engine::{Engine, Found, checked, decide, scope_or_default},
    error::Error,
    label::Scope,
    operation::{Maintained, TierMove},
    order,
    partition::Partition,
    record::{Memory, Proposal, ProposedAction, Record, ScopeStatus, State, Tier},
    retention::Retention,
    time::{Moment, Timestamp},
};

impl Engine {
    /// Brings tiers up to date, proposes frozen memories for deletion and restatements for merging, and takes back
    /// proposals whose memory is in use again. A dry run answers the same and changes nothing.
    ///
    /// # Errors
    /// [`Error::BadName`] and its like for the scope.
    pub fn stage_maintain(
        &self,
        scope: Option<&str>,
        dry_run: bool,
        moment: Moment,
    ) -> Result<Staged<Maintained>, Error> {
        let now = checked(moment)?.now;
        let scope = scope_or_default(scope)?;
        let mut outcome = Maintained { dry_run, ..Maintained::default() };
        let Some(partition) = self.partition(&scope) else {
            return Ok(self.stage(Operation::Maintain, now, outcome, Vec::new()));
        };
        let line = self.config.tiers.frozen;
        let mut plan = Plan { now, line, outcome: &mut outcome, puts: Vec::new(), proposals: Vec::new() };
        let view = Retention::new(partition, &self.config, now);
        for (slot, memory) in partition.by_id() {
            plan.look_at(self, &view, Found { partition, slot, memory });
        }
        plan.consolidate(self, partition);
        let Plan { puts, proposals, .. } = plan;
        let mut changes = Vec::new();
        if !dry_run {
            changes.extend(puts.into_iter().map(|memory| Change::Put(Record::Memory(Box::new(memory)))));
            changes.extend(proposals);
            changes.push(Change::Put(Record::Scope(ScopeStatus { scope, maintained_at: now })));
        }
        Ok(self.stage(Operation::Maintain, now, outcome, changes))
    }

    /// [`Engine::stage_maintain`] where the scope holds something and was last maintained `every_ms` or longer ago, or
    /// never; else `None` and nothing to commit. For hosts that maintain in the background: of many that share a store,
    /// one does it, since the others find it done when they stage. A last time that lies as far ahead, as a clock that
    /// was wrong leaves it, counts as long ago too.
    ///
    /// # Errors
    /// As [`Engine::stage_maintain`].
    pub fn stage_maintain_due(
        &self,
        scope: Option<&str>,
        every_ms: u64,
        moment: Moment,
    ) -> Result<Staged<Option<Maintained>>, Error> {
        let now = checked(moment)?.now;
        if !self.is_due(scope_or_default(scope)?.as_str(), every_ms, now) {
            return Ok(self.stage(Operation::Maintain, now, None, Vec::new()));
        }
        let Staged { outcome, base, entry } = self.stage_maintain(scope, false, moment)?;
        Ok(Staged { outcome: Some(outcome), base, entry })
    }

    /// Whether [`Engine::stage_maintain_due`] would maintain that scope.
    #[must_use]
    pub fn is_due(&self, scope: &str, every_ms: u64, now: Timestamp) -> bool {
        let fresh = |at: Timestamp| now.0.abs_diff(at.0) < every_ms;
        let partition = Scope::parse("scope", scope).ok().and_then(|scope| self.partition(&scope));
        partition.is_some_and(|partition| !partition.maintained_at.is_some_and(fresh))
    }
}

/// What maintenance is going to do.
struct Plan<'o> {
    now: Timestamp,
    /// The retention under which a memory may freeze.
    line: f64,
    outcome: &'o mut Maintained,
    /// Memories to store, by id.
    puts: Vec<Memory>,
    proposals: Vec<Change>,
}

impl Plan<'_> {
    fn look_at(&mut self, engine: &Engine, view: &Retention<'_>, found: Found<'_>) {
        let Found { partition, slot, memory } = found;
        self.outcome.examined += 1;
        let waiting = matches!(memory.state, State::Proposed { .. });
        let tier = view.judged(slot, memory);
        let mut state = None;
        let proposal = partition.proposals.get(memory.id.as_str());
        match proposal.map(|proposal| &proposal.action) {
            None if tier == Tier::Frozen => {
                // What was put away by hand stays so while it waits, so that a rejection finds it as it was.
                if memory.state == State::Active {
                    state = Some(State::Proposed { at: self.now });
                }
                let reason = decide::why_delete(self.line);
                self.propose(memory, ProposedAction::Delete, reason);
            }
            Some(ProposedAction::Delete) if tier != Tier::Frozen => {
                if waiting {
                    state = Some(State::Active);
                }
                self.withdraw(memory);
            }
            Some(ProposedAction::Merge { into }) if engine.still_same(&found, into).is_err() => self.withdraw(memory),
            // Waiting for a decision that nobody is asked for, as an import can leave it.
            None if waiting => state = Some(State::Active),
            _ => {}
        }
        if memory.state.is_current() && tier != memory.tier {
            self.outcome.moved.push(TierMove { id: memory.id.clone(), from: memory.tier, to: tier });
        }
        // Most stay as they are, and a large scope has many: only what changes is copied.
        if tier != memory.tier || state.is_some() {
            let state = state.unwrap_or_else(|| memory.state.clone());
            self.puts.push(Memory { tier, state, ..memory.clone() });
        }
    }

    /// Proposes to merge away what says the same as another, more important memory.
    fn consolidate(&mut self, engine: &Engine, partition: &Partition) {
        for merge in consolidate::merges(engine, partition) {
            let busy = partition.proposals.contains_key(merge.memory.id.as_str())
                || self.outcome.proposed.iter().any(|proposal| proposal.id == merge.memory.id);
            if !busy {
                let reason = decide::why_merge(&merge.into, merge.similarity);
                self.propose(merge.memory, ProposedAction::Merge { into: merge.into.clone() }, reason);
            }
        }
        order::sort_by(&mut self.outcome.proposed, |a, b| a.id.cmp(&b.id));
    }

    fn propose(&mut self, memory: &Memory, action: ProposedAction, reason: String) {
        let (scope, id) = (memory.scope.clone(), memory.id.clone());
        let proposal = Proposal { scope, id, action, reason, proposed_at: self.now };
        self.proposals.push(Change::Put(Record::Proposal(proposal.clone())));
        self.outcome.proposed.push(proposal);
    }

    fn withdraw(&mut self, memory: &Memory) {
        self.outcome.withdrawn.push(memory.id.clone());
        self.proposals.push(Change::DeleteProposal { scope: memory.scope.clone(), id: memory.id.clone() });
    }
}
