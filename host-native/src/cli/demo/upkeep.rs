//! Chapters 5 and 6: maintenance proposes, a human decides.

use ebbtrace_core::{Channel, Decision, Shown};
use serde_json::json;

use super::{Chapter, Failure, Stage, ranking};
use crate::cli::{read, screen, write};

const LET_GO: &str = "note:printer";
const KEPT: &str = "note:dispute";

pub(super) fn maintain(stage: &Stage) -> Result<Chapter, Failure> {
    stage.day(ranking::NOW + 14.0);
    let maintained = stage.service.maintain(None, false)?;
    let mut text = format!(
        "   {}  maintain: {} memories examined, {} moved between tiers, {} proposed for deletion.\n\n",
        stage.date(),
        maintained.examined,
        maintained.moved.len(),
        maintained.proposed.len(),
    );
    let proposed = maintained.proposed.iter().map(|proposal| (&*proposal.reason, proposal.id.as_str()));
    for (reason, ids) in write::grouped(proposed) {
        text.push_str(&format!("   why: {reason}\n"));
        text.push_str(&stage.screen.wrapped(&ids.join(", "), 3, 4));
        text.push('\n');
    }
    text.push_str("\n   Archived is not gone, and proposed is not deleted: all of it can still be found.\n");
    let figures = screen::json(&maintained);
    Ok(Chapter { name: "maintenance", title: "Maintenance only proposes", text, figures })
}

pub(super) fn review(stage: &Stage) -> Result<Chapter, Failure> {
    let before = stage.service.stats(None)?;
    let printer = stage.service.memory(None, LET_GO)?;
    let dispute = stage.service.memory(None, KEPT)?;
    for item in stage.service.review_queue(None, None, None)?.items {
        let decision = match item.memory.id.as_str() {
            LET_GO => Decision::Approve,
            KEPT => Decision::Reject,
            _ => continue,
        };
        stage.service.decide(None, &Shown::from(&item), decision, Channel::Terminal)?;
    }
    let after = stage.service.stats(None)?;
    let left: Vec<String> =
        stage.service.review_queue(None, None, None)?.items.iter().map(|item| item.memory.id.to_string()).collect();
    let figures = read::stats_text(&stage.screen, std::slice::from_ref(&after));
    let rows: Vec<String> = figures.lines().skip(1).map(|line| format!("   {line}")).collect();
    let text = format!(
        "   You decide with `ebbtrace review`, at a terminal; no agent can. Here the answers are scripted:\n\n   \
         approve  \"{}\"   deleted for good\n   keep     \"{}\"    kept, its clock starts anew\n\n   \
         What is left of {} memories:\n\n{}\n",
        printer.content,
        dispute.content,
        before.memories,
        rows.join("\n").trim_end(),
    );
    let figures = json!({
        "approved": LET_GO, "rejected": KEPT, "left": left,
        "before": screen::json(&before), "after": screen::json(&after),
    });
    Ok(Chapter { name: "review", title: "Only a human lets go", text, figures })
}
