//! Secrets in a text: keys, tokens, passwords and private keys, found by their form, so that they are left out before
//! anything is stored. Each is replaced by `[redacted: KIND]`; what stands around it stays.
//!
//! Two ways lead to a finding: a form that nothing else has (the prefix of a provider's keys, a PEM block, a token whose
//! head says its algorithm), or a name that says that its value is secret (`DB_PASSWORD=…`, `"apiKey": "…"`) with a value
//! that is no placeholder, no word of prose and no code.

mod assigned;
mod forms;

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
    !forms::findings(text).is_empty() || !assigned::findings(text).is_empty()
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
            if let (0, Some(kind)) = (found, assigned::of_entry(name, held)) {
                *count += 1;
                return Value::String(format!("[redacted: {kind}]"));
            }
            *count += found;
            Value::String(clean.into_owned())
        }
        Value::Array(items) => Value::Array(items.iter().map(|item| value(name, item, count)).collect()),
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

/// Whether a value only shows where a secret would stand.
fn is_placeholder(value: &str) -> bool {
    const PARTS: [&str; 13] = [
        "...",
        "…",
        "changeme",
        "change-me",
        "change_me",
        "xxxx",
        "****",
        "your-",
        "your_",
        "placeholder",
        "example",
        "redacted",
        "replace",
    ];
    let small = value.to_lowercase();
    value.starts_with(['<', '$', '{', '%', '[', '*', '@'])
        || variety(value) < 3
        || PARTS.iter().any(|part| small.contains(part))
}

#[cfg(test)]
mod tests;
