//! The host loop: clock, embed, stage, commit, apply, and again where another process was faster.

mod adopt;
mod control;
mod error;
mod journal;
mod recall;
mod reembed;
mod second_stage;
mod state;
mod turn;
mod undo;
mod upkeep;

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use ebbtrace_core::{
    Channel, Config, ConnectInput, Connected, CurrentTiers, Decided, Decision, Engine, Error, Forecast, Maintained,
    Memory, MemoryId, Moment, Neighbor, Page, Record, RememberInput, Remembered, ReviewItem, Shown, Staged,
    StaticModel, Stats, Timestamp, Touched, UpdateInput,
};

use crate::{
    clock::{Clock, SystemClock},
    embed::{Embedder, embed_one},
    model::ModelError,
    rerank::Reranker,
    store::{Need, Store, StoreError},
};

pub(crate) use control::STILL_IN_LOG;
pub use control::{Receipt, Removed, RemovedText};
pub use error::ServiceError;
pub use journal::{DecidedLine, JournalLine};
pub use reembed::{Progress, ReembedReport};
use turn::Inner;
pub use undo::{UndoAnswer, UndoPlan};

/// How long a write keeps trying while other processes are faster.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long a reranker may take over one question where nobody says.
pub const RERANKER_TIMEOUT: Duration = Duration::from_secs(2);

/// What a service is made of. `Options::new(store)` takes the defaults for the rest.
pub struct Options {
    /// Where it is kept.
    pub store: Box<dyn Store>,
    /// The engine's constants.
    pub config: Config,
    /// The core's static token table, if any.
    pub model: Option<Arc<StaticModel>>,
    /// A model of the host's own, if any.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// What looks again at what a recall finds, if anything.
    pub reranker: Option<Arc<dyn Reranker>>,
    /// How long it may take; after that the first stage's order stands. Loading its model does not count.
    pub reranker_timeout: Duration,
    /// Where moments come from.
    pub clock: Box<dyn Clock>,
    /// Whose memory it is: whom *I* and *my* in a query stand for, where the caller doesn't say.
    pub owner: Option<String>,
    /// Where the clock was set to a time to come: by how much, in words. Then a recall only looks, and nothing is
    /// deleted, since what will have faded has not yet.
    pub ahead: Option<String>,
}

impl Options {
    /// The defaults, over `store`: the bundled token table, no embedder, no reranker, the system's clock.
    #[must_use]
    pub fn new(store: Box<dyn Store>) -> Self {
        Self {
            store,
            config: Config::default(),
            model: Some(StaticModel::bundled()),
            embedder: None,
            reranker: None,
            reranker_timeout: RERANKER_TIMEOUT,
            clock: Box::new(SystemClock),
            owner: None,
            ahead: None,
        }
    }
}

/// The whole memory behind one handle. Shared between threads; each call takes its turn.
pub struct Service {
    inner: Mutex<Inner>,
    clock: Box<dyn Clock>,
    embedder: Option<Arc<dyn Embedder>>,
    reranker: Option<Arc<dyn Reranker>>,
    reranker_timeout: Duration,
    owner: Option<String>,
    ahead: Option<String>,
}

