//! What maintenance proposes, and a person's answers to it. Answers are taken at a terminal and nowhere else.

use std::{
    collections::BTreeSet,
    io::{self, IsTerminal},
};

use ebbtrace_core::{Channel, Decided, Decision, Page, ProposedAction, ReviewItem, Shown};
use serde::Serialize;

use crate::service::{STILL_IN_LOG, ServiceError};

use super::{
    Call, args, curve,
    failure::Failure,
    instant, open, read,
    screen::{Ink, Screen, clean, complain, count},
    write,
};

/// Proposals fetched at a time.
const PAGE: i64 = 1_000;

/// `review`
pub(super) fn run(call: &Call, args: &args::Review) -> Result<(), Failure> {
    match &args.decide {
        Some(args::Decide::Approve(named)) => approve(call, &named.id),
        Some(args::Decide::Keep(named)) => keep(call, &named.id, Decision::Reject),
        Some(args::Decide::Pin(named)) => keep(call, &named.id, Decision::Pin),
        Some(args::Decide::Restore(named)) => {
            at_terminal("restore")?;
            write::touched(call, "Restored", &call.service.restore(call.scope(), &named.id)?)
        }
        None if !args.list && !call.screen.is_json() && call.screen.is_terminal() && io::stdin().is_terminal() => {
            walk(call)
        }
        None => {
            let page = call.service.review_queue(call.scope(), args.limit, args.cursor.as_deref())?;
            call.screen.answer(&page, || list(&call.screen, &page))
        }
    }
}

/// The proposals of a page, those for the same reason together.
pub(super) fn list(screen: &Screen, page: &Page<ReviewItem>) -> String {
    if page.items.is_empty() {
        return "Nothing waits for you. `ebbtrace maintain` looks for what has faded.".to_owned();
    }
    let mut text = String::new();
    let items = page.items.iter().map(|item| ((what(&item.proposal.action), &*item.proposal.reason), item));
    for ((what, why_so), items) in write::grouped(items) {
        text.push_str(&format!("{what}\n{}\n", why(screen, why_so)));
        for item in items {
            let ReviewItem { proposal, memory, retention, .. } = item;
            let (since, used) = (instant::day(proposal.proposed_at), instant::day(memory.last_accessed_at));
            let figures = format!("since {since}, last used {used}, retention {retention:.3}{}", along(item));
            let content = screen.line(&memory.content, 4);
            text.push_str(&format!("{}\n    {content}\n", screen.id_and(memory.id.as_str(), &figures)));
            if let Some(survivor) = &item.survivor {
                text.push_str(&format!("  what stays in its place\n    {}\n", screen.line(&survivor.content, 4)));
            }
        }
        text.push('\n');
    }
    format!(
        "{text}{} of {} shown.{}\n{}Decide at a terminal: `ebbtrace review`, or `ebbtrace review approve ID`,\n`keep ID`, `pin ID`.",
        page.items.len(),
        page.total,
        read::next_page(page.cursor.as_deref()),
        read::strength_and_retention(screen),
    )
}

pub(super) fn what(action: &ProposedAction) -> String {
    match action {
        ProposedAction::Delete => "delete".to_owned(),
        ProposedAction::Merge { into } => format!("merge into {into}"),
    }
}

/// A reason that several proposals may share.
pub(super) fn why(screen: &Screen, reason: &str) -> String {
    screen.paint(Ink::Dim, &format!("why: {}", clean(reason, false)))
}

fn kept(id: &str) -> String {
    format!("Kept: {id}. Its clock starts anew, so it is not proposed again at once.")
}

fn pinned(id: &str) -> String {
    format!("Pinned: {id}. It never fades, so it is not proposed again.")
}

/// Refuses where no person is at the keyboard.
fn at_terminal(verb: &'static str) -> Result<(), Failure> {
    if io::stdin().is_terminal() { Ok(()) } else { Err(Failure::NeedsTerminal { verb }) }
}

/// Refuses to delete by a clock that is ahead: what will have faded has not yet.
pub(super) fn by_the_present(call: &Call) -> Result<(), Failure> {
    if call.ahead { Err(Failure::ClockAhead { by: open::ahead_by(call.now) }) } else { Ok(()) }
}

fn approve(call: &Call, id: &str) -> Result<(), Failure> {
    at_terminal("approve")?;
    by_the_present(call)?;
    let item = call.service.proposal(call.scope(), id)?;
    // Nobody is asked for a yes that could not be carried out.
    call.service.must_stand(call.scope(), id)?;
    complain(&format!("{}\n", proposal(&call.screen, &item)));
    if !confirmed(&item)? {
        return Err(Failure::NotConfirmed { id: id.to_owned() });
    }
    let decided = decide(call, &item, Decision::Approve)?;
    let files_clean = (!decided.deleted.is_empty()).then(|| call.service.files_clean());
    call.screen.answer(&WithFiles { answer: &decided, files_clean }, || done(&call.screen, &decided, files_clean))
}

