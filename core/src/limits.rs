//! What a memory may hold. One place for every bound, and the checks that enforce them.

use crate::{error::Error, time::Timestamp};

/// Content: at most 64 KiB of UTF-8.
pub const CONTENT_BYTES: usize = 65_536;
/// Metadata: at most 16 KiB as JSON text.
pub const METADATA_BYTES: usize = 16_384;
/// Metadata: at most 32 levels of nesting.
pub const METADATA_DEPTH: usize = 32;
/// A memory's id: at most 256 bytes.
pub const ID_BYTES: usize = 256;
/// A scope: at most 128 bytes.
pub const SCOPE_BYTES: usize = 128;
/// A kind or relation: at most 64 bytes.
pub const LABEL_BYTES: usize = 64;
/// Author, session, client: at most 256 bytes each.
pub const NAME_BYTES: usize = 256;
/// A source's URI: at most 2,048 bytes.
pub const URI_BYTES: usize = 2_048;
/// Tags: at most 64 on a memory.
pub const TAGS: usize = 64;
/// Links given with one memory: at most 256.
pub const LINKS: usize = 256;
/// A query: at most 8 KiB of UTF-8.
pub const QUERY_BYTES: usize = 8_192;
/// A reason (why something is forgotten): at most 1,024 bytes.
pub const REASON_BYTES: usize = 1_024;
/// An edge's weight: above 0, at most 10.
pub const WEIGHT_MAX: f64 = 10.0;
/// A vector: at most 4,096 dimensions.
pub const DIMENSIONS: usize = 4_096;
/// Results in one answer: at most 1,000.
pub const RESULTS: usize = 1_000;

/// Checks that `text` is neither blank nor longer than `limit` bytes.
///
/// # Errors
/// [`Error::Blank`] or [`Error::TooLong`].
pub fn length(field: &'static str, text: &str, limit: usize) -> Result<(), Error> {
    if text.trim().is_empty() {
        return Err(Error::Blank { field });
    }
    if text.len() > limit {
        return Err(Error::TooLong { field, length: text.len(), limit, unit: "bytes" });
    }
    Ok(())
}

/// Checks that a list has at most `limit` entries.
///
/// # Errors
/// [`Error::TooLong`].
pub fn count(field: &'static str, length: usize, limit: usize) -> Result<(), Error> {
    if length > limit {
        return Err(Error::TooLong { field, length, limit, unit: "entries" });
    }
    Ok(())
}

/// Checks that `value` is a number from 0 to 1.
///
/// # Errors
/// [`Error::OutOfRange`].
pub fn unit(field: &'static str, value: f64) -> Result<f64, Error> {
    if (0.0..=1.0).contains(&value) {
        return Ok(value);
    }
    Err(Error::OutOfRange { field, value: value.to_string(), allowed: "a number from 0 to 1" })
}

/// Checks an edge's weight: above 0, at most [`WEIGHT_MAX`].
///
/// # Errors
/// [`Error::OutOfRange`].
pub fn weight(field: &'static str, value: f64) -> Result<f64, Error> {
    if value > 0.0 && value <= WEIGHT_MAX {
        return Ok(value);
    }
    Err(Error::OutOfRange { field, value: value.to_string(), allowed: "a number above 0 and at most 10" })
}

/// Checks that an instant lies within the years 1 to 9999.
///
/// # Errors
/// [`Error::OutOfRange`].
pub fn instant(field: &'static str, value: Timestamp) -> Result<Timestamp, Error> {
    if (Timestamp::MIN..=Timestamp::MAX).contains(&value) {
        return Ok(value);
    }
    let allowed = "milliseconds since 1970 within the years 1 to 9999";
    Err(Error::OutOfRange { field, value: value.0.to_string(), allowed })
}

/// At most the first 60 characters of `text`, for error messages.
#[must_use]
pub fn excerpt(text: &str) -> String {
    let mut cut: String = text.chars().take(60).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    cut
}
