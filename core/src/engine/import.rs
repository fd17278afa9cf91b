//! Taking in records from elsewhere: an export, or another store. All or nothing.

use std::collections::BTreeSet;

use crate::{
    change::{Change, Operation, Staged},
    engine::{Engine, checked, edit, state, undo},
    error::Error,
    label::{Label, MemoryId, Scope},
    limits, order,
    record::{Edge, EdgeKey, Memory, ProposedAction, Record, State, relation},
    time::Moment,
};

impl Engine {
    /// Takes in records as they are: their ids, clocks and states stay. A record that is there already, equal, is
    /// passed over; one that differs takes its place, and a text that would be lost by that stays readable behind it,
    /// superseded. The outcome is how many were taken in.
    ///
    /// # Errors
    /// [`Error::BadRecord`] names the first record that is out of bounds, or refers to a memory that is neither in the
    /// scope nor among the records.
    pub fn stage_import(&self, records: Vec<Record>, moment: Moment) -> Result<Staged<usize>, Error> {
        let now = checked(moment)?.now;
        let (records, _) = self.redacted_records(records);
        let mut known: BTreeSet<(&str, &str)> = BTreeSet::new();
        // There are few models.
        let mut dimensions: Vec<(&str, &str, usize)> = Vec::new();
        for (index, record) in records.iter().enumerate() {
            if let Record::Memory(memory) = record {
                let bad = |reason: String| Error::BadRecord { index, what: "memory", reason };
                for (field, name) in
                    [("id", memory.id.as_str()), ("scope", memory.scope.as_str()), ("kind", memory.kind.as_str())]
                {
                    self.cleaner().name(field, name).map_err(|error| bad(error.to_string()))?;
                }
                check_memory(memory).map_err(|error| bad(error.to_string()))?;
                if !known.insert((memory.scope.as_str(), memory.id.as_str())) {
                    return Err(bad(format!("the id {} comes twice", memory.id)));
                }
                if let Some(embedding) = &memory.embedding {
                    let length = embedding.values.len();
                    let held = self.partition(&memory.scope).and_then(|p| p.dimension(&embedding.model));
                    let (scope, model) = (memory.scope.as_str(), &*embedding.model);
                    let known = dimensions.iter().find(|(of, by, _)| (*of, *by) == (scope, model));
                    let expected = known.map_or_else(|| held.unwrap_or(length), |(_, _, expected)| *expected);
                    if known.is_none() {
                        dimensions.push((scope, model, expected));
                    }
                    if expected != length {
                        return Err(bad(format!("its vector has {length} dimensions, others have {expected}")));
                    }
                }
            }
        }
        for (index, record) in records.iter().enumerate() {
            let has = |scope: &Scope, id: &MemoryId| {
                known.contains(&(scope.as_str(), id.as_str()))
                    || self.partition(scope).is_some_and(|p| p.find(id.as_str()).is_some())
            };
            let (what, scope, ends): (_, _, Vec<&MemoryId>) = match record {
                Record::Edge(edge) => ("edge", &edge.key.scope, vec![&edge.key.from, &edge.key.to]),
                Record::Proposal(proposal) => match &proposal.action {
                    ProposedAction::Delete => ("proposal", &proposal.scope, vec![&proposal.id]),
                    ProposedAction::Merge { into } => ("proposal", &proposal.scope, vec![&proposal.id, into]),
                },
                Record::Scope(status) => {
                    let bad = |error: Error| Error::BadRecord { index, what: "scope", reason: error.to_string() };
                    limits::instant("maintained_at", status.maintained_at).map_err(bad)?;
                    continue;
                }
                Record::Memory(_) => continue,
            };
            if let Some(missing) = ends.into_iter().find(|id| !has(scope, id)) {
                let reason = format!("it refers to {missing:?}, which the scope {scope:?} has not");
                return Err(Error::BadRecord { index, what, reason });
            }
            let bad = |error: Error| Error::BadRecord { index, what, reason: error.to_string() };
            if let Record::Proposal(proposal) = record {
                limits::instant("proposed_at", proposal.proposed_at).map_err(bad)?;
            }
            if let Record::Edge(edge) = record {
                limits::weight("weight", edge.weight).map_err(bad)?;
                limits::instant("created_at", edge.created_at).map_err(bad)?;
                limits::instant("reinforced_at", edge.reinforced_at).map_err(bad)?;
                if edge.key.from == edge.key.to {
                    return Err(bad(Error::SelfEdge { field: "to", id: edge.key.to.clone() }));
                }
            }
        }
        let kept = self.kept_versions(&records, &known, moment);
        // What refers to a memory comes after it: applied the other way round it would find nothing to refer to.
        let (memories, others): (Vec<Record>, Vec<Record>) =
            records.into_iter().partition(|record| matches!(record, Record::Memory(_)));
        let new = memories.into_iter().chain(others).filter(|record| !self.has_equal(record));
        let mut changes: Vec<Change> = new.map(Change::Put).collect();
        let count = changes.len();
        changes.extend(kept);
        Ok(self.stage(Operation::Import, now, count, changes))
    }

