//! Maintenance in the background: worked out at once, committed in pages, so that neither calls of this process nor other
//! processes wait for all of it. What others change meanwhile is left to the next time.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    time::Duration,
};

use ebbtrace_core::{Change, JournalEntry, Maintained, MemoryId, Moment, Operation, Record, Revision, Scope, Staged};

use super::{Service, ServiceError, adopt};
use crate::store::Need;

/// How many changes one commit makes, about: some tens of milliseconds.
const PAGE: usize = 500;

/// Maintenance of one scope that is worked out and not yet all stored.
struct Pages {
    /// The revision up to which it is known what others wrote.
    known: Revision,
    /// What others wrote since it was worked out.
    theirs: BTreeSet<(Scope, MemoryId)>,
    /// What one commit each is to store. The last one says that the scope was maintained: after a crash before that, all
    /// of it is done again.
    left: VecDeque<Vec<Change>>,
    /// What it comes to.
    outcome: Maintained,
}

/// What became of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    /// It is stored, and more are left.
    More,
    /// All are stored.
    Done,
    /// Others deleted something or changed so much that what is left no longer fits: to be worked out again.
    Outdated,
}

impl Service {
    /// The scopes, of all or of the one named, that hold something and were last maintained so long ago, or never.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub(crate) fn maintenance_due(&self, only: Option<&str>, every: Duration) -> Result<Vec<String>, ServiceError> {
        let (every, now) = (milliseconds(every), self.moment().now);
        self.read(&Need::Scopes, |engine| {
            let asked = |scope: &String| only.is_none_or(|only| only == scope);
            Ok(engine.scopes().into_iter().filter(asked).filter(|scope| engine.is_due(scope, every, now)).collect())
        })
    }

    /// Maintains a scope that is due, in pages; `None` where it no longer is, or where others changed too much meanwhile.
    ///
    /// # Errors
    /// [`ServiceError`]; the pages before it are stored, and the rest is done next time.
    pub(crate) fn maintain_in_pages(&self, scope: &str, every: Duration) -> Result<Option<Maintained>, ServiceError> {
        let Some(mut pages) = self.plan_maintenance(Some(scope), every)? else { return Ok(None) };
        loop {
            match self.commit_page(&mut pages)? {
                Progress::More => {}
                Progress::Done => return Ok(Some(pages.outcome)),
                Progress::Outdated => return Ok(None),
            }
        }
    }

    /// Works out the maintenance of a scope that is due, without keeping other writers out; `None` where it is not due.
    ///
    /// # Errors
    /// [`ServiceError`].
    fn plan_maintenance(&self, scope: Option<&str>, every: Duration) -> Result<Option<Pages>, ServiceError> {
        let every = milliseconds(every);
        let moment: Moment = self.moment();
        let staged = self.read(&Need::scope(scope), |engine| engine.stage_maintain_due(scope, every, moment))?;
        let Some(outcome) = staged.outcome else { return Ok(None) };
        let left = pages(staged.entry.changes, PAGE);
        Ok(Some(Pages { known: staged.base, theirs: BTreeSet::new(), left, outcome }))
    }

    /// Stores the next page, but for what others have written since.
    ///
    /// # Errors
    /// [`ServiceError`].
    fn commit_page(&self, pages: &mut Pages) -> Result<Progress, ServiceError> {
        let Some(page) = pages.left.pop_front() else { return Ok(Progress::Done) };
        loop {
            let Some(since) = self.lock().store.changes_since(pages.known)? else { return Ok(Progress::Outdated) };
            // Another process has maintained it meanwhile: one is enough.
            let maintained = |change: &Change| matches!(change, Change::Put(Record::Scope(_)));
            if since.iter().any(|entry| entry.operation == Operation::Maintain && entry.changes.iter().any(maintained))
            {
                return Ok(Progress::Outdated);
            }
            pages.theirs.extend(adopt::written(&since));
            pages.known = since.last().map_or(pages.known, |entry| entry.revision);
            let known = pages.known;
            let fits = |change: &&Change| subject(change).is_none_or(|subject| !pages.theirs.contains(&subject));
            let changes: Vec<Change> = page.iter().filter(fits).cloned().collect();
            if changes.is_empty() {
                break;
            }
            let stored = self.write(&Need::Nothing, |engine, moment| {
                let outcome = engine.revision() == known;
                let changes = if outcome { changes.clone() } else { Vec::new() };
                let (revision, operation) = (known.next(), Operation::Maintain);
                let entry = JournalEntry { revision, at: moment.now, operation, channel: None, changes };
                Ok(Staged { outcome, base: known, entry })
            })?;
            if stored {
                pages.known = known.next();
                break;
            }
        }
        Ok(if pages.left.is_empty() { Progress::Done } else { Progress::More })
    }
}

