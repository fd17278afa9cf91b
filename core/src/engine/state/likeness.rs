//! Whether two messages tell of one failure: the same telling words and codes, in any form, and in any order in which they
//! say the same. What differs from one run to the next - places in a file, times, durations, addresses in memory, ids of
//! processes, hashes, percentages - does not count. Any other word or number that differs is another failure: `linux` and
//! `windows`, `404` and `500`, `full` and `not full`, `int to str` and `str to int`.

mod varying;

use self::varying::{
    Piece, counts_runs, is_address, is_clock, is_date, is_duration, is_month, is_span, is_unit, is_weekday, pieces,
    within_file,
};
use crate::{order, terms};

/// Words after which it matters what comes: where two swap, the message says something else.
const ROLES: [&str; 27] = [
    "to", "from", "into", "as", "with", "by", "of", "for", "than", "got", "get", "found", "expected", "actual",
    "received", "but", "was", "is", "not", "left", "right", "before", "after", "over", "instead", "->", "=>",
];

/// Function words that make a message say something else.
const TELLING: [&str; 20] = [
    "no", "not", "never", "without", "cannot", "cant", "dont", "isnt", "wasnt", "up", "down", "off", "over", "under",
    "before", "below", "above", "more", "less", "none",
];

/// What of a message stays the same from run to run.
#[derive(Debug, Default)]
pub(super) struct Message {
    /// Stems of its telling words, each once, in order.
    words: Vec<String>,
    /// Its numbers that tell one error from another, and what has digits in it, likewise: `404`, `E0308`, `eu-7`.
    codes: Vec<String>,
    /// What stands behind a word that says what part it plays, and behind the word before a code.
    roles: Vec<(String, Vec<String>)>,
    /// Words, function words too, and codes, in their order.
    order: Vec<String>,
    /// The whole, where there is neither word nor code.
    whole: String,
}

impl Message {
    pub(super) fn read(text: &str) -> Self {
        let mut message = Self::default();
        let pieces = pieces(text);
        let (mut at, mut before, mut role) = (0, String::new(), None);
        while let Some(piece) = pieces.get(at) {
            let skipped = varying(&pieces, at, &before);
            if skipped > 0 {
                at += skipped;
                before.clear();
                continue;
            }
            at += 1;
            let text = within_file(piece.text);
            // `after 12 s`: the word belongs to the number.
            let next = pieces.get(at).is_some_and(|next| next.text.starts_with(|c: char| c.is_ascii_digit()));
            let lower = text.to_lowercase();
            if next && (is_span(&lower) || counts_runs(&lower)) && varying(&pieces, at, &lower) > 0 {
                before = lower;
                continue;
            }
            for part in parts(text) {
                message.take(part, piece.quoted, &mut before, &mut role);
            }
            before = lower.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_owned();
        }
        for told in [&mut message.words, &mut message.codes] {
            order::sort(told);
            told.dedup();
        }
        if message.words.is_empty() && message.codes.is_empty() {
            text.trim().clone_into(&mut message.whole);
        }
        message
    }

    fn take(&mut self, part: &str, quoted: bool, before: &mut String, role: &mut Option<String>) {
        let lower = part.to_lowercase().replace('\'', "");
        let role_of = |lower: &str| (!quoted && ROLES.contains(&lower)).then(|| lower.to_owned());
        let code = part.bytes().any(|byte| byte.is_ascii_digit());
        let telling = code
            || quoted
            || TELLING.contains(&&*lower)
            || !terms::is_stop_word(&lower) && lower != "->" && lower != "=>";
        if !telling {
            *role = role_of(&lower);
            self.order.push(lower);
            return;
        }
        let kept = if code { number(&lower) } else { terms::stem(&lower).into_owned() };
        if let Some(role) = role.take() {
            self.play(role, kept.clone());
        }
        if code && !before.is_empty() {
            self.play(format!("{before} #"), kept.clone());
        }
        if lower == "not"
            && let Some(last) = self.order.last()
        {
            self.play("before not".to_owned(), last.clone());
        }
        *role = role_of(&lower);
        self.order.push(kept.clone());
        if code { self.codes.push(kept) } else { self.words.push(kept) }
    }

    fn play(&mut self, role: String, word: String) {
        match self.roles.iter_mut().find(|(known, _)| *known == role) {
            Some((_, told)) => told.push(word),
            None => self.roles.push((role, vec![word])),
        }
    }

