//! The verbs for the state of an agent's work: track-failure, track-progress, handoff, resume.

use ebbtrace_core::{FailureInput, HandoffInput, ProgressInput, Tracked};

use super::{
    Call, args,
    failure::Failure,
    screen::{self, Ink, Screen, count},
    write::{CLIENT, left_out, words_or_stdin},
};

/// `track-failure`
pub(super) fn track_failure(call: &Call, args: args::TrackFailure) -> Result<(), Failure> {
    let tracked = call.service.track_failure(FailureInput {
        scope: call.scope.clone(),
        error: words_or_stdin(&args.error)?,
        component: args.component,
        severity: args.severity,
        root_cause: args.root_cause,
        fix: args.fix,
        related_test_ids: args.tests,
        session: args.session,
        client: Some(CLIENT.to_owned()),
        embedding: None,
    })?;
    told(&call.screen, &tracked)
}

/// `track-progress`
pub(super) fn track_progress(call: &Call, args: args::TrackProgress) -> Result<(), Failure> {
    let tracked = call.service.track_progress(ProgressInput {
        scope: call.scope.clone(),
        feature: args.feature.join(" "),
        status: args.status,
        completion: args.completion,
        blockers: args.blockers,
        quality_score: args.quality_score,
        notes: args.notes,
        session: args.session,
        client: Some(CLIENT.to_owned()),
        embedding: None,
    })?;
    told(&call.screen, &tracked)
}

/// `handoff`
pub(super) fn handoff(call: &Call, args: args::Handoff) -> Result<(), Failure> {
    let tracked = call.service.handoff(HandoffInput {
        scope: call.scope.clone(),
        summary: words_or_stdin(&args.summary)?,
        completed: args.completed,
        in_progress: args.in_progress,
        blocked: args.blocked,
        next_steps: args.next_steps,
        session: args.session,
        client: Some(CLIENT.to_owned()),
        embedding: None,
    })?;
    told(&call.screen, &tracked)
}

/// `resume`
pub(super) fn resume(call: &Call, args: &args::Resume) -> Result<(), Failure> {
    let resumed = call.service.resume(call.scope(), args.budget)?;
    call.screen.answer(&resumed, || {
        if resumed.text.is_empty() {
            return "Nothing is handed over, tracked or in use here.".to_owned();
        }
        let more = match resumed.left_out {
            0 => String::new(),
            left => {
                let left = format!("{} left out: --budget shows more", count(left, "entry", "entries"));
                format!("\n\n{}", call.screen.paint(Ink::Dim, &left))
            }
        };
        let lines = resumed.text.lines().map(|line| {
            // What is wrapped is set in: no part of an entry stands where a heading stands.
            let wrapped = call.screen.wrapped(line, 2, usize::MAX);
            wrapped.strip_prefix("  ").unwrap_or(&wrapped).to_owned()
        });
        format!("{}{more}", lines.collect::<Vec<_>>().join("\n"))
    })
}

fn told(screen: &Screen, tracked: &Tracked) -> Result<(), Failure> {
    screen.answer(tracked, || {
        let id = screen.paint(Ink::Bold, tracked.id.as_str());
        let done = if tracked.created { "Recorded as" } else { "Brought up to date:" };
        let times = format!("; told {} so far", count(tracked.count as usize, "time", "times"));
        let times = if tracked.created { "" } else { &times };
        let why = screen.paint(Ink::Dim, &format!("{}{times}", tracked.reason));
        let fix = tracked
            .fix
            .as_ref()
            .map_or(String::new(), |fix| format!("\n  mended before by: {}", screen::clean(fix, false)));
        format!("{done} {id}.\n  {why}{fix}{}", left_out(tracked.redacted))
    })
}