    /// What keeps the texts that `records` would overwrite, each behind the memory that takes its place.
    fn kept_versions(&self, records: &[Record], known: &BTreeSet<(&str, &str)>, moment: Moment) -> Vec<Change> {
        let incoming: BTreeSet<(&str, &str)> = order::filled(records.iter().filter_map(|record| match record {
            Record::Memory(memory) => Some((memory.scope.as_str(), memory.content.as_str())),
            _ => None,
        }));
        let mut changes = Vec::new();
        let mut ids = 0..;
        for record in records {
            let Record::Memory(memory) = record else { continue };
            let (scope, by) = (&memory.scope, &memory.id);
            let Some(partition) = self.partition(scope) else { continue };
            let Some(old) = partition.find(by.as_str()).filter(|old| old.content != memory.content) else { continue };
            let is_version = |version: &Memory| {
                matches!(&version.state, State::Superseded { by: other, .. } if other == by)
                    && version.content == old.content
            };
            let mut versions = partition.memories().filter(|(_, version)| is_version(version));
            if incoming.contains(&(scope.as_str(), old.content.as_str())) || versions.next().is_some() {
                continue;
            }
            let fresh = ids.by_ref().map(|number| self.fresh_id(scope, moment, number));
            let Some(id) = fresh.into_iter().find(|id| !known.contains(&(scope.as_str(), id.as_str()))) else {
                continue;
            };
            let state = State::Superseded { by: by.clone(), at: moment.now };
            let kept = Memory { id: id.clone(), state, pinned: false, ..old.clone() };
            let undone = undo::taken_back(partition, old);
            let relation = Label::ours(if undone { relation::UNDONE } else { relation::SUPERSEDES });
            let key = EdgeKey { scope: scope.clone(), from: by.clone(), to: id, relation };
            let edge = Edge { key, weight: 1.0, created_at: moment.now, reinforced_at: moment.now };
            changes.extend([Change::Put(Record::Memory(Box::new(kept))), Change::Put(Record::Edge(edge))]);
        }
        changes
    }

    fn has_equal(&self, record: &Record) -> bool {
        match record {
            Record::Memory(memory) => {
                self.partition(&memory.scope).and_then(|p| p.find(memory.id.as_str())) == Some(memory)
            }
            Record::Edge(edge) => {
                self.partition(&edge.key.scope).and_then(|p| p.edge(&edge.key)).as_ref() == Some(edge)
            }
            Record::Proposal(proposal) => {
                self.partition(&proposal.scope).and_then(|p| p.proposals.get(&proposal.id)) == Some(proposal)
            }
            Record::Scope(status) => {
                self.partition(&status.scope).and_then(|p| p.maintained_at) == Some(status.maintained_at)
            }
        }
    }
}

/// Checks what the types don't.
fn check_memory(memory: &Memory) -> Result<(), Error> {
    limits::length("content", &memory.content, limits::CONTENT_BYTES)?;
    limits::unit("importance", memory.importance)?;
    for (field, at) in [
        ("occurred_at", memory.occurred_at),
        ("created_at", memory.created_at),
        ("updated_at", memory.updated_at),
        ("valid_from", memory.valid_from),
        ("last_accessed_at", memory.last_accessed_at),
        ("recalled_at", memory.recalled_at.unwrap_or_default()),
    ] {
        limits::instant(field, at)?;
    }
    if let State::Superseded { at, .. } | State::Archived { at, .. } | State::Proposed { at } = &memory.state {
        limits::instant("at", *at)?;
    }
    let editor = memory.source.editor.clone().unwrap_or_default();
    for (field, name, limit) in [
        ("author", &memory.author, limits::NAME_BYTES),
        ("client", &memory.source.client, limits::NAME_BYTES),
        ("session", &memory.source.session, limits::NAME_BYTES),
        ("uri", &memory.source.uri, limits::URI_BYTES),
        ("client", &editor.client, limits::NAME_BYTES),
        ("session", &editor.session, limits::NAME_BYTES),
    ] {
        if let Some(name) = name {
            limits::length(field, name, limit)?;
        }
    }
    let given: Vec<String> = memory.tags.iter().map(|tag| tag.to_string()).collect();
    if edit::tags(&given)? != memory.tags {
        return Err(Error::BadName {
            field: "tags",
            value: limits::excerpt(&given.join(", ")),
            allowed: "tags in order, each once",
        });
    }
    edit::metadata(&memory.metadata)?;
    state::check(memory)?;
    if let Some(embedding) = &memory.embedding {
        limits::length("embedding.model", &embedding.model, limits::NAME_BYTES)?;
        let length = embedding.values.len();
        if length == 0 || length > limits::DIMENSIONS {
            let allowed = "1 to 4096 dimensions";
            return Err(Error::OutOfRange { field: "embedding.values", value: length.to_string(), allowed });
        }
        if !(embedding.scale.is_finite() && embedding.scale >= 0.0) {
            let allowed = "a finite number of at least 0";
            return Err(Error::OutOfRange { field: "embedding.scale", value: embedding.scale.to_string(), allowed });
        }
    }
    Ok(())
}
