//! Changing one memory or one link by hand: update, connect, reinforce, forget, pin.

use serde_json::{Map, Value};

use crate::{
    change::{Change, Operation, Staged},
    engine::{Engine, Found, checked, draft, scope_or_default, state, undo},
    error::Error,
    label::Label,
    limits,
    operation::{ConnectInput, Connected, Touched, UpdateInput},
    order,
    partition::Partition,
    record::{Edge, EdgeKey, Editor, Memory, ProposedAction, Record, State, relation},
    retention::Retention,
    time::{Moment, Timestamp},
};

impl Engine {
    /// Edits a memory, which uses it: its clock is reset and a proposal to delete it is taken back. An earlier text stays
    /// readable behind it, superseded.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::WrongState`] for a superseded memory; [`Error::Stale`] where `if_version` is
    /// another than the memory's; an argument out of bounds.
    pub fn stage_update(&self, input: &UpdateInput, moment: Moment) -> Result<Staged<Touched>, Error> {
        let moment = checked(moment)?;
        let scope = scope_or_default(input.scope.as_deref())?;
        let found = self.locate("id", &scope, &input.id)?;
        let old = found.memory;
        must_be_current(old)?;
        if let Some(expected) = input.if_version.filter(|version| *version != old.version) {
            return Err(Error::Stale { id: old.id.clone(), expected, actual: old.version });
        }
        if input.content.is_some() || input.metadata.is_some() {
            state::must_be_no_record(old)?;
        }
        let mut clean = self.cleaner();
        let client = draft::optional("client", clean.optional(input.client.as_deref()), limits::NAME_BYTES)?;
        let session = draft::optional("session", clean.optional(input.session.as_deref()), limits::NAME_BYTES)?;
        let mut new = old.clone();
        if let Some(importance) = input.importance {
            new.importance = limits::unit("importance", importance)?;
        }
        if let Some(given) = &input.tags {
            new.tags = tags(&clean.tags(given))?;
        }
        if let Some(given) = &input.metadata {
            new.metadata = metadata(&clean.metadata(given))?;
        }
        let mut changes = Vec::new();
        if let Some(content) = &input.content {
            limits::length("content", content, limits::CONTENT_BYTES)?;
            let content = clean.text(content);
            limits::length("content", &content, limits::CONTENT_BYTES)?;
            new.embedding = self.embedding(&scope, input.embedding.as_ref())?;
            if content == old.content {
                new.embedding = new.embedding.or_else(|| old.embedding.clone());
            } else {
                new.content = content;
                new.valid_from = moment.now;
                new.source = new.source.written_by(Editor { client, session: session.clone() });
                let id = self.fresh_id(&scope, moment, 0);
                let state = State::Superseded { by: old.id.clone(), at: moment.now };
                let kept = Memory { id: id.clone(), state, pinned: false, ..old.clone() };
                // What was taken back stays so; the new text was not.
                let undone = undo::taken_back(found.partition, old);
                if undone {
                    new.state = State::Active;
                }
                let relation = Label::ours(if undone { relation::UNDONE } else { relation::SUPERSEDES });
                let key = EdgeKey { scope: scope.clone(), from: old.id.clone(), to: id, relation };
                let edge = Edge { key, weight: 1.0, created_at: moment.now, reinforced_at: moment.now };
                changes.extend([Change::Put(Record::Memory(Box::new(kept))), Change::Put(Record::Edge(edge))]);
            }
        }
        if new != *old {
            new.updated_at = moment.now;
            new.last_accessed_at = old.last_accessed_at.max(moment.now);
            new.version = old.version.saturating_add(1);
            new.source = new.source.shared_with(session.as_deref());
            // Whoever edits a memory uses it; and what was proposed of its earlier text no longer holds.
            let proposed = found.partition.proposals.get(old.id.as_str());
            if matches!(old.state, State::Proposed { .. }) {
                new.state = State::Active;
            }
            if proposed.is_some_and(|proposal| proposal.action == ProposedAction::Delete || new.content != old.content)
            {
                changes.push(Change::DeleteProposal { scope: scope.clone(), id: old.id.clone() });
            }
            changes.insert(0, Change::Put(Record::Memory(Box::new(new.clone()))));
        }
        let mut staged = self.touched(Operation::Update, &found, new, changes, moment.now);
        staged.outcome.redacted = clean.count;
        Ok(staged)
    }

