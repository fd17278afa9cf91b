//! The thread that owns the memory. It opens the store while the client is being greeted, does calls in the order in
//! which they came, outlives their panics, and tries again to open a store that would not open.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, mpsc},
    thread,
    time::{Duration, Instant},
};

use tokio::sync::oneshot;

use super::refusal::Refusal;
use crate::{service::Service, store::StoreError};

type Job = Box<dyn FnOnce(&Service) + Send>;

/// What waits its turn: how to do it, and how to say that the store won't open.
struct Call {
    run: Job,
    fail: Box<dyn FnOnce(Refusal) + Send>,
}

/// A handle on the thread; it ends when every handle is gone.
#[derive(Clone)]
pub(super) struct Worker {
    calls: mpsc::Sender<Call>,
}

/// Tells when the thread has closed the store and ended.
pub(super) struct Ending(mpsc::Receiver<()>);

impl Ending {
    /// Waits for the end, at most for so long.
    pub(super) fn wait(self, at_most: Duration) {
        if self.0.recv_timeout(at_most) == Err(mpsc::RecvTimeoutError::Timeout) {
            tracing::info!("left a call unfinished at the end of input");
        }
    }
}

impl Worker {
    /// Starts the thread, which starts to open the store, and between calls does the upkeep, if any.
    pub(super) fn start(open: Open, upkeep: Option<Upkeep>) -> (Self, Ending) {
        let (calls, queue) = mpsc::channel();
        let (end, ending) = mpsc::channel();
        thread::spawn(move || {
            work(&open, &queue, upkeep);
            drop(end);
        });
        (Self { calls }, Ending(ending))
    }

    /// Does `job` when its turn comes, unless `cancelled` says then that nobody waits for it.
    pub(super) async fn call<T: Send + 'static>(
        &self,
        cancelled: impl Fn() -> bool + Send + 'static,
        job: impl FnOnce(&Service) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let (answer, answered) = oneshot::channel();
        let shared = Arc::new(std::sync::Mutex::new(Some(answer)));
        let reply = move |outcome| {
            let sender = shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
            if let Some(sender) = sender {
                // Nobody waits any more: the request was cancelled meanwhile.
                let _ = sender.send(outcome);
            }
        };
        let fail = reply.clone();
        let run = move |service: &Service| match cancelled() {
            true => reply(Err(Refusal::cancelled())),
            false => reply(job(service)),
        };
        let call = Call { run: Box::new(run), fail: Box::new(move |refusal| fail(Err(refusal))) };
        if self.calls.send(call).is_err() {
            return Err(Refusal::internal());
        }
        answered.await.unwrap_or_else(|_| Err(Refusal::internal()))
    }
}

/// Opens the store; more than once, where it would not open, or for the upkeep beside the calls.
pub(super) type Open = Arc<dyn Fn() -> Result<Service, StoreError> + Send + Sync>;

/// Maintenance in the background. Each scope is looked at many times in the interval and maintained when its last time
/// is an interval ago, whoever did that.
pub(super) struct Upkeep {
    every: Duration,
    /// The one scope that is served; `None`: all that the store holds.
    only: Option<String>,
    /// When to look through the scopes again.
    next: Instant,
    /// The maintenance under way, if any.
    under_way: Option<thread::JoinHandle<()>>,
}

impl Upkeep {
    /// The most time from the start to the first look, and between two looks.
    const START: Duration = Duration::from_secs(60);
    const LOOK: Duration = Duration::from_secs(60 * 60);
    /// The least time between two looks.
    const PAUSE: Duration = Duration::from_millis(100);

    /// Of every scope or of one, so often.
    pub(super) fn new(every: Duration, only: Option<String>) -> Self {
        Self { every, only, next: Instant::now() + every.min(Self::START), under_way: None }
    }

    /// How long the thread is to wait for a call before it turns to this.
    fn wait(&self) -> Duration {
        self.next.saturating_duration_since(Instant::now())
    }

    /// Sets the time of the next look.
    fn put_off(&mut self) {
        self.next = Instant::now() + (self.every / 4).clamp(Self::PAUSE, Self::LOOK);
    }

