//! The verbs that change something: remember, update, connect, reinforce, forget, pin, maintain.

use std::io::Read;

use ebbtrace_core::{
    ConnectInput, LinkInput, Maintained, RememberInput, Remembered, Resolution, Touched, UpdateInput, limits,
};
use serde_json::{Map, Value};

use crate::service::STILL_IN_LOG;

use super::{
    Call, args,
    failure::Failure,
    instant, review,
    screen::{Ink, Screen, count},
};

/// The program that the command line gives as a memory's client.
pub(super) const CLIENT: &str = "ebbtrace-cli";

/// `remember`
pub(super) fn remember(call: &Call, args: args::Remember) -> Result<(), Failure> {
    let occurred_at = args.occurred_at.as_deref().map(|text| instant::parse("occurred_at", text, call.now));
    let links: Vec<LinkInput> = args.links.iter().map(|text| link(call, text)).collect();
    let input = RememberInput {
        scope: call.scope.clone(),
        id: args.id,
        content: words_or_stdin(&args.text)?,
        kind: args.kind,
        category: args.category,
        importance: args.importance,
        author: args.author,
        tags: args.tags,
        metadata: args.metadata.as_deref().map(metadata).transpose()?.unwrap_or_default(),
        session: args.session,
        client: Some(CLIENT.to_owned()),
        occurred_at: occurred_at.transpose()?,
        links,
        pinned: args.pin,
        ..RememberInput::default()
    };
    let remembered = call.service.remember(input)?;
    call.screen.answer(&remembered, || remembered_text(&call.screen, &remembered) + &left_out(remembered.redacted))
}

/// A line that secrets were left out, where some were; never which.
pub(super) fn left_out(redacted: usize) -> String {
    match redacted {
        0 => String::new(),
        some => format!("\n{} left out.", count(some, "secret was", "secrets were")),
    }
}

fn remembered_text(screen: &Screen, remembered: &Remembered) -> String {
    let id = screen.paint(Ink::Bold, remembered.id.as_str());
    let other = remembered.other.as_ref().map(|other| screen.paint(Ink::Bold, other.as_str()));
    let mut text = match (remembered.resolution, other) {
        (Resolution::Created, _) => format!("Stored as {id}."),
        (Resolution::Reinforced, _) => {
            format!(
                "Known already: {id} is fresh again, used {} so far.",
                count(remembered.recall_count as usize, "time", "times")
            )
        }
        (Resolution::Merged, Some(other)) => {
            format!("Merged: {id} now says what it and {other} said; both texts are kept.")
        }
        (Resolution::Merged, None) => format!("Merged into {id}; both texts are kept."),
        (Resolution::Replaced, Some(other)) => {
            format!("Stored as {id}.\n  It replaces {other}, which is kept but no longer current.")
        }
        (Resolution::Replaced, None) => format!("Stored as {id}, in place of what was known."),
        (Resolution::Updated, _) => format!("Updated {id}; its earlier text is kept."),
        (Resolution::Outdated, Some(other)) => {
            format!("Kept as history as {id}:\n  {other} says otherwise and is of later.")
        }
        (Resolution::Outdated, None) => format!("Kept as history as {id}: a later statement says otherwise."),
        (Resolution::Echo, _) => format!("Nothing to do: {id} was recalled a moment ago and says this already."),
    };
    // Why stands on a line of its own: it may name another memory, whose id is not to be cut.
    let why = remembered.reason.trim().trim_end_matches('.');
    if remembered.resolution != Resolution::Created {
        text.push_str(&format!("\n{}", screen.paint(Ink::Dim, &screen.wrapped(why, 2, 6))));
    }
    let similarity = remembered.similarity.map(|similarity| format!("similarity {similarity:.2}"));
    let links = (remembered.links > 0).then(|| count(remembered.links, "link", "links"));
    let details: Vec<String> = similarity.into_iter().chain(links).collect();
    if !details.is_empty() {
        text.push_str(&format!("\n  {}", screen.paint(Ink::Dim, &details.join(", "))));
    }
    text
}

