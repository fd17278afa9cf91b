//! The store: whether it is there, may be used, is sound, and holds what is asked for.

use std::{
    fs::{self, File},
    path::Path,
};

use ebbtrace_core::Scope;

use super::{Check, State, graph};
use crate::{
    cli::{args::Global, open, screen::count},
    embed::EmbedderChoice,
    store::{Checkup, StoreKind, Use, default_path, in_use, log_bytes},
};

/// A log of more bytes than this was not folded into the file for long.
const LARGE_LOG: u64 = 64 << 20;

pub(super) fn checks(global: &Global) -> Vec<Check> {
    match global.store {
        StoreKind::Memory => return vec![Check::new("store", State::Note, "in memory: there is no file to look at")],
        StoreKind::Kuzu | StoreKind::Neo4j => return graph::checks(global),
        StoreKind::Sqlite => {}
    }
    let path = match global.db.clone().map_or_else(|| default_path(global.store), Ok) {
        Ok(path) => std::path::absolute(&path).unwrap_or(path),
        Err(error) => return vec![Check::new("store", State::Broken, error.to_string()).mend(error.next_step())],
    };
    let from = match (&global.db, std::env::var_os("EBBTRACE_DB").is_some_and(|value| !value.is_empty())) {
        (Some(_), _) => "as --db says",
        (None, true) => "as EBBTRACE_DB says",
        (None, false) => "in the data folder",
    };
    let shown = path.display();
    let Ok(found) = fs::metadata(&path) else {
        let says = format!("nothing is stored yet at {shown}, {from}");
        if log_bytes(&path) > 0 {
            let says = format!("the file {shown} is missing, but its log is there");
            return vec![
                Check::new("store", State::Broken, says)
                    .mend("Bring back the file beside its -wal, or name the right one with --db."),
            ];
        }
        return vec![Check::new("store", State::Note, says)];
    };
    if found.len() == 0 {
        return vec![Check::new("store", State::Note, format!("nothing is stored yet in {shown}, {from}"))];
    }
    let mut checks = vec![Check::new("store", State::Good, format!("{shown}, {from}; {}", size(found.len())))];
    checks.extend(rights(&path, &found));
    let checkup = match Checkup::of(&path) {
        Ok(checkup) => checkup,
        Err(error) => {
            checks.push(Check::new("opening", State::Broken, error.to_string()).mend(error.next_step()));
            return checks;
        }
    };
    checks.push(soundness(&checkup));
    checks.push(usage(&path));
    checks.push(log(&path, &checkup));
    checks.push(scope(global, &checkup.scopes));
    checks.push(vectors(global, &checkup.scopes, &checkup.vectors));
    checks
}

pub(super) fn rights(path: &Path, found: &fs::Metadata) -> Vec<Check> {
    let mut checks = Vec::new();
    // Opening to append changes nothing.
    let writable = File::options().append(true).open(path);
    let folder_locked = path.parent().and_then(|folder| fs::metadata(folder).ok());
    let folder_locked = folder_locked.is_some_and(|folder| folder.permissions().readonly());
    checks.push(match writable {
        Ok(_) if !folder_locked => Check::new("writing", State::Good, "it can be written"),
        Ok(_) => Check::new("writing", State::Warning, "its folder is write-protected, where its log has to be")
            .mend(format!("chmod u+w '{}'", path.parent().unwrap_or(path).display())),
        Err(error) => Check::new("writing", State::Warning, format!("it can only be read: {error}"))
            .mend(format!("Where it is yours: chmod u+rw '{}'", path.display())),
    });
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = found.permissions().mode() & 0o777;
        checks.push(if mode & 0o077 == 0 {
            Check::new("privacy", State::Good, "nobody else can read it")
        } else {
            Check::new("privacy", State::Warning, format!("others on this computer may read it (mode {mode:o})"))
                .mend(format!("chmod 600 '{}'", path.display()))
        });
    }
    #[cfg(not(unix))]
    let _ = found;
    checks
}

fn soundness(checkup: &Checkup) -> Check {
    let memories: i64 = checkup.scopes.iter().map(|(_, memories)| memories).sum();
    if !checkup.faults.is_empty() {
        return Check::new("soundness", State::Broken, format!("the file is damaged: {}", checkup.faults.join("; ")))
            .mend("Save what can be read: ebbtrace export -o saved.jsonl; import that into a new store, or restore a copy.");
    }
    if let Some(first) = checkup.damage.first() {
        let rows = count(checkup.damage.len(), "row", "rows");
        return Check::new("soundness", State::Broken, format!("{rows} can't be read, and the rest is used: {first}"))
            .mend("What they hold is not recalled, exported or counted. Restore a copy where it is needed; ebbtrace purge ID removes one.");
    }
    let memories = count(usize::try_from(memories).unwrap_or_default(), "memory", "memories");
    let edges = count(usize::try_from(checkup.edges).unwrap_or_default(), "link", "links");
    Check::new("soundness", State::Good, format!("{memories} and {edges}, all legible"))
}

