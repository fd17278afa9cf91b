//! What goes into giving memories other vectors, and what comes out.

use serde::{Deserialize, Serialize};

use crate::{
    label::{MemoryId, Scope},
    operation::RawEmbedding,
};

/// Which vectors memories are to carry: those of one model and dimension.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct VectorKind {
    /// The model that makes them.
    pub model: Box<str>,
    /// How many values each has.
    pub dimension: usize,
}

/// How many of a scope's memories carry vectors, and which.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vectors {
    /// Memories of every state.
    pub memories: usize,
    /// How many carry a vector of each kind, by model and dimension.
    pub kinds: Vec<(VectorKind, usize)>,
}

impl Vectors {
    /// How many memories carry a vector of `kind`.
    #[must_use]
    pub fn of(&self, kind: &VectorKind) -> usize {
        self.kinds.iter().find(|(known, _)| known == kind).map_or(0, |(_, count)| *count)
    }

    /// How many memories carry a vector of another kind than `kind`; of any where it is `None`.
    #[must_use]
    pub fn others(&self, kind: Option<&VectorKind>) -> usize {
        self.kinds.iter().filter(|(known, _)| Some(known) != kind).map(|(_, count)| count).sum()
    }
}

/// A memory whose vector is missing, or is not of the kind that is wanted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unembedded {
    /// Its scope.
    pub scope: Scope,
    /// Its id.
    pub id: MemoryId,
}

/// A memory's new vector, with what it was made from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reembedding {
    /// The memory.
    pub id: String,
    /// The version that was read.
    pub version: u32,
    /// The text that was read.
    pub content: String,
    /// The text's vector; `None`: the memory carries none from now on.
    pub embedding: Option<RawEmbedding>,
}

/// New vectors for memories of one scope.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReembedInput {
    /// Where; default the scope `default`.
    pub scope: Option<String>,
    /// The memories, each once.
    pub memories: Vec<Reembedding>,
}

/// What became of new vectors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reembedded {
    /// How many memories carry another vector now, or none any more.
    pub changed: usize,
    /// Those that were edited or deleted since they were read, so that the vector is not of their text: as they were.
    pub left_out: Vec<String>,
}
