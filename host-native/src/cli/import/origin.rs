//! Where an imported memory comes from: the file, as the memory's URI keeps it, and which file an id belongs to.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use ebbtrace_core::limits::{ID_BYTES, URI_BYTES};

use super::markdown::decoded;

/// The file of one note.
#[derive(Debug)]
pub(super) struct Origin {
    /// What names it: the folder's name and the path below it.
    pub(super) key: String,
    /// The file itself.
    pub(super) file: PathBuf,
}

/// The Markdown files of an import, by the ids of their first memories.
#[derive(Debug, Default)]
pub(super) struct Origins(HashMap<String, Origin>);

impl Origins {
    /// Notes that the note `key` is this file; the other one that has its id already.
    pub(super) fn insert(&mut self, key: &str, file: &Path) -> Option<&Origin> {
        let id = id(key, "");
        if self.0.contains_key(&id) {
            return self.0.get(&id);
        }
        self.0.insert(id, Origin { key: key.to_owned(), file: file.to_owned() });
        None
    }

    /// Forgets the note `key`.
    pub(super) fn remove(&mut self, key: &str) {
        self.0.remove(&id(key, ""));
    }

    /// The file among them that a memory of that id and URI is a part of.
    pub(super) fn of(&self, id: &str, uri: &str) -> Option<&Origin> {
        let part = || id.rsplit_once('#').and_then(|(id, _)| self.0.get(id));
        // An id that was too long says nothing of its file any more.
        let hashed = id.get(16..17) == Some("~") && id.chars().take(16).all(|c| c.is_ascii_hexdigit());
        let by_uri =
            || self.0.values().filter(|_| hashed).find(|origin| self::uri(&origin.file).as_deref() == Some(uri));
        self.0.get(id).or_else(part).or_else(by_uri)
    }
}

/// The id of a note's memory: its key, and the part of it.
pub(super) fn id(key: &str, anchor: &str) -> String {
    if anchor.is_empty() { fit(key) } else { fit(&format!("{key}#{anchor}")) }
}

/// A path as an id: what an id may not hold is replaced, and one that is too long keeps its end and gets a hash.
fn fit(path: &str) -> String {
    let id: String = path.trim().chars().map(|c| if c.is_control() { '_' } else { c }).collect();
    if id.len() <= ID_BYTES {
        return id;
    }
    // FNV-1a.
    let hash = path
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let tail = &id[id.ceil_char_boundary(id.len() + 17 - ID_BYTES)..];
    format!("{hash:016x}~{}", tail.trim_start())
}

/// A file as a `file:` URI, with letters of every language left readable; `None` where it is too long for one.
pub(super) fn uri(file: &Path) -> Option<String> {
    let path = file.to_string_lossy().replace('\\', "/");
    // Windows spells a path in full as `\\?\C:\notes`.
    let path = path.trim_start_matches("//?/");
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "file:///" });
    for c in path.chars() {
        match c {
            '%' | '#' | '?' | ' ' => uri.push_str(&format!("%{:02X}", u32::from(c))),
            c if c.is_control() => uri.extend(c.to_string().bytes().map(|byte| format!("%{byte:02X}"))),
            c => uri.push(c),
        }
    }
    (uri.len() <= URI_BYTES).then_some(uri)
}

/// The file that a `file:` URI names.
pub(super) fn file(uri: &str) -> Option<PathBuf> {
    let path = decoded(uri.strip_prefix("file://")?);
    Some(PathBuf::from(if cfg!(windows) { path.trim_start_matches('/') } else { &path }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_has_an_id() {
        assert_eq!(fit("notes/a.md#one"), "notes/a.md#one");
        assert_eq!(fit("notes/a\n.md"), "notes/a_.md");
        let (one, two) = (fit(&format!("1/{}", "긴이름".repeat(60))), fit(&format!("2/{}", "긴이름".repeat(60))));
        assert!(one.len() <= ID_BYTES && two.len() <= ID_BYTES && one != two, "{one} {two}");
        assert!(one.ends_with("긴이름"));
    }

    #[cfg(unix)]
    #[test]
    fn a_uri_names_its_file() {
        for path in ["/home/jo/notes/a.md", "/메모/c d#1?.md", "/100%/a\nb.md"] {
            let uri = uri(Path::new(path)).expect("it is short");
            assert!(uri.starts_with("file:///") && !uri.contains([' ', '#', '?', '\n']), "{uri}");
            assert_eq!(file(&uri), Some(PathBuf::from(path)));
        }
        assert_eq!(uri(Path::new(&"/long".repeat(500))), None);
        assert_eq!(file("https://example.org/a.md"), None);
    }

    #[test]
    fn each_memory_has_its_file() {
        let mut origins = Origins::default();
        let long = format!("notes/{}.md", "긴이름".repeat(60));
        assert!(origins.insert("notes/a.md", Path::new("/notes/a.md")).is_none());
        assert!(origins.insert(&long, Path::new("/notes/long.md")).is_none());
        let key = |id: &str, uri: &str| origins.of(id, uri).map(|origin| origin.key.as_str());
        assert_eq!(key("notes/a.md#part", ""), Some("notes/a.md"));
        assert_eq!(key(&id(&long, "part"), "file:///notes/long.md"), Some(&*long));
        assert_eq!(key("other/a.md", "file:///notes/a.md"), None);
        assert_eq!(
            origins.insert("notes/a.md", Path::new("/b/notes/a.md")).map(|one| &*one.file),
            Some(Path::new("/notes/a.md"))
        );
    }
}
