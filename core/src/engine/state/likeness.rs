//! Whether two messages tell of one failure: alike in their words, the same in their codes. What differs from one run to
//! the next - numbers, addresses, times, hashes - does not count.

use std::collections::BTreeSet;

use crate::{
    late::{Matcher, telling},
    resolve::{self, Statement},
    static_model::StaticModel,
};

/// Words after which a number is a code, not a quantity.
const BEFORE_A_CODE: [&str; 9] = ["code", "errno", "error", "exit", "http", "returned", "signal", "status", "with"];

/// One message, ready to be compared with others.
pub(super) struct Likeness<'m> {
    message: Message,
    statement: Statement,
    matcher: Option<(&'m StaticModel, Matcher<'m>)>,
}

impl<'m> Likeness<'m> {
    pub(super) fn new(text: &str, model: Option<&'m StaticModel>) -> Self {
        let message = Message::read(text);
        let statement = Statement::parse(&message.words);
        let matcher = model.map(|model| (model, Matcher::new(model, &model.tokens(&message.words))));
        let matcher = matcher.filter(|(_, matcher)| !matcher.is_empty() && statement.is_latin());
        Self { message, statement, matcher }
    }

    /// How alike the other message is, 0..=1.
    pub(super) fn with(&mut self, other: &str) -> f64 {
        let other = Message::read(other);
        if self.message == other {
            return 1.0;
        }
        if self.message.codes != other.codes {
            return 0.0;
        }
        match &mut self.matcher {
            Some((model, matcher)) => matcher.similarity(&telling(model, &model.tokens(&other.words))),
            None => resolve::word_similarity(&self.statement, &Statement::parse(&other.words)),
        }
    }
}

/// What of a message stays the same from run to run.
#[derive(Debug, PartialEq, Eq)]
struct Message {
    words: String,
    /// What tells one kind of error from another: `E0308`, `ECONNRESET_2`, the 404 of `status 404`.
    codes: BTreeSet<String>,
}

impl Message {
    fn read(text: &str) -> Self {
        let (mut words, mut codes): (Vec<&str>, _) = (Vec::new(), BTreeSet::new());
        let mut before = String::new();
        for word in text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()) {
            let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
            if is_number && BEFORE_A_CODE.contains(&before.as_str()) || is_code(word) {
                codes.insert(word.to_owned());
            } else if !is_number && !changes_from_run_to_run(word) {
                words.push(word);
            }
            before = word.to_lowercase();
        }
        Self { words: words.join(" "), codes }
    }
}

/// Whether a word is written as a code is: capitals with digits or underscores, a letter first.
fn is_code(word: &str) -> bool {
    let begins = word.starts_with(|c: char| c.is_ascii_uppercase());
    let fits = word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    begins && fits && word.bytes().any(|byte| byte.is_ascii_digit() || byte == b'_')
}

/// Whether a word is an address, a hash or a time: hexadecimal of some length with digits in it, or beginning with one.
fn changes_from_run_to_run(word: &str) -> bool {
    let hex = word.trim_start_matches("0x");
    let is_hex = hex.len() >= 7 && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    has_digit && (is_hex || word.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(a: &str, b: &str) -> f64 {
        let model = StaticModel::load(include_bytes!("../../../models/static-multi-v1.bin").as_slice());
        Likeness::new(a, model.ok().as_ref()).with(b)
    }

    #[test]
    fn what_differs_from_run_to_run_does_not_count() {
        let a = "2026-11-30T10:00:01Z worker 12: connection reset by peer at 0x7ffe12ab90 after 1203 ms";
        let b = "2026-12-01T22:15:59Z worker 7: connection reset by peer at 0x7ffe99ff00 after 88 ms";
        assert_eq!(alike(a, b), 1.0);
    }

    #[test]
    fn codes_tell_errors_apart() {
        assert_eq!(alike("error[E0308]: mismatched types", "error[E0599]: mismatched types"), 0.0);
        assert_eq!(alike("request failed with status 404", "request failed with status 500"), 0.0);
        assert_eq!(alike("ERR_TLS_CERT in handshake", "ERR_TLS_TIMEOUT in handshake"), 0.0);
    }

    #[test]
    fn the_same_in_other_words_is_near_and_another_error_is_not() {
        let near = alike("Connection refused while connecting to redis", "redis: connection refused when connecting");
        let far = alike("Connection refused while connecting to redis", "cannot borrow `x` as mutable");
        assert!(near > 0.75 && far < 0.5, "{near} {far}");
    }
}
