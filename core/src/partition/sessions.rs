//! What stands beside a memory: the order of each session, and for each memory its neighbours in it.

use std::{collections::BTreeMap, ops::Bound};

use rustc_hash::FxHashMap;

use crate::{label::MemoryId, partition::Partition, record::Memory};

/// A memory's place in its session.
type Place = (u32, MemoryId);

/// No slot.
const NONE: u32 = u32::MAX;

/// The slots beside a memory in its session: the current memory before it, the one before that, the one after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beside([u32; 3]);

impl Beside {
    /// Nothing.
    pub const NOTHING: Self = Self([NONE; 3]);

    /// The slots with their distance, 1 or 2.
    pub fn slots(self) -> impl Iterator<Item = (u32, usize)> + Clone {
        self.0.into_iter().zip([1, 2, 1]).filter(|(slot, _)| *slot != NONE)
    }
}

/// The sessions of one scope.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    /// The slots of each session by their place in it.
    places: FxHashMap<Box<str>, BTreeMap<Place, u32>>,
    /// What is beside each slot, as of the last [`Sessions::settle`].
    beside: Vec<Beside>,
    /// Where something came, went or changed since then.
    moved: FxHashMap<Box<str>, Vec<Place>>,
}

impl Sessions {
    /// Puts a memory, which is in `slot`, in its place.
    pub(super) fn join(&mut self, slot: u32, memory: &Memory) {
        if let Some(session) = &memory.source.session {
            let place = (memory.source.position, memory.id.clone());
            self.places.entry(session.as_str().into()).or_default().insert(place.clone(), slot);
            self.moved.entry(session.as_str().into()).or_default().push(place);
        }
    }

    /// Takes a memory, which is in `slot`, out of its place.
    pub(super) fn leave(&mut self, slot: u32, memory: &Memory) {
        if let Some(beside) = self.beside.get_mut(slot as usize) {
            *beside = Beside::NOTHING;
        }
        let Some(session) = memory.source.session.as_deref() else { return };
        let Some(places) = self.places.get_mut(session) else { return };
        let place = (memory.source.position, memory.id.clone());
        places.remove(&place);
        if places.is_empty() {
            self.places.remove(session);
        } else {
            self.moved.entry(session.into()).or_default().push(place);
        }
    }

    /// The slots of a session with their places, in order.
    pub(super) fn of(&self, session: &str) -> impl DoubleEndedIterator<Item = (u32, u32)> {
        self.places.get(session).into_iter().flatten().map(|((position, _), slot)| (*position, *slot))
    }

    /// What is beside `slot`.
    pub(super) fn beside(&self, slot: u32) -> Beside {
        self.beside.get(slot as usize).copied().unwrap_or(Beside::NOTHING)
    }

    /// Brings what is beside each slot up to date.
    pub(super) fn settle(&mut self, slots: usize, is_current: impl Fn(u32) -> bool) {
        self.beside.resize(slots, Beside::NOTHING);
        for (session, moved) in self.moved.drain() {
            let Some(places) = self.places.get(&session) else { continue };
            // Where much has moved, as when a store is opened, one pass over the session is less than many looks.
            if moved.len() * 4 > places.len() {
                pass(places, &mut self.beside, &is_current);
                continue;
            }
            for place in &moved {
                for (place, slot) in around(places, place, &is_current) {
                    self.beside[slot as usize] = look(places, place, &is_current);
                }
            }
        }
    }
}

/// Works out what is beside each slot of a session.
fn pass(places: &BTreeMap<Place, u32>, beside: &mut [Beside], is_current: &impl Fn(u32) -> bool) {
    let mut before = [NONE; 2];
    let mut waiting = Vec::new();
    for &slot in places.values() {
        beside[slot as usize] = Beside([before[0], before[1], NONE]);
        if is_current(slot) {
            for waiting in waiting.drain(..) {
                beside[waiting as usize].0[2] = slot;
            }
            before = [slot, before[0]];
        }
        waiting.push(slot);
    }
}

