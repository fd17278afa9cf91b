//! Ebbtrace core.

pub mod activation;
pub mod change;
pub mod config;
pub mod consolidate;
pub mod engine;
pub mod error;
pub mod graph;
pub mod label;
pub mod late;
pub mod lexical;
pub mod limits;
pub mod operation;
pub mod partition;
pub mod rank;
pub mod record;
pub mod resolve;
pub mod retention;
pub mod score;
pub mod static_model;
pub mod terms;
pub mod time;
pub mod vector;
pub mod vector_index;
pub mod vector_math;
pub mod wordpiece;
pub mod words;

pub use change::{Change, JournalEntry, Operation, Revision, Staged};
pub use config::Config;
pub use engine::{Engine, Opener};
pub use error::Error;
pub use label::{Label, MemoryId, Scope};
pub use operation::*;
pub use record::*;
pub use static_model::StaticModel;
pub use time::{Moment, Timestamp};
