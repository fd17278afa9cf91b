//! Runs plans: an engine with the clock, the entropy and the history that a host would have.

use std::sync::{Arc, OnceLock};

use ebbtrace_core::{
    Channel, Config, ConnectInput, Decision, Engine, Error, FailureInput, HandoffInput, JournalEntry, LinkInput,
    Moment, ProgressInput, RawEmbedding, RecallInput, Record, ReembedInput, Reembedding, RememberInput, StaticModel,
    Timestamp, UpdateInput, VectorKind,
};

use crate::plan::{NewMemory, Op};

/// 2026-09-21T14:13:20Z.
pub(crate) const START: Timestamp = Timestamp(1_790_000_000_000);
pub(crate) const SCOPES: [&str; 2] = ["default", "agent-7"];

/// The bundled token table, read once.
pub(crate) fn model() -> Arc<StaticModel> {
    static MODEL: OnceLock<Arc<StaticModel>> = OnceLock::new();
    let load = || Arc::new(StaticModel::load(include_bytes!("../../models/static-multi-v1.bin").as_slice()).unwrap());
    MODEL.get_or_init(load).clone()
}

/// What a step asked for: its answer as text (to the last bit: a float prints as the shortest text that reads back),
/// and what it would commit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) entry: Option<JournalEntry>,
}

/// An engine that a plan is run in.
pub(crate) struct World {
    pub(crate) engine: Engine,
    pub(crate) now: Timestamp,
    entropy: u64,
    /// The records after each step.
    history: Vec<Vec<Record>>,
}

impl World {
    pub(crate) fn new(config: Config) -> Self {
        Self { engine: Engine::new(config, Some(model())), now: START, entropy: 0, history: Vec::new() }
    }

    /// The same moment and history over another engine.
    pub(crate) fn over(&self, engine: Engine) -> Self {
        Self { engine, now: self.now, entropy: self.entropy, history: self.history.clone() }
    }

    pub(crate) fn records(&self) -> Vec<Record> {
        self.engine.records(None).collect()
    }

    /// The store reopened from its records in the order that `seed` gives.
    pub(crate) fn reopened(&self, seed: u64) -> Self {
        let mut records = self.records();
        shuffle(&mut records, seed);
        let mut opener = Engine::opener(self.engine.config().clone(), Some(model()));
        records.into_iter().for_each(|record| opener.record(record));
        self.over(opener.finish(self.engine.revision()))
    }

    /// Moves on to the next step: the clock, and fresh entropy.
    pub(crate) fn tick(&mut self, op: &Op) {
        if let Op::Clock { hours } = op {
            self.now = self.now.plus_days(f64::from(*hours) / 24.0);
        }
        if let Op::Age { .. } = op {
            self.now = self.now.plus_days(180.0);
        }
        self.now = self.now.plus_days(1e-4);
        self.entropy = self.entropy.wrapping_add(1);
    }

    /// Takes in what a step would commit.
    pub(crate) fn commit(&mut self, answer: &Answer) {
        if let Some(entry) = &answer.entry {
            self.engine.apply(entry);
        }
        self.history.push(self.records());
    }

    /// Stages and commits one step.
    pub(crate) fn step(&mut self, op: &Op) -> Answer {
        self.tick(op);
        let answer = self.stage(op);
        self.commit(&answer);
        answer
    }

