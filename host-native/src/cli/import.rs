//! `import`: JSON Lines and Markdown. Everything is worked out on a copy of the memory, and then stored in one commit:
//! all of it or nothing.

mod folder;
mod front;
mod jsonl;
mod known;
mod markdown;
mod origin;
mod summary;

use std::{
    collections::{HashMap, HashSet},
    fmt,
    io::Read,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use ebbtrace_core::{Change, ConnectInput, Error, Memory, MemoryId, Record, RememberInput, Scope, State, Timestamp};
use indicatif::{ProgressBar, ProgressStyle};

use crate::{
    service::{Service, ServiceError},
    store::{MemoryStore, Store, StoreError},
};

use super::{Call, args, failure::Failure, open};

use self::{
    known::Known,
    origin::Origins,
    summary::{Arrived, Summary},
};

/// The program that an import gives as a memory's client.
const CLIENT: &str = "ebbtrace-import";
/// What an imported link says.
const RELATION: &str = "links-to";

/// A place in what is imported.
#[derive(Clone, Debug)]
struct Place {
    file: Arc<str>,
    /// From 1; 0: the file as a whole.
    line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 { write!(f, "{}", self.file) } else { write!(f, "{}, line {}", self.file, self.line) }
    }
}

impl Place {
    fn broken(&self, reason: impl fmt::Display) -> Failure {
        Failure::BrokenInput { place: self.to_string(), reason: reason.to_string() }
    }
}

/// A memory to store.
struct Item {
    place: Place,
    input: RememberInput,
    /// The file's time; without one the present counts.
    at: Option<Timestamp>,
}

/// A link between two memories of files, by the ids that the files give them.
struct Link {
    place: Place,
    from: String,
    to: String,
    at: Timestamp,
}

/// All that is to be imported.
#[derive(Default)]
struct Plan {
    /// The scope of what comes from Markdown.
    scope: Option<String>,
    /// The one scope that lines may name, where the command names one.
    only: Option<String>,
    files: usize,
    /// What ids of notes start with, where it is not the folder's name.
    prefix: Option<String>,
    /// The time to store notes at, where it is not their files' own.
    touch: Option<Timestamp>,
    /// The Markdown files among them.
    notes: Origins,
    records: Vec<(Place, Record)>,
    items: Vec<Item>,
    links: Vec<Link>,
    notices: Vec<String>,
    /// Links out of the folder, which were passed over.
    outside: usize,
}

/// How long other processes may get in between before the import gives up.
const PATIENCE: Duration = Duration::from_secs(60);

/// `import`. `only` is the option alone: a scope set in the environment is for what names none.
pub(super) fn run(call: &Call, args: &args::Import, only: Option<&str>) -> Result<(), Failure> {
    let started = Instant::now();
    let mut base = call.service.revision()?;
    let mut known = Known::read(call)?;
    let prefix = args.prefix.as_ref().map(|prefix| prefix.trim().trim_matches('/').to_owned());
    let touch = args.touch.then_some(call.now);
    let only = only.map(str::to_owned);
    let mut plan = Plan { scope: call.scope.clone(), only, prefix, touch, ..Plan::default() };
    for path in &args.paths {
        plan.read(call, &known, path)?;
    }
    // Older first, so that where two files contradict each other the newer one is current.
    plan.items.sort_by_key(|item| item.at);
    let mut summary = loop {
        let (summary, changes) = plan.work_out(call, &known)?;
        if call.service.adopt(base, &changes)? {
            break summary;
        }
        let waited = started.elapsed();
        if waited > PATIENCE {
            return Err(StoreError::Busy { waited_ms: waited.as_millis() as u64 }.into());
        }
        base = call.service.revision()?;
        known = Known::read(call)?;
    };
    (summary.files, summary.outside) = (plan.files, plan.outside);
    summary.notices.splice(0..0, plan.notices);
    let dated = touch.is_none() && plan.items.iter().any(|item| item.at.is_some());
    call.screen.answer(&summary, || summary.text(&call.screen, dated))
}

