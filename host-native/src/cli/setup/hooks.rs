//! The hooks in a client's configuration: ours are told from others, and set beside them.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{
    Edit, HOOK_SECONDS, NAME,
    client::{Client, Shape},
    json::{Kind, Step, parsed},
    quoted, read, set, unreadable, words,
};
use crate::cli::failure::Failure;

/// Whose the hook in a list is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    /// Ours, as a setup wrote it.
    Ours,
    /// A command of the owner's that runs ours.
    Wraps,
}

/// Where a hook stands: its entry and, in a group, its place there.
type At = (usize, Option<usize>);

/// What becomes of a client's hooks.
pub(super) struct Hooks {
    /// The edit that has it run ours.
    pub(super) edit: Edit,
    /// The events that the owner's own command runs ours at.
    pub(super) wrapped: Vec<&'static str>,
    /// The events that more than one command runs ours at.
    pub(super) doubled: Vec<&'static str>,
}

/// Our hook at an event.
pub(in crate::cli) struct Found {
    /// As the client calls it.
    pub(in crate::cli) event: &'static str,
    /// Ours, or the owner's that runs ours.
    pub(in crate::cli) command: String,
    /// Whether another one runs it too.
    pub(in crate::cli) more: bool,
}

/// The edit that has a client run our hooks.
pub(super) fn edit(client: Client, path: PathBuf, program: &str, options: &[String]) -> Result<Hooks, Failure> {
    let before = read(&path).map_err(|error| unreadable(&path, &error))?;
    let mut text = before.as_ref().map_or_else(String::new, |before| before.body.clone());
    let mut adds = json!({});
    if client == Client::Cursor {
        adds["version"] = json!(1);
    }
    let refused = |reason: String, adds: &Value| Failure::ForeignConfig {
        path: path.display().to_string(),
        reason,
        add: adds.to_string(),
    };
    for (event, ours) in client.events() {
        let words = [&[program.to_owned(), "hook".to_owned(), (*ours).to_owned()], options].concat();
        let command = json!(words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "));
        let hook = match client {
            Client::Cursor => json!({ "command": command }),
            _ => json!({ "type": "command", "command": command, "timeout": HOOK_SECONDS }),
        };
        adds["hooks"][*event] = match client.shape() {
            Shape::Groups => json!([{ "hooks": [hook] }]),
            Shape::Flat => json!([hook]),
        };
    }
    let kind = Kind::Strict;
    let known = parsed(&text, kind).map_err(|reason| refused(reason, &adds))?;
    if let (Some(version), None) = (adds.get("version"), known.get("version")) {
        text = set(text, kind, &[Step::Field("version")], version).map_err(|reason| refused(reason, &adds))?;
    }
    let (mut wrapped, mut doubled) = (Vec::new(), Vec::new());
    for (event, ours) in client.events() {
        let known = parsed(&text, kind).map_err(|reason| refused(reason, &adds))?;
        let list = &known["hooks"][*event];
        let new = &adds["hooks"][*event][0];
        let here = [Step::Field("hooks"), Step::Field(event)];
        let found = find(list, ours, program);
        if twice(list, &found) {
            doubled.push(*event);
        }
        let edited = match found.first().copied() {
            Some((_, Whose::Wraps)) => {
                wrapped.push(*event);
                continue;
            }
            Some(((entry, Some(place)), Whose::Ours)) => {
                let path = [&here[..], &[Step::Entry(entry), Step::Field("hooks"), Step::Entry(place)]].concat();
                set(text, kind, &[&path[..], &[Step::Field("command")]].concat(), &new["hooks"][0]["command"])
            }
            Some(((entry, None), Whose::Ours)) => {
                let path = [&here[..], &[Step::Entry(entry), Step::Field("command")]].concat();
                let command = if new["hooks"].is_array() { &new["hooks"][0]["command"] } else { &new["command"] };
                set(text, kind, &path, command)
            }
            None => {
                let end = list.as_array().map_or(0, Vec::len);
                set(text, kind, &[&here[..], &[Step::Entry(end)]].concat(), new)
            }
        };
        text = edited.map_err(|reason| refused(reason, &adds))?;
    }
    let after = before.clone().unwrap_or_default().with(text);
    Ok(Hooks { edit: Edit { path, before, after, adds }, wrapped, doubled })
}

/// Our hook for each event that the configuration in `path` has one for.
///
/// # Errors
/// Why it can't be read.
pub(in crate::cli) fn found(client: Client, path: &Path) -> Result<Vec<Found>, String> {
    let Some(text) = read(path).map_err(|error| error.to_string())? else { return Ok(Vec::new()) };
    let known = parsed(&text.body, Kind::Strict)?;
    let program = super::program().unwrap_or_default();
    let mut hooks = Vec::new();
    for (event, ours) in client.events() {
        let list = &known["hooks"][*event];
        let all = find(list, ours, &program);
        let command = match all.first() {
            Some(((entry, Some(place)), _)) => &list[entry]["hooks"][place]["command"],
            Some(((entry, None), _)) => &list[entry]["command"],
            None => continue,
        };
        let command = command.as_str().unwrap_or_default().to_owned();
        hooks.push(Found { event, command, more: twice(list, &all) });
    }
    Ok(hooks)
}

/// Where our hook for an event is in a list of hooks: our own first, then the owner's that run it.
fn find(list: &Value, event: &str, program: &str) -> Vec<(At, Whose)> {
    let mut all = Vec::new();
    for (entry, found) in list.as_array().into_iter().flatten().enumerate() {
        let group = found["hooks"].as_array().into_iter().flatten().enumerate();
        let hooks = group.map(|(place, hook)| (Some(place), hook)).chain([(None, found)]);
        for (place, hook) in hooks {
            let whose = hook["command"].as_str().and_then(|command| whose(command, event, program));
            all.extend(whose.map(|whose| ((entry, place), whose)));
        }
    }
    all.sort_by_key(|(_, whose)| *whose == Whose::Wraps);
    all
}

/// Whether two of the hooks that were found run at the same: groups with matchers of their own may be apart.
fn twice(list: &Value, found: &[(At, Whose)]) -> bool {
    let matchers: Vec<&Value> = found.iter().map(|((entry, _), _)| &list[entry]["matcher"]).collect();
    (1..matchers.len()).any(|place| matchers[..place].contains(&matchers[place]))
}

/// Whose a command is: ours is our program with `hook` and the event, and options behind it, under whatever name the
/// program goes now.
fn whose(command: &str, event: &str, program: &str) -> Option<Whose> {
    let words = words(command);
    let [first, rest @ ..] = &words[..] else { return None };
    let name = Path::new(first).file_stem().is_some_and(|name| name.to_string_lossy().contains(NAME));
    let same = || {
        Path::new(first)
            .canonicalize()
            .is_ok_and(|found| Path::new(program).canonicalize().is_ok_and(|own| own == found))
    };
    if let [verb, at, options @ ..] = rest
        && verb == "hook"
        && at == event
        // One that is gone was ours before it moved.
        && (name || first == program || same() || (Path::new(first).is_absolute() && !Path::new(first).exists()))
        && options.iter().all(|word| !word.contains(['|', '>', '<', ';', '&']))
    {
        return Some(Whose::Ours);
    }
    let runs_ours = command.contains(&format!("hook {event}")) && (command.contains(NAME) || command.contains(program));
    runs_ours.then_some(Whose::Wraps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_hooks_are_told_from_others() {
        let whose = |command, event| whose(command, event, "/opt/bin/mem");
        assert_eq!(whose("'/a b/ebbtrace' hook prompt --scope x", "prompt"), Some(Whose::Ours));
        assert_eq!(whose("/opt/bin/mem hook prompt --db '/x y.db'", "prompt"), Some(Whose::Ours));
        assert_eq!(whose("/a/ebbtrace hook prompt", "session-start"), None);
        assert_eq!(whose("other hook prompt", "prompt"), None);
        assert_eq!(whose("/gone/bin/brain hook prompt", "prompt"), Some(Whose::Ours));
        assert_eq!(whose("/gone/bin/brain hook prompt", "session-start"), None);
        assert_eq!(whose("ebbtrace hooks prompt", "prompt"), None);
        for wrapper in [
            "nice ebbtrace hook prompt",
            "sh -c 'ebbtrace hook prompt | tee log'",
            "ebbtrace hook prompt | tee log",
            "cd /x && /opt/bin/mem hook prompt",
        ] {
            assert_eq!(whose(wrapper, "prompt"), Some(Whose::Wraps), "{wrapper}");
        }
    }
}
