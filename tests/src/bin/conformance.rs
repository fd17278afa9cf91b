//! Runs the conformance cases against the core and lists them: `conformance [FOLDER]`.

use std::{path::PathBuf, process::ExitCode};

use comfy_table::{Table, presets::NOTHING};
use ebbtrace_tests::{
    conformance::{HOST, Verdict, run_all},
    folder,
};

fn main() -> ExitCode {
    let folder = std::env::args_os().nth(1).map_or_else(|| folder().join("conformance"), PathBuf::from);
    let results = match run_all(&folder) {
        Ok(results) => results,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["case", HOST, "pins", ""]);
    let mut failed = 0;
    for ran in &results {
        let (word, note) = match &ran.verdict {
            Verdict::Passed => ("passed", ""),
            Verdict::Failed(reason) => ("FAILED", reason.as_str()),
            Verdict::Skipped(reason) => ("skipped", reason.as_str()),
            Verdict::Stale => ("STALE", "it passes, or is no case: take it off the skip list"),
        };
        failed += usize::from(matches!(ran.verdict, Verdict::Failed(_) | Verdict::Stale));
        table.add_row([ran.name.as_str(), word, &ran.pins.join(" "), note]);
    }
    println!("{table}\n\n{} cases, {failed} failed", results.len());
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
