//! Markdown files and folders of them: which files, under which ids, and what links what.

use std::{
    collections::{BTreeMap, HashSet},
    fs,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use ebbtrace_core::{RememberInput, Timestamp};
use serde_json::Value;
use walkdir::{DirEntry, WalkDir};

use super::{
    CLIENT, Call, Failure, Item, Known, Link, Place, Plan,
    front::{self, Front},
    markdown::{self, Target},
    origin,
};

/// A file that was read.
struct Note {
    file: PathBuf,
    front: Front,
    sections: Vec<markdown::Section>,
    at: Timestamp,
}

/// Whether a path names a Markdown file.
pub(super) fn is_markdown(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md") || ending.eq_ignore_ascii_case("markdown"))
}

/// Reads a Markdown file, or every one in a folder and below; hidden ones are passed over.
pub(super) fn read(plan: &mut Plan, path: &Path, call: &Call, known: &Known) -> Result<(), Failure> {
    let unreadable =
        |error: std::io::Error| Failure::Unreadable { path: path.display().to_string(), reason: error.to_string() };
    let full = path.canonicalize().map_err(unreadable)?;
    let root = if full.is_dir() { full.as_path() } else { full.parent().unwrap_or(&full) };
    // Ids start with the folder's own name, from wherever and however it is named.
    let own = || root.file_name().map(|name| name.to_string_lossy().into_owned());
    let prefix = plan.prefix.clone().or_else(own).filter(|prefix| !prefix.is_empty());
    let name = prefix.map_or_else(String::new, |prefix| format!("{prefix}/"));
    let mut notes = BTreeMap::new();
    for file in files(&full, plan) {
        let relative = file.strip_prefix(root).unwrap_or(&file);
        let relative: Vec<String> = relative.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let key = format!("{name}{}", relative.join("/"));
        if !is_new(plan, known, &key, &file)? {
            continue;
        }
        match note(&file, call.now) {
            Ok(note) => {
                plan.notices.extend(note.front.notices.iter().map(|notice| format!("{key}: {notice}")));
                if note.sections.is_empty() {
                    plan.notices.push(format!("{key} is empty and was passed over"));
                }
                notes.insert(key, note);
            }
            Err(reason) => {
                // Nobody knows what it says now: what it said before stays.
                plan.notes.remove(&key);
                plan.notices.push(format!("{key} was passed over: {reason}"));
            }
        }
    }
    plan.files += notes.len();
    for (key, note) in &notes {
        add(plan, key, note, &Lookup { notes: &notes, known });
    }
    Ok(())
}

/// Whether a file has not been read in this import yet.
///
/// # Errors
/// That the id it would have is another file's, now or from an import before.
fn is_new(plan: &mut Plan, known: &Known, key: &str, file: &Path) -> Result<bool, Failure> {
    let collision = |other: &Path| Failure::IdCollision {
        id: origin::id(key, ""),
        file: file.display().to_string(),
        other: other.display().to_string(),
    };
    if let Some(other) = plan.notes.insert(key, file) {
        return if other.file == file { Ok(false) } else { Err(collision(&other.file)) };
    }
    // A file that is gone has moved here; one that is there still is another.
    let before = known.uris.get(&origin::id(key, "")).and_then(|uri| origin::file(uri));
    match before.filter(|other| other != file && other.is_file()) {
        Some(other) => Err(collision(&other)),
        None => Ok(true),
    }
}

/// The files in the order of their names; each folder once, whatever links to it. A link out of the folder is passed over:
/// whoever gave the folder may not know where it leads, and what it leads to would be an agent's to read.
fn files(path: &Path, plan: &mut Plan) -> Vec<PathBuf> {
    let mut visited: HashSet<PathBuf> = HashSet::new();
    let mut files = Vec::new();
    let hidden = |entry: &DirEntry| entry.depth() > 0 && entry.file_name().to_string_lossy().starts_with('.');
    let mut walk = WalkDir::new(path).follow_links(true).sort_by_file_name().into_iter();
    while let Some(entry) = walk.next() {
        match entry {
            Ok(entry) if leads_out(&entry, path) => {
                if entry.file_type().is_dir() {
                    walk.skip_current_dir();
                }
                if entry.file_type().is_dir() || is_markdown(entry.path()) {
                    let link = entry.path().strip_prefix(path).unwrap_or(entry.path());
                    plan.notices.push(format!("passed over: {} leads out of the folder", link.display()));
                    plan.outside += 1;
                }
            }
            Ok(entry) if hidden(&entry) => {
                if entry.file_type().is_dir() {
                    walk.skip_current_dir();
                }
            }
            Ok(entry) if entry.file_type().is_dir() => {
                let real = entry.path().canonicalize().unwrap_or_else(|_| entry.path().to_owned());
                if !visited.insert(real) {
                    walk.skip_current_dir();
                }
            }
            Ok(entry) if entry.file_type().is_file() && is_markdown(entry.path()) => files.push(entry.into_path()),
            Ok(_) => {}
            // A link that leads back to a folder around it; what it leads to is read anyway.
            Err(error) if error.loop_ancestor().is_some() => {}
            Err(error) => plan.notices.push(format!("passed over: {error}")),
        }
    }
    files
}

/// Whether an entry is a symbolic link to what is not below `root`, which has no links in it.
fn leads_out(entry: &DirEntry, root: &Path) -> bool {
    // Where nobody can say where it leads, it is not followed either.
    entry.path_is_symlink() && entry.path().canonicalize().map_or(true, |real| !real.starts_with(root))
}

fn note(file: &Path, now: Timestamp) -> Result<Note, String> {
    let bytes = fs::read(file).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).map_err(|error| format!("it is not UTF-8 ({error})"))?;
    let (front, body) = front::split(&text);
    let sections = markdown::sections(body, front.title.as_deref());
    Ok(Note { file: file.to_owned(), at: modified(file, now), front, sections })
}

