//! What an operation has to know of a store that is too large to be loaded.

use ebbtrace_core::{ConnectInput, RecallInput, Record, RememberInput, Revision, Scope, UpdateInput};

/// What an operation looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Need {
    /// No memory.
    Nothing,
    /// Which scopes there are, and when each was maintained.
    Scopes,
    /// Memories by id, and what surrounds them in the graph to a depth.
    Around {
        /// Their scope's name.
        scope: String,
        /// Their ids; those that are not there are passed over.
        ids: Vec<String>,
        /// How many links away, at least 1.
        depth: usize,
    },
    /// What is like texts, by words and by meaning, and what surrounds it; and memories by id.
    Near {
        /// The scope's name.
        scope: String,
        /// Questions, or new memories' contents.
        texts: Vec<String>,
        /// Memories that are looked at too.
        ids: Vec<String>,
        /// How many of the likest by words, and as many by meaning.
        candidates: usize,
    },
    /// Everything in a scope.
    Scope(String),
    /// Everything.
    Everything,
}

/// How many memories are taken as candidates by words, and as many by meaning: as many as the engine reads closely.
const CANDIDATES: usize = 100;

/// The furthest that anybody may ask for.
const DEPTH: usize = 6;

impl Need {
    /// Everything in the scope that an operation names.
    #[must_use]
    pub fn scope(scope: Option<&str>) -> Self {
        Self::Scope(name(scope))
    }

    /// One memory, and what is linked with it.
    #[must_use]
    pub fn memory(scope: Option<&str>, id: &str) -> Self {
        Self::memories(scope, [id])
    }

    /// Memories, and what is linked with them.
    #[must_use]
    pub fn memories<'i>(scope: Option<&str>, ids: impl IntoIterator<Item = &'i str>) -> Self {
        Self::Around { scope: name(scope), ids: ids.into_iter().map(str::to_owned).collect(), depth: 1 }
    }

    /// Of a new memory: what is like it, the one that it may be, and those that it is to be linked with.
    #[must_use]
    pub fn of_remember(input: &RememberInput) -> Self {
        let ids = input.id.as_deref().into_iter().chain(input.links.iter().map(|link| link.to.as_str()));
        Self::near(input.scope.as_deref(), &input.content, ids)
    }

    /// Of a question: what is like it, and memories that it names by their ids.
    #[must_use]
    pub fn of_recall(input: &RecallInput) -> Self {
        let words = input.query.split(|c: char| c.is_whitespace() || ",;?!()\"".contains(c));
        let mut need = Self::near(input.scope.as_deref(), &input.query, words.filter(|word| !word.is_empty()));
        if let (Self::Near { candidates, .. }, Some(k)) = (&mut need, input.k.and_then(|k| usize::try_from(k).ok())) {
            *candidates = (*candidates).max(2 * k.min(1_000));
        }
        need
    }

    /// Of an edit: the memory, and what is like its new text.
    #[must_use]
    pub fn of_update(input: &UpdateInput) -> Self {
        Self::near(input.scope.as_deref(), input.content.as_deref().unwrap_or_default(), [input.id.as_str()])
    }

    /// Of a link: what it joins.
    #[must_use]
    pub fn of_connect(input: &ConnectInput) -> Self {
        Self::memories(input.scope.as_deref(), [input.from.as_str(), input.to.as_str()])
    }

    /// Of a memory's surroundings: them, as far as they are asked for.
    #[must_use]
    pub fn of_neighbors(scope: Option<&str>, id: &str, depth: Option<i64>) -> Self {
        let depth = depth.and_then(|depth| usize::try_from(depth).ok()).unwrap_or(1).clamp(1, DEPTH);
        Self::Around { scope: name(scope), ids: vec![id.to_owned()], depth }
    }

    /// What is like a text, and memories that are named with it.
    #[must_use]
    pub fn near<'i>(scope: Option<&str>, text: &str, ids: impl IntoIterator<Item = &'i str>) -> Self {
        Self::Near {
            scope: name(scope),
            texts: vec![text.to_owned()],
            ids: ids.into_iter().map(str::to_owned).collect(),
            candidates: CANDIDATES,
        }
    }
}

fn name(scope: Option<&str>) -> String {
    scope.map_or_else(|| Scope::default().to_string(), str::to_owned)
}

/// What was gathered of a store, at a revision.
#[derive(Clone, Debug, PartialEq)]
pub struct Gathered {
    /// The revision that the store was at, before anything was read.
    pub revision: Revision,
    /// The records, in any order.
    pub records: Vec<Record>,
}