    /// Decides one step; changes nothing.
    pub(crate) fn stage(&self, op: &Op) -> Answer {
        let engine = &self.engine;
        let moment = Moment { now: self.now, entropy: self.entropy.wrapping_mul(0x9e37_79b9_7f4a_7c15) };
        match op {
            Op::Remember(new) => self.remember(new, moment),
            Op::Recall { scope, query, k, depth, peek, as_of, vector } => {
                let input = RecallInput {
                    scope: Some(SCOPES[usize::from(*scope)].to_owned()),
                    query: query.text(),
                    k: *k,
                    depth: ["hot", "warm", "cold", "frozen"].get(usize::from(*depth)).map(|tier| (*tier).to_owned()),
                    peek: *peek,
                    as_of: as_of.map(|hours| self.now.plus_days(f64::from(hours) / 24.0)),
                    embedding: vector.map(raw_vector),
                    ..RecallInput::default()
                };
                answer(
                    engine.stage_recall(&input, moment).map(|staged| (format!("{:?}", staged.outcome), staged.entry)),
                )
            }
            Op::Update { scope, target, text, importance, vector } => {
                let input = UpdateInput {
                    scope: Some(SCOPES[usize::from(*scope)].to_owned()),
                    id: self.target(*scope, *target),
                    content: text.map(|text| text.text()),
                    importance: importance.map(|tenths| f64::from(tenths) / 10.0),
                    embedding: vector.map(raw_vector),
                    ..UpdateInput::default()
                };
                answer(
                    engine.stage_update(&input, moment).map(|staged| (format!("{:?}", staged.outcome), staged.entry)),
                )
            }
            Op::Connect { scope, from, to, relation, weight } => {
                let input = ConnectInput {
                    scope: Some(SCOPES[usize::from(*scope)].to_owned()),
                    from: self.target(*scope, *from),
                    to: self.target(*scope, *to),
                    relation: ["depends-on", "related", "knows"].get(usize::from(*relation)).map(|r| (*r).to_owned()),
                    weight: weight.map(|halves| f64::from(halves) / 2.0),
                };
                answer(
                    engine.stage_connect(&input, moment).map(|staged| (format!("{:?}", staged.outcome), staged.entry)),
                )
            }
            _ => self.stage_by_hand(op, moment),
        }
    }

    fn stage_by_hand(&self, op: &Op, moment: Moment) -> Answer {
        let engine = &self.engine;
        match *op {
            Op::Reinforce { scope, target } => {
                let (name, id) = (Some(SCOPES[usize::from(scope)]), self.target(scope, target));
                answer(engine.stage_reinforce(name, &id, moment).map(|s| (format!("{:?}", s.outcome), s.entry)))
            }
            Op::Forget { scope, target } => {
                let (name, id) = (Some(SCOPES[usize::from(scope)]), self.target(scope, target));
                answer(engine.stage_forget(name, &id, None, moment).map(|s| (format!("{:?}", s.outcome), s.entry)))
            }
            Op::Pin { scope, target, pinned } => {
                let (name, id) = (Some(SCOPES[usize::from(scope)]), self.target(scope, target));
                answer(engine.stage_pin(name, &id, pinned, moment).map(|s| (format!("{:?}", s.outcome), s.entry)))
            }
            Op::Age { scope } => self.stage_by_hand(&Op::Maintain { scope, dry_run: false }, moment),
            Op::Maintain { scope, dry_run } => {
                let name = Some(SCOPES[usize::from(scope)]);
                answer(engine.stage_maintain(name, dry_run, moment).map(|s| (format!("{:?}", s.outcome), s.entry)))
            }
            Op::Decide { scope, target, approve } => {
                let (name, id) = (Some(SCOPES[usize::from(scope)]), self.proposed(scope, target));
                let decision = if approve { Decision::Approve } else { Decision::Reject };
                answer(
                    engine
                        .stage_decide(name, &id, decision, Channel::Terminal, moment)
                        .map(|s| (format!("{:?}", s.outcome), s.entry)),
                )
            }
            Op::Restore { scope, target } => {
                let (name, id) = (Some(SCOPES[usize::from(scope)]), self.target(scope, target));
                answer(engine.stage_restore(name, &id, moment).map(|s| (format!("{:?}", s.outcome), s.entry)))
            }
            Op::Track { scope, sort, of, text } => {
                let (scope, text) = (Some(SCOPES[usize::from(scope)].to_owned()), text.text());
                let part = ["auth", "billing", "ci"][usize::from(of)].to_owned();
                let staged = match sort {
                    0 => {
                        let (error, component) = (text, part);
                        let input = FailureInput { scope, error, component, ..FailureInput::default() };
                        engine.stage_track_failure(&input, moment)
                    }
                    1 => {
                        let (feature, notes, status) = (part, Some(text), "review".to_owned());
                        let input = ProgressInput { scope, feature, notes, status, ..ProgressInput::default() };
                        engine.stage_track_progress(&input, moment)
                    }
                    _ => {
                        engine.stage_handoff(&HandoffInput { scope, summary: text, ..HandoffInput::default() }, moment)
                    }
                };
                answer(staged.map(|staged| (format!("{:?}", staged.outcome), staged.entry)))
            }
            Op::Undo { scope, session, dry_run } => {
                let (name, session) = (Some(SCOPES[usize::from(scope)]), format!("session {session}"));
                let staged = engine.stage_undo(name, &session, dry_run, moment);
                answer(staged.map(|s| (format!("{:?}", s.outcome), s.entry)))
            }
            Op::Purge { scope, targets: (first, second), carriers } => {
                let (name, ids) = (Some(SCOPES[usize::from(scope)]), [first, second].map(|at| self.target(scope, at)));
                answer(engine.stage_purge(name, &ids, carriers, moment).map(|s| (format!("{:?}", s.outcome), s.entry)))
            }
            Op::ImportEarlier { step } => {
                let earlier = match self.history.len() {
                    0 => Vec::new(),
                    steps => self.history[usize::from(step) % steps].clone(),
                };
                answer(engine.stage_import(earlier, moment).map(|s| (format!("{:?}", s.outcome), s.entry)))
            }
            _ => Answer { text: "the clock moves".to_owned(), entry: None },
        }
    }

