//! Setting one value in a JSON text and leaving all the rest as its owner wrote it: order, indents, line breaks.

use serde_json::Value;

/// A step on the way to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step<'a> {
    /// The field of an object.
    Field(&'a str),
    /// The entry of an array; its length: a new one at its end.
    Entry(usize),
}

/// The text with `value` at `path`; objects and arrays on the way are made where they are missing. An empty text counts as
/// an empty object.
///
/// # Errors
/// Why the text can't be edited: it is no JSON, or something else stands on the way.
pub(super) fn set(text: &str, path: &[Step<'_>], value: &Value) -> Result<String, String> {
    if text.trim().is_empty() {
        return Ok(format!("{}\n", pretty(&nested(path, value), 0, "\n")));
    }
    serde_json::from_str::<Value>(text).map_err(|error| error.to_string())?;
    let breaks = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut at = skip(text, 0);
    for (depth, step) in path.iter().enumerate() {
        let members = members(text, at, *step)?;
        match members.found {
            Some(found) => at = found,
            None => {
                let rest = nested(&path[depth + 1..], value);
                return Ok(insert(text, &members, *step, &rest, depth + 1, breaks));
            }
        }
    }
    let end = value_end(text, at);
    Ok(format!("{}{}{}", &text[..at], pretty(value, path.len(), breaks), &text[end..]))
}

/// What an object or an array holds, as far as an edit needs it.
struct Members {
    /// Where the value that is looked for begins.
    found: Option<usize>,
    /// Behind the opening bracket.
    open: usize,
    /// Behind the last member, where there is one.
    last: Option<usize>,
    /// Whether the members stand on lines of their own, and what these begin with.
    indent: Option<String>,
}

fn members(text: &str, at: usize, step: Step<'_>) -> Result<Members, String> {
    let (open, close, kind) = match step {
        Step::Field(_) => (b'{', b'}', "object"),
        Step::Entry(_) => (b'[', b']', "array"),
    };
    let bytes = text.as_bytes();
    if bytes[at] != open {
        return Err(format!("line {} has something else where an {kind} is expected", line_of(text, at)));
    }
    let mut members = Members { found: None, open: at + 1, last: None, indent: None };
    let mut here = skip(text, at + 1);
    let mut count = 0;
    while bytes[here] != close {
        if count == 0 {
            let before = &text[at + 1..here];
            members.indent = before.rfind('\n').map(|newline| before[newline + 1..].to_owned());
        }
        let value = match step {
            Step::Field(_) => {
                let end = value_end(text, here);
                skip(text, skip(text, end) + 1)
            }
            Step::Entry(_) => here,
        };
        let is_it = match step {
            // As any reader does, the last of several fields of one name is taken.
            Step::Field(name) => {
                serde_json::from_str::<String>(&text[here..value_end(text, here)]).is_ok_and(|found| found == name)
            }
            Step::Entry(place) => place == count,
        };
        if is_it {
            members.found = Some(value);
        }
        let end = value_end(text, value);
        members.last = Some(end);
        here = skip(text, end);
        if bytes[here] == b',' {
            here = skip(text, here + 1);
        }
        count += 1;
    }
    Ok(members)
}

fn insert(text: &str, members: &Members, step: Step<'_>, value: &Value, depth: usize, breaks: &str) -> String {
    let field = match step {
        Step::Field(name) => format!("{}: ", Value::from(name)),
        Step::Entry(_) => String::new(),
    };
    match (members.last, &members.indent) {
        (Some(last), Some(indent)) => {
            let value = pretty_within(value, indent, breaks);
            format!("{},{breaks}{indent}{field}{value}{}", &text[..last], &text[last..])
        }
        (Some(last), None) => format!("{}, {field}{value}{}", &text[..last], &text[last..]),
        (None, _) => {
            let (indent, outer) = ("  ".repeat(depth), "  ".repeat(depth - 1));
            let value = pretty(value, depth, breaks);
            let close = skip(text, members.open);
            format!("{}{breaks}{indent}{field}{value}{breaks}{outer}{}", &text[..members.open], &text[close..])
        }
    }
}

/// `value` behind the steps that lead to it.
fn nested(path: &[Step<'_>], value: &Value) -> Value {
    path.iter().rev().fold(value.clone(), |value, step| match step {
        Step::Field(name) => Value::Object([((*name).to_owned(), value)].into_iter().collect()),
        Step::Entry(_) => Value::Array(vec![value]),
    })
}

fn pretty(value: &Value, depth: usize, breaks: &str) -> String {
    pretty_within(value, &"  ".repeat(depth), breaks)
}

fn pretty_within(value: &Value, indent: &str, breaks: &str) -> String {
    format!("{value:#}").replace('\n', &format!("{breaks}{indent}"))
}

/// Behind white space. The text is known to be JSON.
fn skip(text: &str, at: usize) -> usize {
    text.len() - text[at..].trim_start_matches([' ', '\t', '\r', '\n']).len()
}

/// Behind the value that begins at `at`.
fn value_end(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let (mut depth, mut here) = (0_usize, at);
    while here < bytes.len() {
        match bytes[here] {
            b'"' => {
                here += 1;
                while bytes[here] != b'"' {
                    here += if bytes[here] == b'\\' { 2 } else { 1 };
                }
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth == 0 => return here,
            b'}' | b']' => depth -= 1,
            b',' | b':' | b' ' | b'\t' | b'\r' | b'\n' if depth == 0 => return here,
            _ => {}
        }
        here += 1;
        if depth == 0 && matches!(bytes[here - 1], b'"' | b'}' | b']') {
            return here;
        }
    }
    here
}

fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use Step::{Entry, Field};

    #[test]
    fn a_value_is_set_and_the_rest_stays() {
        let path = [Field("mcpServers"), Field("ebbtrace")];
        let text = "{\n    \"z\": [1,2],   \"a\": \"}\\\"{\",\n    \"mcpServers\": {\n        \"other\": {\"command\": \"x\"}\n    }\n}\n";
        let set_once = set(text, &path, &json!({ "command": "e" })).expect("edited");
        let wanted = "{\n    \"z\": [1,2],   \"a\": \"}\\\"{\",\n    \"mcpServers\": {\n        \"other\": {\"command\": \"x\"},\n        \"ebbtrace\": {\n          \"command\": \"e\"\n        }\n    }\n}\n";
        assert_eq!(set_once, wanted);
        let again = set(&set_once, &path, &json!(7)).expect("edited");
        assert!(again.contains("\"ebbtrace\": 7\n"), "{again}");
    }

    #[test]
    fn what_is_missing_is_made() {
        let path = [Field("a"), Field("b"), Entry(0)];
        for text in
            ["", " \n", "{}", "{ }", "{\"a\":{}}", "{\"a\": {\"b\": [ ]}}", "{\"x\": 1}", "{\r\n\t\"x\": 1\r\n}"]
        {
            let edited = set(text, &path, &json!(["v"])).expect("edited");
            let value: Value = serde_json::from_str(&edited).expect("JSON");
            assert_eq!(value["a"]["b"], json!([["v"]]), "{text:?} {edited:?}");
            assert_eq!(text.contains("\"x\""), value.get("x").is_some());
        }
        assert_eq!(set("{\"b\": [1, 2]}", &[Field("b"), Entry(2)], &json!(3)).expect("edited"), "{\"b\": [1, 2, 3]}");
        assert_eq!(set("{\"b\": [1, 2]}", &[Field("b"), Entry(0)], &json!(3)).expect("edited"), "{\"b\": [3, 2]}");
        assert!(
            set("{\r\n\t\"x\": 1\r\n}", &path, &json!(1)).expect("edited").starts_with("{\r\n\t\"x\": 1,\r\n\t\"a\"")
        );
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for text in ["{", "// a comment\n{}", "{\"a\": 1,}", "[1]", "{\"a\": []}", "\u{feff}{}", "\"a\""] {
            assert!(set(text, &[Field("a"), Field("b")], &json!(1)).is_err(), "{text}");
        }
    }
}
