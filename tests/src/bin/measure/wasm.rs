//! The npm package beside the native program: one store, the same questions, one run.

use std::{
    fs::{self, File},
    io::{BufWriter, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use ebbtrace_core::RecallInput;
use ebbtrace_tests::generate::{NOW, questions};
use serde::Deserialize;

use crate::{OPENINGS, Row, Times, milliseconds, service, sqlite};

/// How long each of the script's calls took, in milliseconds.
#[derive(Deserialize)]
struct Told {
    open: Vec<f64>,
    peek: Vec<f64>,
    recall: Vec<f64>,
}

/// Opens the store and asks it, natively over SQLite and in Node over the package's file store: a row each, with how many
/// times longer Node took.
pub(crate) fn rows(db: &Path, memories: usize, count: usize) -> Result<Vec<Row>, String> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bindings/npm");
    if !package.join("dist/node.js").exists() {
        return Err("the npm package is not built: cargo xtask npm".to_owned());
    }
    let folder = db.parent().unwrap_or(Path::new("."));
    let exported = exported(db, folder)?;
    let asked = folder.join("questions.json");
    let questions = questions(memories, count);
    let json = serde_json::to_string(&questions).map_err(|error| error.to_string())?;
    fs::write(&asked, json).map_err(|error| error.to_string())?;

    let mut native = [Times::default(), Times::default(), Times::default()];
    for _ in 0..OPENINGS {
        drop(native[0].time(|| service(&sqlite(db)))?);
    }
    let (service, clock) = service(&sqlite(db))?;
    for (times, peek) in [(1, true), (2, false)] {
        for question in &questions {
            clock.set(ebbtrace_core::Timestamp(clock.now().0 + 1_000));
            let input = RecallInput { query: question.clone(), peek, ..RecallInput::default() };
            native[times].time(|| service.recall(input).map_err(|error| error.to_string()))?;
        }
    }

    let output = Command::new("node")
        .arg(package.join("bench/speed.mjs"))
        .args([&exported, &asked, &folder.join("node")])
        .args([NOW.0.to_string(), OPENINGS.to_string()])
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("node: {error}"))?;
    if !output.status.success() {
        return Err("the package's part failed".to_owned());
    }
    let told: Told = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let wasm = [told.open, told.peek, told.recall];
    let names = ["open", "recall, peek", "recall"];
    let row = |((name, native), wasm): ((&str, Times), Vec<f64>)| {
        let each = wasm.iter().map(|time| Duration::from_secs_f64(time / 1e3)).collect();
        let wasm = Times { each, ..Times::default() };
        let (native, wasm) = (native.at(0.5), wasm.at(0.5));
        let factor = wasm.as_secs_f64() / native.as_secs_f64();
        let figures = format!("p50 native {}, wasm {}: {factor:.1} times", milliseconds(native), milliseconds(wasm));
        (format!("{name}, wasm beside native"), figures)
    };
    Ok(names.into_iter().zip(native).zip(wasm).map(row).collect())
}

/// Writes the store's records as the command line's export does.
fn exported(db: &Path, folder: &Path) -> Result<PathBuf, String> {
    let path = folder.join("export.jsonl");
    let mut out = BufWriter::new(File::create(&path).map_err(|error| error.to_string())?);
    let (service, _clock) = service(&sqlite(db))?;
    let mut written = Ok(());
    let export = service.export(None, |record| {
        let line = serde_json::to_string(&record).unwrap_or_default();
        if written.is_ok() {
            written = writeln!(out, "{line}");
        }
    });
    export.map_err(|error| error.to_string())?;
    written.and_then(|()| out.flush()).map_err(|error| error.to_string())?;
    Ok(path)
}