    /// Looks through the scopes, where the time for that has come, and has those maintained whose time has come.
    fn step(&mut self, service: &Service, open: &Open) {
        if Instant::now() < self.next {
            return;
        }
        self.put_off();
        if self.under_way.as_ref().is_some_and(|thread| !thread.is_finished()) {
            return;
        }
        let due = match service.maintenance_due(self.only.as_deref(), self.every) {
            Ok(due) => due,
            Err(error) => return tracing::warn!(%error, "maintenance could not read the store"),
        };
        if due.is_empty() {
            return;
        }
        if !service.reopens() {
            return maintain(service, &due, self.every);
        }
        // Working it out over a large scope takes a while: another engine over the same store does it, as another
        // process would, so that no call waits for it. Should the program end meanwhile, the rest is done next time.
        let (open, every) = (Arc::clone(open), self.every);
        self.under_way = Some(thread::spawn(move || match try_open(&open) {
            Ok(beside) => {
                maintain(&beside, &due, every);
                if let Err(error) = beside.close() {
                    tracing::warn!(%error, "the store did not close cleanly; what was committed is safe");
                }
            }
            // Why is logged.
            Err(_) => tracing::warn!("maintenance is tried again later"),
        }));
    }
}

/// Maintains scopes one after the other, each in pages: other writers get their turn between two.
fn maintain(service: &Service, scopes: &[String], every: Duration) {
    for scope in scopes {
        let done = catch_unwind(AssertUnwindSafe(|| service.maintain_in_pages(scope, every)));
        match done {
            Ok(Ok(Some(done))) => {
                let (moved, proposed) = (done.moved.len(), done.proposed.len());
                tracing::info!(examined = done.examined, moved, proposed, "maintained a scope");
            }
            Ok(Ok(None)) => tracing::info!("maintenance was overtaken; it is tried again later"),
            Ok(Err(error)) => tracing::warn!(%error, "maintenance failed; it is tried again later"),
            Err(_) => tracing::warn!("maintenance failed; it is tried again later"),
        }
    }
}

fn work(open: &Open, queue: &mpsc::Receiver<Call>, mut upkeep: Option<Upkeep>) {
    let mut opened = try_open(open);
    loop {
        let next = match &upkeep {
            Some(upkeep) => queue.recv_timeout(upkeep.wait()),
            None => queue.recv().map_err(mpsc::RecvTimeoutError::from),
        };
        let call = match next {
            Ok(call) => Some(call),
            Err(mpsc::RecvTimeoutError::Timeout) => None,
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        };
        if call.is_some() && opened.is_err() {
            opened = try_open(open);
        }
        let panicked = match (&opened, call) {
            (Err(refusal), Some(call)) => {
                (call.fail)(refusal.clone());
                None
            }
            (Err(_), None) => {
                upkeep.iter_mut().for_each(Upkeep::put_off);
                None
            }
            (Ok(service), call) => {
                let mut sound = true;
                if let Some(call) = call {
                    sound = catch_unwind(AssertUnwindSafe(|| (call.run)(service))).is_ok();
                    if !sound {
                        (call.fail)(Refusal::internal());
                    }
                }
                // Between calls too: a server that is always busy is maintained all the same.
                let step = || upkeep.iter_mut().for_each(|upkeep| upkeep.step(service, open));
                sound &= catch_unwind(AssertUnwindSafe(step)).is_ok();
                (!sound).then_some(service)
            }
        };
        // What was committed is in the store; what a panic left in memory is not to be trusted.
        if panicked.is_some_and(|service| !matches!(catch_unwind(AssertUnwindSafe(|| service.reload())), Ok(Ok(())))) {
            opened = Err(Refusal::internal());
        }
    }
    if let Ok(service) = opened
        && let Err(error) = service.close()
    {
        tracing::warn!(%error, "the store did not close cleanly; what was committed is safe");
    }
}

fn try_open(open: &Open) -> Result<Service, Refusal> {
    match catch_unwind(AssertUnwindSafe(|| open())) {
        Ok(Ok(service)) => Ok(service),
        Ok(Err(error)) => {
            tracing::error!(%error, "the store did not open");
            Err(error.into())
        }
        Err(_) => Err(Refusal::internal()),
    }
}
