//! What an agent keeps of its work: failures, progress, handoffs, and the reading of them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    label::{MemoryId, Scope},
    operation::RawEmbedding,
    time::Timestamp,
};

/// Something that went wrong. `error` and `component` are needed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FailureInput {
    /// Where; default the scope `default`.
    pub scope: Option<String>,
    /// The message or what was seen. At most 4,096 bytes as JSON.
    pub error: String,
    /// The part that failed: `auth`, `ci`. At most 256 bytes.
    pub component: String,
    /// critical, major or minor. Default: as it was, major for a new one.
    pub severity: Option<String>,
    /// Why it failed. At most 2,048 bytes as JSON.
    pub root_cause: Option<String>,
    /// What mended it. At most 2,048 bytes as JSON.
    pub fix: Option<String>,
    /// Tests that show it, each at most 256 bytes as JSON; added to those known. The last 32 are kept, as far as 3,400 bytes go.
    pub related_test_ids: Vec<String>,
    /// The session it was seen in.
    pub session: Option<String>,
    /// The program that tells it.
    pub client: Option<String>,
    /// The vector of [`Engine::failure_text`](crate::Engine::failure_text), where the host embeds.
    pub embedding: Option<RawEmbedding>,
}

/// Where a feature stands. `feature` and `status` are needed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProgressInput {
    /// Where; default the scope `default`.
    pub scope: Option<String>,
    /// Its name; names that differ in case or spaces alone are one. At most 200 bytes.
    pub feature: String,
    /// planning, in_progress, blocked, review or done.
    pub status: String,
    /// Percent, 0 to 100. Default: as it was; 100 where it is done, 0 where it is new.
    pub completion: Option<f64>,
    /// What is in the way now.
    pub blockers: Vec<String>,
    /// How good it is, 0..=1. Default: as it was.
    pub quality_score: Option<f64>,
    /// Anything else.
    pub notes: Option<String>,
    /// The session that tells it.
    pub session: Option<String>,
    /// The program that tells it.
    pub client: Option<String>,
    /// The vector of [`Engine::progress_text`](crate::Engine::progress_text), where the host embeds.
    pub embedding: Option<RawEmbedding>,
}

/// What the next session should know. `summary` is needed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct HandoffInput {
    /// Where; default the scope `default`.
    pub scope: Option<String>,
    /// The session in a paragraph.
    pub summary: String,
    /// What was finished.
    pub completed: Vec<String>,
    /// What was begun.
    pub in_progress: Vec<String>,
    /// What is stuck, and on what.
    pub blocked: Vec<String>,
    /// What to do next.
    pub next_steps: Vec<String>,
    /// The session that ends.
    pub session: Option<String>,
    /// The program that tells it.
    pub client: Option<String>,
    /// The vector of [`Engine::handoff_text`](crate::Engine::handoff_text), where the host embeds.
    pub embedding: Option<RawEmbedding>,
}

/// What became of a failure, a progress report or a handoff.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tracked {
    /// The memory that holds it.
    pub id: MemoryId,
    /// Its scope.
    pub scope: Scope,
    /// Whether it is a new record; else a known one was brought up to date.
    pub created: bool,
    /// How often it was reported: of a failure, how often it happened.
    pub count: u32,
    /// What it says now.
    pub content: String,
    /// What mended the failure an earlier time, where that is known and not told just now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
    /// Why, in a few words.
    pub reason: String,
    /// How many secrets were left out of what is stored.
    #[serde(default, skip_serializing_if = "super::is_zero")]
    pub redacted: usize,
}

/// The newest handoff that is still valid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Handoff {
    /// The memory that holds it.
    pub id: MemoryId,
    /// The session in a paragraph.
    pub summary: String,
    /// What was finished.
    pub completed: Vec<String>,
    /// What was begun.
    pub in_progress: Vec<String>,
    /// What is stuck, and on what.
    pub blocked: Vec<String>,
    /// What to do next.
    pub next_steps: Vec<String>,
    /// The session that ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// When it was written.
    pub at: Timestamp,
}

/// A feature that is not done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Feature {
    /// The memory that holds it.
    pub id: MemoryId,
    /// Its name.
    pub feature: String,
    /// planning, in_progress, blocked, review or done.
    pub status: String,
    /// Percent, 0 to 100.
    pub completion: f64,
    /// What is in the way.
    pub blockers: Vec<String>,
    /// How good it is, 0..=1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality_score: Option<f64>,
    /// Anything else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// When it was last reported.
    pub at: Timestamp,
}

/// A failure that is not known to be mended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// The memory that holds it.
    pub id: MemoryId,
    /// The message or what was seen.
    pub error: String,
    /// The part that failed.
    pub component: String,
    /// critical, major or minor.
    pub severity: String,
    /// How often it happened.
    pub count: u32,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root_cause: Option<String>,
    /// What mended it an earlier time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
    /// When it last happened.
    pub at: Timestamp,
}

/// A memory that is much in use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ActiveMemory {
    /// The memory.
    pub id: MemoryId,
    /// What it says, cut to 300 characters.
    pub content: String,
    /// What its tier goes by, 0..=1.
    pub retention: f64,
}

/// What a new session starts from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Resumed {
    /// The scope.
    pub scope: Scope,
    /// All of it in at most as many characters as the budget says, the most pressing first.
    pub text: String,
    /// The newest handoff that is not too old.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handoff: Option<Handoff>,
    /// Open features, the latest report first; at most 100.
    pub features: Vec<Feature>,
    /// Unresolved failures, the gravest first, then the latest; at most 100.
    pub failures: Vec<Failure>,
    /// The memories most in use, the most used first.
    pub active: Vec<ActiveMemory>,
    /// How many entries did not fit in the text.
    pub left_out: usize,
}

/// What stats says of failures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailureStats {
    /// Failures on record.
    pub total: usize,
    /// Those not known to be mended.
    pub unresolved: usize,
    /// By component.
    pub by_component: BTreeMap<String, usize>,
    /// By severity.
    pub by_severity: BTreeMap<String, usize>,
}

/// Where a feature stands, for stats.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// planning, in_progress, blocked or review.
    pub status: String,
    /// Percent, 0 to 100.
    pub completion: f64,
}

/// What stats says of features.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FeatureStats {
    /// Features on record.
    pub tracked: usize,
    /// Those not done, by name.
    pub active: BTreeMap<String, Standing>,
}

/// What happened in the last days.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trend {
    /// Memories stored.
    pub stored: usize,
    /// Memories that are current and were last used then, by recall, by hand or by storing them again.
    pub used: usize,
    /// Memories that were superseded.
    pub superseded: usize,
}
