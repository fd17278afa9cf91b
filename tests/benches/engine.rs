//! Open, remember and recall over SQLite at three sizes: `cargo bench`. The table in README.md is `measure`'s, which
//! tells late answers and memory too; this is for comparing two versions of the code.

use std::{hint::black_box, path::Path, sync::Arc, time::Duration};

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use ebbtrace::{Service, clock::ManualClock, service::Options, store::SqliteStore};
use ebbtrace_core::{RecallInput, Timestamp};
use ebbtrace_tests::generate::{self, Life, NOW, questions};

const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

fn service(db: &Path) -> (Service, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::new(NOW));
    let mut options = Options::new(Box::new(SqliteStore::open(db).expect("the copied store opens")));
    options.clock = Box::new(clock.clone());
    (Service::open(options).expect("the copied store loads"), clock)
}

fn open(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("open");
    group.sample_size(10);
    for memories in SIZES {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let db = folder.path().join("memory.db");
        generate::copy(memories, &db).expect("the store is made");
        group.bench_with_input(BenchmarkId::from_parameter(memories), &db, |bencher, db| {
            bencher.iter(|| service(black_box(db)));
        });
    }
}

/// One commit each, on the disk before it is acknowledged.
fn remember(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("remember");
    group.sample_size(50);
    for memories in SIZES {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let db = folder.path().join("memory.db");
        generate::copy(memories, &db).expect("the store is made");
        let (service, clock) = service(&db);
        // Another life than the one that is stored.
        let mut notes = Life::new(memories + 1);
        group.bench_function(BenchmarkId::from_parameter(memories), |bencher| {
            let next = || {
                clock.set(Timestamp(clock.now().0 + 1_000));
                notes.next().expect("a life has no end").input
            };
            bencher.iter_batched(next, |input| service.remember(input), BatchSize::SmallInput);
        });
    }
}

/// With what keeps the hits fresh, as the service commits it, and without.
fn recall(criterion: &mut Criterion) {
    for (name, peek) in [("recall", false), ("recall, peek", true)] {
        let mut group = criterion.benchmark_group(name);
        group.sample_size(50).measurement_time(Duration::from_secs(10));
        for memories in SIZES {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let db = folder.path().join("memory.db");
            generate::copy(memories, &db).expect("the store is made");
            let (service, clock) = service(&db);
            let asked = questions(memories, 500);
            let mut queries = asked.iter().cycle();
            group.bench_function(BenchmarkId::from_parameter(memories), |bencher| {
                let next = || {
                    clock.set(Timestamp(clock.now().0 + 1_000));
                    let query = queries.next().cloned().unwrap_or_default();
                    RecallInput { query, peek, ..RecallInput::default() }
                };
                bencher.iter_batched(next, |input| service.recall(input), BatchSize::SmallInput);
            });
        }
    }
}

criterion_group!(engine, open, remember, recall);
criterion_main!(engine);
