//! Which store and scope a command means that a client runs.

use std::{
    env, fmt,
    path::{Path, PathBuf},
};

use clap::ValueEnum;
use ebbtrace_core::Scope;
use serde_json::Value;

use crate::{
    cli::{args::Global, open, screen, setup::options::Start},
    store::{StoreKind, default_path},
};

/// A store and a scope in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Means {
    /// Its path, every link followed; `None` where there is no file.
    pub(super) store: Option<PathBuf>,
    kind: StoreKind,
    pub(super) scope: String,
}

impl Means {
    /// What was asked for here.
    pub(super) fn asked(global: &Global) -> Self {
        let scope = open::scope(global).unwrap_or_else(|| Scope::default().to_string());
        Self { store: open::store_path(global).map(|store| real(&store)), kind: global.store, scope }
    }

    /// What a server of a client's configuration means: its arguments say it, else its environment, which is this one
    /// where it has none of its own.
    pub(super) fn of_server(server: &Value) -> Self {
        Self::of(&Start::of_server(server))
    }

    /// What a hook of a client's configuration means.
    pub(super) fn of_words(words: &[String]) -> Self {
        Self::of(&Start::of_words(words))
    }

    fn of(start: &Start) -> Self {
        let kind = start.told("--store", "EBBTRACE_STORE").and_then(|kind| StoreKind::from_str(&kind, false).ok());
        let kind = kind.unwrap_or_default();
        let store = start.told("--db", "EBBTRACE_DB").map(PathBuf::from).or_else(|| default_path(kind).ok());
        let scope = start.told("--scope", "EBBTRACE_SCOPE");
        let scope = scope.or_else(|| env::var("EBBTRACE_SCOPE").ok().filter(|scope| !scope.is_empty()));
        Self {
            store: store.filter(|_| kind.is_file()).map(|store| real(&store)),
            kind,
            scope: scope.unwrap_or_else(|| Scope::default().to_string()),
        }
    }

    /// The options that say it.
    pub(super) fn options(&self) -> String {
        let store = self.store.as_ref().map(|store| format!("--db '{}' ", store.display()));
        let kind = (self.kind != StoreKind::default()).then(|| format!("--store {} ", self.kind.as_str()));
        format!("{}{}--scope '{}'", kind.unwrap_or_default(), store.unwrap_or_default(), self.scope)
    }
}

impl fmt::Display for Means {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.store {
            Some(store) => write!(f, "{}", store.display())?,
            None if self.kind == StoreKind::Neo4j => write!(f, "a Neo4j server")?,
            None => write!(f, "no file")?,
        }
        write!(f, ", scope {}", screen::clean(&self.scope, false))
    }
}

/// The path with every link followed; as it is where nothing is there.
pub(super) fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.canonicalize().unwrap_or_else(|_| {
        let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
        folder.zip(path.file_name()).map_or_else(|| path.clone(), |(folder, name)| folder.join(name))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn options_win_over_the_environment() {
        let of = |server: Value| {
            let means = Means::of_server(&server);
            (means.store.expect("a path").display().to_string(), means.scope)
        };
        let told = json!({ "args": ["mcp", "--db", "/a.db", "--scope=work"], "env": { "EBBTRACE_DB": "/b.db" } });
        assert_eq!(of(told), ("/a.db".to_owned(), "work".to_owned()));
        let told = json!({ "args": ["mcp"], "env": { "EBBTRACE_DB": "/b.db", "EBBTRACE_SCOPE": "home" } });
        assert_eq!(of(told), ("/b.db".to_owned(), "home".to_owned()));
        assert_eq!(
            Means::of_words(&["e", "hook", "prompt", "--db=/c.db"].map(str::to_owned)).store,
            Some("/c.db".into())
        );
    }
}
