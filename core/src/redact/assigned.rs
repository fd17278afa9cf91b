//! Secrets that are known by the name they are given: lines of `.env`, YAML, JSON, connection strings.

use super::{Finding, is_placeholder};

/// How a name ends whose value is secret, without what joins its words; and what the value is called.
const ENDS: &[(&str, &str)] = &[
    ("password", "password"),
    ("passwd", "password"),
    ("passphrase", "password"),
    ("pwd", "password"),
    ("secret", "secret"),
    ("secretkey", "secret"),
    ("token", "token"),
    ("apikey", "API key"),
    ("privatekey", "private key"),
    ("accesskey", "access key"),
    ("accountkey", "access key"),
    ("credential", "secret"),
    ("credentials", "secret"),
];

/// What stands in a name in capitals whose value is secret, wherever it stands.
const PARTS: &[(&str, &str)] = &[
    ("PASSWORD", "password"),
    ("PASSWD", "password"),
    ("SECRET", "secret"),
    ("TOKEN", "token"),
    ("API_KEY", "API key"),
    ("PRIVATE_KEY", "private key"),
    ("ACCESS_KEY", "access key"),
    ("CREDENTIAL", "secret"),
];

/// How a name in capitals ends that is about a secret and holds none.
const ABOUT: &[&str] = &[
    "COUNT", "LIMIT", "LENGTH", "FILE", "PATH", "URL", "URI", "NAME", "TTL", "ID", "EXPIRY", "MAX", "MIN", "TYPE",
    "POLICY", "TOKENS", "DIR", "HOST", "SIZE", "EXPIRES", "SECONDS", "DAYS", "ENABLED", "VERSION", "HEADER",
];

/// Words that stand for a value and are none.
const WORDS: &[&str] = &[
    "required",
    "optional",
    "string",
    "null",
    "none",
    "nil",
    "true",
    "false",
    "undefined",
    "unknown",
    "expired",
    "reset",
    "forgotten",
    "password",
    "secret",
    "token",
    "empty",
    "unset",
    "hidden",
    "missing",
    "text",
    "number",
    "yes",
    "todo",
    "tbd",
    "invalid",
    "valid",
    "wrong",
    "vault",
    "keychain",
    "env",
    "environment",
    "rotated",
    "revoked",
];

/// Every value that its name makes a secret, in no order.
pub(super) fn findings(text: &str) -> Vec<Finding> {
    text.char_indices()
        .filter(|(_, c)| matches!(c, '=' | ':'))
        .filter_map(|(at, sign)| assigned(text, at, sign))
        .collect()
}

/// What `value` is, as the value of `name` in a table.
pub(super) fn of_entry(name: &str, value: &str) -> Option<&'static str> {
    let kind = kind_of(name)?;
    let value = value.trim();
    let words = value.contains(char::is_whitespace);
    // A password may be several words; another secret is one, or has digits among them.
    let fits = match kind {
        "password" => is_strong(value) || is_word(value),
        "token" => !words && is_strong(value),
        _ => is_strong(value) && (!words || value.bytes().any(|byte| byte.is_ascii_digit())),
    };
    (fits && !is_placeholder(value)).then_some(kind)
}

/// What a number is, as the value of `name` in a table. One that is short is no key.
pub(super) fn of_number(name: &str, number: &str) -> Option<&'static str> {
    kind_of(name).filter(|kind| *kind == "password" || number.len() >= 6)
}

/// Whether a name says that its value is secret.
pub(super) fn is_secret(name: &str) -> bool {
    kind_of(name).is_some()
}