impl Plan {
    fn read(&mut self, call: &Call, known: &Known, path: &Path) -> Result<(), Failure> {
        let unreadable =
            |error: std::io::Error| Failure::Unreadable { path: path.display().to_string(), reason: error.to_string() };
        if path.as_os_str() == "-" {
            let mut bytes = Vec::new();
            std::io::stdin().read_to_end(&mut bytes).map_err(unreadable)?;
            return jsonl::read(self, "stdin", &bytes, call);
        }
        if path.metadata().map_err(unreadable)?.is_dir() || folder::is_markdown(path) {
            return folder::read(self, path, call, known);
        }
        let bytes = std::fs::read(path).map_err(unreadable)?;
        jsonl::read(self, &path.display().to_string(), &bytes, call)
    }

    /// Does it all on a copy in this process's memory; what is refused there is refused before anything is stored.
    fn work_out(&self, call: &Call, known: &Known) -> Result<(Summary, Vec<Change>), Failure> {
        let mut store = MemoryStore::new();
        let copy = open::beside(call, store.clone())?;
        copy.import(&known.records)?;
        let start = copy.revision()?;
        let mut arrived = Arrived::default();
        let (records, redacted) = self.take_in(&copy, known, &mut arrived)?;
        let mut summary = Summary { records, ..self.carry_out(&copy, known, &mut arrived)? };
        summary.redacted += redacted;
        summary.place(&copy, &arrived)?;
        let entries = store.changes_since(start)?.unwrap_or_default();
        Ok((summary, entries.into_iter().flat_map(|entry| entry.changes).collect()))
    }

    /// The records of exports, all or none; how many there were, and how many secrets were left out.
    fn take_in(&self, service: &Service, known: &Known, arrived: &mut Arrived) -> Result<(usize, usize), Failure> {
        if self.records.is_empty() {
            return Ok((0, 0));
        }
        let memories = |record: &'_ Record| match record {
            Record::Memory(memory) => Some(memory.as_ref().clone()),
            _ => None,
        };
        let before: HashMap<(Scope, MemoryId), Memory> = known
            .records
            .iter()
            .filter_map(memories)
            .map(|memory| ((memory.scope.clone(), memory.id.clone()), memory))
            .collect();
        for memory in self.records.iter().filter_map(|(_, record)| memories(record)) {
            if before.get(&(memory.scope.clone(), memory.id.clone())) != Some(&memory) {
                arrived.entry(Some(memory.scope.to_string())).or_default().insert(memory.id.to_string());
            }
        }
        let records: Vec<Record> = self.records.iter().map(|(_, record)| record.clone()).collect();
        let redacted = service.secrets_in(&records);
        let taken = service.import(&records).map_err(|error| match error {
            ServiceError::Refused(Error::BadRecord { index, ref what, ref reason }) => match self.records.get(index) {
                Some((place, _)) => place.broken(format_args!("{what}: {reason}")),
                None => error.into(),
            },
            other => Failure::from(other),
        })?;
        Ok((taken, redacted))
    }

    /// The memories one by one, then the links between them.
    fn carry_out(&self, service: &Service, known: &Known, arrived: &mut Arrived) -> Result<Summary, Failure> {
        let progress = progress(self);
        let mut summary = Summary::default();
        // Under which id the memory of each file went in, and which of them were left as they are.
        let mut stored: HashMap<&str, String> = HashMap::new();
        let mut untouched: HashSet<&str> = HashSet::new();
        for item in &self.items {
            let stored_as = item.store(service, known, self.touch, &mut summary);
            let (id, changed) = stored_as.map_err(|error| at_place(error, &item.place))?;
            if changed {
                arrived.entry(item.input.scope.clone()).or_default().insert(id.clone());
            }
            if let Some(planned) = item.planned() {
                stored.insert(planned, id);
                if !changed {
                    untouched.insert(planned);
                }
            }
            progress.inc(1);
        }
        summary.archived = self.archive(service, known, &stored)?;
        for link in &self.links {
            let end = |id: &str| stored.get(id).cloned().unwrap_or_else(|| id.to_owned());
            let (from, to) = (end(&link.from), end(&link.to));
            let there = untouched.contains(link.from.as_str()) && known.links.contains(&(from.clone(), to.clone()));
            if from != to && !there {
                let scope = self.scope.clone();
                let input = ConnectInput { scope, from, to, relation: Some(RELATION.to_owned()), weight: None };
                let made = service
                    .connect_at(&input, self.touch.unwrap_or(link.at))
                    .map_err(|error| at_place(error, &link.place))?;
                summary.edges += usize::from(made.created);
            }
            progress.inc(1);
        }
        progress.finish_and_clear();
        Ok(summary)
    }

    /// Puts away what a file said when it was imported before and says no longer; how much that was.
    fn archive(&self, service: &Service, known: &Known, stored: &HashMap<&str, String>) -> Result<usize, ServiceError> {
        let mut archived = 0;
        for (id, uri) in known.imported.iter().filter(|(id, _)| !stored.contains_key(id.as_str())) {
            if let Some(file) = self.notes.of(id, uri) {
                service.forget(self.scope.as_deref(), id, Some(&gone_from(&file.key)))?;
                archived += 1;
            }
        }
        Ok(archived)
    }
}

