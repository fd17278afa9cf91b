//! The audit trail, as a person reads it: what was done, when, to which memories, by whom.

use std::collections::BTreeSet;

use ebbtrace_core::{Change, MemoryId, Record, Scope, State, Timestamp};
use serde::Serialize;

use super::{Service, ServiceError};
use crate::store::Logged;

/// How many memories of an entry are named.
const NAMED: usize = 20;

/// One committed operation, without any text of a memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JournalLine {
    /// The revision that it made.
    pub revision: u64,
    /// When.
    pub at: Timestamp,
    /// What was done.
    pub operation: String,
    /// Where a human decided: by which channel that came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// What a human decided, of each proposal.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decided: Vec<DecidedLine>,
    /// The scopes that it changed, by name.
    pub scopes: Vec<Scope>,
    /// The sessions that wrote what it stored.
    pub sessions: Vec<String>,
    /// The programs that wrote it.
    pub clients: Vec<String>,
    /// The memories that it changed, at most 20 of them.
    pub memories: Vec<MemoryId>,
    /// How many changes it made; none where they are not kept, since they deleted something or were very many, and 0 where
    /// a later purge took all of them out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<usize>,
}

/// A decision about one proposal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DecidedLine {
    /// The memory; none where it is gone for good, since nothing of it is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<MemoryId>,
    /// What became of it: `deleted`, `merged into ID`, `kept`, `pinned`.
    pub decision: String,
}

impl Service {
    /// The last `last` entries of the journal, the newest first. Where a scope is named, those about it alone; entries whose
    /// changes are not kept say nothing of a scope, and are among them.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn journal(&self, scope: Option<&str>, last: usize) -> Result<Vec<JournalLine>, ServiceError> {
        let scope = scope.map(|scope| Scope::parse("scope", scope)).transpose()?;
        let mut lines = Vec::new();
        if last == 0 {
            return Ok(lines);
        }
        self.lock().store.journal(&mut |logged| {
            let line = line(logged, scope.as_ref());
            if scope.as_ref().is_none_or(|scope| line.scopes.contains(scope) || line.changes.is_none()) {
                lines.push(line);
            }
            lines.len() < last
        })?;
        Ok(lines)
    }
}

/// What an entry says of one scope, or of all.
fn line(logged: Logged, only: Option<&Scope>) -> JournalLine {
    let Logged { revision, at, operation, channel, changes } = logged;
    let (mut scopes, mut memories) = (BTreeSet::new(), Vec::new());
    let (mut sessions, mut clients) = (BTreeSet::new(), BTreeSet::new());
    let count = changes.as_ref().map(Vec::len);
    let changes = changes.unwrap_or_default();
    for change in &changes {
        let (scope, id) = about(change);
        if only.is_some_and(|only| only != scope) {
            continue;
        }
        scopes.insert(scope.clone());
        if let Some(id) = id.filter(|id| memories.len() < NAMED && !memories.contains(*id)) {
            memories.push(id.clone());
        }
        // Only what writes a text is a session's: maintenance stores a memory again as it was, and what is replaced goes
        // behind as its own session wrote it.
        if writes(&operation)
            && let Change::Put(Record::Memory(memory)) = change
            && memory.state.is_current()
        {
            sessions.extend(memory.source.text_session().map(str::to_owned));
            clients.extend(memory.source.text_client().map(str::to_owned));
        }
    }
    let decided = if channel.is_some() { decisions(&operation, count, &changes) } else { Vec::new() };
    let (sessions, clients) = (sessions.into_iter().collect(), clients.into_iter().collect());
    let scopes = scopes.into_iter().collect();
    JournalLine {
        revision: revision.0,
        at,
        operation,
        channel,
        decided,
        scopes,
        sessions,
        clients,
        memories,
        changes: count,
    }
}

fn writes(operation: &str) -> bool {
    matches!(operation, "remember" | "update" | "track_failure" | "track_progress" | "handoff" | "import")
}

/// The scope and the memory that a change is about.
fn about(change: &Change) -> (&Scope, Option<&MemoryId>) {
    match change {
        Change::Put(Record::Memory(memory)) => (&memory.scope, Some(&memory.id)),
        Change::Put(Record::Edge(edge)) => (&edge.key.scope, Some(&edge.key.from)),
        Change::Put(Record::Proposal(proposal)) => (&proposal.scope, Some(&proposal.id)),
        Change::Put(Record::Scope(status)) => (&status.scope, None),
        Change::Touch { scope, id, .. } | Change::DeleteMemory { scope, id } | Change::DeleteProposal { scope, id } => {
            (scope, Some(id))
        }
        Change::TouchEdge { key, .. } | Change::DeleteEdge(key) => (&key.scope, Some(&key.from)),
    }
}

/// What was decided, by what the decision changed: each takes its proposal away.
fn decisions(operation: &str, count: Option<usize>, changes: &[Change]) -> Vec<DecidedLine> {
    if count.is_none() && operation == "approve" {
        return vec![DecidedLine { id: None, decision: "deleted".to_owned() }];
    }
    let merged = |of: &MemoryId| {
        changes.iter().find_map(|change| match change {
            Change::Put(Record::Memory(memory)) if memory.id == *of => match &memory.state {
                State::Superseded { by, .. } => Some(format!("merged into {by}")),
                _ => None,
            },
            _ => None,
        })
    };
    let decided = changes.iter().filter_map(|change| match change {
        Change::DeleteProposal { id, .. } => Some(id),
        _ => None,
    });
    decided
        .filter_map(|id| {
            let decision = match operation {
                "approve" => merged(id)?,
                "reject" => "kept".to_owned(),
                "pin" => "pinned".to_owned(),
                _ => return None,
            };
            Some(DecidedLine { id: Some(id.clone()), decision })
        })
        .collect()
}
