//! What is stored: memories, edges, proposals, and what is known of a scope.

mod flat;

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    error::Error,
    label::{Label, MemoryId, Scope},
    limits,
    time::Timestamp,
    vector::Embedding,
};

/// Relations that the engine itself makes.
pub mod relation {
    /// Two memories are alike in meaning; weight = similarity x 0.5.
    pub const SEMANTIC: &str = "semantic";
    /// From the current memory to the one it replaced.
    pub const SUPERSEDES: &str = "supersedes";
    /// From a memory to the one before it in the same session.
    pub const FOLLOWS: &str = "follows";
    /// From a memory to one that was merged into it.
    pub const MERGED_FROM: &str = "merged-from";
    /// From what stands in the place of a text to that text, which an undo took back.
    pub const UNDONE: &str = "undone";
    /// What a link is called where the caller gives no name.
    pub const RELATED: &str = "related";

    /// The engine's own: it goes by them, so that a caller who could make them could rewrite what replaced what.
    pub const RESERVED: [&str; 5] = [SEMANTIC, SUPERSEDES, FOLLOWS, MERGED_FROM, UNDONE];
}

/// What sort of statement a memory is. It sets how fast the memory fades.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// Something held to be true. The default.
    #[default]
    Fact,
    /// Something taken for true until shown otherwise.
    Assumption,
    /// Something that went wrong. Fades fastest.
    Failure,
    /// A way of doing things. Fades slowest.
    Strategy,
}

impl Category {
    /// All four, in the order of their names.
    pub const ALL: [Self; 4] = [Self::Assumption, Self::Fact, Self::Failure, Self::Strategy];

    /// Reads a category's name.
    ///
    /// # Errors
    /// [`Error::UnknownValue`].
    pub fn parse(text: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|category| category.as_str() == text).ok_or_else(|| Error::UnknownValue {
            field: "category",
            value: limits::excerpt(text),
            allowed: "fact, assumption, failure, strategy",
        })
    }

    /// The category's name, lower case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fact => "fact",
            Self::Assumption => "assumption",
            Self::Failure => "failure",
            Self::Strategy => "strategy",
        }
    }
}

/// How near a memory is to being used: see [`crate::activation`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Retention of at least 0.35.
    #[default]
    Hot,
    /// Retention of at least 0.15.
    Warm,
    /// Archived: found when asked for, or where little else is.
    Cold,
    /// Waiting for a human to say whether it may go.
    Frozen,
}

impl Tier {
    /// All four, from hot to frozen.
    pub const ALL: [Self; 4] = [Self::Hot, Self::Warm, Self::Cold, Self::Frozen];

    /// Reads a tier's name; `field` is the argument it came in.
    ///
    /// # Errors
    /// [`Error::UnknownValue`].
    pub fn parse(field: &'static str, text: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|tier| tier.as_str() == text).ok_or_else(|| Error::UnknownValue {
            field,
            value: limits::excerpt(text),
            allowed: "hot, warm, cold, frozen",
        })
    }

    /// The tier's name, lower case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hot => "hot",
            Self::Warm => "warm",
            Self::Cold => "cold",
            Self::Frozen => "frozen",
        }
    }

    /// 1 for hot to 4 for frozen.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Whether a memory is current.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum State {
    /// Current.
    #[default]
    Active,
    /// No longer current: another memory says it better, or says otherwise.
    Superseded {
        /// The memory that took its place.
        by: MemoryId,
        /// Since when.
        at: Timestamp,
    },
    /// Put away by `forget`. Using it, or a human's word, brings it back.
    Archived {
        /// Since when.
        at: Timestamp,
        /// Why, in the caller's words.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// Active until maintenance asked a human whether it may be deleted: see [`Proposal`]. What was put away by hand, or
    /// superseded, keeps that state while it waits.
    Proposed {
        /// Since when.
        at: Timestamp,
    },
}

impl State {
    /// The state in one word, lower case.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Superseded { .. } => "superseded",
            Self::Archived { .. } => "archived",
            Self::Proposed { .. } => "proposed",
        }
    }

    /// Whether the memory is current, though perhaps put away or waiting for a decision.
    #[must_use]
    pub const fn is_current(&self) -> bool {
        !matches!(self, Self::Superseded { .. })
    }
}

/// Where a memory came from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The program that stored it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The session (conversation, file) it was said in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Its place in that session, from 1 in the order of arrival; 0 without a session.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub position: u32,
    /// Where to read more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    /// Who wrote the present text, where that is not who stored the memory first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub editor: Option<Editor>,
    /// Whether another session than that of the present text has said the same since, or edited the labels. To take back
    /// what the one wrote must not take back what the other did.
    #[serde(default, skip_serializing_if = "is_false")]
    pub shared: bool,
}

