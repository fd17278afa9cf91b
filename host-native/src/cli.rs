//! The command line: every verb over [`Service`], for people and, with `--json`, for programs.

mod args;
mod curve;
mod demo;
mod export;
mod failure;
mod import;
mod instant;
mod open;
mod read;
mod review;
mod screen;
mod write;

use std::{ffi::OsString, process::ExitCode};

use clap::{CommandFactory, Parser, error::ErrorKind};
use ebbtrace_core::Timestamp;

use crate::service::Service;

use self::{
    args::{Cli, Global, Verb},
    failure::Failure,
    screen::{Ink, Screen},
};

/// Runs the command that `arguments` (the program's name first) spell out: answers on stdout, complaints on stderr,
/// with `--json` both as one object on stdout. The exit code is 0 when done, 1 when refused, 2 for wrong usage.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let json = arguments.iter().skip(1).take_while(|argument| *argument != "--").any(|argument| argument == "--json");
    let screen = Screen::new(json);
    match Cli::try_parse_from(&arguments) {
        Ok(cli) => finish(&screen, run(cli, screen)),
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            let text =
                if screen.is_coloured() { error.render().ansi().to_string() } else { error.render().to_string() };
            finish(&screen, screen.text(&text))
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
}

impl Call {
    fn scope(&self) -> Option<&str> {
        self.scope.as_deref()
    }
}

fn run(cli: Cli, screen: Screen) -> Result<(), Failure> {
    let Cli { global, verb } = cli;
    let Some(verb) = verb else {
        if screen.is_json() {
            return Err(Failure::Usage { field: None, reason: "no verb was given".to_owned() });
        }
        let help = Cli::command().render_help();
        return screen.text(&if screen.is_coloured() { help.ansi().to_string() } else { help.to_string() });
    };
    match verb {
        Verb::Demo => demo::run(screen),
        Verb::Mcp => open::serve(&global),
        Verb::Export(args) => with_service(&global, screen, |call| export::run(call, &args, global.scope.as_deref())),
        verb => with_service(&global, screen, |call| dispatch(call, verb)),
    }
}

fn with_service(
    global: &Global,
    screen: Screen,
    verb: impl FnOnce(&Call) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let call = open::call(global, screen)?;
    let done = verb(&call);
    if let Err(error) = call.service.close() {
        eprintln!("the store did not close cleanly: {error}");
    }
    done
}

fn dispatch(call: &Call, verb: Verb) -> Result<(), Failure> {
    match verb {
        Verb::Remember(args) => write::remember(call, args),
        Verb::Update(args) => write::update(call, args),
        Verb::Connect(args) => write::connect(call, args),
        Verb::Reinforce(args) => write::reinforce(call, &args),
        Verb::Forget(args) => write::forget(call, &args),
        Verb::Pin(args) => write::pin(call, &args),
        Verb::Maintain(args) => write::maintain(call, &args),
        Verb::Recall(args) => read::recall(call, args),
        Verb::Neighbors(args) => read::neighbors(call, &args),
        Verb::Forecast(args) => read::forecast(call, &args),
        Verb::Stats(args) => read::stats(call, &args),
        Verb::Review(args) => review::run(call, &args),
        Verb::Import(args) => import::run(call, &args),
        Verb::Demo | Verb::Mcp | Verb::Export(_) => unreachable!("run() takes these"),
    }
}

fn finish(screen: &Screen, done: Result<(), Failure>) -> ExitCode {
    let Err(failure) = done else { return ExitCode::SUCCESS };
    if screen.is_json() {
        // Where not even this can be written, the exit code is what is left to say.
        let _ = screen.object(&failure.json());
    } else {
        let label = screen.paint_error(Ink::Red, &format!("error[{}]", failure.code()));
        eprintln!("{label}: {failure}\nnext step: {}", failure.next_step());
    }
    ExitCode::from(failure.exit_code())
}
