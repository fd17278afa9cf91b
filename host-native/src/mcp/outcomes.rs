//! What the other tools did, as answers say it.

use std::collections::BTreeMap;

use ebbtrace_core::{self as core, Resolution, Touched};
use serde::Serialize;

use super::{answer::Speak, text, times};

/// How many entries of a list without pages are shown at most.
pub(super) const LISTED: usize = 40;

/// What remember did.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Remembered {
    id: String,
    scope: String,
    resolution: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    similarity: Option<f64>,
    reason: String,
    links: usize,
    recall_count: u32,
    #[serde(skip_serializing_if = "is_zero")]
    redacted: usize,
    #[serde(skip)]
    done: String,
}

impl From<core::Remembered> for Remembered {
    fn from(stored: core::Remembered) -> Self {
        let id = &stored.id;
        let other = stored.other.as_ref().map_or("an older memory", |other| other.as_str());
        let (resolution, done) = match stored.resolution {
            Resolution::Created => ("created", format!("Stored as {id}.")),
            Resolution::Reinforced => ("reinforced", format!("Known already as {id}: it was counted, not doubled.")),
            Resolution::Merged => ("merged", format!("Known already in other words as {id}; both texts are kept.")),
            Resolution::Replaced => {
                ("replaced", format!("Current as {id}. It replaces {other}, which is no longer current but stays."))
            }
            Resolution::Updated => ("updated", format!("Edited {id}; its earlier text is kept.")),
            Resolution::Outdated => {
                ("outdated", format!("Kept as history as {id}: {other} says otherwise and is of later."))
            }
            Resolution::Echo => ("echo", format!("{id} was recalled a moment ago and says this: nothing changed.")),
        };
        Self {
            id: stored.id.to_string(),
            scope: stored.scope.to_string(),
            resolution: resolution.to_owned(),
            other: stored.other.map(|other| other.to_string()),
            similarity: stored.similarity.map(text::round),
            reason: text::line(&stored.reason),
            links: stored.links,
            recall_count: stored.recall_count,
            redacted: stored.redacted,
            done,
        }
    }
}

impl Speak for Remembered {
    fn text(&self) -> String {
        let links = text::count(self.links, "link", "links");
        let compared = match (&self.other, self.similarity) {
            (Some(other), Some(similarity)) => format!(" Compared with {other}, {similarity:.2} alike."),
            _ => String::new(),
        };
        let Self { done, reason, resolution, scope, recall_count, .. } = self;
        format!(
            "{done} Why {resolution}: {reason}.{compared} Scope {scope}; {links} made; used {} so far.{}",
            text::count(*recall_count as usize, "time", "times"),
            left_out(self.redacted)
        )
    }
}

/// Whether there is nothing to say.
pub(super) fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// That secrets were left out, where some were; never which.
pub(super) fn left_out(redacted: usize) -> String {
    match redacted {
        0 => String::new(),
        some => format!(" {} left out.", text::count(some, "secret was", "secrets were")),
    }
}

/// A memory after update, reinforce, forget or pin.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Changed {
    id: String,
    scope: String,
    done: String,
    state: String,
    tier: String,
    retention: f64,
    importance: f64,
    pinned: bool,
    version: u32,
    recall_count: u32,
    #[serde(skip_serializing_if = "is_zero")]
    redacted: usize,
}

impl Changed {
    /// What `done` says was done to it.
    pub(super) fn new(done: String, touched: &Touched) -> Self {
        let memory = &touched.memory;
        Self {
            id: memory.id.to_string(),
            scope: memory.scope.to_string(),
            done,
            state: memory.state.as_str().to_owned(),
            tier: touched.tier.to_string(),
            retention: text::round(touched.retention),
            importance: memory.importance,
            pinned: memory.pinned,
            version: memory.version,
            recall_count: memory.recall_count,
            redacted: touched.redacted,
        }
    }
}

