//! `import`: JSON Lines and Markdown. Everything is worked out on a copy of the memory, and then stored in one commit:
//! all of it or nothing.

mod folder;
mod front;
mod jsonl;
mod markdown;

use std::{
    collections::{HashMap, HashSet},
    fmt,
    io::Read,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use ebbtrace_core::{Change, ConnectInput, Error, Memory, Record, RememberInput, Resolution, State, Timestamp};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::{
    service::{Service, ServiceError},
    store::{MemoryStore, Store, StoreError},
};

use super::{
    Call, args,
    failure::Failure,
    open,
    screen::{Ink, Screen, clean, count},
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
    files: usize,
    /// The Markdown files among them, as their memories' URIs name them.
    notes: HashSet<String>,
    records: Vec<(Place, Record)>,
    items: Vec<Item>,
    links: Vec<Link>,
    notices: Vec<String>,
}

/// What an import did.
#[derive(Debug, Default, Serialize)]
struct Summary {
    files: usize,
    records: usize,
    created: usize,
    reinforced: usize,
    merged: usize,
    replaced: usize,
    updated: usize,
    unchanged: usize,
    archived: usize,
    edges: usize,
    notices: Vec<String>,
}

/// What was in the scopes before.
#[derive(Default)]
struct Known {
    records: Vec<Record>,
    ids: HashSet<String>,
    links: HashSet<(String, String)>,
    /// Current memories that an import made, with the file that they are from.
    imported: Vec<(String, String)>,
}

/// How many notices a person is shown.
const NOTICES: usize = 20;
/// How long other processes may get in between before the import gives up.
const PATIENCE: Duration = Duration::from_secs(60);

/// `import`
pub(super) fn run(call: &Call, args: &args::Import) -> Result<(), Failure> {
    let started = Instant::now();
    let mut base = call.service.revision()?;
    let mut known = Known::read(call)?;
    let mut plan = Plan { scope: call.scope.clone(), ..Plan::default() };
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
    summary.files = plan.files;
    summary.notices.splice(0..0, plan.notices);
    call.screen.answer(&summary, || summary_text(&call.screen, &summary))
}

impl Known {
    fn read(call: &Call) -> Result<Self, Failure> {
        let mut known = Self::default();
        let scope = call.scope().unwrap_or("default");
        call.service.export(None, |record| {
            match &record {
                Record::Memory(memory) if memory.scope.as_str() == scope => {
                    known.ids.insert(memory.id.to_string());
                    if let (State::Active, Some(CLIENT), Some(uri)) =
                        (&memory.state, memory.source.client.as_deref(), &memory.source.uri)
                    {
                        known.imported.push((memory.id.to_string(), uri.clone()));
                    }
                }
                Record::Edge(edge) if edge.key.scope.as_str() == scope && edge.key.relation.as_str() == RELATION => {
                    known.links.insert((edge.key.from.to_string(), edge.key.to.to_string()));
                }
                _ => {}
            }
            known.records.push(record);
        })?;
        Ok(known)
    }
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
        let records = self.take_in(&copy)?;
        let summary = Summary { records, ..self.carry_out(&copy, known)? };
        let entries = store.changes_since(start)?.unwrap_or_default();
        Ok((summary, entries.into_iter().flat_map(|entry| entry.changes).collect()))
    }

    /// The records of exports, all or none.
    fn take_in(&self, service: &Service) -> Result<usize, Failure> {
        if self.records.is_empty() {
            return Ok(0);
        }
        let records: Vec<Record> = self.records.iter().map(|(_, record)| record.clone()).collect();
        service.import(&records).map_err(|error| match error {
            ServiceError::Refused(Error::BadRecord { index, ref what, ref reason }) => match self.records.get(index) {
                Some((place, _)) => place.broken(format_args!("{what}: {reason}")),
                None => error.into(),
            },
            other => other.into(),
        })
    }

    /// The memories one by one, then the links between them.
    fn carry_out(&self, service: &Service, known: &Known) -> Result<Summary, Failure> {
        let progress = progress(self);
        let mut summary = Summary::default();
        // Under which id the memory of each file went in, and which of them were left as they are.
        let mut stored: HashMap<&str, String> = HashMap::new();
        let mut untouched: HashSet<&str> = HashSet::new();
        for item in &self.items {
            let (id, changed) =
                item.store(service, known, &mut summary).map_err(|error| at_place(error, &item.place))?;
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
                let made = service.connect_at(&input, link.at).map_err(|error| at_place(error, &link.place))?;
                summary.edges += usize::from(made.created);
            }
            progress.inc(1);
        }
        progress.finish_and_clear();
        Ok(summary)
    }

    /// Puts away what a file said when it was imported before and says no longer; how much that was.
    fn archive(&self, service: &Service, known: &Known, stored: &HashMap<&str, String>) -> Result<usize, ServiceError> {
        let gone = |(id, uri): &&(String, String)| self.notes.contains(uri) && !stored.contains_key(id.as_str());
        let mut archived = 0;
        for (id, uri) in known.imported.iter().filter(gone) {
            service.forget(self.scope.as_deref(), id, Some(&gone_from(uri)))?;
            archived += 1;
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
    fn store(&self, service: &Service, known: &Known, summary: &mut Summary) -> Result<(String, bool), ServiceError> {
        let scope = self.input.scope.as_deref();
        let known = self.planned().filter(|id| known.ids.contains(*id)).and_then(|id| service.memory(scope, id).ok());
        if let Some(known) = known {
            let id = known.id.to_string();
            let same = says_the_same(&known, &self.input);
            match &known.state {
                State::Superseded { by, .. } if !same => {
                    summary.notices.push(format!("{id} changed, but {by} has taken its place: it was left as it is"));
                    summary.unchanged += 1;
                    return Ok((id, false));
                }
                // Put away because its file no longer said it, and now the file says it again.
                State::Archived { reason: Some(reason), .. }
                    if self.input.uri.as_deref().is_some_and(|uri| *reason == gone_from(uri)) =>
                {
                    service.restore(scope, &id)?;
                    if same {
                        summary.updated += 1;
                        return Ok((id, true));
                    }
                }
                _ => {}
            }
            if same {
                summary.unchanged += 1;
                return Ok((id, false));
            }
        }
        let remembered = match self.at {
            Some(at) => service.remember_at(self.input.clone(), at),
            None => service.remember(self.input.clone()),
        }?;
        summary.count(remembered.resolution);
        summary.edges += remembered.links;
        Ok((remembered.id.to_string(), true))
    }
}

/// Why a memory is put away whose file says it no longer; within what a reason may hold.
fn gone_from(uri: &str) -> String {
    "no longer in ".chars().chain(uri.chars().take(250)).collect()
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

impl Summary {
    fn count(&mut self, resolution: Resolution) {
        *match resolution {
            Resolution::Created => &mut self.created,
            Resolution::Reinforced => &mut self.reinforced,
            Resolution::Merged => &mut self.merged,
            Resolution::Replaced => &mut self.replaced,
            Resolution::Updated => &mut self.updated,
            Resolution::Echo => &mut self.unchanged,
        } += 1;
    }
}

fn progress(plan: &Plan) -> ProgressBar {
    // Drawn on stderr, and only where that is a terminal.
    let bar = ProgressBar::new((plan.items.len() + plan.links.len()) as u64);
    if let Ok(style) = ProgressStyle::with_template("{msg} {bar:40} {pos} of {len}, {eta} left") {
        bar.set_style(style);
    }
    bar.with_message("importing")
}

fn summary_text(screen: &Screen, summary: &Summary) -> String {
    let mut parts = Vec::new();
    for (number, name) in [
        (summary.records, "new or changed records"),
        (summary.created, "created"),
        (summary.updated, "updated"),
        (summary.reinforced, "reinforced"),
        (summary.merged, "merged"),
        (summary.replaced, "replaced an older one"),
        (summary.unchanged, "unchanged"),
        (summary.archived, "archived, since their files no longer say them"),
        (summary.edges, "links made"),
    ] {
        if number > 0 {
            parts.push(format!("{number} {name}"));
        }
    }
    let what = if parts.is_empty() { "nothing new".to_owned() } else { parts.join(", ") };
    let mut text = format!("Imported from {}: {what}.\n", count(summary.files, "file", "files"));
    let label = screen.paint(Ink::Yellow, "note:");
    for notice in summary.notices.iter().take(NOTICES) {
        text.push_str(&format!("{label} {}\n", clean(notice, false)));
    }
    if summary.notices.len() > NOTICES {
        text.push_str(&format!("{label} {} more; --json shows all\n", summary.notices.len() - NOTICES));
    }
    text
}