    fn remember(&self, new: &NewMemory, moment: Moment) -> Answer {
        let pick = |list: &[&str], at: u8| list.get(usize::from(at)).map(|name| (*name).to_owned());
        let input = RememberInput {
            scope: Some(SCOPES[usize::from(new.scope)].to_owned()),
            id: new.id.map(|number| format!("key:{number}")),
            content: new.text.text(),
            kind: pick(&["decision", "person"], new.kind),
            category: pick(&["fact", "assumption", "failure", "strategy"], new.category),
            importance: new.importance.map(|tenths| f64::from(tenths) / 10.0),
            tags: new.tag.and_then(|tag| pick(&["ops", "home"], tag)).into_iter().collect(),
            author: pick(&["Atlas Reed", "user", "Mira"], (new.kind + new.category) % 4),
            session: new.session.map(|session| format!("session {session}")),
            occurred_at: new.occurred_days_ago.map(|days| self.now.plus_days(-f64::from(days))),
            links: new
                .links
                .iter()
                .filter(|_| !self.ids(new.scope).is_empty())
                .map(|(to, weight)| LinkInput {
                    to: self.target(new.scope, *to),
                    relation: None,
                    weight: (*weight > 0).then(|| f64::from(*weight) * 2.5),
                })
                .collect(),
            pinned: new.pinned,
            embedding: new.vector.map(raw_vector),
            ..RememberInput::default()
        };
        answer(self.engine.stage_remember(&input, moment).map(|s| (format!("{:?}", s.outcome), s.entry)))
    }

    /// What gives every memory of `scope` that lacks it a vector as wanted, or takes its vector away.
    pub(crate) fn reembed(&self, scope: &str, wanted: Option<&VectorKind>) -> JournalEntry {
        let lacking = self.engine.unembedded(Some(scope), wanted).unwrap();
        let memories = lacking.iter().map(|one| {
            let memory = self.engine.find(Some(scope), one.id.as_str()).unwrap();
            let value = |i: usize| ((memory.content.len() + i * 3) % 7) as f32 - 2.0;
            let embedding = wanted.map(|kind| RawEmbedding {
                model: kind.model.to_string(),
                values: (0..kind.dimension).map(value).collect(),
            });
            let (id, version, content) = (memory.id.to_string(), memory.version, memory.content.clone());
            Reembedding { id, version, content, embedding }
        });
        let input = ReembedInput { scope: Some(scope.to_owned()), memories: memories.collect() };
        self.engine.stage_reembed(&input, Moment { now: self.now, entropy: self.entropy }).unwrap().entry
    }

    /// The ids of a scope, in order.
    pub(crate) fn ids(&self, scope: u8) -> Vec<String> {
        let memories = self.engine.records(Some(SCOPES[usize::from(scope)]));
        memories
            .filter_map(|record| match record {
                Record::Memory(memory) => Some(memory.id.to_string()),
                _ => None,
            })
            .collect()
    }

