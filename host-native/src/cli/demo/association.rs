//! Chapter 4: a memory is found over the graph though it shares no word with the question.

use ebbtrace_core::RecallInput;
use serde_json::json;

use super::{Chapter, Failure, Ink, Stage, ranking};

const QUESTION: &str = "why is checkout so slow in the evening?";
const CAUSE: &str = "limit:paylane";

pub(super) fn tell(stage: &Stage) -> Result<Chapter, Failure> {
    stage.day(ranking::NOW + 10.0);
    stage.remember("incident:checkout", "Checkout takes nine seconds in the evening", "incident", 0.6)?;
    stage.remember(CAUSE, "Paylane allows twenty API calls per second", "fact", 0.6)?;
    stage.connect("incident:checkout", CAUSE, "caused-by")?;
    let recalled = stage.service.recall(RecallInput { query: QUESTION.to_owned(), ..RecallInput::default() })?;
    let mut text = format!("   recall \"{QUESTION}\"\n\n");
    let mut figures = Vec::new();
    for hit in &recalled.hits {
        let words = if hit.matched.is_empty() { "no common word".to_owned() } else { hit.matched.join(", ") };
        let path: Vec<&str> = hit.path.iter().map(|id| id.as_str()).collect();
        let way = if path.is_empty() { "found directly".to_owned() } else { format!("path {}", path.join(" → ")) };
        text.push_str(&format!(
            "   {:.2}  {}\n         {}  {}\n",
            hit.score.total,
            hit.memory.content,
            stage.screen.paint(Ink::Dim, &format!("{words};")),
            stage.screen.paint(Ink::Dim, &way),
        ));
        figures.push(json!({
            "memory": hit.memory.id, "score": hit.score, "matched": hit.matched, "path": hit.path,
        }));
    }
    text.push_str(
        "\n   The cause says neither checkout nor slow nor evening: it was found by the link that leads to it.\n",
    );
    let figures = json!({ "question": QUESTION, "hits": figures });
    Ok(Chapter { name: "association", title: "Links find what words can't", text, figures })
}
