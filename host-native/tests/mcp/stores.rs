//! Stores that do what a test needs.

use ebbtrace::{CommitAnswer, Service, Store, StoreError, service::Options, store::MemoryStore};
use ebbtrace_core::{JournalEntry, Record, Revision};

/// A store in memory that runs `before_commit` before each commit.
pub(crate) struct Hooked<F> {
    pub(crate) store: MemoryStore,
    pub(crate) before_commit: F,
}

impl<F: FnMut(&JournalEntry) + Send> Store for Hooked<F> {
    fn load(&mut self, sink: &mut dyn FnMut(Record)) -> Result<Revision, StoreError> {
        self.store.load(sink)
    }

    fn commit(&mut self, entry: &JournalEntry) -> Result<CommitAnswer, StoreError> {
        (self.before_commit)(entry);
        self.store.commit(entry)
    }

    fn changes_since(&mut self, revision: Revision) -> Result<Option<Vec<JournalEntry>>, StoreError> {
        self.store.changes_since(revision)
    }

    fn close(self: Box<Self>) -> Result<(), StoreError> {
        Ok(())
    }
}

/// A service over `store` that runs `before_commit` before each commit.
pub(crate) fn hooked(
    store: &MemoryStore,
    before_commit: impl FnMut(&JournalEntry) + Send + 'static,
) -> Result<Service, StoreError> {
    Service::open(Options::new(Box::new(Hooked { store: store.clone(), before_commit })))
}
