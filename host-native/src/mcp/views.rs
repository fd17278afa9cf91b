//! Stored memories as answers show them: recall, neighbours and the review queue.

use std::collections::BTreeMap;

use ebbtrace_core::{Hit, Memory, Neighbor, ProposedAction, ReviewItem, Score, State, Tier, limits};
use serde::Serialize;
use serde_json::{Map, Value};

use super::{
    answer::{LEAST_SHOWN, Speak},
    text, times,
};

/// Metadata of up to so many characters of JSON is shown with the memory; more only where it is asked for.
const METADATA_SHOWN: usize = 400;

/// So many of its tags are shown with a memory, except where it is read alone.
const TAGS_SHOWN: usize = 16;

/// How much of a memory to show.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    from: usize,
    characters: usize,
    tags: usize,
    metadata: usize,
}

impl Extent {
    /// Its first characters.
    pub(super) fn first(characters: usize) -> Self {
        Self { from: 0, characters, tags: TAGS_SHOWN, metadata: METADATA_SHOWN }
    }

    /// Its characters from `from` on, and every tag.
    pub(super) fn rest(from: usize, characters: usize) -> Self {
        Self { from, characters, tags: limits::TAGS, metadata: METADATA_SHOWN }
    }

    /// Its first characters and its metadata, however long it is. With it there is no room for the tags.
    pub(super) fn metadata(characters: usize) -> Self {
        Self { from: 0, characters, tags: 0, metadata: usize::MAX }
    }
}

/// A memory as stored.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Stored {
    id: String,
    kind: String,
    category: String,
    content: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tier: Option<String>,
    state: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    occurred_at: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    metadata: Map<String, Value>,
    /// Whether its content says what its metadata does: it is a record of work, and not asked for its metadata.
    #[serde(skip)]
    told: bool,
}

impl Stored {
    /// What `extent` says of a memory; `tier` where it is known.
    pub(super) fn new(memory: &Memory, tier: Option<Tier>, extent: Extent) -> Self {
        let (before, length) = text::cut(&memory.content, extent.from);
        let (content, left) = text::cut(&memory.content[before.len()..], extent.characters);
        let (start, end) = (extent.from.min(length), extent.from.min(length) + left.min(extent.characters));
        let read = |part: &str| format!("recall {{\"query\": \"[read {} {part}]\"}}", memory.id);
        let mut cut = Vec::new();
        if start > 0 || end < length {
            cut.push(format!("characters {start} to {end} of {length} shown"));
        }
        if end < length {
            cut.push(format!("read on with {}", read(&format!("from {end}"))));
        }
        if memory.tags.len() > extent.tags {
            cut.push(format!("{} of {} tags shown; see all with {}", extent.tags, memory.tags.len(), read("from 0")));
        }
        let mut metadata = memory.metadata.clone();
        if extent.metadata < usize::MAX && Value::Object(metadata.clone()).to_string().len() > extent.metadata {
            metadata.clear();
            cut.push(format!("metadata not shown; see it with {}", read("metadata")));
        }
        let state = match &memory.state {
            State::Active => "active".to_owned(),
            State::Superseded { by, at } => format!("superseded by {by} at {}", times::write(*at)),
            State::Archived { at, reason } => {
                let why = reason.as_deref().map(|reason| format!(": {}", text::line(reason))).unwrap_or_default();
                format!("archived at {}{why}", times::write(*at))
            }
            State::Proposed { at } => format!("proposed for deletion at {}", times::write(*at)),
        };
        let source = [
            memory.source.client.as_deref().map(|client| format!("client {}", text::line(client))),
            memory.source.session.as_deref().map(|session| format!("session {}", text::line(session))),
            memory.source.uri.as_deref().map(text::line),
        ];
        let source = source.into_iter().flatten().collect::<Vec<_>>().join(", ");
        Self {
            id: memory.id.to_string(),
            kind: memory.kind.to_string(),
            category: memory.category.as_str().to_owned(),
            content: content.to_owned(),
            cut: (!cut.is_empty()).then(|| cut.join("; ")),
            tier: tier.map(|tier| tier.to_string()),
            state,
            author: memory.author.clone(),
            source: (!source.is_empty()).then_some(source),
            occurred_at: times::write(memory.occurred_at),
            tags: memory.tags.iter().take(extent.tags).map(|tag| tag.to_string()).collect(),
            metadata,
            told: ebbtrace_core::is_work_record(memory) && extent.metadata < usize::MAX,
        }
    }

