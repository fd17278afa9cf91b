//! Progress: one current record for a feature, its history behind it.

use serde_json::Value;

use super::{Entry, PROGRESS, Report, folded, number, optional, report, texts};
use crate::{
    change::{Operation, Staged},
    engine::{Engine, Found, checked, scope_or_default, undo},
    error::Error,
    label::{MemoryId, Scope},
    limits,
    operation::{Feature, ProgressInput, Tracked},
    order,
    record::Category,
    time::{Moment, Timestamp},
    when,
};

/// Where a feature can stand, with the importance of each.
const STATUSES: [(&str, f64); 5] =
    [("planning", 0.6), ("in_progress", 0.8), ("blocked", 0.9), ("review", 0.7), ("done", 0.5)];

/// How far a feature can be.
pub(super) const PERCENT: &str = "a number from 0 to 100";

/// A feature's name: at most so many bytes.
const FEATURE_BYTES: usize = 200;

impl Engine {
    /// Records where a feature stands. It has one record, under the key `progress:` with its name; what it said before
    /// is kept behind it.
    ///
    /// # Errors
    /// An argument that is blank, too long, unknown or out of range.
    pub fn stage_track_progress(&self, input: &ProgressInput, moment: Moment) -> Result<Staged<Tracked>, Error> {
        let moment = checked(moment)?;
        let scope = scope_or_default(input.scope.as_deref())?;
        let mut clean = self.cleaner();
        let input = &clean.progress(input)?;
        let Plan { id, known, feature, importance, count } = self.standing(input, &scope)?;
        let quality = feature.quality_score.map_or(Value::Null, Value::from);
        let reason = match known {
            None => "it is a new feature",
            Some(_) => "the feature's record was brought up to date",
        };
        let entry = Entry {
            operation: Operation::TrackProgress,
            sort: PROGRESS,
            category: Category::Strategy,
            importance,
            id: Some(id),
            content: text(&feature),
            fields: order::filled([
                ("feature".to_owned(), feature.feature.into()),
                ("status".to_owned(), feature.status.into()),
                ("completion".to_owned(), number(feature.completion)),
                ("blockers".to_owned(), feature.blockers.into()),
                ("quality_score".to_owned(), quality),
                ("notes".to_owned(), feature.notes.map_or(Value::Null, Value::from)),
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

    /// The text that a feature's record will have: what a host embeds.
    ///
    /// # Errors
    /// As [`Engine::stage_track_progress`].
    pub fn progress_text(&self, input: &ProgressInput) -> Result<String, Error> {
        let scope = scope_or_default(input.scope.as_deref())?;
        let plan = self.standing(&self.cleaner().progress(input)?, &scope)?;
        Ok(self.redacted(&text(&plan.feature)).into_owned())
    }

    /// Checks what is told, and puts it together with what is known.
    fn standing<'e>(&'e self, input: &ProgressInput, scope: &Scope) -> Result<Plan<'e>, Error> {
        feature(&input.feature)?;
        optional("notes", input.notes.as_deref())?;
        texts("blockers", &input.blockers)?;
        let id = MemoryId::parse("feature", &format!("progress:{}", folded(&input.feature)))?;
        let (status, importance) = status(&input.status)?;
        input.completion.map_or(Ok(()), completion)?;
        let quality_score = input.quality_score.map(|quality| limits::unit("quality_score", quality)).transpose()?;
        let known = self.lookup(scope, &id);
        let told = known.as_ref().filter(|known| !undo::taken_back(known.partition, known.memory));
        let old = told.and_then(|known| match report(known.memory) {
            Some(Report::Feature(feature, count)) => Some((feature, count)),
            _ => None,
        });
        let (completion, quality, count) = old.map_or((0.0, None, 0), |(old, count)| {
            // What is open again after it was done is no longer whole.
            let completion = if old.status == "done" { 0.0 } else { old.completion };
            (completion, old.quality_score, count)
        });
        let completion = if status == "done" { 100.0 } else { completion };
        let feature = Feature {
            feature: input.feature.split_whitespace().collect::<Vec<_>>().join(" "),
            status: status.to_owned(),
            completion: input.completion.unwrap_or(completion),
            blockers: input.blockers.clone(),
            // Of the two zeros that there are, the one without a sign.
            quality_score: quality_score.or(quality).map(f64::abs),
            notes: input.notes.clone(),
            // The record's own is its memory's.
            id: id.clone(),
            at: Timestamp::default(),
        };
        Ok(Plan { id, known, feature, importance, count: count + 1 })
    }
}

/// Checks a feature's name.
pub(super) fn feature(name: &str) -> Result<(), Error> {
    limits::length("feature", name, FEATURE_BYTES)
}

/// Checks where a feature stands; that with its importance.
pub(super) fn status(text: &str) -> Result<(&'static str, f64), Error> {
    STATUSES.iter().find(|(name, _)| *name == text).copied().ok_or_else(|| Error::UnknownValue {
        field: "status",
        value: limits::excerpt(text),
        allowed: "planning, in_progress, blocked, review, done",
    })
}

/// Checks how far a feature is.
pub(super) fn completion(value: f64) -> Result<(), Error> {
    if (0.0..=100.0).contains(&value) {
        return Ok(());
    }
    Err(Error::OutOfRange { field: "completion", value: value.to_string(), allowed: PERCENT })
}

/// A feature's standing as it will be on record.
struct Plan<'e> {
    id: MemoryId,
    known: Option<Found<'e>>,
    feature: Feature,
    importance: f64,
    /// How often it was reported.
    count: u32,
}

fn text(feature: &Feature) -> String {
    let quality = feature.quality_score.map_or(String::new(), |quality| format!("\nQuality: {quality:.2}"));
    let notes = feature.notes.as_ref().map_or(String::new(), |notes| format!("\nNotes: {}", notes.trim()));
    let blockers = super::line("Blockers", &feature.blockers);
    let Feature { feature, status, completion, .. } = feature;
    format!("Progress: {feature} [{status}] {}%{blockers}{quality}{notes}", number(*completion))
}