fn keep(call: &Call, id: &str, decision: Decision) -> Result<(), Failure> {
    let pins = decision == Decision::Pin;
    at_terminal(if pins { "pin" } else { "keep" })?;
    let decided = decide(call, &call.service.proposal(call.scope(), id)?, decision)?;
    call.screen.answer(&decided, || if pins { pinned(id) } else { kept(id) })
}

/// Carries out what was answered about a proposal as it was shown.
fn decide(call: &Call, item: &ReviewItem, decision: Decision) -> Result<Decided, ServiceError> {
    call.service.decide(call.scope(), &Shown::from(item), decision, Channel::Terminal)
}

/// Every proposal that waits, over all pages.
fn queue(call: &Call) -> Result<Vec<ReviewItem>, Failure> {
    let mut items = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let page = call.service.review_queue(call.scope(), Some(PAGE), cursor.as_deref())?;
        items.extend(page.items);
        cursor = page.cursor;
        if cursor.is_none() {
            return Ok(items);
        }
    }
}

fn walk(call: &Call) -> Result<(), Failure> {
    by_the_present(call)?;
    let screen = &call.screen;
    let items = queue(call)?;
    if items.is_empty() {
        return screen.text(&list(screen, &Page { items, total: 0, cursor: None }));
    }
    let (mut approved, mut kept_count, mut pinned_count) = (0, 0, 0);
    let mut deleted = BTreeSet::new();
    let mut kept_here: BTreeSet<String> = BTreeSet::new();
    for (place, listed) in items.iter().enumerate() {
        let id = listed.memory.id.as_str();
        // It has gone as an earlier version of one before it.
        if deleted.contains(id) {
            approved += 1;
            continue;
        }
        // An answer before this, or another program, may have changed how it stands.
        let item = &match call.service.proposal(call.scope(), id) {
            Ok(item) => item,
            Err(ServiceError::Refused(_)) => {
                screen.text(&format!("\n{id} no longer waits for a decision."))?;
                continue;
            }
            Err(failed) => return Err(failed.into()),
        };
        if !item.holds {
            screen.text(&format!("\n{}", stays(item, &kept_here)))?;
            continue;
        }
        let head =
            screen.paint(Ink::Bold, &format!("{} of {}: {}?", place + 1, items.len(), what(&item.proposal.action)));
        let picture = curve::picture(screen, &item.memory, call.now);
        let two = read::strength_and_retention(screen);
        screen.text(&format!("\n{head}\n{}\n\n{picture}{two}", proposal(screen, item)))?;
        match choice()? {
            Choice::Approve if confirmed(item)? => match decide(call, item, Decision::Approve) {
                Ok(decided) => {
                    approved += 1;
                    let files_clean = (!decided.deleted.is_empty()).then(|| call.service.files_clean());
                    screen.text(&done(screen, &decided, files_clean))?;
                    deleted.extend(decided.deleted.iter().map(ToString::to_string));
                }
                Err(error) => not_done(screen, error)?,
            },
            Choice::Keep => match decide(call, item, Decision::Reject) {
                Ok(_) => {
                    kept_count += 1;
                    kept_here.insert(id.to_owned());
                    screen.text(&kept(id))?;
                }
                Err(error) => not_done(screen, error)?,
            },
            Choice::Pin => match decide(call, item, Decision::Pin) {
                Ok(_) => {
                    pinned_count += 1;
                    kept_here.insert(id.to_owned());
                    screen.text(&pinned(id))?;
                }
                Err(error) => not_done(screen, error)?,
            },
            Choice::Approve | Choice::Skip => screen.text(&format!("Nothing decided about {id}."))?,
            Choice::Quit => break,
        }
    }
    // As the queue has it now: an answer to one can end another.
    let left = call.service.review_queue(call.scope(), Some(1), None)?.total;
    let left = count(left, "proposal", "proposals");
    screen.text(&format!("\n{approved} approved, {kept_count} kept, {pinned_count} pinned, {left} left."))
}

/// Why a proposal is not asked about, and how to have it all the same.
fn stays(item: &ReviewItem, kept_here: &BTreeSet<String>) -> String {
    let id = &item.memory.id;
    match (&item.proposal.action, &item.held_by) {
        (ProposedAction::Merge { into }, _) => {
            format!("{id} stays: it no longer says the same as {into}, or one of them is no longer current.")
        }
        (ProposedAction::Delete, by) => {
            let why = match by {
                Some(by) if kept_here.contains(by.as_str()) => {
                    format!("it is linked to {by}, which you have just kept")
                }
                Some(by) => format!("it is linked to {by}, which is in use"),
                None => "it is in use again".to_owned(),
            };
            format!("{id} stays: {why}.\nTo delete it all the same: ebbtrace purge {id}")
        }
    }
}

/// Says why an answer was not carried out: what it is about is in use again, or was changed or decided about meanwhile.
/// The rest is still to be gone through. What else fails ends it.
fn not_done(screen: &Screen, error: ServiceError) -> Result<(), Failure> {
    match error {
        ServiceError::Refused(error) => screen.text(&format!("Not done: {error}.\n{}", error.next_step())),
        failed => Err(failed.into()),
    }
}

