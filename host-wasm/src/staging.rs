//! The operations that stage: a name becomes a call of the core.

use ebbtrace_core::{Channel, Engine, Error, Moment, Staged};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::{
    edge::{Refusal, With, from_js, to_js},
    records,
};

pub(crate) fn stage(core: &Engine, operation: &str, input: JsValue, moment: Moment) -> Result<JsValue, JsValue> {
    match operation {
        "remember" => staged(core.stage_remember(&from_js("remember", input)?, moment)),
        "recall" => staged(core.stage_recall(&from_js("recall", input)?, moment)),
        "update" => staged(core.stage_update(&from_js("update", input)?, moment)),
        "connect" => staged(core.stage_connect(&from_js("connect", input)?, moment)),
        "track_failure" => staged(core.stage_track_failure(&from_js("track_failure", input)?, moment)),
        "track_progress" => staged(core.stage_track_progress(&from_js("track_progress", input)?, moment)),
        "handoff" => staged(core.stage_handoff(&from_js("handoff", input)?, moment)),
        "reembed" => staged(core.stage_reembed(&from_js("reembed", input)?, moment)),
        _ => {
            if operation == "import" {
                return staged(core.stage_import(records::within(&input)?, moment));
            }
            let with: With = from_js("input", input)?;
            let (scope, id) = (with.scope.as_deref(), with.id.as_str());
            match operation {
                "reinforce" => staged(core.stage_reinforce(scope, id, moment)),
                "forget" => staged(core.stage_forget(scope, id, with.reason.as_deref(), moment)),
                "pin" => staged(core.stage_pin(scope, id, with.pinned, moment)),
                "restore" => staged(core.stage_restore(scope, id, moment)),
                "maintain" => staged(core.stage_maintain(scope, with.dry_run, moment)),
                "undo" => staged(core.stage_undo(scope, &with.session, with.dry_run, moment)),
                "purge" => staged(core.stage_purge(scope, &with.ids, with.carriers, moment)),
                "decide" => {
                    let decision = with.decision.ok_or_else(|| {
                        Refusal::bad_argument("decision", &"it is missing; allowed are approve, reject, pin")
                    })?;
                    let channel = Channel::Application;
                    staged(match &with.shown {
                        Some(shown) => core.stage_decide_shown(scope, shown, decision, channel, moment),
                        None => core.stage_decide(scope, id, decision, channel, moment),
                    })
                }
                _ => Err(Refusal::bad_argument("operation", &format_args!("there is no {operation:?}")).into()),
            }
        }
    }
}

fn staged<T: Serialize>(staged: Result<Staged<T>, Error>) -> Result<JsValue, JsValue> {
    let Staged { outcome, entry, .. } = staged.map_err(Refusal::from)?;
    let answer = js_sys::Object::new();
    let entry = if entry.changes.is_empty() { JsValue::NULL } else { to_js(&entry)? };
    for (key, value) in [("outcome", to_js(&outcome)?), ("entry", entry)] {
        js_sys::Reflect::set(&answer, &key.into(), &value)?;
    }
    Ok(answer.into())
}
