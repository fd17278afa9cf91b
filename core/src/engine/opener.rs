//! Opening a store: its records, in any order, become an engine.

use crate::{change::Revision, engine::Engine, record::Record};

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
        self.engine.put(record);
    }

    /// The engine, at the revision that the records are at.
    #[must_use]
    pub fn finish(mut self, revision: Revision) -> Engine {
        self.engine.revision = revision;
        for partition in self.engine.partitions.values_mut() {
            partition.settle(&self.engine.config);
        }
        self.engine
    }
}
