//! The names things go by: memory ids, scopes and labels, each checked once and then trusted.

use std::{borrow::Borrow, fmt, sync::Arc};

use serde::{Deserialize, Deserializer, Serialize};

use crate::{error::Error, limits, record::relation};

macro_rules! name_type {
    ($(#[$doc:meta])* $name:ident, $field:literal, $limit:expr, $check:path) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Checks `text` and keeps it.
            ///
            /// # Errors
            /// [`Error::Blank`], [`Error::TooLong`] or [`Error::BadName`], naming `field`.
            pub fn parse(field: &'static str, text: &str) -> Result<Self, Error> {
                limits::length(field, text, $limit)?;
                $check(field, text)?;
                Ok(Self(Arc::from(text)))
            }

            /// The name as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:?}", &self.0)
            }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<&str> for $name {
            type Error = Error;
            fn try_from(text: &str) -> Result<Self, Error> {
                Self::parse($field, text)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                Self::parse($field, &text).map_err(serde::de::Error::custom)
            }
        }
    };
}

name_type! {
    /// A memory's id within its scope: the caller's own key (`decision:outcome-pricing`) or a ULID.
    /// 1 to 256 bytes, no control characters or others that hide or turn text, no blank at either end.
    MemoryId, "id", limits::ID_BYTES, check_key
}

name_type! {
    /// Whose memory it is: a user, a project or an agent. Nothing crosses from one scope to another.
    /// 1 to 128 bytes, no control characters or others that hide or turn text, no blank at either end.
    Scope, "scope", limits::SCOPE_BYTES, check_key
}

name_type! {
    /// A free lower-case label: a memory's kind (`note`, `decision`, `person`) or an edge's relation.
    /// 1 to 64 bytes of letters, digits, `_`, `-`, `.`, `:` or `/`, none of them upper case.
    Label, "kind", limits::LABEL_BYTES, check_label
}

impl Default for Scope {
    /// The scope `default`.
    fn default() -> Self {
        Self(Arc::from("default"))
    }
}

impl Label {
    /// The relation of an edge that a caller makes: any label but the engine's own.
    ///
    /// # Errors
    /// Those of [`Label::parse`], and [`Error::Reserved`].
    pub(crate) fn of_link(field: &'static str, text: Option<&str>) -> Result<Self, Error> {
        let text = text.unwrap_or(relation::RELATED);
        if relation::RESERVED.contains(&text) {
            return Err(Error::Reserved { field, value: text.to_owned() });
        }
        Self::parse(field, text)
    }

    /// A label known to be valid, from this crate's own names.
    pub(crate) fn ours(text: &'static str) -> Self {
        debug_assert!(check_label("kind", text).is_ok());
        Self(Arc::from(text))
    }
}

impl MemoryId {
    /// A ULID as an id.
    pub(crate) fn from_ulid(ulid: ulid::Ulid) -> Self {
        Self(Arc::from(ulid.to_string()))
    }

    /// Whether it is a key of the caller's own, not an id that was made.
    #[must_use]
    pub fn is_own_key(&self) -> bool {
        ulid::Ulid::from_string(&self.0).is_err()
    }
}

fn check_key(field: &'static str, text: &str) -> Result<(), Error> {
    if text.trim() != text || text.chars().any(limits::hides) {
        return Err(Error::BadName {
            field,
            value: limits::excerpt(text),
            allowed: "no control characters or others that break, turn or hide text, and no blank at either end",
        });
    }
    Ok(())
}

fn check_label(field: &'static str, text: &str) -> Result<(), Error> {
    let fits = |c: char| (c.is_alphanumeric() && !c.is_uppercase()) || "_-.:/".contains(c);
    if !text.chars().all(fits) {
        return Err(Error::BadName {
            field,
            value: limits::excerpt(text),
            allowed: "lower-case letters, digits and _ - . : /",
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_checked() {
        assert!(MemoryId::try_from("decision:outcome-pricing").is_ok());
        assert!(MemoryId::try_from("decision:outcome-pricing").is_ok_and(|id| id.is_own_key()));
        assert!(MemoryId::try_from("01M3250V00CF5Y3S2S686XESGW").is_ok_and(|id| !id.is_own_key()));
        assert_eq!(MemoryId::try_from("").unwrap_err().code(), "blank");
        assert_eq!(MemoryId::try_from(" a").unwrap_err().code(), "bad_name");
        assert_eq!(Scope::try_from(&*"s".repeat(129)).unwrap_err().code(), "too_long");
        // They stand in the lines that say what stored text is: what looks like another line must not be in one.
        for sly in ['\n', '\u{7f}', '\u{85}', '\u{9b}', '\u{2028}', '\u{2029}', '\u{202e}', '\u{2066}', '\u{e0041}'] {
            let name = format!("a{sly}b");
            assert_eq!(MemoryId::try_from(&*name).unwrap_err().code(), "bad_name", "{sly:?}");
            assert_eq!(Scope::try_from(&*name).unwrap_err().code(), "bad_name", "{sly:?}");
            assert_eq!(Label::parse("kind", &name).unwrap_err().code(), "bad_name", "{sly:?}");
        }
        for fine in ["दस्तावेज़", "کتاب\u{200c}ها", "👩\u{200d}🚀", "שלום\u{200f}"] {
            assert!(MemoryId::try_from(fine).is_ok(), "{fine:?}");
        }
        assert_eq!(Label::parse("relation", "Works At").unwrap_err().code(), "bad_name");
        assert!(Label::parse("kind", "회의").is_ok());
    }
}
