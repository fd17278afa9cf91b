//! One turn of a write: catch up, stage, commit, apply.

use std::{
    collections::HashMap,
    mem,
    sync::{Arc, mpsc},
    thread,
};

use ebbtrace_core::{Analysed, Config, Engine, Error, Memory, Moment, Staged, StaticModel};

use super::ServiceError;
use crate::{
    clock::Clock,
    store::{CommitAnswer, Gathered, Need, Store, StoreError},
};

/// The store, the engine over it, and what the caller has seen: one call at a time has them.
pub(super) struct Inner {
    pub(super) store: Box<dyn Store>,
    pub(super) engine: Engine,
    model: Option<Arc<StaticModel>>,
    /// The version of each memory that this service last showed its caller: an edit of one that has changed since
    /// is refused rather than overwriting what the caller never saw.
    seen: HashMap<(String, String), u32>,
    /// Whether another process was faster at the last write: the next one keeps others out first.
    contended: bool,
    /// Whether other processes have written since this one last did.
    others_wrote: bool,
    /// Whether a commit's answer was lost, so that the engine may be behind the store.
    in_doubt: bool,
    /// Of a store that is not loaded: what the engine knows of it.
    gathered: Option<Need>,
}

impl Inner {
    /// Loads the store.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn open(
        mut store: Box<dyn Store>,
        config: Config,
        model: Option<Arc<StaticModel>>,
    ) -> Result<Self, StoreError> {
        let (engine, gathered) = match store.gather(&Need::Nothing)? {
            Some(Gathered { revision, .. }) => {
                (Engine::opener(config, model.clone()).finish(revision), Some(Need::Nothing))
            }
            None => (load(store.as_mut(), config, model.clone())?, None),
        };
        let seen = HashMap::new();
        Ok(Self { store, engine, model, seen, contended: false, others_wrote: false, in_doubt: false, gathered })
    }

    /// Sees to it that the engine knows what is needed, as the store has it now: where the store is not loaded, that
    /// alone; else what others committed.
    pub(super) fn know(&mut self, need: &Need) -> Result<(), StoreError> {
        if self.gathered.is_none() {
            return self.catch_up();
        }
        let is_known = *need == Need::Nothing || self.gathered.as_ref() == Some(need);
        if is_known
            && !self.in_doubt
            && self.store.changes_since(self.engine.revision())?.is_some_and(|new| new.is_empty())
        {
            return Ok(());
        }
        let Some(Gathered { revision, records }) = self.store.gather(need)? else { return self.reload() };
        let mut opener = Engine::opener(self.engine.config().clone(), self.model.clone());
        records.into_iter().for_each(|record| opener.record(record));
        self.engine = opener.finish(revision);
        self.in_doubt = false;
        self.gathered = Some(need.clone());
        Ok(())
    }

    /// Whether to try a write now. Where others were faster before, it keeps them out first; while it can't, it takes
    /// in what they commit, so that little is left to do with the others waiting.
    pub(super) fn may_write(&mut self) -> Result<bool, StoreError> {
        if !self.contended {
            return Ok(true);
        }
        if self.gathered.is_none() {
            self.catch_up()?;
        }
        self.store.reserve()
    }

    /// One try of a write; `None` where another process was faster. `before` looks at what the commit will change.
    pub(super) fn attempt<T>(
        &mut self,
        need: &Need,
        clock: &dyn Clock,
        stage: &impl Fn(&Engine, Moment) -> Result<Staged<T>, Error>,
        before: &impl Fn(&mut Self, &T) -> Result<(), StoreError>,
    ) -> Result<Option<T>, ServiceError> {
        self.know(need)?;
        let staged = stage(&self.engine, clock.moment())?;
        before(self, &staged.outcome)?;
        if staged.is_empty() {
            return Ok(Some(staged.outcome));
        }
        match self.store.commit(&staged.entry)? {
            CommitAnswer::Committed => {
                self.contended &= mem::take(&mut self.others_wrote);
                self.engine.apply(&staged.entry);
                Ok(Some(staged.outcome))
            }
            CommitAnswer::Conflict => {
                self.contended = true;
                Ok(None)
            }
            CommitAnswer::Unknown => {
                self.in_doubt = true;
                Err(ServiceError::Unknown)
            }
        }
    }

    /// Takes in what other processes committed.
    pub(super) fn catch_up(&mut self) -> Result<(), StoreError> {
        if let Some(need) = self.gathered.clone() {
            return self.know(&need);
        }
        if self.in_doubt {
            return self.reload();
        }
        let Some(entries) = self.store.changes_since(self.engine.revision())? else {
            return self.reload();
        };
        self.others_wrote |= !entries.is_empty();
        for entry in &entries {
            self.engine.apply(entry);
        }
        Ok(())
    }

    /// Loads everything anew; the engine is as it was where that fails.
    pub(super) fn reload(&mut self) -> Result<(), StoreError> {
        if self.gathered.is_some() {
            self.in_doubt = true;
            return self.know(&Need::Nothing);
        }
        self.engine = load(self.store.as_mut(), self.engine.config().clone(), self.model.clone())?;
        self.in_doubt = false;
        self.others_wrote = true;
        Ok(())
    }

    /// Notes that the caller has seen the memory as it is here.
    pub(super) fn saw(&mut self, memory: &Memory) {
        let key = (memory.scope.to_string(), memory.id.to_string());
        self.seen.insert(key, memory.version);
    }

    /// Notes that the caller has seen the memory as the engine has it.
    pub(super) fn saw_current(&mut self, scope: &str, id: &str) {
        if let Ok(memory) = self.engine.find(Some(scope), id) {
            let version = memory.version;
            self.seen.insert((scope.to_owned(), id.to_owned()), version);
        }
    }

    /// The version that the caller has last seen.
    pub(super) fn seen(&self, scope: Option<&str>, id: &str) -> Option<u32> {
        self.seen.get(&(scope.unwrap_or("default").to_owned(), id.to_owned())).copied()
    }
}

/// Whether what failed is the writing alone, so that the memory can be asked still: a full disk, a file that is protected,
/// a commit whose answer was lost.
pub(super) fn only_prevents_writing(error: &ServiceError) -> bool {
    matches!(
        error,
        ServiceError::Store(StoreError::Io { .. } | StoreError::ReadOnly { .. } | StoreError::Full { .. })
            | ServiceError::Unknown
    )
}

/// Fills an engine with what the store holds. One thread reads and analyses while the other fills: a large store opens
/// sooner.
fn load(store: &mut dyn Store, config: Config, model: Option<Arc<StaticModel>>) -> Result<Engine, StoreError> {
    const BATCH: usize = 1_000;
    let mut opener = Engine::opener(config, model);
    let analyst = opener.analyst();
    thread::scope(|scope| {
        let (full, batches) = mpsc::sync_channel::<Vec<Analysed>>(4);
        let reader = scope.spawn(move || {
            let mut batch = Vec::with_capacity(BATCH);
            let revision = store.load(&mut |record| {
                batch.push(analyst.analyse(record));
                if batch.len() == BATCH {
                    // It fails only where the filling thread is gone, and then nobody needs what is read.
                    let _ = full.send(mem::replace(&mut batch, Vec::with_capacity(BATCH)));
                }
            });
            let _ = full.send(batch);
            revision
        });
        batches.into_iter().flatten().for_each(|record| opener.analysed(record));
        match reader.join() {
            Ok(revision) => Ok(opener.finish(revision?)),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
