//! What resolution does with the gold sets: `gold [--all] [--floor] [FILE]` prints the share that came out right, and
//! what did not, of the sets that come with the project or of the one in FILE. With `--floor` it fails where fewer than 85 percent of the restatements are seen as such, or one near miss is.

use std::process::ExitCode;

use ebbtrace_core::Resolution;
use ebbtrace_tests::gold::{Gold, Pair, resolutions};

fn main() -> ExitCode {
    let asked = |option: &str| std::env::args().any(|argument| argument == option);
    let (all, floor) = (asked("--all"), asked("--floor"));
    let mut holds = true;
    let mut sets: Vec<(String, Gold)> = Gold::all().map(|(name, gold)| (name.to_owned(), gold)).into();
    if let Some(file) = std::env::args().skip(1).find(|argument| !argument.starts_with("--")) {
        match Gold::read(&file) {
            Ok(gold) => sets = vec![(file, gold)],
            Err(reason) => {
                eprintln!("gold: {file}: {reason}");
                return ExitCode::FAILURE;
            }
        }
    }
    for (name, gold) in sets {
        println!("{name}");
        for (part, pairs) in gold.parts() {
            let found = resolutions(pairs);
            let right = pairs.iter().filter(|pair| is_right(part, found[&pair.id].0)).count();
            println!("  {part}: {right} of {}", pairs.len());
            holds &= match part {
                "restatements" => right * 100 >= pairs.len() * 85,
                "near_misses" => right == pairs.len(),
                _ => true,
            };
            for pair in pairs {
                let (resolution, similarity, reason) = &found[&pair.id];
                if all || !is_right(part, *resolution) {
                    show(pair, *resolution, *similarity, reason);
                }
            }
        }
    }
    if floor && !holds {
        eprintln!("gold: under the floor of 85 percent of the restatements and no near miss");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
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
