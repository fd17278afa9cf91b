//! What was, what will be, and what is taken back or removed for good.

use serde::{Deserialize, Serialize};

use crate::{
    label::{Label, MemoryId, Scope},
    record::{Category, Tier},
    time::Timestamp,
};

/// The answer to history: what a memory said before, and what it took the place of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct History {
    /// The id that was asked for.
    pub asked: MemoryId,
    /// The memory that holds in its place: itself, where nothing took it.
    pub current: MemoryId,
    /// Every text that led to the current one, oldest first; the current one is the last.
    pub versions: Vec<TextVersion>,
}

/// One text of a memory's history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TextVersion {
    /// The memory that keeps it.
    pub id: MemoryId,
    /// What it says.
    pub content: String,
    /// Since when it held.
    pub since: Timestamp,
    /// Until when; `None`: it still holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
    /// Its state in one word.
    pub state: String,
    /// The memory that took its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<MemoryId>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Ended>,
    /// Who said or wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The program that wrote the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The session it was written in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
}

/// Why a text no longer holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// The memory's text was edited.
    Edited,
    /// It says the same as the memory that stands for both.
    Merged,
    /// Another memory contradicts it, or was said to supersede it.
    Replaced,
    /// The session that wrote it was undone.
    Undone,
}

impl Ended {
    /// The reason in one word, lower case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Edited => "edited",
            Self::Merged => "merged",
            Self::Replaced => "replaced",
            Self::Undone => "undone",
        }
    }
}

/// What will become of a scope if nothing in it is used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fading {
    /// The scope.
    pub scope: Scope,
    /// How far the forecast looks, in days.
    pub within_days: f64,
    /// What comes, soonest first, then by id; no more than were asked for.
    pub coming: Vec<Coming>,
    /// How many memories will be archived within that time.
    pub archived: usize,
    /// How many will be proposed for deletion within that time.
    pub proposed: usize,
}

/// One memory that will sink.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coming {
    /// The memory.
    pub id: MemoryId,
    /// What will become of it.
    pub fade: Fade,
    /// In how many days, to a hundredth; 0: it is due at the next maintenance.
    pub days: f64,
    /// When.
    pub at: Timestamp,
    /// Its tier now.
    pub tier: Tier,
    /// What the tier goes by now, 0..=1.
    pub retention: f64,
    /// Its label.
    pub kind: Label,
    /// Which curve it fades by.
    pub category: Category,
    /// What it says.
    pub content: String,
}

/// What becomes of a memory that is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fade {
    /// It is no longer recalled by default.
    Archived,
    /// A human is asked whether it may be deleted.
    Proposed,
}

/// A session that wrote memories of a scope.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionWritten {
    /// Its name.
    pub session: String,
    /// The program that it was in, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// When it first wrote.
    pub first_at: Timestamp,
    /// When it last wrote.
    pub last_at: Timestamp,
    /// How many memories it stored or edited.
    pub memories: usize,
}

/// The answer to undo.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Undone {
    /// The session.
    pub session: String,
    /// Whether nothing was changed.
    pub dry_run: bool,
    /// Memories of the session that are put away, by id.
    pub archived: Vec<MemoryId>,
    /// Memories of the session that stand behind what they had replaced, by id.
    pub superseded: Vec<MemoryId>,
    /// Memories of others that hold again, by id.
    pub restored: Vec<MemoryId>,
    /// Memories of others whose text is the earlier one again, by id.
    pub reverted: Vec<MemoryId>,
    /// How many links the session had made that are gone.
    pub unlinked: usize,
    /// What is not undone, and why, by id.
    pub kept: Vec<Kept>,
}

/// A memory that the session had a part in, and that stays as it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// The memory.
    pub id: MemoryId,
    /// Why.
    pub reason: String,
}

/// The answer to purge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Purged {
    /// The scope.
    pub scope: Scope,
    /// When.
    pub at: Timestamp,
    /// What is gone, in the order asked for, then what went along as its carriers, by id.
    pub gone: Vec<Gone>,
    /// What stays and carries a part of it, by id.
    pub carriers: Vec<Carrier>,
}

/// One memory that is gone for good, and where it was. It holds no text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gone {
    /// The memory.
    pub id: MemoryId,
    /// The earlier texts that were kept behind it and went along.
    pub versions: Vec<MemoryId>,
    /// How many edges it and its versions had.
    pub edges: usize,
    /// How many proposals were about it, its versions, or merging into them.
    pub proposals: usize,
}

/// A memory that says what a purged one said, in whole or in other words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Carrier {
    /// The memory.
    pub id: MemoryId,
    /// The purged memory that it carries.
    pub of: MemoryId,
    /// How.
    pub how: Carried,
}

/// How a memory carries another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Carried {
    /// The purged one was merged into it.
    MergedInto,
    /// It was merged into the purged one.
    MergedFrom,
    /// Its text contains that of the purged one.
    Contains,
    /// Its tags, its metadata at any depth, where it came from or why it was put away contain the text of the purged
    /// one.
    Mentions,
}

impl Carried {
    /// How, in words that follow the carrier's id.
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::MergedInto => "says the same: it was merged into it",
            Self::MergedFrom => "says the same: it was merged from it",
            Self::Contains => "contains its text",
            Self::Mentions => "has its text in its tags, metadata, source or reason",
        }
    }
}
