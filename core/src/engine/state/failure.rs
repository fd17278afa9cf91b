//! Failures: the same one again counts up and keeps what mended it.

use serde_json::Value;

use super::{Entry, FAILURE, Report, likeness::Message, optional, report, texts};
use crate::{
    change::{Operation, Staged},
    engine::{Engine, Found, checked, scope_or_default},
    error::Error,
    label::Scope,
    limits,
    operation::{Failure, FailureInput, Tracked},
    order,
    record::Category,
    time::{Moment, Timestamp},
    when,
};

/// How many related tests are kept, the last ones told.
const TESTS: usize = 32;

/// The severities with the importance of each.
const SEVERITIES: [(&str, f64); 3] = [("critical", 0.9), ("major", 0.7), ("minor", 0.5)];

impl Engine {
    /// Records a failure. One of the same component with the same message, what differs from run to run apart (see
    /// `state/likeness.rs`), is the same failure: it counts up, and keeps the newest fix and cause. A fix for one that was still open
    /// completes its record without counting.
    ///
    /// # Errors
    /// An argument that is blank, too long or unknown.
    pub fn stage_track_failure(&self, input: &FailureInput, moment: Moment) -> Result<Staged<Tracked>, Error> {
        let moment = checked(moment)?;
        let scope = scope_or_default(input.scope.as_deref())?;
        let mut clean = self.cleaner();
        let input = &clean.failure(input);
        let Plan { known, failure, resolved, happened, tests } = self.plan(input, &scope)?;
        // The first wording is the record's; so that none is lost, the last other one is kept beside it.
        let last = (input.error.trim() != failure.error).then(|| input.error.trim().to_owned());
        let optional = |text: &Option<String>| text.clone().map_or(Value::Null, Value::String);
        let reason = match (&known, happened) {
            (None, _) => "it is a new failure",
            (Some(_), true) => "it is a known failure: it counts up",
            (Some(_), false) => "it is how the known failure was mended",
        };
        let entry = Entry {
            operation: Operation::TrackFailure,
            sort: FAILURE,
            category: Category::Failure,
            importance: importance(&failure.severity),
            id: known.as_ref().filter(|known| known.memory.id.is_own_key()).map(|known| known.memory.id.clone()),
            content: text(&failure, &tests),
            fields: order::filled([
                ("error".to_owned(), failure.error.clone().into()),
                ("component".to_owned(), failure.component.clone().into()),
                ("last_error".to_owned(), optional(&last)),
                ("severity".to_owned(), failure.severity.clone().into()),
                ("root_cause".to_owned(), optional(&failure.root_cause)),
                ("fix".to_owned(), optional(&failure.fix)),
                ("related_test_ids".to_owned(), tests.into()),
                ("count".to_owned(), failure.count.into()),
                ("resolved".to_owned(), resolved.into()),
                ("timestamp".to_owned(), when::rfc3339(moment.now).into()),
            ]),
            session: input.session.as_deref(),
            client: input.client.as_deref(),
            embedding: input.embedding.as_ref(),
            count: failure.count,
            // What the caller tells needs no telling.
            fix: failure.fix.filter(|_| input.fix.is_none()),
            reason,
            redacted: clean.count,
        };
        self.stage_entry(&scope, entry, known.as_ref(), moment)
    }

    /// The text that a failure's record will have: what a host embeds.
    ///
    /// # Errors
    /// As [`Engine::stage_track_failure`].
    pub fn failure_text(&self, input: &FailureInput) -> Result<String, Error> {
        let scope = scope_or_default(input.scope.as_deref())?;
        let plan = self.plan(&self.cleaner().failure(input), &scope)?;
        Ok(self.redacted(&text(&plan.failure, &plan.tests)).into_owned())
    }

