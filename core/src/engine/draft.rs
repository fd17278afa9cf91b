//! What a caller wants remembered, checked and with the defaults filled in.

use crate::{
    engine::{Engine, edit, state},
    error::Error,
    label::{Label, MemoryId, Scope},
    limits,
    operation::{LinkInput, RememberInput},
    order,
    record::{Category, Memory, Source, State, Tier, relation},
    time::Timestamp,
};

/// A checked new memory, with what the caller said and what was filled in told apart.
pub(super) struct Draft {
    /// The caller's own key.
    pub id: Option<MemoryId>,
    /// The memory as it would be stored; its id is a stand-in where the caller gave none.
    pub memory: Memory,
    /// How many secrets were left out.
    pub redacted: usize,
    given: Given,
}

/// Which arguments the caller gave.
struct Given {
    kind: bool,
    category: bool,
    importance: bool,
    occurred_at: bool,
}

/// A checked link whose start is not known yet.
pub(super) struct Link {
    /// Where it leads.
    pub to: MemoryId,
    /// What it says.
    pub relation: Label,
    /// Above 0, at most 10.
    pub weight: f64,
}

impl Draft {
    /// `old` with what the caller gave: labels are replaced where given, tags and metadata are added to.
    pub(super) fn over(&self, old: &Memory) -> Memory {
        let new = &self.memory;
        let mut tags = [old.tags.as_slice(), new.tags.as_slice()].concat();
        order::sort(&mut tags);
        tags.dedup();
        let mut metadata = old.metadata.clone();
        metadata.extend(new.metadata.clone());
        let mut source = old.source.clone();
        source.uri = new.source.uri.clone().or(source.uri);
        Memory {
            kind: if self.given.kind { new.kind.clone() } else { old.kind.clone() },
            category: if self.given.category { new.category } else { old.category },
            importance: if self.given.importance { new.importance } else { old.importance },
            occurred_at: if self.given.occurred_at { new.occurred_at } else { old.occurred_at },
            pinned: old.pinned || new.pinned,
            author: new.author.clone().or_else(|| old.author.clone()),
            source,
            tags,
            metadata,
            ..old.clone()
        }
    }
}

impl Draft {
    /// `old` with the labels of the draft alone: those of a text that was taken back went with it.
    pub(super) fn anew(&self, old: &Memory) -> Memory {
        let Memory { kind, category, importance, tags, metadata, author, occurred_at, .. } = self.memory.clone();
        let source = Source { uri: self.memory.source.uri.clone(), ..old.source.clone() };
        let pinned = old.pinned || self.memory.pinned;
        Memory { kind, category, importance, pinned, tags, metadata, author, occurred_at, source, ..old.clone() }
    }

    /// `old`, said again: as [`Self::over`], but what is known already is never of less importance for it, nor older.
    pub(super) fn again(&self, old: &Memory) -> Memory {
        let new = self.over(old);
        Memory {
            importance: new.importance.max(old.importance),
            occurred_at: new.occurred_at.max(old.occurred_at),
            source: new.source.clone().shared_with(self.session()),
            ..new
        }
    }

    /// The session it comes from.
    pub(super) fn session(&self) -> Option<&str> {
        self.memory.source.session.as_deref()
    }

    /// When it was said, where the caller says so: at the latest now.
    pub(super) fn said_at(&self) -> Option<Timestamp> {
        self.given.occurred_at.then(|| self.memory.occurred_at.min(self.memory.valid_from))
    }
}

impl Engine {
    /// Checks every argument and fills in the defaults.
    pub(super) fn draft(&self, input: &RememberInput, scope: &Scope, now: Timestamp) -> Result<Draft, Error> {
        limits::length("content", &input.content, limits::CONTENT_BYTES)?;
        let mut clean = self.cleaner();
        clean.name("scope", scope.as_str())?;
        clean.name("id", input.id.as_deref().unwrap_or_default())?;
        clean.name("kind", input.kind.as_deref().unwrap_or_default())?;
        let content = clean.text(&input.content);
        limits::length("content", &content, limits::CONTENT_BYTES)?;
        let (given_tags, given_metadata) = (clean.tags(&input.tags), clean.metadata(&input.metadata));
        let mut optional = |field, text: Option<&str>, limit| optional(field, clean.optional(text), limit);
        let author = optional("author", input.author.as_deref(), limits::NAME_BYTES)?;
        let source = Source {
            client: optional("client", input.client.as_deref(), limits::NAME_BYTES)?,
            session: optional("session", input.session.as_deref(), limits::NAME_BYTES)?,
            position: 0,
            uri: optional("uri", input.uri.as_deref(), limits::URI_BYTES)?,
            editor: None,
            shared: false,
        };
        let redacted = clean.count;
        let defaults = &self.config.defaults;
        let id = input.id.as_deref().map(|id| MemoryId::parse("id", id)).transpose()?;
        let kind = Label::parse("kind", input.kind.as_deref().unwrap_or(&defaults.kind))?;
        let category = input.category.as_deref().map_or(Ok(Category::default()), Category::parse)?;
        let importance = limits::unit("importance", input.importance.unwrap_or(defaults.importance))?;
        let occurred_at = input.occurred_at.map_or(Ok(now), |at| limits::instant("occurred_at", at))?;
        let given = Given {
            kind: input.kind.is_some(),
            category: input.category.is_some(),
            importance: input.importance.is_some(),
            occurred_at: input.occurred_at.is_some(),
        };
        let memory = Memory {
            scope: scope.clone(),
            id: id.clone().unwrap_or_else(|| MemoryId::from_ulid(ulid::Ulid::nil())),
            kind,
            category,
            content,
            importance,
            pinned: input.pinned,
            tags: edit::tags(&given_tags)?,
            metadata: edit::metadata(&given_metadata)?,
            author,
            source,
            occurred_at,
            created_at: now,
            updated_at: now,
            valid_from: now,
            last_accessed_at: now,
            recalled_at: None,
            recall_count: 0,
            version: 1,
            state: State::Active,
            tier: Tier::Hot,
            embedding: self.embedding(scope, input.embedding.as_ref())?,
        };
        state::check(&memory)?;
        Ok(Draft { id, memory, redacted, given })
    }

    /// Checks the links of a new memory; their start is filled in later.
    pub(super) fn links(
        &self,
        scope: &Scope,
        from: Option<&MemoryId>,
        links: &[LinkInput],
    ) -> Result<Vec<Link>, Error> {
        limits::count("links", links.len(), limits::LINKS)?;
        links
            .iter()
            .map(|link| {
                let to = self.locate("links.to", scope, &link.to)?.memory.id.clone();
                if from == Some(&to) {
                    return Err(Error::SelfEdge { field: "links.to", id: to });
                }
                // Here a caller may say what a new memory takes the place of: it does so then.
                let relation = match link.relation.as_deref() {
                    Some(relation::SUPERSEDES) => Label::ours(relation::SUPERSEDES),
                    other => Label::of_link("links.relation", other)?,
                };
                let weight = limits::weight("links.weight", link.weight.unwrap_or(self.config.defaults.weight))?;
                Ok(Link { to, relation, weight })
            })
            .collect()
    }
}

/// Checks an optional name.
pub(super) fn optional(field: &'static str, text: Option<String>, limit: usize) -> Result<Option<String>, Error> {
    text.map(|text| limits::length(field, &text, limit).map(|()| text)).transpose()
}
