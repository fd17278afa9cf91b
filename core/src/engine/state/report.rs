//! Reading the records back from memories. Their metadata can be edited by hand: what is missing or odd there is taken
//! as not told.

use serde_json::Value;

use super::{FAILURE, HANDOFF, PROGRESS, is_tracked};
use crate::{
    operation::{Failure, Feature, Handoff},
    record::Memory,
};

/// What a record holds.
pub(in crate::engine) enum Report {
    /// A failure, and whether it is not known to be mended.
    Failure(Failure, bool),
    /// A feature, and how often it was reported.
    Feature(Feature, u32),
    /// A handoff.
    Handoff(Handoff),
}

/// What `memory` holds, where it is a record.
pub(in crate::engine) fn report(memory: &Memory) -> Option<Report> {
    if !is_tracked(memory) {
        return None;
    }
    let text = |field: &str| memory.metadata.get(field).and_then(Value::as_str).map(str::to_owned);
    let list = |field: &str| -> Vec<String> {
        let list = memory.metadata.get(field).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let number = |field: &str| memory.metadata.get(field).and_then(Value::as_f64);
    let (id, at) = (memory.id.clone(), memory.updated_at);
    Some(match memory.kind.as_str() {
        FAILURE => {
            let failure = Failure {
                id,
                error: text("error")?,
                component: text("component")?,
                severity: text("severity").unwrap_or_else(|| "major".to_owned()),
                count: count(memory).max(1),
                root_cause: text("root_cause"),
                fix: text("fix"),
                at,
            };
            let resolved = memory.metadata.get("resolved").and_then(Value::as_bool);
            let open = !resolved.unwrap_or(failure.fix.is_some());
            Report::Failure(failure, open)
        }
        PROGRESS => {
            let feature = Feature {
                id,
                feature: text("feature")?,
                status: text("status")?,
                completion: number("completion").unwrap_or(0.0),
                blockers: list("blockers"),
                quality_score: number("quality_score"),
                notes: text("notes"),
                at,
            };
            Report::Feature(feature, count(memory).max(1))
        }
        HANDOFF => Report::Handoff(Handoff {
            id,
            summary: text("summary")?,
            completed: list("completed"),
            in_progress: list("in_progress"),
            blocked: list("blocked"),
            next_steps: list("next_steps"),
            session: text("session"),
            at,
        }),
        _ => return None,
    })
}

/// How often a record was reported.
pub(super) fn count(memory: &Memory) -> u32 {
    let count = memory.metadata.get("count").and_then(Value::as_u64).unwrap_or(0);
    u32::try_from(count).unwrap_or(u32::MAX)
}
