//! What an operation asks the host to persist.

use serde::{Deserialize, Serialize};

use crate::{
    label::{MemoryId, Scope},
    record::{EdgeKey, Record},
    time::Timestamp,
};

/// How many commits a store has seen. Stores compare and set it in the transaction that writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Revision(pub u64);

impl Revision {
    /// The revision after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// One upsert or delete, with absolute values, never an increment: applying it twice is applying it once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum Change {
    /// Stores a record, in place of the one with the same key if there is one.
    Put(Record),
    /// Sets a memory's clocks of use and nothing else; without effect where the memory is gone.
    Touch {
        /// The memory's scope.
        scope: Scope,
        /// The memory.
        id: MemoryId,
        /// Its new `last_accessed_at`.
        last_accessed_at: Timestamp,
        /// Its new `recalled_at`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        recalled_at: Option<Timestamp>,
        /// Its new `recall_count`.
        recall_count: u32,
    },
    /// Sets an edge's clock and nothing else; without effect where the edge is gone.
    TouchEdge {
        /// The edge.
        #[serde(flatten)]
        key: EdgeKey,
        /// Its new `reinforced_at`.
        reinforced_at: Timestamp,
    },
    /// Removes a memory with every edge and proposal on it.
    DeleteMemory {
        /// The memory's scope.
        scope: Scope,
        /// The memory.
        id: MemoryId,
    },
    /// Removes an edge.
    DeleteEdge(EdgeKey),
    /// Removes a proposal.
    DeleteProposal {
        /// The scope it is about.
        scope: Scope,
        /// The memory it is about.
        id: MemoryId,
    },
}

/// What was done, for the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// A memory was stored.
    Remember,
    /// Memories were recalled, and so kept fresh.
    Recall,
    /// A memory was edited.
    Update,
    /// Two memories were linked.
    Connect,
    /// A memory's clock was reset by hand.
    Reinforce,
    /// A memory was archived by hand.
    Forget,
    /// A memory was pinned or unpinned.
    Pin,
    /// A scope was maintained.
    Maintain,
    /// A human approved a proposal.
    Approve,
    /// A human rejected a proposal.
    Reject,
    /// A human restored a memory.
    Restore,
    /// Records were imported.
    Import,
    /// Memories were given vectors of another model, or none.
    Reembed,
    /// A failure was recorded, or happened again.
    TrackFailure,
    /// A feature's standing was recorded.
    TrackProgress,
    /// A session was handed over.
    Handoff,
    /// What one session wrote was taken back.
    Undo,
    /// A human had memories removed for good.
    Purge,
}

/// The way by which a human's decision came. There is no other: nothing that a model says decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Channel {
    /// Typed at a terminal.
    Terminal,
    /// Given to an MCP client that asked on the server's behalf.
    McpElicitation,
    /// Given in the interface of a program that has the engine in it, such as a page.
    Application,
}

impl Channel {
    /// Its name, as journals and answers have it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Terminal => "terminal",
            Self::McpElicitation => "mcp-elicitation",
            Self::Application => "application",
        }
    }
}

/// One committed operation: the audit trail, and what other processes catch up from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JournalEntry {
    /// The revision that this commit made.
    pub revision: Revision,
    /// The host's clock at the time.
    pub at: Timestamp,
    /// What was done.
    pub operation: Operation,
    /// Where it carries out a human's decision about a proposal: how that came. `None` for everything else, and in
    /// entries from before it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<Channel>,
    /// What it changed, in order.
    pub changes: Vec<Change>,
}

/// A decision that has changed nothing yet: hand [`Staged::entry`] to the store, then apply it.
#[derive(Clone, Debug, PartialEq)]
pub struct Staged<T> {
    /// What the caller asked for.
    pub outcome: T,
    /// The revision that the decision was made at; the store must still be at it.
    pub base: Revision,
    /// What to commit: its revision is `base.next()`. No changes: nothing to commit.
    pub entry: JournalEntry,
}

impl<T> Staged<T> {
    /// Whether there is nothing to commit.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entry.changes.is_empty()
    }
}
