//! What a human is asked, and what an answer does.

use serde::{Deserialize, Serialize};

use crate::{
    change::Channel,
    label::MemoryId,
    record::{Memory, Proposal, ProposedAction},
    time::Timestamp,
};

/// A proposal with the memory it is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReviewItem {
    /// What is proposed and why: as it stands now, not as it stood when it was proposed.
    pub proposal: Proposal,
    /// The memory as it is.
    pub memory: Memory,
    /// What its tier goes by now, 0..=1.
    pub retention: f64,
    /// How many earlier versions of it are kept, which a deletion takes along.
    #[serde(default)]
    pub versions: usize,
    /// Whether it still holds. What has been used, linked to or pinned since is not deleted: the next maintenance takes
    /// such a proposal back, and no list has it.
    pub holds: bool,
    /// Where it no longer holds because a neighbour is in use: that one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_by: Option<MemoryId>,
    /// Of a merge, the memory that stays, as it is: a human weighs both texts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub survivor: Option<Box<Memory>>,
}

/// A human's answer to a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Do what is proposed.
    Approve,
    /// Keep the memory as it was before it was proposed; its clock is reset, so that it is not proposed again at once.
    Reject,
    /// Keep it, and pin it, so that it is never proposed again.
    Pin,
}

/// The proposal as a human was shown it: an answer is about this and about nothing that it may have become meanwhile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// The memory.
    pub id: MemoryId,
    /// Its version then.
    pub version: u32,
    /// Since when the proposal had waited.
    pub proposed_at: Timestamp,
    /// What was proposed.
    pub action: ProposedAction,
    /// Of a merge, the version of the memory that stays, where it was shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub into_version: Option<u32>,
}

impl From<&ReviewItem> for Shown {
    fn from(item: &ReviewItem) -> Self {
        let ReviewItem { proposal, memory, survivor, .. } = item;
        Self {
            id: memory.id.clone(),
            version: memory.version,
            proposed_at: proposal.proposed_at,
            action: proposal.action.clone(),
            into_version: survivor.as_ref().map(|survivor| survivor.version),
        }
    }
}

/// What a decision did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    /// The memory it was about.
    pub id: MemoryId,
    /// What was proposed.
    pub proposal: Proposal,
    /// What was decided.
    pub decision: Decision,
    /// How the decision came.
    pub channel: Channel,
    /// Every memory that is gone for good: it and its earlier versions. Empty where nothing was deleted.
    #[serde(default)]
    pub deleted: Vec<MemoryId>,
}
