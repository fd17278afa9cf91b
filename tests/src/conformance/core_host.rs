//! The core as a host of the conformance cases: each step becomes one call of the engine.

use std::sync::Arc;

use ebbtrace::{CommitAnswer, Store, store::Need};
use ebbtrace_core::{
    Change, Channel, Config, Decision, Engine, Error, JournalEntry, Moment, Operation, Record, Revision, Staged,
    StaticModel, Timestamp,
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
    model: Option<Arc<StaticModel>>,
    kept: Option<Kept>,
}

/// A store that keeps the records between two steps.
struct Kept {
    store: Box<dyn Store>,
    /// How far its revision is ahead of the case's, which begins where the case says.
    ahead: i64,
}

impl Kept {
    fn commit(&mut self, entry: &JournalEntry) -> Result<(), String> {
        let revision = Revision(entry.revision.0.wrapping_add_signed(self.ahead));
        match self.store.commit(&JournalEntry { revision, ..entry.clone() }) {
            Ok(CommitAnswer::Committed) => Ok(()),
            other => Err(format!("the store says {other:?}")),
        }
    }
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
    pub(super) fn open(case: &Case, store: Option<Box<dyn Store>>) -> Result<Self, String> {
        let model = match case.model.as_str() {
            "static" => Some(StaticModel::bundled()),
            "none" => None,
            other => return Err(format!("model {other:?}: known are static, none")),
        };
        let Given { revision, records } = &case.given;
        let config: Config = read(&case.config)?;
        let mut opener = Engine::opener(config, model.clone());
        let mut given = Vec::new();
        for record in records {
            let record: Record = read(record)?;
            given.push(Change::Put(record.clone()));
            opener.record(record);
        }
        let mut host = Self { engine: opener.finish(Revision(*revision)), model, kept: None };
        if let Some(store) = store {
            let mut kept = Kept { store, ahead: 0 };
            let entry = JournalEntry {
                revision: Revision(1),
                at: Timestamp(0),
                operation: Operation::Import,
                channel: None,
                changes: given,
            };
            kept.commit(&entry)?;
            kept.ahead = 1 - revision.cast_signed();
            host.kept = Some(kept);
            host.load()?;
        }
        Ok(host)
    }

    /// Of a store that is not loaded: takes what a step needs, as the service does, in place of what is known.
    fn know(&mut self, step: &Step) -> Result<(), String> {
        let Some(kept) = &mut self.kept else { return Ok(()) };
        let with: With = serde_json::from_value(expand(&step.with)).unwrap_or_default();
        let (scope, id) = (with.scope.as_deref(), with.id.as_str());
        let need = match step.operation.as_str() {
            "remember" => read(&step.with).map(|input| Need::of_remember(&input)),
            "recall" => read(&step.with).map(|input| Need::of_recall(&input)),
            "update" => read(&step.with).map(|input| Need::of_update(&input)),
            "connect" => read(&step.with).map(|input| Need::of_connect(&input)),
            "track_failure" | "track_progress" | "records" | "scopes" | "import" => Ok(Need::Everything),
            "reinforce" | "forget" | "pin" | "find" => Ok(Need::memory(scope, id)),
            "neighbors" => Ok(Need::of_neighbors(scope, id, with.depth)),
            _ => Ok(Need::scope(scope)),
        };
        // What can't be read is refused by the operation itself.
        let need = need.unwrap_or(Need::Nothing);
        let Some(gathered) = kept.store.gather(&need).map_err(|error| error.to_string())? else { return Ok(()) };
        let mut opener = Engine::opener(self.engine.config().clone(), self.model.clone());
        gathered.records.into_iter().for_each(|record| opener.record(record));
        self.engine = opener.finish(Revision(gathered.revision.0.wrapping_add_signed(-kept.ahead)));
        Ok(())
    }

    /// Takes what the store holds in place of what is known, which must be the same.
    fn load(&mut self) -> Result<(), String> {
        let Some(kept) = &mut self.kept else { return Ok(()) };
        let mut opener = Engine::opener(self.engine.config().clone(), self.model.clone());
        let at = kept.store.load(&mut |record| opener.record(record)).map_err(|error| error.to_string())?;
        let loaded = opener.finish(Revision(at.0.wrapping_add_signed(-kept.ahead)));
        let is_whole = kept.store.gather(&Need::Nothing).map_err(|error| error.to_string())?.is_none();
        if loaded.revision() != self.engine.revision()
            || (is_whole && !loaded.records(None).eq(self.engine.records(None)))
        {
            return Err("the store loads other records than were committed".to_owned());
        }
        self.engine = loaded;
        Ok(())
    }

    pub(super) fn run(&mut self, step: &Step) -> Result<Answer, String> {
        let entropy = step.entropy.parse().map_err(|_| format!("entropy {:?} is no u64", step.entropy))?;
        let moment = Moment { now: Timestamp(step.at), entropy };
        self.know(step)?;
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
            if let Some(kept) = &mut self.kept {
                kept.commit(&entry)?;
                self.load()?;
            }
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

fn staged<T: Serialize>(staged: Result<Staged<T>, Error>) -> (Answer, Option<JournalEntry>) {
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
