//! The conformance cases in `tests/conformance`: data that every host runs alike. The format is described there; this
//! is the runner over the core.

mod core_host;
mod pattern;

use std::{collections::BTreeSet, fs, io, path::Path};

use ebbtrace::Store;
use serde::Deserialize;
use serde_json::Value;

use core_host::CoreHost;
pub use pattern::mismatch;

/// The name by which the skip list knows this host.
pub const HOST: &str = "core";

/// A file of cases about one topic.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Topic {
    /// What the cases are about.
    #[serde(rename = "about")]
    _about: String,
    /// The cases.
    cases: Vec<Case>,
}

/// A case: what is given, and steps with what each must give.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Its name, unique in its file.
    #[serde(rename = "case")]
    pub name: String,
    /// What it shows, and how its values were worked out.
    pub about: String,
    /// The field cases it pins, such as `E3`.
    #[serde(default)]
    pub pins: Vec<String>,
    /// `static`: the bundled token table; `none`: no model at all.
    pub model: String,
    /// What differs from the default config.
    #[serde(default)]
    config: Value,
    /// What the store holds at first.
    #[serde(default)]
    given: Given,
    /// What is done.
    steps: Vec<Step>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Given {
    revision: u64,
    records: Vec<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    /// The host's clock, in milliseconds.
    at: i64,
    /// A u64 as text, since not every host has such numbers.
    #[serde(default = "zero")]
    entropy: String,
    #[serde(rename = "do")]
    operation: String,
    #[serde(default)]
    with: Value,
    /// Whether what was staged is applied.
    #[serde(default = "yes")]
    commit: bool,
    expect: Expect,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Expect {
    outcome: Option<Value>,
    changes: Option<Value>,
    error: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Skip {
    case: String,
    host: String,
    reason: String,
}

/// What became of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every step gave what it must.
    Passed,
    /// A step did not; which, and how.
    Failed(String),
    /// The skip list names it, for this reason, and it does fail.
    Skipped(String),
    /// The skip list names it, but it passes, or there is no such case: the entry must go.
    Stale,
}

/// A case with what became of it.
#[derive(Clone, Debug)]
pub struct Ran {
    /// `topic/case`.
    pub name: String,
    /// The field cases it pins.
    pub pins: Vec<String>,
    /// What became of it.
    pub verdict: Verdict,
}

/// Runs every case in `folder` against the core.
///
/// # Errors
/// Where a file can't be read, is not in the format, or gives a name twice.
pub fn run_all(folder: &Path) -> io::Result<Vec<Ran>> {
    run_each(folder, &mut || None)
}

/// Runs every case in `folder` against the core over stores that `empty` makes, one for each case: what a step changes is
/// committed, and the next one is given what the store loads.
///
/// # Errors
/// As [`run_all`].
pub fn run_all_over(folder: &Path, empty: &mut dyn FnMut() -> Box<dyn Store>) -> io::Result<Vec<Ran>> {
    run_each(folder, &mut || Some(empty()))
}

fn run_each(folder: &Path, store: &mut dyn FnMut() -> Option<Box<dyn Store>>) -> io::Result<Vec<Ran>> {
    let mut skips: Vec<Skip> = read(&folder.join("skip.json"))?;
    skips.retain(|skip| skip.host == HOST);
    let mut paths: Vec<_> =
        fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?.into_iter().map(|e| e.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json") && !path.ends_with("skip.json"));
    paths.sort_unstable();
    let mut names = BTreeSet::new();
    let mut results = Vec::new();
    for path in paths {
        let topic: Topic = read(&path)?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for case in topic.cases {
            let name = format!("{stem}/{}", case.name);
            if !names.insert(name.clone()) {
                return Err(io::Error::other(format!("{name} comes twice")));
            }
            let skip = skips.iter().find(|skip| skip.case == name);
            let verdict = match (run(&case, store()), skip) {
                (Ok(()), None) => Verdict::Passed,
                (Err(reason), None) => Verdict::Failed(reason),
                (Ok(()), Some(_)) => Verdict::Stale,
                (Err(_), Some(skip)) => Verdict::Skipped(skip.reason.clone()),
            };
            results.push(Ran { name, pins: case.pins, verdict });
        }
    }
    for skip in skips.into_iter().filter(|skip| !names.contains(&skip.case)) {
        results.push(Ran { name: skip.case, pins: Vec::new(), verdict: Verdict::Stale });
    }
    Ok(results)
}

/// Runs one case against the core, over a store where there is one.
///
/// # Errors
/// The first step that gives something else than it must.
fn run(case: &Case, store: Option<Box<dyn Store>>) -> Result<(), String> {
    let mut host = CoreHost::open(case, store)?;
    for (number, step) in (1..).zip(&case.steps) {
        let fail = |what: String| format!("step {number} ({}): {what}", step.operation);
        let answer = host.run(step).map_err(fail)?;
        let Expect { outcome, changes, error } = &step.expect;
        if outcome.is_none() && changes.is_none() && error.is_none() {
            return Err(fail("it expects nothing, so it can't fail".to_owned()));
        }
        // Where no refusal is expected, one is a failure.
        let checks = [
            ("error", error.as_ref().or(Some(&Value::Null)), &answer.error),
            ("outcome", outcome.as_ref(), &answer.outcome),
            ("changes", changes.as_ref(), &answer.changes),
        ];
        for (what, wanted, found) in checks {
            if let Some(difference) = wanted.and_then(|wanted| mismatch(wanted, found)) {
                return Err(fail(format!("{what}{difference}")));
            }
        }
    }
    if host.reopens() { Ok(()) } else { Err("the records, opened anew, are other records".to_owned()) }
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> io::Result<T> {
    let wrong = |error: &dyn std::fmt::Display| io::Error::other(format!("{}: {error}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| wrong(&error))?;
    serde_json::from_str(&text).map_err(|error| wrong(&error))
}

fn yes() -> bool {
    true
}

fn zero() -> String {
    "0".to_owned()
}