impl Speak for Changed {
    fn text(&self) -> String {
        let Self { id, scope, done, state, tier, retention, importance, version, .. } = self;
        let pinned = if self.pinned { ", pinned" } else { "" };
        let used = text::count(self.recall_count as usize, "time", "times");
        format!(
            "{done} {id} in scope {scope} is now {state}, {tier} (retention {retention:.2}){pinned}; importance \
             {importance}, version {version}, used {used}.{}",
            left_out(self.redacted)
        )
    }
}

/// What connect did.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Connected {
    from: String,
    to: String,
    relation: String,
    weight: f64,
    created: bool,
}

impl From<core::Connected> for Connected {
    fn from(made: core::Connected) -> Self {
        Self {
            from: made.from.to_string(),
            to: made.to.to_string(),
            relation: made.relation.to_string(),
            weight: made.weight,
            created: made.created,
        }
    }
}

impl Speak for Connected {
    fn text(&self) -> String {
        let Self { from, to, relation, weight, .. } = self;
        let done = if self.created { "Linked" } else { "Linked already; the link's clock was reset" };
        format!("{done}: {from} --{relation}--> {to}, weight {weight}.")
    }
}

/// One tier change.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Move {
    id: String,
    from: String,
    to: String,
}

/// One new proposal.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Proposed {
    id: String,
    reason: String,
}

/// What maintain did or would do.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Maintained {
    dry_run: bool,
    examined: usize,
    moved_total: usize,
    moved: Vec<Move>,
    proposed_total: usize,
    proposed: Vec<Proposed>,
    withdrawn_total: usize,
    withdrawn: Vec<String>,
}

impl Maintained {
    /// What was done, with the first so many entries of each list.
    pub(super) fn new(done: &core::Maintained, listed: usize) -> Self {
        let moved = done.moved.iter().take(listed);
        let proposed = done.proposed.iter().take(listed);
        Self {
            dry_run: done.dry_run,
            examined: done.examined,
            moved_total: done.moved.len(),
            moved: moved
                .map(|moved| Move { id: moved.id.to_string(), from: moved.from.to_string(), to: moved.to.to_string() })
                .collect(),
            proposed_total: done.proposed.len(),
            proposed: proposed
                .map(|proposal| Proposed {
                    id: proposal.id.to_string(),
                    reason: proposal.reason.chars().take(160).collect(),
                })
                .collect(),
            withdrawn_total: done.withdrawn.len(),
            withdrawn: done.withdrawn.iter().take(listed).map(ToString::to_string).collect(),
        }
    }
}

impl Speak for Maintained {
    fn text(&self) -> String {
        let (looked, would) = if self.dry_run { ("Dry run: nothing changed. ", "would be ") } else { ("", "") };
        let examined = text::count(self.examined, "memory", "memories");
        let mut lines = vec![format!(
            "{looked}Looked at {examined}: {} {would}moved between tiers, {} {would}proposed to a human for deletion, {} \
             {would}taken back. Nothing is deleted.",
            self.moved_total, self.proposed_total, self.withdrawn_total
        )];
        lines.extend(self.moved.iter().map(|moved| format!("moved {}: {} to {}", moved.id, moved.from, moved.to)));
        // A reason that many share is said once, in front of the first of them.
        let mut said = None;
        for one in &self.proposed {
            let again = said.replace(&one.reason) == Some(&one.reason);
            let why = if again { "for the same reason".to_owned() } else { text::line(&one.reason) };
            lines.push(format!("proposed {}: {why}", one.id));
        }
        lines.extend(self.withdrawn.iter().map(|id| format!("taken back {id}")));
        let total = self.moved_total + self.proposed_total + self.withdrawn_total;
        if total > lines.len() - 1 {
            lines.push("Only the first of each are listed; review_queue pages through all proposals.".to_owned());
        }
        lines.join("\n")
    }
}

/// Figures of a scope.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Stats {
    scope: String,
    memories: usize,
    states: BTreeMap<String, usize>,
    tiers: BTreeMap<String, usize>,
    archived: usize,
    kinds: BTreeMap<String, usize>,
    categories: BTreeMap<String, usize>,
    pinned: usize,
    edges: usize,
    proposals: usize,
    average_strength: f64,
    failures: core::FailureStats,
    features: core::FeatureStats,
    week: core::Trend,
    month: core::Trend,
    #[serde(skip_serializing_if = "Option::is_none")]
    maintained_at: Option<String>,
}

