//! What goes into the operations and what comes out. Raw as a caller gives it: the engine checks.

mod control;
mod reembed;
mod review;
mod state;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::{
    label::{Label, MemoryId, Scope},
    record::{Memory, Proposal, Tier},
    time::Timestamp,
};

pub use control::{
    Carried, Carrier, Coming, Ended, Fade, Fading, Gone, History, Kept, Purged, SessionWritten, TextVersion, Undone,
};
pub use reembed::{ReembedInput, Reembedded, Reembedding, Unembedded, VectorKind, Vectors};
pub use review::{Decided, Decision, ReviewItem, Shown};
pub use state::{
    ActiveMemory, Failure, FailureInput, FailureStats, Feature, FeatureStats, Handoff, HandoffInput, ProgressInput,
    Resumed, Standing, Tracked, Trend,
};

/// A vector from the host's own model, as it came.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RawEmbedding {
    /// The model that made it.
    pub model: String,
    /// The values; any length above zero, every value finite.
    pub values: Vec<f32>,
}

/// A link to make from a new memory.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LinkInput {
    /// The memory it leads to; it must exist.
    pub to: String,
    /// What it says; default `related`.
    #[serde(default)]
    pub relation: Option<String>,
    /// Above 0, at most 10; default 1.
    #[serde(default)]
    pub weight: Option<f64>,
}

/// What to remember. Only `content` is needed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RememberInput {
    /// Where; default the scope `default`.
    pub scope: Option<String>,
    /// The caller's own key; storing under a key that exists edits that memory. Default: a ULID.
    pub id: Option<String>,
    /// What to remember: 1 byte to 64 KiB, not blank.
    pub content: String,
    /// A free label; default `note`.
    pub kind: Option<String>,
    /// fact, assumption, failure or strategy; default fact.
    pub category: Option<String>,
    /// 0..=1; default 0.5.
    pub importance: Option<f64>,
    /// Who said or wrote it.
    pub author: Option<String>,
    /// Labels to filter by.
    pub tags: Vec<String>,
    /// A JSON object.
    pub metadata: Map<String, Value>,
    /// The session it was said in: linked to the one before by `follows`.
    pub session: Option<String>,
    /// The program that stores it.
    pub client: Option<String>,
    /// Where to read more.
    pub uri: Option<String>,
    /// When it happened or was said; default now.
    pub occurred_at: Option<Timestamp>,
    /// Links to existing memories.
    pub links: Vec<LinkInput>,
    /// Whether it stays hot.
    pub pinned: bool,
    /// Its vector, where the host embeds.
    pub embedding: Option<RawEmbedding>,
}

/// What became of a new memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resolution {
    /// Stored as a memory of its own.
    Created,
    /// Known already, in the very words: the known one counts up.
    Reinforced,
    /// Known already, in other words, more or less fully: one memory, both texts kept.
    Merged,
    /// The known one is no longer current. Where it has a key of the caller's own, the key's memory says this now, and
    /// its earlier text is kept as a memory that is no longer current.
    Replaced,
    /// The memory of the given id was edited; its earlier text is kept.
    Updated,
    /// It was recalled a moment ago: nothing changed.
    Echo,
    /// It is older than a known statement that says otherwise: kept as what was, superseded by that one.
    Outdated,
}

/// The answer to remember.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Remembered {
    /// The memory that now holds it.
    pub id: MemoryId,
    /// Its scope.
    pub scope: Scope,
    /// What became of it.
    pub resolution: Resolution,
    /// The memory that it was compared with, where that mattered: the one superseded, merged or kept apart from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<MemoryId>,
    /// How alike the two are, 0..=1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
    /// Why, in a few words.
    pub reason: String,
    /// How many edges were made.
    pub links: usize,
    /// How often it has been used or stored again.
    pub recall_count: u32,
    /// How many secrets were left out of what is stored.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub redacted: usize,
}

/// Whether there is nothing to say.
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// How the parts of a score are put together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// The parts that measured best; fading is a small prior.
    #[default]
    Fused,
    /// 0.4 lexical + 0.6 similarity x strength + graph.
    Engram,
}