    /// Links two memories. A link that exists is made again: its weight is set where one is given, its clock reset.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an end that is not in the scope; [`Error::SelfEdge`]; an argument out of bounds.
    pub fn stage_connect(&self, input: &ConnectInput, moment: Moment) -> Result<Staged<Connected>, Error> {
        let now = checked(moment)?.now;
        let scope = scope_or_default(input.scope.as_deref())?;
        self.cleaner().name("relation", input.relation.as_deref().unwrap_or_default())?;
        let relation = Label::of_link("relation", input.relation.as_deref())?;
        let weight = input.weight.map(|weight| limits::weight("weight", weight)).transpose()?;
        let from = self.locate("from", &scope, &input.from)?;
        let to = self.locate("to", &scope, &input.to)?.memory.id.clone();
        let partition = from.partition;
        let from = from.memory.id.clone();
        if from == to {
            return Err(Error::SelfEdge { field: "to", id: to });
        }
        let key = EdgeKey { scope, from: from.clone(), to: to.clone(), relation: relation.clone() };
        let known = partition.edge(&key);
        let weight = weight.or(known.as_ref().map(|edge| edge.weight)).unwrap_or(self.config.defaults.weight);
        let created = known.is_none();
        let created_at = known.map_or(now, |edge| edge.created_at);
        let edge = Edge { key, weight, created_at, reinforced_at: now };
        let outcome = Connected { from, to, relation, weight, created };
        Ok(self.stage(Operation::Connect, now, outcome, vec![Change::Put(Record::Edge(edge))]))
    }

    /// Resets a memory's clock and counts up; one that was put away is active again.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::WrongState`] for a superseded memory.
    pub fn stage_reinforce(&self, scope: Option<&str>, id: &str, moment: Moment) -> Result<Staged<Touched>, Error> {
        let now = checked(moment)?.now;
        let found = self.locate("id", &scope_or_default(scope)?, id)?;
        let old = found.memory;
        must_be_current(old)?;
        let new = Memory {
            last_accessed_at: old.last_accessed_at.max(now),
            recall_count: old.recall_count.saturating_add(1),
            state: State::Active,
            ..old.clone()
        };
        let changes = put_awake(found.partition, &new);
        Ok(self.touched(Operation::Reinforce, &found, new, changes, now))
    }

    /// Archives a memory: out of sight, never deleted. Archiving twice is archiving once. One that is proposed for
    /// deletion is archived too, and still waits for a decision.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::WrongState`] for a superseded memory; a reason that is blank or too long.
    pub fn stage_forget(
        &self,
        scope: Option<&str>,
        id: &str,
        reason: Option<&str>,
        moment: Moment,
    ) -> Result<Staged<Touched>, Error> {
        let now = checked(moment)?.now;
        let mut clean = self.cleaner();
        let reason = reason.map(|reason| clean.text(reason));
        if let Some(reason) = &reason {
            limits::length("reason", reason, limits::REASON_BYTES)?;
        }
        let found = self.locate("id", &scope_or_default(scope)?, id)?;
        let old = found.memory;
        must_be_current(old)?;
        if matches!(old.state, State::Archived { .. }) {
            return Ok(self.touched(Operation::Forget, &found, old.clone(), Vec::new(), now));
        }
        let state = State::Archived { at: now, reason };
        let new = Memory { state, pinned: false, ..old.clone() };
        let changes = vec![Change::Put(Record::Memory(Box::new(new.clone())))];
        let mut staged = self.touched(Operation::Forget, &found, new, changes, now);
        staged.outcome.redacted = clean.count;
        Ok(staged)
    }

