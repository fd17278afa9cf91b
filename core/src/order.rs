//! Sorting, made once.
//!
//! The standard library's sort is compiled anew for each kind of element and each rule: 4 KB each time, and there are
//! forty of them, which counts where the engine is loaded over a network. Here places are sorted, by a rule behind a
//! pointer. What is sorted often is numbers, and those the standard library sorts.

use std::cmp::Ordering;

/// Sorts by `order`. What is equal stays as it was.
pub(crate) fn sort_by<T>(items: &mut [T], order: impl Fn(&T, &T) -> Ordering) {
    let mut places = sorted(items.len(), &|a, b| order(&items[a], &items[b]));
    // Around each circle of places: what stood at its start moves along until it is where it belongs.
    for start in 0..items.len() {
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut places[at], at);
            if from == start {
                break;
            }
            items.swap(at, from);
            at = from;
        }
    }
}

/// Sorts by the elements' own order.
pub(crate) fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// The places 0 to `length` in the order of what is there.
fn sorted(length: usize, order: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..length).collect();
    places.sort_unstable_by(|&a, &b| order(a, b).then(a.cmp(&b)));
    places
}

/// A small map or set of `entries`, one put in after another: to `collect` them sorts them first.
pub(crate) fn filled<C: Default + Extend<T>, T>(entries: impl IntoIterator<Item = T>) -> C {
    let mut all = C::default();
    all.extend(entries);
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_sorts_as_the_standard_library_does(items: Vec<(u8, u32)>) {
            let mut expected = items.clone();
            expected.sort_by_key(|(key, _)| *key);
            let mut found = items;
            sort_by(&mut found, |a, b| a.0.cmp(&b.0));
            prop_assert_eq!(found, expected);
        }
    }
}
