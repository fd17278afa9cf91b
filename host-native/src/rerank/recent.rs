//! What was used lately, up to a bound in bytes.

use std::collections::{BTreeMap, HashMap};

/// Values by key; where they exceed the bound, those that were used longest ago go.
#[derive(Debug)]
pub(crate) struct Recent<K, V> {
    bound: usize,
    bytes: usize,
    clock: u64,
    values: HashMap<K, Kept<V>>,
    by_use: BTreeMap<u64, K>,
}

#[derive(Debug)]
struct Kept<V> {
    value: V,
    bytes: usize,
    used: u64,
}

impl<K: Clone + Eq + std::hash::Hash, V: Clone> Recent<K, V> {
    /// Nothing yet, and never more than `bound` bytes as they are counted at [`Recent::put`].
    pub(crate) fn new(bound: usize) -> Self {
        Self { bound, bytes: 0, clock: 0, values: HashMap::new(), by_use: BTreeMap::new() }
    }

    /// The value of `key`, which is used by that.
    pub(crate) fn get(&mut self, key: &K) -> Option<V> {
        let kept = self.values.get_mut(key)?;
        self.clock += 1;
        self.by_use.remove(&kept.used);
        kept.used = self.clock;
        self.by_use.insert(self.clock, key.clone());
        Some(kept.value.clone())
    }

    /// Keeps a value that takes `bytes`; one that is larger than the bound is not kept.
    pub(crate) fn put(&mut self, key: K, value: V, bytes: usize) {
        if let Some(old) = self.values.remove(&key) {
            self.by_use.remove(&old.used);
            self.bytes -= old.bytes;
        }
        if bytes > self.bound {
            return;
        }
        self.clock += 1;
        self.bytes += bytes;
        self.by_use.insert(self.clock, key.clone());
        self.values.insert(key, Kept { value, bytes, used: self.clock });
        while self.bytes > self.bound {
            let Some((_, oldest)) = self.by_use.pop_first() else { break };
            self.bytes -= self.values.remove(&oldest).map_or(0, |kept| kept.bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_longest_ago_makes_room() {
        let mut recent = Recent::new(10);
        recent.put("a", 1, 4);
        recent.put("b", 2, 4);
        assert_eq!(recent.get(&"a"), Some(1));
        recent.put("c", 3, 4);
        assert_eq!((recent.get(&"a"), recent.get(&"b"), recent.get(&"c")), (Some(1), None, Some(3)));
        assert_eq!(recent.bytes, 8);
        recent.put("a", 5, 10);
        assert_eq!((recent.get(&"a"), recent.get(&"c"), recent.bytes), (Some(5), None, 10));
        recent.put("huge", 6, 11);
        assert_eq!((recent.get(&"huge"), recent.get(&"a")), (None, Some(5)));
    }
}
