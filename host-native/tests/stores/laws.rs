//! Laws 1 and 4 through a service: whatever a store does at whichever call, the live memory is what a fresh one loads.

use std::sync::{Arc, LazyLock, Mutex};

use ebbtrace::{
    Service, ServiceError, Store, StoreError,
    clock::{Clock, ManualClock},
    service::Options,
    store::{Fault, FaultStore, Faults, MemoryStore, SqliteStore},
};
use ebbtrace_core::{
    Channel, Config, ConnectInput, Decision, Moment, RecallInput, Record, RememberInput, Shown, StaticModel, Timestamp,
    UpdateInput, time::DAY_MS,
};

use crate::samples::{loaded, sorted};

/// A step of a life: what is done to the memory.
type Step = fn(&Service) -> Result<(), ServiceError>;

fn remember(service: &Service, id: &str, content: &str) -> Result<(), ServiceError> {
    let input = RememberInput {
        id: Some(id.to_owned()),
        content: content.to_owned(),
        session: Some("planning".to_owned()),
        ..RememberInput::default()
    };
    service.remember(input).map(drop)
}

/// A life with every kind of write in it, and the days that pass before each step.
const LIFE: &[(i64, Step)] = &[
    (0, |service| remember(service, "pricing", "The pricing page shows yearly plans first")),
    (1, |service| remember(service, "database", "The orders live in PostgreSQL 17 on the small machine")),
    (0, |service| remember(service, "picnic", "Maria brings lemonade to the summer picnic")),
    (0, |service| remember(service, "bicycle", "The blue bicycle needs a new front tyre")),
    (2, |service| remember(service, "pricing-again", "The pricing page shows yearly plans first")),
    (0, |service| remember(service, "moved", "The orders live in MySQL 9 on the small machine")),
    (1, |service| {
        let input = ConnectInput { from: "pricing".to_owned(), to: "picnic".to_owned(), ..ConnectInput::default() };
        service.connect(&input).map(drop)
    }),
    (0, |service| {
        let input = RecallInput { query: "what does the pricing page show?".to_owned(), ..RecallInput::default() };
        // Answered all the same, with a notice, where it could not be recorded.
        let recalled = service.recall(input)?;
        if recalled.notices.is_empty() { Ok(()) } else { Err(ServiceError::Unknown) }
    }),
    (3, |service| {
        let content = Some("The pricing page shows monthly plans first, by request".to_owned());
        service.update(UpdateInput { id: "pricing".to_owned(), content, ..UpdateInput::default() }).map(drop)
    }),
    (0, |service| service.reinforce(None, "picnic").map(drop)),
    (0, |service| service.pin(None, "bicycle", true).map(drop)),
    (0, |service| service.forget(None, "picnic", Some("it is over")).map(drop)),
    (0, |service| service.restore(None, "picnic").map(drop)),
    (0, |service| service.pin(None, "bicycle", false).map(drop)),
    (400, |service| service.maintain(None, false).map(drop)),
    (1, |service| decide_first(service, Decision::Reject)),
    (1, |service| decide_first(service, Decision::Approve)),
    (0, |service| remember(service, "after", "A new note after the purge, about gardening tools")),
];

/// Decides the first proposal there is.
fn decide_first(service: &Service, decision: Decision) -> Result<(), ServiceError> {
    let queue = service.review_queue(None, None, None)?;
    match queue.items.first() {
        Some(item) => service.decide(None, &Shown::from(item), decision, Channel::Terminal).map(drop),
        None => Ok(()),
    }
}

fn open(store: Box<dyn Store>, clock: &Arc<ManualClock>) -> Result<Service, StoreError> {
    static MODEL: LazyLock<Arc<StaticModel>> = LazyLock::new(StaticModel::bundled);
    let options = Options {
        store,
        config: Config::default(),
        model: Some(Arc::clone(&MODEL)),
        clock: Box::new(Arc::clone(clock)),
        ..Options::new(Box::new(MemoryStore::new()))
    };
    Service::open(options)
}

/// Everything a memory holds, and what it answers.
#[derive(Debug, PartialEq)]
struct Picture {
    records: Vec<String>,
    answers: Vec<String>,
}

