//! `journal`: what was done to the store, when, and by whom.

use serde_json::json;

use crate::service::JournalLine;

use super::{
    Call, args,
    failure::Failure,
    instant,
    screen::{Ink, Screen, clean, excerpt},
};

/// Entries where nobody says how many.
const LAST: i64 = 20;
/// Entries at most.
const MOST: i64 = 1_000;
/// Memories named of an entry.
const NAMED: usize = 3;

/// `journal`
pub(super) fn run(call: &Call, args: &args::Journal) -> Result<(), Failure> {
    let last = args.last.unwrap_or(LAST).clamp(1, MOST) as usize;
    let lines = call.service.journal(call.scope(), last)?;
    let answer = json!({ "scope": call.scope(), "revision": call.service.revision()?.0, "entries": lines });
    call.screen.answer(&answer, || text(&call.screen, &lines))
}

/// Each entry on a line of its own, and what it is about under it: times and ids are copied, so that none is ever cut.
fn text(screen: &Screen, lines: &[JournalLine]) -> String {
    if lines.is_empty() {
        return "Nothing was done here yet.".to_owned();
    }
    let digits = lines.iter().map(|line| line.revision.to_string().len()).max().unwrap_or_default();
    let mut text = String::new();
    for line in lines.iter().rev() {
        let by: Vec<String> = line.sessions.iter().chain(&line.clients).map(|name| excerpt(name, 30)).collect();
        let what = line.channel.as_ref().map_or_else(String::new, |channel| format!(" ({channel})"));
        let scopes: Vec<String> = line.scopes.iter().map(|scope| clean(scope.as_str(), false)).collect();
        let told = [scopes.join(", "), by.join(", ")].into_iter().filter(|told| !told.is_empty());
        let mut head = format!("{:>digits$}  {}  ", line.revision, instant::short(line.at));
        let room = screen.room(head.chars().count() + line.operation.chars().count() + what.chars().count() + 2);
        let told = excerpt(&told.collect::<Vec<_>>().join(" · "), room);
        head.push_str(&format!("{}{what}  {told}", screen.paint(Ink::Bold, &line.operation)));
        text.push_str(&format!("{}\n", head.trim_end()));
        for about in about(line) {
            text.push_str(&format!("{:digits$}    {}\n", "", screen.paint(Ink::Dim, &about)));
        }
    }
    format!("{text}\nThe newest is at the end. No text of a memory is kept here to be shown.")
}

/// What an entry is about, a line for each.
fn about(line: &JournalLine) -> Vec<String> {
    if !line.decided.is_empty() {
        let said = |one: &crate::service::DecidedLine| match &one.id {
            Some(id) => format!("{id}: {}", one.decision),
            None => format!("{} for good: no name of it is kept", one.decision),
        };
        return line.decided.iter().map(|one| clean(&said(one), false)).collect();
    }
    match line.changes {
        None => vec!["what it changed is not kept".to_owned()],
        Some(0) => vec!["purged since".to_owned()],
        Some(_) => {
            let named = line.memories.iter().take(NAMED).map(|id| clean(id.as_str(), false));
            let more = line.memories.len().saturating_sub(NAMED);
            named.chain((more > 0).then(|| format!("and {more} more"))).collect()
        }
    }
}
