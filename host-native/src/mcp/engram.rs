//! The tools of the older system Engram under its names, with its arguments and answers of its shape, so that what was
//! written for it keeps working. Its `user_id` is a scope. Where it deleted by itself, a proposal waits for a human.

use std::collections::BTreeMap;

use ebbtrace_core::{
    FailureInput, HandoffInput, Hit, MemoryId, ProgressInput, ProposedAction, RecallInput, RememberInput, Resolution,
    UpdateInput, limits,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    answer::{Answer, Speak, most},
    calls::Call,
    outcomes::{is_zero, left_out},
    refusal::Refusal,
    text, times,
};

/// `recall_memory`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct RecallMemory {
    /// Keywords or a sentence to search for
    query: String,
    /// Whose memory; default: the server's scope
    user_id: Option<String>,
    /// How many at most; default 5
    top_k: Option<i64>,
}

/// `store_memory`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct StoreMemory {
    /// One sentence is best
    content: String,
    /// 0 to 1
    importance: f64,
    /// How fast it fades; default fact
    #[schemars(extend("enum" = ["fact", "assumption", "failure", "strategy"]))]
    category: Option<String>,
    user_id: Option<String>,
    /// Any JSON object
    metadata: Option<Map<String, Value>>,
}

/// `update_memory`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct UpdateMemory {
    /// As recall_memory and store_memory give it
    memory_id: String,
    new_content: String,
    /// 0 to 1
    importance: Option<f64>,
    user_id: Option<String>,
}

/// `consolidate_memory`, `memory_stats`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct OfUser {
    user_id: Option<String>,
}

/// `session_handoff`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct SessionHandoff {
    /// The session in a paragraph
    summary: String,
    completed: Option<Vec<String>>,
    in_progress: Option<Vec<String>>,
    blocked: Option<Vec<String>>,
    next_steps: Option<Vec<String>>,
    user_id: Option<String>,
}

/// `track_failure`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct TrackFailure {
    error: String,
    /// The part that failed: auth, payment, ci-pipeline ...
    component: String,
    root_cause: Option<String>,
    #[schemars(extend("enum" = ["critical", "major", "minor"]))]
    severity: Option<String>,
    fix: Option<String>,
    related_test_ids: Option<Vec<String>>,
    user_id: Option<String>,
}

/// `track_progress`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct TrackProgress {
    feature: String,
    #[schemars(extend("enum" = ["planning", "in_progress", "blocked", "review", "done"]))]
    status: String,
    /// 0 to 100
    completion: Option<f64>,
    blockers: Option<Vec<String>>,
    /// 0 to 1
    quality_score: Option<f64>,
    notes: Option<String>,
    user_id: Option<String>,
}

/// What was found.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Recalled {
    memories_found: usize,
    memories: Vec<Found>,
    about: String,
}

/// One memory that was found.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Found {
    id: String,
    content: String,
    category: String,
    importance: f64,
    strength: f64,
    similarity: f64,
    score: f64,
    #[serde(skip_serializing_if = "Map::is_empty")]
    metadata: Map<String, Value>,
}

/// What a tool did, in a sentence, and to which memory.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Done {
    result: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_id: Option<String>,
    #[serde(skip_serializing_if = "is_zero")]
    redacted: usize,
}

/// What could be merged.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Consolidated {
    result: String,
    details: Vec<Merge>,
}

/// One merge that waits for a human.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Merge {
    kept: String,
    /// What is gone by it: nothing before the human agrees.
    removed: [String; 0],
    /// What stays says
    content: String,
    proposed: String,
    reason: String,
}

/// Figures of a scope.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Figures {
    total: usize,
    categories: BTreeMap<String, usize>,
    avg_strength: f64,
    last_maintenance: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    engineering: Option<Engineering>,
}

/// Figures of an agent's work.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Engineering {
    #[serde(skip_serializing_if = "Option::is_none")]
    failures: Option<Failures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    features: Option<Features>,
}

/// Failures on record.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Failures {
    total: usize,
    by_component: BTreeMap<String, usize>,
    by_severity: BTreeMap<String, usize>,
}

/// Features on record.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Features {
    total_tracked: usize,
    active: BTreeMap<String, Standing>,
}

/// Where a feature stands.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Standing {
    status: String,
    completion: f64,
}

