//! Passwords that a sentence tells: `the password is hunter2`, `Passwort lautet …`, `密码是…`.
//!
//! A word for a password, what links it to a value (a copula, `:`, `=`), and a value that has the shape of a password: in
//! quotes, or with a digit, a sign or a capital in its midst. So `the password is wrong` stays, whatever word comes there.

use std::ops::Range;

use super::{Finding, assigned::is_path, is_placeholder};

/// What a password is called, in lower case.
const NAMES: &[&str] = &[
    "password",
    "passwort",
    "passwd",
    "pwd",
    "passphrase",
    "passcode",
    "kennwort",
    "mot de passe",
    "contraseña",
    "senha",
    "密码",
    "密碼",
    "口令",
    "パスワード",
    "비밀번호",
];

/// Words that link it to its value.
const LINKS: &[&str] = &["is", "was", "ist", "war", "lautet", "est", "es", "é"];
/// The same in scripts without spaces.
const TIGHT_LINKS: &[&str] = &["是", "为", "為", "は", "는", "은"];
/// Signs that do.
const SIGNS: &[&str] = &["->", "→", ":=", ":", "：", "=", "＝"];
/// What may stand between a link and the value.
const ADVERBS: &[&str] = &["now", "still", "currently", "again", "just", "simply", "jetzt", "nun", "weiterhin"];
/// What says whose it is: `the password for staging is …`.
const RELATIONS: &[&str] = &["for", "of", "on", "to", "für", "von", "zum", "zur", "pour", "para", "de"];
/// No password that is looked for has more bytes.
const LONGEST: usize = 256;
/// How many words may tell that.
const OWNER_WORDS: usize = 4;
/// What sets it: `reset the password to …`.
const SETTERS: &[&str] = &["set", "change", "changed", "reset", "update", "updated", "rotated", "rotate"];

/// Words that are no secrets, where they stand in quotes or have the shape of one.
const NO_SECRETS: &[&str] = &[
    "wrong",
    "required",
    "invalid",
    "valid",
    "correct",
    "incorrect",
    "empty",
    "missing",
    "expired",
    "stored",
    "hashed",
    "salted",
    "rotated",
    "changed",
    "reset",
    "set",
    "unset",
    "unknown",
    "known",
    "null",
    "none",
    "nil",
    "true",
    "false",
    "string",
    "text",
    "hidden",
    "weak",
    "strong",
    "short",
    "long",
    "optional",
    "encrypted",
    "secret",
    "password",
    "ok",
    "n/a",
    "todo",
    "tbd",
    "here",
    "below",
    "above",
    "revoked",
    "disabled",
    "enabled",
    "protected",
    "blank",
    "undefined",
];

/// What stands in words about passwords that have the shape of one: algorithms and keepers.
const ABOUT: &[&str] = &[
    "sha1",
    "sha-",
    "sha2",
    "sha3",
    "sha5",
    "md5",
    "base64",
    "argon2",
    "bcrypt",
    "scrypt",
    "pbkdf2",
    "utf8",
    "utf-8",
    "2fa",
    "oauth",
    "1password",
    "lastpass",
    "keepass",
    "bitwarden",
    "github",
    "gitlab",
    "icloud",
    "linkedin",
    "rfc",
    "x509",
    "k8s",
    "aes-",
    "aes256",
    "rot13",
    "ascii",
    "postgresql",
    "mysql",
];

/// What makes a number a measure.
const UNITS: &[&str] = &[
    "bit",
    "bits",
    "byte",
    "bytes",
    "char",
    "chars",
    "character",
    "characters",
    "letter",
    "letters",
    "digit",
    "digits",
    "symbol",
    "symbols",
    "day",
    "days",
    "hour",
    "hours",
    "minute",
    "minutes",
    "second",
    "seconds",
    "times",
    "zeichen",
    "tage",
    "years",
    "months",
    "weeks",
];