/// What a proposal is about.
fn proposal(screen: &Screen, item: &ReviewItem) -> String {
    let ReviewItem { proposal, memory, retention, survivor, .. } = item;
    let stays = survivor.as_ref().map_or_else(String::new, |survivor| {
        let id = screen.paint(Ink::Bold, survivor.id.as_str());
        format!("\n  what stays in its place: {id}\n{}", screen.wrapped(&survivor.content, 2, 8))
    });
    format!(
        "{}  {} {}, used {}, retention {retention:.3}{}\n{}{stays}\n  why: {} (since {})",
        screen.paint(Ink::Bold, memory.id.as_str()),
        memory.category.as_str(),
        memory.kind,
        count(memory.recall_count as usize, "time", "times"),
        along(item),
        screen.wrapped(&memory.content, 2, 8),
        clean(&proposal.reason, false),
        instant::short(proposal.proposed_at),
    )
}

/// How many earlier versions a deletion takes along, where it does.
fn along(item: &ReviewItem) -> String {
    match (&item.proposal.action, item.versions) {
        (ProposedAction::Merge { .. }, _) | (_, 0) => String::new(),
        (ProposedAction::Delete, versions) => format!(", with {}", earlier(versions)),
    }
}

fn earlier(versions: usize) -> String {
    count(versions, "earlier version", "earlier versions")
}

/// An answer, and whether the store's files still hold what was deleted.
#[derive(Serialize)]
pub(super) struct WithFiles<'a, T> {
    #[serde(flatten)]
    pub(super) answer: &'a T,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) files_clean: Option<bool>,
}

fn done(screen: &Screen, decided: &Decided, files_clean: Option<bool>) -> String {
    let left = files_clean == Some(false);
    let good = if left { "Deleted, but not yet from the log file" } else { "Deleted for good" };
    let text = match (&decided.proposal.action, decided.deleted.len().saturating_sub(1)) {
        (ProposedAction::Delete, 0) => format!("{good}: {}.", decided.id),
        (ProposedAction::Delete, versions) => {
            format!("{good}: {} and {}.", decided.id, earlier(versions))
        }
        (ProposedAction::Merge { into }, _) => {
            format!("Merged: {} now stands behind {into} and stays readable.", decided.id)
        }
    };
    if left { format!("{text}\n{}", screen.wrapped(STILL_IN_LOG, 0, 6)) } else { text }
}

/// A person's answer to one proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Approve,
    Keep,
    Pin,
    Skip,
    Quit,
}

impl Choice {
    fn read(answer: Option<&str>) -> Option<Self> {
        match answer.map(|answer| answer.trim().to_lowercase()).as_deref() {
            Some("a" | "approve") => Some(Self::Approve),
            Some("k" | "keep" | "r" | "reject") => Some(Self::Keep),
            Some("p" | "pin") => Some(Self::Pin),
            Some("s" | "skip") => Some(Self::Skip),
            // The end of the input is the end of the review.
            None | Some("q" | "quit") => Some(Self::Quit),
            Some(_) => None,
        }
    }
}

fn choice() -> Result<Choice, Failure> {
    loop {
        let answer = ask("a)pprove  k)eep  p)in  s)kip  q)uit: ")?;
        if let Some(choice) = Choice::read(answer.as_deref()) {
            return Ok(choice);
        }
        complain(
            "a: do what is proposed, after a yes; k: keep it, its clock reset; p: keep it hot for ever; s: decide later; \
             q: end here\n",
        );
    }
}

fn confirmed(item: &ReviewItem) -> Result<bool, Failure> {
    let question = match &item.proposal.action {
        ProposedAction::Delete if item.versions > 0 => {
            let along = earlier(item.versions);
            format!("This can't be undone. Type yes to delete it and {along} for good: ")
        }
        ProposedAction::Delete => "This can't be undone. Type yes to delete it for good: ".to_owned(),
        ProposedAction::Merge { into } => format!("Type yes to merge it into {into}: "),
    };
    Ok(ask(&question)?.is_some_and(|answer| answer.trim().eq_ignore_ascii_case("yes")))
}

/// Asks on stderr, so that stdout holds answers alone; `None` at the end of the input.
pub(super) fn ask(question: &str) -> Result<Option<String>, Failure> {
    complain(question);
    let mut line = String::new();
    let read = io::stdin()
        .read_line(&mut line)
        .map_err(|error| Failure::Unreadable { path: "stdin".to_owned(), reason: error.to_string() })?;
    Ok((read > 0).then_some(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_clear_answers_count() {
        assert_eq!(Choice::read(Some("a\n")), Some(Choice::Approve));
        assert_eq!(Choice::read(Some(" Reject ")), Some(Choice::Keep));
        assert_eq!(Choice::read(Some("k")), Some(Choice::Keep));
        assert_eq!(Choice::read(Some("PIN\n")), Some(Choice::Pin));
        assert_eq!(Choice::read(Some("s\r\n")), Some(Choice::Skip));
        assert_eq!(Choice::read(None), Some(Choice::Quit));
        for unclear in ["", "\n", "y", "yes", "approve all", "d"] {
            assert_eq!(Choice::read(Some(unclear)), None, "{unclear:?}");
        }
    }
}
