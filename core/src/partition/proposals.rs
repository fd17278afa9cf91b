//! The proposals of a scope. A sorted list: there are few, and nearly all come in the order of their ids.

use std::borrow::Borrow;

use crate::{label::MemoryId, record::Proposal};

/// Proposals by the memory that they are about.
#[derive(Debug, Default)]
pub struct Proposals(
    #[expect(clippy::vec_box, reason = "one that is put in moves those behind it")] Vec<Box<Proposal>>,
);

impl Proposals {
    /// The proposal about a memory.
    #[must_use]
    pub fn get(&self, id: &(impl Borrow<str> + ?Sized)) -> Option<&Proposal> {
        self.place(id.borrow()).ok().map(|place| &*self.0[place])
    }

    /// Whether there is one about a memory.
    #[must_use]
    pub fn contains_key(&self, id: &(impl Borrow<str> + ?Sized)) -> bool {
        self.place(id.borrow()).is_ok()
    }

    /// All of them, by id.
    pub fn values(&self) -> impl Iterator<Item = &Proposal> {
        self.0.iter().map(|proposal| &**proposal)
    }

    /// What they are about, in order.
    pub fn keys(&self) -> impl Iterator<Item = &MemoryId> {
        self.0.iter().map(|proposal| &proposal.id)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Stores one in place of that about the same memory.
    pub fn insert(&mut self, proposal: Proposal) {
        match self.place(proposal.id.as_str()) {
            Ok(place) => *self.0[place] = proposal,
            Err(place) => self.0.insert(place, Box::new(proposal)),
        }
    }

    /// Removes that about a memory, if there is one.
    pub fn remove(&mut self, id: &str) {
        if let Ok(place) = self.place(id) {
            self.0.remove(place);
        }
    }

    fn place(&self, id: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|proposal| proposal.id.as_str().cmp(id))
    }
}
