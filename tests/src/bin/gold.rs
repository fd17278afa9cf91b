//! What resolution and recall do with the gold sets: `gold [--all] [--floor] [--recall] [--json] [FILE]` prints the
//! share that came out right, and what did not, of the sets that come with the project or of the one in FILE, then the
//! tables of recall. With `--recall` it prints only these, FILE being a set of recall, and with `--json` these as JSON;
//! with `--all` each question whose answer did not come first too. With `--floor` it fails where less comes out right
//! than the set's floor; a set of one's own has none.

use std::process::ExitCode;

use comfy_table::{Table, presets::ASCII_MARKDOWN};
use ebbtrace_core::{Config, Resolution};
use ebbtrace_tests::{
    gold::{Floor, Gold, Pair, resolutions},
    recall_gold::{self, Apart, Asked, Outcome, RecallGold, Tally},
};

fn main() -> ExitCode {
    let asked = |option: &str| std::env::args().any(|argument| argument == option);
    let file = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let (all, json) = (asked("--all"), asked("--json"));
    let recall = asked("--recall") || json;
    let measured = || {
        let resolution = recall || resolution(file.as_deref(), all)?;
        // A FILE without --recall is a set of resolution.
        Ok::<_, String>(resolution & (!recall && file.is_some() || recalled(file.as_deref(), &config()?, all, json)?))
    };
    match measured() {
        Ok(false) if asked("--floor") => {
            eprintln!("gold: under the floor");
            ExitCode::FAILURE
        }
        Ok(_) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("gold: {reason}");
            ExitCode::FAILURE
        }
    }
}

/// The engine's constants: the defaults under those in `--config=JSON`.
fn config() -> Result<Config, String> {
    let given = std::env::args().find_map(|argument| Some(argument.strip_prefix("--config=")?.to_owned()));
    given.map_or(Ok(Config::default()), |text| serde_json::from_str(&text).map_err(|error| error.to_string()))
}

/// Prints what becomes of the sets of resolution, and says whether none is under its floor.
fn resolution(file: Option<&str>, all: bool) -> Result<bool, String> {
    let sets: Vec<(String, Gold, Floor)> = match file {
        Some(file) => {
            let gold = Gold::read(file).map_err(|reason| format!("{file}: {reason}"))?;
            vec![(file.to_owned(), gold, [0; 4])]
        }
        None => Gold::all().map(|(name, gold, floor)| (name.to_owned(), gold, floor)).into(),
    };
    let mut holds = true;
    for (name, gold, least) in sets {
        println!("{name}");
        for ((part, pairs), least) in gold.parts().into_iter().zip(least) {
            let found = resolutions(pairs);
            let right = pairs.iter().filter(|pair| is_right(part, found[&pair.id].0)).count();
            println!("  {part}: {right} of {}, at least {least}", pairs.len());
            holds &= right >= least;
            for pair in pairs {
                let (resolution, similarity, reason) = &found[&pair.id];
                if all || !is_right(part, *resolution) {
                    show(pair, *resolution, *similarity, reason);
                }
            }
        }
    }
    Ok(holds)
}

fn is_right(part: &str, resolution: Resolution) -> bool {
    let known = matches!(resolution, Resolution::Reinforced | Resolution::Merged);
    match part {
        "restatements" => known,
        "near_misses" => !known,
        "contradictions" => resolution == Resolution::Replaced,
        _ => resolution == Resolution::Created,
    }
}

fn show(pair: &Pair, resolution: Resolution, similarity: Option<f64>, reason: &str) {
    let similarity = similarity.map_or("-".to_owned(), |similarity| format!("{similarity:.2}"));
    println!("    {} {resolution:?} {similarity} ({reason})\n        {}\n        {}", pair.id, pair.a, pair.b);
}

