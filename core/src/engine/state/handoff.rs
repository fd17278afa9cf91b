//! Handoffs: what a session leaves for the next. There is one for a scope, the newest; earlier ones are its versions.

use serde_json::Value;

use super::{Entry, HANDOFF, line, report, texts};
use crate::{
    change::{Operation, Staged},
    engine::{Engine, checked, scope_or_default, undo},
    error::Error,
    label::MemoryId,
    limits,
    operation::{HandoffInput, Tracked},
    order,
    record::Category,
    time::Moment,
    when,
};

/// The key of a scope's handoff.
const KEY: &str = "handoff:latest";

impl Engine {
    /// Records a handoff, which takes the place of the one before. One commit.
    ///
    /// # Errors
    /// An argument that is blank or too long.
    pub fn stage_handoff(&self, input: &HandoffInput, moment: Moment) -> Result<Staged<Tracked>, Error> {
        let moment = checked(moment)?;
        let scope = scope_or_default(input.scope.as_deref())?;
        let mut clean = self.cleaner();
        let input = &clean.handoff(input);
        let content = text(input)?;
        let id = MemoryId::parse("id", KEY)?;
        let known = self.lookup(&scope, &id);
        let told = known.as_ref().filter(|known| !undo::taken_back(known.partition, known.memory));
        let count = told.map_or(0, |known| report::count(known.memory)).saturating_add(1);
        let reason = match known {
            None => "it is the first",
            Some(_) => "it is the newest: the one before is kept behind it",
        };
        let entry = Entry {
            operation: Operation::Handoff,
            sort: HANDOFF,
            category: Category::Strategy,
            importance: 0.9,
            id: Some(id),
            content,
            fields: order::filled([
                ("summary".to_owned(), input.summary.trim().into()),
                ("completed".to_owned(), input.completed.clone().into()),
                ("in_progress".to_owned(), input.in_progress.clone().into()),
                ("blocked".to_owned(), input.blocked.clone().into()),
                ("next_steps".to_owned(), input.next_steps.clone().into()),
                ("session".to_owned(), input.session.clone().map_or(Value::Null, Value::from)),
                ("count".to_owned(), count.into()),
                ("timestamp".to_owned(), when::rfc3339(moment.now).into()),
            ]),
            session: input.session.as_deref(),
            client: input.client.as_deref(),
            embedding: input.embedding.as_ref(),
            count,
            fix: None,
            reason,
            redacted: clean.count,
        };
        self.stage_entry(&scope, entry, known.as_ref(), moment)
    }

    /// The text that a handoff's record will have: what a host embeds.
    ///
    /// # Errors
    /// As [`Engine::stage_handoff`].
    pub fn handoff_text(&self, input: &HandoffInput) -> Result<String, Error> {
        Ok(self.redacted(&text(&self.cleaner().handoff(input))?).into_owned())
    }
}

fn text(input: &HandoffInput) -> Result<String, Error> {
    limits::length("summary", &input.summary, limits::STATE_BYTES)?;
    texts("completed", &input.completed)?;
    texts("in_progress", &input.in_progress)?;
    texts("blocked", &input.blocked)?;
    texts("next_steps", &input.next_steps)?;
    let lists = [
        line("Completed", &input.completed),
        line("In progress", &input.in_progress),
        line("Blocked", &input.blocked),
        line("Next steps", &input.next_steps),
    ];
    Ok(format!("Session Handoff: {}{}", input.summary.trim(), lists.concat()))
}