fn usage(path: &Path) -> Check {
    match in_use(path) {
        Use::Free => Check::new("use", State::Good, "no other program has it open"),
        Use::Open => Check::new("use", State::Good, "other programs have it open, and nobody is kept waiting"),
        Use::Writing => Check::new("use", State::Note, "another program writes just now")
            .mend("Where it stays so: a client's server that hangs holds it; end that server."),
    }
}

fn log(path: &Path, checkup: &Checkup) -> Check {
    if checkup.journal_mode != "wal" && in_use(path) != Use::Free {
        let says =
            format!("its file system takes no write-ahead log ({}): it works, only slower", checkup.journal_mode);
        return Check::new("log", State::Note, says);
    }
    if checkup.deleted_in_log {
        let says = "it may still hold text that was deleted: another program was reading it";
        return Check::new("log", State::Warning, says)
            .mend("When no other program reads it any more: ebbtrace maintain.");
    }
    match log_bytes(path) {
        bytes if bytes > LARGE_LOG => {
            Check::new("log", State::Warning, format!("its log has grown to {}: a reader never lets go", size(bytes)))
                .mend("End the clients that use it; the next one to close it folds the log into the file.")
        }
        bytes => Check::new("log", State::Good, format!("{} in its log", size(bytes))),
    }
}

pub(super) fn scope(global: &Global, scopes: &[(String, i64)]) -> Check {
    let asked = open::scope(global);
    let name = asked.clone().unwrap_or_else(|| Scope::default().to_string());
    if let Err(error) = Scope::parse("scope", &name) {
        return Check::new("scope", State::Broken, error.to_string())
            .mend("Name another with --scope or EBBTRACE_SCOPE.");
    }
    match scopes.iter().find(|(known, _)| *known == name) {
        Some((_, memories)) => {
            let memories = count(usize::try_from(*memories).unwrap_or_default(), "memory", "memories");
            Check::new("scope", State::Good, format!("{name} holds {memories}"))
        }
        None if asked.is_some() => {
            Check::new("scope", State::Warning, format!("nothing is stored in the scope {name:?} yet"))
                .mend("Check its spelling; ebbtrace stats --all shows those that hold something.")
        }
        None => Check::new("scope", State::Note, format!("nothing is stored in the scope {name} yet")),
    }
}

pub(super) fn vectors(global: &Global, scopes: &[(String, i64)], vectors: &[(String, i64)]) -> Check {
    let total: i64 = scopes.iter().map(|(_, memories)| memories).sum();
    let with: i64 = vectors.iter().map(|(_, memories)| memories).sum();
    let models: Vec<String> = vectors.iter().map(|(model, memories)| format!("{model} {memories}")).collect();
    let models = models.join(", ");
    let embedder = global.embedder.to_string();
    match &global.embedder {
        EmbedderChoice::Model(_) => {
            let opened = global.embedder.open();
            if let Err(error) = opened {
                return Check::new("embedder", State::Broken, error.to_string()).mend(error.next_step());
            }
            if vectors.len() > 1 || with < total {
                let says = format!("{embedder}; of {total} memories, {with} have a vector ({models})");
                return Check::new("embedder", State::Warning, says)
                    .mend(format!("ebbtrace reembed --embedder {embedder} gives each the vector of that model."));
            }
            Check::new("embedder", State::Good, format!("{embedder}; every memory has a vector ({models})"))
        }
        _ if with > 0 => {
            Check::new("embedder", State::Note, format!("{embedder}; {with} vectors of models are not used ({models})"))
                .mend("Name the model with --embedder or EBBTRACE_EMBEDDER, or drop them: ebbtrace reembed.")
        }
        _ => Check::new("embedder", State::Good, format!("{embedder}: no vectors are stored, and none are needed")),
    }
}

pub(super) fn size(bytes: u64) -> String {
    match bytes {
        0..1_024 => format!("{bytes} B"),
        1_024..1_048_576 => format!("{} KiB", bytes >> 10),
        _ => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
    }
}