/// `update`
pub(super) fn update(call: &Call, args: args::Update) -> Result<(), Failure> {
    let tags = if args.clear_tags { Some(Vec::new()) } else { Some(args.tags).filter(|tags| !tags.is_empty()) };
    let input = UpdateInput {
        scope: call.scope.clone(),
        id: args.id,
        content: args.content.map(text_or_stdin).transpose()?,
        importance: args.importance,
        tags,
        metadata: args.metadata.as_deref().map(metadata).transpose()?,
        client: Some(CLIENT.to_owned()),
        session: args.session,
        if_version: args.if_version,
        embedding: None,
    };
    if input.content.is_none() && input.importance.is_none() && input.tags.is_none() && input.metadata.is_none() {
        return Err(Failure::NothingToDo);
    }
    touched(call, "Updated", &call.service.update(input)?)
}

/// `connect`
pub(super) fn connect(call: &Call, args: args::Connect) -> Result<(), Failure> {
    let input = ConnectInput {
        scope: call.scope.clone(),
        from: args.from,
        to: args.to,
        relation: args.relation,
        weight: args.weight,
    };
    let made = call.service.connect(&input)?;
    call.screen.answer(&made, || {
        let done = if made.created { "Linked" } else { "Refreshed the link" };
        format!("{done}: {} —{}→ {}, weight {}", made.from, made.relation, made.to, made.weight)
    })
}

/// `reinforce`
pub(super) fn reinforce(call: &Call, args: &args::Named) -> Result<(), Failure> {
    touched(call, "Reinforced", &call.service.reinforce(call.scope(), &args.id)?)
}

/// `forget`
pub(super) fn forget(call: &Call, args: &args::Forget) -> Result<(), Failure> {
    let done = call.service.forget(call.scope(), &args.id, args.reason.as_deref())?;
    touched(call, "Archived (nothing is deleted)", &done)
}

/// `pin`
pub(super) fn pin(call: &Call, args: &args::Pin) -> Result<(), Failure> {
    let done = call.service.pin(call.scope(), &args.id, !args.off)?;
    touched(call, if args.off { "Unpinned" } else { "Pinned" }, &done)
}

/// Says what became of a memory.
pub(super) fn touched(call: &Call, done: &str, touched: &Touched) -> Result<(), Failure> {
    call.screen.answer(touched, || {
        let Touched { memory, tier, retention, redacted, superseded } = touched;
        let gave_way: String =
            superseded.iter().map(|id| format!("\nIt takes the place of {id}, which stays readable.")).collect();
        format!(
            "{done}: {}, {}, retention {retention:.2}, used {}, version {}\n  {}{}{gave_way}",
            call.screen.paint(Ink::Bold, memory.id.as_str()),
            call.screen.tier(*tier),
            count(memory.recall_count as usize, "time", "times"),
            memory.version,
            call.screen.paint(Ink::Dim, &call.screen.line(&memory.content, 2)),
            left_out(*redacted),
        )
    })
}

/// `maintain`
pub(super) fn maintain(call: &Call, args: &args::Maintain) -> Result<(), Failure> {
    let maintained = call.service.maintain(call.scope(), args.dry_run)?;
    // It finishes what a deletion had to leave in the store's log.
    let files_clean = (!args.dry_run).then(|| call.service.files_clean());
    call.screen.answer(&review::WithFiles { answer: &maintained, files_clean }, || {
        let text = maintained_text(&call.screen, &maintained);
        if files_clean == Some(false) {
            format!("{text}\n\nOf what was deleted:\n{}", call.screen.wrapped(STILL_IN_LOG, 2, 6))
        } else if call.service.has_cleaned_files() {
            format!("{}\nWhat was deleted before is now gone from the store's files too.", text.trim_end())
        } else {
            text
        }
    })
}

