//! Secrets in a text: keys, tokens, passwords and private keys, found by their form, so that they are left out before
//! anything is stored. Each is replaced by `[redacted: KIND]`; what stands around it stays.
//!
//! Three ways lead to a finding: a form that nothing else has (the prefix of a provider's keys, a PEM block, a token whose
//! head says its algorithm), a name that says that its value is secret (`DB_PASSWORD=…`, `"apiKey": "…"`) with a value
//! that is no placeholder, no word of prose and no code, or a sentence that tells a password (`the password is …`).

mod assigned;
mod forms;
mod spoken;

use std::{borrow::Cow, ops::Range};

use serde_json::{Map, Value};

use crate::order;

/// Where a secret stands, and what it is.
type Finding = (Range<usize>, &'static str);

/// `text` without its secrets, and how many there were.
///
/// # Example
/// ```
/// let (text, left_out) = ebbtrace_core::redact::text("export DB_PASSWORD=hunter2-and-more # old");
/// assert_eq!((&*text, left_out), ("export DB_PASSWORD=[redacted: password] # old", 1));
/// ```
#[must_use]
pub fn text(text: &str) -> (Cow<'_, str>, usize) {
    let mut found = forms::findings(text);
    found.extend(assigned::findings(text));
    found.extend(spoken::findings(text));
    // The one that begins first counts, of those the longest: what lies in another is gone with it.
    order::sort_by(&mut found, |(a, _), (b, _)| (a.start, b.end).cmp(&(b.start, a.end)));
    let (mut clean, mut from, mut count) = (String::new(), 0, 0);
    for (range, kind) in found {
        if range.start < from {
            // What reaches further than the one before goes as a whole.
            from = from.max(range.end);
            continue;
        }
        clean.push_str(&text[from..range.start]);
        clean.push_str("[redacted: ");
        clean.push_str(kind);
        clean.push(']');
        from = range.end;
        count += 1;
    }
    if count == 0 {
        return (Cow::Borrowed(text), 0);
    }
    clean.push_str(&text[from..]);
    (Cow::Owned(clean), count)
}

/// Whether there is a secret in `text`.
#[must_use]
pub fn has_secret(text: &str) -> bool {
    [forms::findings, assigned::findings, spoken::findings].iter().any(|findings| !findings(text).is_empty())
}

/// `metadata` without its secrets, at every depth and in names too, and how many there were.
#[must_use]
pub fn metadata(metadata: &Map<String, Value>) -> (Map<String, Value>, usize) {
    let mut count = 0;
    (object(metadata, &mut count), count)
}

fn object(entries: &Map<String, Value>, count: &mut usize) -> Map<String, Value> {
    let clean = |(name, entry): (&String, &Value)| {
        let (key, found) = text(name);
        *count += found;
        (key.into_owned(), value(name, entry, count))
    };
    order::filled(entries.iter().map(clean))
}

fn value(name: &str, entry: &Value, count: &mut usize) -> Value {
    match entry {
        Value::String(held) => {
            let (clean, found) = text(held);
            if let Some(kind) = assigned::of_entry(name, held) {
                *count += 1;
                return Value::String(format!("[redacted: {kind}]"));
            }
            *count += found;
            Value::String(clean.into_owned())
        }
        Value::Number(number) => match assigned::of_number(name, &number.to_string()) {
            Some(kind) => {
                *count += 1;
                Value::String(format!("[redacted: {kind}]"))
            }
            None => entry.clone(),
        },
        Value::Array(items) => Value::Array(items.iter().map(|item| value(name, item, count)).collect()),
        // What lies under a secret's name is of it, unless its own name says more.
        Value::Object(entries) if assigned::is_secret(name) => {
            let clean = |(inner, entry): (&String, &Value)| {
                let (key, found) = text(inner);
                *count += found;
                (key.into_owned(), value(if assigned::is_secret(inner) { inner } else { name }, entry, count))
            };
            Value::Object(entries.iter().map(clean).collect())
        }
        Value::Object(entries) => Value::Object(object(entries, count)),
        plain => plain.clone(),
    }
}

/// How many different bytes there are.
fn variety(text: &str) -> usize {
    let mut seen = [false; 256];
    text.bytes().for_each(|byte| seen[usize::from(byte)] = true);
    seen.into_iter().filter(|seen| *seen).count()
}

/// Words that a placeholder is made of. The first ones make it one, the others only stand beside them.
const SHOWN: [&str; 18] = [
    "changeme",
    "changeit",
    "change",
    "example",
    "examples",
    "sample",
    "placeholder",
    "redacted",
    "replace",
    "replaceme",
    "your",
    "here",
    "insert",
    "enter",
    "dummy",
    "xxx",
    "todo",
    "tbd",
];
const BESIDE: [&str; 30] = [
    "access", "account", "actual", "admin", "api", "app", "auth", "client", "code", "db", "goes", "id", "in", "it",
    "key", "me", "my", "own", "password", "private", "pw", "real", "secret", "string", "the", "this", "token", "user",
    "value", "with",
];

/// Whether a value as a whole only shows where a secret would stand: `changeme`, `xxxx`, `<your key>`, `${TOKEN}`,
/// `your-api-key-here`. One that has such a word in it is none.
fn is_placeholder(value: &str) -> bool {
    // Templates, which may be cut where a blank was.
    if ["${", "{{", "$(", "<%", "%{", "[redacted"].iter().any(|start| value.starts_with(start)) || variety(value) < 3 {
        return true;
    }
    let closed = [('<', '>'), ('{', '}'), ('[', ']'), ('%', '%')];
    if closed.iter().any(|(opens, closes)| value.starts_with(*opens) && value.ends_with(*closes)) {
        return true;
    }
    // A name of something that holds the value: `$TOKEN`, `*anchor`, `@file`.
    let name = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphabetic() || b"_-.".contains(&byte));
    if let Some(rest) = value.strip_prefix(['$', '*', '@', '<', '{', '[', '%'])
        && (name(rest) || value.starts_with('$') && !rest.bytes().any(|byte| byte.is_ascii_lowercase()))
    {
        return true;
    }
    // Only the beginning of a key.
    let bare = value.trim_end_matches(['.', '…']);
    if bare.len() < value.len() && (value.ends_with("...") || value.ends_with('…')) && bare.len() <= 6 {
        return true;
    }
    let small = value.to_lowercase();
    let parts: Vec<&str> = small.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).collect();
    let number = |part: &str| part.len() <= 2 && part.bytes().all(|byte| byte.is_ascii_digit());
    let shown =
        parts.iter().any(|part| made_of(part, &SHOWN) || made_of(part, &[&SHOWN[..], &BESIDE].concat()) && holds(part));
    shown && parts.iter().all(|part| number(part) || made_of(part, &[&SHOWN[..], &BESIDE].concat()))
}

/// Whether a word that makes a placeholder is in `part`, which is made of words.
fn holds(part: &str) -> bool {
    SHOWN.iter().any(|word| part.contains(word))
}

/// Whether `part` is `words` one after another and nothing else; `xxxx` is one of any length.
fn made_of(part: &str, words: &[&str]) -> bool {
    let mut ends = vec![false; part.len() + 1];
    ends[0] = true;
    for at in 0..part.len() {
        if !ends[at] || !part.is_char_boundary(at) {
            continue;
        }
        for word in words {
            if part[at..].starts_with(word) {
                ends[at + word.len()] = true;
                if *word == "xxx" {
                    let more = part[at..].bytes().take_while(|byte| *byte == b'x').count();
                    ends[at + more] = true;
                }
            }
        }
    }
    part.len() <= 64 && ends[part.len()] && !part.is_empty()
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod values;