impl Item {
    /// The id that its file gives it.
    fn planned(&self) -> Option<&str> {
        self.input.id.as_deref().filter(|_| self.at.is_some())
    }

    /// Stores it, unless its file says what it said before; the memory's id, and whether anything changed.
    fn store(
        &self,
        service: &Service,
        known: &Known,
        touch: Option<Timestamp>,
        summary: &mut Summary,
    ) -> Result<(String, bool), ServiceError> {
        let (input, redacted) = service.without_secrets(&self.input);
        summary.redacted += redacted;
        let scope = input.scope.as_deref();
        let known = self.planned().filter(|id| known.ids.contains(*id)).and_then(|id| service.memory(scope, id).ok());
        if let Some(known) = known {
            let id = known.id.to_string();
            let same = says_the_same(&known, &input);
            match &known.state {
                State::Superseded { by, .. } if !same => {
                    summary.notices.push(format!("{id} changed, but {by} has taken its place: it was left as it is"));
                    summary.unchanged += 1;
                    return Ok((id, false));
                }
                // Put away because its file no longer said it, and now the file says it again.
                State::Archived { reason: Some(reason), .. } if *reason == gone_from(&self.place.file) => {
                    service.restore(scope, &id)?;
                    if same {
                        summary.updated += 1;
                        return Ok((id, true));
                    }
                }
                _ => {}
            }
            if same && touch.is_some_and(|now| known.last_accessed_at < now) && is_waiting_or_active(&known.state) {
                service.reinforce(scope, &id)?;
                summary.reinforced += 1;
                return Ok((id, true));
            }
            if same {
                summary.unchanged += 1;
                return Ok((id, false));
            }
        }
        let remembered = match self.at {
            Some(at) => service.remember_at(input.clone(), touch.unwrap_or(at)),
            None => service.remember(input.clone()),
        }?;
        summary.count(remembered.resolution);
        summary.edges += remembered.links;
        Ok((remembered.id.to_string(), true))
    }
}

/// Why a memory is put away whose file says it no longer; within what a reason may hold.
fn gone_from(key: &str) -> String {
    "no longer in ".chars().chain(key.chars().take(250)).collect()
}

/// Whether nobody has put a memory away: what a person did is not undone by a file.
fn is_waiting_or_active(state: &State) -> bool {
    matches!(state, State::Active | State::Proposed { .. })
}

/// A refusal is the fault of what stands at `place`; anything else is not.
fn at_place(error: ServiceError, place: &Place) -> Failure {
    match error {
        ServiceError::Refused(error) => place.broken(error),
        other => other.into(),
    }
}

/// Whether a memory holds what its file says now.
fn says_the_same(memory: &Memory, input: &RememberInput) -> bool {
    // What a file leaves out stays as it is.
    let tagged = |tag: &String| memory.tags.iter().any(|known| **known == *tag.trim());
    memory.content == input.content
        && (input.tags.is_empty() || input.tags.iter().all(tagged))
        && (input.metadata.is_empty() || memory.metadata == input.metadata)
        && input.kind.as_deref().is_none_or(|kind| kind == memory.kind.as_str())
        && input.category.as_deref().is_none_or(|category| category == memory.category.as_str())
        && input.importance.is_none_or(|importance| importance == memory.importance)
}

fn progress(plan: &Plan) -> ProgressBar {
    // Drawn on stderr, and only where that is a terminal.
    let bar = ProgressBar::new((plan.items.len() + plan.links.len()) as u64);
    if let Ok(style) = ProgressStyle::with_template("{msg} {bar:40} {pos} of {len}, {eta} left") {
        bar.set_style(style);
    }
    bar.with_message("importing")
}