/// When a file was last changed; a time that is still to come, or none, counts as now.
fn modified(file: &Path, now: Timestamp) -> Timestamp {
    let since = fs::metadata(file)
        .and_then(|found| found.modified())
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
        .and_then(|since| i64::try_from(since.as_millis()).ok());
    since.map_or(now, Timestamp).min(now)
}

fn add(plan: &mut Plan, key: &str, note: &Note, lookup: &Lookup) {
    let place = Place { file: key.into(), line: 0 };
    let mut lost = Vec::new();
    for section in &note.sections {
        let id = origin::id(key, &section.anchor);
        let mut metadata = note.front.metadata.clone();
        if let (true, Some(heading)) = (note.sections.len() > 1, &section.heading) {
            metadata.entry("heading").or_insert_with(|| Value::String(heading.clone()));
        }
        let input = RememberInput {
            scope: plan.scope.clone(),
            id: Some(id.clone()),
            content: section.content.clone(),
            kind: note.front.kind.clone(),
            category: note.front.category.clone(),
            importance: note.front.importance,
            tags: note.front.tags.clone(),
            metadata,
            session: (note.sections.len() > 1).then(|| origin::id(key, "")),
            client: Some(CLIENT.to_owned()),
            uri: origin::uri(&note.file),
            occurred_at: Some(note.front.occurred_at.unwrap_or(note.at)),
            ..RememberInput::default()
        };
        plan.items.push(Item { place: place.clone(), input, at: Some(note.at) });
        for target in &section.targets {
            match lookup.find(key, target) {
                Found::Memory(to) => {
                    plan.links.push(Link { place: place.clone(), from: id.clone(), to, at: note.at });
                }
                Found::Nothing => lost.push(target.to.clone()),
                Found::OtherFile => {}
            }
        }
    }
    if !lost.is_empty() {
        plan.notices.push(format!("{key} links to what isn't there: {}", lost.join(", ")));
    }
}

/// What links can lead to.
struct Lookup<'a> {
    notes: &'a BTreeMap<String, Note>,
    known: &'a Known,
}

enum Found {
    /// A memory, by its id.
    Memory(String),
    /// A file that is no note.
    OtherFile,
    /// Nothing.
    Nothing,
}

impl Lookup<'_> {
    fn find(&self, from: &str, target: &Target) -> Found {
        let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        let key = if target.to.is_empty() {
            Some(from.to_owned())
        } else if target.wiki {
            self.by_name(folder, &target.to)
        } else {
            self.by_path(folder, &target.to)
        };
        let Some(key) = key else {
            let path = Path::new(&target.to);
            // `[[name]]` means a note; a path without `.md` may mean anything beside the notes.
            let other = !is_markdown(path) && (!target.wiki || path.extension().is_some());
            return if other { Found::OtherFile } else { Found::Nothing };
        };
        let section = self.notes.get(&key).and_then(|note| {
            note.sections.iter().find(|section| section.anchor == target.anchor).map(|section| section.anchor.as_str())
        });
        Found::Memory(origin::id(&key, section.unwrap_or_default()))
    }

    /// The note at a path relative to `folder`.
    fn by_path(&self, folder: &str, path: &str) -> Option<String> {
        let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
        for part in path.split(['/', '\\']) {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop()?),
                part => parts.push(part),
            }
        }
        let key = parts.join("/");
        [format!("{key}.md"), format!("{key}.markdown"), key].into_iter().find(|key| self.holds(key))
    }

    /// The note of that name: by its path from here or from anywhere, else by its file's name, the nearest first, else by
    /// another name that its front matter gives it.
    fn by_name(&self, folder: &str, name: &str) -> Option<String> {
        if let Some(key) = self.by_path(folder, name) {
            return Some(key);
        }
        let wanted = format!("/{}", name.trim_start_matches('/').to_lowercase());
        let fits = |key: &&String| {
            let key = format!("/{}", key.to_lowercase());
            let stem = key.strip_suffix(".md").or_else(|| key.strip_suffix(".markdown")).unwrap_or(&key);
            key.ends_with(&wanted) || stem.ends_with(&wanted)
        };
        let distance = |key: &&String| {
            let here = key.rsplit_once('/').is_none_or(|(other, _)| other == folder);
            (!here, key.matches('/').count(), (*key).clone())
        };
        let named =
            |(_, note): &(&String, &Note)| note.front.aliases.iter().any(|alias| alias.to_lowercase() == wanted[1..]);
        let by_alias = || self.notes.iter().filter(named).map(|(key, _)| key).min_by_key(distance);
        let here = self.notes.keys().filter(fits).min_by_key(distance).or_else(by_alias).cloned();
        here.or_else(|| self.known.aliases.get(&wanted[1..]).cloned())
    }

    fn holds(&self, key: &str) -> bool {
        self.notes.get(key).is_some_and(|note| !note.sections.is_empty())
            || self.known.ids.contains(&origin::id(key, ""))
    }
}
