//! The command line: every verb over [`Service`], for people and, with `--json`, for programs.

mod args;
mod control;
mod curve;
mod demo;
mod doctor;
mod export;
mod failure;
mod graph;
mod hook;
mod import;
mod instant;
mod journal;
mod open;
mod read;
mod reembed;
mod review;
mod screen;
mod setup;
mod state;
mod write;

use std::{ffi::OsString, path::PathBuf, process::ExitCode, time::Instant};

use clap::{CommandFactory, Parser, error::ErrorKind};
use ebbtrace_core::Timestamp;

use crate::service::Service;

use self::{
    args::{Cli, Global, StoreVerb, Verb},
    failure::Failure,
    open::Models,
    screen::{Ink, Screen},
};

/// Runs the command that `arguments` (the program's name first) spell out: answers on stdout, complaints on stderr,
/// with `--json` both as one object on stdout. The exit code is 0 when done, 1 when refused, 2 for wrong usage.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let started = Instant::now();
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let json = arguments.iter().skip(1).take_while(|argument| *argument != "--").any(|argument| argument == "--json");
    let screen = Screen::new(json);
    match Cli::try_parse_from(&arguments) {
        Ok(Cli { verb: None, .. }) => finish(&screen, help(&screen)),
        Ok(Cli { verb: Some(Verb::Demo), .. }) => finish(&screen, demo::run(screen)),
        // The protocol has stdout for itself: what is wrong goes to stderr, whatever the options say.
        Ok(Cli { verb: Some(Verb::Mcp(args)), global }) => match open::serve(&global, &args) {
            Ok(code) => ExitCode::from(code),
            Err(failure) => {
                finish(&Screen::new(false), Err(failure));
                ExitCode::from(2)
            }
        },
        Ok(Cli { verb: Some(Verb::Doctor), global }) => {
            doctor::run(&global, screen).unwrap_or_else(|failure| finish(&screen, Err(failure)))
        }
        Ok(Cli { verb: Some(Verb::Setup(args)), global }) => finish(&screen, setup::run(&global, &args, screen)),
        Ok(Cli { verb: Some(Verb::Cypher(args)), global }) => finish(&screen, graph::cypher(&global, &args, screen)),
        Ok(Cli { verb: Some(Verb::Copy(args)), global }) => finish(&screen, graph::carry_over(&global, &args, screen)),
        Ok(Cli { verb: Some(Verb::Hook(args)), global }) => hook::run(&global, &args, started),
        Ok(Cli { verb: Some(Verb::Store(verb)), global }) => finish(&screen, with_store(&global, *verb, screen)),
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            let text =
                if screen.is_coloured() { error.render().ansi().to_string() } else { error.render().to_string() };
            finish(&screen, screen.text(&text))
        }
        // A client would take any other exit code for a word against the prompt.
        Err(error) if hook::is_meant(&arguments) => {
            hook::complain(&Failure::usage(&error).to_string());
            ExitCode::SUCCESS
        }
        Err(error) => finish(&screen, Err(Failure::usage(&error))),
    }
}

/// What a verb works with.
struct Call {
    service: Service,
    scope: Option<String>,
    screen: Screen,
    now: Timestamp,
    /// Whether `now` is still to come.
    ahead: bool,
    models: Models,
    /// Where the store would be, when there is none and an empty memory stands in for it.
    missing: Option<PathBuf>,
}

impl Call {
    fn scope(&self) -> Option<&str> {
        self.scope.as_deref()
    }
}

fn help(screen: &Screen) -> Result<(), Failure> {
    if screen.is_json() {
        return Err(Failure::Usage { field: None, reason: "no verb was given".to_owned() });
    }
    let help = Cli::command().render_help();
    screen.text(&if screen.is_coloured() { help.ansi().to_string() } else { help.to_string() })
}

fn with_store(global: &Global, verb: StoreVerb, screen: Screen) -> Result<(), Failure> {
    let call = open::call(global, screen, only_reads(&verb))?;
    if let Some(path) = &call.missing {
        let at = screen::excerpt(&path.display().to_string(), 400);
        screen::complain(&format!("note: there is no store at {at} yet\n"));
    }
    // A look ahead is harmless; what is written carries its date.
    if let (true, Some((verb, instead))) = (call.ahead, writes(&verb)) {
        let (by, then) = (open::ahead_by(call.now), instant::short(call.now));
        screen::complain(&format!(
            "note: --now is {by} ahead of the clock, and {verb} writes: what it changes is dated {then}. {instead}\n"
        ));
    }
    let done = carry_out(&call, verb, global);
    if let Err(error) = call.service.close() {
        screen::complain(&format!("the store did not close cleanly: {error}\n"));
    }
    done
}

