//! `journal`: what was done to the store, when, and by whom.

use comfy_table::{Cell, CellAlignment};
use serde_json::json;

use crate::service::JournalLine;

use super::{
    Call, args,
    failure::Failure,
    instant,
    screen::{Screen, clean, excerpt},
};

/// Entries where nobody says how many.
const LAST: i64 = 20;
/// Entries at most.
const MOST: i64 = 1_000;
/// Memories named on a line.
const NAMED: usize = 3;

/// `journal`
pub(super) fn run(call: &Call, args: &args::Journal) -> Result<(), Failure> {
    let last = args.last.unwrap_or(LAST).clamp(1, MOST) as usize;
    let lines = call.service.journal(call.scope(), last)?;
    let answer = json!({ "scope": call.scope(), "revision": call.service.revision()?.0, "entries": lines });
    call.screen.answer(&answer, || text(&call.screen, &lines))
}

fn text(screen: &Screen, lines: &[JournalLine]) -> String {
    if lines.is_empty() {
        return "Nothing was done here yet.".to_owned();
    }
    let mut table = screen.table(&["revision", "when", "what", "scope", "by", "about"]);
    for line in lines.iter().rev() {
        let what =
            line.channel.as_ref().map_or_else(|| line.operation.clone(), |by| format!("{} ({by})", line.operation));
        let scopes: Vec<String> = line.scopes.iter().map(ToString::to_string).collect();
        let by: Vec<String> = line.sessions.iter().chain(&line.clients).map(|name| excerpt(name, 30)).collect();
        table.add_row([
            Cell::new(line.revision).set_alignment(CellAlignment::Right),
            Cell::new(instant::short(line.at)),
            Cell::new(what),
            Cell::new(clean(&scopes.join(", "), false)),
            Cell::new(by.join(", ")),
            Cell::new(about(line)),
        ]);
    }
    format!("{}\nThe newest is at the end. No text of a memory is kept here to be shown.", table.trim_fmt())
}

fn about(line: &JournalLine) -> String {
    if !line.decided.is_empty() {
        let said = |one: &crate::service::DecidedLine| match &one.id {
            Some(id) => format!("{id}: {}", one.decision),
            None => format!("{} for good: no name of it is kept", one.decision),
        };
        return clean(&line.decided.iter().map(said).collect::<Vec<_>>().join("; "), false);
    }
    match line.changes {
        None => "not kept".to_owned(),
        Some(0) => "purged since".to_owned(),
        Some(_) => {
            let named: Vec<String> = line.memories.iter().take(NAMED).map(ToString::to_string).collect();
            let more = line.memories.len() > NAMED;
            clean(&format!("{}{}", named.join(", "), if more { ", …" } else { "" }), false)
        }
    }
}
