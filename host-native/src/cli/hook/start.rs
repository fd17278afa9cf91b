//! Where the last session left off, and the reminder to say so in time.

use ebbtrace_core::{Engine, Memory, Record, Resumed};

use super::{
    Desk, FRESH_HANDOFF, OUTPUT_BYTES,
    frame::{data, heading},
    shown::Shown,
};
use crate::store::{Pressing, StoreError};

/// The kinds of the memories that hold an agent's work.
const TRACKED: [&str; 3] = ["handoff", "progress", "failure"];
/// What the ids of those begin with that have one.
const NAMED: [&str; 2] = ["handoff:", "progress:"];
/// How many of them are looked at, the newest first.
const TRACKED_MOST: usize = 600;
/// How many memories are looked at as those most in use: the last used, and the pinned.
const USED: usize = 100;
/// How many of those that they are linked to.
const LINKED: usize = 200;

/// What a session starts from, without what it was shown.
pub(super) fn text(desk: &Desk<'_>, shown: &mut Shown) -> Result<String, StoreError> {
    let Pressing { tracked, used: mut keys } =
        desk.glance.pressing(desk.scope, &NAMED, &TRACKED, [TRACKED_MOST, USED], desk.turn.time.look())?;
    let used = keys.len();
    keys.extend(desk.glance.linked_to(&keys, LINKED, desk.turn.time.links())?);
    keys.extend(tracked);
    let mut known = std::collections::BTreeSet::new();
    let mut place = 0;
    let mut linked = 0;
    keys.retain(|key| {
        let new = known.insert(*key);
        linked += usize::from(new && place < used);
        place += 1;
        new
    });
    // What is asked of it needs no index of words.
    let engine = desk.engine(&keys, linked, None)?;
    let Ok(resumed) = engine.resume(desk.scope_name(), None, desk.turn.now) else { return Ok(String::new()) };
    // What is new to the session is told by the same rules, as if nothing else were stored.
    let new: Vec<&Memory> = named(&resumed)
        .filter_map(|id| engine.find(desk.scope_name(), id).ok())
        .filter(|memory| !shown.has(desk.mark(memory)))
        .collect();
    if new.is_empty() {
        return Ok(String::new());
    }
    let mut opener = desk.opener(None);
    for memory in &new {
        opener.record(Record::Memory(Box::new((*memory).clone())));
    }
    let engine = opener.finish(engine.revision());
    let Some((text, resumed)) = fitting(desk, &engine) else { return Ok(String::new()) };
    for memory in new {
        if is_in(&resumed, memory) {
            shown.add(desk.mark(memory));
        }
    }
    Ok(text)
}

/// What the summary of a context that is about to be cut is to keep; nothing where something was handed over just now.
pub(super) fn reminder(desk: &Desk<'_>) -> Result<String, StoreError> {
    let newest = desk.glance.pressing(desk.scope, &["handoff:"], &[], [1, 0], desk.turn.time.look())?.tracked;
    let mut minutes = f64::INFINITY;
    desk.glance.records(desk.scope, &newest, 0, desk.turn.time.read(), &mut |record| {
        if let Record::Memory(memory) = record {
            minutes = desk.turn.now.days_since(memory.updated_at) * 24.0 * 60.0;
        }
    })?;
    if minutes < FRESH_HANDOFF {
        return Ok(String::new());
    }
    Ok("Keep in the summary, for Ebbtrace: what was decided and why, what failed and what mended it, what is done, in \
        progress, blocked and next. Once it is made, store that with Ebbtrace's `handoff` tool before going on."
        .to_owned())
}

/// The longest text that can be printed, and what is in it.
fn fitting(desk: &Desk<'_>, engine: &Engine) -> Option<(String, Resumed)> {
    for budget in (200..=1_800).rev().step_by(100) {
        let resumed = engine.resume(desk.scope_name(), Some(budget), desk.turn.now).ok()?;
        if resumed.text.is_empty() {
            return None;
        }
        let text = format!("{}\n{}", heading("where the work stands"), data(&resumed.text));
        if desk.printed(&text) <= OUTPUT_BYTES {
            return Some((text, resumed));
        }
    }
    None
}

fn named(resumed: &Resumed) -> impl Iterator<Item = &str> {
    let features = resumed.features.iter().map(|feature| &feature.id);
    let failures = resumed.failures.iter().map(|failure| &failure.id);
    let active = resumed.active.iter().map(|memory| &memory.id);
    resumed
        .handoff
        .iter()
        .map(|handoff| &handoff.id)
        .chain(features)
        .chain(failures)
        .chain(active)
        .map(|id| id.as_str())
}

/// Whether a memory is among what the text has room for.
fn is_in(resumed: &Resumed, memory: &Memory) -> bool {
    let line = |begin: String| {
        let begin: String = begin.split_whitespace().collect::<Vec<_>>().join(" ");
        let begin: String = begin.chars().take(60).collect();
        resumed.text.lines().any(|line| line.starts_with(&begin))
    };
    let id = &memory.id;
    if let Some(feature) = resumed.features.iter().find(|feature| feature.id == *id) {
        return line(format!("- {}: {}", feature.feature, feature.status));
    }
    if let Some(failure) = resumed.failures.iter().find(|failure| failure.id == *id) {
        return line(format!("- {} ({}", failure.component, failure.severity))
            && resumed.text.contains(&failure.error.chars().take(20).collect::<String>());
    }
    if resumed.active.iter().any(|active| active.id == *id) {
        return line(format!("- {id}: "));
    }
    resumed.text.starts_with("Handoff:")
}
