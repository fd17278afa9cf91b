//! Measures the engine over SQLite and the MCP server, and prints a table: `measure [--memories 1000,10000,100000]`.

mod server;
mod stores;
mod wasm;

use std::{
    fmt,
    path::Path,
    process::{Command, ExitCode},
    sync::Arc,
    time::{Duration, Instant},
};

use clap::Parser;
use ebbtrace::{Service, Store, clock::ManualClock, service::Options, store::SqliteStore};
use ebbtrace_core::{RecallInput, Timestamp};
use ebbtrace_tests::generate::{self, Life, NOW, questions};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

/// Times that a store is opened.
const OPENINGS: usize = 5;

/// Speed and memory of the engine over SQLite, as one table. Build with --release.
#[derive(Parser)]
struct Arguments {
    /// Sizes of store to measure.
    #[arg(long, value_delimiter = ',', default_value = "1000,10000,100000")]
    memories: Vec<usize>,
    /// Measure only these: open, recall, remember, resident, server; and wasm, which is measured only where it is named
    /// and needs Node and the npm package (`cargo xtask npm`).
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Questions asked, each once with and once without reinforcement; twice as many notes are remembered.
    #[arg(long, default_value_t = 500)]
    questions: usize,
    /// Measure opening, recalling and remembering over these kinds of store, instead, in one run: sqlite, kuzu, neo4j,
    /// neo4j-pushed-down
    /// (built with those features; Neo4j is emptied first, and is where the environment says).
    #[arg(long, value_delimiter = ',')]
    stores: Vec<String>,
    /// Open the store at this path, recall, and say how much memory that took: what `resident` runs.
    #[arg(long, hide = true)]
    resident: Option<std::path::PathBuf>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let measured = match &arguments.resident {
        Some(path) => resident(path),
        None => table(&arguments),
    };
    match measured {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("measure: {reason}");
            ExitCode::FAILURE
        }
    }
}

/// One line of the table: what, and its figures.
type Row = (String, String);

fn table(arguments: &Arguments) -> Result<(), String> {
    let asked = |name: &str| arguments.only.is_empty() || arguments.only.iter().any(|only| only == name);
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::ASCII_MARKDOWN);
    table.set_header(["memories", "what", "figures"]);
    let mut add = |memories: usize, rows: Vec<Row>| {
        for (what, figures) in rows {
            eprintln!("{memories} {what}: {figures}");
            table.add_row([memories.to_string(), what, figures]);
        }
    };
    for &memories in &arguments.memories {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let db = folder.path().join("memory.db");
        prepare(memories)?;
        generate::copy(memories, &db)?;
        if !arguments.stores.is_empty() {
            for kind in &arguments.stores {
                add(memories, stores::rows(kind, &db, memories, arguments.questions)?);
            }
            continue;
        }
        let sqlite = sqlite(&db);
        if asked("open") {
            add(memories, open(&sqlite)?);
        }
        if asked("recall") {
            add(memories, recall(&sqlite, memories, arguments.questions)?);
        }
        if asked("remember") {
            add(memories, remember(&sqlite, memories, 2 * arguments.questions)?);
        }
        if asked("resident") {
            let program = std::env::current_exe().map_err(|error| error.to_string())?;
            let output =
                Command::new(program).arg("--resident").arg(&db).output().map_err(|error| error.to_string())?;
            let figures = String::from_utf8_lossy(&output.stdout).trim().to_owned();
            add(memories, vec![("resident after opening and 100 recalls".to_owned(), figures)]);
        }
        if arguments.only.iter().any(|only| only == "wasm") {
            add(memories, wasm::rows(&db, memories, arguments.questions)?);
        }
        if asked("server") {
            add(memories, vec![("MCP server: first answer".to_owned(), server::figures(&db)?)]);
        }
    }
    if arguments.stores.is_empty() && asked("server") {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let figures = server::figures(&folder.path().join("memory.db"))?;
        add(0, vec![("MCP server: first answer".to_owned(), figures)]);
    }
    println!("{table}");
    Ok(())
}

/// Makes the store of so many memories, with a bar, where it is not there yet.
fn prepare(memories: usize) -> Result<(), String> {
    let bar = ProgressBar::new(memories as u64);
    let style = ProgressStyle::with_template("making the store {bar:40} {pos}/{len} memories {eta}");
    bar.set_style(style.map_err(|error| error.to_string())?);
    generate::cached(memories, |done| bar.set_position(done as u64))?;
    bar.finish_and_clear();
    Ok(())
}