/// Who wrote a text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Editor {
    /// The program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
}

impl Source {
    /// The program that wrote the present text.
    #[must_use]
    pub fn text_client(&self) -> Option<&str> {
        self.editor.as_ref().map_or(&self.client, |editor| &editor.client).as_deref()
    }

    /// The session that the present text was written in.
    #[must_use]
    pub fn text_session(&self) -> Option<&str> {
        self.editor.as_ref().map_or(&self.session, |editor| &editor.session).as_deref()
    }

    /// This source, with the present text written by `editor`.
    #[must_use]
    pub(crate) fn written_by(self, editor: Editor) -> Self {
        let first = editor.client == self.client && editor.session == self.session;
        Self { editor: (!first).then_some(editor), shared: false, ..self }
    }

    /// This source, after `session` had a part in the memory without writing its text.
    #[must_use]
    pub(crate) fn shared_with(self, session: Option<&str>) -> Self {
        let another = self.text_session().is_some_and(|of| session != Some(of));
        Self { shared: self.shared || another, ..self }
    }
}

/// One thing remembered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Memory {
    /// Whose memory it is.
    pub scope: Scope,
    /// Its id, unique in the scope.
    pub id: MemoryId,
    /// A free label: note, decision, person ...
    pub kind: Label,
    /// Which curve it fades by.
    pub category: Category,
    /// What is remembered: 1 byte to 64 KiB, not blank.
    pub content: String,
    /// 0..=1: where its strength starts, and how slowly it fades.
    pub importance: f64,
    /// Pinned memories stay hot.
    #[serde(skip_serializing_if = "is_false")]
    pub pinned: bool,
    /// Labels to filter by, sorted, each once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Box<str>>,
    /// The caller's own JSON object, at most 16 KiB.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
    /// Who said or wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Where it came from.
    pub source: Source,
    /// When it happened or was said.
    pub occurred_at: Timestamp,
    /// When it was recorded.
    pub created_at: Timestamp,
    /// When its content, importance, tags or metadata last changed.
    pub updated_at: Timestamp,
    /// Since when it says what it says now: what `as_of` goes by.
    pub valid_from: Timestamp,
    /// When it was last recalled, reinforced or stored again.
    pub last_accessed_at: Timestamp,
    /// When it was last recalled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recalled_at: Option<Timestamp>,
    /// How often it was recalled, reinforced or stored again.
    pub recall_count: u32,
    /// Counts its edits, from 1; use does not count.
    pub version: u32,
    /// Whether it is current.
    #[serde(flatten)]
    pub state: State,
    /// Its tier at the last maintenance. What recall goes by is worked out anew each time.
    pub tier: Tier,
    /// Its vector, where the host embeds with a model of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embedding: Option<Embedding>,
}

/// What names an edge: one edge for each (from, to, relation) in a scope.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EdgeKey {
    /// The scope of both ends.
    #[serde(default)]
    pub scope: Scope,
    /// Where it starts.
    pub from: MemoryId,
    /// Where it ends.
    pub to: MemoryId,
    /// What it says.
    pub relation: Label,
}

/// A typed, weighted, dated link between two memories of one scope.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Edge {
    /// Its ends and its relation.
    #[serde(flatten)]
    pub key: EdgeKey,
    /// How much it carries: above 0, at most 10.
    pub weight: f64,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last made again or used in a recall: its clock.
    pub reinforced_at: Timestamp,
}

/// What maintenance asks a human to decide. Its id is that of the memory it is about.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Proposal {
    /// The scope it is about.
    pub scope: Scope,
    /// The memory that would go.
    pub id: MemoryId,
    /// What would be done with it.
    #[serde(flatten)]
    pub action: ProposedAction,
    /// Why, in a sentence, with the figures.
    pub reason: String,
    /// Since when it waits.
    pub proposed_at: Timestamp,
}

/// What an approved proposal does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum ProposedAction {
    /// The memory is deleted for good.
    Delete,
    /// The memory is superseded by another that says the same; it stays readable.
    Merge {
        /// The memory that stays.
        into: MemoryId,
    },
}

/// What is known of a scope as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScopeStatus {
    /// The scope.
    #[serde(default)]
    pub scope: Scope,
    /// When maintenance last ran.
    pub maintained_at: Timestamp,
}

/// Anything a store keeps and an export holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "snake_case")]
pub enum Record {
    /// A memory.
    Memory(Box<Memory>),
    /// An edge.
    Edge(Edge),
    /// A proposal.
    Proposal(Proposal),
    /// A scope's status.
    Scope(ScopeStatus),
}

// Serde's `skip_serializing_if` hands over a reference.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
fn is_false(flag: &bool) -> bool {
    !flag
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}
