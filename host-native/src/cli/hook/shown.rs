//! What each session was shown, beside the store: hashes alone, so that a memory that is purged leaves nothing here. Two
//! hooks at once may each write without the other's: then something is shown twice, and nothing is lost.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use ebbtrace_core::{MemoryId, Scope, Timestamp};
use serde::{Deserialize, Serialize};

use super::beside;
use crate::cli::export::target;

/// The form of the file. One of another is begun anew.
const FORMAT: u32 = 1;
/// How many sessions are kept; those that were here longest ago go first.
const SESSIONS: usize = 64;
/// How many marks of a session are kept; the oldest go first.
const MARKS: usize = 256;
/// How long a session is kept, in days since its last hook.
const DAYS: f64 = 30.0;
/// A file of more bytes than this was not written here.
const MOST: u64 = 1 << 20;

/// A version of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Mark(u64);

impl Mark {
    pub(super) fn of(id: &MemoryId, version: u32) -> Self {
        Self(hash(&[id.as_str().as_bytes(), &version.to_le_bytes()]))
    }
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    format: u32,
    sessions: BTreeMap<String, Session>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Session {
    /// When its last hook ran, in milliseconds since 1970.
    at: i64,
    marks: Vec<Mark>,
}

/// What the session at hand was shown.
#[derive(Debug)]
pub(super) struct Shown {
    path: PathBuf,
    kept: Kept,
    /// The key of the session; `None` where the client names none: then nothing is known of it.
    session: Option<String>,
    now: Timestamp,
    changed: bool,
}

impl Shown {
    /// Reads what is known. A file that can't be read is as none.
    pub(super) fn open(store: &Path, scope: &Scope, session: Option<&str>, now: Timestamp) -> Self {
        let path = beside(store);
        let session = session.map(|session| format!("{:016x}", hash(&[scope.as_str().as_bytes(), session.as_bytes()])));
        let mut shown = Self { kept: read(&path), path, session, now, changed: false };
        shown.prune();
        shown
    }

    /// Whether the session was shown this.
    pub(super) fn has(&self, mark: Mark) -> bool {
        let session = self.session.as_ref().and_then(|session| self.kept.sessions.get(session));
        session.is_some_and(|session| session.marks.contains(&mark))
    }

    /// Notes that it is shown this.
    pub(super) fn add(&mut self, mark: Mark) {
        let Some(key) = &self.session else { return };
        let session = self.kept.sessions.entry(key.clone()).or_default();
        session.marks.retain(|known| *known != mark);
        session.marks.push(mark);
        session.at = self.now.0;
        self.changed = true;
    }

    /// Notes that what it was shown is gone from its context.
    pub(super) fn forget(&mut self) {
        let Some(key) = &self.session else { return };
        self.changed |= self.kept.sessions.remove(key).is_some();
    }

    /// Writes it, where there is something new. No file is made in a folder that is not there.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn close(mut self) -> io::Result<()> {
        if !self.changed {
            return Ok(());
        }
        self.prune();
        self.kept.format = FORMAT;
        let text = serde_json::to_vec(&self.kept)?;
        target::write(&self.path, |file| file.write_all(&text))
    }

    fn prune(&mut self) {
        let now = self.now;
        let sessions = &mut self.kept.sessions;
        // A clock that runs backwards makes nothing old.
        sessions.retain(|_, session| now.days_since(Timestamp(session.at)) <= DAYS);
        for session in sessions.values_mut() {
            let over = session.marks.len().saturating_sub(MARKS);
            session.marks.drain(..over);
        }
        while sessions.len() > SESSIONS {
            let oldest = sessions.iter().min_by_key(|(key, session)| (session.at, (*key).clone()));
            let Some(oldest) = oldest.map(|(key, _)| key.clone()) else { break };
            sessions.remove(&oldest);
        }
    }
}

fn read(path: &Path) -> Kept {
    if !fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() <= MOST) {
        return Kept::default();
    }
    let kept = fs::read(path).ok().and_then(|bytes| serde_json::from_slice::<Kept>(&bytes).ok());
    kept.filter(|kept| kept.format == FORMAT).unwrap_or_default()
}

/// FNV-1a over the parts, each ended by a byte that is in no text. What it guards against is chance.
fn hash(parts: &[&[u8]]) -> u64 {
    let bytes = parts.iter().flat_map(|part| part.iter().copied().chain([0xff]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> MemoryId {
        MemoryId::parse("id", text).expect("an id")
    }

    #[test]
    fn a_session_knows_what_it_was_shown_by_version() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = folder.path().join("memory.db");
        let scope = Scope::default();
        let open = |session: &str, days: f64| Shown::open(&store, &scope, Some(session), Timestamp(0).plus_days(days));
        let mut shown = open("a", 0.0);
        shown.add(Mark::of(&id("x"), 1));
        shown.close().expect("written");
        assert!(open("a", 1.0).has(Mark::of(&id("x"), 1)));
        assert!(!open("a", 1.0).has(Mark::of(&id("x"), 2)) && !open("b", 1.0).has(Mark::of(&id("x"), 1)));
        let other = Scope::parse("scope", "other").expect("a scope");
        assert!(!Shown::open(&store, &other, Some("a"), Timestamp(0)).has(Mark::of(&id("x"), 1)));
        assert!(!open("a", 31.0).has(Mark::of(&id("x"), 1)), "30 days and no longer");
        assert!(open("a", -5.0).has(Mark::of(&id("x"), 1)), "a clock that runs backwards");
        let mut shown = open("a", 1.0);
        shown.forget();
        shown.close().expect("written");
        assert!(!open("a", 1.0).has(Mark::of(&id("x"), 1)));
    }

    #[test]
    fn it_stays_small_and_survives_rubbish() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = folder.path().join("memory.db");
        let scope = Scope::default();
        for session in 0..70 {
            let mut shown = Shown::open(&store, &scope, Some(&session.to_string()), Timestamp(session));
            (0..300).for_each(|version| shown.add(Mark::of(&id("x"), version)));
            shown.close().expect("written");
        }
        let session = |name: &str| Shown::open(&store, &scope, Some(name), Timestamp(100));
        assert_eq!(session("69").kept.sessions.len(), SESSIONS);
        assert!(!session("5").has(Mark::of(&id("x"), 299)) && session("6").has(Mark::of(&id("x"), 299)));
        assert!(!session("69").has(Mark::of(&id("x"), 43)) && session("69").has(Mark::of(&id("x"), 44)));
        assert!(fs::metadata(beside(&store)).expect("a file").len() < MOST);
        fs::write(beside(&store), "{\"format\":1,\"sessions\":").expect("rubbish");
        let mut shown = session("69");
        assert!(!shown.has(Mark::of(&id("x"), 299)));
        shown.add(Mark::of(&id("x"), 1));
        shown.close().expect("written");
        assert!(session("69").has(Mark::of(&id("x"), 1)));
    }
}
