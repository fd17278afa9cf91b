//! The clients: whether their configuration can be read, starts a program that is there, and means the same store.

mod means;

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
};

use self::means::Means;
use super::{Check, State};
use crate::cli::{
    args::Global,
    screen,
    setup::{
        self,
        client::{Client, Place},
        fence, hooks as hooks_of, words,
    },
};

pub(super) fn checks(global: &Global) -> Vec<Check> {
    let here = env::current_dir().ok();
    let places = [Place::new(None), here.as_deref().and_then(|here| Place::new(Some(here)))];
    let places: Vec<&Place> = places.iter().flatten().collect();
    let asked = Means::asked(global);
    let mut checks = Vec::new();
    let mut seen = BTreeSet::new();
    for place in &places {
        for client in Client::ALL {
            // In the home folder, some files are both the user's and the project's.
            let mut is_new = |path: &PathBuf| (path.exists() || path.is_symlink()) && seen.insert(means::real(path));
            if let Some(path) = client.servers(place).filter(&mut is_new) {
                checks.push(servers(&asked, client, &path));
            }
            if let Some(path) = client.hooks(place).filter(&mut is_new) {
                // Its own place's server, else the other's: some have their hooks for all, and a server for each project.
                let server = server(client, place).or_else(|| places.iter().find_map(|place| server(client, place)));
                checks.push(hooks(client, &path, server));
            }
        }
    }
    match here.as_deref().map(|here| fence::around(here, &asked.scope)).transpose().map(Option::flatten) {
        Ok(Some(fence)) => {
            let (file, scope) = (fence.file.display(), screen::clean(&fence.scope, false));
            let says = format!(
                "{file} keeps this project to the scope {scope}; hooks show that alone here, whoever set them up"
            );
            checks.push(Check::new("fence", State::Good, says));
        }
        Ok(None) => {}
        Err(reason) => {
            checks
                .push(Check::new("fence", State::Broken, reason).mend("Mend that file: hooks are silent here so long"));
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

/// What the server of a client means, where one is set up.
fn server(client: Client, place: &Place) -> Option<Means> {
    let path = client.servers(place)?;
    setup::server_in(client, &path).ok().flatten().map(|server| Means::of_server(&server))
}

fn servers(asked: &Means, client: Client, path: &Path) -> Check {
    let name = client.name();
    let again = format!("ebbtrace setup {name}");
    let server = match setup::server_in(client, path) {
        Err(reason) => {
            return Check::new(name, State::Broken, format!("{} can't be read: {reason}", path.display()))
                .mend(format!("Mend the file, then: {again}"));
        }
        Ok(None) => {
            return Check::new(name, State::Note, format!("{} names no ebbtrace", path.display())).mend(again);
        }
        Ok(Some(server)) => server,
    };
    let command = server["command"].as_str().unwrap_or_default();
    if let Err(why) = runs(command) {
        return Check::new(name, State::Broken, format!("{} starts {command:?}, {why}", path.display())).mend(again);
    }
    let means = Means::of_server(&server);
    let (state, which) =
        if means.store == asked.store { (State::Good, "which") } else { (State::Note, "and uses another store: it") };
    Check::new(name, state, format!("{} starts {command}, {which} opens {means}", path.display()))
}

fn hooks(client: Client, path: &Path, server: Option<Means>) -> Check {
    let name = format!("{} hooks", client.name());
    let again = format!("ebbtrace setup {} --hooks", client.name());
    let found = match hooks_of::found(client, path) {
        Ok(found) => found,
        Err(reason) => {
            let says = format!("{} can't be read: {reason}", path.display());
            return Check::new(name, State::Broken, says).mend(format!("Mend the file, then: {again}"));
        }
    };
    if found.is_empty() {
        return Check::new(name, State::Note, format!("{} runs none of ours", path.display())).mend(again);
    }
    if let Some(doubled) = found.iter().find(|found| found.more) {
        let says = format!("at {}, {} runs our hook more than once", doubled.event, path.display());
        return Check::new(name, State::Warning, says).mend("Leave one of its commands there");
    }
    let found: Vec<(&str, Vec<String>)> = found.iter().map(|found| (found.event, words(&found.command))).collect();
    for (event, words) in &found {
        let program = words.first().map_or("", String::as_str);
        if let Err(why) = runs(program) {
            let says = format!("at {event}, {} runs {program:?}, {why}", path.display());
            return Check::new(name, State::Broken, says).mend(again);
        }
    }
    let all: Vec<(&str, Means)> = found.iter().map(|(event, words)| (*event, Means::of_words(words))).collect();
    // Without a server, the hooks have one another to differ from.
    let wanted = server.as_ref().unwrap_or(&all[0].1);
    if let Some((event, other)) = all.iter().find(|(_, means)| means != wanted) {
        let than = if server.is_some() { "its server" } else { "the others" };
        let says = format!("at {event}, {} looks into {other}, and {than} into {wanted}", path.display());
        return Check::new(name, State::Warning, says).mend(format!("{again} {}", wanted.options()));
    }
    let missing: Vec<&str> = client
        .events()
        .iter()
        .map(|(event, _)| *event)
        .filter(|event| found.iter().all(|(has, _)| has != event))
        .collect();
    if missing.is_empty() {
        Check::new(name, State::Good, format!("{} runs all of them, over {wanted}", path.display()))
    } else {
        let says = format!("{} runs none at {}; the others look into {wanted}", path.display(), missing.join(", "));
        Check::new(name, State::Warning, says).mend(again)
    }
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