/// What maintenance did, for a person.
pub(super) fn maintained_text(screen: &Screen, maintained: &Maintained) -> String {
    let would = if maintained.dry_run { "Only looked" } else { "Maintained" };
    let mut text = format!(
        "{would}: {} examined, {} changed tier, {} proposed, {} taken back.\n",
        count(maintained.examined, "memory", "memories"),
        maintained.moved.len(),
        maintained.proposed.len(),
        maintained.withdrawn.len(),
    );
    let moves = grouped(maintained.moved.iter().map(|moved| ((moved.from, moved.to), &moved.id)));
    for ((from, to), ids) in moves {
        let number = count(ids.len(), "memory", "memories");
        text.push_str(&format!("\n{} → {}: {number}\n", screen.tier(from), screen.tier(to)));
        ids.iter().for_each(|id| text.push_str(&format!("  {id}\n")));
    }
    if !maintained.proposed.is_empty() {
        let proposed = maintained.proposed.iter().map(|one| ((review::what(&one.action), &*one.reason), &one.id));
        for ((what, why), ids) in grouped(proposed) {
            text.push_str(&format!("\nproposed: {what} {}\n", count(ids.len(), "memory", "memories")));
            text.push_str(&format!("{}\n", review::why(screen, why)));
            ids.iter().for_each(|id| text.push_str(&format!("  {id}\n")));
        }
        if !maintained.dry_run {
            text.push_str("\nNothing goes before you say so: `ebbtrace review`.\n");
        }
    }
    text
}

/// What has the same key, together; in the order in which the keys first come.
pub(super) fn grouped<K: PartialEq, V>(entries: impl IntoIterator<Item = (K, V)>) -> Vec<(K, Vec<V>)> {
    let mut groups: Vec<(K, Vec<V>)> = Vec::new();
    for (key, value) in entries {
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, values)) => values.push(value),
            None => groups.push((key, vec![value])),
        }
    }
    groups
}

/// What was typed in quotes or without; `-` stands for stdin.
pub(super) fn words_or_stdin(words: &[String]) -> Result<String, Failure> {
    text_or_stdin(words.join(" "))
}

/// `-` stands for stdin.
fn text_or_stdin(text: String) -> Result<String, Failure> {
    if text != "-" {
        return Ok(text);
    }
    let mut read = String::new();
    std::io::stdin()
        .read_to_string(&mut read)
        .map_err(|error| Failure::Unreadable { path: "stdin".to_owned(), reason: error.to_string() })?;
    read.truncate(read.trim_end_matches(['\n', '\r']).len());
    Ok(read)
}

fn metadata(text: &str) -> Result<Map<String, Value>, Failure> {
    serde_json::from_str(text).map_err(|error| Failure::BadValue {
        field: "metadata",
        value: limits::excerpt(text),
        reason: format!("a JSON object is needed, as in '{{\"source\": \"wiki\"}}' ({error})"),
    })
}

/// Reads `ID`, `ID:RELATION` or `ID:RELATION:WEIGHT`. An id may hold colons itself, so the longest one that exists
/// is it; where none does, the whole text is taken, and refused with its name.
fn link(call: &Call, text: &str) -> LinkInput {
    let exists = |id: &str| call.service.memory(call.scope(), id).is_ok();
    let named = |to: &str, relation: &str, weight: Option<f64>| LinkInput {
        to: to.to_owned(),
        relation: Some(relation.to_owned()).filter(|relation| !relation.is_empty()),
        weight,
    };
    if !exists(text)
        && let Some((rest, last)) = text.rsplit_once(':')
    {
        if exists(rest) {
            // A relation may be a number in name only: `ID:2` is a weight without a relation.
            return last.parse().map_or_else(|_| named(rest, last, None), |weight| named(rest, "", Some(weight)));
        }
        if let (Some((to, relation)), Ok(weight)) = (rest.rsplit_once(':'), last.parse())
            && exists(to)
        {
            return named(to, relation, Some(weight));
        }
    }
    LinkInput { to: text.to_owned(), relation: None, weight: None }
}
