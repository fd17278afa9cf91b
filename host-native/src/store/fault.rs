//! A store that fails when told to, so that tests see what the host makes of it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ebbtrace_core::{JournalEntry, MemoryId, Record, Revision, Scope};

use super::{CommitAnswer, DamagedMemory, Gathered, Logged, Need, Store, StoreError};

/// How a call goes wrong. Only a commit can conflict or be unknown: any other call just fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The call fails before anything is written.
    Fail,
    /// The commit is answered with a conflict; nothing is written.
    Conflict,
    /// The commit is lost, and its answer with it.
    UnknownBeforeCommit,
    /// The commit is stored, and its answer is lost.
    UnknownAfterCommit,
}

impl Fault {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Fail, Self::Conflict, Self::UnknownBeforeCommit, Self::UnknownAfterCommit];
}

/// Counts a store's calls and decides which of them go wrong. A clone is the same handle.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    plan: Arc<Mutex<Plan>>,
}

#[derive(Debug, Default)]
struct Plan {
    calls: u64,
    faults: Vec<(u64, Fault)>,
}

impl Faults {
    /// No faults so far.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes the call of this number go wrong, counted from 1 over the store's whole life.
    pub fn at(&self, call: u64, fault: Fault) {
        self.lock().faults.push((call, fault));
    }

    /// How many calls there were: loads, commits, and questions for changes.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.lock().calls
    }

    fn next(&self) -> Option<Fault> {
        let mut plan = self.lock();
        plan.calls += 1;
        let call = plan.calls;
        plan.faults.iter().find(|(number, _)| *number == call).map(|(_, fault)| *fault)
    }

    fn lock(&self) -> MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Any store, with faults at chosen calls.
#[derive(Debug)]
pub struct FaultStore<S> {
    inner: S,
    faults: Faults,
}

impl<S: Store> FaultStore<S> {
    /// `inner`, going wrong as `faults` says.
    pub fn new(inner: S, faults: Faults) -> Self {
        Self { inner, faults }
    }

    fn may_fail(&self, doing: &'static str) -> Result<(), StoreError> {
        match self.faults.next() {
            Some(_) => Err(planned(doing)),
            None => Ok(()),
        }
    }
}

impl<S: Store + 'static> Store for FaultStore<S> {
    fn load(&mut self, sink: &mut dyn FnMut(Record)) -> Result<Revision, StoreError> {
        self.may_fail("loading")?;
        self.inner.load(sink)
    }

    fn commit(&mut self, entry: &JournalEntry) -> Result<CommitAnswer, StoreError> {
        match self.faults.next() {
            None => self.inner.commit(entry),
            Some(Fault::Fail) => Err(planned("writing")),
            Some(Fault::Conflict) => Ok(CommitAnswer::Conflict),
            Some(Fault::UnknownBeforeCommit) => Ok(CommitAnswer::Unknown),
            Some(Fault::UnknownAfterCommit) => {
                self.inner.commit(entry)?;
                Ok(CommitAnswer::Unknown)
            }
        }
    }

    fn changes_since(&mut self, revision: Revision) -> Result<Option<Vec<JournalEntry>>, StoreError> {
        self.may_fail("reading the journal")?;
        self.inner.changes_since(revision)
    }

    fn close(self: Box<Self>) -> Result<(), StoreError> {
        Box::new(self.inner).close()
    }

    fn reserve(&mut self) -> Result<bool, StoreError> {
        self.inner.reserve()
    }

    fn entries_about(&mut self, scope: &Scope, memories: &[(MemoryId, String)]) -> Result<usize, StoreError> {
        self.may_fail("reading the journal")?;
        self.inner.entries_about(scope, memories)
    }

    fn journal(&mut self, each: &mut dyn FnMut(Logged) -> bool) -> Result<(), StoreError> {
        self.may_fail("reading the journal")?;
        self.inner.journal(each)
    }

    fn has_cleaned_files(&self) -> bool {
        self.inner.has_cleaned_files()
    }

    fn gather(&mut self, need: &Need) -> Result<Option<Gathered>, StoreError> {
        self.inner.gather(need)
    }

    fn files_clean(&mut self) -> bool {
        self.inner.files_clean()
    }

    fn damaged(&mut self, scope: &Scope, id: &MemoryId) -> Result<Option<DamagedMemory>, StoreError> {
        self.may_fail("reading")?;
        self.inner.damaged(scope, id)
    }

    fn reopens(&self) -> bool {
        self.inner.reopens()
    }

    fn unreadable(&self) -> usize {
        self.inner.unreadable()
    }

    fn release(&mut self) {
        self.inner.release();
    }
}

fn planned(doing: &'static str) -> StoreError {
    StoreError::Io { doing, reason: "a planned fault".to_owned() }
}
