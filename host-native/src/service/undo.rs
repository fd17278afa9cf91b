//! Undo, as it was shown to who agreed to it.

use ebbtrace_core::{Change, Engine, Error, Memory, Moment, Record, Staged, Tier, Undone};

use super::{Service, ServiceError};
use crate::store::Need;

/// What taking a session back would do, as things stood when it was asked for.
#[derive(Clone, Debug)]
pub struct UndoPlan {
    /// What to show: the answer of a dry run.
    pub undone: Undone,
    moment: Moment,
    changes: Vec<Change>,
}

/// What became of an undo that a person agreed to.
#[derive(Clone, Debug)]
pub enum UndoAnswer {
    /// It was done as it was shown.
    Done(Undone),
    /// Nothing was changed: by now it would do something else, which nobody has seen.
    Changed(Box<UndoPlan>),
}

impl Service {
    /// What [`Service::undo`] would do now, to be shown.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn undo_plan(&self, scope: Option<&str>, session: &str) -> Result<UndoPlan, ServiceError> {
        let moment = self.moment();
        self.read(&Need::scope(scope), |engine| plan(engine, scope, session, moment))
    }

    /// Takes back what a session wrote if that still is what was shown: what the session wrote while the person made up
    /// their mind is not taken back unseen. That a memory was recalled in between makes no difference.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn undo_shown(&self, scope: Option<&str>, session: &str, shown: &UndoPlan) -> Result<UndoAnswer, ServiceError> {
        self.write(&Need::scope(scope), |engine, moment| {
            let now = plan(engine, scope, session, shown.moment)?;
            let as_shown = now.changes == shown.changes && now.undone == shown.undone;
            let staged = engine.stage_undo(scope, session, !as_shown, moment)?;
            let Staged { outcome, base, entry } = staged;
            let outcome = if as_shown { UndoAnswer::Done(outcome) } else { UndoAnswer::Changed(Box::new(now)) };
            Ok(Staged { outcome, base, entry })
        })
    }
}

/// The undo of a session at one moment: two at the same differ where the records do.
fn plan(engine: &Engine, scope: Option<&str>, session: &str, moment: Moment) -> Result<UndoPlan, Error> {
    let staged = engine.stage_undo(scope, session, false, moment)?;
    let undone = Undone { dry_run: true, ..staged.outcome };
    Ok(UndoPlan { undone, moment, changes: staged.entry.changes.into_iter().map(unused).collect() })
}

/// A change without the marks that use leaves on a record.
fn unused(change: Change) -> Change {
    match change {
        Change::Put(Record::Memory(memory)) => {
            let (last_accessed_at, tier) = (memory.created_at, Tier::default());
            let memory = Memory { last_accessed_at, recalled_at: None, recall_count: 0, tier, ..*memory };
            Change::Put(Record::Memory(Box::new(memory)))
        }
        Change::Put(Record::Edge(mut edge)) => {
            edge.reinforced_at = edge.created_at;
            Change::Put(Record::Edge(edge))
        }
        other => other,
    }
}
