//! Removing memories for good because a human says so: what goes, where it was, and what else carries it.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{Behind, merges_into};
use crate::{
    change::{Operation, Staged},
    engine::{Engine, checked, scope_or_default, state},
    error::Error,
    label::MemoryId,
    limits,
    operation::{Carried, Carrier, Gone, Purged},
    order,
    partition::Partition,
    record::{EdgeKey, Memory, State, relation},
    time::Moment,
};

impl Engine {
    /// Removes memories for good, whatever their state, each with the earlier texts behind it. What it had replaced was
    /// a memory of its own and stays, put away. An id of an earlier text removes that text alone.
    ///
    /// The answer says what else carries a part of them: what was merged with them, by the links that a merge leaves,
    /// and what contains their text whole, in its content or beside it. With `carriers` those go too, and what carries those. It is for a human to
    /// call: no tool that a model can call leads here.
    ///
    /// # Errors
    /// [`Error::NotFound`] where one of `ids` is not in the scope: nothing is removed then; [`Error::Blank`] for none,
    /// [`Error::TooLong`] for over 1,000.
    pub fn stage_purge(
        &self,
        scope: Option<&str>,
        ids: &[String],
        carriers: bool,
        moment: Moment,
    ) -> Result<Staged<Purged>, Error> {
        let now = checked(moment)?.now;
        let scope = scope_or_default(scope)?;
        limits::count("ids", ids.len(), limits::RESULTS)?;
        let Some(first) = ids.first() else { return Err(Error::Blank { field: "ids" }) };
        let partition = self.locate("ids", &scope, first)?.partition;
        let asked =
            ids.iter().map(|id| Ok(self.locate("ids", &scope, id)?.memory)).collect::<Result<Vec<_>, Error>>()?;
        let mut plan = Plan { partition, behind: Behind::of(partition), gone: Vec::new(), taken: BTreeSet::new() };
        asked.into_iter().for_each(|memory| plan.take(memory));
        let mut left = plan.carriers();
        while carriers && !left.is_empty() {
            left.iter().for_each(|(memory, _, _)| plan.take(memory));
            left = plan.carriers();
        }
        let all: Vec<&Memory> = plan.gone.iter().flatten().copied().collect();
        let changes = plan.behind.delete_all(&all, now);
        let outcome = Purged {
            scope,
            at: now,
            gone: plan.gone.iter().map(|group| plan.was(group)).collect(),
            carriers: left
                .into_iter()
                .map(|(memory, of, how)| Carrier { id: memory.id.clone(), of: of.clone(), how })
                .collect(),
        };
        Ok(self.stage(Operation::Purge, now, outcome, changes))
    }
}

/// What goes.
struct Plan<'p> {
    partition: &'p Partition,
    behind: Behind<'p>,
    /// Each memory with its versions behind it.
    gone: Vec<Vec<&'p Memory>>,
    taken: BTreeSet<&'p str>,
}

/// A memory that carries another, which one, and how.
type Found<'p> = (&'p Memory, &'p MemoryId, Carried);

impl<'p> Plan<'p> {
    /// `memory` goes, with its versions; once, however often it is named.
    fn take(&mut self, memory: &'p Memory) {
        let mut group = vec![memory];
        group.extend(self.behind.versions(memory));
        group.retain(|memory| self.taken.insert(memory.id.as_str()));
        // An earlier text that has gone along with its memory needs no line of its own.
        if group.first().is_some_and(|first| first.id == memory.id) {
            self.gone.push(group);
        } else if let Some(last) = self.gone.last_mut() {
            last.extend(group);
        }
    }

    /// Where a memory and its versions were.
    fn was(&self, group: &[&'p Memory]) -> Gone {
        let mut edges: Vec<EdgeKey> = Vec::new();
        let mut proposals: Vec<MemoryId> = Vec::new();
        for memory in group {
            let at = self.partition.slot_of(memory.id.as_str()).map(|slot| self.partition.edges_of(slot));
            edges.extend(at.unwrap_or_default().into_iter().map(|edge| edge.key));
            proposals.extend(self.partition.proposals.get(&memory.id).map(|proposal| proposal.id.clone()));
            proposals.extend(merges_into(self.partition, &memory.id).filter_map(|change| match change {
                crate::change::Change::DeleteProposal { id, .. } => Some(id),
                _ => None,
            }));
        }
        order::sort(&mut edges);
        edges.dedup();
        order::sort(&mut proposals);
        proposals.dedup();
        Gone {
            id: group[0].id.clone(),
            versions: group[1..].iter().map(|version| version.id.clone()).collect(),
            edges: edges.len(),
            proposals: proposals.len(),
        }
    }

    /// What stays and carries what goes, by id.
    fn carriers(&self) -> Vec<Found<'p>> {
        let mut found: Vec<Found<'_>> = Vec::new();
        let gone: Vec<&Memory> = self.gone.iter().flatten().copied().collect();
        for memory in &gone {
            let Some(slot) = self.partition.slot_of(memory.id.as_str()) else { continue };
            for tie in self.partition.graph.ties(slot) {
                if self.partition.graph.relation(tie.edge.relation).as_str() != relation::MERGED_FROM {
                    continue;
                }
                let Some(other) = self.partition.memory(tie.far).filter(|far| !self.taken.contains(far.id.as_str()))
                else {
                    continue;
                };
                let how = if tie.outgoing { Carried::MergedFrom } else { Carried::MergedInto };
                found.push((other, &memory.id, how));
            }
        }
        let parts: Vec<(&Memory, String)> = gone
            .iter()
            .flat_map(|memory| {
                std::iter::once(telling(&memory.content)).chain(told(memory)).map(|part| (*memory, part))
            })
            .collect();
        for (_, other) in self.partition.memories().filter(|(_, other)| !self.taken.contains(other.id.as_str())) {
            let text = plain(&other.content);
            if let Some((memory, _)) = parts.iter().find(|(_, part)| carries(&text, part)) {
                found.push((other, &memory.id, Carried::Contains));
                continue;
            }
            let beside = beside(other);
            let mentioned = |part: &str| beside.iter().any(|text| carries(text, part));
            if let Some((memory, _)) = parts.iter().find(|(_, part)| mentioned(part)) {
                found.push((other, &memory.id, Carried::Mentions));
            }
        }
        // Of several ways in which one carries it, the first counts.
        order::sort_by(&mut found, |a, b| a.0.id.cmp(&b.0.id));
        found.dedup_by_key(|(memory, _, _)| &memory.id);
        found
    }
}

