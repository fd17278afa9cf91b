//! A store in one word: `sqlite:PATH`, `kuzu:PATH`, `neo4j:URI`.

use std::{
    path::{Path, PathBuf},
    str::FromStr,
};

use super::{Store, StoreError, StoreKind, default_path, open_store};

/// Which store, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// One in a file; at [`default_path`] where none is named.
    File(StoreKind, Option<PathBuf>),
    /// A Neo4j server; the one that the environment names where no URI is given.
    Neo4j(Option<String>),
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        let path = || (!rest.is_empty()).then(|| std::path::absolute(rest).unwrap_or_else(|_| PathBuf::from(rest)));
        match kind {
            "sqlite" => Ok(Self::File(StoreKind::Sqlite, path())),
            "kuzu" => Ok(Self::File(StoreKind::Kuzu, path())),
            // `neo4j://host` is a URI of its own.
            "neo4j" if rest.starts_with("//") => Ok(Self::Neo4j(Some(text.to_owned()))),
            "neo4j" => Ok(Self::Neo4j((!rest.is_empty()).then(|| rest.to_owned()))),
            _ => Err("it is none of sqlite:PATH, kuzu:PATH, neo4j:URI".to_owned()),
        }
    }
}

impl Address {
    /// Where it is, where it is a file.
    ///
    /// # Errors
    /// As [`default_path`].
    pub fn path(&self) -> Result<Option<PathBuf>, StoreError> {
        match self {
            Self::File(_, Some(path)) => Ok(Some(path.clone())),
            Self::File(kind, None) => default_path(*kind).map(Some),
            Self::Neo4j(_) => Ok(None),
        }
    }

    /// Opens it.
    ///
    /// # Errors
    /// As [`open_store`].
    pub fn open(&self) -> Result<Box<dyn Store>, StoreError> {
        match self {
            Self::File(kind, path) => open_store(*kind, path.as_deref().map(Path::new), None),
            Self::Neo4j(None) => open_store(StoreKind::Neo4j, None, None),
            #[cfg(feature = "neo4j")]
            Self::Neo4j(Some(uri)) => {
                let server = super::Neo4jServer { uri: uri.clone(), ..super::Neo4jServer::of_environment()? };
                Ok(Box::new(super::Neo4jStore::open(server)?))
            }
            #[cfg(not(feature = "neo4j"))]
            Self::Neo4j(Some(_)) => Err(StoreError::NotBuilt { kind: StoreKind::Neo4j }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_kind_and_a_place() {
        let read = |text: &str| text.parse::<Address>();
        assert_eq!(read("sqlite:/a/b.db"), Ok(Address::File(StoreKind::Sqlite, Some("/a/b.db".into()))));
        assert_eq!(read("sqlite"), Ok(Address::File(StoreKind::Sqlite, None)));
        assert_eq!(read("kuzu:/a:b"), Ok(Address::File(StoreKind::Kuzu, Some("/a:b".into()))));
        assert_eq!(read("neo4j:bolt://h:7687"), Ok(Address::Neo4j(Some("bolt://h:7687".to_owned()))));
        assert_eq!(read("neo4j://h:7687"), Ok(Address::Neo4j(Some("neo4j://h:7687".to_owned()))));
        assert_eq!(read("neo4j"), Ok(Address::Neo4j(None)));
        for wrong in ["", "/a/b.db", "postgres:x", "memory"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
