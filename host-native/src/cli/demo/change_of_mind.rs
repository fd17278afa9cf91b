//! Chapter 3: a contradiction leaves one current fact, and the other readable.

use ebbtrace_core::{RecallInput, RememberInput};
use serde_json::json;

use super::{Chapter, Failure, Stage, ranking};

const QUESTION: &str = "should I write this in TypeScript?";

pub(super) fn tell(stage: &Stage) -> Result<Chapter, Failure> {
    stage.day(ranking::NOW + 1.0);
    stage.remember("user:language", "User prefers TypeScript", "preference", 0.7)?;
    let before = stage.date();
    let asked_then = stage.clock.now();
    stage.day(ranking::NOW + 8.0);
    // Said without a key: what is known under one is what it is about, and the key tells it from now on.
    let answer = stage.service.remember(RememberInput {
        content: "User decided to abandon TypeScript and use Go".to_owned(),
        ..RememberInput::default()
    })?;
    let after = stage.date();
    let ask = |as_of| {
        let query = QUESTION.to_owned();
        stage.service.recall(RecallInput { query, k: Some(3), as_of, peek: true, ..RecallInput::default() })
    };
    let contents = |found: &ebbtrace_core::Recalled| -> Vec<String> {
        let about = |hit: &&ebbtrace_core::Hit| hit.memory.kind.as_str() == "preference";
        found.hits.iter().filter(about).map(|hit| hit.memory.content.clone()).collect()
    };
    let (now, then) = (contents(&ask(None)?), contents(&ask(Some(asked_then))?));
    let quoted = |contents: &[String]| {
        let quoted: Vec<String> = contents.iter().map(|content| format!("\"{content}\"")).collect();
        if quoted.is_empty() { "nothing".to_owned() } else { quoted.join(", ") }
    };
    let resolution = super::super::screen::json(&answer);
    let text = format!(
        "   {before}  remember \"User prefers TypeScript\"\n   \
         {after}  remember \"User decided to abandon TypeScript and use Go\"\n               \
         → {}: {}\n\n   \
         {QUESTION}\n      now                {}\n      as of {before}   {}\n",
        resolution["resolution"].as_str().unwrap_or_default(),
        answer.reason,
        quoted(&now),
        quoted(&then),
    );
    let figures = json!({ "remembered": resolution, "question": QUESTION, "now": now, "then": then });
    Ok(Chapter { name: "contradiction", title: "A change of mind leaves one current fact", text, figures })
}
