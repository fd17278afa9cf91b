//! Measures recall on LoCoMo: `locomo FILE... [--k 5] [--lived] [--foreign] [--import-bound PERCENT] [--profile engram]`.

use std::{path::PathBuf, process::ExitCode};

use clap::Parser;
use ebbtrace::{embed::EmbedderChoice, rerank::RerankerChoice};
use ebbtrace_core::Profile;
use ebbtrace_tests::locomo::{self, Outcome, Settings};
use indicatif::{ProgressBar, ProgressStyle};

/// Recall on LoCoMo: a table on stderr and one JSON object on stdout.
#[derive(Parser)]
struct Arguments {
    /// Conversations of github.com/snap-research/locomo, one a file, in the form that tests/src/locomo.rs describes.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// How many hits count.
    #[arg(long, default_value_t = 5)]
    k: usize,
    /// Record each turn at its own date and ask a day after the last: what fading costs.
    #[arg(long)]
    lived: bool,
    /// Ask each conversation the next one's questions: how many get an answer that can't be one.
    #[arg(long)]
    foreign: bool,
    /// Tell the turns, ask nothing, and fail where more than this many percent of them are taken for known ones.
    #[arg(long, value_name = "PERCENT")]
    import_bound: Option<f64>,
    /// fused or engram.
    #[arg(long, default_value = "fused")]
    profile: String,
    /// A JSON object of engine constants, over the defaults.
    #[arg(long)]
    config: Option<String>,
    /// As `ebbtrace --embedder`.
    #[arg(long, default_value_t)]
    embedder: EmbedderChoice,
    /// As `ebbtrace --reranker`.
    #[arg(long, default_value_t)]
    reranker: RerankerChoice,
}

fn main() -> ExitCode {
    match measure(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("locomo: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn measure(arguments: &Arguments) -> Result<(), String> {
    let profile: Profile =
        serde_json::from_value(arguments.profile.as_str().into()).map_err(|error| error.to_string())?;
    let config = match &arguments.config {
        Some(text) => serde_json::from_str(text).map_err(|error| error.to_string())?,
        None => ebbtrace_core::Config::default(),
    };
    let Arguments { lived, foreign, ref embedder, ref reranker, .. } = *arguments;
    let (embedder, reranker) = (embedder.clone(), reranker.clone());
    let settings = Settings { lived, foreign, profile, config, embedder, reranker };
    let mut conversations = arguments.files.iter().map(|file| locomo::read(file)).collect::<Result<Vec<_>, _>>()?;
    if arguments.import_bound.is_some() {
        conversations.iter_mut().for_each(|conversation| conversation.qa.clear());
    }
    let steps: usize = conversations
        .iter()
        .map(|c| c.qa.len() + c.sessions.iter().map(|session| session.turns.len()).sum::<usize>())
        .sum();
    let bar = ProgressBar::new(steps as u64);
    bar.set_style(
        ProgressStyle::with_template("{bar:40} {pos}/{len} turns and questions {eta}").map_err(|e| e.to_string())?,
    );
    let outcome = locomo::run(&conversations, &settings, arguments.k, || bar.inc(1))?;
    bar.finish_and_clear();
    if let Some(bound) = arguments.import_bound {
        return within(&outcome, bound);
    }
    eprintln!("{}", table(&outcome, arguments.k));
    println!("{}", json(&outcome, arguments.k));
    Ok(())
}

/// Whether at most `bound` percent of the turns, each of which says something new, were taken for known ones.
fn within(outcome: &Outcome, bound: f64) -> Result<(), String> {
    let known: usize = ["merged", "reinforced"].iter().filter_map(|name| outcome.resolutions.get(*name)).sum();
    let share = 100.0 * known as f64 / outcome.turns.max(1) as f64;
    println!("{known} of {} turns taken for known ones: {share:.2} percent", outcome.turns);
    if share <= bound { Ok(()) } else { Err(format!("more than {bound} percent")) }
}

fn table(outcome: &Outcome, k: usize) -> comfy_table::Table {
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::ASCII_MARKDOWN);
    let names = outcome.overall.figures(k).into_iter().map(|(name, _)| name);
    table.set_header(["category".to_owned(), "questions".to_owned()].into_iter().chain(names));
    let rows = outcome.categories.iter().map(|(name, tally)| (name.as_str(), tally));
    for (name, tally) in rows.chain([("all", &outcome.overall)]) {
        let figures = tally.figures(k).into_iter().map(|(_, value)| format!("{value:.1}"));
        table.add_row([name.to_owned(), tally.questions.to_string()].into_iter().chain(figures));
    }
    table
}

fn json(outcome: &Outcome, k: usize) -> serde_json::Value {
    let rounded = |value: f64| serde_json::Value::from((value * 100.0).round() / 100.0);
    let figures = |tally: &locomo::Tally| {
        let mut object: serde_json::Map<String, serde_json::Value> =
            tally.figures(k).into_iter().map(|(name, value)| (name, rounded(value))).collect();
        object.insert("questions".to_owned(), tally.questions.into());
        object.insert("without_evidence".to_owned(), tally.without_evidence.into());
        serde_json::Value::Object(object)
    };
    let mut all = figures(&outcome.overall);
    all["turns"] = outcome.turns.into();
    all["resolutions"] = serde_json::json!(outcome.resolutions);
    all["categories"] = outcome.categories.iter().map(|(name, tally)| (name.clone(), figures(tally))).collect();
    all
}
