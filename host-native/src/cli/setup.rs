//! `setup`: writes into a client's configuration how it starts the server, and its hooks; all the rest stays as it is.

pub(super) mod client;
pub(super) mod fence;
pub(super) mod hooks;
mod json;
pub(super) mod options;
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
    client::{Client, Place},
    json::{Kind, Step, parsed},
    options::Given,
    text::Text,
};
use super::{
    args::{self, Global},
    export::target,
    failure::Failure,
    open,
    screen::{self, Ink, Screen},
};
use crate::{embed::EmbedderChoice, rerank::RerankerChoice, store::StoreKind};

/// What the server is called in every configuration.
pub(super) const NAME: &str = "ebbtrace";

/// How long a client may wait for a hook, in seconds: it needs far less.
const HOOK_SECONDS: u64 = 10;

/// `setup`
#[derive(Args, Debug)]
#[command(after_help = "\
What was there stays: a copy of the file is made first, only our own entries are set, and a file
that can't be read as JSON or TOML is left alone, with what to add to it. Calling it again changes
nothing but what is given. The client gets this program's own path, and --db, --scope, --me,
--embedder and --reranker as given here or by environment; the server also gets --fence and --tools.
What an earlier setup gave it stays too, unless --anew is given.")]
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
    /// Which tools the server has: all, core (six), engram (the older system's) [default: as before, or all]
    #[arg(long, value_enum, value_name = "SET", hide_possible_values = true)]
    tools: Option<args::ToolKind>,
    /// Leave out what an earlier setup gave the server and is not given now: --fence, --tools, --scope ...
    #[arg(long)]
    anew: bool,
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
    let mut given = options;
    if setup.fence {
        given.push(("--fence".to_owned(), None));
    }
    if let Some(tools) = setup.tools.and_then(|tools| tools.to_possible_value()) {
        given.push(("--tools".to_owned(), Some(tools.get_name().to_owned())));
    }
    let known = if setup.anew { None } else { server_in(setup.client, &servers).ok().flatten() };
    let (mut all, kept) = options::together(given, options::earlier(known.as_ref()));
    // What is usual is not said.
    all.retain(|(name, value)| name != "--tools" || value.as_deref() != Some("all"));
    let arguments = [vec!["mcp".to_owned()], options::as_words(&all)].concat();
    // All edits are worked out before the first is written.
    let (server, replaced) = server_edit(setup.client, servers, &program, &arguments)?;
    let (mut edits, mut notes) = (vec![server], Vec::new());
    if !kept.is_empty() {
        notes.push(format!("Kept from before: {}. --anew leaves it out.", options::as_words(&kept).join(" ")));
    }
    if !replaced.is_empty() {
        notes.push(format!("Another server had this name: its {} went.", replaced.join(", ")));
    }
    if let (true, Some(path)) = (setup.hooks, setup.client.hooks(&place)) {
        let hooks = hooks::edit(setup.client, path, &program, &options::as_words(&options::of_hooks(&all)))?;
        if !hooks.wrapped.is_empty() {
            let events = hooks.wrapped.join(", ");
            notes.push(format!("At {events} a command of your own runs our hook: it was left as it is."));
        }
        if !hooks.doubled.is_empty() {
            let (events, file) = (hooks.doubled.join(", "), hooks.edit.path.display());
            notes.push(format!("At {events} our hook is run more than once: leave one of its commands in {file}."));
        }
        edits.push(hooks.edit);
    }
    let mut files = Vec::new();
    for edit in &edits {
        files.push(edit.carry_out(setup.dry_run)?);
    }
    if global.store == StoreKind::Neo4j {
        notes.push(
            "The server is where EBBTRACE_NEO4J_URI, _USER, _PASSWORD and _DATABASE say: give them to the client's own \
             environment, or to this server's `env` in its configuration. No password is written here."
                .to_owned(),
        );
    }
    if setup.hooks && global.store != StoreKind::Sqlite {
        notes.push("Hooks look into a SQLite store alone: they will say so, and show nothing.".to_owned());
    }
    notes.extend(setup.client.next(setup.hooks).into_iter().map(str::to_owned));
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
fn options(global: &Global) -> Result<Vec<Given>, Failure> {
    if global.store == StoreKind::Memory {
        let reason = "what a client stores there is gone when it ends".to_owned();
        return Err(Failure::BadValue { field: "store", value: "memory".to_owned(), reason });
    }
    let mut options = Vec::new();
    let mut add = |name: &str, value: String| options.push((name.to_owned(), Some(value)));
    if global.store != StoreKind::default() {
        add("--store", global.store.as_str().to_owned());
    }
    let given = global.db.clone().or_else(|| std::env::var_os("EBBTRACE_DB").map(PathBuf::from));
    if let Some(db) = given.filter(|db| !db.as_os_str().is_empty()) {
        // A client starts its servers in a folder of its own choice.
        add("--db", std::path::absolute(&db).unwrap_or(db).display().to_string());
    }
    if let Some(limit) = global.resident_limit {
        add("--resident-limit", limit.to_string());
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

/// What of a server that is reached in another way, or is switched off, would leave ours broken.
const OTHERS: [&str; 8] =
    ["url", "serverUrl", "httpUrl", "headers", "disabled", "enabled", "bearer_token_env_var", "cwd"];

/// The edit that sets the server, and the fields of another one of its name that go.
fn server_edit(
    client: Client,
    path: PathBuf,
    program: &str,
    arguments: &[String],
) -> Result<(Edit, Vec<&'static str>), Failure> {
    let before = read(&path).map_err(|error| unreadable(&path, &error))?;
    let text = before.as_ref().map_or_else(String::new, |before| before.body.clone());
    let mut server = json!({ "command": program, "args": arguments });
    if client.says_type() {
        server["type"] = json!("stdio");
    }
    let adds = json!({ client.list(): { NAME: server } });
    let mut replaced = Vec::new();
    let edited = if client == Client::Codex {
        toml::set(&text, client.list(), NAME, program, arguments, &OTHERS).map(|(text, gone)| {
            replaced = gone;
            text
        })
    } else {
        edited(client, text, &server, &mut replaced)
    };
    let edited = edited.map_err(|reason| Failure::ForeignConfig {
        path: path.display().to_string(),
        reason,
        add: adds.to_string(),
    })?;
    let after = before.clone().unwrap_or_default().with(edited);
    Ok((Edit { path, before, after, adds }, replaced))
}

fn edited(client: Client, text: String, server: &Value, replaced: &mut Vec<&'static str>) -> Result<String, String> {
    let (kind, list) = (client.json(), client.list());
    let known = parsed(&text, kind)?;
    let had = &known[list][NAME];
    let mut text = text;
    // The same field may stand there more than once.
    for field in OTHERS.iter().filter(|field| had.get(**field).is_some()) {
        while parsed(&text, kind)?[list][NAME].get(*field).is_some() {
            text = json::without(&text, kind, &[list, NAME], field)?;
        }
        replaced.push(*field);
    }
    // A type that is another's, in a client whose servers need not say theirs.
    if !client.says_type() && had.get("type").is_some_and(|kind| kind != "stdio") {
        text = json::without(&text, kind, &[list, NAME], "type")?;
        replaced.push("type");
    }
    let fields = ["type", "command", "args"].into_iter().filter(|field| server.get(field).is_some());
    fields.into_iter().try_fold(text, |text, field| {
        set(text, kind, &[Step::Field(list), Step::Field(NAME), Step::Field(field)], &server[field])
    })
}

/// Sets a value that is not there yet.
fn set(text: String, kind: Kind, path: &[Step<'_>], value: &Value) -> Result<String, String> {
    let known = parsed(&text, kind)?;
    let mut at = Some(&known);
    for step in path {
        at = at.and_then(|at| match step {
            Step::Field(name) => at.get(*name),
            Step::Entry(place) => at.get(*place),
        });
    }
    if at == Some(value) { Ok(text) } else { json::set(&text, kind, path, value) }
}

/// What the configuration in `path` says of the server: `None` where nothing.
///
/// # Errors
/// Why it can't be read.
pub(super) fn server_in(client: Client, path: &Path) -> Result<Option<Value>, String> {
    let Some(text) = read(path).map_err(|error| error.to_string())? else { return Ok(None) };
    Ok(servers_of(client, &text.body)?.get(NAME).cloned())
}

/// The servers in the text of a configuration, by their names; null where there are none.
///
/// # Errors
/// Why it can't be read.
fn servers_of(client: Client, text: &str) -> Result<Value, String> {
    if client == Client::Codex {
        return toml::read(text, client.list());
    }
    Ok(parsed(text, client.json())?[client.list()].take())
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

/// Copies the file beside itself; no earlier copy is overwritten, and no link followed.
fn backup(path: &Path) -> io::Result<PathBuf> {
    let bytes = fs::read(path)?;
    for number in 1.. {
        let mut name = path.as_os_str().to_owned();
        name.push(if number == 1 { ".ebbtrace.bak".to_owned() } else { format!(".ebbtrace.bak.{number}") });
        let backup = PathBuf::from(name);
        match fs::File::create_new(&backup) {
            Ok(mut file) => {
                // It may hold keys of other servers: whoever may not read the file may not read its copy.
                file.set_permissions(fs::metadata(path)?.permissions())?;
                file.write_all(&bytes)?;
                return Ok(backup);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    unreachable!("numbers don't end")
}

fn read(path: &Path) -> io::Result<Option<Text>> {
    let found = fs::metadata(path);
    if found.is_err() && path.is_symlink() {
        // What it names may be a volume that is not there now: nothing is made in its place.
        let to = fs::read_link(path).map(|to| to.display().to_string()).unwrap_or_default();
        let reason = format!("it is a link to {to}, and nothing is there. Remove the link, or make the file it names");
        return Err(io::Error::other(reason));
    }
    // A pipe would wait for whoever writes to it, and is no place for a configuration.
    if let Ok(found) = found
        && !found.is_file()
    {
        let what = if found.is_dir() { "it is a folder" } else { "it is no file, but a pipe, a socket or a device" };
        return Err(io::Error::other(what));
    }
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(Text::new(&text))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
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

/// A command for a shell as words, their quotes taken off.
pub(super) fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = command.chars();
    while let Some(c) = characters.next() {
        match (quote, c) {
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (Some(open), c) if open == c => quote = None,
            (None, '\\') if cfg!(unix) => word.get_or_insert_default().extend(characters.next()),
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
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
    #[cfg(unix)]
    fn a_command_is_read_as_the_shell_reads_it() {
        assert_eq!(words("/usr/bin/ebbtrace hook prompt"), ["/usr/bin/ebbtrace", "hook", "prompt"]);
        assert_eq!(words("'/my dir/it'\\''s' hook ''"), ["/my dir/it's", "hook", ""]);
        assert_eq!(words(" \"C:/x y.exe\"  hook "), ["C:/x y.exe", "hook"]);
        assert!(words("").is_empty());
    }
}
