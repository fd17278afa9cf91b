//! Maintenance: move memories between tiers, and propose to a human what may be deleted or merged away. And a human's
//! answer. Maintenance itself deletes nothing.

use std::collections::BTreeMap;

use crate::{
    change::{Change, Channel, Operation, Staged},
    consolidate,
    engine::{Engine, checked, edit, purge::Behind, scope_or_default},
    error::Error,
    label::{Label, MemoryId},
    operation::{Decided, Decision, Maintained, Shown, TierMove},
    order,
    partition::Partition,
    record::{Edge, EdgeKey, Memory, Proposal, ProposedAction, Record, ScopeStatus, State, Tier, relation},
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
        let mut plan = Plan { now, line, outcome: &mut outcome, puts: BTreeMap::new(), proposals: Vec::new() };
        let view = Retention::new(partition, &self.config, now);
        for (slot, memory) in partition.by_id() {
            plan.look_at(&view, partition, slot, memory);
        }
        plan.consolidate(self, partition);
        let Plan { puts, proposals, .. } = plan;
        let mut changes = Vec::new();
        if !dry_run {
            changes.extend(puts.into_values().map(|memory| Change::Put(Record::Memory(Box::new(memory)))));
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
        let name = scope_or_default(scope)?;
        let partition = self.partition(&name);
        let fresh = |at: Timestamp| now.0.abs_diff(at.0) < every_ms;
        if partition.is_none_or(|partition| partition.maintained_at.is_some_and(fresh)) {
            return Ok(self.stage(Operation::Maintain, now, None, Vec::new()));
        }
        let Staged { outcome, base, entry } = self.stage_maintain(scope, false, moment)?;
        Ok(Staged { outcome: Some(outcome), base, entry })
    }

    /// [`Engine::stage_decide`] for an answer that came later than the question: only where the proposal still is what
    /// the human was shown.
    ///
    /// # Errors
    /// As [`Engine::stage_decide`]; [`Error::ProposalChanged`] where the memory was edited or something else is
    /// proposed about it now.
    pub fn stage_decide_shown(
        &self,
        scope: Option<&str>,
        shown: &Shown,
        decision: Decision,
        channel: Channel,
        moment: Moment,
    ) -> Result<Staged<Decided>, Error> {
        let staged = self.stage_decide(scope, shown.id.as_str(), decision, channel, moment);
        let found = self.locate("id", &scope_or_default(scope)?, shown.id.as_str())?;
        let same = |proposal: &Proposal| {
            proposal.proposed_at == shown.proposed_at
                && proposal.action == shown.action
                && found.memory.version == shown.version
        };
        match found.partition.proposals.get(shown.id.as_str()) {
            Some(proposal) if same(proposal) => staged,
            _ => Err(Error::ProposalChanged { id: shown.id.clone() }),
        }
    }

    /// Carries out a human's answer to the proposal about `id`, which came by `channel`: the journal keeps that.
    ///
    /// Approving a deletion removes the memory for good, with the earlier texts that edits and merges kept behind it;
    /// what it had replaced stays, put away. Approving a merge makes it superseded, still readable.
    /// Rejecting keeps the memory as it was before it was proposed, active or put away by hand, and resets its clock.
    /// To have one that was put away active again, restore it. Pinning does as rejecting, and makes
    /// what was put away active again.
    ///
    /// # Errors
    /// [`Error::NotFound`] where nothing is proposed about `id`; [`Error::NotFrozen`] for approving to delete what has
    /// been used, linked to or pinned since, so that it is no longer frozen; [`Error::WrongState`] for approving a merge
    /// of which one memory is no longer current, since the merge could leave no current one.
    pub fn stage_decide(
        &self,
        scope: Option<&str>,
        id: &str,
        decision: Decision,
        channel: Channel,
        moment: Moment,
    ) -> Result<Staged<Decided>, Error> {
        let now = checked(moment)?.now;
        let scope = scope_or_default(scope)?;
        let found = self.locate("id", &scope, id)?;
        let memory = found.memory;
        let Some(proposal) = found.partition.proposals.get(memory.id.as_str()) else {
            return Err(Error::not_found("id", "proposal", id, &scope, found.partition.proposals.keys()));
        };
        let put = |memory: Memory| Change::Put(Record::Memory(Box::new(memory)));
        let mut changes = vec![Change::DeleteProposal { scope: scope.clone(), id: memory.id.clone() }];
        let mut deleted = Vec::new();
        let operation = match (decision, &proposal.action) {
            (Decision::Approve, ProposedAction::Delete) => {
                // What is true at the proposal may not be at the answer, which can come much later.
                let tier = Retention::new(found.partition, &self.config, now).judged(found.slot, memory);
                if tier != Tier::Frozen {
                    return Err(Error::NotFrozen { id: memory.id.clone(), tier });
                }
                let (gone, ids) = Behind::of(found.partition).delete(memory, now);
                changes.extend(gone);
                deleted = ids;
                Operation::Approve
            }
            (Decision::Approve, ProposedAction::Merge { into }) => {
                edit::must_be_current(memory)?;
                edit::must_be_current(self.locate("id", &scope, into.as_str())?.memory)?;
                let relation = Label::ours(relation::MERGED_FROM);
                let key = EdgeKey { scope, from: into.clone(), to: memory.id.clone(), relation };
                let edge = Edge { key, weight: 1.0, created_at: now, reinforced_at: now };
                let state = State::Superseded { by: into.clone(), at: now };
                changes.push(put(Memory { state, ..memory.clone() }));
                changes.push(Change::Put(Record::Edge(edge)));
                Operation::Approve
            }
            (Decision::Reject | Decision::Pin, _) => {
                let pins = decision == Decision::Pin;
                let state = match &memory.state {
                    State::Proposed { .. } => State::Active,
                    // As pinning by hand does it.
                    State::Archived { .. } if pins => State::Active,
                    other => other.clone(),
                };
                let tier = if pins && state == State::Active { Tier::Hot } else { memory.tier };
                let last_accessed_at = memory.last_accessed_at.max(now);
                let pinned = memory.pinned || pins;
                changes.push(put(Memory { state, last_accessed_at, pinned, tier, ..memory.clone() }));
                if pins { Operation::Pin } else { Operation::Reject }
            }
        };
        let outcome = Decided { id: memory.id.clone(), proposal: proposal.clone(), decision, channel, deleted };
        let mut staged = self.stage(operation, now, outcome, changes);
        staged.entry.channel = Some(channel);
        Ok(staged)
    }
}