impl From<core::Stats> for Stats {
    fn from(stats: core::Stats) -> Self {
        Self {
            scope: stats.scope.to_string(),
            memories: stats.memories,
            states: stats.states,
            tiers: stats.tiers,
            archived: stats.archived,
            kinds: most(stats.kinds, "(other kinds)"),
            categories: stats.categories,
            pinned: stats.pinned,
            edges: stats.edges,
            proposals: stats.proposals,
            average_strength: text::round(stats.average_strength),
            failures: core::FailureStats {
                by_component: most(stats.failures.by_component, "(other components)"),
                ..stats.failures
            },
            features: core::FeatureStats {
                active: stats.features.active.into_iter().take(LISTED).collect(),
                ..stats.features
            },
            week: stats.week,
            month: stats.month,
            maintained_at: stats.maintained_at.map(times::write),
        }
    }
}

/// The greatest figures, and under `others` what all the rest come to.
fn most(figures: BTreeMap<String, usize>, others: &str) -> BTreeMap<String, usize> {
    let mut figures: Vec<(String, usize)> = figures.into_iter().collect();
    figures.sort_by(|(a, many), (b, more)| more.cmp(many).then_with(|| a.cmp(b)));
    let other: usize = figures.iter().skip(LISTED).map(|(_, count)| count).sum();
    figures.truncate(LISTED);
    if other > 0 {
        figures.push((others.to_owned(), other));
    }
    figures.into_iter().collect()
}

impl Speak for Stats {
    fn text(&self) -> String {
        let figures = |figures: &BTreeMap<String, usize>| {
            let named: Vec<String> = figures.iter().map(|(name, count)| format!("{name} {count}")).collect();
            if named.is_empty() { "none".to_owned() } else { named.join(", ") }
        };
        let Self { scope, archived, pinned, proposals, average_strength, .. } = self;
        format!(
            "Scope {scope}: {}, {}, {pinned} pinned, {proposals} waiting for a human.\nStates: {}\nTiers: {} ({archived} archived)\n\
             |   Kinds: {}\nCategories: {}\n{}{}Last 7 days: {}; last 30: {}.\n\
             Average strength {average_strength:.2}; last maintained: {}.",
            text::count(self.memories, "memory", "memories"),
            text::count(self.edges, "link", "links"),
            figures(&self.states),
            figures(&self.tiers),
            figures(&self.kinds),
            figures(&self.categories),
            failures(&self.failures),
            features(&self.features),
            trend(self.week),
            trend(self.month),
            self.maintained_at.as_deref().unwrap_or("never"),
        )
    }
}

fn failures(stats: &core::FailureStats) -> String {
    if stats.total == 0 {
        return String::new();
    }
    let figures = |figures: &BTreeMap<String, usize>| {
        figures.iter().map(|(name, count)| format!("{} {count}", text::line(name))).collect::<Vec<_>>().join(", ")
    };
    let (components, severities) = (figures(&stats.by_component), figures(&stats.by_severity));
    format!("|   Failures: {}, {} unresolved ({components}; {severities})\n", stats.total, stats.unresolved)
}

fn features(stats: &core::FeatureStats) -> String {
    if stats.tracked == 0 {
        return String::new();
    }
    let one = |(name, at): (&String, &core::Standing)| {
        format!("{} {} {:.0}%", text::line(name), text::line(&at.status), at.completion)
    };
    let active: Vec<String> = stats.active.iter().map(one).collect();
    let active = if active.is_empty() { "none".to_owned() } else { active.join(", ") };
    format!("|   Features: {} tracked; not done: {active}\n", stats.tracked)
}

fn trend(trend: core::Trend) -> String {
    format!("{} stored, {} used, {} superseded", trend.stored, trend.used, trend.superseded)
}