/// Words of sentences: what holds one of them is no passphrase.
const SMALL_WORDS: &[&str] = &[
    "a", "an", "and", "at", "be", "by", "for", "from", "has", "have", "in", "is", "it", "least", "must", "no", "not",
    "of", "on", "or", "should", "than", "that", "the", "to", "too", "was", "with", "you", "your",
];

/// Every password that a sentence tells, in no order.
pub(super) fn findings(text: &str) -> Vec<Finding> {
    let small = text.to_ascii_lowercase();
    let named = |name: &'static str| {
        let small = &small;
        small.match_indices(name).filter_map(move |(at, _)| {
            let (value, worded) = value_after(small, at, name)?;
            Some((password(text, value, worded)?, "password"))
        })
    };
    NAMES.iter().flat_map(|name| named(name)).collect()
}

/// Where the value of the password that is named at `at` begins, and whether a word leads to it.
fn value_after(small: &str, at: usize, name: &str) -> Option<(usize, bool)> {
    let inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = at + name.len();
    if name.is_ascii() && (small[..at].ends_with(inside) || small[end..].starts_with(inside)) {
        return None;
    }
    // A name in quotes, as in JSON, is looked after by its assignment.
    let next = blanks(small, end);
    if let Some(found) = link(small, next) {
        return Some(found);
    }
    let first = word(small, next);
    if first == "to" && small[..at].split_whitespace().rev().take(4).any(|before| SETTERS.contains(&before)) {
        return Some((blanks(small, next + 2), true));
    }
    if !RELATIONS.contains(&first) {
        return None;
    }
    let mut next = next + first.len();
    for _ in 0..=OWNER_WORDS {
        next = blanks(small, next);
        if let Some(found) = link(small, next) {
            return Some(found);
        }
        let owner = word(small, next);
        if let Some(before) = owner.strip_suffix(':') {
            return link(small, next + before.len());
        }
        if owner.is_empty() || owner.ends_with(['.', ',', ';', '!', '?', '。', '，']) {
            return None;
        }
        next += owner.len();
    }
    None
}

/// Where the value begins after a link at `at`, and whether the link is a word.
fn link(small: &str, at: usize) -> Option<(usize, bool)> {
    let rest = &small[at..];
    let after_word = |length: usize| {
        let mut next = blanks(small, at + length);
        // `the password is: x`
        next += small[next..].chars().next().filter(|c| matches!(c, ':' | '：')).map_or(0, char::len_utf8);
        next = blanks(small, next);
        let adverb = word(small, next);
        (if ADVERBS.contains(&adverb) { blanks(small, next + adverb.len()) } else { next }, true)
    };
    if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        // `==` compares, `::` leads into a module.
        let next = at + sign.len();
        return (!small[next..].starts_with(['=', ':', '>'])).then(|| (blanks(small, next), false));
    }
    if let Some(tight) = TIGHT_LINKS.iter().find(|tight| rest.starts_with(**tight)) {
        return Some(after_word(tight.len()));
    }
    let word = word(small, at).trim_end_matches([':', '：']);
    LINKS.contains(&word).then(|| after_word(word.len()))
}

/// The password at `at`, if it is one.
fn password(text: &str, at: usize, worded: bool) -> Option<Range<usize>> {
    let rest = &text[at..];
    let open = rest.chars().next()?;
    if let Some(close) = closing(open) {
        let inner = &rest[open.len_utf8()..];
        let inner = &inner[..near(inner).find(close)?];
        let start = at + open.len_utf8();
        return is_quoted_one(inner, worded).then(|| start..start + inner.len());
    }
    // Emphasis of Markdown is none of it.
    let marks = rest.len() - rest.trim_start_matches(['*', '_']).len();
    let rest = &rest[marks..];
    let rest_near = near(rest);
    // After a sign, as in a connection string, others may follow.
    let ends = |c: char| !c.is_ascii_graphic() || !worded && matches!(c, ';' | '&');
    let run = &rest[..rest_near.find(ends).unwrap_or(rest_near.len())];
    let value = run.trim_end_matches(['.', ',', ';', ':', '?', ')', ']', '}', '"', '\'', '`', '*', '_']);
    let shape = value.trim_end_matches('!');
    let next = &rest[run.len()..];
    let start = at + marks;
    (has_shape(shape) && !is_measure(shape, next)).then(|| start..start + value.len())
}

