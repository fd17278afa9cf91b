//! Moving a memory from one store to another: what is there is committed in pages, so that a move that was broken off
//! goes on where it was.

use std::collections::HashMap;

use ebbtrace_core::{
    Change, Config, EdgeKey, Engine, JournalEntry, MemoryId, Operation, Record, Revision, Scope, Timestamp,
};
use serde::Serialize;

use super::{CommitAnswer, Store, StoreError};

/// How many records are committed at once.
const PAGE: usize = 2_000;

/// What a move came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Copied {
    /// Records in the one store.
    pub records: usize,
    /// Of those, how many were written to the other; the rest was there already.
    pub written: usize,
    /// The digest of what the one holds, and of what the other holds now.
    pub digest: String,
}

/// Why a move ended early. What was written until then stays, and a later call goes on from there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CopyError {
    /// The other store was used, or holds something that the one does not.
    #[error("the store to copy to is in use: {what}")]
    NotEmpty {
        /// What was found in it.
        what: String,
    },
    /// Somebody else wrote to it meanwhile.
    #[error("another program wrote to the store that is copied to")]
    Disturbed,
    /// What is there now is not what was to be copied.
    #[error("the copy holds something else: {wanted} was to be copied, {found} is there")]
    Differs {
        /// The digest of the one.
        wanted: String,
        /// The digest of the other.
        found: String,
    },
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What names a record.
#[derive(PartialEq, Eq, Hash)]
enum Name {
    Memory(Scope, MemoryId),
    Edge(EdgeKey),
    Proposal(Scope, MemoryId),
    Scope(Scope),
}

impl Name {
    fn of(record: &Record) -> Self {
        match record {
            Record::Memory(memory) => Self::Memory(memory.scope.clone(), memory.id.clone()),
            Record::Edge(edge) => Self::Edge(edge.key.clone()),
            Record::Proposal(proposal) => Self::Proposal(proposal.scope.clone(), proposal.id.clone()),
            Record::Scope(status) => Self::Scope(status.scope.clone()),
        }
    }

    /// Memories first: edges and proposals are kept only where theirs are there.
    fn rank(&self) -> u8 {
        match self {
            Self::Memory(..) => 0,
            Self::Edge(_) => 1,
            Self::Proposal(..) => 2,
            Self::Scope(_) => 3,
        }
    }
}

/// Copies every record of `from` that `to` lacks, and compares both in the end. `progress` is told how many of how many
/// are there. The log of what was done stays with `from`.
///
/// # Errors
/// [`CopyError`].
pub fn copy(
    from: &mut dyn Store,
    to: &mut dyn Store,
    now: Timestamp,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Copied, CopyError> {
    let mut records = Vec::new();
    from.load(&mut |record| records.push(record))?;
    let (mut revision, mut known) = (Revision(0), HashMap::new());
    let mut found = |record: Record| {
        known.insert(Name::of(&record), record);
    };
    revision.0 = to.load(&mut found)?.0.max(revision.0);
    untouched(to)?;
    let digest = digest(&records);
    let all = records.len();
    records.retain(|record| known.remove(&Name::of(record)).as_ref() != Some(record));
    // Those that differ were taken out as well: what is left is nowhere in the other.
    if let Some(name) = known.into_keys().next() {
        let what = match name {
            Name::Memory(scope, id) => {
                format!("it holds the memory {id} of the scope {scope}, which is not in the other")
            }
            Name::Edge(key) => format!("it holds a link from {} to {}, which is not in the other", key.from, key.to),
            Name::Proposal(_, id) => format!("it holds a proposal about {id}, which is not in the other"),
            Name::Scope(scope) => format!("it knows the scope {scope}, which is not in the other"),
        };
        return Err(CopyError::NotEmpty { what });
    }
    records.sort_by_key(|record| Name::of(record).rank());
    let written = records.len();
    let mut done = all - written;
    progress(done, all);
    let mut records = records.into_iter().peekable();
    while records.peek().is_some() {
        let changes: Vec<Change> = records.by_ref().take(PAGE).map(Change::Put).collect();
        done += changes.len();
        revision = revision.next();
        let entry = JournalEntry { revision, at: now, operation: Operation::Import, channel: None, changes };
        match to.commit(&entry)? {
            CommitAnswer::Committed => {}
            CommitAnswer::Conflict => return Err(CopyError::Disturbed),
            CommitAnswer::Unknown => {
                let reason = "the connection ended while it was committed".to_owned();
                return Err(StoreError::Io { doing: "copying", reason }.into());
            }
        }
        progress(done, all);
    }
    let mut there = Vec::new();
    to.load(&mut |record| there.push(record))?;
    let found = self::digest(&there);
    if found == digest {
        Ok(Copied { records: all, written, digest })
    } else {
        Err(CopyError::Differs { wanted: digest, found })
    }
}

/// Refuses a store that anything else than a copy, or an import, has written to.
fn untouched(store: &mut dyn Store) -> Result<(), CopyError> {
    let mut used = None;
    store.journal(&mut |logged| {
        if logged.operation != "import" {
            used = Some(format!("its log has a {:?} at revision {}", logged.operation, logged.revision.0));
        }
        used.is_none()
    })?;
    used.map_or(Ok(()), |what| Err(CopyError::NotEmpty { what }))
}

fn digest(records: &[Record]) -> String {
    let mut opener = Engine::opener(Config::default(), None);
    records.iter().cloned().for_each(|record| opener.record(record));
    // It fails for a scope that is none, and none is named.
    opener.finish(Revision(0)).digest(None).unwrap_or_default()
}

impl CopyError {
    /// A stable code for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotEmpty { .. } => "target_in_use",
            Self::Disturbed => "target_disturbed",
            Self::Differs { .. } => "copy_differs",
            Self::Store(error) => error.code(),
        }
    }

    /// What the caller can do now.
    #[must_use]
    pub fn next_step(&self) -> &'static str {
        match self {
            Self::NotEmpty { .. } => {
                "Nothing was written. Copy into a store that is empty, or into what an earlier copy began."
            }
            Self::Disturbed => "End the programs that use it, and call again: it goes on where it was.",
            Self::Differs { .. } => "End the programs that use either store, and call again.",
            Self::Store(StoreError::Io { .. } | StoreError::Unreachable { .. }) => {
                "Call again: it goes on where it was."
            }
            Self::Store(error) => error.next_step(),
        }
    }
}
