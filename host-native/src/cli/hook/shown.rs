//! What each session was shown, beside the store: hashes alone, so that a memory that is purged leaves nothing here.
//!
//! Clients run the hooks of one turn at once. Whoever decides what to show holds the file's lock from before it reads to
//! after it has written; it is taken late, when all that takes long is done. The file is written in place, and only where
//! it is a file of its own: nothing is ever written through a link, nor to a pipe.

use std::{
    collections::BTreeMap,
    fs::{self, File, TryLockError},
    io::{self, Read, Seek, Write},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use ebbtrace_core::{MemoryId, Scope, Timestamp};
use serde::{Deserialize, Serialize};

use super::beside;

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

/// What the session at hand was shown. Nothing is read before it is asked for.
#[derive(Debug)]
pub(super) struct Shown {
    path: PathBuf,
    /// The key of the session; `None` where the client names none: then nothing is known of it.
    session: Option<String>,
    now: Timestamp,
    /// How long other hooks are waited for.
    until: Instant,
    /// Whether what it was shown is gone from its context.
    forgets: bool,
    begun: Option<Begun>,
}

/// What was read, and how it can be written.
#[derive(Debug)]
struct Begun {
    kept: Kept,
    /// The file, locked; `None` where there is none and none is to be made; or why it can't be written.
    file: io::Result<Option<File>>,
    changed: bool,
}

impl Shown {
    pub(super) fn new(store: &Path, scope: &Scope, session: Option<&str>, now: Timestamp, until: Instant) -> Self {
        let session = session.map(|session| format!("{:016x}", hash(&[scope.as_str().as_bytes(), session.as_bytes()])));
        Self { path: beside(store), session, now, until, forgets: false, begun: None }
    }

    /// What it was shown is gone from its context.
    pub(super) fn forget(&mut self) {
        self.forgets = true;
    }

    /// Whether the session was shown this. From here to the end, other hooks wait.
    pub(super) fn has(&mut self, mark: Mark) -> bool {
        let Some(session) = self.session.clone() else { return false };
        self.begin(true).kept.sessions.get(&session).is_some_and(|session| session.marks.contains(&mark))
    }

    /// Notes that it is shown this.
    pub(super) fn add(&mut self, mark: Mark) {
        let (Some(key), now) = (self.session.clone(), self.now) else { return };
        let begun = self.begin(true);
        let session = begun.kept.sessions.entry(key).or_default();
        session.marks.retain(|known| *known != mark);
        session.marks.push(mark);
        session.at = now.0;
        begun.changed = true;
    }

    /// Writes it, where there is something new. No file is made for nothing, nor in a folder that is not there.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn close(mut self) -> io::Result<()> {
        if self.forgets && self.session.is_some() {
            self.begin(false);
        }
        let Some(mut begun) = self.begun else { return Ok(()) };
        if !begun.changed {
            return Ok(());
        }
        let Some(mut file) = begun.file? else { return Ok(()) };
        begun.kept.prune(self.now);
        begun.kept.format = FORMAT;
        let text = serde_json::to_vec(&begun.kept)?;
        // A half of it is as none: then something is shown twice.
        file.rewind()?;
        file.write_all(&text)?;
        file.set_len(text.len() as u64)
    }

    /// Takes the lock and reads what is known, once. A file that can't be read is as none.
    fn begin(&mut self, make: bool) -> &mut Begun {
        let Self { path, session, now, until, forgets, begun } = self;
        begun.get_or_insert_with(|| {
            let mut file = open(path, make);
            let mut bytes = Vec::new();
            if let Ok(Some(open)) = &mut file {
                let locked = lock(open, *until);
                let read = read(open, &mut bytes);
                if let Err(why) = locked.and(read) {
                    file = Err(why);
                }
            } else if let Err(why) = &file
                && why.kind() == io::ErrorKind::PermissionDenied
            {
                // It may still be read.
                let _ = File::open(&path).and_then(|mut file| read(&mut file, &mut bytes));
            }
            let mut kept = serde_json::from_slice::<Kept>(&bytes).ok().filter(|kept| kept.format == FORMAT);
            let kept = kept.get_or_insert_default();
            kept.prune(*now);
            let forgotten = *forgets && session.as_ref().is_some_and(|key| kept.sessions.remove(key).is_some());
            Begun { kept: std::mem::take(kept), file, changed: forgotten }
        })
    }
}