fn picture(service: &Service) -> Result<Picture, ServiceError> {
    let mut records: Vec<Record> = Vec::new();
    service.export(None, |record| records.push(record))?;
    let mut answers = Vec::new();
    for query in ["pricing page", "orders MySQL", "lemonade", "tools for the garden"] {
        let input = RecallInput {
            query: query.to_owned(),
            peek: true,
            depth: Some("frozen".to_owned()),
            ..RecallInput::default()
        };
        answers.push(serde_json::to_string(&service.recall(input)?).expect("an answer as JSON"));
    }
    answers.push(serde_json::to_string(&service.stats(None)?).expect("figures as JSON"));
    Ok(Picture { records: sorted(&records), answers })
}

/// Lives the life over `store`, and after each step compares the live memory with one that `reopen` loads.
/// How many steps or looks failed.
fn live(store: Box<dyn Store>, reopen: &dyn Fn() -> Box<dyn Store>, note: &str) -> usize {
    live_watched(store, reopen, note, &mut || {})
}

/// As [`live`]; `acted` is called when the service has been opened and after each step, before anyone looks.
fn live_watched(
    store: Box<dyn Store>,
    reopen: &dyn Fn() -> Box<dyn Store>,
    note: &str,
    acted: &mut dyn FnMut(),
) -> usize {
    let clock = Arc::new(ManualClock::new(Timestamp(1_750_000_000_000)));
    let fresh = || open(reopen(), &clock).expect("a store without faults");
    let service = match open(store, &clock) {
        Ok(service) => service,
        Err(error) => {
            assert_eq!(error.code(), "store_io", "{note}");
            assert_eq!(picture(&fresh()).expect("an empty memory").records, Vec::<String>::new());
            return 1;
        }
    };
    acted();
    let mut failures = 0;
    for (index, (days, step)) in LIFE.iter().enumerate() {
        clock.set(Timestamp(clock.now().0 + days * DAY_MS + 1));
        let before = loaded(reopen().as_mut());
        let done = step(&service);
        acted();
        let after = picture(&fresh()).expect("a memory");
        if let Err(error) = &done {
            failures += 1;
            match error.code() {
                "store_io" => {
                    assert_eq!(loaded(reopen().as_mut()), before, "{note}: a failed step {index} left something")
                }
                "unknown_outcome" => {}
                // A step that needs what an earlier, failed one would have made.
                "not_found" | "wrong_state" if failures > 1 => failures -= 1,
                code => panic!("{note}: step {index} ended in {code}: {error}"),
            }
        }
        // The planned fault may hit this look instead; the next one must be right.
        let live = picture(&service).or_else(|_| {
            failures += 1;
            picture(&service)
        });
        assert_eq!(live.expect("a second look"), after, "{note}: after step {index}");
    }
    failures
}

#[test]
fn a_live_memory_equals_a_reopened_one_after_every_step() {
    let store = MemoryStore::new();
    assert_eq!(live(Box::new(store.clone()), &|| Box::new(store.clone()), "memory"), 0);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    let sqlite = || -> Box<dyn Store> { Box::new(SqliteStore::open(&path).expect("a store")) };
    assert_eq!(live(sqlite(), &sqlite, "sqlite"), 0);
}

#[cfg(feature = "kuzu")]
#[test]
fn a_live_memory_equals_a_reopened_one_over_kuzu() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.kuzu");
    let kuzu = || -> Box<dyn Store> { Box::new(ebbtrace::store::KuzuStore::open(&path).expect("a store")) };
    assert_eq!(live(kuzu(), &kuzu, "kuzu"), 0);
}

#[cfg(feature = "neo4j")]
#[test]
fn a_live_memory_equals_a_reopened_one_over_neo4j() {
    let _alone = crate::server::alone();
    let neo4j =
        || -> Box<dyn Store> { Box::new(ebbtrace::store::Neo4jStore::open(crate::server::named()).expect("a store")) };
    assert_eq!(live(neo4j(), &neo4j, "neo4j"), 0);
}

#[cfg(feature = "neo4j")]
#[test]
fn a_live_memory_equals_a_reopened_one_over_neo4j_pushed_down() {
    let _alone = crate::server::alone();
    assert_eq!(live(pushed_down(), &pushed_down, "neo4j, pushed down"), 0);
}

