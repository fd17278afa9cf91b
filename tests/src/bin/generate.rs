//! Makes a store of made-up memories: `generate --memories N [--db PATH] [--show N]`.

use std::{path::PathBuf, process::ExitCode};

use clap::Parser;
use ebbtrace_tests::generate::{self, Life};
use indicatif::{ProgressBar, ProgressStyle};

/// A store of made-up memories, as an agent would have left it after two years.
#[derive(Parser)]
struct Arguments {
    /// How many memories.
    #[arg(long, default_value_t = 100_000)]
    memories: usize,
    /// Where to make it; default: in cargo's target folder, where the benches look for it.
    #[arg(long)]
    db: Option<PathBuf>,
    /// Show the first so many notes and make nothing.
    #[arg(long)]
    show: Option<usize>,
}

fn main() -> ExitCode {
    match make(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("generate: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn make(arguments: &Arguments) -> Result<(), String> {
    if let Some(count) = arguments.show {
        Life::new(arguments.memories).take(count).for_each(|note| println!("{}", note.input.content));
        return Ok(());
    }
    let bar = ProgressBar::new(arguments.memories as u64);
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} memories {eta}");
    bar.set_style(style.map_err(|error| error.to_string())?);
    let progress = |done| bar.set_position(done as u64);
    let path = match &arguments.db {
        Some(path) if path.exists() => return Err(format!("{} is there already", path.display())),
        Some(path) => generate::store(path, arguments.memories, progress).map(|made| {
            bar.println(format!("{} notes, {} memories, {} edges", made.notes, made.memories, made.edges));
            path.clone()
        })?,
        None => generate::cached(arguments.memories, progress)?,
    };
    bar.finish_and_clear();
    println!("{}", path.display());
    Ok(())
}