/// The name of a verb that changes the store, and what to do where that was not meant. Recall only looks where `--now`
/// is ahead, and review says itself what it refuses.
fn writes(verb: &StoreVerb) -> Option<(&'static str, &'static str)> {
    const LOOK: &str = "To only look ahead there are stats, forecast, recall and maintain --dry-run.";
    match verb {
        StoreVerb::Maintain(args) if !args.dry_run => {
            let undone = "To only look, add --dry-run; maintain without --now sets all of it right again.";
            Some(("maintain", undone))
        }
        StoreVerb::Remember(_) => Some(("remember", LOOK)),
        StoreVerb::Update(_) => Some(("update", LOOK)),
        StoreVerb::Connect(_) => Some(("connect", LOOK)),
        StoreVerb::Reinforce(_) => Some(("reinforce", LOOK)),
        StoreVerb::Forget(_) => Some(("forget", LOOK)),
        StoreVerb::Pin(_) => Some(("pin", LOOK)),
        StoreVerb::Import(_) => Some(("import", LOOK)),
        StoreVerb::TrackFailure(_) => Some(("track-failure", LOOK)),
        StoreVerb::TrackProgress(_) => Some(("track-progress", LOOK)),
        StoreVerb::Handoff(_) => Some(("handoff", LOOK)),
        StoreVerb::Undo(args) if !args.dry_run && args.session.is_some() => Some(("undo", LOOK)),
        // Purge refuses a clock that is ahead.
        StoreVerb::Undo(_) | StoreVerb::Purge(_) | StoreVerb::History(_) | StoreVerb::Journal(_) => None,
        StoreVerb::Recall(_) | StoreVerb::Maintain(_) | StoreVerb::Neighbors(_) | StoreVerb::Forecast(_) => None,
        StoreVerb::Stats(_)
        | StoreVerb::Export(_)
        | StoreVerb::Review(_)
        | StoreVerb::Reembed(_)
        | StoreVerb::Resume(_) => None,
    }
}

/// Whether a verb stores nothing where nothing is stored yet. What a recall or a review writes is about what is there.
fn only_reads(verb: &StoreVerb) -> bool {
    match verb {
        StoreVerb::Recall(_)
        | StoreVerb::Neighbors(_)
        | StoreVerb::Forecast(_)
        | StoreVerb::History(_)
        | StoreVerb::Journal(_)
        | StoreVerb::Stats(_)
        | StoreVerb::Export(_)
        | StoreVerb::Review(_)
        | StoreVerb::Resume(_) => true,
        StoreVerb::Maintain(args) => args.dry_run,
        StoreVerb::Undo(args) => args.dry_run || args.session.is_none(),
        StoreVerb::Import(_)
        | StoreVerb::Remember(_)
        | StoreVerb::Update(_)
        | StoreVerb::Connect(_)
        | StoreVerb::Reinforce(_)
        | StoreVerb::Forget(_)
        | StoreVerb::Pin(_)
        | StoreVerb::TrackFailure(_)
        | StoreVerb::TrackProgress(_)
        | StoreVerb::Handoff(_)
        | StoreVerb::Purge(_)
        | StoreVerb::Reembed(_) => false,
    }
}

fn carry_out(call: &Call, verb: StoreVerb, global: &Global) -> Result<(), Failure> {
    match verb {
        StoreVerb::Remember(args) => write::remember(call, args),
        StoreVerb::Update(args) => write::update(call, args),
        StoreVerb::Connect(args) => write::connect(call, args),
        StoreVerb::Reinforce(args) => write::reinforce(call, &args),
        StoreVerb::Forget(args) => write::forget(call, &args),
        StoreVerb::Pin(args) => write::pin(call, &args),
        StoreVerb::Maintain(args) => write::maintain(call, &args),
        StoreVerb::TrackFailure(args) => state::track_failure(call, args),
        StoreVerb::TrackProgress(args) => state::track_progress(call, args),
        StoreVerb::Handoff(args) => state::handoff(call, args),
        StoreVerb::Resume(args) => state::resume(call, &args),
        StoreVerb::Recall(args) => read::recall(call, args),
        StoreVerb::Neighbors(args) => read::neighbors(call, &args),
        StoreVerb::Forecast(args) => match (args.id, args.within) {
            (Some(id), _) => read::forecast(call, &id),
            (None, within) => control::forecast_within(call, within.unwrap_or(args::WITHIN_DAYS), args.limit),
        },
        StoreVerb::History(args) => control::history(call, &args),
        StoreVerb::Undo(args) => control::undo(call, &args),
        StoreVerb::Journal(args) => journal::run(call, &args),
        StoreVerb::Purge(args) => control::purge(call, &args),
        StoreVerb::Stats(args) => read::stats(call, &args),
        StoreVerb::Review(args) => review::run(call, &args),
        StoreVerb::Import(args) => import::run(call, &args, global.scope.as_deref()),
        StoreVerb::Export(args) => export::run(call, &args, global),
        StoreVerb::Reembed(_) => reembed::run(call),
    }
}

fn finish(screen: &Screen, done: Result<(), Failure>) -> ExitCode {
    let Err(failure) = done else { return ExitCode::SUCCESS };
    if screen.is_json() {
        // Where not even this can be written, the exit code is what is left to say.
        let _ = screen.object(&failure.json());
    } else {
        let label = screen.paint_error(Ink::Red, &format!("error[{}]", failure.code()));
        screen::complain(&format!("{label}: {}\nnext step: {}\n", failure.reason(), failure.next_step()));
    }
    ExitCode::from(failure.exit_code())
}
