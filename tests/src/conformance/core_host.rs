//! The core as a host of the conformance cases: each step becomes one call of the engine.

use ebbtrace_core::{
    Channel, Config, Decision, Engine, Error, Moment, Record, Revision, Staged, StaticModel, Timestamp,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{Case, Given, Step, pattern::expand};

/// What a step gave: its outcome and changes, or its refusal.
pub(super) struct Answer {
    pub outcome: Value,
    pub changes: Value,
    pub error: Value,
}

/// An engine that runs one case.
pub(super) struct CoreHost {
    engine: Engine,
}

/// The arguments of operations that take no object of their own.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct With {
    scope: Option<String>,
    id: String,
    reason: Option<String>,
    pinned: bool,
    dry_run: bool,
    decision: Option<Decision>,
    records: Vec<Record>,
    depth: Option<i64>,
    limit: Option<i64>,
    budget: Option<i64>,
    cursor: Option<String>,
    ids: Vec<String>,
    carriers: bool,
    session: String,
    days: f64,
}

impl CoreHost {
    pub(super) fn open(case: &Case) -> Result<Self, String> {
        let model = match case.model.as_str() {
            "static" => Some(StaticModel::bundled()),
            "none" => None,
            other => return Err(format!("model {other:?}: known are static, none")),
        };
        let Given { revision, records } = &case.given;
        let config: Config = read(&case.config)?;
        let mut opener = Engine::opener(config, model);
        for record in records {
            opener.record(read(record)?);
        }
        Ok(Self { engine: opener.finish(Revision(*revision)) })
    }

    pub(super) fn run(&mut self, step: &Step) -> Result<Answer, String> {
        let entropy = step.entropy.parse().map_err(|_| format!("entropy {:?} is no u64", step.entropy))?;
        let moment = Moment { now: Timestamp(step.at), entropy };
        let engine = &self.engine;
        let (answer, entry) = match step.operation.as_str() {
            "remember" => staged(engine.stage_remember(&read(&step.with)?, moment)),
            "recall" => staged(engine.stage_recall(&read(&step.with)?, moment)),
            "update" => staged(engine.stage_update(&read(&step.with)?, moment)),
            "connect" => staged(engine.stage_connect(&read(&step.with)?, moment)),
            "track_failure" => staged(engine.stage_track_failure(&read(&step.with)?, moment)),
            "track_progress" => staged(engine.stage_track_progress(&read(&step.with)?, moment)),
            "handoff" => staged(engine.stage_handoff(&read(&step.with)?, moment)),
            other => {
                let with: With = read(&step.with)?;
                let (scope, id) = (with.scope.as_deref(), with.id.as_str());
                let (limit, cursor) = (with.limit, with.cursor.as_deref());
                match other {
                    "reinforce" => staged(engine.stage_reinforce(scope, id, moment)),
                    "forget" => staged(engine.stage_forget(scope, id, with.reason.as_deref(), moment)),
                    "pin" => staged(engine.stage_pin(scope, id, with.pinned, moment)),
                    "restore" => staged(engine.stage_restore(scope, id, moment)),
                    "maintain" => staged(engine.stage_maintain(scope, with.dry_run, moment)),
                    "undo" => staged(engine.stage_undo(scope, &with.session, with.dry_run, moment)),
                    "purge" => staged(engine.stage_purge(scope, &with.ids, with.carriers, moment)),
                    "import" => staged(engine.stage_import(with.records, moment)),
                    "decide" => {
                        let decision = with.decision.ok_or("decide needs a decision")?;
                        staged(engine.stage_decide(scope, id, decision, Channel::Terminal, moment))
                    }
                    "find" => (answered(engine.find(scope, id)), None),
                    "activation" => (answered(engine.activation(scope, id, moment.now)), None),
                    "forecast" => (answered(engine.forecast(scope, id, moment.now)), None),
                    "resume" => (answered(engine.resume(scope, with.budget, moment.now)), None),
                    "forecast_within" => (answered(engine.forecast_within(scope, with.days, limit, moment.now)), None),
                    "history" => (answered(engine.history(scope, id)), None),
                    "stats" => (answered(engine.stats(scope, moment.now)), None),
                    "review" => (answered(engine.review_queue(scope, limit, cursor, moment.now)), None),
                    "neighbors" => (answered(engine.neighbors(scope, id, with.depth, limit, cursor, moment.now)), None),
                    "records" => (answered(Ok(engine.records(scope).collect::<Vec<_>>())), None),
                    "scopes" => (answered(Ok(engine.scopes())), None),
                    "revision" => (answered(Ok(engine.revision())), None),
                    _ => return Err(format!("no host knows the operation {other:?}")),
                }
            }
        };
        if let Some(entry) = entry.filter(|entry| step.commit && !entry.changes.is_empty()) {
            self.engine.apply(&entry);
        }
        Ok(answer)
    }

    /// What holds at the end of every case: opening the records anew, the other way round, gives them again.
    pub(super) fn reopens(&self) -> bool {
        let records: Vec<Record> = self.engine.records(None).collect();
        let mut opener = Engine::opener(self.engine.config().clone(), None);
        records.iter().rev().cloned().for_each(|record| opener.record(record));
        opener.finish(self.engine.revision()).records(None).eq(records)
    }
}

fn read<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
    let value = if value.is_null() { json!({}) } else { expand(value) };
    serde_json::from_value(value).map_err(|error| error.to_string())
}

fn staged<T: Serialize>(staged: Result<Staged<T>, Error>) -> (Answer, Option<ebbtrace_core::JournalEntry>) {
    match staged {
        Ok(Staged { outcome, entry, .. }) => {
            let changes = serde_json::to_value(&entry.changes).unwrap_or_default();
            (Answer { changes, ..answered(Ok(outcome)) }, Some(entry))
        }
        Err(error) => (answered::<()>(Err(error)), None),
    }
}

fn answered<T: Serialize>(answer: Result<T, Error>) -> Answer {
    let changes = json!([]);
    match answer {
        Ok(outcome) => {
            Answer { outcome: serde_json::to_value(outcome).unwrap_or_default(), changes, error: Value::Null }
        }
        Err(error) => {
            let refusal = json!({"code": error.code(), "field": error.field(), "message": error.to_string()});
            Answer { outcome: Value::Null, changes, error: refusal }
        }
    }
}