impl Kept {
    fn prune(&mut self, now: Timestamp) {
        let sessions = &mut self.sessions;
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

/// Opens the file to be read and written, or makes it, such that only its owner can read it; `None` where there is none
/// and none is to be made.
fn open(path: &Path, make: bool) -> io::Result<Option<File>> {
    let foreign = |what: &str| io::Error::other(format!("{} is {what}", path.display()));
    // Another hook may make it between two looks.
    for _ in 0..3 {
        match fs::symlink_metadata(path) {
            Ok(found) if found.is_symlink() => return Err(foreign("a symbolic link")),
            Ok(found) if !found.is_file() => return Err(foreign("no file")),
            Ok(found) => {
                let file = File::options().read(true).write(true).open(path)?;
                // What it was when it was looked at, and under no other name.
                #[cfg(unix)]
                {
                    use std::os::unix::fs::MetadataExt;
                    let opened = file.metadata()?;
                    if (opened.dev(), opened.ino()) != (found.dev(), found.ino()) {
                        continue;
                    }
                    if opened.nlink() > 1 {
                        return Err(foreign("a file of several names"));
                    }
                }
                #[cfg(not(unix))]
                let _ = found;
                return Ok(Some(file));
            }
            Err(why) if why.kind() != io::ErrorKind::NotFound => return Err(why),
            Err(_) if !make => return Ok(None),
            Err(_) => {
                let mut options = File::options();
                options.read(true).write(true).create_new(true);
                #[cfg(unix)]
                std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
                match options.open(path) {
                    Err(why) if why.kind() == io::ErrorKind::AlreadyExists => {}
                    made => return made.map(Some),
                }
            }
        }
    }
    Err(foreign("never twice the same"))
}

/// Waits for other hooks; the system gives the lock back when the file is closed, however its process ends.
fn lock(file: &File, until: Instant) -> io::Result<()> {
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if Instant::now() < until => thread::sleep(Duration::from_millis(1)),
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "another hook holds the file"));
            }
            // A file system without locks.
            Err(TryLockError::Error(_)) => return Ok(()),
        }
    }
}

fn read(file: &mut File, bytes: &mut Vec<u8>) -> io::Result<()> {
    if file.metadata()?.len() <= MOST {
        file.take(MOST).read_to_end(bytes)?;
    }
    Ok(())
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
        let until = Instant::now();
        let open =
            |session: &str, days: f64| Shown::new(&store, &scope, Some(session), Timestamp(0).plus_days(days), until);
        let mut shown = open("a", 0.0);
        shown.add(Mark::of(&id("x"), 1));
        shown.close().expect("written");
        assert!(open("a", 1.0).has(Mark::of(&id("x"), 1)));
        assert!(!open("a", 1.0).has(Mark::of(&id("x"), 2)) && !open("b", 1.0).has(Mark::of(&id("x"), 1)));
        let other = Scope::parse("scope", "other").expect("a scope");
        assert!(!Shown::new(&store, &other, Some("a"), Timestamp(0), until).has(Mark::of(&id("x"), 1)));
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
        let until = Instant::now();
        for session in 0..70 {
            let mut shown = Shown::new(&store, &scope, Some(&session.to_string()), Timestamp(session), until);
            (0..300).for_each(|version| shown.add(Mark::of(&id("x"), version)));
            shown.close().expect("written");
        }
        let session = |name: &str| Shown::new(&store, &scope, Some(name), Timestamp(100), until);
        assert_eq!(session("69").begin(false).kept.sessions.len(), SESSIONS);
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
