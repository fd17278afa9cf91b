//! What a memory may hold. One place for every bound, and the checks that enforce them.

use crate::{error::Error, redact, time::Timestamp};

/// Content: at most 64 KiB of UTF-8.
pub const CONTENT_BYTES: usize = 65_536;
/// Metadata: at most 16 KiB as JSON text.
pub const METADATA_BYTES: usize = 16_384;
/// Metadata: at most 32 levels of nesting.
pub const METADATA_DEPTH: usize = 32;
/// A text in the record of an agent's work (an error, a fix, a summary, a note): at most 8 KiB.
pub const STATE_BYTES: usize = 8_192;
/// A failure's message: at most 4 KiB as JSON text, so that the first, the last, and what mended it fit in one record.
pub const ERROR_BYTES: usize = 4_096;
/// A failure's cause, and its fix: at most 2 KiB each as JSON text.
pub const MENDING_BYTES: usize = 2_048;
/// The id of a test that shows a failure: at most 256 bytes as JSON text.
pub const TEST_BYTES: usize = 256;
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

/// Whether a character controls, breaks, turns or hides the text around it rather than being a part of it: control
/// characters, the separators of lines and paragraphs, the overrides and isolates of direction, tag characters. Such a
/// one is in no name, and is shown as an escape where stored text is shown.
#[must_use]
pub fn hides(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}')
}

/// Each character of `text`, and whether it has to be made visible where stored text is shown: what [`hides`], marks of
/// direction, what has no width and no use in writing, and joiners and variation selectors where nothing is to be joined
/// or varied: in a row, at the beginning, after a letter of ASCII. Those of emoji and of scripts that join stay.
pub fn shown(text: &str) -> impl Iterator<Item = (char, bool)> + '_ {
    let mut before = None;
    text.chars().map(move |c| {
        let unseen = hides(c) || is_veil(c) || modifies(c) && before.is_none_or(|before| !is_modified(before, c));
        before = Some(c);
        (c, unseen)
    })
}

/// Whether a character has no width and is a part of no script and no emoji.
fn is_veil(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2060}'..='\u{2065}'
            | '\u{206a}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
    )
}

/// Whether a character has no width and changes the one before it, or joins it to the next.
fn modifies(c: char) -> bool {
    matches!(c, '\u{34f}' | '\u{180b}'..='\u{180d}' | '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{e0100}'..='\u{e01ef}')
}

/// Whether `before` can be what `c` changes or joins.
fn is_modified(before: char, c: char) -> bool {
    match before {
        // The red heart, then on to the fire.
        '\u{fe0f}' => c == '\u{200d}',
        // Keycaps.
        '0'..='9' | '#' | '*' => c == '\u{fe0f}',
        before => {
            !before.is_ascii() && !before.is_whitespace() && !hides(before) && !is_veil(before) && !modifies(before)
        }
    }
}

/// Whether a character leaves no mark where it stands alone.
fn is_blank(c: char) -> bool {
    let no_width = matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{ffa0}' | '\u{e0100}'..='\u{e01ef}'
    );
    c.is_whitespace() || hides(c) || no_width
}

/// Checks that `text` is neither blank nor longer than `limit` bytes.
///
/// # Errors
/// [`Error::Blank`] or [`Error::TooLong`].
pub fn length(field: &'static str, text: &str, limit: usize) -> Result<(), Error> {
    if text.chars().all(is_blank) {
        return Err(Error::Blank { field });
    }
    if text.len() > limit {
        return Err(Error::TooLong { field, length: text.len(), limit, unit: "bytes" });
    }
    Ok(())
}

/// Checks that `text` is neither blank nor longer than `limit` bytes as JSON has it, without its quotes: what is one of
/// several fields of a record has to fit beside the others.
///
/// # Errors
/// [`Error::Blank`] or [`Error::TooLong`].
pub fn written(field: &'static str, text: &str, limit: usize) -> Result<(), Error> {
    length(field, text, usize::MAX)?;
    let length = serde_json::Value::from(text).to_string().len() - 2;
    if length > limit {
        return Err(Error::TooLong { field, length, limit, unit: "bytes as JSON" });
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

/// At most the first 60 characters of `text`, without the secrets in it, for error messages.
#[must_use]
pub fn excerpt(text: &str) -> String {
    let (text, _) = redact::text(text);
    let mut cut: String = text.chars().take(60).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g4_what_hides_between_characters_is_told_from_what_joins_them() {
        let unseen = |text| shown(text).filter(|(_, unseen)| *unseen).count();
        for text in [
            "❤\u{fe0f}\u{200d}🔥",
            "1\u{fe0f}\u{20e3}",
            "می\u{200c}خواهم",
            "葛\u{e0100}",
            "क्\u{200d}ष",
            "a\u{301}",
            "é ü",
        ] {
            assert_eq!(unseen(text), 0, "{text:?}");
        }
        for (text, expected) in [
            ("</sys\u{200b}tem>", 1),
            ("a\u{200d}b", 1),
            ("\u{fe0f}", 1),
            ("👍\u{fe0f}\u{fe01}\u{e0101}\u{e01ef}", 3),
            ("👍\u{200d}\u{200d}", 1),
            ("pass\u{ad}word\u{2060}\u{feff}", 3),
            ("abc\u{200f}\u{61c}\u{200e}", 3),
            ("\u{202e}\u{e0041}\u{1b}", 3),
        ] {
            assert_eq!(unseen(text), expected, "{text:?}");
        }
    }

    #[test]
    fn what_nobody_can_see_is_blank() {
        for text in [
            "",
            " \t\n",
            "\u{200b}",
            "\u{feff}\u{200d} \u{2060}",
            "\u{ad}",
            "\u{3164}",
            "\u{fe0f}",
            "\u{e0041}\u{e007f}",
        ] {
            assert_eq!(length("content", text, 100), Err(Error::Blank { field: "content" }), "{text:?}");
        }
        for text in ["a\u{200b}", "👩\u{200d}🚀", "ㅤa", ".", "ا", "🏴\u{e0067}\u{e007f}"] {
            assert_eq!(length("content", text, 100), Ok(()), "{text:?}");
        }
    }
}
