//! Activation: how much a memory is in use, by its links and reads, each fading with its age.
//!
//! After ACT-R's base-level and spreading activation (Anderson 1983), with exponential instead of power-law decay:
//!
//! - *own*(i) = sum over the edges of i of weight x decay(age since reinforced) + read bonus x decay(age since access)
//! - *fan*(i) = sum over the edges of i of weight x decay(age)
//! - *activation*(i) = own(i) + spread x sum over the edges (i, n) of own(n) x weight x decay(age) / fan(n)
//!
//! Edges count in both directions. A neighbour gives what it has divided over all that it touches, so a hub does not
//! lift everything.
//!
//! Every term fades at one rate, so a ratio of two activations never changes while nothing is used. The engine
//! therefore keeps them as [`Level`]s, which hold for every later time, and updates only what a change touches. A
//! level is a sum of integers: the order in which records came can't change its last bit.

use crate::{config::Fading, time::Timestamp};

/// An amount that halves every half-life, as mantissa x 2^(exponent - time / half-life). The mantissa is in 1..2, or
/// 0 for nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    exponent: i64,
    mantissa: f64,
}

impl Level {
    /// Nothing, at any time.
    pub const ZERO: Self = Self { exponent: i64::MIN, mantissa: 0.0 };

    /// `amount` (finite, >= 0) as of the time `at`.
    #[must_use]
    pub fn new(amount: f64, at: Timestamp, fading: &Fading) -> Self {
        let (halvings, rest) = half_lives(at, fading);
        Self::normal(amount * libm::exp2(rest), halvings)
    }

    /// What is left at `now`; `now` must not be before any of the times that it was made of.
    #[must_use]
    pub fn at(self, now: Timestamp, fading: &Fading) -> f64 {
        self.seen(&View::new(now, fading))
    }

    /// The same as [`Level::at`], for an instant that many levels are seen at.
    #[must_use]
    pub fn seen(self, view: &View) -> f64 {
        let exponent = self.exponent.saturating_sub(view.halvings).clamp(-2_000, 1_000) as i32;
        times_power_of_two(self.mantissa * view.left, exponent)
    }

    /// Whether there is nothing.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.mantissa == 0.0
    }

    /// A key that orders levels as their amounts at any common time. (A positive f64's bits order as its value.)
    #[must_use]
    pub fn sort_key(self) -> (i64, u64) {
        (self.exponent, self.mantissa.to_bits())
    }

    /// `self` x `share` / `whole`, all at one time; nothing where `whole` is nothing.
    #[must_use]
    pub fn share(self, share: Self, whole: Self, factor: f64) -> Self {
        if self.is_zero() || share.is_zero() || whole.is_zero() {
            return Self::ZERO;
        }
        let exponent = self.exponent + share.exponent - whole.exponent;
        Self::normal(factor * self.mantissa * share.mantissa / whole.mantissa, exponent)
    }

    /// The sum of `levels`, the same to the last bit in any order.
    #[must_use]
    pub fn sum(levels: impl Iterator<Item = Self> + Clone) -> Self {
        /// Bits behind the point of the fixed-point terms.
        const FRACTION: u32 = 60;
        let Some(top) = levels.clone().filter(|level| !level.is_zero()).map(|level| level.exponent).max() else {
            return Self::ZERO;
        };
        let total: u128 = levels
            .filter(|level| !level.is_zero() && top.saturating_sub(level.exponent) < 64)
            .map(|level| u128::from(level.bits() << (FRACTION - MANTISSA_BITS) >> (top - level.exponent)))
            .sum();
        Self::normal(times_power_of_two(total as f64, -(FRACTION as i32)), top)
    }

    /// The mantissa, which is not 0, with its point [`MANTISSA_BITS`] bits from the right.
    fn bits(self) -> u64 {
        self.mantissa.to_bits() & ((1 << MANTISSA_BITS) - 1) | 1 << MANTISSA_BITS
    }

    fn normal(amount: f64, exponent: i64) -> Self {
        if amount <= 0.0 {
            return Self::ZERO;
        }
        if amount.is_normal() {
            let bits = amount.to_bits();
            let mantissa = bits & ((1 << MANTISSA_BITS) - 1) | 1.0_f64.to_bits();
            let shift = (bits >> MANTISSA_BITS) as i64 - 1_023;
            return Self { exponent: exponent + shift, mantissa: f64::from_bits(mantissa) };
        }
        let (fraction, shift) = libm::frexp(amount);
        Self { exponent: exponent + i64::from(shift) - 1, mantissa: fraction * 2.0 }
    }
}

/// An instant to see levels at: what is the same for all of them is worked out once.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// Whole half-lives since 1970.
    halvings: i64,
    /// What the rest of a half-life leaves of 1.
    left: f64,
}

impl View {
    /// The view at `now`.
    #[must_use]
    pub fn new(now: Timestamp, fading: &Fading) -> Self {
        let (halvings, rest) = half_lives(now, fading);
        Self { halvings, left: libm::exp2(-rest) }
    }
}

/// A memory's own terms and the fan it divides by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Own {
    /// Edges and read bonus.
    pub own: Level,
    /// Edges alone.
    pub fan: Level,
}

