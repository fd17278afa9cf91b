//! `setup`: writes into a client's configuration how it starts the server, and its hooks; all the rest stays as it is.

pub(super) mod client;
mod json;
mod text;
mod toml;

use std::{
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use self::{
    client::{Client, Place, Shape},
    json::Step,
    text::Text,
};
use super::{
    args::{self, Global},
    export::target,
    failure::Failure,
    open,
    screen::{self, Ink, Screen},
};
use crate::{embed::EmbedderChoice, rerank::RerankerChoice};

/// What the server is called in every configuration.
pub(super) const NAME: &str = "ebbtrace";

/// How long a client may wait for a hook, in seconds: it needs far less.
const HOOK_SECONDS: u64 = 10;

/// `setup`
#[derive(Args, Debug)]
#[command(after_help = "\
What was there stays: a copy of the file is made first, only our own entries are set, and a file
that can't be read as JSON or TOML is left alone, with what to add to it. Calling it again changes
nothing. The client gets this program's own path, and --db, --scope, --me, --embedder and --reranker
as given here or by environment; the server also gets --fence and --tools.")]
pub(crate) struct Setup {
    /// Which client
    #[arg(value_enum)]
    client: Client,
    /// Have it run the hooks too: what was left off at a start, what belongs to a prompt
    #[arg(long)]
    hooks: bool,
    /// For the project in this folder alone, not for all that you do
    #[arg(long)]
    project: bool,
    /// Have the server refuse calls that name another scope than --scope
    #[arg(long)]
    fence: bool,
    /// Which tools the server has: all, core (six), engram (the older system's) [default: all]
    #[arg(long, value_enum, default_value_t, value_name = "SET", hide_possible_values = true)]
    #[arg(hide_default_value = true)]
    tools: args::ToolKind,
    /// Show what would be written, and write nothing
    #[arg(long)]
    dry_run: bool,
}

/// A file, as it is and as it is to be.
struct Edit {
    path: PathBuf,
    before: Option<Text>,
    after: Text,
    /// What is set in it, for whoever does it by hand.
    adds: Value,
}

/// `setup`
pub(super) fn run(global: &Global, setup: &Setup, screen: Screen) -> Result<(), Failure> {
    let program = program()?;
    let options = options(global)?;
    let here = setup.project.then(std::env::current_dir).transpose();
    let here = here.map_err(|error| unreadable(Path::new("."), &error))?;
    let place = Place::new(here.as_deref()).ok_or_else(|| Failure::Unreadable {
        path: "the home directory".to_owned(),
        reason: "the system names none".to_owned(),
    })?;
    let servers = setup.client.servers(&place).ok_or_else(|| Failure::BadValue {
        field: "project",
        value: setup.client.name().to_owned(),
        reason: "it has one configuration for all that you do, and none for a project. Leave out --project; to keep \
                 this project's memories apart, name a scope for it: --scope NAME"
            .to_owned(),
    })?;
    let mut arguments: Vec<String> = [vec!["mcp".to_owned()], options.clone()].concat();
    if setup.fence {
        arguments.push("--fence".to_owned());
    }
    if let (true, Some(tools)) = (setup.tools != args::ToolKind::default(), setup.tools.to_possible_value()) {
        arguments.extend(["--tools".to_owned(), tools.get_name().to_owned()]);
    }
    // All edits are worked out before the first is written.
    let mut edits = vec![server_edit(setup.client, servers, &program, &arguments)?];
    if let (true, Some(path)) = (setup.hooks, setup.client.hooks(&place)) {
        edits.push(hooks_edit(setup.client, path, &program, &options)?);
    }
    let mut files = Vec::new();
    for edit in &edits {
        files.push(edit.carry_out(setup.dry_run)?);
    }
    let notes = setup.client.next(setup.hooks);
    let answer = json!({
        "client": setup.client.name(), "dry_run": setup.dry_run, "command": program, "args": arguments, "files": files,
        "notes": notes,
    });
    screen.answer(&answer, || {
        let mut text = String::new();
        for file in &files {
            let state = file["state"].as_str().unwrap_or_default().replace('_', " ");
            let path = screen::clean(file["path"].as_str().unwrap_or_default(), false);
            text.push_str(&format!("{}  {path}\n", screen.paint(Ink::Bold, &state)));
            if let Some(backup) = file["backup"].as_str() {
                text.push_str(&format!("  as it was: {backup}\n"));
            }
            if setup.dry_run {
                let whole = file["whole"].as_str().unwrap_or_default();
                text.push_str(&format!("{}\n", screen::clean(whole.trim_end(), true)));
            }
        }
        notes.iter().for_each(|note| text.push_str(&format!("{note}\n")));
        text
    })
}

/// The path of this program.
fn program() -> Result<String, Failure> {
    let path = std::env::current_exe().map_err(|error| unreadable(Path::new(NAME), &error))?;
    Ok(path.display().to_string())
}

/// What the server is to be told of what was asked for here.
fn options(global: &Global) -> Result<Vec<String>, Failure> {
    if global.store == args::StoreKind::Memory {
        let reason = "what a client stores there is gone when it ends".to_owned();
        return Err(Failure::BadValue { field: "store", value: "memory".to_owned(), reason });
    }
    let mut options = Vec::new();
    let mut add = |name: &str, value: String| options.extend([name.to_owned(), value]);
    let given = global.db.clone().or_else(|| std::env::var_os("EBBTRACE_DB").map(PathBuf::from));
    if let Some(db) = given.filter(|db| !db.as_os_str().is_empty()) {
        // A client starts its servers in a folder of its own choice.
        add("--db", std::path::absolute(&db).unwrap_or(db).display().to_string());
    }
    if let Some(scope) = open::scope(global) {
        add("--scope", ebbtrace_core::Scope::parse("scope", &scope)?.to_string());
    }
    if let Some(me) = global.me.clone().or_else(|| std::env::var("EBBTRACE_ME").ok()).filter(|me| !me.is_empty()) {
        add("--me", me);
    }
    if global.embedder != EmbedderChoice::default() {
        add("--embedder", global.embedder.to_string());
    }
    if global.reranker != RerankerChoice::default() {
        add("--reranker", global.reranker.to_string());
    }
    Ok(options)
}

fn server_edit(client: Client, path: PathBuf, program: &str, arguments: &[String]) -> Result<Edit, Failure> {
    let before = read(&path)?;
    let text = before.as_ref().map_or_else(String::new, |before| before.body.clone());
    let mut server = json!({ "command": program, "args": arguments });
    if client.says_type() {
        server["type"] = json!("stdio");
    }
    let adds = json!({ client.list(): { NAME: server } });
    let edited = if client == Client::Codex {
        toml::set(&text, client.list(), NAME, program, arguments)
    } else {
        let fields = ["type", "command", "args"].into_iter().filter(|field| server.get(field).is_some());
        fields.into_iter().try_fold(text, |text, field| {
            set(text, &[Step::Field(client.list()), Step::Field(NAME), Step::Field(field)], &server[field])
        })
    };
    let edited = edited.map_err(|reason| Failure::ForeignConfig {
        path: path.display().to_string(),
        reason,
        add: adds.to_string(),
    })?;
    let after = before.clone().unwrap_or_default().with(edited);
    Ok(Edit { path, before, after, adds })
}

fn hooks_edit(client: Client, path: PathBuf, program: &str, options: &[String]) -> Result<Edit, Failure> {
    let before = read(&path)?;
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
    let known = parsed(&text).map_err(|reason| refused(reason, &adds))?;
    if let (Some(version), None) = (adds.get("version"), known.get("version")) {
        text = set(text, &[Step::Field("version")], version).map_err(|reason| refused(reason, &adds))?;
    }
    for (event, ours) in client.events() {
        let known = parsed(&text).map_err(|reason| refused(reason, &adds))?;
        let list = &known["hooks"][*event];
        let found = find_hook(list, ours);
        let new = &adds["hooks"][*event][0];
        let here = [Step::Field("hooks"), Step::Field(event)];
        let edited = match found {
            Some((entry, Some(place))) => {
                let path = [&here[..], &[Step::Entry(entry), Step::Field("hooks"), Step::Entry(place)]].concat();
                set(text, &[&path[..], &[Step::Field("command")]].concat(), &new["hooks"][0]["command"])
            }
            Some((entry, None)) => {
                let path = [&here[..], &[Step::Entry(entry), Step::Field("command")]].concat();
                set(text, &path, if new["hooks"].is_array() { &new["hooks"][0]["command"] } else { &new["command"] })
            }
            None => {
                let end = list.as_array().map_or(0, Vec::len);
                set(text, &[&here[..], &[Step::Entry(end)]].concat(), new)
            }
        };
        text = edited.map_err(|reason| refused(reason, &adds))?;
    }
    let after = before.clone().unwrap_or_default().with(text);
    Ok(Edit { path, before, after, adds })
}

/// Sets a value that is not there yet.
fn set(text: String, path: &[Step<'_>], value: &Value) -> Result<String, String> {
    let known = parsed(&text)?;
    let mut at = Some(&known);
    for step in path {
        at = at.and_then(|at| match step {
            Step::Field(name) => at.get(*name),
            Step::Entry(place) => at.get(*place),
        });
    }
    if at == Some(value) { Ok(text) } else { json::set(&text, path, value) }
}

fn parsed(text: &str) -> Result<Value, String> {
    if text.trim().is_empty() {
        return Ok(json!({}));
    }
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// Where our hook for an event is in a list of hooks: its entry and, in a group, its place there.
fn find_hook(list: &Value, event: &str) -> Option<(usize, Option<usize>)> {
    let is_ours = |hook: &Value| hook["command"].as_str().is_some_and(|command| is_our_hook(command, event));
    list.as_array()?.iter().enumerate().find_map(|(entry, found)| {
        let group = found["hooks"].as_array().and_then(|hooks| hooks.iter().position(is_ours));
        group.map(|place| (entry, Some(place))).or_else(|| is_ours(found).then_some((entry, None)))
    })
}

fn is_our_hook(command: &str, event: &str) -> bool {
    let words: Vec<&str> = command.split_whitespace().collect();
    command.contains(NAME) && words.windows(2).any(|pair| pair == ["hook", event])
}

/// What the configuration in `path` says of the server: `None` where nothing.
///
/// # Errors
/// Why it can't be read.
pub(super) fn server_in(client: Client, path: &Path) -> Result<Option<Value>, String> {
    let Some(text) = read(path).map_err(|failure| failure.to_string())? else { return Ok(None) };
    if client == Client::Codex {
        return toml::read(&text.body, client.list(), NAME);
    }
    let known = parsed(&text.body)?;
    Ok(known.get(client.list()).and_then(|servers| servers.get(NAME)).cloned())
}

/// The command of our hook for each event that the configuration in `path` has one for.
///
/// # Errors
/// Why it can't be read.
pub(super) fn hooks_in(client: Client, path: &Path) -> Result<Vec<(&'static str, String)>, String> {
    let Some(text) = read(path).map_err(|failure| failure.to_string())? else { return Ok(Vec::new()) };
    let known = parsed(&text.body)?;
    let mut hooks = Vec::new();
    for (event, ours) in client.events() {
        let list = &known["hooks"][*event];
        let command = match find_hook(list, ours) {
            Some((entry, Some(place))) => &list[entry]["hooks"][place]["command"],
            Some((entry, None)) => &list[entry]["command"],
            None => continue,
        };
        hooks.push((*event, command.as_str().unwrap_or_default().to_owned()));
    }
    Ok(hooks)
}

impl Edit {
    fn carry_out(&self, dry_run: bool) -> Result<Value, Failure> {
        let mut said = json!({ "path": self.path.display().to_string() });
        let same = self.before.as_ref() == Some(&self.after);
        said["state"] = json!(match (same, dry_run) {
            (true, _) => "unchanged",
            (false, true) => "would_write",
            (false, false) => "written",
        });
        if dry_run {
            said["adds"] = self.adds.clone();
            said["whole"] = json!(self.after.body);
        }
        if !same && !dry_run {
            let failed = |error: io::Error| unwritable(&self.path, &error);
            if let Some(folder) = self.path.parent() {
                fs::create_dir_all(folder).map_err(failed)?;
            }
            if self.before.is_some() {
                let backup = backup(&self.path).map_err(failed)?;
                said["backup"] = json!(backup.display().to_string());
            }
            target::write(&self.path, |file| file.write_all(self.after.whole().as_bytes())).map_err(failed)?;
        }
        Ok(said)
    }
}

/// Copies the file beside itself; no earlier copy is overwritten.
fn backup(path: &Path) -> io::Result<PathBuf> {
    for number in 1.. {
        let mut name = path.as_os_str().to_owned();
        name.push(if number == 1 { ".ebbtrace.bak".to_owned() } else { format!(".ebbtrace.bak.{number}") });
        let backup = PathBuf::from(name);
        if !backup.exists() {
            fs::copy(path, &backup)?;
            return Ok(backup);
        }
    }
    unreachable!("numbers don't end")
}

fn read(path: &Path) -> Result<Option<Text>, Failure> {
    // A pipe would wait for whoever writes to it, and is no place for a configuration.
    if let Ok(found) = fs::metadata(path)
        && !found.is_file()
    {
        let what = if found.is_dir() { "it is a folder" } else { "it is no file, but a pipe, a socket or a device" };
        return Err(unreadable(path, &io::Error::other(what)));
    }
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(Text::new(&text))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(path, &error)),
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::Unreadable { path: path.display().to_string(), reason: error.to_string() }
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::Unwritable { path: path.display().to_string(), reason: error.to_string() }
}

/// A word for the shell that a client runs hooks with.
fn quoted(word: &str) -> String {
    let word = if cfg!(windows) { word.replace('\\', "/") } else { word.to_owned() };
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:@%+=,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word;
    }
    if cfg!(windows) { format!("\"{word}\"") } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("/usr/bin/ebbtrace"), "/usr/bin/ebbtrace");
        assert_eq!(quoted("/my dir/it's"), "'/my dir/it'\\''s'");
        assert_eq!(quoted("$(x)"), "'$(x)'");
    }

    #[test]
    fn our_hooks_are_told_from_others() {
        assert!(is_our_hook("'/a b/ebbtrace' hook prompt --scope x", "prompt"));
        assert!(!is_our_hook("/a/ebbtrace hook prompt", "session-start"));
        assert!(!is_our_hook("other hook prompt", "prompt") && !is_our_hook("ebbtrace hooks prompt", "prompt"));
    }
}
