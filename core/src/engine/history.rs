//! What a memory said before, and what it took the place of.

use std::collections::BTreeSet;

use crate::{
    engine::{Engine, purge::Behind, scope_or_default, undo},
    error::Error,
    label::Label,
    operation::{Ended, History, TextVersion},
    order,
    partition::Partition,
    record::{EdgeKey, Memory, State, relation},
};

impl Engine {
    /// Every text that led to what a memory, or the one that took its place, says now: earlier texts, texts that were
    /// merged in, and memories that were replaced, and theirs. Oldest first.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::BadName`].
    pub fn history(&self, scope: Option<&str>, id: &str) -> Result<History, Error> {
        let found = self.locate("id", &scope_or_default(scope)?, id)?;
        let partition = found.partition;
        let current = head(partition, found.memory);
        let behind = Behind::of(partition);
        let mut seen = BTreeSet::from([current.id.as_str()]);
        let mut all = vec![current];
        let mut next = 0;
        while let Some(of) = all.get(next).copied() {
            let new = behind.all(&of.id).iter().copied().filter(|kept| seen.insert(kept.id.as_str()));
            all.extend(new);
            next += 1;
        }
        let mut versions: Vec<TextVersion> = all[1..].iter().map(|memory| version(&behind, memory)).collect();
        order::sort_by(&mut versions, |a, b| (a.since, a.until, &a.id).cmp(&(b.since, b.until, &b.id)));
        versions.push(version(&behind, current));
        Ok(History { asked: found.memory.id.clone(), current: current.id.clone(), versions })
    }
}

/// The memory that holds in place of `memory`, over as many as there were. A circle, which only an import can make,
/// ends where it closes.
fn head<'p>(partition: &'p Partition, memory: &'p Memory) -> &'p Memory {
    let mut seen = vec![&memory.id];
    let mut at = memory;
    while let State::Superseded { by, .. } = &at.state {
        match partition.find(by.as_str()).filter(|next| !seen.contains(&&next.id)) {
            Some(next) => at = next,
            None => break,
        }
        seen.push(&at.id);
    }
    at
}

fn version(behind: &Behind<'_>, memory: &Memory) -> TextVersion {
    let (until, by) = match &memory.state {
        State::Superseded { by, at } => (Some(*at), Some(by.clone())),
        State::Archived { at, .. } => (Some(*at), None),
        State::Active | State::Proposed { .. } => (None, None),
    };
    let merged = by.as_ref().is_some_and(|by| {
        let (scope, relation) = (memory.scope.clone(), Label::ours(relation::MERGED_FROM));
        let key = EdgeKey { scope, from: by.clone(), to: memory.id.clone(), relation };
        behind.partition().edge(&key).is_some()
    });
    let ended = match &memory.state {
        _ if undo::taken_back(behind.partition(), memory) => Some(Ended::Undone),
        State::Superseded { .. } if merged => Some(Ended::Merged),
        State::Superseded { .. } if behind.is_version_of_another(memory) => Some(Ended::Edited),
        State::Superseded { .. } => Some(Ended::Replaced),
        _ => None,
    };
    TextVersion {
        id: memory.id.clone(),
        content: memory.content.clone(),
        since: memory.valid_from,
        until,
        state: memory.state.as_str().to_owned(),
        by,
        ended,
        author: memory.author.clone(),
        client: memory.source.text_client().map(str::to_owned),
        session: memory.source.text_session().map(str::to_owned),
    }
}