    /// The memory under a first line of this server's own figures. Every line with something stored in it begins with
    /// `| `; what is said of the memory stands before its content, so that the content can't say it.
    fn text(&self, first: &str, why: &str) -> String {
        let mut labels = vec![format!("{} ({})", self.id, self.kind)];
        if !why.is_empty() {
            labels.push(format!("why: {why}"));
        }
        let mut said = format!("said {}", self.occurred_at);
        let author = self.author.as_deref().map(text::line);
        for (what, value) in [("by", &author), ("via", &self.source)] {
            if let Some(value) = value {
                said += &format!(" {what} {value}");
            }
        }
        said += &format!("; {}, {}", self.category, self.state);
        if !self.tags.is_empty() {
            said += &format!("; tags {}", self.tags.iter().map(|tag| text::line(tag)).collect::<Vec<_>>().join(", "));
        }
        labels.push(said);
        // The content of a record of work says all of it that a reader needs.
        if !self.metadata.is_empty() && !self.told {
            // What JSON itself does not escape would break out of the line; all of the metadata has to fit an answer.
            labels.push(format!("metadata {}", text::harmless(&Value::Object(self.metadata.clone()).to_string())));
        }
        let labels: String = labels.iter().map(|label| format!("\n|   {label}")).collect();
        let cut = self.cut.as_ref().map_or(String::new(), |cut| format!("\n|   [{cut}]"));
        format!("{first}{labels}\n{}{cut}", text::quote(&self.content))
    }
}

/// One memory that answers a query.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Found {
    #[serde(flatten)]
    memory: Stored,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    age_days: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    matched: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    path: Vec<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    parts: BTreeMap<&'static str, f64>,
}

impl Found {
    /// What recall found.
    pub(super) fn hit(hit: &Hit, characters: usize) -> Self {
        Self {
            memory: Stored::new(&hit.memory, Some(hit.tier), Extent::first(characters)),
            score: Some(text::round(hit.score.total)),
            age_days: Some(text::round(hit.age_days)),
            matched: text::few(hit.matched.iter().map(String::as_str), 12),
            path: hit.path.iter().map(ToString::to_string).collect(),
            parts: parts(&hit.score),
        }
    }

    /// A memory that was asked for by its id.
    pub(super) fn read(memory: &Memory, extent: Extent) -> Self {
        let memory = Stored::new(memory, None, extent);
        Self { memory, score: None, age_days: None, matched: Vec::new(), path: Vec::new(), parts: BTreeMap::new() }
    }

    fn text(&self, number: usize) -> String {
        let first = match (self.score, &self.memory.tier, self.age_days) {
            (Some(score), Some(tier), Some(days)) => {
                format!("{number}. score {score:.2}, {tier}, {}", text::age(days))
            }
            _ => format!("{number}. as it is stored"),
        };
        let mut why = Vec::new();
        if !self.matched.is_empty() {
            why.push(format!("has {}", self.matched.join(", ")));
        }
        if !self.path.is_empty() {
            why.push(format!("linked {}", self.path.join(" > ")));
        }
        if !self.parts.is_empty() {
            let parts = self.parts.iter().map(|(name, value)| format!("{name} {value:.2}"));
            why.push(parts.collect::<Vec<_>>().join(" + "));
        }
        self.memory.text(&first, &why.join("; "))
    }
}

fn parts(score: &Score) -> BTreeMap<&'static str, f64> {
    let parts = score.parts().into_iter();
    parts.map(|(name, value)| (name, text::round(value))).filter(|(_, value)| *value > 0.0).collect()
}

/// The answer to recall. Like the other lists, it opens with a sentence on what follows.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Recalled {
    pub(super) about: String,
    pub(super) scope: String,
    pub(super) hits: Vec<Found>,
    pub(super) archived: usize,
    pub(super) notices: Vec<String>,
}

impl Speak for Recalled {
    fn text(&self) -> String {
        let mut blocks = vec![self.about.clone()];
        blocks.extend(self.hits.iter().enumerate().map(|(index, hit)| hit.text(index + 1)));
        blocks.extend(self.notices.iter().map(|notice| format!("Note: {notice}")));
        blocks.join("\n\n")
    }
}

