//! The clients: whether their configuration can be read, starts a program that is there, and means the same store.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use super::{Check, State};
use crate::cli::{
    args::Global,
    open,
    setup::{
        self,
        client::{Client, Place},
    },
};

pub(super) fn checks(global: &Global) -> Vec<Check> {
    let here = env::current_dir().ok();
    let places = [Place::new(None), here.as_deref().and_then(|here| Place::new(Some(here)))];
    let mut checks = Vec::new();
    for place in places.iter().flatten() {
        for client in Client::ALL {
            checks.extend(servers(global, client, place));
            checks.extend(hooks(client, place));
        }
    }
    if checks.iter().all(|check| check.state == State::Note) {
        checks.push(
            Check::new("clients", State::Note, "no client is set up to use the memory")
                .mend("ebbtrace setup claude-code (or claude-desktop, cursor, vscode, codex)"),
        );
    }
    checks
}

fn servers(global: &Global, client: Client, place: &Place) -> Option<Check> {
    let path = client.servers(place).filter(|path| path.exists())?;
    let name = client.name();
    let again = format!("ebbtrace setup {name}");
    Some(match setup::server_in(client, &path) {
        Err(reason) => Check::new(name, State::Broken, format!("{} can't be read: {reason}", path.display()))
            .mend(format!("Mend the file, then: {again}")),
        Ok(None) => Check::new(name, State::Note, format!("{} names no ebbtrace", path.display())).mend(again),
        Ok(Some(server)) => {
            let command = server["command"].as_str().unwrap_or_default();
            if let Err(why) = runs(command) {
                let says = format!("{} starts {command:?}, {why}", path.display());
                return Some(Check::new(name, State::Broken, says).mend(again));
            }
            match other_store(global, &server) {
                Some(other) => Check::new(name, State::Note, format!("{} uses another store: {other}", path.display())),
                None => Check::new(name, State::Good, format!("{} starts {command}", path.display())),
            }
        }
    })
}

fn hooks(client: Client, place: &Place) -> Option<Check> {
    let path = client.hooks(place).filter(|path| path.exists())?;
    let name = format!("{} hooks", client.name());
    let again = format!("ebbtrace setup {} --hooks", client.name());
    let found = match setup::hooks_in(client, &path) {
        Ok(found) => found,
        Err(reason) => {
            let says = format!("{} can't be read: {reason}", path.display());
            return Some(Check::new(name, State::Broken, says).mend(format!("Mend the file, then: {again}")));
        }
    };
    if found.is_empty() {
        return Some(Check::new(name, State::Note, format!("{} runs none of ours", path.display())).mend(again));
    }
    for (event, command) in &found {
        let program = first_word(command);
        if let Err(why) = runs(&program) {
            let says = format!("at {event}, {} runs {program:?}, {why}", path.display());
            return Some(Check::new(name, State::Broken, says).mend(again));
        }
    }
    let missing: Vec<&str> = client
        .events()
        .iter()
        .map(|(event, _)| *event)
        .filter(|event| found.iter().all(|(has, _)| has != event))
        .collect();
    Some(if missing.is_empty() {
        Check::new(name, State::Good, format!("{} runs all of them", path.display()))
    } else {
        Check::new(name, State::Warning, format!("{} runs none at {}", path.display(), missing.join(", "))).mend(again)
    })
}

/// The store that a server is told to use, where it is another than that which was looked at.
fn other_store(global: &Global, server: &Value) -> Option<String> {
    let args: Vec<&str> = server["args"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let told = args.windows(2).find(|pair| pair[0] == "--db").map(|pair| pair[1]);
    let told = told.or_else(|| args.iter().find_map(|argument| argument.strip_prefix("--db=")));
    let told = told.or_else(|| server["env"]["EBBTRACE_DB"].as_str())?;
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let same = open::store_path(global).is_some_and(|store| real(&store) == real(Path::new(told)));
    (!same).then(|| told.to_owned())
}

/// Whether a client that starts this finds a program.
fn runs(command: &str) -> Result<(), &'static str> {
    let path = Path::new(command);
    let found: Option<PathBuf> = if path.components().count() > 1 {
        path.is_file().then(|| path.to_owned())
    } else {
        let folders = env::var_os("PATH").unwrap_or_default();
        let ends: &[&str] = if cfg!(windows) { &["", ".exe"] } else { &[""] };
        let mut places = env::split_paths(&folders)
            .flat_map(|folder| ends.iter().map(move |end| folder.join(format!("{command}{end}"))));
        places.find(|place| !command.is_empty() && place.is_file())
    };
    let found = found.ok_or("which is not there")?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if fs::metadata(&found).is_ok_and(|found| found.permissions().mode() & 0o111 == 0) {
            return Err("which may not be run");
        }
    }
    #[cfg(not(unix))]
    let _ = fs::metadata(&found);
    Ok(())
}

/// The program of a command for a shell, its quotes taken off.
fn first_word(command: &str) -> String {
    let mut word = String::new();
    let mut quote = None;
    let mut characters = command.trim_start().chars();
    while let Some(c) = characters.next() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (None, '\\') if cfg!(unix) => word.extend(characters.next()),
            (None, c) if c.is_whitespace() => break,
            _ => word.push(c),
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_program_is_read_as_the_shell_reads_it() {
        assert_eq!(first_word("/usr/bin/ebbtrace hook prompt"), "/usr/bin/ebbtrace");
        assert_eq!(first_word("'/my dir/it'\\''s' hook"), "/my dir/it's");
        assert_eq!(first_word("\"C:/x y.exe\" hook"), "C:/x y.exe");
    }
}
