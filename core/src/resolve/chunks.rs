//! A text in pieces: its words as they stand, its operators, and what lies beyond the pieces that are read.

use std::hash::BuildHasher;

use crate::resolve::{lexicon::among, scripts};

/// Longer texts are cut into pieces up to here.
const CHUNKS: usize = 800;
/// Units of time that stand after a stroke: `100 requests/minute`.
const TIME_UNITS: &str = "s sec second min minute h hr hour day week month quarter year";

/// Words that are written short, with a full stop that ends no sentence.
const SHORT: &str = "dr mr mrs ms prof st sr jr no vs etc e.g i.e approx dept tel";
/// What opens a correction, before a comma or the like.
const OPENERS: [&str; 14] = [
    "no",
    "nope",
    "sorry",
    "correction",
    "correct",
    "actually",
    "wait",
    "oops",
    "update",
    "edit",
    "i meant",
    "i mean",
    "i was wrong",
    "my mistake",
];

/// Where a text goes on behind what opens a correction: `No, the deadline is ...`.
pub(super) fn behind_openers(text: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = text[at..].trim_start();
        let start = text.len() - rest.len();
        let opener = OPENERS.iter().find_map(|opener| {
            let said = rest.get(..opener.len()).filter(|said| said.eq_ignore_ascii_case(opener))?;
            let behind = &rest[said.len()..];
            // `I meant the deadline` needs no comma; `no` does.
            let parted = behind.trim_start().starts_with([',', ':', ';', '!', '-', '\u{2013}', '\u{2014}']);
            (parted || opener.starts_with("i mean") && behind.starts_with(' ')).then_some(start + opener.len())
        });
        let Some(next) = opener else { return at };
        let marks = |c: char| c.is_whitespace() || ",:;!-\u{2013}\u{2014}".contains(c);
        at = text.len() - text[next..].trim_start_matches(marks).len();
        if at == text.len() {
            return 0;
        }
    }
}

/// A word of the text with what is around it.
pub(super) struct Chunk<'t> {
    pub text: &'t str,
    /// Where it starts.
    pub at: usize,
    /// Whether a sentence starts with it.
    pub start: bool,
    /// Whether a comma or the like stands before it.
    pub comma: bool,
    /// Whether a dash is joined to it: `--dry-run`.
    pub flag: bool,
}

impl Chunk<'_> {
    /// Whether it is a path, an identifier or a flag.
    pub(super) fn is_code(&self) -> bool {
        let word = self.text;
        let camel = || word.starts_with(char::is_lowercase) && word.contains(char::is_uppercase);
        // `abcdefab` and `aa:bb:cc:dd:ee:ff` are no words.
        let hex = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_hexdigit());
        let hex = || word.len() >= 8 && hex(word) || word.matches(':').count() > 1 && word.split(':').all(hex);
        self.flag || word.contains(['/', '.', '_', '\\', '@']) && word.len() > 3 || camel() || hex()
    }
}

/// The words of a text, apart at white space, brackets, quotes and where the script changes, and what comes after the
/// first [`CHUNKS`].
pub(super) fn chunks(text: &str) -> (Vec<Chunk<'_>>, &str) {
    let breaks =
        |c: char| c.is_whitespace() || "()[]{}\"“”«»<>|,;!?`，。、；：！？（）".contains(c) || scripts::is_gram(c);
    let mut found: Vec<Chunk<'_>> = Vec::new();
    let (mut start, mut comma, mut from) = (true, false, 0);
    let mut take = |from: usize, to: usize, comma: &mut bool, start: &mut bool| {
        let piece = &text[from..to];
        let marks = |c: char| "'‘’.:*_-–—−=".contains(c);
        let mut trimmed = piece.trim_matches(marks);
        // The sign of a number belongs to it.
        if let Some(signed) =
            piece.strip_suffix(trimmed).or_else(|| piece.trim_end_matches(marks).strip_suffix(trimmed))
            && matches!(signed, "-" | "–" | "—" | "−")
            && trimmed.starts_with(|c: char| c.is_ascii_digit())
        {
            trimmed = &piece[..signed.len() + trimmed.len()];
        }
        if trimmed.is_empty() {
            return found.len();
        }
        let at = from + (trimmed.as_ptr() as usize - piece.as_ptr() as usize);
        let (word, per) = trimmed.split_once('/').filter(|(_, per)| among(TIME_UNITS, per)).unwrap_or((trimmed, ""));
        let flag = piece.starts_with('-') && word.starts_with(char::is_alphabetic);
        found.push(Chunk { text: word, at, start: *start, comma: *comma, flag });
        if !per.is_empty() {
            found.push(Chunk { text: per, at: at + word.len() + 1, start: false, comma: false, flag: false });
        }
        *comma = false;
        // `Dr. Smith` goes on.
        let short = piece.ends_with('.') && among(SHORT, &trimmed.to_lowercase());
        *start = piece.ends_with(['.', ':']) && trimmed.len() > 1 && !short;
        found.len()
    };
    for (at, c) in text.char_indices() {
        if breaks(c) && !(c == ',' && in_number(text, at)) {
            if take(from, at, &mut comma, &mut start) >= CHUNKS {
                return (found, &text[at..]);
            }
            comma |= ",;、，；".contains(c);
            start |= "!?。！？\n".contains(c);
            from = at + c.len_utf8();
        }
    }
    take(from, text.len(), &mut comma, &mut start);
    (found, "")
}

