//! Whether two messages tell of one failure: the same telling words in any order and form, and the same codes. What
//! differs from one run to the next - quantities, times, addresses, hashes, places in a file - does not count. Any other
//! word or number that differs is another failure: `linux` and `windows`, `404` and `500`, `full` and `not full`.

use std::collections::BTreeSet;

use crate::terms;

/// Words after which a number differs from run to run.
const COUNTS: [&str; 17] = [
    "after",
    "attempt",
    "col",
    "column",
    "elapsed",
    "index",
    "iteration",
    "line",
    "offset",
    "pid",
    "request",
    "retry",
    "row",
    "thread",
    "took",
    "waited",
    "worker",
];

/// What stands behind, or at the end of, a number that is a quantity.
const UNITS: [&str; 29] = [
    "%", "ms", "us", "ns", "s", "sec", "secs", "second", "seconds", "m", "min", "mins", "minutes", "h", "hours", "b",
    "kb", "mb", "gb", "kib", "mib", "gib", "bytes", "times", "attempts", "retries", "rows", "items", "files",
];

/// Function words that make a message say the opposite.
const DENIALS: [&str; 9] = ["no", "not", "never", "without", "cannot", "cant", "dont", "isnt", "wasnt"];

/// What of a message stays the same from run to run.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Message {
    /// Stems of its telling words.
    words: BTreeSet<String>,
    /// Its numbers that tell one error from another, and what has digits in it: `404`, `E0308`, `eu-7`.
    codes: BTreeSet<String>,
    /// The whole, where there is neither.
    whole: String,
}

impl Message {
    pub(super) fn read(text: &str) -> Self {
        let mut message = Self::default();
        let chunks: Vec<&str> = text.split_whitespace().map(bare).filter(|chunk| !chunk.is_empty()).collect();
        let mut before = String::new();
        for (place, chunk) in chunks.iter().enumerate() {
            let next = chunks.get(place + 1).map(|next| next.to_lowercase()).unwrap_or_default();
            if !is_moment(chunk) && !is_address(chunk) {
                match quantity(chunk) {
                    Some(digits) => {
                        let counts = COUNTS.contains(&before.as_str()) || UNITS.contains(&next.as_str());
                        if !counts && digits < 6 {
                            message.codes.insert((*chunk).to_owned());
                        }
                    }
                    // `after 12 s`: the word belongs to the number.
                    None if COUNTS.contains(&chunk.to_lowercase().as_str()) && begins_with_digit(&next) => {}
                    None if is_with_unit(chunk) || UNITS.contains(&chunk.to_lowercase().as_str()) => {}
                    None => message.take(chunk),
                }
            }
            before = chunk.to_lowercase();
        }
        if message.words.is_empty() && message.codes.is_empty() {
            text.trim().clone_into(&mut message.whole);
        }
        message
    }

    fn take(&mut self, chunk: &str) {
        for part in chunk.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '\'').filter(|part| !part.is_empty())
        {
            let lower = part.to_lowercase().replace('\'', "");
            if part.chars().any(|c| c.is_ascii_digit()) {
                self.codes.insert(lower);
            } else if DENIALS.contains(&lower.as_str()) || !terms::is_stop_word(&lower) {
                self.words.insert(terms::stem(&lower).into_owned());
            }
        }
    }
}

fn begins_with_digit(chunk: &str) -> bool {
    chunk.starts_with(|c: char| c.is_ascii_digit())
}

/// A chunk without the marks around it.
fn bare(chunk: &str) -> &str {
    chunk.trim_matches(|c: char| !c.is_alphanumeric() && c != '%')
}

/// How many digits a plain number has: `3000`, `1,203`, `12.5`.
fn quantity(chunk: &str) -> Option<usize> {
    let fits = chunk.chars().all(|c| c.is_ascii_digit() || c == ',' || c == '.');
    let digits = chunk.chars().filter(char::is_ascii_digit).count();
    // More than one point makes a version or an address of it.
    (fits && digits > 0 && chunk.matches('.').count() < 2).then_some(digits)
}

/// `88ms`, `12%`, `1.5s`.
fn is_with_unit(chunk: &str) -> bool {
    let number = chunk.trim_end_matches(|c: char| !c.is_ascii_digit());
    !number.is_empty() && quantity(number).is_some() && UNITS.contains(&chunk[number.len()..].to_lowercase().as_str())
}

/// A date or a time of day: `2026-11-30`, `10:00:01`, `2026-11-30T10:00:01Z`.
fn is_moment(chunk: &str) -> bool {
    let groups = chunk.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty()).count();
    let fits = chunk.chars().all(|c| c.is_ascii_digit() || "-:.+TZ".contains(c));
    let date = chunk.len() >= 10 && chunk.as_bytes()[4] == b'-' && chunk.as_bytes()[7] == b'-';
    fits && groups >= 2 && (chunk.contains(':') || date)
}

/// A pointer, a hash, a UUID: hexadecimal of some length, with digits in it. A code such as `0x80070005` is shorter.
fn is_address(chunk: &str) -> bool {
    let hex = chunk.trim_start_matches("0x");
    let least = if hex.len() < chunk.len() { 9 } else { 7 };
    let digits = hex.bytes().filter(u8::is_ascii_digit).count();
    let letters = hex.bytes().filter(u8::is_ascii_alphabetic).count();
    let fits = hex.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    fits && digits > 1 && letters > 0 && hex.len() >= least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_from_run_to_run_does_not_count() {
        for (a, b) in [
            (
                "2026-11-30T10:00:01Z worker 12: connection reset by peer at 0x7ffe12ab90 after 1203 ms",
                "2026-12-01T22:15:59Z worker 7: connection reset by peer at 0x7ffe99ff00 after 88ms",
            ),
            ("panicked at src/main.rs line 12", "panicked at src/main.rs line 40"),
            ("checkout of 3f2a9bc failed", "checkout of 77de01a failed"),
            ("Connection refused while connecting to redis", "redis: connection refused when connecting"),
            ("disk is 93% full", "disk is 97% full"),
            ("Token refresh failed: connection reset", "token refresh failed after 12.5 s (connection reset)"),
        ] {
            assert_eq!(Message::read(a), Message::read(b), "{a} | {b}");
        }
    }

    #[test]
    fn any_other_word_or_number_is_another_failure() {
        for (a, b) in [
            ("error[E0308]: mismatched types", "error[E0599]: mismatched types"),
            ("request failed with status 404", "request failed with status 500"),
            ("HTTP/1.1 404", "HTTP/1.1 503"),
            ("404", "500"),
            ("Process exited (1)", "Process exited (137)"),
            ("SQLSTATE 23505", "SQLSTATE 42601"),
            ("ORA-00001", "ORA-12154"),
            ("0x80070005", "0x80070002"),
            ("CVE-2024-1234", "CVE-2023-9999"),
            ("ts2304: no such name", "ts2339: no such name"),
            ("TypeError in parse", "ValueError in parse"),
            ("disk full", "disk not full"),
            ("user is allowed to push", "user isn't allowed to push"),
            ("build failed on linux", "build failed on windows"),
            ("db-primary is down", "db-replica is down"),
            ("cannot read property 'foo'", "cannot read property 'bar'"),
            ("a.txt is missing", "b.txt is missing"),
            ("redis-eu-7 is down", "redis-us-2 is down"),
            ("🔥", "💥"),
            ("サーバーが落ちた", "サーバーが遅い"),
        ] {
            assert_ne!(Message::read(a), Message::read(b), "{a} | {b}");
        }
    }
}