    /// Checks what is told, and puts it together with what is known.
    fn plan<'e>(&'e self, input: &FailureInput, scope: &Scope) -> Result<Plan<'e>, Error> {
        limits::length("error", &input.error, limits::STATE_BYTES)?;
        limits::length("component", &input.component, limits::NAME_BYTES)?;
        optional("root_cause", input.root_cause.as_deref())?;
        optional("fix", input.fix.as_deref())?;
        texts("related_test_ids", &input.related_test_ids)?;
        let severity = input.severity.as_deref().map(severity).transpose()?;
        let known = self.known_failure(scope, &input.component, &input.error);
        let mut failure = Failure {
            error: input.error.trim().to_owned(),
            component: input.component.trim().to_owned(),
            severity: severity.unwrap_or("major").to_owned(),
            count: 1,
            root_cause: input.root_cause.clone(),
            fix: input.fix.clone(),
            // Stand-ins: the record's own are its memory's.
            id: known.as_ref().map_or_else(super::stand_in, |(found, ..)| found.memory.id.clone()),
            at: Timestamp::default(),
        };
        let mut tests = input.related_test_ids.clone();
        let Some((found, old, open)) = known else {
            tests.dedup();
            return Ok(Plan { known: None, resolved: failure.fix.is_some(), failure, happened: true, tests });
        };
        let known = &found.memory.metadata;
        let happened = !(open && failure.fix.is_some());
        failure = Failure {
            error: old.error,
            component: old.component,
            severity: severity.map_or(old.severity, str::to_owned),
            count: if happened { old.count.saturating_add(1) } else { old.count },
            root_cause: failure.root_cause.or(old.root_cause),
            fix: failure.fix.or(old.fix),
            ..failure
        };
        let listed = known.get("related_test_ids").and_then(Value::as_array).into_iter().flatten();
        let mut all: Vec<String> = listed.filter_map(Value::as_str).map(str::to_owned).collect();
        tests.retain(|test| !all.contains(test));
        all.extend(tests);
        all.drain(..all.len().saturating_sub(TESTS));
        Ok(Plan { known: Some(found), resolved: input.fix.is_some(), failure, happened, tests: all })
    }

    /// The failure on record that is the same, and whether it is not known to be mended. Where there are several, as
    /// after an import, the first by id.
    fn known_failure(&self, scope: &Scope, component: &str, error: &str) -> Option<(Found<'_>, Failure, bool)> {
        let partition = self.partition(scope)?;
        let (component, message) = (super::folded(component), Message::read(error));
        let same = partition.memories().filter_map(|(slot, memory)| match report(memory) {
            Some(Report::Failure(failure, open)) if memory.state.is_current() => {
                let same = super::folded(&failure.component) == component && Message::read(&failure.error) == message;
                same.then_some((Found { partition, slot, memory }, failure, open))
            }
            _ => None,
        });
        same.min_by(|(a, ..), (b, ..)| a.memory.id.cmp(&b.memory.id))
    }
}

/// A failure as it will be on record.
struct Plan<'e> {
    known: Option<Found<'e>>,
    failure: Failure,
    resolved: bool,
    /// Whether it happened again; else it was mended.
    happened: bool,
    tests: Vec<String>,
}

fn severity(text: &str) -> Result<&'static str, Error> {
    let known = SEVERITIES.iter().find(|(name, _)| *name == text).map(|(name, _)| *name);
    known.ok_or_else(|| Error::UnknownValue {
        field: "severity",
        value: limits::excerpt(text),
        allowed: "critical, major, minor",
    })
}

fn importance(severity: &str) -> f64 {
    SEVERITIES.iter().find(|(name, _)| *name == severity).map_or(0.7, |(_, importance)| *importance)
}

fn text(failure: &Failure, tests: &[String]) -> String {
    let Failure { component, error, root_cause, fix, .. } = failure;
    let part = |name: &str, text: &Option<String>| {
        text.as_ref().map_or(String::new(), |text| format!("\n{name}: {}", text.trim()))
    };
    let (cause, fix) = (part("Root cause", root_cause), part("Fix", fix));
    format!("Failure in {component}: {error}{cause}{fix}{}", super::line("Related tests", tests))
}
