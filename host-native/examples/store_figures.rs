//! What the SQLite store costs on this machine: `cargo run --release -p ebbtrace --example store_figures [FOLDER]`.
//!
//! Builds a store of 100,000 memories and 300,000 edges in FOLDER (default: a temporary one) and prints one figure a
//! line. The folder's disk is what is measured.

use std::{
    fs::File,
    io::Write,
    path::Path,
    time::{Duration, Instant},
};

use ebbtrace::{
    CommitAnswer, Store,
    store::{SqliteStore, StoreError},
};
use ebbtrace_core::{
    Category, Change, Edge, EdgeKey, JournalEntry, Label, Memory, MemoryId, Operation, Record, Revision, Scope, Source,
    State, Tier, Timestamp,
};
use serde_json::Map;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const MEMORIES: u64 = 100_000;
const EDGES_EACH: u64 = 3;
const COMMITS: u64 = 2_000;

fn main() -> Outcome<()> {
    let temporary = tempfile::tempdir()?;
    let folder = std::env::args().nth(1).map_or(temporary.path().to_owned(), Into::into);
    let path = folder.join("figures.db");
    println!("fdatasync of 20 KiB            {:>9.3} ms", mean(200, sync_of(&folder)?));

    let mut store = SqliteStore::open(&path)?;
    let mut revision = Revision(0);
    let started = Instant::now();
    for batch in 0..MEMORIES / 1_000 {
        let changes = (batch * 1_000..(batch + 1) * 1_000).flat_map(|number| one(number, EDGES_EACH)).collect();
        revision = put(&mut store, revision, Operation::Import, changes)?;
    }
    println!("100,000 + 300,000 written      {:>9.3} s", started.elapsed().as_secs_f64());
    Box::new(store).close()?;
    println!("file                           {:>9.1} MB", std::fs::metadata(&path)?.len() as f64 / 1e6);

    let opened: Vec<Duration> =
        (0..20).map(|_| timed(|| SqliteStore::open(&path).map(drop))).collect::<Result<_, _>>()?;
    println!("open                           {:>9.3} ms", mean(20, opened.iter().sum()));
    let mut store = SqliteStore::open(&path)?;
    for _ in 0..3 {
        let mut records = Vec::with_capacity(400_000);
        let took = timed(|| store.load(&mut |record| records.push(record)))?;
        println!("load of {:>7} records        {:>9.3} s", records.len(), took.as_secs_f64());
    }

    let took = timed(|| (0..10_000).try_for_each(|_| store.changes_since(revision).map(drop)))?;
    println!("changes_since, none            {:>9.3} us", mean(10_000, took) * 1e3);

    let started = Instant::now();
    for number in 0..COMMITS {
        revision = put(&mut store, revision, Operation::Remember, one(MEMORIES + number, 6).collect())?;
    }
    println!("remember: 1 memory, 6 edges    {:>9.0} commits/s", COMMITS as f64 / started.elapsed().as_secs_f64());
    let started = Instant::now();
    for number in 0..COMMITS {
        revision = put(&mut store, revision, Operation::Recall, touches(number))?;
    }
    println!("recall: 5 touches, 5 edges     {:>9.0} commits/s", COMMITS as f64 / started.elapsed().as_secs_f64());
    let started = Instant::now();
    for number in 0..COMMITS {
        revision = put(&mut store, revision, Operation::Reinforce, touches(number))?;
    }
    println!("the same, waiting for the disk {:>9.0} commits/s", COMMITS as f64 / started.elapsed().as_secs_f64());
    let took = timed(|| store.changes_since(Revision(revision.0 - COMMITS)).map(drop))?;
    println!("changes_since, 2,000 entries   {:>9.3} ms", took.as_secs_f64() * 1e3);
    let delete = Change::DeleteMemory { scope: Scope::default(), id: id(50_000) };
    let started = Instant::now();
    put(&mut store, revision, Operation::Approve, vec![delete])?;
    println!("purge of one memory            {:>9.3} ms", started.elapsed().as_secs_f64() * 1e3);
    Box::new(store).close()?;
    Ok(())
}

