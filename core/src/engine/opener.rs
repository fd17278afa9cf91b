//! Opening a store: its records, in any order, become an engine.

use std::sync::Arc;

use crate::{analysis::Analysis, change::Revision, engine::Engine, record::Record, static_model::StaticModel};

/// An engine that is being filled. Records may come in any order.
pub struct Opener {
    engine: Engine,
}

impl Opener {
    pub(super) fn new(engine: Engine) -> Self {
        Self { engine }
    }

    /// Takes in one record.
    pub fn record(&mut self, record: Record) {
        self.analysed(self.analyst().analyse(record));
    }

    /// What works out the half of taking in a record that needs no engine. A host that has threads may do that on one
    /// and hand the results to [`Opener::analysed`] on another.
    #[must_use]
    pub fn analyst(&self) -> Analyst {
        Analyst { model: self.engine.model.clone() }
    }

    /// Takes in one record that this opener's [`Analyst`] has seen.
    pub fn analysed(&mut self, Analysed { record, analysis }: Analysed) {
        self.engine.put(record, |_| analysis);
    }

    /// The engine, at the revision that the records are at.
    #[must_use]
    pub fn finish(mut self, revision: Revision) -> Engine {
        self.engine.revision = revision;
        for partition in &mut self.engine.partitions {
            partition.settle(&self.engine.config);
        }
        self.engine
    }
}

/// See [`Opener::analyst`].
#[derive(Clone, Debug)]
pub struct Analyst {
    model: Option<Arc<StaticModel>>,
}

impl Analyst {
    /// Works out what the indexes will want to know of a record.
    #[must_use]
    pub fn analyse(&self, record: Record) -> Analysed {
        let analysis = match (&record, &self.model) {
            (Record::Memory(memory), Some(model)) => Some(Analysis::of(memory, model)),
            _ => None,
        };
        Analysed { record, analysis }
    }
}

/// A record, and what was worked out of it.
#[derive(Debug)]
pub struct Analysed {
    record: Record,
    analysis: Option<Analysis>,
}
