//! What an engine holds, in one hash: equal on every host that did the same.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::{engine::Engine, error::Error};

impl Engine {
    /// The SHA-256, in 64 hexadecimal digits, of every record of one scope, or of all scopes, as JSON, one a line, in the
    /// order of [`Engine::records`]. Two memories with the same digest hold the same; the revision does not count.
    ///
    /// # Errors
    /// [`Error::BadName`] for a scope that can't be one.
    pub fn digest(&self, scope: Option<&str>) -> Result<String, Error> {
        if let Some(scope) = scope {
            crate::label::Scope::parse("scope", scope)?;
        }
        let mut hash = Sha256::new();
        for record in self.records(scope) {
            // A record is plain data: it can be written.
            hash.update(serde_json::to_vec(&record).unwrap_or_default());
            hash.update(b"\n");
        }
        let mut hex = String::with_capacity(64);
        for byte in hash.finalize() {
            // Writing to a string can't fail.
            let _ = write!(hex, "{byte:02x}");
        }
        Ok(hex)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Config, Engine, Moment, RememberInput};

    #[test]
    fn equal_memories_have_equal_digests_and_others_do_not() {
        let told = |texts: &[&str]| {
            let mut engine = Engine::new(Config::default(), None);
            for (entropy, text) in (1..).zip(texts) {
                let input = RememberInput { content: (*text).to_owned(), ..RememberInput::default() };
                let staged = engine.stage_remember(&input, Moment::new(1_790_000_000_000, entropy)).unwrap();
                engine.apply(&staged.entry);
            }
            engine.digest(None).unwrap()
        };
        assert_eq!(told(&["Otto is allergic to peanuts"]), told(&["Otto is allergic to peanuts"]));
        assert_ne!(told(&["Otto is allergic to peanuts"]), told(&["Otto is allergic to walnuts"]));
        // The SHA-256 of nothing.
        assert_eq!(told(&[]), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert!(Engine::new(Config::default(), None).digest(Some("")).is_err());
    }
}
