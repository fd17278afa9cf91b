//! Many processes on one store, some of them killed. Each process is this test binary again, as [`child`].

use std::{
    collections::BTreeMap,
    env,
    io::{BufRead, BufReader, Lines, Read, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use ebbtrace::{Embedder, Service, Store, model::ModelError, service::Options, store::SqliteStore};
use ebbtrace_core::{Memory, MemoryId, Record, RememberInput, UpdateInput};

#[cfg(any(feature = "kuzu", feature = "neo4j"))]
#[path = "processes/graph.rs"]
mod graph;

/// Set for a child: what it does, `ROLE NAME COUNT`.
const ROLE: &str = "EBBTRACE_TEST_ROLE";
/// Set for a child: the store's path.
const STORE: &str = "EBBTRACE_TEST_STORE";

/// Not a test of its own: what the other tests start as processes.
#[test]
#[ignore = "the other tests start it, each with a role"]
fn child() {
    let role = env::var(ROLE).expect("a role from the test that starts this");
    let path = env::var_os(STORE).expect("a store from the test that starts this");
    let mut words = role.split(' ');
    let (role, name, count) = (words.next(), words.next().unwrap_or_default(), words.next().unwrap_or("0"));
    let count: u64 = count.parse().expect("a number");
    match role {
        Some("write") => write(&open(Path::new(&path)), name, 0..count),
        Some("serve") => serve(&open(Path::new(&path)), name),
        Some("reembed") => reembed(Path::new(&path), name),
        Some("lock") => {
            let mut store = SqliteStore::open(Path::new(&path)).expect("a store");
            assert_eq!(store.reserve(), Ok(true));
            say("locked");
            wait_for_the_end();
        }
        other => panic!("no role {other:?}"),
    }
}

/// Writes one memory after the other and says so once each is acknowledged.
fn write(service: &Service, name: &str, numbers: impl Iterator<Item = u64>) {
    say("ready");
    for number in numbers {
        let id = format!("{name}-{number}");
        let input = RememberInput { id: Some(id.clone()), content: content(name, number), ..RememberInput::default() };
        let stored = service.remember(input).expect("an acknowledged write");
        assert_eq!(stored.id.as_str(), id);
        say(&format!("ack {id}"));
    }
}

/// Writes a memory for each line that comes in, until no more can come.
fn serve(service: &Service, name: &str) {
    say("ready");
    for (number, line) in (0..).zip(std::io::stdin().lines()) {
        let word = line.expect("a line");
        let id = format!("{name}-{number}");
        let content = format!("{word} {}", content(name, number));
        let input = RememberInput { id: Some(id.clone()), content, ..RememberInput::default() };
        service.remember(input).expect("an acknowledged write");
        say(&format!("ack {id}"));
    }
}

/// An embedder that takes its time, so that a kill finds it at work.
struct Slow(String);

impl Embedder for Slow {
    fn model(&self) -> Result<&str, ModelError> {
        Ok(&self.0)
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        std::thread::sleep(Duration::from_millis(texts.len() as u64));
        Ok(texts.iter().map(|text| vec![1.0, text.len() as f32, self.0.len() as f32]).collect())
    }
}

/// Gives every memory the vector of the model `name`, and says how far it is.
fn reembed(path: &Path, name: &str) {
    let store = store(path);
    let embedder: Arc<dyn Embedder> = Arc::new(Slow(name.to_owned()));
    let service = Service::open(Options { embedder: Some(embedder), ..Options::new(store) }).expect("a memory");
    say("ready");
    let report = service.reembed(None, |progress| say(&format!("done {}", progress.done))).expect("it embeds");
    say(&format!("changed {} left {}", report.changed, report.left_out.len()));
}

fn wait_for_the_end() {
    let mut rest = String::new();
    std::io::stdin().read_to_string(&mut rest).expect("an end of input");
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    // The test harness may have left its own line unfinished.
    writeln!(out, "\n@{line}").and_then(|()| out.flush()).expect("a reader");
}

/// Words that no other writer and no other number has, so that each is a memory of its own.
fn content(name: &str, number: u64) -> String {
    let mut mixed = name.bytes().fold(number, |mixed, byte| mixed.wrapping_mul(0x100_0000_01B3) ^ u64::from(byte));
    let mut words = Vec::new();
    for _ in 0..8 {
        mixed = mixed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        words.push(format!("w{:x}", mixed >> 36));
    }
    words.join(" ")
}

/// The store at `path`: SQLite's, but Kùzu's where its name ends so, and the Neo4j server's for `neo4j`.
fn store(path: &Path) -> Box<dyn Store> {
    #[cfg(feature = "kuzu")]
    if path.extension().is_some_and(|extension| extension == "kuzu") {
        return Box::new(ebbtrace::store::KuzuStore::open(path).expect("a store"));
    }
    #[cfg(feature = "neo4j")]
    if path == Path::new("neo4j") {
        return Box::new(graph::server());
    }
    Box::new(SqliteStore::open(path).expect("a store"))
}

fn open(path: &Path) -> Service {
    Service::open(Options::new(store(path))).expect("a memory")
}

/// The contents by id.
fn contents(service: &Service) -> BTreeMap<MemoryId, String> {
    let mut found = BTreeMap::new();
    let mut keep = |record| {
        if let Record::Memory(memory) = record {
            found.insert(memory.id, memory.content);
        }
    };
    service.export(None, &mut keep).expect("an export");
    found
}

/// A process with a role; killed hard if the test ends before it.
struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Process {
    fn start(path: &Path, role: &str) -> Self {
        let mut child = Command::new(env::current_exe().expect("this binary"))
            .args(["--ignored", "--exact", "child", "--nocapture", "--test-threads", "1"])
            .env(ROLE, role)
            .env(STORE, path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("a process");
        let lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        Self { input: child.stdin.take(), child, lines }
    }

    /// The next thing it says; `None` at its end.
    fn next(&mut self) -> Option<String> {
        self.lines.by_ref().map_while(Result::ok).find_map(|line| line.strip_prefix('@').map(str::to_owned))
    }

    fn expect(&mut self, said: &str) {
        assert_eq!(self.next().as_deref(), Some(said));
    }

    fn tell(&mut self, line: &str) {
        let input = self.input.as_mut().expect("its input");
        writeln!(input, "{line}").and_then(|()| input.flush()).expect("a process that listens");
    }

    /// Ends it with SIGKILL (on Windows, by terminating it), as in the middle of anything; what it said until then.
    fn kill(&mut self) -> Vec<String> {
        self.child.kill().expect("a process to kill");
        let said = std::iter::from_fn(|| self.next()).collect();
        let status = self.child.wait().expect("its end");
        assert!(!status.success());
        said
    }

    /// Waits for its own end; what it said until then.
    fn finish(&mut self) -> Vec<String> {
        self.input = None;
        let said = std::iter::from_fn(|| self.next()).collect();
        assert!(self.child.wait().expect("its end").success());
        said
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Without effect where it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Checks that each acknowledged write is in the store, with its own content.
fn assert_kept(path: &Path, said: &[String]) -> usize {
    let kept = contents(&open(path));
    for line in said {
        let Some(id) = line.strip_prefix("ack ") else { continue };
        let (name, number) = id.rsplit_once('-').expect("an id of a name and a number");
        let own = content(name, number.parse().expect("a number"));
        assert!(kept.get(id).is_some_and(|text| text.ends_with(&own)), "{id} was acknowledged and is lost");
    }
    kept.len()
}

#[test]
fn a1_a_second_and_a_third_client_work_whatever_became_of_the_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    let mut first = Process::start(&path, "serve first");
    first.expect("ready");
    let mut second = Process::start(&path, "serve second");
    second.expect("ready");
    for (process, ack) in [(&mut first, "ack first-0"), (&mut second, "ack second-0")] {
        process.tell("tulips");
        process.expect(ack);
    }
    assert_eq!(first.kill(), Vec::<String>::new());
    let mut third = Process::start(&path, "serve third");
    third.expect("ready");
    for (process, ack) in [(&mut second, "ack second-1"), (&mut third, "ack third-0")] {
        process.tell("roses");
        process.expect(ack);
    }
    second.finish();
    third.finish();
    let said = ["first-0", "second-0", "second-1", "third-0"].map(|id| format!("ack {id}"));
    assert_eq!(assert_kept(&path, &said), 4);
}

#[test]
fn a2_the_lock_of_a_killed_process_blocks_nobody() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    let mut holder = Process::start(&path, "lock");
    holder.expect("locked");
    let mut writer = Process::start(&path, "write blocked 1");
    writer.expect("ready");
    holder.kill();
    assert_eq!(writer.finish(), ["ack blocked-0"]);
    assert_eq!(contents(&open(&path)).len(), 1);
}

#[test]
fn a4_eight_processes_start_at_once_on_a_store_that_is_not_there_yet() {
    for _ in 0..3 {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("not/there/memory.db");
        let started = Instant::now();
        let mut servers: Vec<Process> =
            (0..8).map(|number| Process::start(&path, &format!("serve server{number}"))).collect();
        servers.iter_mut().for_each(|server| server.expect("ready"));
        // Two seconds are meant; ten tell a slow machine from a lock that somebody waits for.
        assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
        for (number, server) in servers.iter_mut().enumerate() {
            server.tell("lilies");
            server.expect(&format!("ack server{number}-0"));
        }
        let said: Vec<String> = (0..8).map(|number| format!("ack server{number}-0")).collect();
        assert_eq!(assert_kept(&path, &said), 8);
    }
}

#[test]
fn a5_eight_writers_lose_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    eight_writers(&folder.path().join("memory.db"), 200);
}

/// Eight processes write `each` at once.
fn eight_writers(path: &Path, each: usize) {
    let watcher = open(path);
    let started = Instant::now();
    let mut writers: Vec<Process> =
        (0..8).map(|number| Process::start(path, &format!("write writer{number} {each}"))).collect();
    let said: Vec<Vec<String>> = writers.iter_mut().map(Process::finish).collect();
    let took = started.elapsed();
    for said in &said {
        assert_eq!(said.len(), each + 1, "{:?}", said.last());
    }
    let said = said.concat();
    assert_eq!(assert_kept(path, &said), 8 * each);
    // One that was open all the while sees the same as one that opens now.
    assert_eq!(contents(&watcher), contents(&open(path)));
    println!("8 writers x {each} writes: {:.0} writes/s", (8 * each) as f64 / took.as_secs_f64());
}

#[test]
fn a6_an_acknowledged_write_survives_a_kill_at_any_instant() {
    let folder = tempfile::tempdir().expect("a folder");
    killed_at_any_instant(&folder.path().join("memory.db"), 20);
}

fn killed_at_any_instant(path: &Path, rounds: u64) {
    let mut said = Vec::new();
    for round in 0..rounds {
        let mut writer = Process::start(path, &format!("write round{round} 1000000"));
        writer.expect("ready");
        // Some acknowledgements, then a moment more, so that the kill falls elsewhere in a write each time.
        let before: Vec<String> = (0..round % 7).filter_map(|_| writer.next()).collect();
        let until = Instant::now() + Duration::from_micros(round * 397);
        while Instant::now() < until {
            std::hint::spin_loop();
        }
        said.extend(before);
        said.extend(writer.kill());
        assert_kept(path, &said);
    }
    assert!(said.len() as u64 > 2 * rounds, "only {} writes were acknowledged before the kills", said.len());
    // A kill may leave a write that nobody was told of, one for each writer at most.
    let kept = assert_kept(path, &said);
    assert!(
        (said.len()..=said.len() + rounds as usize).contains(&kept),
        "{kept} memories, {} acknowledged",
        said.len()
    );
}

#[test]
fn a8_of_two_processes_for_one_connection_one_may_be_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    let mut pair = ["write left 1000000", "write right 60"].map(|role| Process::start(&path, role));
    let [left, right] = &mut pair;
    left.expect("ready");
    let mut said: Vec<String> = (0..5).filter_map(|_| left.next()).collect();
    said.extend(left.kill());
    let right = right.finish();
    assert_eq!(right.len(), 61);
    said.extend(right);
    assert_kept(&path, &said);
}

#[test]
fn a7_an_edit_of_what_another_process_has_changed_is_stale() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    let (first, second) = (open(&path), open(&path));
    let edit = |service: &Service, content: &str| {
        let content = Some(content.to_owned());
        service.update(UpdateInput { id: "plan".to_owned(), content, ..UpdateInput::default() })
    };
    let plan = RememberInput {
        id: Some("plan".to_owned()),
        content: "We meet on Monday".to_owned(),
        ..RememberInput::default()
    };
    first.remember(plan).expect("a memory");
    second.memory(None, "plan").expect("read by the second");
    edit(&first, "We meet on Tuesday").expect("an edit");
    assert_eq!(edit(&second, "We meet on Friday").expect_err("it changed meanwhile").code(), "stale");
    assert_eq!(second.memory(None, "plan").expect("the memory").content, "We meet on Tuesday");
    edit(&second, "We meet on Friday").expect("an edit of what was read");
}