/// Neo4j, with nothing loaded.
#[cfg(feature = "neo4j")]
fn pushed_down() -> Box<dyn Store> {
    use ebbtrace::store::{Neo4jServer, Neo4jStore};
    let server = Neo4jServer { resident_limit: 0, ..crate::server::named() };
    Box::new(Neo4jStore::open(server).expect("a store"))
}

#[test]
fn the_life_has_every_kind_of_change_in_it() {
    let store = MemoryStore::new();
    // Before each deletion, which the journal does not keep, and which others have to load anew for.
    let mut text = String::new();
    let (mut known, mut deletions) = (0, 0);
    let watched = FaultStore::new(store.clone(), Faults::new());
    live_watched(Box::new(watched), &|| Box::new(store.clone()), "no fault", &mut || {
        let later = store.clone().changes_since(ebbtrace_core::Revision(known)).expect("a journal");
        deletions += usize::from(later.is_none());
        for entry in later.unwrap_or_default() {
            text.push_str(&serde_json::to_string(&entry).expect("an entry as JSON"));
        }
        known = store.clone().load(&mut |_| {}).expect("records").0;
    });
    for kind in ["put", "touch", "touch_edge", "delete_proposal"] {
        assert!(text.contains(&format!(r#""change":"{kind}""#)), "no {kind} in {text}");
    }
    assert!(deletions > 0);
}

#[test]
fn a_fault_at_any_call_leaves_memory_and_store_alike() {
    // Where the steps' own calls are: to open, to catch up, to commit. The calls between them are this test's looks.
    let (store, faultless) = (MemoryStore::new(), Faults::new());
    let mut last = Vec::new();
    let watched = FaultStore::new(store.clone(), faultless.clone());
    live_watched(Box::new(watched), &|| Box::new(store.clone()), "no fault", &mut || last.push(faultless.calls()));
    assert_eq!((last.len(), last[0]), (LIFE.len() + 1, 1));
    // The commit is a step's last call, and catching up the one before it.
    let calls = last.iter().flat_map(|&call| [call.saturating_sub(1).max(1), call]);
    for call in calls {
        for fault in Fault::ALL {
            let (store, faults) = (MemoryStore::new(), Faults::new());
            faults.at(call, fault);
            let note = format!("{fault:?} at call {call}");
            let failures = live(Box::new(FaultStore::new(store.clone(), faults)), &|| Box::new(store.clone()), &note);
            assert!(failures <= 1, "{note}: {failures} failures");
            assert!(failures == 1 || fault == Fault::Conflict, "{note}: nobody noticed");
        }
    }
}

#[test]
fn two_services_on_one_store_see_each_other() {
    let store = MemoryStore::new();
    see_each_other(Box::new(store.clone()), Box::new(store));
}

#[cfg(feature = "neo4j")]
#[test]
fn two_services_on_one_neo4j_see_each_other() {
    let _alone = crate::server::alone();
    let open = || Box::new(ebbtrace::store::Neo4jStore::open(crate::server::named()).expect("a store"));
    see_each_other(open(), open());
    drop(_alone);
    let _alone = crate::server::alone();
    see_each_other(pushed_down(), pushed_down());
}

fn see_each_other(one: Box<dyn Store>, other: Box<dyn Store>) {
    let clock = Arc::new(ManualClock::new(Timestamp(1_750_000_000_000)));
    let first = open(one, &clock).expect("a store");
    let second = open(other, &clock).expect("a store");
    for (index, (days, step)) in LIFE.iter().enumerate() {
        clock.set(Timestamp(clock.now().0 + days * DAY_MS + 1));
        let (writer, reader) = if index % 2 == 0 { (&first, &second) } else { (&second, &first) };
        step(writer).expect("a step without faults");
        assert_eq!(picture(reader).expect("a memory"), picture(writer).expect("a memory"), "after step {index}");
    }
}

#[test]
fn a7_the_later_of_two_edits_of_what_both_have_read_is_stale() {
    let store = MemoryStore::new();
    let clock = Arc::new(ManualClock::new(Timestamp(1_750_000_000_000)));
    let first = open(Box::new(store.clone()), &clock).expect("a store");
    let second = open(Box::new(store), &clock).expect("a store");
    let edit = |service: &Service, content: &str| {
        let content = Some(content.to_owned());
        service.update(UpdateInput { id: "pricing".to_owned(), content, ..UpdateInput::default() })
    };
    remember(&first, "pricing", "Plans are paid by the year").expect("a memory");
    second.memory(None, "pricing").expect("read by the second");
    edit(&second, "Plans are paid by the month").expect("an edit");
    // The first stored it itself, and has not seen the edit.
    let refused = edit(&first, "Plans are paid by the week").expect_err("it changed meanwhile");
    assert_eq!(refused.code(), "stale");
    assert_eq!(first.memory(None, "pricing").expect("the memory").content, "Plans are paid by the month");
    edit(&first, "Plans are paid by the week").expect("an edit of what was read");
    assert_eq!(edit(&second, "Plans are free").expect_err("it changed meanwhile").code(), "stale");
}

/// A clock at whose first look another process comes in between.
struct Interrupted {
    clock: Arc<ManualClock>,
    meanwhile: Mutex<Option<Box<dyn FnOnce() + Send>>>,
}

impl Clock for Interrupted {
    fn moment(&self) -> Moment {
        let meanwhile = self.meanwhile.lock().expect("no panic before").take();
        if let Some(meanwhile) = meanwhile {
            meanwhile();
        }
        self.clock.moment()
    }
}

#[test]
fn a_write_refused_after_a_conflict_keeps_nobody_waiting() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    let store = || Box::new(SqliteStore::open(&path).expect("a store"));
    let clock = Arc::new(ManualClock::new(Timestamp(1_750_000_000_000)));
    let edit = |content: &str| UpdateInput {
        id: "pricing".to_owned(),
        content: Some(content.to_owned()),
        if_version: Some(1),
        ..UpdateInput::default()
    };
    let other = Arc::new(open(store(), &clock).expect("a store"));
    remember(&other, "pricing", "Plans are paid by the year").expect("a memory");
    let (faster, change) = (Arc::clone(&other), edit("Plans are paid by the month"));
    let meanwhile = move || faster.update(change).map(drop).expect("an edit");
    let clock = Interrupted { clock, meanwhile: Mutex::new(Some(Box::new(meanwhile))) };
    let slower = Service::open(Options { clock: Box::new(clock), ..Options::new(store()) }).expect("a store");
    // Staged on version 1, in conflict with the other's commit, staged again on version 2 with the others kept out.
    assert_eq!(slower.update(edit("Plans are free")).expect_err("it changed meanwhile").code(), "stale");
    remember(&other, "lemonade", "Maria brings lemonade to the picnic").expect("nobody keeps it waiting");
    remember(&slower, "tools", "The garden tools are in the shed").expect("nor this one");
    assert_eq!(picture(&slower).expect("a memory"), picture(&other).expect("a memory"));
}

#[test]
fn a_recall_that_can_t_be_recorded_answers_all_the_same() {
    for fault in [Fault::Fail, Fault::UnknownBeforeCommit, Fault::UnknownAfterCommit] {
        let (store, faults) = (MemoryStore::new(), Faults::new());
        let clock = Arc::new(ManualClock::new(Timestamp(1_750_000_000_000)));
        let service = open(Box::new(FaultStore::new(store.clone(), faults.clone())), &clock).expect("a store");
        remember(&service, "picnic", "Maria brings lemonade to the summer picnic").expect("a memory");
        let ask = || service.recall(RecallInput { query: "who brings lemonade?".to_owned(), ..RecallInput::default() });
        // The next call catches up, the one after that commits.
        faults.at(faults.calls() + 2, fault);
        let recalled = ask().expect("an answer");
        assert_eq!(recalled.hits[0].memory.id.as_str(), "picnic");
        assert!(recalled.notices[0].starts_with("This use was not recorded"), "{:?}", recalled.notices);
        let again = ask().expect("an answer");
        assert_eq!((again.hits.len(), again.notices.len()), (1, 0));
    }
}
