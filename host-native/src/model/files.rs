//! Where a model's files are: in the folder that was named, among what was fetched before, in the cache that other
//! programs share, or still on the hub.

use std::{
    env,
    path::{Path, PathBuf},
};

use super::{ModelError, ModelSource, checkpoint::WEIGHTS, hub};

/// What no model can do without, the weights last: where they are, all of it is.
pub(crate) const NEEDED: [&str; 3] = ["config.json", "tokenizer.json", WEIGHTS];

/// The folder that has the files, once they are there.
pub(crate) fn find_or_fetch(source: &ModelSource) -> Result<PathBuf, ModelError> {
    let id = match source {
        ModelSource::Folder(folder) => return complete(folder).map(|()| folder.clone()),
        ModelSource::MiniLm | ModelSource::Hub(_) => source.hub_id().unwrap_or_default(),
    };
    let own = own_folder(id)?;
    if complete(&own).is_ok() {
        return Ok(own);
    }
    if let Some(shared) = shared_folder(id).filter(|folder| complete(folder).is_ok()) {
        return Ok(shared);
    }
    hub::fetch(&source.to_string(), id, &own, source.pinned())?;
    complete(&own).map(|()| own)
}

/// That a folder has every file that is needed.
pub(crate) fn complete(folder: &Path) -> Result<(), ModelError> {
    let lacking = NEEDED.iter().filter(|name| !folder.join(name).is_file());
    let files: Vec<String> = lacking.map(|name| (*name).to_owned()).collect();
    if files.is_empty() { Ok(()) } else { Err(ModelError::MissingFiles { folder: folder.to_owned(), files }) }
}

/// Where what is fetched of a model goes: `models/owner--name` in the system's cache directory.
fn own_folder(id: &str) -> Result<PathBuf, ModelError> {
    let directories = directories::ProjectDirs::from("", "", "ebbtrace").ok_or_else(|| ModelError::Download {
        model: id.to_owned(),
        reason: "the system names no home directory to keep it in".to_owned(),
        folder: PathBuf::from("a folder of your own"),
        files: NEEDED.map(str::to_owned).to_vec(),
    })?;
    Ok(directories.cache_dir().join("models").join(id.replace('/', "--")))
}

/// The model's newest state in the cache that Python's `huggingface_hub` and others fill, where it is there. It is only
/// read.
fn shared_folder(id: &str) -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || directories::BaseDirs::new().map(|dirs| dirs.home_dir().join(".cache"));
    let cache = set("HF_HUB_CACHE").or_else(|| Some(set("HF_HOME")?.join("hub"))).or_else(|| {
        let cache = set("XDG_CACHE_HOME").or_else(home)?;
        Some(cache.join("huggingface").join("hub"))
    })?;
    let repository = cache.join(format!("models--{}", id.replace('/', "--")));
    let revision = std::fs::read_to_string(repository.join("refs").join("main")).ok()?;
    Some(repository.join("snapshots").join(revision.trim()))
}
