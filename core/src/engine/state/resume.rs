//! Resume: what a new session starts from, the most pressing first, in so many characters. Reading it changes nothing:
//! a second reader gets the same.

use std::cmp::Reverse;

use super::{Report, is_tracked, number, report};
use crate::{
    config::ranges::CONSTANTS,
    count,
    engine::{Engine, scope_or_default},
    error::Error,
    operation::{ActiveMemory, Failure, Feature, Handoff, Resumed},
    order,
    partition::Partition,
    rank,
    record::State,
    retention::Retention,
    time::Timestamp,
    when,
};

/// Entries of a list at most.
const LISTED: usize = 100;
/// Characters of a memory's text that are shown.
const SHOWN: usize = 300;
/// Characters of a line that are worth showing.
const LEAST: usize = 40;
/// Entries of each list that come before the rest of any.
const FIRST: usize = 5;

impl Engine {
    /// The newest handoff that is not too old, open features, unresolved failures and the memories most in use. `budget`
    /// is in characters of the text: 200 to 20,000, taken as the nearest bound outside; default
    /// [`crate::config::StateConfig::budget`].
    ///
    /// # Errors
    /// [`Error::BadName`] and its like for the scope.
    pub fn resume(&self, scope: Option<&str>, budget: Option<i64>, now: Timestamp) -> Result<Resumed, Error> {
        let scope = scope_or_default(scope)?;
        let mut resumed = Resumed { scope: scope.clone(), ..Resumed::default() };
        let unlisted = self.partition(&scope).map_or(0, |partition| self.gather(partition, now, &mut resumed));
        let bounds = CONSTANTS.iter().find(|constant| constant.field == "state.budget").expect("it is in the table");
        let budget = budget
            .map_or(self.config.state.budget, |budget| budget.clamp(bounds.low as i64, bounds.high as i64) as usize);
        (resumed.text, resumed.left_out) = Page::new(budget, now).write(&resumed);
        resumed.left_out += unlisted;
        Ok(resumed)
    }

    /// Puts together what there is, and says how many features and failures are beyond the lists.
    fn gather(&self, partition: &Partition, now: Timestamp, resumed: &mut Resumed) -> usize {
        let view = Retention::new(partition, &self.config, now);
        let mut used: Vec<(f64, u32)> = Vec::new();
        for (slot, memory) in partition.memories() {
            if !memory.state.is_current() {
                continue;
            }
            if !is_tracked(memory) {
                if memory.state == State::Active {
                    used.push((if memory.pinned { 1.0 } else { view.retention(slot, memory) }, slot));
                }
                continue;
            }
            // What was put away by hand is not pressing.
            if matches!(memory.state, State::Archived { .. }) {
                continue;
            }
            match report(memory) {
                Some(Report::Handoff(handoff)) if now.days_since(handoff.at) <= self.config.state.handoff_days => {
                    let newer =
                        resumed.handoff.as_ref().is_none_or(|known| (known.at, &known.id) < (handoff.at, &handoff.id));
                    if newer {
                        resumed.handoff = Some(handoff);
                    }
                }
                Some(Report::Feature(feature, _)) if feature.status != "done" => resumed.features.push(feature),
                Some(Report::Failure(failure, true)) => resumed.failures.push(failure),
                _ => {}
            }
        }
        let unlisted =
            [resumed.features.len(), resumed.failures.len()].map(|length| length.saturating_sub(LISTED)).iter().sum();
        order::sort_by(&mut resumed.features, |a, b| (Reverse(a.at), &a.id).cmp(&(Reverse(b.at), &b.id)));
        resumed.features.truncate(LISTED);
        order::sort_by(&mut resumed.failures, |a, b| {
            (gravity(a), Reverse(a.at), &a.id).cmp(&(gravity(b), Reverse(b.at), &b.id))
        });
        resumed.failures.truncate(LISTED);
        let id = |slot: u32| partition.id(slot).expect("a slot in use has an id");
        order::sort_by(&mut used, |a, b| rank::order((a.0, id(a.1)), (b.0, id(b.1))));
        used.truncate(self.config.state.active);
        resumed.active = used
            .into_iter()
            .filter_map(|(retention, slot)| {
                let memory = partition.memory(slot)?;
                Some(ActiveMemory { id: memory.id.clone(), content: cut(&memory.content, SHOWN), retention })
            })
            .collect();
        unlisted
    }
}

fn gravity(failure: &Failure) -> usize {
    ["critical", "major", "minor"].iter().position(|name| *name == failure.severity).unwrap_or(3)
}