/// What is beside the memory at `place`.
fn look(places: &BTreeMap<Place, u32>, place: &Place, is_current: &impl Fn(u32) -> bool) -> Beside {
    let current = |(_, slot): (&Place, &u32)| Some(*slot).filter(|&slot| is_current(slot));
    let mut before = places.range(..place).rev().filter_map(current);
    let mut after = places.range((Bound::Excluded(place), Bound::Unbounded)).filter_map(current);
    let mut next = || before.next().unwrap_or(NONE);
    Beside([next(), next(), after.next().unwrap_or(NONE)])
}

/// What something at `place` stands beside: it is there, back to the current memory before it, and on to the second
/// current one after it.
fn around<'p>(
    places: &'p BTreeMap<Place, u32>,
    place: &Place,
    is_current: &impl Fn(u32) -> bool,
) -> Vec<(&'p Place, u32)> {
    let mut found = Vec::new();
    let mut take = |(place, slot): (&'p Place, &u32), left: &mut usize| {
        found.push((place, *slot));
        *left -= usize::from(is_current(*slot));
        *left > 0
    };
    let mut left = 1;
    places.range(..place).rev().all(|entry| take(entry, &mut left));
    left = 2;
    places.range((Bound::Excluded(place), Bound::Unbounded)).all(|entry| take(entry, &mut left));
    found.extend(places.get_key_value(place).map(|(place, slot)| (place, *slot)));
    found
}

impl Partition {
    /// The current memories that stand beside the one in `slot` in its session, as of the last
    /// [`settle`](Partition::settle).
    #[must_use]
    pub fn beside(&self, slot: u32) -> Beside {
        self.sessions.beside(slot)
    }

    /// The current memories around the one in `slot` in its session: up to so many before it and after it.
    #[must_use]
    pub fn around(&self, slot: u32, on_each_side: usize) -> Vec<u32> {
        let walk = |side: usize| {
            let step = move |slot: &u32| Some(self.beside(*slot).0[side]).filter(|&slot| slot != NONE);
            std::iter::successors(step(&slot), step).take(on_each_side)
        };
        walk(0).chain(walk(2)).collect()
    }

    /// The current memories that the one in `slot` stands beside: the one before it, and two after it.
    #[must_use]
    pub fn stands_beside(&self, slot: u32) -> [Option<u32>; 3] {
        let slot_of = |slot: u32| (slot != NONE).then_some(slot);
        let Beside([before, _, after]) = self.beside(slot);
        let second = slot_of(after).and_then(|after| slot_of(self.beside(after).0[2]));
        [slot_of(before), slot_of(after), second]
    }

    /// The highest place taken in a session, 0 for none, and its last memory that is still current.
    #[must_use]
    pub fn end_of_session(&self, session: &str) -> (u32, Option<&Memory>) {
        let highest = self.sessions.of(session).next_back().map_or(0, |(position, _)| position);
        let mut last = self.sessions.of(session).rev().filter_map(|(_, slot)| self.memory(slot));
        (highest, last.find(|memory| memory.state.is_current()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_look_after_the_other_and_one_pass_see_the_same() {
        let place = |position: u32| (position, MemoryId::parse("id", &format!("m{position:02}")).unwrap());
        // Any 12 of them may be current or not: a fixed walk through such patterns.
        for pattern in (0_u32..4096).step_by(37) {
            let is_current = |slot: u32| pattern >> slot & 1 == 1;
            let places: BTreeMap<Place, u32> = (0..12).map(|slot| (place(slot), slot)).collect();
            let mut passed = vec![Beside::NOTHING; 12];
            pass(&places, &mut passed, &is_current);
            let looked: Vec<Beside> = (0..12).map(|slot| look(&places, &place(slot), &is_current)).collect();
            assert_eq!(passed, looked, "{pattern:012b}");
            // What something leaves behind is mended by looking around it alone.
            for gone in 0..12 {
                let mut fewer = places.clone();
                fewer.remove(&place(gone));
                let mut mended = passed.clone();
                for (place, slot) in around(&fewer, &place(gone), &is_current) {
                    mended[slot as usize] = look(&fewer, place, &is_current);
                }
                let mut wanted = passed.clone();
                pass(&fewer, &mut wanted, &is_current);
                assert_eq!(mended, wanted, "{pattern:012b} without {gone}");
            }
        }
    }
}
