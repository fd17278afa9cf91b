//! The state of an agent's work: failures, progress and handoffs are memories like any other, of a kind of their own,
//! with what was told field by field in their metadata. They are found by recall, fade and are kept as others; but no
//! statement replaces one, none is merged into one, and each is brought up to date by its own operation alone.

mod check;
mod failure;
mod handoff;
mod likeness;
mod progress;
mod report;
mod resume;

use serde_json::{Map, Value};

use crate::{
    change::{Operation, Staged},
    engine::{Engine, Found},
    error::Error,
    label::{MemoryId, Scope},
    limits,
    operation::{RawEmbedding, RememberInput, Remembered, Tracked},
    record::{Category, Memory},
    time::Moment,
    unicode::nfkc,
};

pub(super) use check::check;
pub(super) use report::{Report, report};

/// The kind of the memories that hold failures, and the `type` in their metadata.
const FAILURE: &str = "failure";
/// The same of the standing of features.
const PROGRESS: &str = "progress";
/// The same of handoffs.
const HANDOFF: &str = "handoff";

/// Whether a memory is a record of an agent's work: a failure, the standing of a feature, a handoff.
#[must_use]
pub fn is_tracked(memory: &Memory) -> bool {
    let kind = memory.kind.as_str();
    matches!(kind, FAILURE | PROGRESS | HANDOFF) && memory.metadata.get("type").and_then(Value::as_str) == Some(kind)
}

/// A record as it is to be from now on.
struct Entry<'i> {
    operation: Operation,
    sort: &'static str,
    category: Category,
    importance: f64,
    /// Its key; a failure has none.
    id: Option<MemoryId>,
    content: String,
    /// All of its fields but `type`.
    fields: Map<String, Value>,
    session: Option<&'i str>,
    client: Option<&'i str>,
    embedding: Option<&'i RawEmbedding>,
    /// How often it was told, with this time.
    count: u32,
    /// What mended a failure an earlier time.
    fix: Option<String>,
    /// What becomes of it, in a few words.
    reason: &'static str,
    /// How many secrets its fields had.
    redacted: usize,
}

impl Engine {
    /// Stores a record anew, or in place of `known`, whose earlier text stays readable.
    fn stage_entry(
        &self,
        scope: &Scope,
        entry: Entry<'_>,
        known: Option<&Found<'_>>,
        moment: Moment,
    ) -> Result<Staged<Tracked>, Error> {
        let mut metadata = entry.fields;
        metadata.insert("type".to_owned(), entry.sort.into());
        fits(&metadata)?;
        let input = RememberInput {
            id: entry.id.map(|id| id.to_string()),
            content: entry.content,
            kind: Some(entry.sort.to_owned()),
            category: Some(entry.category.as_str().to_owned()),
            importance: Some(entry.importance),
            metadata,
            session: entry.session.map(str::to_owned),
            client: entry.client.map(str::to_owned),
            embedding: entry.embedding.cloned(),
            ..RememberInput::default()
        };
        let draft = self.draft(&input, scope, moment.now)?;
        let (content, redacted) = (draft.memory.content.clone(), entry.redacted + draft.redacted);
        let (Remembered { id, .. }, changes) = self.record(scope, draft, known, moment);
        let (created, reason) = (known.is_none(), entry.reason.to_owned());
        let Entry { count, fix, .. } = entry;
        let outcome = Tracked { id, scope: scope.clone(), created, count, content, fix, reason, redacted };
        Ok(self.stage(entry.operation, moment.now, outcome, changes))
    }
}

/// Checks a list of texts: each of at least one visible character, at most [`limits::LINKS`] of them.
fn texts(field: &'static str, texts: &[String]) -> Result<(), Error> {
    limits::count(field, texts.len(), limits::LINKS)?;
    texts.iter().try_for_each(|text| limits::length(field, text, limits::STATE_BYTES))
}

/// Checks an optional text.
fn optional(field: &'static str, text: Option<&str>) -> Result<(), Error> {
    text.map_or(Ok(()), |text| limits::length(field, text, limits::STATE_BYTES))
}

/// An id where there is none yet.
fn stand_in() -> MemoryId {
    MemoryId::from_ulid(ulid::Ulid::nil())
}

/// How many bytes fields are as JSON.
fn size(fields: &Map<String, Value>) -> usize {
    Value::from(fields.clone()).to_string().len()
}

/// That all fields together fit into a memory's metadata; else which is the longest.
fn fits(fields: &Map<String, Value>) -> Result<(), Error> {
    /// Fields that can be long.
    const LONG: [&str; 11] = [
        "error",
        "root_cause",
        "fix",
        "related_test_ids",
        "blockers",
        "notes",
        "summary",
        "completed",
        "in_progress",
        "blocked",
        "next_steps",
    ];
    let length = |value: &Value| value.to_string().len();
    let (all, limit) = (size(fields), limits::METADATA_BYTES);
    if all <= limit {
        return Ok(());
    }
    let field = LONG.into_iter().max_by_key(|field| fields.get(*field).map_or(0, length)).unwrap_or("metadata");
    Err(Error::TooLong { field, length: all, limit, unit: "bytes as JSON, with the fields beside it" })
}

/// That a memory is no record of an agent's work: those are brought up to date by their own operations alone, so that
/// what they say and their fields are one.
pub(super) fn must_be_no_record(memory: &Memory) -> Result<(), Error> {
    if is_tracked(memory) {
        return Err(Error::OfRecord { id: memory.id.clone(), sort: memory.kind.to_string() });
    }
    Ok(())
}

/// A name as it is compared: composed, lower case, white space as single spaces.
fn folded(name: &str) -> String {
    nfkc(name).split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// A number as JSON has it: whole where it is whole.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 1e15 { (value as i64).into() } else { value.into() }
}

/// A line of a record's text: what it is called and a list; nothing where the list is empty.
fn line(name: &str, entries: &[String]) -> String {
    if entries.is_empty() { String::new() } else { format!("\n{name}: {}", entries.join("; ")) }
}