fn open(store: &dyn Fn() -> Opened) -> Result<Vec<Row>, String> {
    let mut times = Times::default();
    for _ in 0..OPENINGS {
        // Closing has no part in it.
        let opened = times.time(|| service(store))?;
        drop(opened);
    }
    Ok(vec![("open".to_owned(), format!("{}, least {}", times.figures(), milliseconds(times.at(0.0))))])
}

fn recall(store: &dyn Fn() -> Opened, memories: usize, asked: usize) -> Result<Vec<Row>, String> {
    let questions = questions(memories, asked);
    let (service, clock) = service(store)?;
    let mut rows = Vec::new();
    for (what, peek) in [("recall, peek", true), ("recall", false)] {
        let (mut times, mut hits, mut answers) = (Times::default(), 0, Digest::default());
        for question in &questions {
            clock.set(Timestamp(clock.now().0 + 1_000));
            let input = RecallInput { query: question.clone(), peek, ..RecallInput::default() };
            let recalled = times.time(|| service.recall(input).map_err(|error| error.to_string()))?;
            hits += recalled.hits.len();
            answers.add(&recalled);
        }
        let mean = hits as f64 / questions.len() as f64;
        rows.push((what.to_owned(), format!("{}; {mean:.1} hits; {answers}", times.figures())));
    }
    Ok(rows)
}

fn remember(store: &dyn Fn() -> Opened, memories: usize, notes: usize) -> Result<Vec<Row>, String> {
    let (service, clock) = service(store)?;
    let (mut times, mut answers) = (Times::default(), Digest::default());
    // Another life than the one that is stored.
    for note in Life::new(memories + 1).take(notes) {
        clock.set(Timestamp(clock.now().0 + 1_000));
        let remembered = times.time(|| service.remember(note.input).map_err(|error| error.to_string()))?;
        // Its id is random.
        answers.add(&(remembered.resolution, remembered.similarity, remembered.links));
    }
    let each_second = notes as f64 / times.total().as_secs_f64();
    Ok(vec![("remember, durable".to_owned(), format!("{}; {each_second:.0} a second; {answers}", times.figures()))])
}

fn resident(db: &Path) -> Result<(), String> {
    let (service, _clock) = service(&sqlite(db))?;
    let opened = server::memory_of("self")?;
    for question in questions(1_000, 100) {
        let input = RecallInput { query: question, ..RecallInput::default() };
        service.recall(input).map_err(|error| error.to_string())?;
    }
    println!("opened {opened}; then {}", server::memory_of("self")?);
    Ok(())
}

/// A store that was opened.
type Opened = Result<Box<dyn Store>, String>;

/// What opens the SQLite store at `db`.
fn sqlite(db: &Path) -> impl Fn() -> Opened {
    move || Ok(Box::new(SqliteStore::open(db).map_err(|error| error.to_string())?))
}

fn service(store: &dyn Fn() -> Opened) -> Result<(Service, Arc<ManualClock>), String> {
    let clock = Arc::new(ManualClock::new(NOW));
    let mut options = Options::new(store()?);
    options.clock = Box::new(clock.clone());
    Ok((Service::open(options).map_err(|error| error.to_string())?, clock))
}

/// How long each of many calls took: by the clock, and on the processor, which others on the machine change less.
#[derive(Default)]
struct Times {
    each: Vec<Duration>,
    processor: Duration,
}

impl Times {
    fn time<T>(&mut self, call: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
        let (before, started) = (on_processor(), Instant::now());
        let answer = call();
        self.each.push(started.elapsed());
        self.processor += on_processor().saturating_sub(before);
        answer
    }

    fn total(&self) -> Duration {
        self.each.iter().sum()
    }

    /// The time that a share of the calls stayed within.
    fn at(&self, share: f64) -> Duration {
        let mut sorted = self.each.clone();
        sorted.sort_unstable();
        let index = ((sorted.len() as f64 * share) as usize).min(sorted.len().saturating_sub(1));
        sorted.get(index).copied().unwrap_or_default()
    }

    fn figures(&self) -> String {
        let processor = self.processor / self.each.len().max(1) as u32;
        let [median, late] = [0.5, 0.99].map(|share| milliseconds(self.at(share)));
        format!("p50 {median}, p99 {late}, on the processor {}", milliseconds(processor))
    }
}

/// A digest of many answers (FNV-1a of their JSON): two builds that give the same answers give the same digest.
struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    fn add(&mut self, answer: &impl Serialize) {
        for byte in serde_json::to_vec(answer).unwrap_or_default() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "answers {:08x}", self.0 >> 32)
    }
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

/// This thread's time on a processor; zero where the system does not say.
fn on_processor() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = told.split(' ').next().and_then(|text| text.parse().ok()).unwrap_or(0);
    Duration::from_nanos(nanoseconds)
}
