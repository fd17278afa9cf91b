//! The forgetting curve: how fast things fade when nobody uses them.
//!
//! Two clocks run. *Decay* halves an edge's weight and a read's bonus every half-life. *Strength* follows
//! Ebbinghaus' exponential forgetting curve at a rate that depends on the memory's category and importance.

use crate::{
    config::Fading,
    record::{Category, Memory},
    time::Timestamp,
};

/// What is left of 1 after `age_days`: 2^(-age / half-life), 0..=1. An age below zero counts as zero.
///
/// ```
/// use ebbtrace_core::score::decay;
/// assert_eq!(decay(0.0, 30.0), 1.0);
/// assert_eq!(decay(30.0, 30.0), 0.5);
/// assert_eq!(decay(60.0, 30.0), 0.25);
/// assert_eq!(decay(-5.0, 30.0), 1.0);
/// ```
#[must_use]
pub fn decay(age_days: f64, half_life_days: f64) -> f64 {
    libm::exp2(-age_days.max(0.0) / half_life_days)
}

/// A memory's forgetting rate a day: lambda of its category x (1 - shield x importance).
#[must_use]
pub fn forgetting_rate(category: Category, importance: f64, fading: &Fading) -> f64 {
    fading.lambda(category) * (1.0 - fading.importance_shield * importance)
}

/// Strength, 0..=1: min(1, importance x e^(-rate x days) x (1 + 0.2 x recall count)).
///
/// At importance 0.5 and never recalled, strength falls under the prune line of 0.05 after 38.4 (strategy), 24.0
/// (fact), 19.2 (assumption) and 11.0 (failure) days. Those are lifetimes, not half-lives:
///
/// ```
/// use ebbtrace_core::{Category, config::Fading, score::strength};
/// let fading = Fading::default();
/// for (category, days) in [
///     (Category::Strategy, 38.4),
///     (Category::Fact, 24.0),
///     (Category::Assumption, 19.2),
///     (Category::Failure, 11.0),
/// ] {
///     assert!(strength(0.5, days - 0.1, 0, category, &fading) > 0.05);
///     assert!(strength(0.5, days + 0.1, 0, category, &fading) < 0.05);
/// }
/// assert_eq!(strength(0.8, 0.0, 5, Category::Fact, &fading), 1.0);
/// ```
#[must_use]
pub fn strength(importance: f64, days: f64, recall_count: u32, category: Category, fading: &Fading) -> f64 {
    let rate = forgetting_rate(category, importance, fading);
    let recalls = 1.0 + fading.recall_boost * f64::from(recall_count);
    (importance * libm::exp(-rate * days.max(0.0)) * recalls).min(1.0)
}

/// The strength of `memory` at `now`, 0..=1.
#[must_use]
pub fn strength_of(memory: &Memory, now: Timestamp, fading: &Fading) -> f64 {
    let days = now.days_since(memory.last_accessed_at);
    strength(memory.importance, days, memory.recall_count, memory.category, fading)
}

/// An instant from which on the strength of `memory` is under `line` for as long as it is not used: the
/// latest there is where that never comes, as with a line of 0, the earliest where it is under it at any time. Rounded up by a minute, so
/// that what a sum loses in its last bits never makes it too early.
#[must_use]
pub fn fades_at(memory: &Memory, line: f64, fading: &Fading) -> Timestamp {
    const MINUTE: f64 = 1.0 / 1_440.0;
    if line <= 0.0 {
        return Timestamp::MAX;
    }
    let fresh = memory.importance * (1.0 + fading.recall_boost * f64::from(memory.recall_count));
    if fresh < line * (1.0 - 1e-9) {
        return Timestamp::MIN;
    }
    let rate = forgetting_rate(memory.category, memory.importance, fading);
    let days = libm::log(fresh / line).max(0.0) / rate;
    if rate < 1e-9 || !days.is_finite() {
        return Timestamp::MAX;
    }
    memory.last_accessed_at.plus_days(days + MINUTE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_strong_once_it_has_faded() {
        let fading = Fading::default();
        let mut memory: Memory = serde_json::from_value(serde_json::json!({
            "id": "a", "kind": "note", "category": "fact", "content": "x", "importance": 0.5, "state": "active",
            "occurred_at": 0, "created_at": 0, "updated_at": 0, "valid_from": 0, "recall_count": 0, "version": 1,
            "last_accessed_at": 1_790_000_000_000_i64,
        }))
        .unwrap();
        for importance in [0.0, 0.01, 0.15, 0.5, 0.999, 1.0] {
            for recall_count in [0, 1, 7, 4_000_000_000] {
                for category in Category::ALL {
                    memory = Memory { importance, recall_count, category, ..memory };
                    let faded = fades_at(&memory, 0.15, &fading);
                    for days in [0.0, 1e-9, 1.0, 3_000.0] {
                        assert!(strength_of(&memory, faded.plus_days(days), &fading) < 0.15, "{memory:?} {days}");
                    }
                    let before = faded.plus_days(-2.0 / 1_440.0);
                    let strong = strength_of(&memory, before, &fading) >= 0.15;
                    assert!(strong || faded == Timestamp::MIN, "{memory:?}");
                    // No strength is under 0.
                    assert_eq!(fades_at(&memory, 0.0, &fading), Timestamp::MAX);
                }
            }
        }
    }

    #[test]
    fn decay_never_leaves_its_range() {
        for age in [f64::MIN, -1.0, 0.0, 1e-9, 30.0, 11_000.0, f64::MAX] {
            let left = decay(age, 30.0);
            assert!((0.0..=1.0).contains(&left), "{age} gave {left}");
        }
    }
}
