//! Why an operation did not happen.

use ebbtrace_core::Error;

use crate::{model::ModelError, store::StoreError};

/// Why an operation did not happen.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ServiceError {
    /// The arguments were refused.
    #[error(transparent)]
    Refused(#[from] Error),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A model is not there, or failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The connection to the store ended inside a commit, so that nobody knows whether it was written.
    #[error("the store's answer was lost: the change may or may not have been written")]
    Unknown,
    /// What can't be undone is not done by a clock that is ahead.
    #[error("now is {by} ahead of the clock; what may be deleted is decided by the present")]
    ClockAhead {
        /// By how much, in words.
        by: String,
    },
}

impl ServiceError {
    /// A stable code for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Refused(error) => error.code(),
            Self::Store(error) => error.code(),
            Self::Model(error) => error.code(),
            Self::Unknown => "unknown_outcome",
            Self::ClockAhead { .. } => "clock_ahead",
        }
    }

    /// What the caller can do now.
    #[must_use]
    pub fn next_step(&self) -> &'static str {
        match self {
            Self::Refused(error) => error.next_step(),
            Self::Store(error) => error.next_step(),
            Self::Model(error) => error.next_step(),
            Self::ClockAhead { .. } => "Nothing was deleted. Call again without --now.",
            Self::Unknown => "Recall what you stored to see whether it is there, and call again if not.",
        }
    }
}
