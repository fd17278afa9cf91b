//! How the time of a hook is shared out: what comes first must leave enough for what comes after it, however slow the
//! disk and however late the client.

use std::time::{Duration, Instant};

/// Until when the input is waited for, as a share of the whole. Clients write it at once.
const INPUT: f64 = 0.5;
/// Until when the store is looked through, newest memories first. One of 100,000 takes a third of it, where the
/// system has the file in memory.
const LOOK: f64 = 0.6;
/// Until when links are followed.
const LINKS: f64 = 0.7;
/// Until when what was found is read; ranking it takes 10 to 25 ms.
const READ: f64 = 0.82;
/// Until when it is waited for other hooks to note what they showed.
const LOCK: f64 = 0.96;
/// How long a store is waited for that another process has for itself.
const PATIENCE: f64 = 0.35;

/// The time of a hook.
#[derive(Clone, Copy, Debug)]
pub(super) struct Time {
    started: Instant,
    within: Duration,
}

impl Time {
    pub(super) fn new(started: Instant, within_ms: u64) -> Self {
        Self { started, within: Duration::from_millis(within_ms) }
    }

    /// How much is left until all must be done.
    pub(super) fn left(self) -> Duration {
        self.at(1.0).saturating_duration_since(Instant::now())
    }

    pub(super) fn input(self) -> Instant {
        self.at(INPUT)
    }

    pub(super) fn look(self) -> Instant {
        self.at(LOOK)
    }

    pub(super) fn links(self) -> Instant {
        self.at(LINKS)
    }

    pub(super) fn read(self) -> Instant {
        self.at(READ)
    }

    pub(super) fn lock(self) -> Instant {
        self.at(LOCK)
    }

    pub(super) fn patience(self) -> Duration {
        self.within.mul_f64(PATIENCE)
    }

    fn at(self, share: f64) -> Instant {
        self.started + self.within.mul_f64(share)
    }
}
