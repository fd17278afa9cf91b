//! Chapter 1: what is stored fades by its category, and what is recalled doesn't.

use ebbtrace_core::{Config, RecallInput, RememberInput, score::strength_of};
use serde_json::json;

use super::{Chapter, Failure, Ink, Stage};
use crate::cli::curve;

/// How long is watched.
const DAYS: usize = 40;
/// A memory that is asked for on every day that this divides.
const EVERY: usize = 9;
/// A scope of its own, so that its memories stand alone.
const SCOPE: &str = "first-weeks";

/// Category, what is stored, and a question that is asked again and again, if any.
const MEMORIES: [(&str, &str, Option<&str>); 5] = [
    ("strategy", "Write the failing test first", None),
    ("fact", "Staging is wiped every Sunday", None),
    ("assumption", "Most buyers pay by card", None),
    ("failure", "Redis refused an old password", None),
    ("fact", "Mina signs every release", Some("who signs a release?")),
];

pub(super) fn tell(stage: &Stage) -> Result<Chapter, Failure> {
    stage.day(0.0);
    let mut ids = Vec::new();
    for (category, content, _) in MEMORIES {
        let input = RememberInput {
            scope: Some(SCOPE.to_owned()),
            content: content.to_owned(),
            category: Some(category.to_owned()),
            ..RememberInput::default()
        };
        ids.push(stage.service.remember(input)?.id);
    }
    let config = Config::default();
    let mut strengths = vec![Vec::new(); ids.len()];
    for day in 0..=DAYS {
        stage.day(day as f64);
        for (row, (id, (_, _, question))) in ids.iter().zip(MEMORIES).enumerate() {
            if let Some(question) = question.filter(|_| day > 0 && day % EVERY == 0) {
                ask(stage, question)?;
            }
            let memory = stage.service.memory(Some(SCOPE), id.as_str())?;
            strengths[row].push(strength_of(&memory, stage.clock.now(), &config.fading));
        }
    }
    let line = config.tiers.frozen;
    // A bar for each day, or for each second one where the screen is narrow.
    let step = if stage.screen.room(0) < 97 { 2 } else { 1 };
    let bars = values_shown(step);
    let mut text = format!(
        "   {:<10}  {:<29}  {:<bars$}  under {line}\n",
        "category",
        "stored, importance 0.5",
        if step == 1 { format!("strength from day 0 to {DAYS}") } else { format!("strength, day 0 to {DAYS}") },
    );
    let mut figures = Vec::new();
    for ((category, content, question), values) in MEMORIES.iter().zip(&strengths) {
        let under = values.iter().position(|strength| *strength < line);
        let told = under.map_or_else(|| "never".to_owned(), |day| format!("day {day}"));
        let bars: String =
            values.iter().step_by(step).map(|value| if *value < line { '·' } else { curve::bar(*value) }).collect();
        let bars = stage.screen.paint(Ink::Green, &bars);
        text.push_str(&format!("   {category:<10}  {content:<29}  {bars}  {told}\n"));
        figures.push(json!({
            "category": category,
            "content": content,
            "recalled_every_days": question.map(|_| EVERY),
            "strength_by_day": values,
            "under_prune_line_on_day": under,
        }));
    }
    text.push_str(&format!(
        "\n   The last one is a fact like the second; an agent asks \"{}\" every {EVERY} days.\n   \
         Each recall sets its clock back and makes it a little stronger. Use is what keeps a memory.\n",
        MEMORIES[4].2.unwrap_or_default(),
    ));
    Ok(Chapter { name: "fading", title: "What isn't used fades", text, figures: json!({ "memories": figures }) })
}

/// How many bars a row has.
fn values_shown(step: usize) -> usize {
    DAYS / step + 1
}

fn ask(stage: &Stage, question: &str) -> Result<(), Failure> {
    let input =
        RecallInput { scope: Some(SCOPE.to_owned()), query: question.to_owned(), k: Some(1), ..RecallInput::default() };
    stage.service.recall(input)?;
    Ok(())
}
