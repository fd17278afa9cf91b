//! Ebbtrace core.

pub mod change;
pub mod config;
pub mod engine;
pub mod error;
pub mod label;
pub mod limits;
pub mod operation;
pub mod record;
pub mod static_model;
pub mod time;
pub mod vector;
pub mod vector_math;
pub mod wordpiece;

pub use change::{Change, JournalEntry, Operation, Revision, Staged};
pub use config::Config;
pub use engine::{Engine, Opener};
pub use error::Error;
pub use label::{Label, MemoryId, Scope};
pub use operation::*;
pub use record::*;
pub use static_model::StaticModel;
pub use time::{Moment, Timestamp};