fn assigned(text: &str, at: usize, sign: char) -> Option<Finding> {
    let before = text[..at].trim_end_matches([' ', '\t']);
    let quote = before.chars().next_back().filter(|c| matches!(c, '"' | '\''));
    let before = quote.map_or(before, |quote| &before[..before.len() - quote.len_utf8()]);
    let name = &before[before
        .rfind(|c: char| !(c.is_ascii_alphanumeric() || "_-.".contains(c)))
        .map_or(0, |end| end + before[end..].chars().next().map_or(0, char::len_utf8))..];
    let kind = kind_of(name)?;
    let line = before[..before.len() - name.len()].rsplit('\n').next().unwrap_or_default();
    let opens =
        matches!(line.trim().trim_matches(['"', '\'', '-', ' ']), "" | "export" | "set" | "ENV" | "const" | "let");
    let mut start = at + sign.len_utf8();
    // `==` compares, `:=` assigns.
    if sign == '=' && text[start..].starts_with('=') || sign == ':' && text[start..].starts_with(':') {
        return None;
    }
    start += usize::from(sign == ':' && text[start..].starts_with('='));
    start += text[start..].len() - text[start..].trim_start_matches([' ', '\t']).len();
    let rest = &text[start..];
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
    let (start, value) = match quote {
        Some(quote) => (start + 1, rest[1..].split([quote, '\n']).next().unwrap_or_default()),
        None => {
            let ends = |c: char| c.is_whitespace() || ";,&\"'`".contains(c);
            let value = rest.split(ends).next().unwrap_or_default();
            (start, value.trim_end_matches([')', '}', ']', '.']))
        }
    };
    if value.is_empty() || is_placeholder(value) || value.contains("://") {
        return None;
    }
    let fits = if quote.is_some() {
        let words = value.contains(char::is_whitespace);
        // In a line of settings, what stands in quotes is the value as a whole.
        let after =
            rest[1 + value.len()..].trim_start_matches(['"', '\'']).split('\n').next().unwrap_or_default().trim();
        let whole = sign == '=' && opens && (after.is_empty() || after.starts_with(['#', ';']));
        let named = kind == "password" || !name.contains(|c: char| c.is_ascii_lowercase());
        words && whole && named && value.len() >= 4
            || !words && (is_strong(value) || is_word(value) && kind == "password")
    } else if value.contains(['(', '[', '<']) || is_path(value) {
        false
    } else {
        // A lone word is a password where a line of settings gives it, and nothing follows; in prose it is a word.
        let after = rest[value.len()..].split('\n').next().unwrap_or_default().trim_start();
        let last = after.is_empty() || after.starts_with(['#', ';']);
        let tight = sign == '=' && text[at + 1..].starts_with(value);
        is_strong(value) || is_word(value) && kind == "password" && (opens && last || tight && after.starts_with(';'))
    };
    fits.then_some((start..start + value.len(), kind))
}

/// What a name says that its value is.
fn kind_of(name: &str) -> Option<&'static str> {
    let joined: String = name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    let capitals = name.contains('_') && !name.contains(|c: char| c.is_ascii_lowercase());
    if capitals {
        let last = name.rsplit('_').next().unwrap_or_default();
        if ABOUT.contains(&last) {
            return None;
        }
        if let Some((_, kind)) = PARTS.iter().find(|(part, _)| name.contains(part)) {
            return Some(kind);
        }
    }
    ENDS.iter().find(|(end, _)| joined.ends_with(end)).map(|(_, kind)| *kind)
}

/// Whether a value is no word: letters with digits or signs among them, or small and capital letters in a long one.
fn is_strong(value: &str) -> bool {
    let has = |fits: fn(&u8) -> bool| value.as_bytes().iter().any(fits);
    let (letter, digit) = (has(u8::is_ascii_alphabetic), has(u8::is_ascii_digit));
    let sign = value.bytes().any(|byte| byte.is_ascii_punctuation() && !b"-_.:/".contains(&byte));
    let mixed = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    value.len() >= 6 && letter && (digit || sign) || value.len() >= 16 && mixed || value.len() >= 8 && digit && !letter
}

/// Whether a value could be a password that is a word.
fn is_word(value: &str) -> bool {
    value.len() >= 4 && !WORDS.contains(&&*value.to_lowercase())
}

/// Whether a value says where something is, as code or a path does.
pub(super) fn is_path(value: &str) -> bool {
    let code =
        ["process.env", "os.environ", "env.", "self.", "this.", "config.", "settings.", "secrets.", "vault:", "file:"];
    code.iter().any(|start| value.starts_with(start)) || value.starts_with(['/', '~']) || value.starts_with("./")
}
