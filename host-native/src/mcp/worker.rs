//! The thread that owns the memory. It opens the store while the client is being greeted, does calls in the order in
//! which they came, outlives their panics, and tries again to open a store that would not open.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::mpsc,
    thread,
    time::Duration,
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
    /// Starts the thread, which starts to open the store.
    pub(super) fn start(open: impl FnMut() -> Result<Service, StoreError> + Send + 'static) -> (Self, Ending) {
        let (calls, queue) = mpsc::channel();
        let (end, ending) = mpsc::channel();
        thread::spawn(move || {
            work(open, &queue);
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
        let shared = std::sync::Arc::new(std::sync::Mutex::new(Some(answer)));
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

fn work(mut open: impl FnMut() -> Result<Service, StoreError>, queue: &mpsc::Receiver<Call>) {
    let mut opened = try_open(&mut open);
    for call in queue {
        if opened.is_err() {
            opened = try_open(&mut open);
        }
        match &opened {
            Err(refusal) => (call.fail)(refusal.clone()),
            Ok(service) => {
                if catch_unwind(AssertUnwindSafe(|| (call.run)(service))).is_err() {
                    (call.fail)(Refusal::internal());
                    // What was committed is in the store; what the panic left in memory is not to be trusted.
                    if !matches!(catch_unwind(AssertUnwindSafe(|| service.reload())), Ok(Ok(()))) {
                        opened = Err(Refusal::internal());
                    }
                }
            }
        }
    }
    if let Ok(service) = opened
        && let Err(error) = service.close()
    {
        tracing::warn!(%error, "the store did not close cleanly; what was committed is safe");
    }
}

fn try_open(open: &mut impl FnMut() -> Result<Service, StoreError>) -> Result<Service, Refusal> {
    match catch_unwind(AssertUnwindSafe(open)) {
        Ok(Ok(service)) => Ok(service),
        Ok(Err(error)) => {
            tracing::error!(%error, "the store did not open");
            Err(error.into())
        }
        Err(_) => Err(Refusal::internal()),
    }
}
