//! The tools for the state of an agent's work: failures, progress, handoffs and the reading of them.

use ebbtrace_core::{self as core, FailureInput, HandoffInput, ProgressInput};
use serde::Serialize;

use super::{
    answer::{Answer, Speak},
    calls::Call,
    input,
    outcomes::{is_zero, left_out},
    refusal::Refusal,
    text, times,
};

/// What became of a record.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Tracked {
    id: String,
    scope: String,
    created: bool,
    count: u32,
    reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<String>,
    #[serde(skip_serializing_if = "is_zero")]
    redacted: usize,
}

impl From<core::Tracked> for Tracked {
    fn from(tracked: core::Tracked) -> Self {
        Self {
            id: tracked.id.to_string(),
            scope: tracked.scope.to_string(),
            created: tracked.created,
            count: tracked.count,
            reason: tracked.reason,
            fix: tracked.fix,
            redacted: tracked.redacted,
        }
    }
}

impl Speak for Tracked {
    fn text(&self) -> String {
        let Self { id, scope, created, count, reason, fix, redacted } = self;
        let done = if *created { "Recorded as" } else { "Brought up to date:" };
        let times = text::count(*count as usize, "time", "times");
        let fix = fix
            .as_ref()
            .map_or(String::new(), |fix| format!("\nWhat mended it before ({}):\n{}", text::DATA, text::quote(fix)));
        format!("{done} {id} in scope {scope}: {reason}; told {times} so far.{}{fix}", left_out(*redacted))
    }
}

/// What a new session starts from.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Resumed {
    about: String,
    scope: String,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    written_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    open_features: usize,
    unresolved_failures: usize,
    left_out: usize,
}

impl From<core::Resumed> for Resumed {
    fn from(resumed: core::Resumed) -> Self {
        let about = match &resumed {
            core::Resumed { text, .. } if text.is_empty() => "Nothing is handed over in this scope.".to_owned(),
            core::Resumed { handoff: None, .. } => format!("No valid handoff; the state as it stands. {}", text::DATA),
            _ => format!("The newest handoff and the state as it stands. {}", text::DATA),
        };
        let handoff = resumed.handoff.as_ref();
        Self {
            about,
            scope: resumed.scope.to_string(),
            text: text::quote(&resumed.text),
            written_at: handoff.map(|handoff| times::write(handoff.at)),
            session: handoff.and_then(|handoff| handoff.session.as_deref()).map(text::line),
            open_features: resumed.features.len(),
            unresolved_failures: resumed.failures.len(),
            left_out: resumed.left_out,
        }
    }
}

impl Speak for Resumed {
    fn text(&self) -> String {
        let Self { about, scope, text, left_out, .. } = self;
        let session = self.session.as_ref().map_or(String::new(), |session| format!("\n|   Session {session:?}."));
        let at = self.written_at.as_ref().map_or(String::new(), |at| format!(" Handed over {at}."));
        let more = match left_out {
            0 => String::new(),
            _ => format!("\n{} left out: a larger budget shows more.", text::count(*left_out, "entry", "entries")),
        };
        let quoted = if text == "| " { String::new() } else { format!("\n{text}") };
        format!("{about} Scope {scope}.{at}{session}{quoted}{more}")
    }
}

/// `track_failure`
pub(super) fn track_failure(mut call: Call<'_>) -> Result<Answer, Refusal> {
    let given: input::TrackFailure = call.read()?;
    let tracked = call.service.track_failure(FailureInput {
        scope: call.scope(given.scope)?,
        error: given.error,
        component: given.component,
        severity: given.severity,
        root_cause: given.root_cause,
        fix: given.fix,
        related_test_ids: given.related_test_ids.unwrap_or_default(),
        session: given.session,
        client: call.client,
        ..FailureInput::default()
    })?;
    Tracked::from(tracked).answer()
}

/// `track_progress`
pub(super) fn track_progress(mut call: Call<'_>) -> Result<Answer, Refusal> {
    let given: input::TrackProgress = call.read()?;
    let tracked = call.service.track_progress(ProgressInput {
        scope: call.scope(given.scope)?,
        feature: given.feature,
        status: given.status,
        completion: given.completion,
        blockers: given.blockers.unwrap_or_default(),
        quality_score: given.quality_score,
        notes: given.notes,
        session: given.session,
        client: call.client,
        ..ProgressInput::default()
    })?;
    Tracked::from(tracked).answer()
}

/// `handoff`
pub(super) fn handoff(mut call: Call<'_>) -> Result<Answer, Refusal> {
    let given: input::Handoff = call.read()?;
    let tracked = call.service.handoff(HandoffInput {
        scope: call.scope(given.scope)?,
        summary: given.summary,
        completed: given.completed.unwrap_or_default(),
        in_progress: given.in_progress.unwrap_or_default(),
        blocked: given.blocked.unwrap_or_default(),
        next_steps: given.next_steps.unwrap_or_default(),
        session: given.session,
        client: call.client,
        ..HandoffInput::default()
    })?;
    Tracked::from(tracked).answer()
}

/// `resume`
pub(super) fn resume(mut call: Call<'_>) -> Result<Answer, Refusal> {
    let given: input::Resume = call.read()?;
    let scope = call.scope(given.scope)?;
    let mut budget = given.budget;
    loop {
        let resumed = call.service.resume(scope.as_deref(), budget)?;
        let shown = resumed.text.chars().count();
        let answer = Resumed::from(resumed).answer()?;
        // The marks at the lines' beginnings and what is said around come on top of the budget.
        if answer.fits(call.characters) || shown < call.characters / 4 {
            return Ok(answer);
        }
        budget = i64::try_from(shown * 9 / 10).ok();
    }
}