impl Service {
    /// Loads the store and is ready.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn open(options: Options) -> Result<Self, StoreError> {
        let Options { store, config, model, embedder, reranker, reranker_timeout, clock, owner, ahead } = options;
        let inner = Inner::open(store, config, model)?;
        Ok(Self { inner: Mutex::new(inner), clock, embedder, reranker, reranker_timeout, owner, ahead })
    }

    /// Ends the use of files and connections.
    ///
    /// # Errors
    /// [`StoreError`]; what was committed is safe all the same.
    pub fn close(self) -> Result<(), StoreError> {
        self.inner.into_inner().unwrap_or_else(PoisonError::into_inner).store.close()
    }

    /// Forgets what is in memory and loads the store anew: after a panic nothing else is to be trusted.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn reload(&self) -> Result<(), StoreError> {
        self.lock().reload()
    }

    /// The moment that the next operation would be given.
    #[must_use]
    pub fn moment(&self) -> Moment {
        self.clock.moment()
    }

    /// Stores a memory, or finds that it is known.
    ///
    /// # Errors
    /// [`ServiceError`]; nothing was stored, except as [`ServiceError::Unknown`] says.
    pub fn remember(&self, input: RememberInput) -> Result<Remembered, ServiceError> {
        self.remember_as_of(input, None)
    }

    /// Stores a memory as if it were `now`: for what is imported with times of its own.
    ///
    /// # Errors
    /// As [`Service::remember`].
    pub fn remember_at(&self, input: RememberInput, now: Timestamp) -> Result<Remembered, ServiceError> {
        self.remember_as_of(input, Some(now))
    }

    /// Edits a memory.
    ///
    /// # Errors
    /// [`ServiceError`]; [`Error::Stale`] where it changed since this service last showed it.
    pub fn update(&self, mut input: UpdateInput) -> Result<Touched, ServiceError> {
        if let (None, Some(content)) = (&input.embedding, &input.content)
            && !content.trim().is_empty()
        {
            input.embedding = self.embed_stored(content)?;
        }
        if input.if_version.is_none() {
            input.if_version = self.lock().seen(input.scope.as_deref(), &input.id);
        }
        let need =
            Need::near(input.scope.as_deref(), input.content.as_deref().unwrap_or_default(), [input.id.as_str()]);
        let touched = self.write(&need, |engine, moment| engine.stage_update(&input, moment));
        self.saw_touched(touched)
    }

    /// Links two memories, or resets the clock of their link.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn connect(&self, input: &ConnectInput) -> Result<Connected, ServiceError> {
        self.write(&Need::of_connect(input), |engine, moment| engine.stage_connect(input, moment))
    }

    /// Links two memories as if it were `now`: for what is imported with times of its own.
    ///
    /// # Errors
    /// As [`Service::connect`].
    pub fn connect_at(&self, input: &ConnectInput, now: Timestamp) -> Result<Connected, ServiceError> {
        self.write(&Need::of_connect(input), |engine, moment| engine.stage_connect(input, Moment { now, ..moment }))
    }

    /// Resets a memory's clock and counts up.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn reinforce(&self, scope: Option<&str>, id: &str) -> Result<Touched, ServiceError> {
        self.saw_touched(
            self.write(&Need::memory(scope, id), |engine, moment| engine.stage_reinforce(scope, id, moment)),
        )
    }

    /// Archives a memory; nothing is deleted.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn forget(&self, scope: Option<&str>, id: &str, reason: Option<&str>) -> Result<Touched, ServiceError> {
        self.saw_touched(
            self.write(&Need::memory(scope, id), |engine, moment| engine.stage_forget(scope, id, reason, moment)),
        )
    }

    /// Pins or unpins a memory.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn pin(&self, scope: Option<&str>, id: &str, pinned: bool) -> Result<Touched, ServiceError> {
        self.saw_touched(
            self.write(&Need::memory(scope, id), |engine, moment| engine.stage_pin(scope, id, pinned, moment)),
        )
    }

    /// Brings an archived, superseded or proposed memory back.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn restore(&self, scope: Option<&str>, id: &str) -> Result<Touched, ServiceError> {
        self.saw_touched(self.write(&Need::scope(scope), |engine, moment| engine.stage_restore(scope, id, moment)))
    }

    /// Moves memories between tiers and proposes what a human may let go.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn maintain(&self, scope: Option<&str>, dry_run: bool) -> Result<Maintained, ServiceError> {
        self.write(&Need::scope(scope), |engine, moment| engine.stage_maintain(scope, dry_run, moment))
    }

    /// Carries out a human's answer, which came by `channel`, to a proposal as it was shown. No argument of a tool that
    /// a model can call leads here.
    ///
    /// # Errors
    /// [`ServiceError`]; [`Error::ProposalChanged`] where it is no longer what was shown.
    pub fn decide(
        &self,
        scope: Option<&str>,
        shown: &Shown,
        decision: Decision,
        channel: Channel,
    ) -> Result<Decided, ServiceError> {
        if decision == Decision::Approve {
            self.by_the_present()?;
        }
        self.write(&Need::scope(scope), |engine, moment| {
            engine.stage_decide_shown(scope, shown, decision, channel, moment)
        })
    }

    /// Deletes what a human approved of in one form: see [`Engine::stage_delete_shown`]. Of each, what was done or why not.
    ///
    /// # Errors
    /// [`ServiceError`]; nothing was deleted then, except as [`ServiceError::Unknown`] says.
    pub fn delete_shown(
        &self,
        scope: Option<&str>,
        shown: &[Shown],
        kept: &[MemoryId],
        channel: Channel,
    ) -> Result<Vec<Result<Decided, Error>>, ServiceError> {
        self.by_the_present()?;
        self.write(&Need::scope(scope), |engine, moment| engine.stage_delete_shown(scope, shown, kept, channel, moment))
    }

    /// Refuses what can't be undone where the clock is ahead.
    fn by_the_present(&self) -> Result<(), ServiceError> {
        self.ahead.clone().map_or(Ok(()), |by| Err(ServiceError::ClockAhead { by }))
    }

    /// Takes what is left of deleted texts out of the store's files; whether none is left. While another process reads
    /// the store as it was before, they stay in the file or its log; a later call of any process takes them out.
    pub fn files_clean(&self) -> bool {
        self.lock().store.files_clean()
    }

    /// Whether something deleted earlier was taken out of the store's files since it was opened here.
    pub(crate) fn has_cleaned_files(&self) -> bool {
        self.lock().store.has_cleaned_files()
    }

    /// Whether the store, opened a second time the way this one was, is the same store.
    pub(crate) fn reopens(&self) -> bool {
        self.lock().store.reopens()
    }

    /// How many rows of the store can't be read, so that nothing here knows of them.
    #[must_use]
    pub fn unreadable(&self) -> usize {
        self.lock().store.unreadable()
    }

    /// Takes records in, all or none; how many were new.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn import(&self, records: &[Record]) -> Result<usize, ServiceError> {
        self.write(&Need::Everything, |engine, moment| engine.stage_import(records.to_vec(), moment))
    }

    /// What is to be remembered as it would be stored, and how many secrets that leaves out.
    #[must_use]
    pub fn without_secrets(&self, input: &RememberInput) -> (RememberInput, usize) {
        self.lock().engine.redacted_input(input)
    }

    /// How many secrets an import of these records leaves out.
    #[must_use]
    pub fn secrets_in(&self, records: &[Record]) -> usize {
        self.lock().engine.redacted_records(records.to_vec()).1
    }

    /// A memory's surroundings in the graph, nearest first.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn neighbors(
        &self,
        scope: Option<&str>,
        id: &str,
        depth: Option<i64>,
        limit: Option<i64>,
        cursor: Option<&str>,
    ) -> Result<Page<Neighbor>, ServiceError> {
        let now = self.moment().now;
        let need = Need::of_neighbors(scope, id, depth);
        let page = self.read(&need, |engine| engine.neighbors(scope, id, depth, limit, cursor, now))?;
        self.saw(page.items.iter().map(|neighbor| &neighbor.memory));
        Ok(page)
    }

    /// What waits for a human's decision.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn review_queue(
        &self,
        scope: Option<&str>,
        limit: Option<i64>,
        cursor: Option<&str>,
    ) -> Result<Page<ReviewItem>, ServiceError> {
        let now = self.moment().now;
        self.read(&Need::scope(scope), |engine| engine.review_queue(scope, limit, cursor, now))
    }

    /// The proposal about a memory as it stands now, also where it no longer holds.
    ///
    /// # Errors
    /// [`ServiceError`]; [`Error::NotFound`] where nothing is proposed about it.
    pub fn proposal(&self, scope: Option<&str>, id: &str) -> Result<ReviewItem, ServiceError> {
        let now = self.moment().now;
        self.read(&Need::memory(scope, id), |engine| engine.proposal(scope, id, now))
    }

    /// Refuses where what is proposed about a memory could not be approved now.
    ///
    /// # Errors
    /// [`ServiceError`]; as for an approval.
    pub fn must_stand(&self, scope: Option<&str>, id: &str) -> Result<(), ServiceError> {
        let now = self.moment().now;
        self.read(&Need::memory(scope, id), |engine| engine.must_stand(scope, id, now))
    }

    /// About how many of these memories a human's decision is still waited for, as the store has it now.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn still_waiting(&self, scope: Option<&str>, shown: &[Shown]) -> Result<usize, ServiceError> {
        let now = self.moment().now;
        self.read(&Need::scope(scope), |engine| engine.still_waiting(scope, shown, now))
    }

    /// The engine's constants.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn config(&self) -> Result<Config, ServiceError> {
        self.read(&Need::Nothing, |engine| Ok(engine.config().clone()))
    }

    /// Figures of a scope.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn stats(&self, scope: Option<&str>) -> Result<Stats, ServiceError> {
        let now = self.moment().now;
        self.read(&Need::scope(scope), |engine| engine.stats(scope, now))
    }

    /// The tier of each current memory of a scope, by id.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn tiers(&self, scope: Option<&str>) -> Result<CurrentTiers, ServiceError> {
        let now = self.moment().now;
        self.read(&Need::scope(scope), |engine| engine.tiers(scope, now))
    }

    /// When a memory reaches each tier if nothing is used any more.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn forecast(&self, scope: Option<&str>, id: &str) -> Result<Forecast, ServiceError> {
        let now = self.moment().now;
        self.read(&Need::scope(scope), |engine| engine.forecast(scope, id, now))
    }

    /// A memory's activation now, at least 0: see [`ebbtrace_core::activation`].
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn activation(&self, scope: Option<&str>, id: &str) -> Result<f64, ServiceError> {
        let now = self.moment().now;
        self.read(&Need::scope(scope), |engine| engine.activation(scope, id, now))
    }

    /// One memory as it is.
    ///
    /// # Errors
    /// [`ServiceError`]; [`Error::NotFound`] where there is none.
    pub fn memory(&self, scope: Option<&str>, id: &str) -> Result<Memory, ServiceError> {
        let memory = self.read(&Need::memory(scope, id), |engine| engine.find(scope, id).cloned())?;
        self.saw(std::iter::once(&memory));
        Ok(memory)
    }

    /// Every record of one scope, or of all, in a fixed order.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn export(&self, scope: Option<&str>, mut each: impl FnMut(Record)) -> Result<(), ServiceError> {
        let need = scope.map_or(Need::Everything, |scope| Need::scope(Some(scope)));
        self.read(&need, |engine| {
            engine.records(scope).for_each(&mut each);
            Ok(())
        })
    }

    /// The scopes that hold something, by name.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn scopes(&self) -> Result<Vec<String>, ServiceError> {
        self.read(&Need::Scopes, |engine| Ok(engine.scopes()))
    }

    fn remember_as_of(&self, mut input: RememberInput, now: Option<Timestamp>) -> Result<Remembered, ServiceError> {
        if input.embedding.is_none() && !input.content.trim().is_empty() {
            input.embedding = self.embed_stored(&input.content)?;
        }
        // Who stores a memory has seen it: its edit by another is not to be overwritten unread.
        let need = Need::of_remember(&input);
        self.write_then(
            &need,
            |engine, moment| {
                let now = now.unwrap_or(moment.now);
                engine.stage_remember(&input, Moment { now, ..moment })
            },
            |inner, remembered| inner.saw_current(remembered.scope.as_str(), remembered.id.as_str()),
        )
    }

    /// The vector of a text as it will be stored: without its secrets.
    fn embed_stored(&self, text: &str) -> Result<Option<ebbtrace_core::RawEmbedding>, ModelError> {
        if self.embedder.is_none() {
            return Ok(None);
        }
        let text = self.lock().engine.redacted(text).into_owned();
        self.embed(&text)
    }

    fn embed(&self, text: &str) -> Result<Option<ebbtrace_core::RawEmbedding>, ModelError> {
        self.embedder.as_deref().map(|embedder| embed_one(embedder, text)).transpose()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        // The engine changes only in `apply`, which can't fail half-way: a poisoned lock guards a sound state.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the engine, once it knows what `need` says.
    fn read<T>(&self, need: &Need, ask: impl FnOnce(&Engine) -> Result<T, Error>) -> Result<T, ServiceError> {
        let mut inner = self.lock();
        inner.know(need)?;
        Ok(ask(&inner.engine)?)
    }

    /// As [`Service::read`], and commits what was staged.
    fn write<T>(
        &self,
        need: &Need,
        stage: impl Fn(&Engine, Moment) -> Result<Staged<T>, Error>,
    ) -> Result<T, ServiceError> {
        self.write_then(need, stage, |_, _| {})
    }

    /// Stages, commits and applies, again for as long as other processes are faster; then calls `then` in the same turn.
    fn write_then<T>(
        &self,
        need: &Need,
        stage: impl Fn(&Engine, Moment) -> Result<Staged<T>, Error>,
        then: impl FnOnce(&mut Inner, &T),
    ) -> Result<T, ServiceError> {
        self.write_with(need, stage, |_, _| Ok(()), then)
    }

    /// As [`Service::write_then`]; each try calls `before` when it has staged and not yet committed.
    fn write_with<T>(
        &self,
        need: &Need,
        stage: impl Fn(&Engine, Moment) -> Result<Staged<T>, Error>,
        before: impl Fn(&mut Inner, &T) -> Result<(), StoreError>,
        then: impl FnOnce(&mut Inner, &T),
    ) -> Result<T, ServiceError> {
        let mut inner = self.lock();
        let started = Instant::now();
        let mut conflicts = 0;
        loop {
            if inner.may_write()? {
                let attempt = inner.attempt(need, self.clock.as_ref(), &stage, &before);
                inner.store.release();
                if let Some(outcome) = attempt? {
                    then(&mut inner, &outcome);
                    return Ok(outcome);
                }
                conflicts += 1;
            }
            let waited = started.elapsed();
            if waited > PATIENCE {
                return Err(StoreError::Busy { waited_ms: waited.as_millis() as u64 }.into());
            }
            // The first conflict is followed by a reservation. A store that conflicts all the same keeps nobody out:
            // up to 8 ms apart, at random, so that writers in step fall out of it; else a short wait for the others.
            let most = if conflicts > 1 { 8_000 } else { 300 };
            std::thread::sleep(Duration::from_micros(self.clock.moment().entropy % most));
        }
    }

    fn saw<'a>(&self, memories: impl Iterator<Item = &'a Memory>) {
        let mut inner = self.lock();
        for memory in memories {
            inner.saw(memory);
        }
    }

    fn saw_touched(&self, touched: Result<Touched, ServiceError>) -> Result<Touched, ServiceError> {
        if let Ok(touched) = &touched {
            self.lock().saw(&touched.memory);
        }
        touched
    }
}
