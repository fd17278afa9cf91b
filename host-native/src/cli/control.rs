//! What a person has a say in: history, what a scope will lose from sight, undo, purge.

use std::io::{self, IsTerminal};

use comfy_table::{Cell, CellAlignment};
use ebbtrace_core::{
    Channel, Coming, Error, Fade, Fading, History, MemoryId, Page, SessionWritten, TextVersion, Undone,
};

use crate::service::{Receipt, Removed, STILL_IN_LOG, ServiceError, UndoAnswer};

use super::{
    Call, args, curve,
    failure::Failure,
    instant, read, review,
    screen::{Ink, Screen, clean, complain, count, excerpt},
};

/// `history`
pub(super) fn history(call: &Call, args: &args::Named) -> Result<(), Failure> {
    let history = call.service.history(call.scope(), &args.id)?;
    call.screen.answer(&history, || history_text(&call.screen, &history))
}

fn history_text(screen: &Screen, history: &History) -> String {
    let mut text = String::new();
    if history.asked != history.current {
        let (asked, current) = (&history.asked, screen.paint(Ink::Bold, history.current.as_str()));
        text.push_str(&format!("{asked} is history: {current} took its place.\n\n"));
    }
    for version in &history.versions {
        let (since, until) = (instant::short(version.since), version.until.map(instant::short));
        let held = match &until {
            None => format!("since {since}"),
            Some(until) if *until == since => format!("at {since}"),
            Some(until) => format!("{since} to {until}"),
        };
        let head = format!("{held}  {}", screen.paint(Ink::Bold, version.id.as_str()));
        let said = said(version);
        text.push_str(&format!("{head}\n{}\n", screen.wrapped(&version.content, 2, 12)));
        if !said.is_empty() {
            text.push_str(&format!("{}\n", screen.paint(Ink::Dim, &screen.wrapped(&said, 2, 3))));
        }
        text.push('\n');
    }
    format!("{text}{}", count(history.versions.len(), "text", "texts"))
}

/// Who wrote a text and what became of it.
fn said(version: &TextVersion) -> String {
    let mut parts = Vec::new();
    let by = |by: &Option<MemoryId>| by.as_ref().map_or_else(String::new, |by| format!(" by {by}"));
    match (version.ended, version.state.as_str()) {
        (Some(ended), _) if version.by.is_some() && ended.as_str() == "merged" => {
            parts.push(format!("says the same as {}", version.by.as_ref().map_or("", MemoryId::as_str)));
        }
        (Some(ended), _) if matches!(ended.as_str(), "edited" | "undone") => parts.push(ended.as_str().to_owned()),
        (Some(ended), _) => parts.push(format!("{}{}", ended.as_str(), by(&version.by))),
        (None, "active") => parts.push("current".to_owned()),
        (None, state) => parts.push(state.to_owned()),
    }
    let names = [("said by", &version.author), ("client", &version.client), ("session", &version.session)];
    parts.extend(names.into_iter().filter_map(|(what, name)| Some(format!("{what} {}", name.as_deref()?))));
    parts.join(", ")
}

/// `forecast --within`
pub(super) fn forecast_within(call: &Call, days: f64, limit: Option<i64>) -> Result<(), Failure> {
    let fading = call.service.forecast_within(call.scope(), days, limit)?;
    call.screen.answer(&fading, || fading_text(&call.screen, &fading))
}

fn fading_text(screen: &Screen, fading: &Fading) -> String {
    let within = instant::span(fading.within_days);
    if fading.coming.is_empty() {
        return format!("Nothing sinks within {within}, even if nothing is used.");
    }
    let becomes = |coming: &Coming| match coming.fade {
        Fade::Archived => "archived",
        Fade::Proposed => "proposed",
    };
    let due = |days: f64| if days > 0.0 { instant::span(days) } else { "due".to_owned() };
    let held = |coming: &Coming| format!("{:.2} {}", coming.retention, curve::bar(coming.retention));
    let ids = fading.coming.iter().map(|coming| coming.id.as_str());
    let shown = match screen.beside(ids, 10 + 9 + 8 + 9 + 5 * 3) {
        Some(room) => {
            let mut table = screen.id_table(&["on", "in", "it is", "retention", "memory", "content"]);
            for coming in &fading.coming {
                table.add_row([
                    Cell::new(instant::day(coming.at)),
                    Cell::new(due(coming.days)).set_alignment(CellAlignment::Right),
                    Cell::new(becomes(coming)),
                    Cell::new(held(coming)),
                    Cell::new(&coming.id),
                    Cell::new(excerpt(&coming.content, room)),
                ]);
            }
            table.trim_fmt()
        }
        // Where there is no room for a table, each takes two lines.
        None => {
            let entry = |coming: &Coming| {
                let on = instant::day(coming.at);
                let becomes = match coming.fade {
                    Fade::Archived => "archived",
                    Fade::Proposed => "proposed for deletion",
                };
                let when = if coming.days > 0.0 { format!("in {}", due(coming.days)) } else { due(coming.days) };
                let said = format!("{becomes} on {on} ({when}), retention now {}", held(coming));
                let id = screen.id_and(coming.id.as_str(), &said);
                format!("{id}\n    {}\n", screen.line(&coming.content, 4))
            };
            fading.coming.iter().map(entry).collect()
        }
    };
    let archived = count(fading.archived, "memory is archived", "memories are archived");
    let end = format!(
        "{} of {} shown. Within {within}, if nothing is used: {archived}, {} proposed for deletion. Using a memory, \
         linking it to what is in use, or `ebbtrace pin ID` keeps it.",
        fading.coming.len(),
        fading.archived + fading.proposed,
        fading.proposed,
    );
    let two = read::strength_and_retention(screen);
    format!("{}\n{}\n{two}", shown.trim_end(), screen.wrapped(&end, 0, 4))
}