    /// Pins a memory, so that it stays hot, or unpins it. Pinning one that was put away makes it active.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::WrongState`] for a superseded memory.
    pub fn stage_pin(
        &self,
        scope: Option<&str>,
        id: &str,
        pinned: bool,
        moment: Moment,
    ) -> Result<Staged<Touched>, Error> {
        let now = checked(moment)?.now;
        let found = self.locate("id", &scope_or_default(scope)?, id)?;
        let old = found.memory;
        must_be_current(old)?;
        let state = if pinned { State::Active } else { old.state.clone() };
        let new = Memory { pinned, state, ..old.clone() };
        let changes = if new == *old { Vec::new() } else { put_awake(found.partition, &new) };
        Ok(self.touched(Operation::Pin, &found, new, changes, now))
    }

    /// The answer about a memory that becomes `memory`.
    pub(super) fn touched(
        &self,
        operation: Operation,
        found: &Found<'_>,
        memory: Memory,
        changes: Vec<Change>,
        now: Timestamp,
    ) -> Staged<Touched> {
        let view = Retention::new(found.partition, &self.config, now);
        let retention = view.retention(found.slot, &memory);
        let tier = view.tier(found.slot, &memory);
        self.stage(operation, now, Touched { memory, tier, retention, redacted: 0, superseded: Vec::new() }, changes)
    }
}

/// Refuses a superseded memory.
pub(super) fn must_be_current(memory: &Memory) -> Result<(), Error> {
    if memory.state.is_current() {
        return Ok(());
    }
    let allowed = "only a current memory can be changed: use the one that took its place, or restore it";
    Err(Error::WrongState { id: memory.id.clone(), state: memory.state.as_str(), allowed })
}

/// Checks tags: sorted, each once.
pub(super) fn tags(given: &[String]) -> Result<Vec<Box<str>>, Error> {
    limits::count("tags", given.len(), limits::TAGS)?;
    let mut tags = Vec::with_capacity(given.len());
    for tag in given {
        limits::length("tags", tag, limits::LABEL_BYTES)?;
        tags.push(tag.trim().into());
    }
    order::sort(&mut tags);
    tags.dedup();
    Ok(tags)
}

/// Checks metadata's size and depth.
pub(super) fn metadata(given: &Map<String, Value>) -> Result<Map<String, Value>, Error> {
    let field = "metadata";
    let depth = given.values().map(depth).max().unwrap_or(0) + 1;
    if depth > limits::METADATA_DEPTH {
        return Err(Error::TooLong { field, length: depth, limit: limits::METADATA_DEPTH, unit: "levels" });
    }
    let length = serde_json::to_string(given).map_or(usize::MAX, |text| text.len());
    if length > limits::METADATA_BYTES {
        return Err(Error::TooLong { field, length, limit: limits::METADATA_BYTES, unit: "bytes" });
    }
    Ok(given.clone())
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(entries) => 1 + entries.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// Stores `new`; a proposal to delete a memory that is active goes.
fn put_awake(partition: &Partition, new: &Memory) -> Vec<Change> {
    let mut changes = vec![Change::Put(Record::Memory(Box::new(new.clone())))];
    if new.state == State::Active {
        changes.extend(no_deletion(partition, new));
    }
    changes
}

/// Takes back the proposal to delete a memory, where there is one: it is in use again. It may wait for a decision in any
/// state, one that was put away by hand as well.
pub(super) fn no_deletion(partition: &Partition, memory: &Memory) -> Option<Change> {
    let proposal = partition.proposals.get(memory.id.as_str())?;
    (proposal.action == ProposedAction::Delete)
        .then(|| Change::DeleteProposal { scope: memory.scope.clone(), id: memory.id.clone() })
}
