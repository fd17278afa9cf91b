//! Leaving secrets out of what is to be stored, where the config says so.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::{
    engine::{Engine, edit},
    error::Error,
    record::{Memory, Record, State},
    redact,
};

/// Takes secrets out of the texts of one operation, and counts them.
pub(super) struct Cleaner {
    on: bool,
    /// How many there were so far.
    pub count: usize,
}

impl Engine {
    /// `text` as it would be stored: what a host makes a vector of.
    #[must_use]
    pub fn redacted<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.config.privacy.redact { redact::text(text).0 } else { Cow::Borrowed(text) }
    }

    /// Records as they would be imported, and how many secrets that leaves out. A memory whose text changes loses its
    /// vector, which was made of the secret too.
    #[must_use]
    pub fn redacted_records(&self, records: Vec<Record>) -> (Vec<Record>, usize) {
        let mut clean = self.cleaner();
        let each = |record| match record {
            Record::Memory(memory) if clean.on => Record::Memory(Box::new(clean.memory(*memory))),
            other => other,
        };
        let records = records.into_iter().map(each).collect();
        (records, clean.count)
    }

    pub(super) fn cleaner(&self) -> Cleaner {
        Cleaner { on: self.config.privacy.redact, count: 0 }
    }
}

impl Cleaner {
    /// `text` as it may be stored.
    pub(super) fn text(&mut self, text: &str) -> String {
        if !self.on {
            return text.to_owned();
        }
        let (clean, found) = redact::text(text);
        self.count += found;
        clean.into_owned()
    }

    pub(super) fn tags(&mut self, tags: &[String]) -> Vec<String> {
        tags.iter().map(|tag| self.text(tag)).collect()
    }

    pub(super) fn metadata(&mut self, metadata: &Map<String, Value>) -> Map<String, Value> {
        if !self.on {
            return metadata.clone();
        }
        let (clean, found) = redact::metadata(metadata);
        self.count += found;
        clean
    }

    /// Refuses a name that is a secret: with a part left out it would be another name.
    pub(super) fn name(&self, field: &'static str, name: &str) -> Result<(), Error> {
        if self.on && redact::has_secret(name) { Err(Error::SecretName { field }) } else { Ok(()) }
    }

    fn memory(&mut self, memory: Memory) -> Memory {
        let content = self.text(&memory.content);
        let tags: Vec<String> = memory.tags.iter().map(|tag| self.text(tag)).collect();
        let same = memory.tags.iter().zip(&tags).all(|(old, new)| **old == **new);
        // Tags that change are put in order again; those that don't are judged as they came.
        let tags = if same { memory.tags.clone() } else { edit::tags(&tags).unwrap_or_else(|_| memory.tags.clone()) };
        let metadata = self.metadata(&memory.metadata);
        let author = memory.author.as_deref().map(|text| self.text(text));
        let mut source = memory.source.clone();
        for text in [&mut source.client, &mut source.session, &mut source.uri].into_iter().flatten() {
            *text = self.text(text);
        }
        let state = match memory.state.clone() {
            State::Archived { at, reason } => State::Archived { at, reason: reason.map(|text| self.text(&text)) },
            other => other,
        };
        let embedding = memory.embedding.clone().filter(|_| content == memory.content);
        Memory { content, tags, metadata, author, source, state, embedding, ..memory }
    }
}
