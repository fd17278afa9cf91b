//! Failures, progress, handoffs and what a new session starts from.

use ebbtrace_core::{FailureInput, HandoffInput, ProgressInput, Resumed, Tracked};

use super::{Service, ServiceError};
use crate::store::Need;

impl Service {
    /// Records a failure, or that a known one happened again or was mended.
    ///
    /// # Errors
    /// [`ServiceError`]; nothing was stored, except as [`ServiceError::Unknown`] says.
    pub fn track_failure(&self, mut input: FailureInput) -> Result<Tracked, ServiceError> {
        let text = self.read(&Need::Nothing, |engine| engine.failure_text(&input))?;
        if input.embedding.is_none() && self.embedder.is_some() {
            input.embedding = self.embed(&text)?;
        }
        let need = Need::near(input.scope.as_deref(), &text, []);
        self.write(&need, |engine, moment| engine.stage_track_failure(&input, moment))
    }

    /// Records where a feature stands.
    ///
    /// # Errors
    /// As [`Service::track_failure`].
    pub fn track_progress(&self, mut input: ProgressInput) -> Result<Tracked, ServiceError> {
        let text = self.read(&Need::Nothing, |engine| engine.progress_text(&input))?;
        if input.embedding.is_none() && self.embedder.is_some() {
            input.embedding = self.embed(&text)?;
        }
        let need = Need::near(input.scope.as_deref(), &text, []);
        self.write(&need, |engine, moment| engine.stage_track_progress(&input, moment))
    }

    /// Records what the next session should know.
    ///
    /// # Errors
    /// As [`Service::track_failure`].
    pub fn handoff(&self, mut input: HandoffInput) -> Result<Tracked, ServiceError> {
        if input.embedding.is_none() && self.embedder.is_some() {
            let text = self.read(&Need::Nothing, |engine| engine.handoff_text(&input))?;
            input.embedding = self.embed(&text)?;
        }
        self.write(&Need::scope(input.scope.as_deref()), |engine, moment| engine.stage_handoff(&input, moment))
    }

    /// What a new session starts from, in so many characters. Reading it changes nothing.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn resume(&self, scope: Option<&str>, budget: Option<i64>) -> Result<Resumed, ServiceError> {
        let now = self.moment().now;
        self.read(&Need::scope(scope), |engine| engine.resume(scope, budget, now))
    }
}
