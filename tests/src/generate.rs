//! Made-up memories of developers and their agents, as many as are asked for: English notes of 8 to 40 words from
//! sentence templates, lists of a thousand words and names, the words of the bundled token table as topics, and
//! identifiers, numbers and dates that hardly repeat. Word frequencies are Zipf-like. Equal seeds give equal notes.

mod draw;
mod life;

use std::path::{Path, PathBuf};

use ebbtrace::{CommitAnswer, Store, store::SqliteStore};
use ebbtrace_core::{
    Change, Config, Engine, JournalEntry, MemoryId, Moment, Operation, Resolution, Revision, StaticModel,
};

pub use draw::Draw;
pub use life::{Life, NOW, Note, questions};

/// Changed whenever the notes or the store's contents do, so that no stale store is used.
const EDITION: u32 = 2;

/// What a store was made of.
#[derive(Clone, Copy, Debug, Default)]
pub struct Generated {
    /// Notes told.
    pub notes: usize,
    /// Memories stored, superseded ones among them.
    pub memories: usize,
    /// Edges.
    pub edges: usize,
}

/// Makes a store at `path` that has lived two years: the engine itself decides what becomes of each note, at the
/// note's own date, until there are `memories` of them. Now and then an earlier one is used again. `progress` is told
/// how many there are.
///
/// # Errors
/// What the engine refused or the store could not do, in words.
pub fn store(path: &Path, memories: usize, mut progress: impl FnMut(usize)) -> Result<Generated, String> {
    /// Changes to a transaction. One transaction for each note would wait for the disk a hundred thousand times.
    const BATCH: usize = 10_000;
    /// Notes to a use of an earlier one.
    const USED: usize = 8;
    let text = |error: &dyn std::error::Error| error.to_string();
    let mut engine = Engine::new(Config::default(), Some(StaticModel::bundled()));
    let mut store = SqliteStore::open(path).map_err(|error| text(&error))?;
    let mut revision = Revision(0);
    let mut waiting: Vec<Change> = Vec::new();
    let mut known: Vec<MemoryId> = Vec::new();
    let mut generated = Generated::default();
    let mut draw = Draw::new(1);
    for note in Life::new(memories) {
        let moment = Moment::new(note.at.0, generated.notes as u64);
        let staged = engine.stage_remember(&note.input, moment).map_err(|error| text(&error))?;
        engine.apply(&staged.entry);
        waiting.extend(staged.entry.changes);
        generated.notes += 1;
        if matches!(staged.outcome.resolution, Resolution::Created | Resolution::Merged | Resolution::Replaced) {
            generated.memories += 1;
            known.push(staged.outcome.id);
        }
        if generated.notes.is_multiple_of(USED) && !known.is_empty() {
            // The newer it is, the more it is used.
            let id = &known[known.len() - 1 - draw.zipf(known.len())];
            let used = engine.stage_reinforce(None, id.as_str(), moment);
            // One that was replaced meanwhile is no longer used.
            if let Ok(used) = used {
                engine.apply(&used.entry);
                waiting.extend(used.entry.changes);
            }
        }
        progress(generated.memories);
        let done = generated.memories >= memories;
        if waiting.len() >= BATCH || done {
            let changes = std::mem::take(&mut waiting);
            let entry = JournalEntry {
                revision: revision.next(),
                at: note.at,
                operation: Operation::Import,
                channel: None,
                changes,
            };
            match store.commit(&entry).map_err(|error| text(&error))? {
                CommitAnswer::Committed => revision = entry.revision,
                answer => return Err(format!("{}: {answer:?}", path.display())),
            }
        }
        if done {
            break;
        }
    }
    generated.edges = engine.stats(None, NOW).map_err(|error| text(&error))?.edges;
    Box::new(store).close().map_err(|error| text(&error))?;
    Ok(generated)
}

/// The store of so many memories in cargo's target folder, made where it is not there yet. Not to be written to:
/// work on a [`copy`].
///
/// # Errors
/// As [`store`]'s.
pub fn cached(memories: usize, progress: impl FnMut(usize)) -> Result<PathBuf, String> {
    let folder = folder()?;
    let path = folder.join(format!("memories-{memories}-{EDITION}.db"));
    if !path.exists() {
        // Under another name until it is whole.
        let part = folder.join(format!("part-{}.db", std::process::id()));
        store(&part, memories, progress)?;
        std::fs::rename(&part, &path).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(path)
}

/// Copies the cached store of so many memories to `path`.
///
/// # Errors
/// As [`store`]'s.
pub fn copy(memories: usize, path: &Path) -> Result<(), String> {
    let from = cached(memories, |_| {})?;
    std::fs::copy(from, path).map(drop).map_err(|error| format!("{}: {error}", path.display()))
}

/// The folder for generated stores, in cargo's target folder: the one above this program that cargo has marked.
fn folder() -> Result<PathBuf, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let target = program.ancestors().find(|folder| folder.join("CACHEDIR.TAG").exists());
    let folder = target.ok_or("this program is not in a target folder of cargo's: name a path")?.join("generated");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}