/// `undo`
pub(super) fn undo(call: &Call, args: &args::Undo) -> Result<(), Failure> {
    let Some(session) = &args.session else {
        let page = call.service.sessions(call.scope(), args.limit, args.cursor.as_deref())?;
        return call.screen.answer(&page, || sessions_text(&call.screen, &page));
    };
    // What can't be done is refused before anybody is asked.
    let mut plan = call.service.undo_plan(call.scope(), session).map_err(|error| unknown(call, error))?;
    if args.dry_run {
        let undone = plan.undone;
        return call.screen.answer(&undone, || undone_text(&call.screen, &undone));
    }
    if !args.yes {
        at_keyboard("undo")?;
        loop {
            complain(&format!("{}\n", undone_text(&call.screen, &plan.undone)));
            agreed("undo", "Type yes to take this back: ")?;
            match call.service.undo_shown(call.scope(), session, &plan)? {
                UndoAnswer::Done(undone) => return call.screen.answer(&undone, || undone_text(&call.screen, &undone)),
                UndoAnswer::Changed(now) => plan = *now,
            }
            complain("\nNothing was changed: something was written since. This is how it stands now.\n\n");
        }
    }
    let undone = call.service.undo(call.scope(), session, false)?;
    call.screen.answer(&undone, || undone_text(&call.screen, &undone))
}

/// Why a session can't be undone; of one that is unknown, which there are.
fn unknown(call: &Call, error: ServiceError) -> Failure {
    const NAMED: i64 = 5;
    match error {
        ServiceError::Refused(missing @ Error::NotFound { .. }) => {
            match call.service.sessions(call.scope(), Some(NAMED), None) {
                Ok(page) => {
                    Failure::UnknownSession { missing, known: page.items.into_iter().map(|one| one.session).collect() }
                }
                Err(error) => error.into(),
            }
        }
        other => other.into(),
    }
}

fn sessions_text(screen: &Screen, page: &Page<SessionWritten>) -> String {
    if page.items.is_empty() {
        return "No session has written here: what names none can't be taken back by one.".to_owned();
    }
    let mut table = screen.id_table(&["session", "client", "first", "last", "memories"]);
    for session in &page.items {
        table.add_row([
            Cell::new(clean(&session.session, false)),
            Cell::new(clean(session.client.as_deref().unwrap_or_default(), false)),
            Cell::new(instant::short(session.first_at)),
            Cell::new(instant::short(session.last_at)),
            Cell::new(session.memories),
        ]);
    }
    format!(
        "{}\n{} of {} shown.{}\n`ebbtrace undo --session NAME --dry-run` shows what taking one back would do.",
        table.trim_fmt(),
        page.items.len(),
        page.total,
        read::next_page(page.cursor.as_deref()),
    )
}

fn undone_text(screen: &Screen, undone: &Undone) -> String {
    let session = excerpt(&undone.session, 60);
    let changed = [&undone.archived, &undone.superseded, &undone.restored, &undone.reverted];
    let nothing = changed.iter().all(|ids| ids.is_empty()) && undone.unlinked == 0;
    let mut text = match (nothing, undone.dry_run) {
        (true, _) => format!("Nothing of the session {session} is left to take back.\n"),
        (false, true) => format!("Of the session {session} this would be taken back; nothing was changed yet.\n"),
        (false, false) => format!("Taken back: the session {session}. Nothing was deleted.\n"),
    };
    for (what, ids) in [
        ("put away", &undone.archived),
        ("behind what it had replaced", &undone.superseded),
        ("holds again", &undone.restored),
        ("has its earlier text again", &undone.reverted),
    ] {
        if !ids.is_empty() {
            text.push_str(&format!("\n{}\n", screen.paint(Ink::Bold, what)));
            ids.iter().for_each(|id| text.push_str(&format!("  {id}\n")));
        }
    }
    if undone.unlinked > 0 {
        text.push_str(&format!("\n{} removed\n", count(undone.unlinked, "link", "links")));
    }
    if !undone.kept.is_empty() {
        text.push_str(&format!("\n{}\n", screen.paint(Ink::Yellow, "not undone")));
        for kept in &undone.kept {
            text.push_str(&format!("{}\n", screen.id_and(kept.id.as_str(), &clean(&kept.reason, false))));
        }
    }
    if !nothing && !undone.dry_run {
        text.push_str("\n`ebbtrace review restore ID` brings one of them back.\n");
    }
    text
}

