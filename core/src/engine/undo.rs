//! Taking back what one session wrote. Nothing is deleted: what it stored is put away or stands behind what it had
//! replaced, which holds again; what it edited says again what it said before.
//!
//! A memory tells the session that stored it, and who wrote its present text where that is another. So an undo goes by
//! the records alone, as they are in a store of any age and in an import. What leaves no session behind (a recall, a
//! pin, a link made by hand, an edit of labels alone) is not undone. An undo is of no session itself, so it can't be
//! undone as a whole: `restore` brings a memory back.
//!
//! A text that was taken back stays readable and is marked, so that no later undo has it hold again: by the link
//! [`relation::UNDONE`] from what stands in its place, or, where nothing does, by the reason why it is put away. A text
//! that others had written over by then is marked as well. It stays where it is; should they be taken back too, what
//! was before it holds. So it makes no difference in which order sessions are undone.

mod put;

use std::collections::BTreeSet;

use crate::{
    change::{Change, Operation, Staged},
    engine::{Engine, checked, purge::Behind, scope_or_default},
    error::Error,
    label::{Label, MemoryId, Scope},
    limits,
    operation::{Kept, Undone},
    order,
    partition::Partition,
    record::{EdgeKey, Memory, State, relation},
    time::{Moment, Timestamp},
};

pub(super) use put::marked_again;

/// Why what a session stored is put away; the words of whoever had put it away before may follow.
pub(super) const REASON: &str = "the session that stored it was undone";

/// Whether an undo has taken back what `memory` says.
pub(crate) fn taken_back(partition: &Partition, memory: &Memory) -> bool {
    match &memory.state {
        State::Superseded { by, .. } => partition.edge(&mark(&memory.scope, by, &memory.id)).is_some(),
        State::Archived { reason: Some(reason), .. } => reason.starts_with(REASON),
        State::Active | State::Archived { .. } | State::Proposed { .. } => false,
    }
}

/// The link that says of a text that it was taken back, from the memory that stands in its place.
pub(super) fn mark(scope: &Scope, by: &MemoryId, id: &MemoryId) -> EdgeKey {
    EdgeKey { scope: scope.clone(), from: by.clone(), to: id.clone(), relation: Label::ours(relation::UNDONE) }
}

impl Engine {
    /// Takes back what `session` wrote, as far as nobody has built on it since; the answer names what is kept and why.
    /// A dry run answers the same and changes nothing. Done twice it is done once.
    ///
    /// # Errors
    /// [`Error::NotFound`] where nothing in the scope is of that session; a name that is blank or too long.
    pub fn stage_undo(
        &self,
        scope: Option<&str>,
        session: &str,
        dry_run: bool,
        moment: Moment,
    ) -> Result<Staged<Undone>, Error> {
        let moment = checked(moment)?;
        let scope = scope_or_default(scope)?;
        limits::length("session", session, limits::NAME_BYTES)?;
        let of_it = |memory: &Memory| wrote(memory, session) || memory.source.session.as_deref() == Some(session);
        let partition = self.partition(&scope);
        let Some(partition) = partition.filter(|partition| partition.memories().any(|(_, memory)| of_it(memory)))
        else {
            return Err(Error::not_found("session", "session", session, &scope, []));
        };
        let mut undo = Undo {
            engine: self,
            partition,
            scope: &scope,
            session,
            moment,
            behind: Behind::of(partition),
            marks: Vec::new(),
            brought: BTreeSet::new(),
            changes: Vec::new(),
            dropped: Vec::new(),
            ids: 0,
            outcome: Undone { session: session.to_owned(), dry_run, ..Undone::default() },
        };
        undo.take_back();
        undo.mark_all();
        let Undo { mut outcome, changes, mut dropped, .. } = undo;
        order::sort(&mut dropped);
        dropped.dedup();
        outcome.unlinked = dropped.len();
        for ids in [&mut outcome.archived, &mut outcome.superseded, &mut outcome.restored, &mut outcome.reverted] {
            order::sort(ids);
        }
        order::sort_by(&mut outcome.kept, |a, b| a.id.cmp(&b.id));
        outcome.kept.dedup_by(|a, b| a.id == b.id);
        let changes =
            if dry_run { Vec::new() } else { dropped.into_iter().map(Change::DeleteEdge).chain(changes).collect() };
        Ok(self.stage(Operation::Undo, moment.now, outcome, changes))
    }
}

