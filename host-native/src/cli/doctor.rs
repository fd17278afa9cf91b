//! `doctor`: looks at an installation, says what is wrong and how to mend it, and mends nothing.

mod clients;
mod graph;
mod store;

use std::process::ExitCode;

use serde_json::{Value, json};

use super::{
    args::Global,
    failure::Failure,
    screen::{Ink, Screen},
};

/// What a check came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// All is well.
    Good,
    /// Nothing is wrong; this is how it is.
    Note,
    /// It works, and something about it is not as it should be.
    Warning,
    /// It does not work.
    Broken,
}

impl State {
    fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Broken => "broken",
        }
    }

    fn mark(self) -> (char, Ink) {
        match self {
            Self::Good => ('✓', Ink::Green),
            Self::Note => ('·', Ink::Dim),
            Self::Warning => ('!', Ink::Yellow),
            Self::Broken => ('✗', Ink::Red),
        }
    }
}

/// One thing that was looked at.
#[derive(Debug)]
struct Check {
    name: String,
    state: State,
    says: String,
    /// What to do about it, where there is something to do.
    mend: Option<String>,
}

impl Check {
    fn new(name: impl Into<String>, state: State, says: impl Into<String>) -> Self {
        Self { name: name.into(), state, says: says.into(), mend: None }
    }

    fn mend(self, mend: impl Into<String>) -> Self {
        Self { mend: Some(mend.into()), ..self }
    }

    fn json(&self) -> Value {
        json!({ "name": self.name, "state": self.state.name(), "says": self.says, "mend": self.mend })
    }
}

/// `doctor`; the exit code: 1 where something is broken.
pub(super) fn run(global: &Global, screen: Screen) -> Result<ExitCode, Failure> {
    let mut checks = vec![program()];
    checks.extend(store::checks(global));
    checks.extend(clients::checks(global));
    let broken = checks.iter().filter(|check| check.state == State::Broken).count();
    let answer = json!({ "healthy": broken == 0, "checks": checks.iter().map(Check::json).collect::<Vec<_>>() });
    screen.answer(&answer, || {
        let mut text = String::new();
        for check in &checks {
            let (mark, ink) = check.state.mark();
            let said = screen.wrapped(&format!("{}: {}", check.name, check.says), 2, 6);
            let said = said.strip_prefix("  ").unwrap_or(&said);
            text.push_str(&format!("{} {said}\n", screen.paint(ink, &mark.to_string())));
            if let Some(mend) = &check.mend {
                text.push_str(&format!("{}\n", screen.wrapped(&format!("→ {mend}"), 4, 6)));
            }
        }
        let end = match broken {
            0 => "Nothing is broken.".to_owned(),
            1 => "1 thing is broken.".to_owned(),
            broken => format!("{broken} things are broken."),
        };
        format!("{text}\n{end}")
    })?;
    Ok(if broken == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn program() -> Check {
    let version = env!("CARGO_PKG_VERSION");
    match std::env::current_exe() {
        Ok(path) => Check::new("program", State::Good, format!("ebbtrace {version} at {}", path.display())),
        Err(error) => Check::new("program", State::Warning, format!("ebbtrace {version}; where it is: {error}")),
    }
}
