//! A store that lives as long as the process: for tests and for `--store memory`.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ebbtrace_core::{Change, JournalEntry, MemoryId, Record, Revision, Scope};

use super::{CommitAnswer, Store, StoreError, purge, records::Records};

/// Keeps everything in memory. A clone is the same store, as a second process is for a file.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore {
    shared: Arc<Mutex<Shared>>,
}

#[derive(Debug, Default)]
struct Shared {
    records: Records,
    /// Entry i made revision i + 1; `None` where it deleted something.
    journal: Vec<Option<JournalEntry>>,
}

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        // Nothing under the lock can fail half-way.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for MemoryStore {
    fn load(&mut self, sink: &mut dyn FnMut(Record)) -> Result<Revision, StoreError> {
        // Taken out first: the sink is the caller's, and may come back to this store.
        let records = self.lock().records.clone();
        records.iter().for_each(sink);
        Ok(records.revision())
    }

    fn commit(&mut self, entry: &JournalEntry) -> Result<CommitAnswer, StoreError> {
        let mut shared = self.lock();
        if shared.records.revision().next() != entry.revision {
            return Ok(CommitAnswer::Conflict);
        }
        for change in &entry.changes {
            if let Change::DeleteMemory { scope, id } = change {
                let text = shared.records.text(scope, id).to_owned();
                let earlier = shared.journal.iter_mut().flatten();
                earlier.for_each(|earlier| purge::clear(&mut earlier.changes, scope, id, &text));
            }
        }
        shared.records.apply(entry);
        shared.journal.push((!purge::is_in(entry)).then(|| entry.clone()));
        Ok(CommitAnswer::Committed)
    }

    fn changes_since(&mut self, revision: Revision) -> Result<Option<Vec<JournalEntry>>, StoreError> {
        let shared = self.lock();
        let known = usize::try_from(revision.0).ok();
        Ok(known.and_then(|known| shared.journal.get(known..)?.iter().cloned().collect()))
    }

    fn entries_about(&mut self, scope: &Scope, memories: &[(MemoryId, String)]) -> Result<usize, StoreError> {
        let speaks = |entry: &&JournalEntry| {
            let about = |change| memories.iter().any(|(id, text)| purge::speaks_of(change, scope, id, text));
            entry.changes.iter().any(about)
        };
        Ok(self.lock().journal.iter().flatten().filter(speaks).count())
    }

    fn reopens(&self) -> bool {
        false
    }

    fn close(self: Box<Self>) -> Result<(), StoreError> {
        Ok(())
    }
}