fn put(store: &mut SqliteStore, base: Revision, operation: Operation, changes: Vec<Change>) -> Outcome<Revision> {
    let entry = JournalEntry { revision: base.next(), at: Timestamp(0), operation, channel: None, changes };
    match store.commit(&entry)? {
        CommitAnswer::Committed => Ok(entry.revision),
        other => Err(format!("{other:?}").into()),
    }
}

fn one(number: u64, edges: u64) -> impl Iterator<Item = Change> {
    let id_of = id(number);
    let memory = Memory {
        scope: Scope::default(),
        id: id_of.clone(),
        kind: label("decision"),
        category: Category::Fact,
        content: format!("{number}: {}", "the pricing page shows yearly plans first since spring ".repeat(4)),
        importance: 0.5 + (number % 100) as f64 / 317.0,
        pinned: false,
        tags: vec!["pricing".into(), "web".into()],
        metadata: Map::new(),
        author: Some("ann".to_owned()),
        source: Source { session: Some(format!("session-{}", number / 20)), position: 1, ..Source::default() },
        occurred_at: at(number),
        created_at: at(number),
        updated_at: at(number),
        valid_from: at(number),
        last_accessed_at: at(number),
        recalled_at: None,
        recall_count: 0,
        version: 1,
        state: State::Active,
        tier: Tier::Hot,
        embedding: None,
    };
    let edges = (1..=edges).filter_map(move |step| {
        let to = number.checked_sub(step * step * 97 % number.max(1) + 1)?;
        let key = EdgeKey { scope: Scope::default(), from: id_of.clone(), to: id(to), relation: label("semantic") };
        let edge = Edge { key, weight: 0.2 + step as f64 / 31.0, created_at: at(number), reinforced_at: at(number) };
        Some(Change::Put(Record::Edge(edge)))
    });
    std::iter::once(Change::Put(Record::Memory(Box::new(memory)))).chain(edges)
}

fn touches(number: u64) -> Vec<Change> {
    (0..5)
        .flat_map(|step| {
            let number = (number * 7_919 + step * 104_729) % MEMORIES;
            let touch = Change::Touch {
                scope: Scope::default(),
                id: id(number),
                last_accessed_at: at(number + 1),
                recalled_at: Some(at(number + 1)),
                recall_count: 1,
            };
            let key = EdgeKey {
                scope: Scope::default(),
                from: id(number),
                to: id(number.saturating_sub(98)),
                relation: label("semantic"),
            };
            [touch, Change::TouchEdge { key, reinforced_at: at(number + 1) }]
        })
        .collect()
}

fn id(number: u64) -> MemoryId {
    MemoryId::try_from(&*format!("01J{:023}", number.wrapping_mul(0x9E37_79B9_7F4A_7C15))).expect("a valid id")
}

fn label(text: &str) -> Label {
    Label::try_from(text).expect("a valid label")
}

fn at(number: u64) -> Timestamp {
    Timestamp(1_700_000_000_000 + number as i64 * 60_000)
}

fn sync_of(folder: &Path) -> Outcome<Duration> {
    let mut file = File::create(folder.join("sync"))?;
    let mut total = Duration::ZERO;
    for _ in 0..200 {
        file.write_all(&[7; 20 << 10])?;
        let started = Instant::now();
        file.sync_data()?;
        total += started.elapsed();
    }
    Ok(total)
}

fn timed<T>(call: impl FnOnce() -> Result<T, StoreError>) -> Result<Duration, StoreError> {
    let started = Instant::now();
    call()?;
    Ok(started.elapsed())
}

/// Milliseconds for each of `count`.
fn mean(count: u32, total: Duration) -> f64 {
    total.as_secs_f64() * 1e3 / f64::from(count)
}
