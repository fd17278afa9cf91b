//! Time and entropy, handed in by the host.

use serde::{Deserialize, Serialize};

/// One day in milliseconds.
pub const DAY_MS: i64 = 86_400_000;

/// An instant: milliseconds since 1970-01-01T00:00:00 UTC, leap seconds ignored. Time zones never reach the core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// The latest instant the core accepts: 9999-12-31T23:59:59.999Z.
    pub const MAX: Self = Self(253_402_300_799_999);
    /// The earliest instant the core accepts: 0001-01-01T00:00:00Z.
    pub const MIN: Self = Self(-62_135_596_800_000);

    /// Days from `earlier` to `self`, fractional; 0 where the clock ran backwards.
    ///
    /// ```
    /// use ebbtrace_core::Timestamp;
    /// assert_eq!(Timestamp(43_200_000).days_since(Timestamp(0)), 0.5);
    /// assert_eq!(Timestamp(0).days_since(Timestamp(43_200_000)), 0.0);
    /// ```
    #[must_use]
    pub fn days_since(self, earlier: Self) -> f64 {
        let ms = self.0.saturating_sub(earlier.0).max(0);
        ms as f64 / DAY_MS as f64
    }

    /// This instant moved by `days` (may be negative), kept within [`Timestamp::MIN`] and [`Timestamp::MAX`].
    #[must_use]
    pub fn plus_days(self, days: f64) -> Self {
        let moved = self.0.saturating_add((days * DAY_MS as f64) as i64);
        Self(moved.clamp(Self::MIN.0, Self::MAX.0))
    }
}

/// What a host must bring to every decision: the time and some randomness. The core has neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// The host's clock.
    pub now: Timestamp,
    /// Any 64 bits, fresh for each call; they only make ids unique. Equal moments give equal ids.
    pub entropy: u64,
}

impl Moment {
    /// A moment from the host's clock in milliseconds and fresh random bits.
    #[must_use]
    pub const fn new(now_ms: i64, entropy: u64) -> Self {
        Self { now: Timestamp(now_ms), entropy }
    }
}
