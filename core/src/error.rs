//! Every way an operation can be refused. Bad input changes nothing.

mod close;

use crate::{
    label::{MemoryId, Scope},
    record::Tier,
};

/// Why an operation was refused: what came, what is allowed, and through [`Error::next_step`] what to do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A text is missing, empty or only white space.
    #[error("{field} is blank; it needs at least one visible character")]
    Blank {
        /// The argument at fault.
        field: &'static str,
    },
    /// A text or list is over its limit.
    #[error("{field} has {length} {unit}; at most {limit} are allowed")]
    TooLong {
        /// The argument at fault.
        field: &'static str,
        /// What came, in `unit`.
        length: usize,
        /// The most that is allowed, in `unit`.
        limit: usize,
        /// `bytes`, `entries` or `levels`, and of what.
        unit: &'static str,
    },
    /// A number is outside its range, or not a number.
    #[error("{field} is {value}; allowed is {allowed}")]
    OutOfRange {
        /// The argument at fault.
        field: &'static str,
        /// What came.
        value: String,
        /// The range, in words.
        allowed: &'static str,
    },
    /// A value is not one of a fixed list.
    #[error("{field} is {value:?}; allowed are {allowed}")]
    UnknownValue {
        /// The argument at fault.
        field: &'static str,
        /// What came, cut to 60 characters.
        value: String,
        /// The list, in words.
        allowed: &'static str,
    },
    /// A name has characters it may not have.
    #[error("{field} is {value:?}; allowed are {allowed}")]
    BadName {
        /// The argument at fault.
        field: &'static str,
        /// What came, cut to 60 characters.
        value: String,
        /// What a name may hold, in words.
        allowed: &'static str,
    },
    /// A name is a key, a token or a password.
    #[error("{field} holds a secret; allowed is a name without one")]
    SecretName {
        /// The argument at fault.
        field: &'static str,
    },
    /// A relation that the memory itself makes, and goes by.
    #[error(
        "{field} is {value:?}, which the memory makes itself; allowed is any but semantic, follows, merged-from, undone and, \
         except in a link of remember, supersedes"
    )]
    Reserved {
        /// The argument at fault.
        field: &'static str,
        /// What came.
        value: String,
    },
    /// Nothing of that id is in the scope.
    #[error("{field} is {id:?}, and the scope {scope:?} has no such {what}{}", meant(close))]
    NotFound {
        /// The argument at fault.
        field: &'static str,
        /// `memory`, `proposal` or `session`.
        what: &'static str,
        /// The id that came.
        id: String,
        /// Where it was looked for.
        scope: Scope,
        /// Ids there that are like it, the likest first; at most three.
        close: Vec<MemoryId>,
    },
    /// Both ends of an edge are one memory.
    #[error("{field} is {id:?} at both ends; an edge joins two different memories")]
    SelfEdge {
        /// The argument at fault.
        field: &'static str,
        /// The id at both ends.
        id: MemoryId,
    },
    /// A vector has the wrong number of dimensions.
    #[error("{field} has {actual} dimensions; the model {model:?} gives {expected}")]
    WrongDimension {
        /// The argument at fault.
        field: &'static str,
        /// The model it says it is from.
        model: String,
        /// The dimension in use.
        expected: usize,
        /// What came.
        actual: usize,
    },
    /// The memory changed since the caller read it.
    #[error("{id} is at version {actual}; the change was made for version {expected}")]
    Stale {
        /// The memory.
        id: MemoryId,
        /// The version that the caller had read.
        expected: u32,
        /// The version it has now.
        actual: u32,
    },
    /// The operation needs a memory in another state.
    #[error("{id} is {state}; {allowed}")]
    WrongState {
        /// The memory.
        id: MemoryId,
        /// Its state, in a word.
        state: &'static str,
        /// What the operation needs, in words.
        allowed: &'static str,
    },
    /// The memory is a record of an agent's work, which only the operation of that sort changes.
    #[error(
        "{id} is a {sort} record; its text and metadata are changed by telling the {sort} anew, and by nothing else"
    )]
    OfRecord {
        /// The memory.
        id: MemoryId,
        /// `failure`, `progress` or `handoff`.
        sort: String,
    },
    /// The proposal to let a memory go no longer holds: the memory is in use again.
    #[error("{id} is {tier} now and no longer frozen; only what is still frozen can be deleted{}", held(held_by.as_ref()))]
    NotFrozen {
        /// The memory.
        id: MemoryId,
        /// Where it stands now.
        tier: Tier,
        /// Where that is for a neighbour's sake alone: that one.
        held_by: Option<MemoryId>,
    },
    /// The proposal is no longer the one that the human was shown and has answered.
    #[error("what is proposed about {id}, or its text, changed after it was shown")]
    ProposalChanged {
        /// The memory.
        id: MemoryId,
    },
    /// A record handed to import is broken or refers to something that isn't there.
    #[error("record {index} ({what}): {reason}")]
    BadRecord {
        /// Its place in what was handed in, from 0.
        index: usize,
        /// What kind of record it is.
        what: &'static str,
        /// What is wrong with it.
        reason: String,
    },
}