/// Whether `session` wrote the memory's present text.
fn wrote(memory: &Memory, session: &str) -> bool {
    memory.source.text_session() == Some(session)
}

struct Undo<'p> {
    engine: &'p Engine,
    partition: &'p Partition,
    scope: &'p Scope,
    session: &'p str,
    moment: Moment,
    behind: Behind<'p>,
    /// The texts to mark, each behind what stands in its place.
    marks: Vec<(&'p MemoryId, &'p MemoryId)>,
    /// The memories that hold again, or say again what they said before.
    brought: BTreeSet<&'p str>,
    changes: Vec<Change>,
    /// Links that go.
    dropped: Vec<EdgeKey>,
    ids: u64,
    outcome: Undone,
}

impl<'p> Undo<'p> {
    /// Sorts the texts of the session by what becomes of each, and takes them back.
    fn take_back(&mut self) {
        let (mut current, mut replaced, mut edited) = (Vec::new(), Vec::new(), Vec::new());
        for (_, memory) in self.partition.by_id() {
            if !wrote(memory, self.session) || taken_back(self.partition, memory) {
                continue;
            }
            let version = self.behind.is_version_of_another(memory);
            match &memory.state {
                _ if memory.source.shared && version => {}
                _ if memory.source.shared => {
                    self.keep(&memory.id, "it was said again or labelled since, outside the session");
                }
                State::Superseded { by, at } => {
                    if *by != memory.id && self.partition.find(by.as_str()).is_some() {
                        self.marks.push((by, &memory.id));
                    }
                    // Other words for what another says never held.
                    if version && self.never_held(memory, by, *at) {
                        continue;
                    }
                    if version {
                        edited.extend(self.partition.find(by.as_str()));
                    } else {
                        replaced.push((memory, by));
                    }
                }
                _ => current.push(memory),
            }
        }
        let mut behind: BTreeSet<&str> = BTreeSet::new();
        for memory in current {
            let origin = memory.source.session.as_deref();
            if let Some((text, since)) = self.live(memory) {
                // Another held when it was brought back: of the two that one holds again.
                if self.held_between(memory, since) {
                    self.put_away(memory, since);
                    behind.insert(memory.id.as_str());
                    continue;
                }
                self.bring(memory, false);
                if wrote(text, self.session) {
                    self.keep(
                        &memory.id,
                        "its earlier text was said again or labelled outside the session: it holds again",
                    );
                } else if origin == Some(self.session) {
                    self.keep(&memory.id, "it has a text of others too: that one holds again");
                }
            } else if origin != Some(self.session) && self.texts(memory).iter().all(|(text, _)| !is_first(text)) {
                self.keep(&memory.id, "no earlier text of it is kept");
            } else if self.put_away(memory, Timestamp::MIN) {
                behind.insert(memory.id.as_str());
            }
        }
        order::sort_by(&mut edited, |a, b| a.id.cmp(&b.id));
        edited.dedup_by_key(|memory| &memory.id);
        for memory in edited {
            if !self.taken(memory) && !wrote(memory, self.session) && self.is_news(memory) {
                self.keep(&memory.id, "its text was edited since, outside the session");
            }
        }
        // What its own memories had replaced went behind with those.
        loop {
            let known = behind.len();
            replaced.retain(|(memory, by)| {
                let follows = behind.contains(by.as_str());
                if follows {
                    behind.insert(memory.id.as_str());
                    if !self.brought.contains(memory.id.as_str()) {
                        self.outcome.superseded.push(memory.id.clone());
                    }
                }
                !follows
            });
            if behind.len() == known {
                break;
            }
        }
        for (memory, by) in replaced {
            if !self.brought.contains(memory.id.as_str())
                && self.partition.find(by.as_str()).is_some_and(|by| !self.taken(by))
            {
                self.keep(&memory.id, &format!("it no longer holds: {by} took its place"));
            }
        }
    }