/// What to recall. Only `query` is needed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecallInput {
    /// Where; default the scope `default`.
    pub scope: Option<String>,
    /// What is looked for, in words: at most 8 KiB, not blank.
    pub query: String,
    /// How many at most, 1 to 1,000; default 5. Outside that it is taken as the nearest bound.
    pub k: Option<i64>,
    /// hot, warm, cold or frozen: the deepest tier to look in. Default: hot and warm, with archived ones filling in.
    pub depth: Option<String>,
    /// Only these kinds; empty: all.
    pub kinds: Vec<String>,
    /// Only memories with all of these tags.
    pub tags: Vec<String>,
    /// The lowest score to return, 0..=1; default by profile.
    pub min_score: Option<f64>,
    /// As the memory stood at this instant; reinforces nothing.
    pub as_of: Option<Timestamp>,
    /// How the score is put together.
    pub profile: Profile,
    /// The query's vector, where the host embeds.
    pub embedding: Option<RawEmbedding>,
    /// Whether to leave every clock as it is: what is recalled is not reinforced.
    pub peek: bool,
    /// Who asks: whom *I* and *my* in the query stand for. At most 256 bytes. Default: the authors `user` and `human`.
    pub asker: Option<String>,
    /// What a second stage, such as a cross-encoder, made of the memories that [`Engine::shortlist`] named: id and
    /// relevance, 0..=1. At most 1,000. A memory that is not among them counts as 0.
    ///
    /// [`Engine::shortlist`]: crate::Engine::shortlist
    pub second_stage: Option<Vec<(String, f64)>>,
}

/// A memory that a second stage is to read.
#[derive(Clone, Debug, PartialEq)]
pub struct Shortlisted {
    /// Its id.
    pub id: MemoryId,
    /// The version of its text.
    pub version: u32,
    /// Who said it.
    pub author: Option<String>,
    /// What it says.
    pub content: String,
}

/// A score and what it is made of. `total` is the sum of the weighted parts, 0..=1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// The sum of the parts below.
    pub total: f64,
    /// BM25 over the best score that the query could reach, weighted.
    pub lexical: f64,
    /// BM25 over what stands around it in its session, weighted.
    #[serde(default)]
    pub session: f64,
    /// Late interaction of the token vectors, weighted.
    pub tokens: f64,
    /// Cosine of the pooled vectors, weighted.
    pub vector: f64,
    /// Whether the one whom the query names said it, or it is about them, weighted.
    pub author: f64,
    /// Whether it is of the time that the query names, weighted.
    pub time: f64,
    /// Whether it has what the query asks for (a time, a number, a name), weighted.
    pub answer: f64,
    /// How much it tells by itself, weighted.
    pub substance: f64,
    /// What came over the graph, weighted.
    pub graph: f64,
    /// Strength, by the forgetting curve, weighted.
    pub strength: f64,
    /// Activation, relative to the scope's highest, weighted.
    pub activation: f64,
    /// What a second stage made of it, weighted; 0 where there was none.
    pub second_stage: f64,
}

/// One memory that answers a query, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    /// The memory as it was before this recall.
    pub memory: Memory,
    /// Its score.
    pub score: Score,
    /// The query's words that it has.
    pub matched: Vec<String>,
    /// The ids from a direct match to this memory, where the graph led to it; else empty.
    pub path: Vec<MemoryId>,
    /// Its tier now.
    pub tier: Tier,
    /// What the tier goes by, 0..=1.
    pub retention: f64,
    /// Days since it happened or was said.
    pub age_days: f64,
}

/// The answer to recall.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Recalled {
    /// Best first; equal scores by id.
    pub hits: Vec<Hit>,
    /// How many archived memories (cold or frozen) match too and are not among the hits.
    pub archived: usize,
    /// What the caller should know, in sentences.
    pub notices: Vec<String>,
}

/// What to change of a memory. What is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct UpdateInput {
    /// Where; default the scope `default`.
    pub scope: Option<String>,
    /// The memory.
    pub id: String,
    /// Its new text; the earlier one is kept as superseded.
    pub content: Option<String>,
    /// 0..=1.
    pub importance: Option<f64>,
    /// All its tags.
    pub tags: Option<Vec<String>>,
    /// All its metadata.
    pub metadata: Option<Map<String, Value>>,
    /// The program that edits it.
    pub client: Option<String>,
    /// The session it is edited in.
    pub session: Option<String>,
    /// The version that the caller read: another one now is [`crate::Error::Stale`].
    pub if_version: Option<u32>,
    /// The new text's vector, where the host embeds.
    pub embedding: Option<RawEmbedding>,
}