/// The text, as it is put together.
struct Page {
    budget: usize,
    now: Timestamp,
    /// Each part's heading and the lines in it.
    parts: [(&'static str, Vec<String>); 4],
    left_out: usize,
}

impl Page {
    fn new(budget: usize, now: Timestamp) -> Self {
        let part = |heading| (heading, Vec::new());
        let parts = [part("Handoff"), part("Open features"), part("Unresolved failures"), part("Most in use")];
        Self { budget, now, parts, left_out: 0 }
    }

    fn write(mut self, resumed: &Resumed) -> (String, usize) {
        if let Some(handoff) = &resumed.handoff {
            self.handoff(handoff);
        }
        let features: Vec<String> = resumed.features.iter().map(|feature| self.feature(feature)).collect();
        let failures: Vec<String> = resumed.failures.iter().map(|failure| self.failure(failure)).collect();
        let active: Vec<String> =
            resumed.active.iter().map(|memory| format!("- {}: {}", memory.id, one_line(&memory.content))).collect();
        let lists = [(1, features), (2, failures), (3, active)];
        for (part, lines) in &lists {
            lines.iter().take(FIRST).for_each(|line| self.add(*part, line));
        }
        for (part, lines) in &lists {
            lines.iter().skip(FIRST).for_each(|line| self.add(*part, line));
        }
        let text = self.text();
        (text, self.left_out)
    }

    fn handoff(&mut self, handoff: &Handoff) {
        let ago = self.ago(handoff.at);
        self.add(0, &format!("{} ({ago})", one_line(&handoff.summary)));
        let lists = [
            ("Next", &handoff.next_steps),
            ("Blocked", &handoff.blocked),
            ("In progress", &handoff.in_progress),
            ("Completed", &handoff.completed),
        ];
        for (name, entries) in lists {
            if !entries.is_empty() {
                let entries: Vec<String> = entries.iter().map(|entry| one_line(entry)).collect();
                self.add(0, &format!("{name}: {}", entries.join("; ")));
            }
        }
    }

    fn feature(&self, feature: &Feature) -> String {
        let Feature { feature: name, status, completion, blockers, notes, at, .. } = feature;
        let blocked = if blockers.is_empty() { String::new() } else { format!("; blocked by {}", blockers.join("; ")) };
        let notes = notes.as_ref().map_or(String::new(), |notes| format!("; {notes}"));
        one_line(&format!("- {name}: {status}, {}% ({}){blocked}{notes}", number(*completion), self.ago(*at)))
    }

    fn failure(&self, failure: &Failure) -> String {
        let Failure { error, component, severity, count: told, fix, at, .. } = failure;
        let times = if *told > 1 { format!(", {told} times") } else { String::new() };
        let fix = fix.as_ref().map_or(String::new(), |fix| format!("; mended before by: {fix}"));
        one_line(&format!("- {component} ({severity}{times}, {}): {error}{fix}", self.ago(*at)))
    }

    fn ago(&self, at: Timestamp) -> String {
        let days = self.now.days_since(at);
        match days {
            days if days < 1.0 / 24.0 => "just now".to_owned(),
            days if days < 1.0 => {
                format!("{} ago", count::of((days * 24.0).round().max(1.0) as usize, "hour", "hours"))
            }
            days if days < 60.0 => format!("{} ago", count::of(days.round() as usize, "day", "days")),
            _ => when::rfc3339(at)[..10].to_owned(),
        }
    }

    /// Adds a line, cut to a quarter of the budget, or to what is left of it; where next to nothing is left, counts it as
    /// left out, as all that come after it.
    fn add(&mut self, part: usize, line: &str) {
        let line = cut(line, (self.budget / 4).max(80));
        let length = line.chars().count();
        self.parts[part].1.push(line);
        let over = self.text().chars().count().saturating_sub(self.budget);
        let kept = if self.left_out > 0 { 0 } else { length.saturating_sub(over) };
        if over == 0 && self.left_out == 0 {
            return;
        }
        let line = self.parts[part].1.pop().unwrap_or_default();
        if kept >= LEAST {
            self.parts[part].1.push(cut(&line, kept));
        } else {
            self.left_out += 1;
        }
    }

    fn text(&self) -> String {
        let parts = self.parts.iter().filter(|(_, lines)| !lines.is_empty());
        let parts: Vec<String> = parts.map(|(heading, lines)| format!("{heading}:\n{}", lines.join("\n"))).collect();
        parts.join("\n\n")
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// At most so many characters of a text.
fn cut(text: &str, characters: usize) -> String {
    if text.chars().count() <= characters {
        return text.to_owned();
    }
    text.chars().take(characters.saturating_sub(1)).chain(['…']).collect()
}