/// Engram answered with its JSON as text.
macro_rules! speaks_json {
    ($($answer:ty),*) => {$(
        impl Speak for $answer {
            fn text(&self) -> String {
                serde_json::to_string(self).map(|json| escaped(&json)).unwrap_or_default()
            }
        }
    )*};
}

speaks_json!(Recalled, Done, Consolidated, Figures);

/// `recall_memory`
pub(super) fn recall_memory(mut call: Call<'_>) -> Result<Answer, Refusal> {
    let given: RecallMemory = call.read()?;
    let scope = call.scope(given.user_id)?;
    let k = given.top_k.map(|k| k.clamp(1, 100));
    let recalled = call.service.recall(RecallInput { scope, query: given.query, k, ..RecallInput::default() })?;
    let shares = call.service.config()?.recall;
    let unweighted = |part: f64, share: f64| if share > 0.0 { text::round(part / share) } else { 0.0 };
    let found = |hit: &Hit, characters: usize| Found {
        id: hit.memory.id.to_string(),
        content: shortened(&hit.memory.content, characters),
        category: hit.memory.category.as_str().to_owned(),
        importance: hit.memory.importance,
        strength: unweighted(hit.score.strength, shares.strength),
        similarity: unweighted(hit.score.vector, shares.vector),
        score: text::round(hit.score.total),
        metadata: hit.memory.metadata.clone(),
    };
    let say = |entries: usize, characters: usize| {
        let memories = recalled.hits[..entries].iter().map(|hit| found(hit, characters)).collect();
        Recalled { memories_found: recalled.hits.len(), memories, about: text::DATA.to_owned() }.answer()
    };
    Ok(most(recalled.hits.len(), call.characters, say)?.1)
}

/// `store_memory`
pub(super) fn store_memory(mut call: Call<'_>) -> Result<Answer, Refusal> {
    let given: StoreMemory = call.read()?;
    let stored = call.service.remember(RememberInput {
        scope: call.scope(given.user_id)?,
        content: given.content,
        importance: Some(given.importance),
        category: given.category,
        metadata: given.metadata.unwrap_or_default(),
        client: call.client,
        ..RememberInput::default()
    })?;
    let done = match stored.resolution {
        Resolution::Created => "Stored new memory",
        Resolution::Reinforced => "Reinforced existing memory",
        Resolution::Merged => "Merged into existing memory",
        Resolution::Replaced => "Replaced contradicting memory",
        Resolution::Updated => "Updated existing memory",
        Resolution::Echo => "No action taken: it was recalled a moment ago",
        Resolution::Outdated => "Stored as history: a later memory says otherwise",
    };
    done_to(done, &stored.id, stored.redacted).answer()
}

/// `update_memory`
pub(super) fn update_memory(mut call: Call<'_>) -> Result<Answer, Refusal> {
    let given: UpdateMemory = call.read()?;
    let touched = call.service.update(UpdateInput {
        scope: call.scope(given.user_id)?,
        id: given.memory_id,
        content: Some(given.new_content),
        importance: given.importance,
        ..UpdateInput::default()
    })?;
    let (id, redacted) = (&touched.memory.id, touched.redacted);
    let result = format!("Updated memory (id={id}){}", left_out(redacted));
    Done { result, memory_id: None, redacted }.answer()
}

/// `session_handoff`
pub(super) fn session_handoff(mut call: Call<'_>) -> Result<Answer, Refusal> {
    let given: SessionHandoff = call.read()?;
    let tracked = call.service.handoff(HandoffInput {
        scope: call.scope(given.user_id)?,
        summary: given.summary,
        completed: given.completed.unwrap_or_default(),
        in_progress: given.in_progress.unwrap_or_default(),
        blocked: given.blocked.unwrap_or_default(),
        next_steps: given.next_steps.unwrap_or_default(),
        client: call.client,
        ..HandoffInput::default()
    })?;
    done_to("Session handoff recorded", &tracked.id, tracked.redacted).answer()
}

/// `track_failure`
pub(super) fn track_failure(mut call: Call<'_>) -> Result<Answer, Refusal> {
    let given: TrackFailure = call.read()?;
    let tracked = call.service.track_failure(FailureInput {
        scope: call.scope(given.user_id)?,
        error: given.error,
        component: given.component,
        severity: given.severity,
        root_cause: given.root_cause,
        fix: given.fix,
        related_test_ids: given.related_test_ids.unwrap_or_default(),
        client: call.client,
        ..FailureInput::default()
    })?;
    done_to("Failure tracked", &tracked.id, tracked.redacted).answer()
}