/// An edge to make or to make again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ConnectInput {
    /// Where; default the scope `default`.
    pub scope: Option<String>,
    /// Where it starts.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// What it says; default `related`.
    pub relation: Option<String>,
    /// Above 0, at most 10; default 1.
    pub weight: Option<f64>,
}

/// The answer to connect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Connected {
    /// Where it starts.
    pub from: MemoryId,
    /// Where it ends.
    pub to: MemoryId,
    /// What it says.
    pub relation: Label,
    /// Its weight now.
    pub weight: f64,
    /// Whether it is new; else its clock was reset.
    pub created: bool,
}

/// The answer to update, reinforce, forget, pin and restore: the memory as it is now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Touched {
    /// The memory as it will be once committed.
    pub memory: Memory,
    /// Its tier then.
    pub tier: Tier,
    /// What the tier goes by, 0..=1.
    pub retention: f64,
    /// How many secrets were left out of what is stored.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub redacted: usize,
    /// What a restore has put behind it, since of both only one can hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub superseded: Vec<MemoryId>,
}

/// One memory near another in the graph.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Neighbor {
    /// The memory.
    pub memory: Memory,
    /// Steps from the start, from 1.
    pub distance: usize,
    /// The relation of the edge that led to it.
    pub relation: Label,
    /// Whether that edge points towards it.
    pub outgoing: bool,
    /// That edge's weight after decay.
    pub weight: f64,
    /// The memory it was reached from.
    pub via: MemoryId,
    /// Its tier now.
    pub tier: Tier,
}

/// A page of answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Page<T> {
    /// The entries.
    pub items: Vec<T>,
    /// How many there are in all.
    pub total: usize,
    /// What to hand in for the next page, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// A memory whose tier changed since the last maintenance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TierMove {
    /// The memory.
    pub id: MemoryId,
    /// Its tier at the last maintenance.
    pub from: Tier,
    /// Its tier now.
    pub to: Tier,
}

/// What maintenance did, or would do.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Maintained {
    /// Whether nothing was changed.
    pub dry_run: bool,
    /// How many memories were looked at.
    pub examined: usize,
    /// Tier changes, by id.
    pub moved: Vec<TierMove>,
    /// New proposals, by id.
    pub proposed: Vec<Proposal>,
    /// Proposals taken back since their memory is in use again, by id.
    pub withdrawn: Vec<MemoryId>,
}

/// The tier of each current memory of a scope, by id; in JSON an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CurrentTiers(pub Vec<(MemoryId, Tier)>);

impl CurrentTiers {
    /// The tier of a memory; `None` where it is not current.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<Tier> {
        let place = self.0.binary_search_by(|(known, _)| known.as_str().cmp(id));
        place.ok().map(|place| self.0[place].1)
    }
}

impl Serialize for CurrentTiers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(id, tier)| (id, tier)))
    }
}

/// Figures of one scope.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stats {
    /// The scope.
    pub scope: Scope,
    /// Memories of every state.
    pub memories: usize,
    /// Memories by state.
    pub states: BTreeMap<String, usize>,
    /// Current memories by tier, all four named.
    pub tiers: BTreeMap<String, usize>,
    /// Current memories that are archived: cold or frozen.
    pub archived: usize,
    /// Current memories by kind.
    pub kinds: BTreeMap<String, usize>,
    /// Current memories by category.
    pub categories: BTreeMap<String, usize>,
    /// Pinned memories.
    pub pinned: usize,
    /// Edges.
    pub edges: usize,
    /// Proposals that wait for a human and still hold: as many as the review queue has.
    pub proposals: usize,
    /// Mean strength of the current memories, 0..=1.
    pub average_strength: f64,
    /// When maintenance last ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maintained_at: Option<Timestamp>,
    /// Failures on record.
    pub failures: FailureStats,
    /// Features on record.
    pub features: FeatureStats,
    /// The last 7 days.
    pub week: Trend,
    /// The last 30 days.
    pub month: Trend,
}

/// When a memory reaches each tier if nothing is used any more: days from now; `None`: never.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Forecast {
    /// Its tier now.
    pub tier: Tier,
    /// What the tier goes by now, 0..=1.
    pub retention: f64,
    /// Days until it is no longer hot.
    pub warm: Option<f64>,
    /// Days until it is archived.
    pub cold: Option<f64>,
    /// Days until it waits for a human.
    pub frozen: Option<f64>,
}
