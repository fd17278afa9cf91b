//! Leaving secrets out of what is to be stored, where the config says so.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::{
    engine::{Engine, edit},
    error::Error,
    operation::{FailureInput, HandoffInput, ProgressInput, RememberInput},
    record::{Memory, Proposal, Record, State},
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
            Record::Proposal(proposal) => {
                Record::Proposal(Proposal { reason: clean.text(&proposal.reason), ..proposal })
            }
            other => other,
        };
        let records = records.into_iter().map(each).collect();
        (records, clean.count)
    }

    /// What is to be remembered as it would be stored, and how many secrets that leaves out.
    #[must_use]
    pub fn redacted_input(&self, input: &RememberInput) -> (RememberInput, usize) {
        let mut clean = self.cleaner();
        let input = RememberInput {
            content: clean.text(&input.content),
            tags: clean.tags(&input.tags),
            metadata: clean.metadata(&input.metadata),
            author: clean.optional(input.author.as_deref()),
            client: clean.optional(input.client.as_deref()),
            session: clean.optional(input.session.as_deref()),
            uri: clean.optional(input.uri.as_deref()),
            ..input.clone()
        };
        (input, clean.count)
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

    pub(super) fn optional(&mut self, text: Option<&str>) -> Option<String> {
        text.map(|text| self.text(text))
    }

    pub(super) fn tags(&mut self, tags: &[String]) -> Vec<String> {
        self.texts(tags)
    }

    fn texts(&mut self, texts: &[String]) -> Vec<String> {
        texts.iter().map(|text| self.text(text)).collect()
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

    /// A failure as it may be stored; its session and client are left to the record.
    pub(super) fn failure(&mut self, input: &FailureInput) -> FailureInput {
        FailureInput {
            error: self.text(&input.error),
            component: self.text(&input.component),
            root_cause: self.optional(input.root_cause.as_deref()),
            fix: self.optional(input.fix.as_deref()),
            related_test_ids: self.texts(&input.related_test_ids),
            ..input.clone()
        }
    }

    /// A feature's standing as it may be stored. Its name is a key, which holds no secret.
    pub(super) fn progress(&mut self, input: &ProgressInput) -> Result<ProgressInput, Error> {
        self.name("feature", &input.feature)?;
        let (blockers, notes) = (self.texts(&input.blockers), self.optional(input.notes.as_deref()));
        Ok(ProgressInput { blockers, notes, ..input.clone() })
    }

    /// A handoff as it may be stored; its session and client are left to the record.
    pub(super) fn handoff(&mut self, input: &HandoffInput) -> HandoffInput {
        HandoffInput {
            summary: self.text(&input.summary),
            completed: self.texts(&input.completed),
            in_progress: self.texts(&input.in_progress),
            blocked: self.texts(&input.blocked),
            next_steps: self.texts(&input.next_steps),
            ..input.clone()
        }
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
        let editor = source.editor.as_mut().map(|editor| [&mut editor.client, &mut editor.session]);
        let own = [&mut source.client, &mut source.session, &mut source.uri];
        for text in own.into_iter().chain(editor.into_iter().flatten()).flatten() {
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
