//! The engine of Ebbtrace: long-term memory for AI agents that fades unless it is used. No clock, no randomness, no
//! I/O, no threads: everything comes in as an argument, everything to persist comes out as a value.
//!
//! # The contract
//!
//! An operation *stages*: it decides, and changes nothing. The host *commits* what was decided to its store, in one
//! transaction that compares and sets the revision. Then it *applies* it, and only that changes the engine. So the store
//! is never behind what a caller was told, and a live engine is always what opening its store would give.
//!
//! A host does five things:
//!
//! 1. Open: hand every stored record to an [`Opener`], in any order, and finish it at the store's revision.
//! 2. For each call, bring a [`Moment`]: the time and 64 fresh random bits. Equal moments and inputs give equal answers.
//! 3. Stage: `engine.stage_*(&input, moment)?` returns a [`Staged`] with the outcome and a [`JournalEntry`].
//! 4. Commit the entry if the store is still at `staged.base`. On a conflict, apply what others committed and stage
//!    again. Where nobody can tell whether the commit happened, drop the engine and open anew.
//! 5. Apply the entry, and answer with the outcome. An entry without changes needs no commit.
//!
//! ```
//! use ebbtrace_core::{Config, Engine, JournalEntry, Moment, RecallInput, RememberInput, Revision};
//!
//! /// A store in three lines: the journal.
//! struct Store(Vec<JournalEntry>);
//!
//! impl Store {
//!     fn commit(&mut self, base: Revision, entry: &JournalEntry) -> bool {
//!         let current = self.0.last().map_or(Revision(0), |last| last.revision);
//!         if current == base { self.0.push(entry.clone()); }
//!         current == base
//!     }
//! }
//!
//! let mut store = Store(Vec::new());
//! let mut engine = Engine::opener(Config::default(), None).finish(Revision(0));
//!
//! let input = RememberInput { content: "Deploys happen on Wednesdays".into(), ..Default::default() };
//! let staged = loop {
//!     let moment = Moment::new(1_790_000_000_000, 42); // the host's clock and random source
//!     let staged = engine.stage_remember(&input, moment)?;
//!     if store.commit(staged.base, &staged.entry) {
//!         break staged;
//!     }
//!     for entry in store.0.iter().filter(|entry| entry.revision > engine.revision()).cloned().collect::<Vec<_>>() {
//!         engine.apply(&entry); // another process was faster: catch up, and decide again
//!     }
//! };
//! engine.apply(&staged.entry);
//!
//! let query = RecallInput { query: "when do we deploy?".into(), ..Default::default() };
//! let recalled = engine.stage_recall(&query, Moment::new(1_790_000_060_000, 43))?;
//! assert_eq!(recalled.outcome.hits[0].memory.id, staged.outcome.id);
//! # assert!(store.commit(recalled.base, &recalled.entry)); // what was recalled stays fresh: a change like any other
//! # engine.apply(&recalled.entry);
//! # Ok::<(), ebbtrace_core::Error>(())
//! ```
//!
//! # Where things are
//!
//! - What is stored: [`record`], what an operation changes: [`change`], what goes in and out: [`operation`], the bounds:
//!   [`limits`], refusals: [`error`], every constant: [`config`].
//! - The rules, as pure functions: [`score`] (the forgetting curve), [`activation`] (use, over links), [`retention`]
//!   (tiers), [`resolve`] (what a new memory is to a known one), [`rank`] (from evidence to a score),
//!   [`consolidate`] (what could be merged).
//! - The indexes, which only find candidates: [`lexical`] over [`terms`], [`vector_index`] over [`vector`]s, [`graph`],
//!   [`late`] interaction over the token table of [`static_model`]; [`analysis`] is what they are told of a text,
//!   [`partition`] keeps those of one scope together.
//! - The operations, one file each, under [`engine`].
//!
//! # What this crate does not do
//!
//! It keeps no time, opens no file, embeds with no network and deletes nothing by itself. It knows no host.

pub mod activation;
pub mod analysis;
pub mod change;
pub mod config;
pub mod consolidate;
pub mod count;
pub mod engine;
pub mod error;
pub mod graph;
pub mod label;
pub mod late;
pub mod lexical;
pub mod limits;
pub mod operation;
mod order;
pub mod partition;
pub mod question;
pub mod rank;
pub mod record;
pub mod redact;
pub mod resolve;
pub mod retention;
pub mod score;
pub mod static_model;
pub mod terms;
pub mod time;
mod unicode;
mod unigram;
pub mod vector;
pub mod vector_index;
pub mod vector_math;
pub mod when;
pub mod wordpiece;
pub mod words;

pub use change::{Change, Channel, JournalEntry, Operation, Revision, Staged};
pub use config::Config;
pub use engine::{Analysed, Analyst, Engine, Opener, is_work_record};
pub use error::Error;
pub use label::{Label, MemoryId, Scope};
pub use operation::*;
pub use record::*;
pub use static_model::StaticModel;
pub use time::{Moment, Timestamp};