/// The first two terms of activation: the decayed weights of a memory's edges, and the bonus of its last read.
#[must_use]
pub fn own(edges: impl Iterator<Item = Level>, read: Level) -> Own {
    let edges: Vec<Level> = edges.collect();
    let fan = Level::sum(edges.iter().copied());
    Own { own: Level::sum([fan, read].into_iter()), fan }
}

/// Activation from a memory's own terms and those of the neighbours at its edges.
///
/// A decision linked three times today, read today, with three notes that have no other link and were read 30 days ago:
///
/// ```
/// use ebbtrace_core::{Timestamp, activation::{Level, own, total}, config::Fading};
/// let fading = Fading::default(); // half-life 30 days, read bonus 0.5, spread 0.3
/// let now = Timestamp(1_700_000_000_000);
/// let link = Level::new(1.0, now, &fading);
/// let decision = own([link; 3].into_iter(), Level::new(0.5, now, &fading));
/// let note = own([link].into_iter(), Level::new(0.5, now.plus_days(-30.0), &fading));
/// // own = 3 links + 0.5; each note has 1 + 0.25, all of it over its only link: 3.5 + 0.3 x 3 x 1.25
/// let activation = total(decision, [(link, note); 3].into_iter(), &fading);
/// assert!((activation.at(now, &fading) - 4.625).abs() < 1e-9);
/// // ... and half of that a half-life later.
/// assert!((activation.at(now.plus_days(30.0), &fading) - 2.3125).abs() < 1e-9);
/// ```
#[must_use]
pub fn total(own: Own, neighbours: impl Iterator<Item = (Level, Own)>, fading: &Fading) -> Level {
    let shares: Vec<Level> = neighbours.map(|(edge, far)| far.own.share(edge, far.fan, fading.spread)).collect();
    let spread = Level::sum(shares.iter().copied());
    Level::sum([own.own, spread].into_iter())
}

/// Bits of an f64 behind its point.
const MANTISSA_BITS: u32 = f64::MANTISSA_DIGITS - 1;

/// `value` x 2^`exponent`.
fn times_power_of_two(value: f64, exponent: i32) -> f64 {
    // Exact wherever the power and the product are normal numbers; the rest is rare.
    if (-900..=900).contains(&exponent) && (f64::EPSILON..1e36).contains(&value) {
        value * f64::from_bits(((1_023 + i64::from(exponent)) as u64) << MANTISSA_BITS)
    } else {
        libm::scalbn(value, exponent)
    }
}

/// Whole half-lives since 1970 and the rest, 0..1.
fn half_lives(at: Timestamp, fading: &Fading) -> (i64, f64) {
    let halvings = at.0 as f64 / (fading.half_life_days * crate::time::DAY_MS as f64);
    let whole = libm::floor(halvings);
    (whole as i64, halvings - whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::decay;

    const NOW: Timestamp = Timestamp(1_790_000_000_000);

    #[test]
    fn levels_follow_the_decay_formula() {
        let fading = Fading::default();
        for days in [0.0, 0.25, 1.0, 17.5, 30.0, 365.0, 10_950.0] {
            let level = Level::new(2.5, NOW, &fading).at(NOW.plus_days(days), &fading);
            let plain = 2.5 * decay(days, fading.half_life_days);
            assert!((level - plain).abs() <= 1e-9 * plain, "{days}: {level} {plain}");
        }
    }

    #[test]
    fn sums_do_not_depend_on_the_order() {
        let fading = Fading::default();
        let levels: Vec<Level> = (0..200)
            .map(|i| Level::new(0.1 + f64::from(i) * 0.37, NOW.plus_days(f64::from(-3 * i)), &fading))
            .collect();
        let forward = Level::sum(levels.iter().copied());
        let backward = Level::sum(levels.iter().rev().copied());
        assert_eq!(forward, backward);
        let plain: f64 = levels.iter().map(|level| level.at(NOW, &fading)).sum();
        assert!((forward.at(NOW, &fading) - plain).abs() < 1e-9);
    }

    #[test]
    fn the_short_ways_give_what_the_long_ones_do() {
        for value in [0.0, 1e-300, f64::MIN_POSITIVE / 4.0, 0.3, 1.0, 1.999, 7.5e17, 1e200] {
            for exponent in [-2_000, -1_000, -60, -1, 0, 9, 900, 1_000] {
                assert_eq!(times_power_of_two(value, exponent), libm::scalbn(value, exponent), "{value} {exponent}");
            }
            let level = Level::normal(value, 5);
            let (fraction, shift) = libm::frexp(value);
            let long = Level { exponent: 5 + i64::from(shift) - 1, mantissa: fraction * 2.0 };
            assert_eq!(level, if value > 0.0 { long } else { Level::ZERO });
        }
    }

    #[test]
    fn nothing_is_ever_not_a_number() {
        let fading = Fading::default();
        for at in [Timestamp::MIN, Timestamp(0), NOW, Timestamp::MAX] {
            for now in [Timestamp::MIN, Timestamp(0), NOW, Timestamp::MAX] {
                let level = Level::new(1.0, at.min(now), &fading).at(now, &fading);
                assert!((0.0..=1.0 + 1e-9).contains(&level), "{at:?} {now:?} {level}");
            }
        }
        assert_eq!(Level::sum(std::iter::empty()), Level::ZERO);
        assert_eq!(Level::ZERO.at(NOW, &fading), 0.0);
    }
}