/// Every memory, by id.
fn memories(service: &Service) -> BTreeMap<MemoryId, Memory> {
    let mut found = BTreeMap::new();
    let mut keep = |record| {
        if let Record::Memory(memory) = record {
            found.insert(memory.id.clone(), *memory);
        }
    };
    service.export(None, &mut keep).expect("an export");
    found
}

/// How many memories carry a vector of a model.
fn carry(memories: &BTreeMap<MemoryId, Memory>, model: &str) -> usize {
    memories.values().filter(|memory| memory.embedding.as_ref().is_some_and(|own| &*own.model == model)).count()
}

#[test]
fn reembedding_goes_on_where_it_was_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    Process::start(&path, "write note 300").finish();
    let before = memories(&open(&path));
    let mut first = Process::start(&path, "reembed next");
    first.expect("ready");
    for done in [0, 32, 64] {
        first.expect(&format!("done {done}"));
    }
    first.kill();
    let half = memories(&open(&path));
    let done = carry(&half, "next");
    assert!((64..300).contains(&done) && done.is_multiple_of(32), "{done}");
    let mut second = Process::start(&path, "reembed next");
    let said = second.finish();
    assert_eq!(said.last().map(String::as_str), Some(&*format!("changed {} left 0", 300 - done)));
    let after = memories(&open(&path));
    assert_eq!(carry(&after, "next"), 300);
    for (id, memory) in before {
        assert_eq!(Memory { embedding: memory.embedding.clone(), ..after[&id].clone() }, memory);
    }
}

