//! `hook`: what a coding agent's client runs at the turns of a session, and what of the memory it puts into the model's
//! context then.
//!
//! What a client can rely on:
//! - the exit code is 0, whatever happens: no prompt and no session ever fails on the memory. What is wrong is one line on
//!   stderr;
//! - stdout is empty or at most [`OUTPUT_BYTES`], in the form that the client reads ([`frame`]), and shows stored text
//!   as data;
//! - it waits neither for a store that another process has for itself nor for an input that never ends;
//! - the store is only read. What a session was shown is kept beside it ([`shown`]), so that nothing is shown twice.

mod frame;
mod input;
mod prompt;
mod shown;
mod start;

use std::{
    io::Write,
    panic,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

use clap::{Args, ValueEnum};
use ebbtrace_core::{Config, Engine, Opener, Scope, StaticModel, Timestamp, redact};

use self::{
    frame::Form,
    input::Input,
    shown::{Mark, Shown},
};
use super::{args::Global, open, screen};
use crate::{
    embed::EmbedderChoice,
    store::{Glance, ScopeKey, StoreError},
};

/// The most that is printed, in bytes.
const OUTPUT_BYTES: usize = 2_048;

/// How long a store is waited for that another process has for itself.
const PATIENCE: Duration = Duration::from_millis(100);

/// How long a store is looked through, newest memories first; what was found by then is what is found. One of 100,000
/// memories takes a third of it, where the system has the file in memory.
const LOOK: Duration = Duration::from_millis(200);

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

/// `hook`: prints what belongs into the model's context.
pub(super) fn run(global: &Global, hook: &Hook) -> ExitCode {
    // A panic is said in a line as the rest is, once.
    panic::set_hook(Box::new(|_| {}));
    let done = panic::catch_unwind(|| {
        let (input, mut wrong) = input::read();
        let output = Turn::new(global, hook.event, input).and_then(|turn| turn.run(&mut wrong)).unwrap_or_else(|why| {
            wrong.push(why);
            String::new()
        });
        let output = if output.is_empty() && global.json { "{}\n".to_owned() } else { output };
        // A client that has gone away misses nothing.
        let mut out = std::io::stdout().lock();
        let _ = out.write_all(output.as_bytes()).and_then(|()| out.flush());
        wrong
    });
    match done {
        Ok(wrong) if wrong.is_empty() => {}
        Ok(wrong) => complain(&wrong.join("; ")),
        Err(_) => complain("an error of the program itself; nothing was changed"),
    }
    ExitCode::SUCCESS
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
    started: Instant,
}

impl Turn {
    fn new(global: &Global, event: Event, input: Input) -> Result<Self, String> {
        let scope = open::scope(global);
        let scope = scope.map_or_else(|| Ok(Scope::default()), |scope| Scope::parse("scope", &scope));
        let now = open::now(global).map_err(|failure| failure.to_string())?;
        let store = open::store_path(global).ok_or("there is no file to look into: --store is memory")?;
        Ok(Self {
            event,
            form: Form::of(&input, event, global.json),
            input,
            scope: scope.map_err(|error| error.to_string())?,
            store,
            now,
            table: global.embedder != EmbedderChoice::None,
            started: Instant::now(),
        })
    }

    fn model(&self) -> Option<Arc<StaticModel>> {
        self.table.then(StaticModel::bundled)
    }

    /// What is printed; `wrong` is told what is wrong beside it.
    ///
    /// # Errors
    /// Why nothing is, in a sentence.
    fn run(&self, wrong: &mut Vec<String>) -> Result<String, String> {
        let mut shown = Shown::open(&self.store, &self.scope, self.input.session.as_deref(), self.now);
        if self.forgets() {
            shown.forget();
        }
        let text = if self.event == Event::SessionEnd { Ok(String::new()) } else { self.look(&mut shown) };
        if let Err(why) = shown.close() {
            wrong.push(format!("what this session was shown can't be noted, and may be shown again: {why}"));
        }
        Ok(self.form.print(&text?))
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
        let Some(glance) = Glance::open(&self.store, PATIENCE).map_err(said)? else {
            return Err(format!("there is no store at {} yet", self.store.display()));
        };
        let Some(scope) = glance.scope(self.scope.as_str()).map_err(said)? else { return Ok(String::new()) };
        let desk = Desk { turn: self, glance, scope };
        match self.event {
            Event::SessionStart => start::text(&desk, shown),
            Event::Prompt => prompt::text(&desk, shown),
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
        self.glance.records(self.scope, keys, linked, &mut |record| opener.record(record))?;
        Ok(opener.finish(self.glance.revision()?))
    }

    fn opener(&self, model: Option<Arc<StaticModel>>) -> Opener {
        Engine::opener(Config::default(), model)
    }

    /// When to stop looking through the store.
    fn until(&self) -> Instant {
        self.turn.started + LOOK
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
