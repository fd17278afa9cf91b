//! What resolution does with the gold sets: `gold [--all] [--floor] [FILE]` prints the share that came out right, and
//! what did not, of the sets that come with the project or of the one in FILE. With `--floor` it fails where fewer come
//! out right than the set's floor; a set of one's own has none.

use std::process::ExitCode;

use ebbtrace_core::Resolution;
use ebbtrace_tests::gold::{Floor, Gold, Pair, resolutions};

fn main() -> ExitCode {
    let asked = |option: &str| std::env::args().any(|argument| argument == option);
    let (all, floor) = (asked("--all"), asked("--floor"));
    let mut holds = true;
    let mut sets: Vec<(String, Gold, Floor)> =
        Gold::all().map(|(name, gold, floor)| (name.to_owned(), gold, floor)).into();
    if let Some(file) = std::env::args().skip(1).find(|argument| !argument.starts_with("--")) {
        match Gold::read(&file) {
            Ok(gold) => sets = vec![(file, gold, [0; 4])],
            Err(reason) => {
                eprintln!("gold: {file}: {reason}");
                return ExitCode::FAILURE;
            }
        }
    }
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
    if floor && !holds {
        eprintln!("gold: under the floor");
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