fn milliseconds(every: Duration) -> u64 {
    u64::try_from(every.as_millis()).unwrap_or(u64::MAX)
}

/// The changes in pages, what is about one memory together; what is about none in the last.
fn pages(changes: Vec<Change>, size: usize) -> VecDeque<Vec<Change>> {
    let mut about: BTreeMap<(Scope, MemoryId), Vec<Change>> = BTreeMap::new();
    let mut rest = Vec::new();
    for change in changes {
        match subject(&change) {
            Some(subject) => about.entry(subject).or_default().push(change),
            None => rest.push(change),
        }
    }
    let mut pages = VecDeque::new();
    let mut page = Vec::new();
    for changes in about.into_values() {
        page.extend(changes);
        if page.len() >= size {
            pages.push_back(std::mem::take(&mut page));
        }
    }
    page.extend(rest);
    if !page.is_empty() {
        pages.push_back(page);
    }
    pages
}

/// The memory that a change of maintenance is about.
fn subject(change: &Change) -> Option<(Scope, MemoryId)> {
    match change {
        Change::Put(Record::Memory(memory)) => Some((memory.scope.clone(), memory.id.clone())),
        Change::Put(Record::Proposal(proposal)) => Some((proposal.scope.clone(), proposal.id.clone())),
        Change::DeleteProposal { scope, id } => Some((scope.clone(), id.clone())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use ebbtrace_core::{RememberInput, State, Timestamp};

    use super::*;
    use crate::{clock::FixedClock, service::Options, store::MemoryStore};

    fn service(store: &MemoryStore, days: i64) -> Service {
        let clock = Box::new(FixedClock(Timestamp(1_790_000_000_000 + days * 86_400_000)));
        Service::open(Options { clock, model: None, ..Options::new(Box::new(store.clone())) }).expect("a service")
    }

    #[test]
    fn pages_keep_what_is_about_one_memory_together_and_leave_what_others_use_alone() {
        let store = MemoryStore::new();
        let then = service(&store, 0);
        for number in 0..5 {
            let (id, content) = (Some(format!("m{number}")), format!("Entry number {number} of {number}"));
            then.remember(RememberInput { id, content, ..RememberInput::default() }).expect("stored");
        }
        let (ours, other) = (service(&store, 400), service(&store, 400));
        let mut plan = ours.plan_maintenance(None, Duration::ZERO).expect("read").expect("due");
        assert_eq!(plan.outcome.proposed.len(), 5);
        // A memory and its proposal each, two memories a page, and the time of maintenance with the last.
        let changes: Vec<Change> = plan.left.drain(..).flatten().collect();
        plan.left = pages(changes, 4);
        assert_eq!(plan.left.iter().map(Vec::len).collect::<Vec<_>>(), [4, 4, 3]);
        assert_eq!(ours.commit_page(&mut plan).expect("stored"), Progress::More);
        // Another process uses one whose turn is still to come, and one that is done.
        other.reinforce(None, "m2").expect("used");
        other.reinforce(None, "m0").expect("used");
        assert_eq!(other.stats(None).expect("figures").maintained_at, None);
        assert_eq!(ours.commit_page(&mut plan).expect("stored"), Progress::More);
        assert_eq!(ours.commit_page(&mut plan).expect("stored"), Progress::Done);
        let states = |id: &str| matches!(other.memory(None, id).expect("there").state, State::Proposed { .. });
        assert_eq!(["m0", "m1", "m2", "m3", "m4"].map(states), [false, true, false, true, true]);
        let mut proposals = 0;
        other.export(None, |record| proposals += usize::from(matches!(record, Record::Proposal(_)))).expect("read");
        assert_eq!(proposals, 3);
        // What is linked to one in use holds no longer: it waits for nobody, and the next maintenance takes it back.
        assert_eq!(other.stats(None).expect("figures").proposals, 0);
        assert!(ours.plan_maintenance(None, Duration::from_secs(60)).expect("read").is_none(), "it is done");
    }

    #[test]
    fn after_a_deletion_it_is_worked_out_again() {
        let store = MemoryStore::new();
        let then = service(&store, 0);
        let (id, content) = (Some("a".to_owned()), "Lunch is at noon".to_owned());
        then.remember(RememberInput { id, content, ..RememberInput::default() }).expect("stored");
        let (ours, other) = (service(&store, 400), service(&store, 400));
        let mut plan = ours.plan_maintenance(None, Duration::ZERO).expect("read").expect("due");
        other.purge(None, &["a".to_owned()], false, false).expect("gone");
        assert_eq!(ours.commit_page(&mut plan).expect("read"), Progress::Outdated);
        assert!(ours.export(None, |record| panic!("{record:?}")).is_ok());
    }
}
