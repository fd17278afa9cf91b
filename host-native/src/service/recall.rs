//! Recall, which writes how fresh it makes what it finds, and answers where it can't.

use ebbtrace_core::{RecallInput, Recalled};

use super::{Service, ServiceError, turn};

impl Service {
    /// Finds memories, and keeps what was found fresh. Where that can't be written, as on a full disk, what was found is
    /// answered all the same, with a notice.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn recall(&self, mut input: RecallInput) -> Result<Recalled, ServiceError> {
        if input.embedding.is_none() && !input.query.trim().is_empty() {
            input.embedding = self.embed(&input.query)?;
        }
        let recalled = match self.write(|engine, moment| engine.stage_recall(&input, moment)) {
            Err(error) if turn::only_prevents_writing(&error) => self.recall_unrecorded(&input, &error)?,
            other => other?,
        };
        self.saw(recalled.hits.iter().map(|hit| &hit.memory));
        Ok(recalled)
    }

    /// Recalls without a commit, since `error` stood in the way of one.
    fn recall_unrecorded(&self, input: &RecallInput, error: &ServiceError) -> Result<Recalled, ServiceError> {
        let moment = self.moment();
        let mut recalled = self.read(|engine| Ok(engine.stage_recall(input, moment)?.outcome))?;
        recalled.notices.push(format!("This use was not recorded, so nothing is kept fresh by it: {error}."));
        Ok(recalled)
    }
}
