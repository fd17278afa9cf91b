//! Where moments come from: the system's clock and random source, or a clock under the caller's control.

use std::{
    sync::atomic::{AtomicI64, AtomicU64, Ordering},
    time::{SystemTime, UNIX_EPOCH},
};

use ebbtrace_core::{Moment, Timestamp};

/// Gives the time and entropy of each operation.
pub trait Clock: Send + Sync {
    /// The present moment, with fresh entropy.
    fn moment(&self) -> Moment;
}

/// The system's clock and random source.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn moment(&self) -> Moment {
        let now = SystemTime::now();
        // A clock set before 1970 gives a negative number rather than an error.
        let ms = match now.duration_since(UNIX_EPOCH) {
            Ok(since) => since.as_millis() as i64,
            Err(before) => -(before.duration().as_millis() as i64),
        };
        Moment::new(ms, entropy())
    }
}

/// A fixed time, as `--now` gives it, with the system's random source.
#[derive(Clone, Copy, Debug)]
pub struct FixedClock(pub Timestamp);

impl Clock for FixedClock {
    fn moment(&self) -> Moment {
        Moment { now: self.0, entropy: entropy() }
    }
}

/// A clock that moves when told to and whose entropy is a sequence: equal runs give equal ids.
#[derive(Debug, Default)]
pub struct ManualClock {
    now: AtomicI64,
    entropy: AtomicU64,
}

impl ManualClock {
    /// A clock that stands at `now`.
    #[must_use]
    pub fn new(now: Timestamp) -> Self {
        Self { now: AtomicI64::new(now.0), entropy: AtomicU64::new(0) }
    }

    /// Sets the time.
    pub fn set(&self, now: Timestamp) {
        self.now.store(now.0, Ordering::SeqCst);
    }

    /// The time it stands at.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        Timestamp(self.now.load(Ordering::SeqCst))
    }
}

impl Clock for ManualClock {
    fn moment(&self) -> Moment {
        Moment { now: self.now(), entropy: self.entropy.fetch_add(1, Ordering::SeqCst) }
    }
}

impl<C: Clock + ?Sized> Clock for std::sync::Arc<C> {
    fn moment(&self) -> Moment {
        (**self).moment()
    }
}

/// 64 random bits. Where the system's source fails, the time in nanoseconds has to do: ids stay unique, and
/// nothing here is a secret.
fn entropy() -> u64 {
    getrandom::u64()
        .unwrap_or_else(|_| SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64))
}
