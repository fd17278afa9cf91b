//! The arguments of each tool. The schemas that clients see derive from these types, and so do the checks.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

/// `remember`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Remember {
    /// What to remember: one self-contained statement, up to 64 KiB
    pub(super) content: String,
    /// Free lower-case label: note (default), decision, preference, person, task ...
    pub(super) kind: Option<String>,
    /// How fast it fades; default fact
    #[schemars(extend("enum" = ["fact", "assumption", "failure", "strategy"]))]
    pub(super) category: Option<String>,
    /// 0 to 1; default 0.5. Higher fades slower
    pub(super) importance: Option<f64>,
    /// Your own key, such as decision:pricing; a key that exists is edited
    pub(super) id: Option<String>,
    /// Who said or wrote it
    pub(super) author: Option<String>,
    pub(super) tags: Option<Vec<String>>,
    /// Any JSON object
    pub(super) metadata: Option<Map<String, Value>>,
    /// This conversation's name
    pub(super) session: Option<String>,
    /// When it happened: RFC 3339 or YYYY-MM-DD; default now
    pub(super) occurred_at: Option<String>,
    /// Links to memories that exist
    pub(super) links: Option<Vec<Link>>,
    pub(super) scope: Option<String>,
}

/// One entry of `links`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Link {
    /// A memory's id
    pub(super) to: String,
    pub(super) relation: Option<String>,
    pub(super) weight: Option<f64>,
}

/// `recall`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Recall {
    /// What to look for, in words
    pub(super) query: String,
    /// How many at most; default 5
    pub(super) k: Option<i64>,
    /// Deepest tier to search; default hot and warm, cold filling in
    #[schemars(extend("enum" = ["hot", "warm", "cold", "frozen"]))]
    pub(super) depth: Option<String>,
    /// Only these kinds
    pub(super) kinds: Option<Vec<String>>,
    /// Only memories with all of these
    pub(super) tags: Option<Vec<String>>,
    /// 0 to 1: lowest score to return
    pub(super) min_score: Option<f64>,
    /// What was known then: RFC 3339 or YYYY-MM-DD
    pub(super) as_of: Option<String>,
    pub(super) scope: Option<String>,
}

/// `track_failure`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct TrackFailure {
    /// The message, or what was seen
    pub(super) error: String,
    /// The part that failed: auth, ci ...
    pub(super) component: String,
    /// Default major
    #[schemars(extend("enum" = ["critical", "major", "minor"]))]
    pub(super) severity: Option<String>,
    pub(super) root_cause: Option<String>,
    /// What mended it
    pub(super) fix: Option<String>,
    pub(super) related_test_ids: Option<Vec<String>>,
    /// This conversation's name
    pub(super) session: Option<String>,
    pub(super) scope: Option<String>,
}

/// `track_progress`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct TrackProgress {
    pub(super) feature: String,
    #[schemars(extend("enum" = ["planning", "in_progress", "blocked", "review", "done"]))]
    pub(super) status: String,
    /// 0 to 100
    pub(super) completion: Option<f64>,
    pub(super) blockers: Option<Vec<String>>,
    /// 0 to 1
    pub(super) quality_score: Option<f64>,
    pub(super) notes: Option<String>,
    /// This conversation's name
    pub(super) session: Option<String>,
    pub(super) scope: Option<String>,
}

/// `handoff`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Handoff {
    /// The session in a paragraph
    pub(super) summary: String,
    pub(super) completed: Option<Vec<String>>,
    pub(super) in_progress: Option<Vec<String>>,
    pub(super) blocked: Option<Vec<String>>,
    pub(super) next_steps: Option<Vec<String>>,
    /// This conversation's name
    pub(super) session: Option<String>,
    pub(super) scope: Option<String>,
}

/// `resume`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Resume {
    /// Characters; default 2000
    pub(super) budget: Option<i64>,
    pub(super) scope: Option<String>,
}

/// `update`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Update {
    pub(super) id: String,
    /// The new text
    pub(super) content: Option<String>,
    /// 0 to 1
    pub(super) importance: Option<f64>,
    /// All its tags
    pub(super) tags: Option<Vec<String>>,
    /// All its metadata
    pub(super) metadata: Option<Map<String, Value>>,
    /// This conversation's name
    pub(super) session: Option<String>,
    pub(super) scope: Option<String>,
}

/// `connect`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Connect {
    /// A memory's id
    pub(super) from: String,
    /// Another memory's id
    pub(super) to: String,
    /// Free lower-case label; default related
    pub(super) relation: Option<String>,
    /// Above 0, at most 10; default 1
    pub(super) weight: Option<f64>,
    pub(super) scope: Option<String>,
}

/// `reinforce`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Reinforce {
    pub(super) id: String,
    pub(super) scope: Option<String>,
}

/// `forget`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Forget {
    pub(super) id: String,
    /// Why
    pub(super) reason: Option<String>,
    pub(super) scope: Option<String>,
}

/// `neighbors`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Neighbors {
    pub(super) id: String,
    /// Steps; default 1
    pub(super) depth: Option<i64>,
    /// Entries on a page
    pub(super) limit: Option<i64>,
    /// From the page before
    pub(super) cursor: Option<String>,
    pub(super) scope: Option<String>,
}

/// `pin`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Pin {
    pub(super) id: String,
    /// Default true; false unpins
    pub(super) pinned: Option<bool>,
    pub(super) scope: Option<String>,
}

/// `maintain`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Maintain {
    /// Only say what would happen; default false
    pub(super) dry_run: Option<bool>,
    pub(super) scope: Option<String>,
}

/// `review_queue`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct ReviewQueue {
    /// Ask the human now
    pub(super) ask: Option<bool>,
    /// Entries on a page
    pub(super) limit: Option<i64>,
    /// From the page before
    pub(super) cursor: Option<String>,
    pub(super) scope: Option<String>,
}

/// `stats`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Stats {
    pub(super) scope: Option<String>,
}
