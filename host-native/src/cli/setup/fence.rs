//! The fence of a project: a server that was set up in it with `--fence` keeps to one scope, and so does every hook that
//! runs there, wherever that was set up.

use std::path::{Path, PathBuf};

use ebbtrace_core::Scope;

use super::{
    client::{Client, Place},
    options, server_in,
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
/// clients' there, the one with `scope`, else the first.
pub(in crate::cli) fn around(folder: &Path, scope: &str) -> Option<Fence> {
    let folder = std::path::absolute(folder).ok()?;
    // What stands in the home folder is for all that the user does.
    let home = directories::BaseDirs::new().map(|base| base.home_dir().to_owned());
    let projects = folder.ancestors().take_while(|above| Some(*above) != home.as_deref());
    projects.into_iter().find_map(|project| {
        let place = Place::new(Some(project))?;
        let fences: Vec<Fence> = Client::ALL.into_iter().filter_map(|client| of(client, &place)).collect();
        fences.iter().find(|fence| fence.scope == scope).or_else(|| fences.first()).cloned()
    })
}

fn of(client: Client, place: &Place) -> Option<Fence> {
    let file = client.servers(place).filter(|file| file.is_file())?;
    let server = server_in(client, &file).ok()??;
    let options = options::earlier(Some(&server));
    let told = |name: &str, variable: &str| {
        let given = options.iter().find(|(known, _)| known == name).and_then(|(_, value)| value.clone());
        given.or_else(|| server["env"][variable].as_str().filter(|value| !value.is_empty()).map(str::to_owned))
    };
    options.iter().any(|(name, _)| name == "--fence").then(|| Fence {
        file,
        scope: told("--scope", "EBBTRACE_SCOPE").unwrap_or_else(|| Scope::default().to_string()),
        db: told("--db", "EBBTRACE_DB").map(PathBuf::from),
    })
}
