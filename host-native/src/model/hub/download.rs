//! One file from a hub to its place: into a file of this process's own first, checked, then renamed. So a file that is
//! there is whole, and two processes that fetch it do each other no harm.

use std::{
    fs::{self, File},
    io::{Read, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressStyle};
use sha2::{Digest, Sha256};
use ureq::http::{StatusCode, header};

use super::{
    Trouble,
    request::{Found, Hub},
};
use crate::model::checkpoint::hex;

/// How often a connection that breaks off is taken up again where it broke.
const TRIES: usize = 4;

/// What the names of unfinished files end with.
pub(super) const PART: &str = ".part";

/// One file to fetch.
pub(super) struct Download<'a> {
    /// Where it goes.
    pub(super) folder: &'a Path,
    /// Its path in the model.
    pub(super) name: &'a str,
    /// Whether the model can't do without.
    pub(super) needed: bool,
    /// The sha256 that it must have, where one is known without the hub.
    pub(super) pinned: Option<&'a str>,
}

/// A file as far as it is fetched.
struct Part {
    path: PathBuf,
    file: File,
    sum: Sha256,
    length: u64,
}

impl Download<'_> {
    /// Fetches it; what the model has not and can do without is passed over.
    pub(super) fn run(&self, hub: &mut Hub) -> Result<(), Trouble> {
        let Some(found) = hub.ask(self.name, 0).map_err(Trouble::Plain)? else {
            let place = hub.place(self.name);
            return if self.needed { Err(Trouble::Plain(format!("the hub has no {place}"))) } else { Ok(()) };
        };
        let mut part = Part::new(self.folder, self.name).map_err(Trouble::Plain)?;
        let done = self.whole(hub, found, &mut part).and_then(|()| part.place(&self.folder.join(self.name)));
        if done.is_err() {
            // It is of no use to anyone, and swept away later if it can't be now.
            let _ = fs::remove_file(&part.path);
        }
        done
    }

    /// Reads to the end, over as many connections as it takes, and checks what came.
    fn whole(&self, hub: &mut Hub, mut found: Found, part: &mut Part) -> Result<(), Trouble> {
        let expected = self.pinned.map(str::to_owned).or_else(|| found.sha256.clone());
        let size = length(&found);
        let bar = bar(self.name, size);
        for left in (0..TRIES).rev() {
            // A server that does not know ranges begins anew.
            if found.response.status() != StatusCode::PARTIAL_CONTENT && part.length > 0 {
                part.restart()?;
            }
            let broken = part.take(found.response.body_mut().as_reader(), &bar)?;
            let short = size.is_some_and(|size| part.length < size);
            let Some(reason) = broken.or_else(|| short.then(|| "the connection ended early".to_owned())) else { break };
            if left == 0 {
                return Err(Trouble::Plain(format!("{}: {reason}", found.url)));
            }
            std::thread::sleep(Duration::from_millis(200));
            let again = hub.ask(self.name, part.length).map_err(Trouble::Plain)?;
            found = again.ok_or_else(|| Trouble::Plain(format!("the hub has no {} any more", hub.place(self.name))))?;
        }
        bar.finish_and_clear();
        let actual = hex(&part.sum.clone().finalize());
        match expected.filter(|expected| *expected != actual) {
            Some(expected) => Err(Trouble::Sum { expected, actual }),
            None => Ok(()),
        }
    }
}

impl Part {
    fn new(folder: &Path, name: &str) -> Result<Self, String> {
        let mut random = [0; 8];
        getrandom::fill(&mut random).map_err(|error| error.to_string())?;
        let path = folder.join(format!(".{}.{}{PART}", name.replace('/', "-"), hex(&random)));
        let file = File::create_new(&path).map_err(|error| format!("{} can't be made: {error}", path.display()))?;
        Ok(Self { path, file, sum: Sha256::new(), length: 0 })
    }

    /// Writes what comes; why the connection broke off, where it did.
    fn take(&mut self, mut body: impl Read, bar: &ProgressBar) -> Result<Option<String>, Trouble> {
        let mut buffer = vec![0; 64 * 1_024];
        loop {
            let read = match body.read(&mut buffer) {
                Ok(0) => return Ok(None),
                Ok(read) => read,
                Err(error) => return Ok(Some(error.to_string())),
            };
            self.file.write_all(&buffer[..read]).map_err(|error| self.unwritable(&error))?;
            self.sum.update(&buffer[..read]);
            self.length += read as u64;
            bar.set_position(self.length);
        }
    }

    fn restart(&mut self) -> Result<(), Trouble> {
        self.file = File::create(&self.path).map_err(|error| self.unwritable(&error))?;
        (self.sum, self.length) = (Sha256::new(), 0);
        Ok(())
    }

    /// Puts it where it belongs, whole.
    fn place(&self, to: &Path) -> Result<(), Trouble> {
        self.file.sync_all().map_err(|error| self.unwritable(&error))?;
        if let Some(parent) = to.parent() {
            fs::create_dir_all(parent).map_err(|error| self.unwritable(&error))?;
        }
        match fs::rename(&self.path, to) {
            // Another process was faster and has it open, where the system minds that: it is the same file.
            Err(_) if to.is_file() => {
                let _ = fs::remove_file(&self.path);
                Ok(())
            }
            renamed => renamed.map_err(|error| self.unwritable(&error)),
        }
    }

    fn unwritable(&self, error: &std::io::Error) -> Trouble {
        Trouble::Plain(format!("{} can't be written: {error}", self.path.display()))
    }
}

/// How many bytes the file has, where the hub says so and sends it as it is.
fn length(found: &Found) -> Option<u64> {
    let headers = found.response.headers();
    if headers.contains_key(header::CONTENT_ENCODING) {
        return None;
    }
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Drawn on stderr, and only where that is a terminal.
fn bar(name: &str, size: Option<u64>) -> ProgressBar {
    let bar = size.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    if let Ok(style) = ProgressStyle::with_template("{msg} {bar:40} {bytes} of {total_bytes}, {eta} left") {
        bar.set_style(style);
    }
    bar.with_message(format!("fetching {name}"))
}