/// What maintenance is going to do.
struct Plan<'o> {
    now: Timestamp,
    /// The retention under which a memory may freeze.
    line: f64,
    outcome: &'o mut Maintained,
    /// Memories to store, by id.
    puts: BTreeMap<MemoryId, Memory>,
    proposals: Vec<Change>,
}

impl Plan<'_> {
    fn look_at(&mut self, view: &Retention<'_>, partition: &Partition, slot: u32, memory: &Memory) {
        self.outcome.examined += 1;
        let waiting = matches!(memory.state, State::Proposed { .. });
        let tier = view.judged(slot, memory);
        let mut new = memory.clone();
        new.tier = tier;
        let proposal = partition.proposals.get(memory.id.as_str());
        match proposal.map(|proposal| &proposal.action) {
            None if tier == Tier::Frozen => {
                // What was put away by hand stays so while it waits, so that a rejection finds it as it was.
                if memory.state == State::Active {
                    new.state = State::Proposed { at: self.now };
                }
                // The same words for all of them: what differs stands in the memory, and review shows it.
                let reason = format!("its retention is under {}, and nothing in use is linked to it", self.line);
                self.propose(memory, ProposedAction::Delete, reason);
            }
            Some(ProposedAction::Delete) if tier != Tier::Frozen => {
                if waiting {
                    new.state = State::Active;
                }
                self.withdraw(memory);
            }
            Some(ProposedAction::Merge { into }) => {
                let holds = |id: &MemoryId| partition.find(id.as_str()).is_some_and(|m| m.state.is_current());
                if !memory.state.is_current() || !holds(into) {
                    self.withdraw(memory);
                }
            }
            // Waiting for a decision that nobody is asked for, as an import can leave it.
            None if waiting => new.state = State::Active,
            _ => {}
        }
        if memory.state.is_current() && tier != memory.tier {
            self.outcome.moved.push(TierMove { id: memory.id.clone(), from: memory.tier, to: tier });
        }
        if new != *memory {
            self.puts.insert(new.id.clone(), new);
        }
    }

    /// Proposes to merge away what says the same as another, more important memory.
    fn consolidate(&mut self, engine: &Engine, partition: &Partition) {
        for merge in consolidate::merges(engine, partition) {
            let busy = partition.proposals.contains_key(merge.memory.id.as_str())
                || self.outcome.proposed.iter().any(|proposal| proposal.id == merge.memory.id);
            if !busy {
                let reason = format!("it says the same as {} (similarity {:.2})", merge.into, merge.similarity);
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
