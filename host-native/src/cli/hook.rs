//! `hook`: what a coding agent's client runs at the turns of a session, and what of the memory it puts into the model's
//! context then.
//!
//! What a client can rely on:
//! - the exit code is 0, whatever happens: no prompt and no session ever fails on the memory. What is wrong is one line on
//!   stderr;
//! - stdout is empty or at most [`OUTPUT_BYTES`], in the form that the client reads ([`frame`]), and shows stored text
//!   as data;
//! - it ends within [`WITHIN_MS`] of its start, with what was found by then: it waits neither for a store that another
//!   process has for itself, nor for an input that never ends, nor for a slow disk ([`time`]);
//! - the store is only read. What a session was shown is kept beside it ([`shown`]), so that nothing is shown twice.

mod frame;
mod input;
mod prompt;
mod shown;
mod start;
mod time;

use std::{
    io::Write,
    panic::{self, AssertUnwindSafe},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{
        Arc, OnceLock,
        mpsc::{self, RecvTimeoutError, Sender},
    },
    thread,
    time::Instant,
};

use clap::{Args, ValueEnum};
use ebbtrace_core::{Config, Engine, Opener, Scope, StaticModel, Timestamp, redact};

use self::{
    frame::Form,
    input::Input,
    shown::{Mark, Shown},
    time::Time,
};
use super::{args::Global, open, screen, setup::fence};
use crate::{
    embed::EmbedderChoice,
    store::{Glance, ScopeKey, StoreError, StoreKind},
};

/// The most that is printed, in bytes.
const OUTPUT_BYTES: usize = 2_048;

/// How long a hook may take where nobody says, in milliseconds: what is typed waits for it.
const WITHIN_MS: u64 = 270;

/// A handoff that is younger than this, in minutes, needs no reminder.
const FRESH_HANDOFF: f64 = 10.0;

/// `hook`
#[derive(Args, Debug)]
#[command(after_help = "\
The client's JSON is read from stdin, and what belongs in the model's context is printed: at most
2 KB, as data, and nothing that this session was shown already. The exit code is always 0, and the
store is only read. `ebbtrace setup CLIENT --hooks` has the client run them.")]
pub(crate) struct Hook {
    /// When it runs
    #[arg(value_enum)]
    pub(crate) event: Event,
    /// How long it may take; what was found by then is what is shown
    #[arg(long, value_name = "MS", env = "EBBTRACE_HOOK_WITHIN_MS", hide_env_values = true)]
    #[arg(default_value_t = WITHIN_MS, value_parser = clap::value_parser!(u64).range(10..=60_000))]
    within_ms: u64,
}

/// The turns of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Event {
    /// A session starts or goes on: where the last one left off
    SessionStart,
    /// A prompt was typed: the few memories that clearly belong to it
    Prompt,
    /// The context is about to be cut: what the summary is to keep
    PreCompact,
    /// A session ends: nothing is printed, nothing is stored
    SessionEnd,
}

/// Whether the arguments spell out this verb, whatever else is wrong with them: wrong or not, it ends with 0.
pub(super) fn is_meant(arguments: &[std::ffi::OsString]) -> bool {
    let mut arguments = arguments.iter().skip(1).map(|argument| argument.to_string_lossy());
    while let Some(argument) = arguments.next() {
        match argument.as_ref() {
            "--json" | "--help" | "-h" | "--version" | "-V" => {}
            // Every other option takes a value.
            option if option.starts_with("--") => {
                if !option.contains('=') {
                    arguments.next();
                }
            }
            verb => return verb == "hook",
        }
    }
    false
}

/// What the thread that does the work has to say.
enum Word {
    /// This is to be printed.
    Print(String),
    /// This is wrong.
    Wrong(String),
}

