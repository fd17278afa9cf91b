//! An engine as a host would run it: commits at once, fresh entropy at each call.

use std::sync::{Arc, OnceLock};

use ebbtrace_core::{
    Config, Engine, Error, Memory, Moment, RecallInput, Recalled, Record, RememberInput, Remembered, Staged,
    StaticModel, Timestamp, UpdateInput,
};

/// 2026-09-21T14:13:20Z.
pub(crate) const START: Timestamp = Timestamp(1_790_000_000_000);

pub(crate) struct Host {
    pub(crate) engine: Engine,
    pub(crate) now: Timestamp,
    calls: u64,
}

impl Host {
    pub(crate) fn new() -> Self {
        static MODEL: OnceLock<Arc<StaticModel>> = OnceLock::new();
        let load = || StaticModel::load(include_bytes!("../../models/static-multi-v1.bin").as_slice()).unwrap();
        let model = MODEL.get_or_init(|| Arc::new(load())).clone();
        Self { engine: Engine::new(Config::default(), Some(model)), now: START, calls: 0 }
    }

    /// Lets days go by.
    pub(crate) fn wait(&mut self, days: f64) {
        self.now = self.now.plus_days(days);
    }

    pub(crate) fn moment(&mut self) -> Moment {
        self.calls += 1;
        Moment { now: self.now, entropy: self.calls.wrapping_mul(0x9e37_79b9_7f4a_7c15) }
    }

    /// Stages with `stage` and commits.
    pub(crate) fn run<T>(&mut self, stage: impl FnOnce(&Engine, Moment) -> Result<Staged<T>, Error>) -> T {
        let moment = self.moment();
        let staged = stage(&self.engine, moment).unwrap();
        self.engine.apply(&staged.entry);
        staged.outcome
    }

    pub(crate) fn put(&mut self, input: &RememberInput) -> Remembered {
        self.run(|engine, moment| engine.stage_remember(input, moment))
    }

    pub(crate) fn remember(&mut self, content: &str) -> Remembered {
        self.put(&RememberInput { content: content.to_owned(), ..RememberInput::default() })
    }

    /// Stores a text under a key of its own, which nothing is merged into.
    pub(crate) fn keep(&mut self, id: &str, content: &str) -> Remembered {
        let (id, content) = (Some(id.to_owned()), content.to_owned());
        self.put(&RememberInput { id, content, ..RememberInput::default() })
    }

    pub(crate) fn recall(&mut self, input: &RecallInput) -> Recalled {
        self.run(|engine, moment| engine.stage_recall(input, moment))
    }

    /// The texts that a query finds, best first, leaving every clock as it is.
    pub(crate) fn look(&mut self, query: &str) -> Vec<String> {
        let input = RecallInput { query: query.to_owned(), peek: true, ..RecallInput::default() };
        self.recall(&input).hits.into_iter().map(|hit| hit.memory.content).collect()
    }

    pub(crate) fn update(&mut self, id: &str, content: &str) {
        let (id, content) = (id.to_owned(), Some(content.to_owned()));
        let input = UpdateInput { id, content, ..UpdateInput::default() };
        self.run(|engine, moment| engine.stage_update(&input, moment));
    }

    pub(crate) fn memories(&self) -> Vec<Memory> {
        let records = self.engine.records(None);
        records
            .filter_map(|record| match record {
                Record::Memory(memory) => Some(*memory),
                _ => None,
            })
            .collect()
    }

    /// The texts that hold now, in order of their ids.
    pub(crate) fn current(&self) -> Vec<String> {
        self.memories().into_iter().filter(|memory| memory.state.is_current()).map(|memory| memory.content).collect()
    }
}
