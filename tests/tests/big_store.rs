//! Field cases that only show on a large store: the built program over 100,000 memories.
//!
//! Left out by default, since making the store takes minutes: `cargo xtask test --all` runs them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::Mutex,
    time::Instant,
};

use serde_json::{Value, json};

const MEMORIES: usize = 100_000;

/// A store of its own for each test; they take turns, since the first one makes what the others copy.
fn store_at(path: &Path) {
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock();
    ebbtrace_tests::generate::copy(MEMORIES, path).unwrap();
}

/// A running server and its two pipes.
struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn start(db: &Path) -> Self {
        let mut command = Command::new(program());
        command.args(["mcp", "--db"]).arg(db).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut server = Self { child, input, output };
        server.send(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "big", "version": "1"}}}));
        server
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input, "{message}").unwrap();
    }

    fn call(&mut self, id: usize, tool: &str, arguments: &Value) {
        let params = json!({"name": tool, "arguments": arguments});
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}));
    }

    fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn ready(&mut self) {
        assert_eq!(self.answer()["id"], 0);
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    }

    fn end(self) {
        let Self { mut child, input, .. } = self;
        drop(input);
        assert!(child.wait().unwrap().success());
    }
}

/// The program, built where it is not there yet.
fn program() -> PathBuf {
    let folder = std::env::current_exe().unwrap();
    let path = folder.ancestors().nth(2).unwrap().join("ebbtrace");
    if !path.exists() {
        let built = Command::new(env!("CARGO")).args(["build", "--package", "ebbtrace", "--bin", "ebbtrace"]).status();
        assert!(built.unwrap().success());
    }
    path
}

#[test]
#[ignore = "makes a store of 100,000 memories: cargo xtask test --all"]
fn b1_the_first_answer_does_not_wait_for_the_store() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("memory.db");
    store_at(&db);
    let started = Instant::now();
    let mut server = Server::start(&db);
    server.ready();
    let first = started.elapsed();
    server.call(1, "stats", &json!({}));
    let stats = server.answer();
    let loaded = started.elapsed();
    // The figure is for people; the order is what the test holds the server to.
    println!("first answer after {first:?}, the store's after {loaded:?}");
    assert!(first < loaded);
    assert!(stats["result"]["structuredContent"]["memories"].as_u64().unwrap() >= MEMORIES as u64, "{stats}");
    server.end();
}

#[test]
#[ignore = "makes a store of 100,000 memories: cargo xtask test --all"]
fn a5_eight_writers_lose_nothing_on_a_large_store() {
    const WRITERS: usize = 8;
    const WRITES: usize = 200;
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("memory.db");
    store_at(&db);
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let db = db.clone();
            std::thread::spawn(move || {
                let mut server = Server::start(&db);
                server.ready();
                let acknowledged: Vec<String> = (1..=WRITES)
                    .map(|write| {
                        let id = format!("writer-{writer}:{write}");
                        let content =
                            format!("Writer {writer} measured {} packets on link {writer}x{write}", write * 7);
                        server.call(write, "remember", &json!({"id": id, "content": content}));
                        let answer = server.answer();
                        assert_eq!(answer["result"]["structuredContent"]["id"], id.as_str(), "{answer}");
                        id
                    })
                    .collect();
                server.end();
                acknowledged
            })
        })
        .collect();
    let acknowledged: BTreeSet<String> = writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect();
    assert_eq!(acknowledged.len(), WRITERS * WRITES);
    let exported = Command::new(program()).args(["export", "--db"]).arg(&db).output().unwrap();
    assert!(exported.status.success());
    let kept: BTreeSet<String> = String::from_utf8(exported.stdout)
        .unwrap()
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].as_str().map(str::to_owned))
        .collect();
    let lost: Vec<&String> = acknowledged.difference(&kept).collect();
    assert!(lost.is_empty(), "{lost:?}");
}
