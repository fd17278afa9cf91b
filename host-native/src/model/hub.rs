//! Fetching a model from a hub: whole files or none, with the checksums that the hub gives, by any number of processes
//! at once.

mod download;
mod request;

use std::{
    env, fs,
    path::Path,
    time::{Duration, SystemTime},
};

use serde_json::Value;

use super::{ModelError, checkpoint::WEIGHTS, files::NEEDED, setup::pooling_folder};
use download::Download;
use request::Hub;

/// What is left of a file whose fetching was killed is thrown away after so long.
const STALE: Duration = Duration::from_secs(24 * 3_600);

/// What went wrong while fetching a file.
pub(crate) enum Trouble {
    /// In words, with the address.
    Plain(String),
    /// The file is another one than it should be.
    Sum { expected: String, actual: String },
}

/// Fetches what is missing of the model `id` into `folder`, the weights last. Weights that are not of the sha256
/// `pinned` are not kept.
pub(crate) fn fetch(model: &str, id: &str, folder: &Path, pinned: Option<&str>) -> Result<(), ModelError> {
    let failed = |reason: String| ModelError::Download {
        model: model.to_owned(),
        reason,
        folder: folder.to_owned(),
        files: NEEDED.map(str::to_owned).to_vec(),
    };
    let no = ["", "0", "false", "no", "off"];
    if env::var("HF_HUB_OFFLINE").is_ok_and(|value| !no.contains(&value.trim().to_lowercase().as_str())) {
        return Err(failed("it is not there yet, and HF_HUB_OFFLINE forbids to fetch it".to_owned()));
    }
    fs::create_dir_all(folder).map_err(|error| failed(format!("{} can't be made: {error}", folder.display())))?;
    sweep(folder);
    let mut hub = Hub::new(id).map_err(failed)?;
    let mut get = |name: &str, needed: bool, pinned: Option<&str>| -> Result<(), ModelError> {
        if folder.join(name).is_file() {
            return Ok(());
        }
        Download { folder, name, needed, pinned }.run(&mut hub).map_err(|trouble| match trouble {
            Trouble::Plain(reason) => failed(reason),
            Trouble::Sum { expected, actual } => {
                let path = folder.join(name);
                ModelError::Checksum { model: model.to_owned(), path, expected, actual }
            }
        })
    };
    get("config.json", true, None)?;
    get("modules.json", false, None)?;
    get("sentence_bert_config.json", false, None)?;
    let modules = fs::read(folder.join("modules.json")).ok();
    let modules: Option<Value> = modules.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    if let Some(pooling) = pooling_folder(modules.as_ref()) {
        get(&format!("{pooling}/config.json"), false, None)?;
    }
    get("tokenizer.json", true, None)?;
    get(WEIGHTS, true, pinned)
}

/// Throws away what processes that were killed have left.
fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let left = entry.file_name().to_string_lossy().ends_with(download::PART);
        let changed = entry.metadata().and_then(|metadata| metadata.modified());
        let age = changed.ok().and_then(|changed| SystemTime::now().duration_since(changed).ok());
        if left && age.is_some_and(|age| age > STALE) {
            // Another process may have done it.
            let _ = fs::remove_file(entry.path());
        }
    }
}
