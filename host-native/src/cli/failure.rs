//! Every way a verb can end without having done what was asked.

use ebbtrace_core::{Error, limits};
use serde_json::{Value, json};

use crate::{
    mcp::text::told,
    model::ModelError,
    service::ServiceError,
    store::{CopyError, StoreError},
};

/// Why a verb was not carried out. Each says the argument at fault, what is wrong, and what to do now.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The memory refused, or could not be reached.
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// A memory could not be copied from one store to another.
    #[error(transparent)]
    Copy(#[from] CopyError),
    /// Decisions are a person's: they are taken at a terminal.
    #[error("{verb} needs a terminal: a person decides what may go, and stdin is not one's keyboard")]
    NeedsTerminal {
        /// approve, keep, pin or restore.
        verb: &'static str,
    },
    /// A person was asked and did not say yes.
    #[error("{id} was not approved: the answer was not yes")]
    NotConfirmed {
        /// The memory.
        id: String,
    },
    /// Nobody is there to be asked.
    #[error("{verb} asks before it changes anything, and stdin is not a person's keyboard")]
    NeedsYes {
        /// undo or purge.
        verb: &'static str,
    },
    /// No session of that name wrote here.
    #[error("{missing}{}", latest(known))]
    UnknownSession {
        /// What the memory said.
        missing: Error,
        /// The sessions there are, the latest first; not all where there are many.
        known: Vec<String>,
    },
    /// A person was asked about an undo or a purge and did not say yes.
    #[error("{verb} was not done: the answer was not yes")]
    NotAgreed {
        /// undo or purge.
        verb: &'static str,
    },
    /// What can't be undone is not done by a clock that is ahead.
    #[error("now is {by} ahead of the clock; what may be deleted is decided by the present")]
    ClockAhead {
        /// How far, in words.
        by: String,
    },
    /// A value is not what its option takes.
    #[error("{field} is {value:?}; {reason}")]
    BadValue {
        /// The option.
        field: &'static str,
        /// What came, cut to 60 characters.
        value: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The verb was called with nothing to do.
    #[error("there is nothing to change: no option says what")]
    NothingToDo,
    /// A file or folder can't be read.
    #[error("{path} can't be read: {reason}")]
    Unreadable {
        /// Where it is.
        path: String,
        /// What the system said.
        reason: String,
    },
    /// A file can't be written.
    #[error("{path} can't be written: {reason}")]
    Unwritable {
        /// Where it is.
        path: String,
        /// What the system said.
        reason: String,
    },
    /// A client's configuration can't be edited.
    #[error("{path} is left as it is: {reason}. What belongs into it: {add}")]
    ForeignConfig {
        /// Where it is.
        path: String,
        /// Why.
        reason: String,
        /// What to add to it, as JSON.
        add: String,
    },
    /// An export would be written over a store.
    #[error("{path} is a store, or a part of one: an export written there would destroy it")]
    OutputIsStore {
        /// Where it is.
        path: String,
    },
    /// A line or section of what is imported is broken.
    #[error("{place}: {reason}")]
    BrokenInput {
        /// The file, with the line where it is known.
        place: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A line names another scope than the command does.
    #[error("{place} is of the scope {found:?}, and --scope is {asked:?}")]
    OtherScope {
        /// The file and the line.
        place: String,
        /// The scope that the line names.
        found: String,
        /// The scope that was asked for.
        asked: String,
    },
    /// Two files would have one id.
    #[error("{file} would be {id}, and {other} is that")]
    IdCollision {
        /// The id.
        id: String,
        /// The file that was to be imported.
        file: String,
        /// The one that has the id.
        other: String,
    },
    /// An export was written by a newer version.
    #[error("{path} has export format {found}; this Ebbtrace reads up to {known}")]
    NewerExport {
        /// The file.
        path: String,
        /// The format it has.
        found: u64,
        /// The newest format known here.
        known: u64,
    },
    /// What was typed is no command.
    #[error("{reason}")]
    Usage {
        /// The argument at fault, where one is.
        field: Option<String>,
        /// What is wrong.
        reason: String,
    },
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Service(error.into())
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Service(error.into())
    }
}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        Self::Service(error.into())
    }
}