/// Prints what becomes of the sets of recall, and says whether none is under its floor.
fn recalled(file: Option<&str>, config: &Config, all: bool, json: bool) -> Result<bool, String> {
    let sets = match file {
        Some(file) => {
            let gold = RecallGold::read(file).map_err(|reason| format!("{file}: {reason}"))?;
            vec![(file.to_owned(), gold, None)]
        }
        None => RecallGold::all().map(|(name, gold, floor)| (name.to_owned(), gold, Some(floor))).into(),
    };
    let mut holds = true;
    let mut object = serde_json::Map::new();
    for (name, gold, floor) in sets {
        let outcome = recall_gold::run(&gold, config)?;
        let taken = recall_gold::taken(&gold, config)?;
        let under = floor.map(|floor| outcome.overall.under(&floor)).unwrap_or_default();
        holds &= under.is_empty();
        for reason in under {
            eprintln!("gold: {name}: {reason}");
        }
        if json {
            object.insert(name, value(&outcome, &taken, all));
        } else {
            println!("{name}\n{}\n{}", table("language", &outcome), table("kind", &outcome));
            list(&outcome, &taken, all);
        }
    }
    if json {
        println!("{object}", object = serde_json::Value::Object(object));
    }
    Ok(holds)
}

/// The rows of a table: those named, then the sum.
fn rows<'a>(by: &str, outcome: &'a Outcome) -> impl Iterator<Item = (&'a str, &'a Tally)> {
    let rows = if by == "kind" { &outcome.kinds } else { &outcome.languages };
    rows.iter().map(|(name, tally)| (name.as_str(), tally)).chain([("all", &outcome.overall)])
}

fn table(by: &str, outcome: &Outcome) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    table.set_header([by, "questions", "hit@1", "hit@5", "mrr", "answered", "never stored: answered"]);
    for (name, tally) in rows(by, outcome) {
        let figures = tally.figures();
        let percent = |value: f64| format!("{value:.1}");
        let strays = match figures.never_stored {
            0 => "-".to_owned(),
            strays => format!("{} of {strays}", figures.never_stored_answered),
        };
        let shares = [figures.hit_1, figures.hit_5, figures.mrr, figures.answered].map(percent);
        table.add_row([name.to_owned(), figures.questions.to_string()].into_iter().chain(shares).chain([strays]));
    }
    table
}

fn value(outcome: &Outcome, taken: &[Apart], all: bool) -> serde_json::Value {
    let figures = |by: &str| {
        rows(by, outcome)
            .map(|(name, tally)| (name.to_owned(), serde_json::json!(tally.figures())))
            .collect::<serde_json::Map<_, _>>()
    };
    let mut value = serde_json::json!({
        "languages": figures("language"), "kinds": figures("kind"), "never_stored": outcome.strays,
        "replaced": outcome.apart, "taken_without_keys": taken,
    });
    if all {
        value["missed"] = serde_json::json!(outcome.missed);
    }
    value
}

fn list(outcome: &Outcome, taken: &[Apart], all: bool) {
    println!("  memories that ended others: {}", outcome.apart.len());
    outcome.apart.iter().for_each(apart);
    println!("  memories not stored as their own, told without keys: {}", taken.len());
    taken.iter().for_each(apart);
    println!("  never stored, yet something is found: {}", outcome.strays.len());
    outcome.strays.iter().for_each(question);
    let out = |asked: &&Asked| !asked.found.iter().any(|id| asked.expected.contains(id));
    let (gone, late): (Vec<&Asked>, Vec<&Asked>) = outcome.missed.iter().partition(out);
    for (what, asked) in [("the answer is not found", gone), ("the answer does not come first", late)] {
        println!("  {what}: {}", asked.len());
        asked.into_iter().filter(|_| all).for_each(question);
    }
}

fn apart(apart: &Apart) {
    let other = apart.other.as_deref().unwrap_or("-");
    println!("    {} {:?} {other} ({})", apart.id, apart.resolution, apart.reason);
}

fn question(asked: &Asked) {
    let wanted = if asked.expected.is_empty() { String::new() } else { format!("{}; ", asked.expected.join(", ")) };
    println!("    {} {}\n        {wanted}found {}", asked.id, asked.query, asked.found.join(", "));
}
