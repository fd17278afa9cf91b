//! The questions: a name becomes a call of the core.

use ebbtrace_core::{Engine, Error, FailureInput, HandoffInput, ProgressInput, RememberInput, Timestamp};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::{
    edge::{Refusal, With, from_js, to_js},
    records,
};

pub(crate) fn read(core: &Engine, question: &str, input: JsValue, now: Timestamp) -> Result<JsValue, JsValue> {
    match question {
        // What a host embeds for a record of an agent's work, before it stages it.
        "failure_text" => return answered(core.failure_text(&from_js::<FailureInput>(FAILURE, input)?)),
        "progress_text" => return answered(core.progress_text(&from_js::<ProgressInput>(PROGRESS, input)?)),
        "handoff_text" => return answered(core.handoff_text(&from_js::<HandoffInput>(HANDOFF, input)?)),
        "redacted_input" => {
            return answered(Ok(core.redacted_input(&from_js::<RememberInput>("remember", input)?).1));
        }
        "secrets" => return answered(Ok(core.redacted_records(records::within(&input)?).1)),
        _ => {}
    }
    let with: With = from_js("input", input)?;
    let (scope, id) = (with.scope.as_deref(), with.id.as_str());
    let (limit, cursor) = (with.limit, with.cursor.as_deref());
    match question {
        "find" => answered(core.find(scope, id)),
        "activation" => answered(core.activation(scope, id, now)),
        "forecast" => answered(core.forecast(scope, id, now)),
        "forecast_within" => answered(core.forecast_within(scope, with.days, limit, now)),
        "history" => answered(core.history(scope, id)),
        "neighbors" => answered(core.neighbors(scope, id, with.depth, limit, cursor, now)),
        "resume" => answered(core.resume(scope, with.budget, now)),
        "review" => answered(core.review_queue(scope, limit, cursor, now)),
        "stats" => answered(core.stats(scope, now)),
        "tiers" => answered(core.tiers(scope, now)),
        "records" => answered(Ok(core.records(scope).collect::<Vec<_>>())),
        "scopes" => answered(Ok(core.scopes())),
        "revision" => answered(Ok(core.revision())),
        "topic" => answered(core.topic(scope, &with.query)),
        "vectors" => answered(core.vectors(scope)),
        "redacted" => answered(Ok(core.redacted(&with.text))),
        "digest" => answered(core.digest(scope)),
        _ => Err(Refusal::bad_argument("question", &format_args!("there is no {question:?}")).into()),
    }
}

const FAILURE: &str = "track_failure";
const PROGRESS: &str = "track_progress";
const HANDOFF: &str = "handoff";

fn answered<T: Serialize>(answer: Result<T, Error>) -> Result<JsValue, JsValue> {
    Ok(to_js(&answer.map_err(Refusal::from)?)?)
}
