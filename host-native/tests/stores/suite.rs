//! What every store must do, asked of each of them.

use ebbtrace::{
    CommitAnswer, Store,
    store::{FaultStore, Faults, MemoryStore, SqliteStore},
};
use ebbtrace_core::{Change, Operation, ProposedAction, Record, Revision, State, Timestamp};
use tempfile::TempDir;

use crate::samples::{
    Dice, commit, edge, entry, full, id, loaded, of, plain, proposal, put_edge, put_memory, put_proposal, put_scope,
    scope, sorted,
};

/// One place that can be opened several times, as several processes would.
trait Backend {
    fn new() -> Self;
    fn open(&self) -> Box<dyn Store>;
}

struct Sqlite(TempDir);

impl Backend for Sqlite {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    fn open(&self) -> Box<dyn Store> {
        Box::new(SqliteStore::open(self.0.path().join("memory.db")).expect("a store"))
    }
}

#[cfg(feature = "kuzu")]
struct Kuzu(TempDir);

#[cfg(feature = "kuzu")]
impl Backend for Kuzu {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    fn open(&self) -> Box<dyn Store> {
        Box::new(ebbtrace::store::KuzuStore::open(self.0.path().join("memory.kuzu")).expect("a store"))
    }
}

/// The server that `cargo xtask neo4j` starts. It has one database, which each test has for itself, empty.
#[cfg(feature = "neo4j")]
struct Neo4j {
    _alone: std::sync::MutexGuard<'static, ()>,
}

#[cfg(feature = "neo4j")]
impl Backend for Neo4j {
    fn new() -> Self {
        Self { _alone: crate::server::alone() }
    }

    fn open(&self) -> Box<dyn Store> {
        Box::new(ebbtrace::store::Neo4jStore::open(crate::server::named()).expect("a store"))
    }
}

/// The same, with nothing loaded.
#[cfg(feature = "neo4j")]
struct PushedDown {
    _server: Neo4j,
}

#[cfg(feature = "neo4j")]
impl Backend for PushedDown {
    fn new() -> Self {
        Self { _server: Neo4j::new() }
    }

    fn open(&self) -> Box<dyn Store> {
        let server = ebbtrace::store::Neo4jServer { resident_limit: 0, ..crate::server::named() };
        Box::new(ebbtrace::store::Neo4jStore::open(server).expect("a store"))
    }
}

struct Memory(MemoryStore);

impl Backend for Memory {
    fn new() -> Self {
        Self(MemoryStore::new())
    }

    fn open(&self) -> Box<dyn Store> {
        Box::new(self.0.clone())
    }
}

struct Faultless(MemoryStore);

impl Backend for Faultless {
    fn new() -> Self {
        Self(MemoryStore::new())
    }

    fn open(&self) -> Box<dyn Store> {
        Box::new(FaultStore::new(self.0.clone(), Faults::new()))
    }
}

