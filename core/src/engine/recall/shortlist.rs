//! The best memories of one index, as they are offered one by one.

use rustc_hash::FxHashSet;

use crate::engine::recall::Search;

/// The best memories of one index: those that are looked in from the start, and apart from them the others, so that
/// archived ones never crowd the rest out. A memory's filters and tier are looked at only where its score could count.
pub(super) struct Shortlist<'s, 'a> {
    search: &'s Search<'a>,
    limit: usize,
    reached: Vec<(f64, u32)>,
    deeper: Vec<(f64, u32)>,
    /// The lowest score that still counts in each list.
    bars: [f64; 2],
}

impl<'s, 'a> Shortlist<'s, 'a> {
    pub(super) fn new(search: &'s Search<'a>, limit: usize) -> Self {
        Self { search, limit, reached: Vec::new(), deeper: Vec::new(), bars: [0.0; 2] }
    }

    pub(super) fn offer(&mut self, slot: u32, score: f64) {
        if score <= 0.0 || (score < self.bars[0] && score < self.bars[1]) {
            return;
        }
        let search = self.search;
        let deep = !search.is_in_reach(slot);
        if (deep && score < self.bars[1]) || !search.admits(slot) {
            return;
        }
        let (list, bar) =
            if deep { (&mut self.deeper, &mut self.bars[1]) } else { (&mut self.reached, &mut self.bars[0]) };
        if score < *bar {
            return;
        }
        list.push((score, slot));
        // Cutting back at twice the limit keeps an offer's cost constant on average.
        if list.len() >= 2 * self.limit {
            search.keep_best(list, self.limit);
            *bar = list[self.limit - 1].0;
        }
    }

    /// Puts the best into `slots`, and the best half of each list into `first`.
    pub(super) fn finish(mut self, slots: &mut FxHashSet<u32>, first: &mut Vec<u32>) {
        for list in [&mut self.reached, &mut self.deeper] {
            self.search.keep_best(list, self.limit);
            slots.extend(list.iter().map(|(_, slot)| slot));
            self.search.keep_best(list, self.limit.div_ceil(2));
            first.extend(list.iter().map(|(_, slot)| slot));
        }
    }
}