    fn target(&self, scope: u8, target: u8) -> String {
        let ids = self.ids(scope);
        if ids.is_empty() { "nobody".to_owned() } else { ids[usize::from(target) % ids.len()].clone() }
    }

    /// A memory that something is proposed about, where there is any.
    fn proposed(&self, scope: u8, target: u8) -> String {
        let proposals: Vec<String> = self
            .engine
            .records(Some(SCOPES[usize::from(scope)]))
            .filter_map(|record| match record {
                Record::Proposal(proposal) => Some(proposal.id.to_string()),
                _ => None,
            })
            .collect();
        match proposals.len() {
            0 => self.target(scope, target),
            count => proposals[usize::from(target) % count].clone(),
        }
    }
}

/// Everything that can be read of an engine at `now`, as text.
pub(crate) fn readings(engine: &Engine, now: Timestamp) -> String {
    use std::fmt::Write;
    let mut text = format!("{:?}\n{:?}\n", engine.revision(), engine.scopes());
    for scope in SCOPES.map(Some) {
        writeln!(text, "{:?}", engine.stats(scope, now)).unwrap();
        writeln!(text, "{:?}", engine.review_queue(scope, Some(1000), None, now)).unwrap();
        for query in ["retry limit of Atlas", "dark roast coffee", "deploy staging ERR_CONN-3", "PostgreSQL 프로젝트"]
        {
            for vector in [None, Some(1)] {
                let input = RecallInput {
                    scope: scope.map(str::to_owned),
                    query: query.to_owned(),
                    depth: Some("frozen".to_owned()),
                    k: Some(8),
                    embedding: vector.map(raw_vector),
                    ..RecallInput::default()
                };
                writeln!(text, "{:?}", engine.stage_recall(&input, Moment { now, entropy: 1 })).unwrap();
            }
        }
        writeln!(text, "{:?}", engine.stage_maintain(scope, true, Moment { now, entropy: 2 })).unwrap();
        writeln!(text, "{:?}", engine.forecast_within(scope, 90.0, Some(5), now)).unwrap();
        writeln!(text, "{:?}", engine.stage_undo(scope, "session 1", true, Moment { now, entropy: 3 })).unwrap();
        let ids: Vec<String> = engine
            .records(scope)
            .filter_map(|record| match record {
                Record::Memory(memory) => Some(memory.id.to_string()),
                _ => None,
            })
            .collect();
        for id in ids {
            writeln!(text, "{id} {:?}", engine.activation(scope, &id, now)).unwrap();
            writeln!(text, "{:?}", engine.forecast(scope, &id, now)).unwrap();
            writeln!(text, "{:?}", engine.history(scope, &id)).unwrap();
            writeln!(text, "{:?}", engine.neighbors(scope, &id, Some(2), Some(5), None, now)).unwrap();
        }
    }
    text
}

/// A host's vector: two models, of which one has come in two dimensions; one vector is all zeros.
fn raw_vector(number: u8) -> RawEmbedding {
    let (model, dimension) = match number {
        0..=5 => ("host-model", 6),
        6 | 7 => ("host-model", 4),
        _ => ("other-model", 5),
    };
    let value =
        |i: usize| if number == 5 || number == 9 { 0.0 } else { ((i * 7 + usize::from(number) * 5) % 11) as f32 - 4.0 };
    RawEmbedding { model: model.to_owned(), values: (0..dimension).map(value).collect() }
}

fn answer(staged: Result<(String, JournalEntry), Error>) -> Answer {
    match staged {
        Ok((text, entry)) => Answer { text, entry: (!entry.changes.is_empty()).then_some(entry) },
        Err(error) => Answer { text: format!("refused: {} ({}): {error}", error.code(), error.field()), entry: None },
    }
}

/// Fisher-Yates with SplitMix64.
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = seed;
    for i in (1..items.len()).rev() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        items.swap(i, ((mixed >> 33) % (i as u64 + 1)) as usize);
    }
}