/// `hook`, which began at `started`: prints what belongs into the model's context.
pub(super) fn run(global: &Global, hook: &Hook, started: Instant) -> ExitCode {
    // A panic is said in a line as the rest is, once.
    panic::set_hook(Box::new(|_| {}));
    let time = Time::new(started, hook.within_ms);
    let (words, heard) = mpsc::channel();
    let (global, event, json) = (global.clone(), hook.event, global.json);
    // Whoever waits for a page of a mapped file can't look at the clock. So another thread does the work, and is left
    // behind where it takes too long.
    let work = thread::Builder::new().spawn(move || {
        if panic::catch_unwind(AssertUnwindSafe(|| work(&global, event, time, &words))).is_err() {
            let _ = words.send(Word::Wrong("an error of the program itself; nothing was changed".to_owned()));
        }
    });
    if let Err(why) = work {
        complain(&format!("no thread can be started: {why}"));
        return ExitCode::SUCCESS;
    }
    let (mut wrong, mut printed) = (Vec::new(), false);
    loop {
        match heard.recv_timeout(time.left()) {
            Ok(Word::Print(text)) => {
                print(&text, json);
                printed = true;
            }
            Ok(Word::Wrong(why)) => wrong.push(why),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                wrong.push(format!("it was not done within {} ms, and was left off", hook.within_ms));
                break;
            }
        }
    }
    if !printed {
        print("", json);
    }
    if !wrong.is_empty() {
        complain(&wrong.join("; "));
    }
    ExitCode::SUCCESS
}

/// Prints a text; of nothing, where JSON is asked for, an object with nothing in it.
fn print(text: &str, json: bool) {
    let text = if text.is_empty() && json { "{}\n" } else { text };
    let mut out = std::io::stdout().lock();
    // A client that has gone away misses nothing.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

fn work(global: &Global, event: Event, time: Time, words: &Sender<Word>) {
    // Whoever hears none of it has gone.
    let say = |word| words.send(word).is_ok();
    let (input, wrong) = input::read(time.input());
    if let Some(wrong) = wrong {
        say(Word::Wrong(wrong.to_owned()));
    }
    let turn = Turn::new(global, event, input, time);
    let done = turn.and_then(|turn| turn.run(|text| say(Word::Print(text))));
    if let Err(why) = done {
        say(Word::Wrong(why));
    }
}

/// Says on stderr, in one line, what is wrong.
pub(super) fn complain(what: &str) {
    screen::complain(&format!("ebbtrace hook: {}\n", screen::excerpt(&redact::text(what).0, 400)));
}

/// One call of a hook.
struct Turn {
    event: Event,
    input: Input,
    form: Form,
    scope: Scope,
    store: PathBuf,
    now: Timestamp,
    /// Whether the token table is in use.
    table: bool,
    time: Time,
}

impl Turn {
    fn new(global: &Global, event: Event, input: Input, time: Time) -> Result<Self, String> {
        let mut scope = open::scope(global).unwrap_or_else(|| Scope::default().to_string());
        let now = open::now(global).map_err(|failure| failure.to_string())?;
        if global.store != StoreKind::Sqlite {
            return Err(format!("hooks look into a SQLite store, and --store is {}", global.store.as_str()));
        }
        let mut store = open::store_path(global).ok_or("the system names no place for the store")?;
        // Whoever fences a project means every way into it, also that of a hook for all projects.
        let here = input.folder.clone().or_else(|| std::env::current_dir().ok());
        if let Some(here) = here
            && let Some(fence) = fence::around(&here, &scope)?
        {
            scope = fence.scope;
            store = fence.db.unwrap_or(store);
        }
        let scope = Scope::parse("scope", &scope);
        Ok(Self {
            event,
            form: Form::of(&input, event, global.json),
            input,
            scope: scope.map_err(|error| error.to_string())?,
            store,
            now,
            table: global.embedder != EmbedderChoice::None,
            time,
        })
    }

    /// Prints what there is to say; then it is noted that this was shown.
    ///
    /// # Errors
    /// What is wrong, in a sentence.
    fn run(&self, print: impl Fn(String) -> bool) -> Result<(), String> {
        let session = self.input.session.as_deref();
        let mut shown = Shown::new(&self.store, &self.scope, session, self.now, self.time.lock());
        if self.forgets() {
            shown.forget();
        }
        let text = if self.event == Event::SessionEnd { Ok(String::new()) } else { self.look(&mut shown) };
        let (text, wrong) = text.map_or_else(|why| (String::new(), Some(why)), |text| (text, None));
        let noted = if print(self.form.print(&text)) { shown.close() } else { Ok(()) };
        let unnoted =
            noted.err().map(|why| format!("what this session was shown can't be noted, and may be shown again: {why}"));
        let wrong: Vec<String> = unnoted.into_iter().chain(wrong).collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("; ")) }
    }

    /// Whether what the session was shown is no longer in its context.
    fn forgets(&self) -> bool {
        let why = self.input.reason.as_deref();
        match self.event {
            Event::SessionStart | Event::SessionEnd => matches!(why, Some("clear" | "compact")),
            Event::PreCompact => true,
            Event::Prompt => false,
        }
    }

    fn look(&self, shown: &mut Shown) -> Result<String, String> {
        let said = |error: StoreError| format!("{error}; {}", error.next_step());
        let Some(glance) = Glance::open(&self.store, self.time.patience()).map_err(said)? else {
            return Err(format!("there is no store at {} yet", self.store.display()));
        };
        let Some(scope) = glance.scope(self.scope.as_str()).map_err(said)? else { return Ok(String::new()) };
        let desk = Desk { turn: self, glance, scope };
        match self.event {
            Event::SessionStart => start::text(&desk, shown),
            Event::Prompt => {
                if self.table {
                    // It is read in while the store is looked through; where no thread can be had, after that.
                    let _ = thread::Builder::new().spawn(|| drop(table()));
                }
                prompt::text(&desk, shown)
            }
            Event::PreCompact => start::reminder(&desk),
            Event::SessionEnd => Ok(String::new()),
        }
        .map_err(said)
    }
}

