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
    let signs = text.char_indices().filter(|(_, c)| matches!(c, '=' | ':'));
    let users = text.match_indices(" -u").chain(text.match_indices(" --user"));
    let mut found: Vec<Finding> = Vec::new();
    let (mut covered, mut run_end) = (0, 0);
    for (at, sign) in signs {
        // What lies in a value that goes goes with it.
        if at < covered {
            continue;
        }
        if let Some(finding) = assigned(text, at, sign, &mut run_end) {
            covered = finding.0.end;
            found.push(finding);
        }
    }
    found.extend(users.filter_map(|(at, option)| of_user(text, at, option)));
    found
}

/// So much of a value is looked at, in bytes: what is longer is judged by its beginning, and goes as a whole.
const LONGEST: usize = 2_048;
/// How long what stands before a name in a line of settings can be.
const OPENING: usize = 64;

/// How far back the program's name is looked for, in bytes.
const COMMAND: usize = 512;

/// The password of a user that a program is told: `curl -u name:password`.
fn of_user(text: &str, at: usize, option: &str) -> Option<Finding> {
    // A command of more words than that names its user sooner, and no text takes long.
    let line = text[text.floor_char_boundary(at.saturating_sub(COMMAND))..at].rsplit('\n').next().unwrap_or_default();
    if !["curl", "wget", "http", "https"].iter().any(|program| line.split_whitespace().any(|word| word == *program)) {
        return None;
    }
    let rest = &text[at + option.len()..];
    let told = rest.trim_start_matches([' ', '=', '"', '\'']);
    if told.len() == rest.len() && option.len() > 3 {
        return None;
    }
    let told = told.split(|c: char| c.is_whitespace() || c == '"' || c == '\'').next().unwrap_or_default();
    let (user, password) = told.split_once(':')?;
    let start = told.as_ptr() as usize - text.as_ptr() as usize + user.len() + 1;
    let shown = is_placeholder(password) || WORDS.contains(&&*password.to_lowercase());
    (!password.is_empty() && !user.is_empty() && !shown).then(|| (start..start + password.len(), "password"))
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

/// The value that the sign at `at` gives a name, if it is secret. `run_end` is where the run of characters without a blank
/// ends that was met last.
fn assigned(text: &str, at: usize, sign: char, run_end: &mut usize) -> Option<Finding> {
    let before = text[..at].trim_end_matches([' ', '\t']);
    let quote = before.chars().next_back().filter(|c| matches!(c, '"' | '\''));
    let before = quote.map_or(before, |quote| &before[..before.len() - quote.len_utf8()]);
    let name = &before[before
        .rfind(|c: char| !(c.is_ascii_alphanumeric() || "_-.".contains(c)))
        .map_or(0, |end| end + before[end..].chars().next().map_or(0, char::len_utf8))..];
    let kind = kind_of(name)?;
    let ahead = &before[..before.len() - name.len()];
    let ahead = &ahead[ahead.floor_char_boundary(ahead.len().saturating_sub(OPENING))..];
    let line = ahead.rsplit('\n').next().unwrap_or_default();
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
    let (start, value, end) = match quote {
        Some(quote) => {
            let value = rest[1..].split([quote, '\n']).next().unwrap_or_default();
            (start + 1, value, start + 1 + value.len())
        }
        None => {
            if start >= *run_end {
                let ends = |c: char| c.is_whitespace() || "\"'`".contains(c);
                *run_end = start + rest.find(ends).unwrap_or(rest.len());
            }
            let run = &text[start..*run_end];
            let looked = &run[..run.floor_char_boundary(LONGEST)];
            let value = unquoted(looked, rest);
            let end =
                if looked.len() < run.len() && value.len() == looked.len() { *run_end } else { start + value.len() };
            (start, value, end)
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
        let whole = opens && (after.is_empty() || after == "," || after.starts_with(['#', ';']));
        // After a colon there are labels and descriptions too.
        let named = match sign {
            '=' => kind == "password" || !name.contains(|c: char| c.is_ascii_lowercase()),
            _ => kind == "password" && !super::spoken::is_sentence(value),
        };
        words && whole && named && value.len() >= 4
            || !words && (is_strong(value) || is_word(value) && kind == "password")
    } else if is_code(value) || is_path(value) || !opens && value.contains(['(', '[', '<']) {
        false
    } else {
        // A lone word is a password where a line of settings gives it, and nothing follows; in prose it is a word.
        let after = rest[value.len()..].split('\n').next().unwrap_or_default().trim_start();
        let last = after.is_empty() || after.starts_with(['#', ';', ',']);
        let tight = sign == '=' && text[at + 1..].starts_with(value);
        is_strong(value) || is_word(value) && kind == "password" && (opens && last || tight && after.starts_with(';'))
    };
    fits.then_some((start..end, kind))
}

/// A value without quotes, of a run up to a blank: signs are part of a password, except where another name follows them
/// (`Password=x;Server=y`, `?token=x&page=2`) or nothing does.
fn unquoted<'t>(run: &'t str, rest: &str) -> &'t str {
    let named = |after: &str| {
        let name = after.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "_-. ".contains(c));
        name.len() < after.len() && name.starts_with(['=', ':'])
    };
    // A name may have blanks in it: `User Id=…`.
    let end = run.char_indices().find(|(at, c)| ";,&".contains(*c) && named(super::spoken::near(&rest[at + 1..])));
    let value = end.map_or(run, |(at, _)| &run[..at]).trim_end_matches([';', ',', '.', '&']);
    let open =
        |value: &str, closing: char, opening: char| value.matches(closing).count() > value.matches(opening).count();
    let mut value = value;
    while let Some(closing) = value.chars().next_back().filter(|c| matches!(c, ')' | '}' | ']')) {
        let opening = match closing {
            ')' => '(',
            '}' => '{',
            _ => '[',
        };
        if !open(value, closing, opening) {
            break;
        }
        value = value[..value.len() - 1].trim_end_matches([';', ',', '.']);
    }
    value
}

/// Whether a value is a call, an entry or a type: `env("X")`, `secrets[0]`, `Option<String>`, `&str`.
fn is_code(value: &str) -> bool {
    if value.strip_prefix('&').is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric())) {
        return true;
    }
    let rest = value.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "_-.:!$&*?".contains(c));
    let ends = rest.ends_with([')', ']', '>', '(', '[']) || rest.contains(").") || rest.contains(")?");
    let open = rest.matches('(').count() > rest.matches(')').count();
    rest.starts_with(['(', '[', '<']) && (ends || open)
}

/// Whether a name says of a run of tests how many passed.
fn counts(first: &str) -> bool {
    [
        "test", "tests", "check", "checks", "case", "cases", "all", "unit", "build", "first", "second", "multi", "low",
        "high", "band", "by",
    ]
    .contains(&first)
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
    let parts = || name.rsplit(['_', '-', '.']).map(str::to_ascii_lowercase);
    if parts().next().is_some_and(|last| last == "pass") && parts().nth(1).is_some_and(|first| !counts(&first)) {
        return Some("password");
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