macro_rules! suite {
    ($($case:ident),* $(,)?) => {
        mod sqlite { $(#[test] fn $case() { super::$case::<super::Sqlite>(); })* }
        #[cfg(feature = "kuzu")]
        mod kuzu { $(#[test] fn $case() { super::$case::<super::Kuzu>(); })* }
        #[cfg(feature = "neo4j")]
        mod neo4j { $(#[test] fn $case() { super::$case::<super::Neo4j>(); })* }
        #[cfg(feature = "neo4j")]
        mod neo4j_pushed_down { $(#[test] fn $case() { super::$case::<super::PushedDown>(); })* }
        mod memory { $(#[test] fn $case() { super::$case::<super::Memory>(); })* }
        mod faultless { $(#[test] fn $case() { super::$case::<super::Faultless>(); })* }
    };
}

suite!(
    a_new_store_is_empty,
    what_was_committed_is_loaded,
    what_is_committed_during_a_load_is_not_half_loaded,
    a_put_takes_the_place_of_the_earlier_record,
    a_wrong_base_is_a_conflict_and_writes_nothing,
    changes_since_gives_every_later_entry_in_order,
    touches_set_clocks_and_nothing_else,
    deleting_a_memory_takes_its_edges_and_proposals,
    the_journal_forgets_what_is_deleted,
    single_deletes_leave_the_rest,
    an_edge_or_proposal_without_its_memory_is_not_kept,
    an_import_may_name_edges_before_their_ends,
    a_reservation_ends_with_a_commit_or_a_release,
    random_changes_leave_every_store_alike,
);

fn a_new_store_is_empty<B: Backend>() {
    let backend = B::new();
    let mut store = backend.open();
    assert_eq!(loaded(store.as_mut()), (0, vec![]));
    assert_eq!(store.changes_since(Revision(0)), Ok(Some(vec![])));
}

fn everything() -> Vec<Change> {
    let superseded = State::Superseded { by: id("full"), at: Timestamp(77) };
    vec![
        put_memory(full("default", "full")),
        put_memory(plain("default", "plain")),
        put_memory(plain("Ünrelated scope", "plain")),
        put_memory(ebbtrace_core::Memory { state: superseded, ..plain("default", "old") }),
        put_memory(ebbtrace_core::Memory { state: State::Proposed { at: Timestamp(8) }, ..plain("default", "going") }),
        put_memory(ebbtrace_core::Memory {
            state: State::Archived { at: Timestamp(8), reason: None },
            ..plain("default", "away")
        }),
        put_edge(edge("default", "full", "plain", "semantic")),
        put_edge(edge("default", "plain", "full", "semantic")),
        put_edge(edge("default", "full", "plain", "supersedes")),
        put_proposal(proposal("default", "going", ProposedAction::Delete)),
        put_proposal(proposal("default", "old", ProposedAction::Merge { into: id("full") })),
        put_scope("default", 500),
        put_scope("scope with a status alone", -500),
    ]
}

fn what_was_committed_is_loaded<B: Backend>() {
    let backend = B::new();
    let mut store = backend.open();
    commit(store.as_mut(), 1, everything());
    assert_eq!(loaded(store.as_mut()), (1, of(&everything())));
    assert_eq!(loaded(backend.open().as_mut()), (1, of(&everything())));
    assert_eq!(store.close(), Ok(()));
    assert_eq!(loaded(backend.open().as_mut()), (1, of(&everything())));
}

fn what_is_committed_during_a_load_is_not_half_loaded<B: Backend>() {
    let backend = B::new();
    let (mut reader, mut writer) = (backend.open(), backend.open());
    let before = [put_memory(plain("s", "a")), put_memory(plain("s", "b")), put_edge(edge("s", "b", "a", "r"))];
    commit(reader.as_mut(), 1, before.to_vec());
    let mut later = Some(vec![put_memory(plain("s", "c")), put_edge(edge("s", "a", "b", "r")), put_scope("t", 9)]);
    let mut records = Vec::new();
    let revision = reader.load(&mut |record| {
        if let Some(later) = later.take() {
            commit(writer.as_mut(), 2, later);
        }
        records.push(record);
    });
    assert_eq!((revision, sorted(&records)), (Ok(Revision(1)), of(&before)));
    assert_eq!(loaded(reader.as_mut()).0, 2);
}

fn a_put_takes_the_place_of_the_earlier_record<B: Backend>() {
    let backend = B::new();
    let mut store = backend.open();
    commit(store.as_mut(), 1, vec![put_memory(full("s", "a")), put_memory(full("s", "b"))]);
    commit(store.as_mut(), 2, vec![put_edge(edge("s", "a", "b", "r")), put_scope("s", 1)]);
    commit(store.as_mut(), 3, vec![put_proposal(proposal("s", "a", ProposedAction::Delete))]);
    let later = [
        put_memory(plain("s", "a")),
        put_memory(full("s", "b")),
        put_edge(ebbtrace_core::Edge { weight: 9.75, created_at: Timestamp(99), ..edge("s", "a", "b", "r") }),
        put_proposal(proposal("s", "a", ProposedAction::Merge { into: id("b") })),
        put_scope("s", 2),
    ];
    commit(store.as_mut(), 4, later.to_vec());
    // The memory's edge and proposal outlive its replacement.
    assert_eq!(loaded(store.as_mut()), (4, of(&later)));
}

fn a_wrong_base_is_a_conflict_and_writes_nothing<B: Backend>() {
    let backend = B::new();
    let (mut first, mut second) = (backend.open(), backend.open());
    commit(first.as_mut(), 1, vec![put_memory(plain("s", "a"))]);
    for revision in [0, 1, 3, 1 << 40] {
        let late = entry(revision, Operation::Remember, vec![put_memory(plain("s", "b")), put_scope("s", 1)]);
        assert_eq!(second.commit(&late), Ok(CommitAnswer::Conflict), "revision {revision}");
    }
    assert_eq!(loaded(second.as_mut()), (1, of(&[put_memory(plain("s", "a"))])));
    assert_eq!(second.changes_since(Revision(1)), Ok(Some(vec![])));
    commit(second.as_mut(), 2, vec![put_memory(plain("s", "b"))]);
    assert_eq!(loaded(first.as_mut()).0, 2);
}

fn changes_since_gives_every_later_entry_in_order<B: Backend>() {
    let backend = B::new();
    let (mut writer, mut reader) = (backend.open(), backend.open());
    let touch = Change::Touch {
        scope: scope("default"),
        id: id("full"),
        last_accessed_at: Timestamp(6),
        recalled_at: Some(Timestamp(6)),
        recall_count: 3,
    };
    let entries = [
        entry(1, Operation::Import, everything()),
        entry(2, Operation::Recall, vec![touch]),
        entry(3, Operation::Approve, vec![Change::DeleteEdge(edge("default", "full", "plain", "semantic").key)]),
    ];
    for entry in &entries {
        assert_eq!(writer.commit(entry), Ok(CommitAnswer::Committed));
    }
    for known in 0..=3 {
        let later = entries[known as usize..].to_vec();
        assert_eq!(reader.changes_since(Revision(known)), Ok(Some(later)), "since {known}");
    }
    // A revision that this store has not reached: whoever is there is not looking at this store's past.
    assert_eq!(reader.changes_since(Revision(4)), Ok(None));
    assert_eq!(reader.changes_since(Revision(u64::MAX)), Ok(None));
}

fn touches_set_clocks_and_nothing_else<B: Backend>() {
    let backend = B::new();
    let mut store = backend.open();
    let before = [put_memory(full("s", "a")), put_memory(plain("s", "b")), put_edge(edge("s", "a", "b", "r"))];
    commit(store.as_mut(), 1, before.to_vec());
    let touch = |at: &str, name: &str| Change::Touch {
        scope: scope(at),
        id: id(name),
        last_accessed_at: Timestamp(70),
        recalled_at: None,
        recall_count: 71,
    };
    let touch_edge = |edge: ebbtrace_core::Edge| Change::TouchEdge { key: edge.key, reinforced_at: Timestamp(72) };
    let changes = vec![
        touch("s", "a"),
        touch("s", "nobody"),
        touch("elsewhere", "a"),
        touch_edge(edge("s", "a", "b", "r")),
        touch_edge(edge("s", "b", "a", "r")),
        touch_edge(edge("s", "a", "b", "another")),
        touch_edge(edge("elsewhere", "a", "b", "r")),
    ];
    commit(store.as_mut(), 2, changes);
    let after = [
        put_memory(ebbtrace_core::Memory {
            last_accessed_at: Timestamp(70),
            recalled_at: None,
            recall_count: 71,
            ..full("s", "a")
        }),
        put_memory(plain("s", "b")),
        put_edge(ebbtrace_core::Edge { reinforced_at: Timestamp(72), ..edge("s", "a", "b", "r") }),
    ];
    assert_eq!(loaded(store.as_mut()), (2, of(&after)));
}

fn deleting_a_memory_takes_its_edges_and_proposals<B: Backend>() {
    let backend = B::new();
    let mut store = backend.open();
    let kept = [
        put_memory(plain("s", "b")),
        put_memory(plain("s", "c")),
        put_edge(edge("s", "b", "c", "r")),
        put_proposal(proposal("s", "b", ProposedAction::Merge { into: id("c") })),
        put_memory(plain("t", "a")),
        put_memory(plain("t", "b")),
        put_edge(edge("t", "a", "b", "r")),
        put_proposal(proposal("t", "a", ProposedAction::Delete)),
    ];
    let gone = [
        put_memory(plain("s", "a")),
        put_edge(edge("s", "a", "b", "r")),
        put_edge(edge("s", "c", "a", "q")),
        put_proposal(proposal("s", "a", ProposedAction::Delete)),
    ];
    commit(store.as_mut(), 1, [&kept[..], &gone[..]].concat());
    let delete = Change::DeleteMemory { scope: scope("s"), id: id("a") };
    let delete_none = Change::DeleteMemory { scope: scope("u"), id: id("a") };
    commit(store.as_mut(), 2, vec![delete, delete_none]);
    assert_eq!(loaded(store.as_mut()), (2, of(&kept)));
    // Nothing of the old memory clings to a new one of the same name.
    commit(store.as_mut(), 3, vec![put_memory(plain("s", "a"))]);
    assert_eq!(loaded(store.as_mut()), (3, of(&[&kept[..], &gone[..1]].concat())));
}

fn the_journal_forgets_what_is_deleted<B: Backend>() {
    let backend = B::new();
    let mut store = backend.open();
    let link = put_edge(edge("s", "a", "b", "r"));
    commit(store.as_mut(), 1, vec![put_memory(full("s", "a")), put_memory(plain("s", "b")), link]);
    let touch = Change::TouchEdge { key: edge("s", "a", "b", "r").key, reinforced_at: Timestamp(50) };
    commit(store.as_mut(), 2, vec![touch]);
    let delete = Change::DeleteMemory { scope: scope("s"), id: id("a") };
    commit(store.as_mut(), 3, vec![put_memory(full("s", "a")), delete]);
    // The entry that deletes would name what is gone: whoever is behind it loads anew.
    let since = |known: u64| store.changes_since(Revision(known));
    assert_eq!([0, 1, 2, 3].map(since), [Ok(None), Ok(None), Ok(None), Ok(Some(vec![]))]);
}

fn single_deletes_leave_the_rest<B: Backend>() {
    let backend = B::new();
    let mut store = backend.open();
    let kept = [
        put_memory(plain("s", "a")),
        put_memory(plain("s", "b")),
        put_edge(edge("s", "b", "a", "r")),
        put_edge(edge("s", "a", "b", "q")),
        put_proposal(proposal("s", "b", ProposedAction::Delete)),
    ];
    let gone = [put_edge(edge("s", "a", "b", "r")), put_proposal(proposal("s", "a", ProposedAction::Delete))];
    commit(store.as_mut(), 1, [&kept[..], &gone[..]].concat());
    let deletes = vec![
        Change::DeleteEdge(edge("s", "a", "b", "r").key),
        Change::DeleteEdge(edge("t", "a", "b", "q").key),
        Change::DeleteEdge(edge("s", "a", "nobody", "q").key),
        Change::DeleteProposal { scope: scope("s"), id: id("a") },
        Change::DeleteProposal { scope: scope("t"), id: id("b") },
    ];
    commit(store.as_mut(), 2, deletes);
    assert_eq!(loaded(store.as_mut()), (2, of(&kept)));
}

fn an_edge_or_proposal_without_its_memory_is_not_kept<B: Backend>() {
    let backend = B::new();
    let mut store = backend.open();
    let kept = [put_memory(plain("s", "a")), put_memory(plain("t", "b"))];
    commit(store.as_mut(), 1, kept.to_vec());
    let stray = vec![
        put_edge(edge("s", "a", "b", "r")),
        put_edge(edge("s", "b", "a", "r")),
        put_edge(edge("t", "a", "b", "r")),
        put_proposal(proposal("s", "b", ProposedAction::Delete)),
    ];
    commit(store.as_mut(), 2, stray);
    assert_eq!(loaded(store.as_mut()), (2, of(&kept)));
}

fn an_import_may_name_edges_before_their_ends<B: Backend>() {
    let backend = B::new();
    let mut store = backend.open();
    let mut backwards = everything();
    backwards.reverse();
    commit(store.as_mut(), 1, backwards.clone());
    assert_eq!(loaded(store.as_mut()), (1, of(&backwards)));
}

fn a_reservation_ends_with_a_commit_or_a_release<B: Backend>() {
    let backend = B::new();
    let (mut first, mut second) = (backend.open(), backend.open());
    assert_eq!(first.reserve(), Ok(true));
    assert_eq!(first.reserve(), Ok(true));
    assert_eq!(second.changes_since(Revision(0)), Ok(Some(vec![])));
    first.release();
    first.release();
    commit(second.as_mut(), 1, vec![put_memory(plain("s", "a"))]);
    assert_eq!(first.reserve(), Ok(true));
    assert_eq!(first.changes_since(Revision(0)).map(|entries| entries.map(|entries| entries.len())), Ok(Some(1)));
    assert_eq!(loaded(first.as_mut()).0, 1);
    commit(first.as_mut(), 2, vec![put_memory(plain("s", "b"))]);
    commit(second.as_mut(), 3, vec![put_memory(plain("s", "c"))]);
    assert_eq!(first.reserve(), Ok(true));
    let late = entry(3, Operation::Pin, vec![put_memory(plain("s", "d"))]);
    assert_eq!(first.commit(&late), Ok(CommitAnswer::Conflict));
    commit(second.as_mut(), 4, vec![put_memory(plain("s", "e"))]);
}

fn random_changes_leave_every_store_alike<B: Backend>() {
    for seed in 0..6 {
        let backend = B::new();
        let (mut store, mut other, mut model) = (backend.open(), backend.open(), MemoryStore::new());
        let (mut dice, mut written) = (Dice(seed), Vec::new());
        for revision in 1..=60 {
            let changes = (0..=dice.below(8)).map(|_| random_change(&mut dice)).collect();
            let operation = if dice.below(2) == 0 { Operation::Recall } else { Operation::Maintain };
            let entry = entry(revision, operation, changes);
            let writer = if dice.below(2) == 0 { &mut store } else { &mut other };
            assert_eq!(writer.commit(&entry), Ok(CommitAnswer::Committed));
            assert_eq!(model.commit(&entry), Ok(CommitAnswer::Committed));
            written.push(entry);
            if revision % 10 == 0 {
                assert_eq!(loaded(store.as_mut()), loaded(&mut model), "seed {seed}, revision {revision}");
            }
        }
        // Entry after entry leads to where the records are, from the last deletion on.
        let deletes = |entry: &ebbtrace_core::JournalEntry| {
            entry.changes.iter().any(|c| matches!(c, Change::DeleteMemory { .. }))
        };
        let last = written.iter().rposition(deletes).map_or(0, |index| index + 1);
        let later = store.changes_since(Revision(last as u64)).expect("a journal").expect("a whole journal");
        assert_eq!(later, written[last..], "seed {seed}");
        let before = last.checked_sub(1).map(|before| store.changes_since(Revision(before as u64)));
        assert!(before.is_none_or(|answer| answer == Ok(None)), "seed {seed}");
    }
}

fn random_change(dice: &mut Dice) -> Change {
    const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];
    let at = ["s", "t"][dice.below(2) as usize];
    let mut name = || NAMES[dice.below(5) as usize];
    let (from, to) = (name(), name());
    let clock = Timestamp(dice.below(1_000) as i64);
    let link = edge(at, from, to, ["r", "q"][dice.below(2) as usize]);
    match dice.below(12) {
        0..=2 => put_memory(plain(at, from)),
        3 => put_memory(ebbtrace_core::Memory { importance: dice.below(97) as f64 / 97.0, ..full(at, from) }),
        4 | 5 => put_edge(ebbtrace_core::Edge { weight: 10.0 / (1 + dice.below(90)) as f64, ..link }),
        6 => put_proposal(proposal(at, from, ProposedAction::Merge { into: id(to) })),
        7 => Change::Touch {
            scope: scope(at),
            id: id(from),
            last_accessed_at: clock,
            recalled_at: Some(clock),
            recall_count: dice.below(9) as u32,
        },
        8 => Change::TouchEdge { key: link.key, reinforced_at: clock },
        9 => Change::DeleteMemory { scope: scope(at), id: id(from) },
        10 => Change::DeleteEdge(link.key),
        _ => match dice.below(2) {
            0 => Change::DeleteProposal { scope: scope(at), id: id(from) },
            _ => Change::Put(Record::Scope(ebbtrace_core::ScopeStatus { scope: scope(at), maintained_at: clock })),
        },
    }
}
