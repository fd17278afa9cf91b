//! The fence of a project: a server that was set up in it with `--fence` keeps to one scope, and so does every hook that
//! runs there, wherever that was set up.

use std::{
    fs,
    path::{Path, PathBuf},
};

use ebbtrace_core::Scope;
use serde_json::Value;

use super::{
    client::{Client, Place},
    options::Start,
    servers_of,
};

/// What a project is kept to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) struct Fence {
    /// The file that says so.
    pub(in crate::cli) file: PathBuf,
    /// Whose memory it is.
    pub(in crate::cli) scope: String,
    /// Which store, where it names one.
    pub(in crate::cli) db: Option<PathBuf>,
}

/// The fence around `folder`: that of the nearest folder above it that has one, below the user's home. Of several
/// servers there, the one with `scope`, else the first.
///
/// # Errors
/// That a file there names a fence and can't be read: nobody knows then what the project is kept to.
pub(in crate::cli) fn around(folder: &Path, scope: &str) -> Result<Option<Fence>, String> {
    let Some(user) = Place::new(None) else { return Ok(None) };
    let home = real(&user.home);
    let mut known = Vec::new();
    // Where a link leads, and where it stands: the project may be above either.
    for folder in [real(folder), std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned())] {
        // What stands in the home folder is for all that the user does.
        for project in folder.ancestors().take_while(|above| real(above) != home) {
            let mut fences = of_project(project)?;
            fences.append(&mut of_user(&user, project, &mut known)?);
            if let Some(fence) = fences.iter().find(|fence| fence.scope == scope).or_else(|| fences.first()) {
                return Ok(Some(fence.clone()));
            }
        }
    }
    Ok(None)
}

/// The fences of the servers that the project's own files name.
fn of_project(project: &Path) -> Result<Vec<Fence>, String> {
    let Some(place) = Place::new(Some(project)) else { return Ok(Vec::new()) };
    let mut fences = Vec::new();
    for client in Client::ALL {
        let Some(file) = client.servers(&place) else { continue };
        if let Some(text) = naming(&file)? {
            let servers = servers_of(client, &text).map_err(|reason| unknown(&file, &reason))?;
            fences.extend(of_servers(&servers, &file));
        }
    }
    Ok(fences)
}

/// The fences of the servers that Claude Code keeps for a project in the user's own file. `known` is what the file says,
/// once it was read.
fn of_user(user: &Place, project: &Path, known: &mut Vec<(PathBuf, Value)>) -> Result<Vec<Fence>, String> {
    if known.is_empty() {
        let Some(file) = Client::ClaudeCode.servers(user) else { return Ok(Vec::new()) };
        let all = match naming(&file)? {
            Some(text) => serde_json::from_str(&text).map_err(|error| unknown(&file, &error.to_string()))?,
            None => Value::Null,
        };
        known.push((file, all));
    }
    let of_file = |(file, all): &(PathBuf, Value)| {
        let servers = &all["projects"][project.to_string_lossy().as_ref()][Client::ClaudeCode.list()];
        of_servers(servers, file)
    };
    Ok(known.iter().flat_map(of_file).collect())
}

/// The text of a file that speaks of a fence; `None` where there is none.
fn naming(file: &Path) -> Result<Option<String>, String> {
    if !file.is_file() {
        return Ok(None);
    }
    let bytes = fs::read(file).map_err(|error| unknown(file, &error.to_string()))?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    Ok(text.contains("fence").then(|| text.to_owned()))
}

/// A server counts under whatever name it goes.
fn of_servers(servers: &Value, file: &Path) -> Vec<Fence> {
    let servers = servers.as_object().into_iter().flat_map(|servers| servers.values());
    let starts = servers.map(Start::of_server).filter(|start| start.has_verb("mcp") && start.has("--fence"));
    let fence = |start: Start| Fence {
        file: file.to_owned(),
        scope: start.told("--scope", "EBBTRACE_SCOPE").unwrap_or_else(|| Scope::default().to_string()),
        db: start.told("--db", "EBBTRACE_DB").map(PathBuf::from),
    };
    starts.map(fence).collect()
}

fn unknown(file: &Path, reason: &str) -> String {
    let file = file.display();
    format!(
        "{file} may keep this project to one scope, and can't be read: {reason}. Nothing is shown until it is mended"
    )
}

/// The path with its links followed, as far as there is anything.
fn real(path: &Path) -> PathBuf {
    path.ancestors().find_map(|above| above.canonicalize().ok()).unwrap_or_else(|| path.to_owned())
}