    /// Whether another took the place of a memory at `since`, and gave it up again when the memory was restored.
    fn held_between(&self, memory: &'p Memory, since: Timestamp) -> bool {
        let texts = self.texts(memory);
        let began = texts.iter().map(|(text, _)| text.valid_from).chain([memory.valid_from]);
        let Some(again) = began.filter(|began| *began >= since).min().filter(|again| *again > since) else {
            return false;
        };
        !self.heirs(memory, again).is_empty()
    }

    /// Whether what `memory` says is taken back, by this undo or by one before.
    fn taken(&self, memory: &Memory) -> bool {
        (wrote(memory, self.session) && !memory.source.shared) || taken_back(self.partition, memory)
    }

    /// The text that a memory is to say where its own is taken back: the last one that nobody took back, with the
    /// instant at which it was put aside.
    fn live(&self, memory: &Memory) -> Option<(&'p Memory, Timestamp)> {
        self.texts(memory).into_iter().find(|(text, _)| !self.taken(text))
    }

    /// The texts that a memory had, the last one first, each with the instant at which it was put aside. What was put
    /// behind it at once, as other words for what it says, comes after what it said itself.
    fn texts(&self, memory: &Memory) -> Vec<(&'p Memory, Timestamp)> {
        let mut texts: Vec<(&Memory, Timestamp)> = Vec::new();
        for kept in self.behind.all(&memory.id).iter().copied() {
            let State::Superseded { at, .. } = kept.state else { continue };
            if self.behind.is_version_of_another(kept) {
                texts.push((kept, at));
            }
        }
        let order = |text: &Memory, at: Timestamp| (at, !self.never_held(text, &memory.id, at), text.version);
        order::sort_by(&mut texts, |a, b| order(b.0, b.1).cmp(&order(a.0, a.1)).then_with(|| a.0.id.cmp(&b.0.id)));
        texts
    }

    /// Whether `text` was put behind the memory `by` at once, as other words for what that says.
    fn never_held(&self, text: &Memory, by: &MemoryId, at: Timestamp) -> bool {
        let key = EdgeKey { relation: Label::ours(relation::MERGED_FROM), ..mark(self.scope, by, &text.id) };
        text.valid_from == at && self.partition.edge(&key).is_some()
    }

    /// Whether the present text is another than the one before the session's.
    fn is_news(&self, memory: &Memory) -> bool {
        let texts = self.texts(memory);
        let before = texts.iter().skip_while(|(text, _)| !wrote(text, self.session));
        let before = before.map(|(text, _)| *text).find(|text| !self.taken(text));
        before.is_none_or(|before| before.content != memory.content)
    }

    /// What holds again where `of` does not: the memories that it had taken the place of since `since`. One whose own
    /// text is taken back gives way to what was before it: an earlier text of its own, else what it had replaced.
    fn heirs(&self, of: &'p Memory, since: Timestamp) -> Vec<&'p Memory> {
        let (mut heirs, mut seen) = (Vec::new(), BTreeSet::from([of.id.as_str()]));
        let mut open = vec![(of, since)];
        let mut next = 0;
        while let Some((of, since)) = open.get(next).copied() {
            next += 1;
            for old in self.behind.all(&of.id).iter().copied() {
                let ended_then = matches!(old.state, State::Superseded { at, .. } if at >= since);
                if !ended_then || self.behind.is_version_of_another(old) || !seen.insert(old.id.as_str()) {
                    continue;
                }
                if self.taken(old) && self.live(old).is_none() {
                    open.push((old, Timestamp::MIN));
                } else {
                    heirs.push(old);
                }
            }
        }
        heirs
    }

    fn keep(&mut self, id: &MemoryId, reason: &str) {
        self.outcome.kept.push(Kept { id: id.clone(), reason: reason.to_owned() });
    }
}

/// Whether a text is of the session that stored the memory.
fn is_first(text: &Memory) -> bool {
    text.source.text_session() == text.source.session.as_deref()
}
