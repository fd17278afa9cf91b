//! Records as they are read: every field beside every other. Serde's `flatten` would take each of them up as a value of
//! any type first, at thrice the time and the size.

use serde::{Deserialize, Deserializer, de::Error};
use serde_json::{Map, Value};

use super::{Category, Edge, EdgeKey, Memory, Proposal, ProposedAction, Source, State, Tier};
use crate::{
    label::{Label, MemoryId, Scope},
    time::Timestamp,
    vector::Embedding,
};

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StateName {
    Active,
    Superseded,
    Archived,
    Proposed,
}

impl<'de> Deserialize<'de> for Memory {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Flat {
            #[serde(default)]
            scope: Scope,
            id: MemoryId,
            kind: Label,
            category: Category,
            content: String,
            importance: f64,
            #[serde(default)]
            pinned: bool,
            #[serde(default)]
            tags: Vec<Box<str>>,
            #[serde(default)]
            metadata: Map<String, Value>,
            author: Option<String>,
            #[serde(default)]
            source: Source,
            occurred_at: Timestamp,
            created_at: Timestamp,
            updated_at: Timestamp,
            valid_from: Timestamp,
            last_accessed_at: Timestamp,
            recalled_at: Option<Timestamp>,
            recall_count: u32,
            version: u32,
            state: StateName,
            by: Option<MemoryId>,
            at: Option<Timestamp>,
            reason: Option<String>,
            #[serde(default)]
            tier: Tier,
            embedding: Option<Embedding>,
        }
        let flat = Flat::deserialize(deserializer)?;
        let at = || flat.at.ok_or_else(|| D::Error::missing_field("at"));
        let state = match flat.state {
            StateName::Active => State::Active,
            StateName::Superseded => {
                State::Superseded { by: flat.by.ok_or_else(|| D::Error::missing_field("by"))?, at: at()? }
            }
            StateName::Archived => State::Archived { at: at()?, reason: flat.reason },
            StateName::Proposed => State::Proposed { at: at()? },
        };
        Ok(Self {
            scope: flat.scope,
            id: flat.id,
            kind: flat.kind,
            category: flat.category,
            content: flat.content,
            importance: flat.importance,
            pinned: flat.pinned,
            tags: flat.tags,
            metadata: flat.metadata,
            author: flat.author,
            source: flat.source,
            occurred_at: flat.occurred_at,
            created_at: flat.created_at,
            updated_at: flat.updated_at,
            valid_from: flat.valid_from,
            last_accessed_at: flat.last_accessed_at,
            recalled_at: flat.recalled_at,
            recall_count: flat.recall_count,
            version: flat.version,
            state,
            tier: flat.tier,
            embedding: flat.embedding,
        })
    }
}

impl<'de> Deserialize<'de> for Edge {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Flat {
            #[serde(default)]
            scope: Scope,
            from: MemoryId,
            to: MemoryId,
            relation: Label,
            weight: f64,
            created_at: Timestamp,
            reinforced_at: Timestamp,
        }
        let Flat { scope, from, to, relation, weight, created_at, reinforced_at } = Flat::deserialize(deserializer)?;
        Ok(Self { key: EdgeKey { scope, from, to, relation }, weight, created_at, reinforced_at })
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ActionName {
    Delete,
    Merge,
}

impl ActionName {
    fn with<E: Error>(self, into: Option<MemoryId>) -> Result<ProposedAction, E> {
        Ok(match self {
            Self::Delete => ProposedAction::Delete,
            Self::Merge => ProposedAction::Merge { into: into.ok_or_else(|| E::missing_field("into"))? },
        })
    }
}

impl<'de> Deserialize<'de> for ProposedAction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Flat {
            action: ActionName,
            into: Option<MemoryId>,
        }
        let Flat { action, into } = Flat::deserialize(deserializer)?;
        action.with(into)
    }
}

impl<'de> Deserialize<'de> for Proposal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Flat {
            #[serde(default)]
            scope: Scope,
            id: MemoryId,
            action: ActionName,
            into: Option<MemoryId>,
            reason: String,
            proposed_at: Timestamp,
        }
        let Flat { scope, id, action, into, reason, proposed_at } = Flat::deserialize(deserializer)?;
        Ok(Self { scope, id, action: action.with(into)?, reason, proposed_at })
    }
}