/// `track_progress`
pub(super) fn track_progress(mut call: Call<'_>) -> Result<Answer, Refusal> {
    let given: TrackProgress = call.read()?;
    let tracked = call.service.track_progress(ProgressInput {
        scope: call.scope(given.user_id)?,
        feature: given.feature,
        status: given.status,
        completion: given.completion,
        blockers: given.blockers.unwrap_or_default(),
        quality_score: given.quality_score,
        notes: given.notes,
        client: call.client,
        ..ProgressInput::default()
    })?;
    done_to("Progress tracked", &tracked.id, tracked.redacted).answer()
}

/// `consolidate_memory`: proposes what it merged by itself.
pub(super) fn consolidate_memory(mut call: Call<'_>) -> Result<Answer, Refusal> {
    let given: OfUser = call.read()?;
    let scope = call.scope(given.user_id)?;
    let done = call.service.maintain(scope.as_deref(), false)?;
    let says = |id: &MemoryId| {
        let memory = call.service.memory(scope.as_deref(), id.as_str());
        memory.map_or_else(|_| String::new(), |memory| memory.content)
    };
    let merges: Vec<Merge> = done
        .proposed
        .iter()
        .filter_map(|proposal| match &proposal.action {
            ProposedAction::Merge { into } => Some(Merge {
                kept: into.to_string(),
                removed: [],
                content: says(into),
                proposed: proposal.id.to_string(),
                reason: text::line(&proposal.reason),
            }),
            ProposedAction::Delete => None,
        })
        .collect();
    let say = |listed: usize, characters: usize| {
        let result = match merges.len() {
            0 => "No similar memories found to consolidate".to_owned(),
            many => format!("{many} merge(s) proposed; a human decides with `ebbtrace review`"),
        };
        let cut = |merge: &Merge| Merge { content: shortened(&merge.content, characters), ..merge.clone() };
        Consolidated { result, details: merges[..listed].iter().map(cut).collect() }.answer()
    };
    Ok(most(merges.len(), call.characters, say)?.1)
}

/// `memory_stats`
pub(super) fn memory_stats(mut call: Call<'_>) -> Result<Answer, Refusal> {
    let given: OfUser = call.read()?;
    let stats = call.service.stats(call.scope(given.user_id)?.as_deref())?;
    let current: usize = stats.categories.values().sum();
    let failures = (stats.failures.total > 0).then_some(Failures {
        total: stats.failures.total,
        by_component: stats.failures.by_component,
        by_severity: stats.failures.by_severity,
    });
    let active = stats.features.active.into_iter();
    let active = active.map(|(name, at)| (name, Standing { status: at.status, completion: at.completion }));
    let features = (stats.features.tracked > 0)
        .then(|| Features { total_tracked: stats.features.tracked, active: active.collect() });
    let engineering = Engineering { failures, features };
    let any = engineering.failures.is_some() || engineering.features.is_some();
    Figures {
        total: current,
        categories: stats.categories.into_iter().filter(|(_, count)| *count > 0).collect(),
        avg_strength: text::round(stats.average_strength),
        last_maintenance: stats.maintained_at.map(times::write),
        engineering: any.then_some(engineering),
    }
    .answer()
}

/// At most so many characters of a text.
fn shortened(content: &str, characters: usize) -> String {
    let (shown, length) = text::cut(content, characters);
    if length > characters { format!("{shown}…") } else { shown.to_owned() }
}

/// JSON with what controls, turns or hides text as escapes, and what could pass for the end of a message. Such
/// characters only stand inside of its strings.
fn escaped(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    let mut rest = json;
    for (c, unseen) in limits::shown(json) {
        rest = &rest[c.len_utf8()..];
        if unseen || c == '<' && text::opens_token(rest) {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| escaped.push_str(&format!("\\u{unit:04x}")));
        } else {
            escaped.push(c);
        }
    }
    escaped
}

fn done_to(done: &str, id: &MemoryId, redacted: usize) -> Done {
    let result = format!("{done} (id={id}){}", left_out(redacted));
    Done { result, memory_id: Some(id.to_string()), redacted }
}