impl Error {
    /// That `id` is none of those `known` in the scope, and which of those may have been meant.
    #[must_use]
    pub fn not_found<'a>(
        field: &'static str,
        what: &'static str,
        id: &str,
        scope: &Scope,
        known: impl IntoIterator<Item = &'a MemoryId>,
    ) -> Self {
        let close = close::ids(id, known.into_iter());
        // A secret that was looked for is not said again.
        let id = crate::redact::text(id).0.into_owned();
        Self::NotFound { field, what, id, scope: scope.clone(), close }
    }

    /// A stable code for programs: it never changes for a variant.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Blank { .. } => "blank",
            Self::TooLong { .. } => "too_long",
            Self::OutOfRange { .. } => "out_of_range",
            Self::UnknownValue { .. } => "unknown_value",
            Self::BadName { .. } => "bad_name",
            Self::SecretName { .. } => "secret_name",
            Self::Reserved { .. } => "reserved",
            Self::NotFound { .. } => "not_found",
            Self::SelfEdge { .. } => "self_edge",
            Self::WrongDimension { .. } => "wrong_dimension",
            Self::Stale { .. } => "stale",
            Self::WrongState { .. } => "wrong_state",
            Self::OfRecord { .. } => "of_record",
            Self::NotFrozen { .. } => "not_frozen",
            Self::ProposalChanged { .. } => "proposal_changed",
            Self::BadRecord { .. } => "bad_record",
        }
    }

    /// The argument at fault.
    #[must_use]
    pub fn field(&self) -> &'static str {
        match self {
            Self::Blank { field }
            | Self::TooLong { field, .. }
            | Self::OutOfRange { field, .. }
            | Self::UnknownValue { field, .. }
            | Self::BadName { field, .. }
            | Self::SecretName { field }
            | Self::Reserved { field, .. }
            | Self::NotFound { field, .. }
            | Self::SelfEdge { field, .. }
            | Self::WrongDimension { field, .. } => field,
            Self::OfRecord { .. }
            | Self::Stale { .. }
            | Self::WrongState { .. }
            | Self::NotFrozen { .. }
            | Self::ProposalChanged { .. } => "id",
            Self::BadRecord { .. } => "records",
        }
    }

    /// What the caller can do now, in a sentence.
    #[must_use]
    pub fn next_step(&self) -> &'static str {
        match self {
            Self::Blank { .. } => "Give it a text and call again.",
            Self::TooLong { .. } => "Shorten it or split it into several memories, and call again.",
            Self::OutOfRange { .. } | Self::UnknownValue { .. } | Self::BadName { .. } => {
                "Call again with an allowed value."
            }
            Self::SecretName { .. } => {
                "Call again with a name of your own choice; keep secrets in a place for secrets."
            }
            Self::Reserved { .. } => "Call again with another relation, or leave it out: then it is related.",
            Self::NotFound { what: "proposal", .. } => {
                "See what waits for a decision: `ebbtrace review --list`, or review_queue."
            }
            Self::NotFound { what: "session", .. } => {
                "Nothing was changed. See which sessions there are: `ebbtrace undo` without --session, in the same scope."
            }
            Self::NotFound { .. } => "Look the id up with recall or neighbors in the same scope, and call again.",
            Self::SelfEdge { .. } => "Name two different memories.",
            Self::WrongDimension { .. } => "Embed with the model that this memory uses, or leave the vector out.",
            Self::Stale { .. } => "Read the memory again, decide whether the change still holds, and call again.",
            Self::WrongState { .. } => "Look at the memory's state; restore it first where that is what you want.",
            Self::OfRecord { .. } => {
                "Call track_failure, track_progress or handoff with what holds now; for another memory, another id and kind."
            }
            Self::NotFrozen { .. } => {
                "Nothing was deleted. Run maintain, which takes such proposals back, or keep it; a person can delete it all \
                 the same with `ebbtrace purge ID`."
            }
            Self::ProposalChanged { .. } => "Nothing was done about it. Look at it again, and decide anew.",
            Self::BadRecord { .. } => "Mend or remove that record; nothing was imported.",
        }
    }
}

/// `: it is linked to "a", which is in use`; nothing where it is not that.
fn held(by: Option<&MemoryId>) -> String {
    by.map_or_else(String::new, |by| format!(": it is linked to {by:?}, which is in use"))
}

/// ` (did you mean "a", "b" or "c"?)`; nothing where nothing is close.
fn meant(close: &[MemoryId]) -> String {
    let names: Vec<String> = close.iter().map(|id| format!("{id:?}")).collect();
    match names.split_last() {
        None => String::new(),
        Some((last, [])) => format!(" (did you mean {last}?)"),
        Some((last, others)) => format!(" (did you mean {} or {last}?)", others.join(", ")),
    }
}