    /// Whether both tell of one failure.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let roles = self.roles.iter().all(|(role, told)| {
            let there = other.roles.iter().find(|(known, _)| known == role);
            there.is_none_or(|(_, others)| others == told)
        });
        let alike = (&self.words, &self.codes, &self.whole) == (&other.words, &other.codes, &other.whole);
        alike && roles && !self.is_swapped(other)
    }

    /// Whether two words that are not beside each other changed places, and nothing else did.
    fn is_swapped(&self, other: &Self) -> bool {
        let pairs = || self.order.iter().zip(&other.order).enumerate();
        let differ: Vec<usize> = pairs().filter(|(_, (a, b))| a != b).map(|(at, _)| at).collect();
        let [one, two] = *differ else { return false };
        self.order.len() == other.order.len() && two > one + 1 && self.order[one] == other.order[two]
    }
}

/// How many pieces from `at` on differ from run to run; `before` is the word before them.
fn varying(pieces: &[Piece<'_>], at: usize, before: &str) -> usize {
    let piece = &pieces[at];
    let text = piece.text;
    let lower = |at: usize| pieces.get(at).map(|piece: &Piece<'_>| piece.text.to_lowercase()).unwrap_or_default();
    let next = lower(at + 1);
    if is_clock(
        text,
        at == 0 || ["at", "since", "until", "um", "à"].contains(&before) || ["am", "pm"].contains(&&*next),
    ) {
        return 1 + usize::from(["am", "pm", "utc", "gmt", "z"].contains(&&*next) || is_zone(&next));
    }
    // A letter for the level and the day, as glog writes them.
    let level = text.len() == 5 && text.starts_with(['I', 'W', 'E', 'F']) && number_of(&text[1..]).is_some();
    if is_date(text) || level && is_clock(&next, false) {
        return 1;
    }
    let day = |text: &str| text.len() <= 2 && text.parse::<u8>().is_ok_and(|day| (1..=31).contains(&day));
    let year =
        |text: &str| text.len() == 4 && (text.starts_with("19") || text.starts_with("20")) && number_of(text).is_some();
    if is_weekday(text) && (pieces.get(at + 1).is_some_and(|next| is_month(next.text)) || day(&next)) {
        return 1;
    }
    let month = |at: usize| pieces.get(at).is_some_and(|piece| is_month(piece.text));
    if month(at) && day(&next) || day(text) && month(at + 1) {
        return 2 + usize::from(year(&lower(at + 2)));
    }
    let pointed = ["at", "address", "addr", "pointer", "ptr"].contains(&before);
    if is_address(text, pointed) || is_duration(text) || piece.place {
        return 1;
    }
    let Some(whole) = number_of(text) else { return 0 };
    if next == "%" || ["percent", "prozent"].contains(&&*next) || is_unit(&next) {
        return 2;
    }
    // Within a script without spaces the unit is where the next piece begins.
    if varying::begins_with_unit(&next) && pieces.get(at + 1).is_some_and(|next| next.glued) {
        return 1;
    }
    // Seconds or milliseconds since 1970.
    let epoch = whole && text.starts_with('1') && [10, 13, 16, 19].contains(&text.len()) && text.as_bytes()[1] >= b'5';
    let ends = next.is_empty() || terms::is_stop_word(&next) || !next.starts_with(char::is_alphabetic);
    usize::from(epoch || counts_runs(before) || is_span(before) && ends || before == "第" && next.starts_with('行'))
}

fn is_zone(text: &str) -> bool {
    text.len() == 5 && text.starts_with(['+', '-']) && number_of(&text[1..]).is_some()
}

/// Whether a plain number, such as `3000`, `1,203`, `12.5`, is whole.
fn number_of(text: &str) -> Option<bool> {
    let fits = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b',' || byte == b'.');
    let digits = text.bytes().any(|byte| byte.is_ascii_digit());
    // More than one point makes a version or an address of it.
    let plain = fits && digits && text.matches('.').count() < 2;
    plain.then(|| text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A number without what parts its thousands; what is none as it is.
fn number(text: &str) -> String {
    if number_of(text).is_some() { text.replace(',', "") } else { text.to_owned() }
}

/// A piece's words and codes, without what differs from run to run: a name with digits is one, `redis-eu-7`.
fn parts(text: &str) -> Vec<&str> {
    if text == "->" || text == "=>" {
        return vec![text];
    }
    let ends = |c: char| !(c.is_alphanumeric() || "_'-.:".contains(c));
    let mut all = Vec::new();
    for name in text.split(ends) {
        let name = name.trim_matches(|c: char| !c.is_alphanumeric());
        let small: Vec<&str> =
            name.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|part| !part.is_empty()).collect();
        let digit = name.bytes().any(|byte| byte.is_ascii_digit());
        let runs = small.windows(2).any(|pair| is_run(pair[0], pair[1]));
        if digit && !runs && !small.iter().any(|part| is_address(part, false)) {
            all.push(name);
            continue;
        }
        for (at, part) in small.iter().enumerate() {
            let run = at > 0 && is_run(small[at - 1], part);
            if !run && !is_address(part, false) {
                all.push(part);
            }
        }
    }
    all
}

/// `worker` and `7` of `worker-7`.
fn is_run(word: &str, part: &str) -> bool {
    counts_runs(&word.to_lowercase()) && number_of(part) == Some(true)
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
            ("panicked at src/main.rs:12:5", "panicked at src/main.rs:13:5"),
            ("TypeError at index.js:10:5", "TypeError at index.js:11:5"),
            ("NullPointerException at a.b.Foo.bar(Foo.java:42)", "NullPointerException at a.b.Foo.bar(Foo.java:57)"),
            ("foo.c:12:3: undeclared x", "foo.c:15:3: undeclared x"),
            ("src/a.ts(12,5): error TS2304", "src/a.ts(14,9): error TS2304"),
            ("File \"a.py\", line 12, in f: KeyError", "File \"a.py\", line 31, in f: KeyError"),
            ("in /src/Foo.cs:line 42 it broke", "in /src/Foo.cs:line 48 it broke"),
            ("main.go:12 +0x1d panic", "main.go:19 +0x2f panic"),
            ("10:00:01,123 refused", "22:15:59,004 refused"),
            ("[2026/12/01 10:00:01] refused", "[2026/12/02 11:30:00] refused"),
            ("Dec  1 10:00:01 sshd: refused", "Dec 12 11:00:01 sshd: refused"),
            ("lock timed out after 1m30s", "lock timed out after 2m10s"),
            ("lock timed out after 3 minutes", "lock timed out after 5 minutes"),
            ("segfault at 0xdeadbeef", "segfault at 0xcafebabe"),
            ("连接超时3000毫秒", "连接超时88毫秒"),
            ("接続が3000ミリ秒で切れた", "接続が12ミリ秒で切れた"),
            ("job 550e8400-e29b-41d4-a716-446655440000 died", "job 6ba7b810-9dad-11d1-80b4-00c04fd430c8 died"),
            ("pid=4711 was killed", "pid=88 was killed"),
            ("expired at 1790000000000", "expired at 1790000360000"),
            ("Token refresh failed: connection reset", "token refresh failed after 12.5 s (connection reset)"),
        ] {
            assert!(
                Message::read(a).is_same(&Message::read(b)),
                "{a} | {b}\n{:?}\n{:?}",
                Message::read(a),
                Message::read(b)
            );
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
            ("ECONNREFUSED 10.0.0.1:5432", "ECONNREFUSED 10.9.9.9:6379"),
            ("ECONNREFUSED 10.0.0.1:5432", "ECONNREFUSED 10.0.0.1:6379"),
            ("port 8080:80", "port 9090:90"),
            ("ratio 16:9", "ratio 4:3"),
            ("request 404 failed", "request 500 failed"),
            ("error 404 items", "error 500 items"),
            ("SQLSTATE 1234567", "SQLSTATE 7654321"),
            ("cannot convert int to str", "cannot convert str to int"),
            ("expected true, got false", "expected false, got true"),
            ("expected 3, got 4", "expected 4, got 3"),
            ("migration from v1 to v2", "migration from v2 to v1"),
            ("left: 1, right: 2", "left: 2, right: 1"),
            ("'Cat' is not a subtype of 'Dog'", "'Dog' is not a subtype of 'Cat'"),
            ("shard 3 of table 4 is gone", "shard 4 of table 3 is gone"),
            ("primary is ready, replica not ready", "replica is ready, primary not ready"),
            ("column 'from' is missing", "column 'to' is missing"),
            ("redis:6379 refused", "redis:6380 refused"),
            ("错误404", "错误500"),
            ("server is up", "server is down"),
            ("0xC0000005", "0xC000001D"),
            ("upgrade 1.2.3 failed", "upgrade 1.3.2 failed"),
        ] {
            assert!(!Message::read(a).is_same(&Message::read(b)), "{a} | {b}\n{:?}", Message::read(a));
        }
    }
}
