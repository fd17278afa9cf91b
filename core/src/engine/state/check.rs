//! What a record's metadata may hold, wherever it comes from: an import or a memory that is stored as a record. The
//! bounds are those of the operations that tell records.

use serde_json::Value;

use super::{FAILURE, HANDOFF, PROGRESS, failure, is_tracked, optional, progress, texts};
use crate::{error::Error, limits, record::Memory};

/// Checks a record field by field; what is no record passes. A field may be left out or null where its operation lets it
/// be; others than ours are nobody's business.
///
/// # Errors
/// [`Error::Blank`] for a field that is needed and not there; [`Error::UnknownValue`], [`Error::OutOfRange`],
/// [`Error::TooLong`].
pub(in crate::engine) fn check(memory: &Memory) -> Result<(), Error> {
    if !is_tracked(memory) {
        return Ok(());
    }
    let of = Fields(memory);
    match memory.kind.as_str() {
        FAILURE => {
            limits::length("error", of.text("error")?.unwrap_or_default(), limits::STATE_BYTES)?;
            limits::length("component", of.text("component")?.unwrap_or_default(), limits::NAME_BYTES)?;
            if let Some(told) = of.told("severity") {
                failure::severity(told.as_str().unwrap_or(&told.to_string()))?;
            }
            for field in ["root_cause", "fix", "last_error"] {
                optional(field, of.text(field)?)?;
            }
            of.texts("related_test_ids")?;
            of.texts("wordings")?;
            if let Some(told) = of.told("resolved").filter(|told| !told.is_boolean()) {
                return Err(wrong("resolved", told, "true or false"));
            }
        }
        PROGRESS => {
            progress::feature(of.text("feature")?.unwrap_or_default())?;
            let status = of.told("status").ok_or(Error::Blank { field: "status" })?;
            progress::status(status.as_str().unwrap_or(&status.to_string()))?;
            if let Some(told) = of.told("completion") {
                let completion = told.as_f64().ok_or_else(|| wrong("completion", told, progress::PERCENT))?;
                progress::completion(completion)?;
            }
            of.texts("blockers")?;
            if let Some(told) = of.told("quality_score") {
                let quality = told.as_f64().ok_or_else(|| wrong("quality_score", told, "a number from 0 to 1"))?;
                limits::unit("quality_score", quality)?;
            }
            optional("notes", of.text("notes")?)?;
        }
        HANDOFF => {
            limits::length("summary", of.text("summary")?.unwrap_or_default(), limits::STATE_BYTES)?;
            for field in ["completed", "in_progress", "blocked", "next_steps"] {
                of.texts(field)?;
            }
            if let Some(session) = of.text("session")? {
                limits::length("session", session, limits::NAME_BYTES)?;
            }
        }
        _ => {}
    }
    if let Some(told) = of.told("count")
        && told.as_u64().is_none_or(|count| u32::try_from(count).is_err())
    {
        return Err(wrong("count", told, "a whole number from 0 to 4294967295"));
    }
    of.text("timestamp").map(drop)
}

fn wrong(field: &'static str, told: &Value, allowed: &'static str) -> Error {
    Error::OutOfRange { field, value: limits::excerpt(&told.to_string()), allowed }
}

/// A record's fields.
struct Fields<'m>(&'m Memory);

impl<'m> Fields<'m> {
    fn told(&self, field: &'static str) -> Option<&'m Value> {
        self.0.metadata.get(field).filter(|value| !value.is_null())
    }

    fn text(&self, field: &'static str) -> Result<Option<&'m str>, Error> {
        let text = |told: &'m Value| told.as_str().ok_or_else(|| wrong(field, told, "a text"));
        self.told(field).map(text).transpose()
    }

    fn texts(&self, field: &'static str) -> Result<(), Error> {
        let Some(told) = self.told(field) else { return Ok(()) };
        let list = told.as_array().and_then(|list| {
            list.iter().map(|entry| entry.as_str().map(str::to_owned)).collect::<Option<Vec<String>>>()
        });
        texts(field, &list.ok_or_else(|| wrong(field, told, "a list of texts"))?)
    }
}
