//! What a server or a hook is started with: what is given now, and what an earlier setup, or its owner, gave it.

use std::{collections::BTreeMap, sync::OnceLock};

use clap::CommandFactory;
use serde_json::Value;

use super::words;
use crate::cli::args::Cli;

/// An option with its value, where it has one.
pub(in crate::cli) type Given = (String, Option<String>);

/// Those that hooks take too: the store, whose memory it is, and the models.
const OF_HOOKS: [&str; 6] = ["--db", "--scope", "--me", "--embedder", "--reranker", "--allow-secrets"];

/// How a configuration starts something: by its own words, or by a wrapper's that has ours behind it.
#[derive(Debug, Default)]
pub(in crate::cli) struct Start {
    /// Our options, wherever they stand.
    options: Vec<Given>,
    /// The words that are no options of ours.
    others: Vec<String>,
    /// The environment that the configuration gives it.
    environment: BTreeMap<String, String>,
}

impl Start {
    /// Of a server in a client's configuration.
    pub(in crate::cli) fn of_server(server: &Value) -> Self {
        let command = server["command"].as_str().into_iter();
        let args = server["args"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let environment = server["env"].as_object().into_iter().flatten();
        let filled = |(name, value): (&String, &Value)| {
            let value = value.as_str().filter(|value| !value.is_empty())?;
            Some((name.clone(), value.to_owned()))
        };
        let words: Vec<String> = command.chain(args).map(str::to_owned).collect();
        Self { environment: environment.filter_map(filled).collect(), ..Self::of_words(&words) }
    }

    /// Of a command.
    pub(in crate::cli) fn of_words(command: &[String]) -> Self {
        let mut all = Vec::new();
        for word in command {
            // A shell is given a whole command as one word.
            let script = all.last().is_some_and(|last: &String| matches!(last.as_str(), "-c" | "-lc" | "-ic" | "/c"));
            if script { all.extend(words(word)) } else { all.push(word.clone()) }
        }
        let mut start = Self::default();
        let mut all = all.into_iter();
        while let Some(word) = all.next() {
            let (name, value) = word.split_once('=').map_or((word.as_str(), None), |(name, value)| (name, Some(value)));
            match takes_value(name) {
                None => start.others.push(word),
                Some(false) => start.options.push((name.to_owned(), None)),
                Some(true) => {
                    let value = value.map(str::to_owned);
                    start.options.push((name.to_owned(), value.or_else(|| all.next())));
                }
            }
        }
        start
    }

    /// Whether it starts the verb.
    pub(in crate::cli) fn has_verb(&self, verb: &str) -> bool {
        self.others.iter().any(|word| word == verb)
    }

    /// Whether the option is among its own.
    pub(in crate::cli) fn has(&self, name: &str) -> bool {
        self.options.iter().any(|(known, _)| known == name)
    }

    /// What it is told by an option, else by the environment that a wrapper, or the configuration, gives it.
    pub(in crate::cli) fn told(&self, name: &str, variable: &str) -> Option<String> {
        let option = self.options.iter().find(|(known, _)| known == name).and_then(|(_, value)| value.clone());
        let set = || {
            let mut values = self.others.iter().filter_map(|word| word.strip_prefix(variable)?.strip_prefix('='));
            values.next_back().filter(|value| !value.is_empty()).map(str::to_owned)
        };
        option.or_else(set).or_else(|| self.environment.get(variable).cloned())
    }
}

/// Whether an option of ours has a value; `None` where it is not ours.
fn takes_value(name: &str) -> Option<bool> {
    static KNOWN: OnceLock<BTreeMap<String, bool>> = OnceLock::new();
    let known = KNOWN.get_or_init(|| {
        let cli = Cli::command();
        let server = cli.find_subcommand("mcp").into_iter().flat_map(clap::Command::get_arguments);
        let all = cli.get_arguments().chain(server);
        all.filter_map(|option| Some((format!("--{}", option.get_long()?), option.get_action().takes_values())))
            .collect()
    });
    known.get(name).copied()
}

/// The options that a server is started with so far; none where it is not one of ours.
pub(super) fn earlier(server: Option<&Value>) -> Vec<Given> {
    server.map(Start::of_server).filter(|start| start.has_verb("mcp")).map(|start| start.options).unwrap_or_default()
}

/// What is given now, and behind it what of the earlier ones is about something else.
pub(super) fn together(given: Vec<Given>, earlier: Vec<Given>) -> (Vec<Given>, Vec<Given>) {
    let kept: Vec<Given> = earlier.into_iter().filter(|(name, _)| given.iter().all(|(new, _)| new != name)).collect();
    (given.into_iter().chain(kept.iter().cloned()).collect(), kept)
}

/// As words of a command.
pub(super) fn as_words(options: &[Given]) -> Vec<String> {
    options.iter().flat_map(|(name, value)| std::iter::once(name.clone()).chain(value.clone())).collect()
}

/// Those that hooks take too.
pub(super) fn of_hooks(options: &[Given]) -> Vec<Given> {
    options.iter().filter(|(name, _)| OF_HOOKS.contains(&name.as_str())).cloned().collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_given_wins_and_the_rest_stays() {
        let server =
            json!({ "args": ["mcp", "--db", "/a.db", "--scope=work", "--fence", "--maintenance-every-ms", "9"] });
        let given = vec![("--scope".to_owned(), Some("home".to_owned()))];
        let (all, kept) = together(given, earlier(Some(&server)));
        assert_eq!(
            as_words(&all),
            ["--scope", "home", "--db", "/a.db", "--fence", "--maintenance-every-ms", "9"],
            "{kept:?}"
        );
        assert_eq!(as_words(&of_hooks(&all)), ["--scope", "home", "--db", "/a.db"]);
        assert!(earlier(Some(&json!({ "args": ["-c", "mcp"] }))).is_empty() && earlier(None).is_empty());
    }

    #[test]
    fn options_are_read_wherever_they_stand() {
        for (command, args) in [
            ("/opt/mem", json!(["--scope", "x", "mcp", "--fence", "--db", "/d/ebbtrace.db"])),
            ("/opt/mem", json!(["--db=/d/ebbtrace.db", "mcp", "--fence", "--scope=x"])),
            ("env", json!(["A=1", "ebbtrace", "mcp", "--db", "/d/ebbtrace.db", "--scope", "x", "--fence"])),
            ("nice", json!(["-n", "5", "ebbtrace", "--fence=", "mcp", "--scope", "x", "--db=/d/ebbtrace.db"])),
            ("sh", json!(["-c", "exec ebbtrace mcp --fence --scope 'x' --db /d/ebbtrace.db"])),
            ("env", json!(["EBBTRACE_SCOPE=x", "EBBTRACE_DB=/d/ebbtrace.db", "ebbtrace", "mcp", "--fence"])),
        ] {
            let start =
                Start::of_server(&json!({ "command": command, "args": args, "env": { "EBBTRACE_SCOPE": "y" } }));
            let told = (start.told("--scope", "EBBTRACE_SCOPE"), start.told("--db", "EBBTRACE_DB"));
            assert_eq!(told, (Some("x".to_owned()), Some("/d/ebbtrace.db".to_owned())), "{args}");
            assert!(start.has("--fence") && start.has_verb("mcp"), "{args}");
        }
        // The verb is a word of its own, no value, and what is not ours is left to whose it is.
        let start = Start::of_server(&json!({ "args": ["--scope", "mcp", "--rm", "serve"] }));
        assert!(!start.has_verb("mcp") && !start.has("--rm"), "{start:?}");
    }
}