/// What ends a quotation that begins so.
fn closing(open: char) -> Option<char> {
    let pairs = [
        ('"', '"'),
        ('\'', '\''),
        ('`', '`'),
        ('“', '”'),
        ('„', '“'),
        ('‘', '’'),
        ('«', '»'),
        ('「', '」'),
        ('『', '』'),
    ];
    pairs.into_iter().find(|(begin, _)| *begin == open).map(|(_, end)| end)
}

fn is_quoted_one(inner: &str, worded: bool) -> bool {
    if inner.len() > 128 || inner.contains('\n') || is_placeholder(inner) || inner.contains("://") || is_path(inner) {
        return false;
    }
    let small = inner.trim().to_lowercase();
    let words: Vec<&str> = small.split_whitespace().collect();
    match words.len() {
        0 => false,
        1 => small.chars().count() >= 4 && !NO_SECRETS.contains(&&*small) && !ABOUT.iter().any(|it| small.contains(it)),
        // A passphrase; fewer words, and those of sentences, tell about the password.
        _ => worded && !is_sentence(inner),
    }
}

/// Whether words in quotes tell about a password: one of a passphrase's words could be any, but none of these.
pub(super) fn is_sentence(words: &str) -> bool {
    let small = words.to_lowercase();
    let words = || small.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let tells = |word: &str| SMALL_WORDS.contains(&word) || NAMES.iter().any(|name| word.starts_with(name));
    words().any(tells) || words().all(|word| NO_SECRETS.contains(&word))
}

/// Whether a word that stands without quotes can only be a password.
fn has_shape(value: &str) -> bool {
    let code =
        value.contains(['(', '<', '[', '{']) || value.starts_with(['&', '-', '.', '\\']) || value.contains(":\\");
    if !(4..=128).contains(&value.len()) || code || value.contains("://") || is_path(value) || is_placeholder(value) {
        return false;
    }
    let small = value.to_ascii_lowercase();
    if NO_SECRETS.contains(&&*small) || ABOUT.iter().any(|about| small.contains(about)) {
        return false;
    }
    let digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let letter = value.bytes().any(|byte| byte.is_ascii_alphabetic());
    let sign = value.bytes().any(|byte| byte.is_ascii_punctuation() && !b"-_.'/".contains(&byte));
    if digit && !letter && !sign {
        // A date, an address or a version is no password; nor is what is only counted.
        return value.bytes().all(|byte| byte.is_ascii_digit());
    }
    // `12-character`, `90-day`
    let counted = value.split_once('-').is_some_and(|(number, rest)| {
        number.bytes().all(|byte| byte.is_ascii_digit())
            && rest.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    });
    let capital_within =
        value.as_bytes().windows(2).any(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase());
    !counted && (digit || sign || capital_within && value.len() >= 6)
}

/// Whether a number is one of something.
fn is_measure(value: &str, next: &str) -> bool {
    let unit = next.trim_start_matches([' ', '\t']).to_lowercase();
    let unit = unit.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let tight = next.starts_with(|c: char| c.is_alphanumeric());
    value.bytes().all(|byte| byte.is_ascii_digit()) && (tight || UNITS.contains(&unit))
}

fn blanks(text: &str, at: usize) -> usize {
    at + text[at..].len() - text[at..].trim_start_matches([' ', '\t', '\u{3000}']).len()
}

/// What stands from `at` to the next blank; nothing where that is no word.
fn word(text: &str, at: usize) -> &str {
    let rest = near(&text[at..]);
    let word = rest.split(char::is_whitespace).next().unwrap_or_default();
    if word.len() < LONGEST { word } else { "" }
}

/// The beginning of a text: what is looked for is there or not at all, so that no text takes long.
pub(super) fn near(text: &str) -> &str {
    &text[..text.floor_char_boundary(LONGEST)]
}