impl Failure {
    /// A stable code for programs.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Service(error) => error.code(),
            Self::Copy(error) => error.code(),
            Self::UnknownSession { missing, .. } => missing.code(),
            Self::NeedsTerminal { .. } => "needs_terminal",
            Self::NotConfirmed { .. } | Self::NotAgreed { .. } => "not_confirmed",
            Self::NeedsYes { .. } => "needs_yes",
            Self::ClockAhead { .. } => "clock_ahead",
            Self::BadValue { .. } => "bad_value",
            Self::NothingToDo => "nothing_to_do",
            Self::Unreadable { .. } => "unreadable",
            Self::Unwritable { .. } => "unwritable",
            Self::ForeignConfig { .. } => "config_unreadable",
            Self::OutputIsStore { .. } => "output_is_store",
            Self::BrokenInput { .. } => "broken_input",
            Self::OtherScope { .. } => "other_scope",
            Self::IdCollision { .. } => "id_collision",
            Self::NewerExport { .. } => "newer_export",
            Self::Usage { .. } => "usage",
        }
    }

    /// The argument at fault, where one is.
    pub(crate) fn field(&self) -> Option<&str> {
        match self {
            Self::Service(ServiceError::Refused(error)) => Some(error.field()),
            Self::UnknownSession { missing, .. } => Some(missing.field()),
            Self::Service(ServiceError::Store(StoreError::Cypher { .. })) => Some("cypher"),
            Self::Service(ServiceError::Store(StoreError::NotBuilt { .. })) => Some("store"),
            Self::Copy(_) => Some("to"),
            Self::Service(ServiceError::Store(_)) => Some("db"),
            Self::Service(ServiceError::Model(ModelError::Unknown { field, .. })) => Some(field),
            Self::Service(ServiceError::Model(_)) => Some("embedder"),
            Self::Service(_) | Self::NeedsTerminal { .. } | Self::NothingToDo => None,
            Self::NeedsYes { .. } | Self::NotAgreed { .. } => Some("yes"),
            Self::NotConfirmed { .. } => Some("id"),
            Self::ClockAhead { .. } => Some("now"),
            Self::OtherScope { .. } => Some("scope"),
            Self::BadValue { field, .. } => Some(field),
            Self::Unreadable { .. }
            | Self::ForeignConfig { .. }
            | Self::BrokenInput { .. }
            | Self::IdCollision { .. }
            | Self::NewerExport { .. } => Some("path"),
            Self::Unwritable { .. } | Self::OutputIsStore { .. } => Some("output"),
            Self::Usage { field, .. } => field.as_deref(),
        }
    }

    /// What to do now, in a sentence.
    pub(crate) fn next_step(&self) -> &'static str {
        match self {
            Self::Service(error) => error.next_step(),
            Self::Copy(error) => error.next_step(),
            Self::UnknownSession { missing, .. } => missing.next_step(),
            Self::NeedsTerminal { .. } => "Ask a person to run `ebbtrace review` at a terminal.",
            Self::NotConfirmed { .. } => {
                "Nothing was changed. Approve again and type yes, or keep it: `ebbtrace review keep ID`."
            }
            Self::NeedsYes { .. } => {
                "Nothing was changed. Look with --dry-run, then call again with --yes, or at a terminal."
            }
            Self::NotAgreed { .. } => "Nothing was changed. Call again and type yes where that is what you want.",
            Self::ClockAhead { .. } => "Call again without --now; with it, `ebbtrace review --list` shows what waits.",
            Self::BadValue { .. } => "Call again with an allowed value.",
            Self::NothingToDo => "Name what to change; `ebbtrace help update` lists the options.",
            Self::Unreadable { .. } => "Nothing was written. Check the path and its permissions, and call again.",
            Self::ForeignConfig { .. } => {
                "Nothing was written. Mend the file and call again, or add that by hand, in the file's own form."
            }
            Self::Unwritable { .. } => "Check the path and its permissions; an older file there is as it was.",
            Self::OutputIsStore { .. } => "Nothing was written. Name another file, such as -o backup.jsonl.",
            Self::BrokenInput { .. } => "Mend that place and import again; nothing was imported.",
            Self::OtherScope { .. } => {
                "Nothing was imported. Leave out --scope, and each line goes to the scope that it names."
            }
            Self::IdCollision { .. } => {
                "Nothing was imported. Import this folder by itself with --prefix NAME: its ids then start with that."
            }
            Self::NewerExport { .. } => "Nothing was imported. Update Ebbtrace to the version that wrote the export.",
            Self::Usage { .. } => "`ebbtrace help` shows the verbs, `ebbtrace help VERB` one of them with its options.",
        }
    }

    /// What is wrong, in words: a secret that came in an argument or a file is not said again, nor is what would steer a
    /// terminal.
    pub(crate) fn reason(&self) -> String {
        told(&self.to_string())
    }

    /// The exit code: 2 for wrong usage, else 1.
    pub(crate) fn exit_code(&self) -> u8 {
        if matches!(self, Self::Usage { .. }) { 2 } else { 1 }
    }

    /// The failure as the one object that `--json` prints.
    pub(crate) fn json(&self) -> Value {
        json!({ "error": {
            "code": self.code(),
            "field": self.field(),
            "reason": self.reason(),
            "next_step": self.next_step(),
        }})
    }

    /// What clap found wrong, without its colours and its help.
    pub(crate) fn usage(error: &clap::Error) -> Self {
        use clap::error::{ContextKind, ContextValue};
        let field = match error.get(ContextKind::InvalidArg) {
            Some(ContextValue::String(argument)) => Some(bare(argument)),
            Some(ContextValue::Strings(arguments)) => arguments.first().map(|argument| bare(argument)),
            _ => None,
        };
        let text = error.render().to_string();
        let mut reason = String::new();
        for line in text.lines().take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more")) {
            let line = line.trim();
            if !line.is_empty() {
                reason.push_str(if reason.is_empty() { "" } else { " " });
                reason.push_str(line.strip_prefix("error: ").unwrap_or(line));
            }
        }
        Self::Usage { field, reason }
    }
}

/// `; the latest that wrote here: "b", "a"`.
fn latest(known: &[String]) -> String {
    if known.is_empty() {
        return "; none has written here".to_owned();
    }
    let names: Vec<String> = known.iter().map(|name| format!("{:?}", limits::excerpt(name))).collect();
    format!("; the latest that wrote here: {}", names.join(", "))
}

/// `--min-score <0..1>` as `min_score`, `<ID>` as `id`.
fn bare(argument: &str) -> String {
    let argument = told(argument);
    let name = argument.split([' ', '=']).next().unwrap_or_default();
    name.trim_matches(|c: char| "-<>[].".contains(c)).replace('-', "_").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_named_bare() {
        assert_eq!(bare("--min-score <0..1>"), "min_score");
        assert_eq!(bare("<PATH>..."), "path");
        assert_eq!(bare("-k"), "k");
    }

    #[test]
    fn an_error_names_its_argument() {
        let failure = Failure::from(Error::Blank { field: "content" });
        assert_eq!(failure.json()["error"]["field"], "content");
        assert_eq!(failure.exit_code(), 1);
        assert_eq!(Failure::Usage { field: None, reason: String::new() }.exit_code(), 2);
    }
}
