//! Fits the shares of a fused score: `fit FILE... [--config JSON] [--leave-out]`.

use std::{path::PathBuf, process::ExitCode};

use clap::Parser;
use ebbtrace::embed::EmbedderChoice;
use ebbtrace_core::Config;
use ebbtrace_tests::{
    fit::{self, Asked, PARTS, Weights},
    locomo,
};
use indicatif::ProgressBar;

/// Fits the shares of a fused score to LoCoMo, with cross-validation by conversation: a table on stderr and one JSON
/// object, the shares for the config, on stdout.
#[derive(Parser)]
struct Arguments {
    /// Conversations, one a file, as the locomo program takes them.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// A JSON object of engine constants, over the defaults.
    #[arg(long)]
    config: Option<String>,
    /// As `ebbtrace --embedder`.
    #[arg(long, default_value = "static")]
    embedder: EmbedderChoice,
    /// Fit without each part in turn as well: what it is worth.
    #[arg(long)]
    leave_out: bool,
}

fn main() -> ExitCode {
    match measure(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("fit: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn measure(arguments: &Arguments) -> Result<(), String> {
    let config: Config = match &arguments.config {
        Some(text) => serde_json::from_str(text).map_err(|error| error.to_string())?,
        None => Config::default(),
    };
    let embedder = arguments.embedder.open().map_err(|error| error.to_string())?;
    let bar = ProgressBar::new(arguments.files.len() as u64);
    let mut conversations: Vec<Vec<Asked>> = Vec::new();
    for file in &arguments.files {
        conversations.push(fit::ask(&locomo::read(file)?, &config, embedder.as_ref())?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let weights = fit::fit(conversations.iter().flatten());
    report("all parts", &conversations, None, &weights);
    if arguments.leave_out {
        for (part, name) in PARTS.into_iter().enumerate() {
            let left = without(&conversations, part);
            let weights = fit::fit(left.iter().flatten());
            report(&format!("without {name}"), &left, Some(part), &weights);
        }
    }
    let shares = fit::shares(&weights, &config);
    let object: serde_json::Map<String, serde_json::Value> = PARTS
        .into_iter()
        .zip(shares)
        .map(|(name, share)| (name.to_owned(), ((share * 1e4).round() / 1e4).into()))
        .collect();
    println!("{}", serde_json::Value::Object(object));
    Ok(())
}

/// The same evidence with one part at 0.
fn without(conversations: &[Vec<Asked>], part: usize) -> Vec<Vec<Asked>> {
    let asked = |asked: &Asked| asked.iter().map(|candidate| candidate.without(part)).collect();
    conversations.iter().map(|questions| questions.iter().map(asked).collect()).collect()
}

/// Each conversation by weights that were fitted to the others, and all by those fitted to all.
fn report(name: &str, conversations: &[Vec<Asked>], left_out: Option<usize>, weights: &Weights) {
    let total: usize = conversations.iter().map(Vec::len).sum();
    let (mut hits, mut first, mut ten, mut ranks) = (0, 0, 0, 0.0);
    for (held, questions) in conversations.iter().enumerate() {
        let others = conversations.iter().enumerate().filter(|(n, _)| *n != held).flat_map(|(_, others)| others);
        let weights = if conversations.len() > 1 { fit::fit(others) } else { *weights };
        let (found, sum) = fit::hits(questions.iter(), &weights, 5);
        hits += found;
        ranks += sum;
        first += fit::hits(questions.iter(), &weights, 1).0;
        ten += fit::hits(questions.iter(), &weights, 10).0;
    }
    let percent = |count: usize| 100.0 * count as f64 / total as f64;
    let seen = fit::hits(conversations.iter().flatten(), weights, 5).0;
    let sum: f64 = weights.iter().sum();
    let parts = PARTS.iter().zip(weights).enumerate().filter(|(part, _)| Some(*part) != left_out);
    let parts: Vec<String> = parts.map(|(_, (name, weight))| format!("{name} {:.3}", weight / sum)).collect();
    eprintln!(
        "{name}: unseen hit@1 {:.1} hit@5 {:.1} hit@10 {:.1} mrr {:.1}; seen hit@5 {:.1}; {}",
        percent(first),
        percent(hits),
        percent(ten),
        100.0 * ranks / total as f64,
        percent(seen),
        parts.join(", ")
    );
}