/// Whether the comma at `at` parts thousands: `12,000`.
fn in_number(text: &str, at: usize) -> bool {
    let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let bytes = text.as_bytes();
    at > 0 && digit(bytes.get(at - 1)) && (1..=3).all(|i| digit(bytes.get(at + i))) && !digit(bytes.get(at + 4))
}

/// A hash of the operators in `text` up to `rest`. Emphasis (`**`), a mark at the start of a line and the end of a
/// sentence are none.
pub(super) fn operators(text: &str, rest: &str) -> u64 {
    let text = &text[..text.len() - rest.len()];
    let is_operator = |c: char| "=<>+*|^~!".contains(c);
    let mut found: u64 = 0;
    let mut from = 0;
    while let Some(at) = text[from..].find(is_operator).map(|at| from + at) {
        let end = text[at..].find(|c: char| !is_operator(c)).map_or(text.len(), |length| at + length);
        let before = text[..at].trim_end_matches(' ');
        // `!ready` denies, `ready!` cheers.
        let denies = text[end..].starts_with(|c: char| c.is_alphanumeric() || c == '(')
            && !text[..at].ends_with(char::is_alphanumeric);
        let run = if denies { &text[at..end] } else { text[at..end].trim_end_matches('!') };
        if !run.is_empty() && run != "**" && !before.is_empty() && !before.ends_with('\n') {
            let word =
                before.char_indices().rev().take_while(|(_, c)| c.is_alphanumeric() || "-._".contains(*c)).last();
            let word = word.map_or("", |(start, _)| &before[start..]).to_lowercase();
            // In any order: sentences may change places.
            found = found.wrapping_add(rustc_hash::FxBuildHasher.hash_one((word, run)));
        }
        from = end;
    }
    found
}

/// A hash of what is left of a text, 0 where nothing is.
pub(super) fn hash(text: &str) -> u64 {
    if text.trim().is_empty() { 0 } else { rustc_hash::FxBuildHasher.hash_one(text.trim()) | 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        chunks(text).0.iter().map(|chunk| chunk.text).collect()
    }

    #[test]
    fn signs_thousands_and_units_of_time_are_kept_together_or_apart() {
        assert_eq!(words("It was -5, then 12,000."), ["It", "was", "-5", "then", "12,000"]);
        assert_eq!(words("1,2 and 3-5"), ["1", "2", "and", "3-5"]);
        assert_eq!(words("100 requests/minute in src/main.rs"), ["100", "requests", "minute", "in", "src/main.rs"]);
    }

    #[test]
    fn operators_are_told_apart_from_marks() {
        let operators = |text: &str| operators(text, "");
        assert_ne!(operators("x == y"), operators("x != y"));
        assert_ne!(operators("if a < b"), operators("if b < a"));
        assert_ne!(operators("skip if !ready"), operators("skip if ready"));
        assert_ne!(operators("write a->b"), operators("write b->a"));
        assert_eq!(operators("* **Done**!"), operators("Done"));
    }

    #[test]
    fn a_long_text_is_read_in_part_and_the_rest_counts_as_a_whole() {
        let long = "word ".repeat(20_000);
        let (pieces, rest) = chunks(&long);
        assert_eq!(pieces.len(), CHUNKS);
        assert_ne!(hash(rest), hash(&format!("{rest} more")));
        assert_eq!(hash(" "), 0);
    }
}