/// Fewer characters than this, or a single word, are no telling part of a record: a feature's name, a status.
const TELLING: usize = 12;

/// The words that a record of an agent's work was told in, an error, its cause, notes, as they are looked for in others:
/// its content is put together from them, and nobody quotes it as a whole.
fn told(memory: &Memory) -> Vec<String> {
    if !state::is_tracked(memory) {
        return Vec::new();
    }
    let mut texts = Vec::new();
    gather(&memory.metadata, &mut texts);
    texts.retain(|text| text.chars().count() >= TELLING && text.contains(char::is_whitespace));
    texts.iter().map(|text| telling(text)).collect()
}

/// What a memory says beside its content, in plain words.
fn beside(memory: &Memory) -> Vec<String> {
    let mut texts: Vec<String> = memory.tags.iter().map(|tag| tag.to_string()).collect();
    texts.extend(memory.source.uri.clone());
    if let State::Archived { reason: Some(reason), .. } = &memory.state {
        texts.push(reason.clone());
    }
    gather(&memory.metadata, &mut texts);
    texts.iter().map(|text| plain(text)).collect()
}

/// Every text in an object, at any depth: names and values.
fn gather(fields: &Map<String, Value>, texts: &mut Vec<String>) {
    // Not by recursion: nothing here says how deep it is.
    let mut open: Vec<&Value> = Vec::new();
    texts.extend(fields.keys().cloned());
    open.extend(fields.values());
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => texts.push(text.clone()),
            Value::Number(number) => texts.push(number.to_string()),
            Value::Array(entries) => open.extend(entries),
            Value::Object(fields) => {
                texts.extend(fields.keys().cloned());
                open.extend(fields.values());
            }
            Value::Null | Value::Bool(_) => {}
        }
    }
}

/// A text in lower case, with one blank wherever there is white space: however its lines were broken.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for word in text.split_whitespace() {
        if !plain.is_empty() {
            plain.push(' ');
        }
        plain.push_str(&word.to_lowercase());
    }
    plain
}

/// A text as it is looked for in others: whatever its case, its line breaks and the end of its sentence.
fn telling(text: &str) -> String {
    let plain = plain(text);
    let told = plain.trim_end_matches([' ', '.', '!', '。', '！']);
    if told.is_empty() { plain } else { told.to_owned() }
}

/// Whether `text`, in lower case, contains the whole of `part`, not as a part of a longer word or number.
fn carries(text: &str, part: &str) -> bool {
    // Scripts without spaces have no such ends.
    let cuts = |outside: Option<char>, inside: Option<char>| {
        outside
            .zip(inside)
            .is_some_and(|(outside, inside)| outside.is_ascii_alphanumeric() && inside.is_ascii_alphanumeric())
    };
    text.match_indices(part).any(|(at, found)| {
        let (before, after) = (text[..at].chars().next_back(), text[at + found.len()..].chars().next());
        !cuts(before, found.chars().next()) && !cuts(after, found.chars().next_back())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_carried_whole() {
        let carries = |text: &str, part: &str| carries(&plain(text), &telling(part));
        assert!(carries("Note: the PIN is 42, says Ann", "The PIN is 42."));
        assert!(carries("the PIN is 42", " the PIN is 42 "));
        assert!(carries("He said:\n  the PIN\n  is\t42!", "The PIN is 42."));
        assert!(!carries("the PIN is 421", "the PIN is 42"));
        assert!(!carries("bathe PIN is 42", "the PIN is 42"));
        assert!(carries("우리는 C盘을 씁니다", "C盘"));
        assert!(!carries("the PIN", "the PIN is 42"));
        assert!(!carries("what?", "..."));
    }
}
