//! What a human answers to what maintenance proposed, and whether a proposal still holds.

use std::collections::BTreeSet;

use crate::{
    change::{Change, Channel, Operation, Staged},
    engine::{Engine, Found, Sameness, checked, edit, purge::Behind, scope_or_default},
    error::Error,
    label::{Label, MemoryId, Scope},
    operation::{Decided, Decision, ReviewItem, Shown},
    order,
    partition::Partition,
    record::{Edge, EdgeKey, Memory, Proposal, ProposedAction, Record, State, Tier, relation},
    retention::Retention,
    time::{Moment, Timestamp},
};

impl Engine {
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
        self.as_shown(&scope_or_default(scope)?, shown)?;
        staged
    }

    /// Deletes for good what a human approved of in one form, all of it in one entry and each judged as things stood when
    /// it was asked about: what else goes, or is kept, by the same form decides nothing about it. `kept` are the memories
    /// that the form keeps or pins: one that is an earlier text of another that goes stays, put away. Of each, in order,
    /// what was done or why not.
    ///
    /// # Errors
    /// [`Error::BadName`] and its like for the scope. Those of one memory, as [`Engine::stage_decide_shown`] has them, are
    /// in the outcome; [`Error::ProposalChanged`] for one that is not proposed for deletion.
    pub fn stage_delete_shown(
        &self,
        scope: Option<&str>,
        shown: &[Shown],
        kept: &[MemoryId],
        channel: Channel,
        moment: Moment,
    ) -> Result<Staged<Vec<Result<Decided, Error>>>, Error> {
        let now = checked(moment)?.now;
        let scope = scope_or_default(scope)?;
        let found: Vec<_> = shown.iter().map(|shown| self.as_shown(&scope, shown)).collect();
        let Some(partition) = self.partition(&scope) else {
            let outcomes = found.into_iter().filter_map(|found| found.map(|_| ()).err()).map(Err).collect();
            return Ok(self.stage(Operation::Approve, now, outcomes, Vec::new()));
        };
        let (view, behind) = (Retention::new(partition, &self.config, now), Behind::of(partition));
        // With a version that is kept, those that lead to it are.
        let mut stays: BTreeSet<&str> = BTreeSet::new();
        for memory in kept.iter().filter_map(|id| partition.find(id.as_str())) {
            stays.extend(std::iter::once(memory).chain(behind.versions(memory)).map(|memory| memory.id.as_str()));
        }
        let with_versions = |memory| {
            let versions = behind.versions(memory).into_iter().filter(|version| !stays.contains(version.id.as_str()));
            std::iter::once(memory).chain(versions).collect::<Vec<&Memory>>()
        };
        let judge = |found: &Result<(Found<'_>, &Proposal), Error>| match found {
            Err(error) => Err(error.clone()),
            Ok((found, proposal)) if proposal.action == ProposedAction::Delete => still_frozen(&view, found),
            Ok((found, _)) => Err(Error::ProposalChanged { id: found.memory.id.clone() }),
        };
        let judged: Vec<Result<(), Error>> = found.iter().map(judge).collect();
        let (mut gone, mut named): (Vec<&Memory>, BTreeSet<&str>) = Default::default();
        let approved = found.iter().zip(&judged).filter(|(_, judged)| judged.is_ok());
        for (found, _) in approved.filter_map(|(found, _)| found.as_ref().ok()) {
            gone.extend(with_versions(found.memory).into_iter().filter(|memory| named.insert(memory.id.as_str())));
        }
        let mut changes = Vec::new();
        let mut outcomes = Vec::with_capacity(found.len());
        for (found, judged) in found.into_iter().zip(judged) {
            outcomes.push(match (found, judged) {
                (Ok((found, proposal)), judged) if judged.is_ok() || named.contains(found.memory.id.as_str()) => {
                    let id = found.memory.id.clone();
                    changes.push(Change::DeleteProposal { scope: scope.clone(), id: id.clone() });
                    let deleted = with_versions(found.memory).iter().map(|memory| memory.id.clone()).collect();
                    let (proposal, decision) = (proposal.clone(), Decision::Approve);
                    Ok(Decided { id, proposal, decision, channel, deleted })
                }
                (Err(error), _) | (_, Err(error)) => Err(error),
                (Ok((found, _)), Ok(())) => Err(Error::ProposalChanged { id: found.memory.id.clone() }),
            });
        }
        order::sort_by(&mut gone, |a, b| a.id.cmp(&b.id));
        changes.extend(behind.delete_all(&gone, now));
        let mut staged = self.stage(Operation::Approve, now, outcomes, changes);
        staged.entry.channel = Some(channel);
        Ok(staged)
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
                still_frozen(&Retention::new(found.partition, &self.config, now), &found)?;
                let (gone, ids) = Behind::of(found.partition).delete(memory, now);
                changes.extend(gone);
                deleted = ids;
                Operation::Approve
            }
            (Decision::Approve, ProposedAction::Merge { into }) => {
                self.still_same(&found, into)?;
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

    /// The proposal about `id` with its memory, as it stands now: also one that no longer holds.
    ///
    /// # Errors
    /// [`Error::NotFound`] where nothing is proposed about `id`.
    pub fn proposal(&self, scope: Option<&str>, id: &str, now: Timestamp) -> Result<ReviewItem, Error> {
        let scope = scope_or_default(scope)?;
        let partition = self.partition(&scope);
        let known = partition.into_iter().flat_map(|partition| partition.proposals.keys());
        let none = || Error::not_found("id", "proposal", id, &scope, known);
        let proposal = partition.and_then(|partition| Some((partition, partition.proposals.get(id)?)));
        let Some((partition, proposal)) = proposal else { return Err(none()) };
        let view = Retention::new(partition, &self.config, now);
        self.review_item(partition, &view, &Behind::of(partition), proposal).ok_or_else(none)
    }

    /// Refuses where what is proposed about `id` could not be approved now, and says why.
    ///
    /// # Errors
    /// As for an approval: see [`Engine::stage_decide`].
    pub fn must_stand(&self, scope: Option<&str>, id: &str, now: Timestamp) -> Result<(), Error> {
        let scope = scope_or_default(scope)?;
        let found = self.locate("id", &scope, id)?;
        match found.partition.proposals.get(found.memory.id.as_str()).map(|proposal| &proposal.action) {
            None => Err(Error::not_found("id", "proposal", id, &scope, found.partition.proposals.keys())),
            Some(ProposedAction::Delete) => still_frozen(&Retention::new(found.partition, &self.config, now), &found),
            Some(ProposedAction::Merge { into }) => self.still_same(&found, into).map(drop),
        }
    }

    /// A proposal as it stands: whether it still holds, and why it does or does not, whatever was written down when it
    /// was made. `None` where its memory is gone.
    pub(super) fn review_item(
        &self,
        partition: &Partition,
        view: &Retention<'_>,
        behind: &Behind<'_>,
        proposal: &Proposal,
    ) -> Option<ReviewItem> {
        let slot = partition.slot_of(proposal.id.as_str())?;
        let found = Found { partition, slot, memory: partition.memory(slot)? };
        let memory = found.memory;
        let stands = self.stands(view, &found, &proposal.action);
        let holds = stands.is_ok();
        let held_by = match &stands {
            Err(Error::NotFrozen { held_by, .. }) => held_by.clone(),
            _ => None,
        };
        let reason = stands.unwrap_or_else(|error| format!("it no longer holds: {error}"));
        let versions = behind.versions(memory).len();
        let retention = view.retention(slot, memory);
        let survivor = match &proposal.action {
            ProposedAction::Merge { into } => partition.find(into.as_str()).cloned().map(Box::new),
            ProposedAction::Delete => None,
        };
        let proposal = Proposal { reason, ..proposal.clone() };
        Some(ReviewItem { proposal, memory: memory.clone(), retention, versions, holds, held_by, survivor })
    }

    /// Why what is proposed about a memory holds, or why it no longer does.
    fn stands(&self, view: &Retention<'_>, found: &Found<'_>, action: &ProposedAction) -> Result<String, Error> {
        match action {
            ProposedAction::Delete => still_frozen(view, found).map(|()| why_delete(self.config.tiers.frozen)),
            ProposedAction::Merge { into } => {
                self.still_same(found, into).map(|similarity| why_merge(into, similarity))
            }
        }
    }

    /// The proposals of a scope that wait for a human's decision: those that still hold, by id. Every list and every
    /// count of them is of these.
    pub(super) fn waiting<'p>(&self, view: &Retention<'_>, partition: &'p Partition) -> Vec<&'p Proposal> {
        let holds = |proposal: &&Proposal| {
            let slot = partition.slot_of(proposal.id.as_str());
            let found = slot.and_then(|slot| Some(Found { partition, slot, memory: partition.memory(slot)? }));
            found.is_some_and(|found| self.stands(view, &found, &proposal.action).is_ok())
        };
        partition.proposals.values().filter(holds).collect()
    }

    /// Whether the proposal to put a memory behind `into` still holds; how alike they are, 0..=1.
    pub(super) fn still_same(&self, found: &Found<'_>, into: &MemoryId) -> Result<f64, Error> {
        let (partition, memory) = (found.partition, found.memory);
        let other = self.locate("id", &memory.scope, into.as_str())?;
        edit::must_be_current(memory)?;
        edit::must_be_current(other.memory)?;
        let same = Sameness::new(self, partition, other.slot, other.memory).with(found.slot, memory);
        same.ok_or_else(|| Error::ProposalChanged { id: memory.id.clone() })
    }

    /// The proposal that the human was shown, if it still is that.
    fn as_shown(&self, scope: &Scope, shown: &Shown) -> Result<(Found<'_>, &Proposal), Error> {
        let found = self.locate("id", scope, shown.id.as_str())?;
        let partition = found.partition;
        let same_survivor = |action: &ProposedAction| match (action, shown.into_version) {
            (ProposedAction::Merge { into }, Some(version)) => {
                partition.find(into.as_str()).is_some_and(|survivor| survivor.version == version)
            }
            _ => true,
        };
        match partition.proposals.get(shown.id.as_str()) {
            Some(proposal)
                if proposal.proposed_at == shown.proposed_at
                    && proposal.action == shown.action
                    && same_survivor(&proposal.action)
                    && found.memory.version == shown.version =>
            {
                Ok((found, proposal))
            }
            _ => Err(Error::ProposalChanged { id: shown.id.clone() }),
        }
    }
}

/// Why a deletion is proposed. The same words for all of them: what differs stands in the memory, and review shows it.
pub(super) fn why_delete(line: f64) -> String {
    format!("its retention is under {line}, and nothing in use is linked to it")
}

/// Why a merge is proposed.
pub(super) fn why_merge(into: &MemoryId, similarity: f64) -> String {
    format!("it says the same as {into} (similarity {similarity:.2})")
}

/// Refuses what is in use again, or linked to what is.
fn still_frozen(view: &Retention<'_>, found: &Found<'_>) -> Result<(), Error> {
    let (slot, memory) = (found.slot, found.memory);
    match view.judged(slot, memory) {
        Tier::Frozen => Ok(()),
        tier => Err(Error::NotFrozen { id: memory.id.clone(), tier, held_by: view.holder(slot, memory).cloned() }),
    }
}