#[test]
fn others_write_while_a_store_is_reembedded() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    Process::start(&path, "write note 200").finish();
    let service = open(&path);
    let mut embedding = Process::start(&path, "reembed next");
    let mut writer = Process::start(&path, "write late 40");
    embedding.expect("ready");
    embedding.expect("done 0");
    for number in 0..20 {
        let (id, content) = (format!("note-{number}"), Some(format!("edited while it was embedded {number}")));
        service.update(UpdateInput { id, content, ..UpdateInput::default() }).expect("an edit");
    }
    let written = writer.finish();
    embedding.finish();
    assert_kept(&path, &written);
    // What came last may have come too late: once more, and nothing is left.
    Process::start(&path, "reembed next").finish();
    let after = memories(&open(&path));
    assert_eq!(carry(&after, "next"), after.len());
    for memory in after.values() {
        let embedding = memory.embedding.as_ref().expect("a vector");
        // The vector is of the text that stands there: [1, length, 4], scaled.
        let wanted = f64::from(embedding.values[1]) / f64::from(embedding.values[2]).max(1.0);
        let ratio = memory.content.len() as f64 / 4.0;
        assert!((wanted - ratio).abs() / ratio < 0.2, "{memory:?}");
    }
    assert!((0..20).all(|number| after.values().any(|memory| memory.content.ends_with(&format!("embedded {number}")))));
}
