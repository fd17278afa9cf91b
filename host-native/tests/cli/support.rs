//! A folder of its own for each test, and the binary in it.

use std::{
    ffi::OsStr,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

/// A place where the binary finds nothing but what the test put there.
pub(crate) struct Home {
    folder: TempDir,
}

/// What a run printed, and how it ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file below the folder.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(&path, content).expect("a file");
        path
    }

    pub(crate) fn command<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Command {
        self.command_of(env!("CARGO_BIN_EXE_ebbtrace"), arguments)
    }

    /// As [`Home::command`], of the program's copy at another place.
    pub(crate) fn command_of<S: AsRef<OsStr>>(&self, program: impl AsRef<OsStr>, arguments: &[S]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.path()).stdin(Stdio::null());
        command.env_remove("EBBTRACE_SCOPE").env_remove("EBBTRACE_STORE").env("HOME", self.path());
        command.env_remove("EBBTRACE_EMBEDDER").env_remove("EBBTRACE_RERANKER");
        command.env("EBBTRACE_DB", self.path().join("memory.db"));
        // On a busy machine a hook would be cut short, rightly so.
        command.env("EBBTRACE_HOOK_WITHIN_MS", "6000");
        command
    }

    pub(crate) fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Ran {
        ended(self.command(arguments))
    }

    /// Runs with `input` on stdin.
    pub(crate) fn run_with(&self, arguments: &[&str], input: &str) -> Ran {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        child.stdin.take().expect("stdin").write_all(input.as_bytes()).expect("input is taken");
        let output = child.wait_with_output().expect("the binary ends");
        Ran::new(&output)
    }

    /// Runs, must be done, and gives what was printed for a person.
    pub(crate) fn text<S: AsRef<OsStr>>(&self, arguments: &[S]) -> String {
        let ran = self.run(arguments);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        for line in ran.stdout.lines() {
            assert!(line.chars().count() <= 100, "wider than 100 columns: {line}");
        }
        assert!(!ran.stdout.contains('\x1b'), "colour without a terminal: {}", ran.stdout);
        ran.stdout
    }

    /// Runs with `--json`, must be done, and gives the one object.
    pub(crate) fn json<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Value {
        let mut command = self.command(arguments);
        command.arg("--json");
        let ran = ended(command);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.object()
    }

    /// Runs, must be refused with `code`, and gives the field, the same for people and for programs.
    pub(crate) fn refused(&self, arguments: &[&str], code: &str) -> Value {
        let plain = self.run(arguments);
        let mut command = self.command(arguments);
        command.arg("--json");
        let ran = ended(command);
        let wanted = if code == "usage" { 2 } else { 1 };
        assert_eq!((plain.code, ran.code), (Some(wanted), Some(wanted)), "{plain:?} {ran:?}");
        let error = ran.object()["error"].clone();
        assert_eq!(error["code"], code, "{error}");
        let reason = error["reason"].as_str().expect("a reason");
        let next_step = error["next_step"].as_str().expect("a next step");
        assert!(!reason.is_empty() && !next_step.is_empty(), "{error}");
        assert!(plain.stdout.is_empty(), "complaints go to stderr: {plain:?}");
        assert_eq!(plain.stderr, format!("error[{code}]: {reason}\nnext step: {next_step}\n"));
        error["field"].clone()
    }

    /// Stores a memory at a time and gives its id.
    pub(crate) fn remember(&self, text: &str, more: &[&str]) -> String {
        let answer = self.json(&[&["remember", text], more].concat());
        answer["id"].as_str().expect("an id").to_owned()
    }

    /// The ids that a query finds, best first; nothing is reinforced.
    pub(crate) fn recall(&self, query: &str, more: &[&str]) -> Vec<String> {
        let answer = self.json(&[&["recall", query, "--peek"], more].concat());
        let hits = answer["hits"].as_array().expect("hits");
        hits.iter().map(|hit| hit["memory"]["id"].as_str().expect("an id").to_owned()).collect()
    }

    /// Every record, as an export has them.
    pub(crate) fn records(&self) -> Vec<Value> {
        let answer = self.json(&["export"]);
        answer["records"].as_array().expect("records").clone()
    }

    /// The stored memory of that id.
    pub(crate) fn memory(&self, id: &str) -> Value {
        let found = self.records().into_iter().find(|record| record["record"] == "memory" && record["id"] == id);
        found.unwrap_or_else(|| panic!("no memory {id}"))
    }

    /// How many records of a kind are stored.
    pub(crate) fn count(&self, record: &str) -> usize {
        self.records().iter().filter(|found| found["record"] == record).count()
    }
}

impl Ran {
    fn new(output: &std::process::Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout.clone()).expect("UTF-8 on stdout"),
            stderr: String::from_utf8(output.stderr.clone()).expect("UTF-8 on stderr"),
        }
    }

    /// Stdout as exactly one JSON object.
    pub(crate) fn object(&self) -> Value {
        let value: Value = serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"));
        assert!(value.is_object(), "{self:?}");
        assert_eq!(self.stdout.lines().count(), 1, "{self:?}");
        value
    }
}

/// Runs a command to its end.
pub(crate) fn ended(mut command: Command) -> Ran {
    Ran::new(&command.output().expect("the binary starts"))
}
