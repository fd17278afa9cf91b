//! What a human is asked, and what an answer does.

use serde::{Deserialize, Serialize};

use crate::{
    label::MemoryId,
    record::{Memory, Proposal},
};

/// A proposal with the memory it is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReviewItem {
    /// What is proposed and why.
    pub proposal: Proposal,
    /// The memory as it is.
    pub memory: Memory,
    /// What its tier goes by now, 0..=1.
    pub retention: f64,
    /// How many earlier versions of it are kept, which a deletion takes along.
    #[serde(default)]
    pub versions: usize,
    /// Whether it still holds. What has been used, linked to or pinned since is not deleted: the next maintenance takes
    /// such a proposal back.
    pub holds: bool,
}

/// A human's answer to a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Do what is proposed.
    Approve,
    /// Keep the memory as it was before it was proposed; its clock is reset, so that it is not proposed again at once.
    Reject,
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
    /// Every memory that is gone for good: it and its earlier versions. Empty where nothing was deleted.
    #[serde(default)]
    pub deleted: Vec<MemoryId>,
}
