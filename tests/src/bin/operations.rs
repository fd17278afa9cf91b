//! Writes random operations and the digests that every host must come to: `operations FILE [--seed N] [--count N]`.

use std::{fs::File, io::BufWriter, path::PathBuf};

use clap::Parser;

/// Writes random operations and the digests that every host must come to.
#[derive(Parser)]
struct Arguments {
    /// Where to
    file: PathBuf,
    /// What is drawn
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many operations
    #[arg(long, default_value_t = 10_000)]
    count: usize,
}

fn main() -> std::io::Result<()> {
    let Arguments { file, seed, count } = Arguments::parse();
    ebbtrace_tests::operations::write(seed, count, &mut BufWriter::new(File::create(file)?))
}