/// `purge`
pub(super) fn purge(call: &Call, args: &args::Purge) -> Result<(), Failure> {
    review::by_the_present(call)?;
    let mut plan = call.service.purge(call.scope(), &args.ids, args.with_merged, true)?;
    if args.dry_run {
        return call.screen.answer(&plan, || receipt_text(&call.screen, &plan));
    }
    if !args.yes {
        at_keyboard("purge")?;
    }
    loop {
        if !args.yes {
            complain(&format!("{}\n", planned(call, &plan)));
            agreed("purge", "This can't be undone. Type yes to remove it for good: ")?;
        }
        // What was shown goes, and no more.
        let (receipt, done) =
            call.service.purge_shown(call.scope(), &plan, (!args.yes).then_some(Channel::Terminal))?;
        if done {
            return call.screen.answer(&receipt, || receipt_text(&call.screen, &receipt));
        }
        plan = receipt;
        if !args.yes {
            complain("\nNothing was removed: a text was changed since. This is how it stands now.\n\n");
        }
    }
}

/// What would go, with its texts: for whoever decides.
fn planned(call: &Call, plan: &Receipt) -> String {
    let screen = &call.screen;
    let shown = |id: &MemoryId| {
        let memory = call.service.memory(call.scope(), id.as_str());
        memory.map_or_else(|_| String::new(), |memory| screen.line(&memory.content, 4))
    };
    let mut text = String::new();
    for removed in &plan.removed {
        text.push_str(&format!("{}\n", screen.id_and(removed.id.as_str(), &places(removed))));
        text.push_str(&format!("    {}\n", shown(&removed.id)));
    }
    if !plan.carriers.is_empty() {
        text.push_str("\nThis stays; --with-merged takes it along:\n");
    }
    for carrier in &plan.carriers {
        text.push_str(&format!("{}\n", screen.id_and(carrier.id.as_str(), carrier.how.in_words())));
        text.push_str(&format!("    {}\n", shown(&carrier.id)));
    }
    text
}

/// A receipt: it holds no text.
fn receipt_text(screen: &Screen, receipt: &Receipt) -> String {
    let done = match (receipt.dry_run, receipt.files_clean) {
        (true, _) => "Would be removed for good",
        (false, Some(false)) => "Removed, but not yet from the store's files",
        (false, _) => "Removed for good",
    };
    let at = if receipt.dry_run { String::new() } else { format!(", at {}", instant::short(receipt.at)) };
    let mut text = format!("{done}{at}, from the scope {}:\n", receipt.scope);
    for removed in &receipt.removed {
        text.push_str(&format!("{}\n", screen.id_and(removed.id.as_str(), &places(removed))));
        text.push_str(&format!("    sha256 {}\n", removed.sha256));
        for version in &removed.versions {
            text.push_str(&format!("    version {}\n      sha256 {}\n", version.id, version.sha256));
        }
    }
    if receipt.carriers.is_empty() {
        text.push_str("Nothing else in the scope carries it.");
    } else {
        text.push_str(&format!("\n{}\n", screen.paint(Ink::Yellow, "still there, and carrying it")));
        for carrier in &receipt.carriers {
            let how = format!("{} ({})", carrier.how.in_words(), carrier.of);
            text.push_str(&format!("{}\n", screen.id_and(carrier.id.as_str(), &how)));
        }
        text.push_str("Name them too, or add --with-merged beforehand, to remove them as well.");
    }
    if receipt.files_clean == Some(false) {
        text.push_str(&format!("\n\n{}", screen.paint(Ink::Yellow, &screen.wrapped(STILL_IN_LOG, 0, 6))));
    }
    text
}

/// Where a memory is, or was.
fn places(removed: &Removed) -> String {
    format!(
        "{}, {}, {}, {}, {}",
        if removed.damaged { "damaged record" } else { "record" },
        count(removed.versions.len(), "version", "versions"),
        count(removed.edges, "link", "links"),
        count(removed.proposals, "proposal", "proposals"),
        count(removed.journal_entries, "journal entry", "journal entries"),
    )
}

/// Refuses where nobody can be asked.
fn at_keyboard(verb: &'static str) -> Result<(), Failure> {
    if io::stdin().is_terminal() { Ok(()) } else { Err(Failure::NeedsYes { verb }) }
}

fn agreed(verb: &'static str, question: &str) -> Result<(), Failure> {
    let answer = review::ask(question)?;
    if answer.is_some_and(|answer| answer.trim().eq_ignore_ascii_case("yes")) {
        Ok(())
    } else {
        Err(Failure::NotAgreed { verb })
    }
}