/// One memory near another.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Near {
    #[serde(flatten)]
    memory: Stored,
    distance: usize,
    relation: String,
    outgoing: bool,
    weight: f64,
    via: String,
}

impl Near {
    /// What the graph has.
    pub(super) fn new(near: &Neighbor, characters: usize) -> Self {
        Self {
            memory: Stored::new(&near.memory, Some(near.tier), Extent::first(characters)),
            distance: near.distance,
            relation: near.relation.to_string(),
            outgoing: near.outgoing,
            weight: text::round(near.weight),
            via: near.via.to_string(),
        }
    }

    fn text(&self) -> String {
        let Self { memory: Stored { id, tier, .. }, distance, relation, weight, via, .. } = self;
        let edge = match self.outgoing {
            true => format!("{via} --{relation}--> {id}"),
            false => format!("{id} --{relation}--> {via}"),
        };
        let tier = tier.as_deref().unwrap_or_default();
        self.memory.text(&format!("{tier}, step {distance}, weight {weight:.2}"), &edge)
    }
}

/// The answer to neighbors.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Surroundings {
    pub(super) about: String,
    pub(super) id: String,
    pub(super) items: Vec<Near>,
    pub(super) total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cursor: Option<String>,
}

impl Speak for Surroundings {
    fn text(&self) -> String {
        let mut blocks = vec![self.about.clone()];
        blocks.extend(self.items.iter().map(Near::text));
        blocks.extend(next_page(self.cursor.as_deref()));
        blocks.join("\n\n")
    }
}

/// One memory that waits for a human's decision.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Waiting {
    #[serde(flatten)]
    memory: Stored,
    action: String,
    reason: String,
    proposed_at: String,
    retention: f64,
    /// Earlier versions that a deletion takes along
    versions: usize,
    /// Of a merge, what stays
    #[serde(skip_serializing_if = "Option::is_none")]
    survivor: Option<Survivor>,
}

impl Waiting {
    /// What maintenance proposed.
    pub(super) fn new(item: &ReviewItem, characters: usize) -> Self {
        Self {
            memory: Stored::new(&item.memory, None, Extent::first(characters)),
            action: match &item.proposal.action {
                ProposedAction::Delete => "delete".to_owned(),
                ProposedAction::Merge { into } => format!("merge into {into}"),
            },
            reason: text::line(&item.proposal.reason),
            proposed_at: times::write(item.proposal.proposed_at),
            retention: text::round(item.retention),
            versions: item.versions,
            survivor: item.survivor.as_ref().map(|survivor| {
                let (content, length) = text::cut(&survivor.content, characters.max(LEAST_SHOWN));
                let more = if length > content.chars().count() { "…" } else { "" };
                Survivor { id: survivor.id.to_string(), content: format!("{content}{more}") }
            }),
        }
    }

    fn text(&self) -> String {
        let Self { memory, action, reason, proposed_at, retention, versions, survivor } = self;
        let along = match versions {
            0 => String::new(),
            _ => format!(" with {}", text::count(*versions, "earlier version", "earlier versions")),
        };
        let what = if survivor.is_some() { "merge" } else { action.as_str() };
        let first = format!("{what}{along}, proposed {proposed_at}, retention {retention:.3}");
        let told = memory.text(&first, reason);
        match survivor {
            Some(Survivor { id, content }) => {
                format!("{told}\n|   {action}; what stays, as {id}, says:\n{}", text::quote(content))
            }
            None => told,
        }
    }
}

/// The memory that another would be merged into.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Survivor {
    id: String,
    content: String,
}

/// The answer to `review_queue`.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Queue {
    pub(super) about: String,
    pub(super) items: Vec<Waiting>,
    pub(super) total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cursor: Option<String>,
}

impl Speak for Queue {
    fn text(&self) -> String {
        let mut blocks = vec![self.about.clone()];
        blocks.extend(self.items.iter().map(Waiting::text));
        blocks.extend(next_page(self.cursor.as_deref()));
        blocks.join("\n\n")
    }
}

fn next_page(cursor: Option<&str>) -> Option<String> {
    cursor.map(|cursor| format!("There are more: call again with cursor {cursor:?}."))
}