/// A turn, and the store it looks into.
struct Desk<'a> {
    turn: &'a Turn,
    glance: Glance,
    scope: ScopeKey,
}

impl Desk<'_> {
    /// An engine over the memories of `keys`, with the edges between them that touch the first `linked`.
    fn engine(&self, keys: &[i64], linked: usize, model: Option<Arc<StaticModel>>) -> Result<Engine, StoreError> {
        let mut opener = self.opener(model);
        let until = self.turn.time.read();
        self.glance.records(self.scope, keys, linked, until, &mut |record| opener.record(record))?;
        Ok(opener.finish(self.glance.revision()?))
    }

    fn opener(&self, model: Option<Arc<StaticModel>>) -> Opener {
        Engine::opener(Config::default(), model)
    }

    /// The token table, where it is in use.
    fn model(&self) -> Option<Arc<StaticModel>> {
        self.turn.table.then(table)
    }

    fn scope_name(&self) -> Option<&str> {
        Some(self.turn.scope.as_str())
    }

    fn mark(&self, memory: &ebbtrace_core::Memory) -> Mark {
        Mark::of(&memory.id, memory.version)
    }

    /// How many bytes a text would take when printed.
    fn printed(&self, text: &str) -> usize {
        self.turn.form.print(text).len()
    }
}

/// The token table, read in once.
fn table() -> Arc<StaticModel> {
    static TABLE: OnceLock<Arc<StaticModel>> = OnceLock::new();
    Arc::clone(TABLE.get_or_init(StaticModel::bundled))
}

/// The path with `.hooks.json` at its end.
fn beside(store: &Path) -> PathBuf {
    let mut name = store.as_os_str().to_owned();
    name.push(".hooks.json");
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verb_is_known_whatever_else_is_wrong() {
        let meant = |arguments: &[&str]| {
            let all: Vec<_> = ["ebbtrace"].iter().chain(arguments).map(std::ffi::OsString::from).collect();
            is_meant(&all)
        };
        assert!(meant(&["hook"]) && meant(&["hook", "no-such"]) && meant(&["--db", "x", "--json", "hook", "prompt"]));
        assert!(meant(&["--scope=a", "hook", "prompt", "--bogus"]));
        assert!(!meant(&["recall", "hook"]) && !meant(&["--db", "hook"]) && !meant(&[]));
    }
}
