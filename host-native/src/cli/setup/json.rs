//! Setting one value in a JSON text and leaving all the rest as its owner wrote it: order, indents, line breaks, and
//! comments, where the client takes them.

use jsonc_parser::{
    ParseOptions,
    cst::{CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode},
};
use serde_json::Value;

/// A step on the way to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step<'a> {
    /// The field of an object.
    Field(&'a str),
    /// The entry of an array, on the way to what is in it; its length: a new one at its end.
    Entry(usize),
}

/// What a client takes for JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Kind {
    /// As the standard says.
    Strict,
    /// With comments, and commas behind the last one.
    WithComments,
}

impl Kind {
    fn options(self) -> ParseOptions {
        let more = self == Self::WithComments;
        ParseOptions {
            allow_comments: more,
            allow_trailing_commas: more,
            allow_loose_object_property_names: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        }
    }
}

/// The value of a text; an empty one counts as an empty object.
///
/// # Errors
/// Why it is none.
pub(super) fn parsed(text: &str, kind: Kind) -> Result<Value, String> {
    if text.trim().is_empty() {
        return Ok(Value::Object(serde_json::Map::new()));
    }
    match kind {
        Kind::Strict => serde_json::from_str(text).map_err(|error| error.to_string()),
        Kind::WithComments => {
            jsonc_parser::parse_to_serde_value(text, &kind.options()).map_err(|error| error.to_string())
        }
    }
}

/// The text with `value` at `path`; objects and arrays on the way are made where they are missing.
///
/// # Errors
/// Why the text can't be edited: it is no JSON, or something else stands on the way.
pub(super) fn set(text: &str, kind: Kind, path: &[Step<'_>], value: &Value) -> Result<String, String> {
    let Some((first, rest)) = path.split_first() else { return Err("there is nothing to set".to_owned()) };
    let root = root(text, kind)?;
    let top = CstNode::from(root.object_value_or_create().ok_or("it holds something else than an object")?);
    put(&top, *first, rest, value)?;
    Ok(ended(&root))
}

/// The text without a field of the object at `path`.
///
/// # Errors
/// As [`set`].
pub(super) fn without(text: &str, kind: Kind, path: &[&str], field: &str) -> Result<String, String> {
    let root = root(text, kind)?;
    let mut at = root.object_value();
    for name in path {
        at = at.and_then(|object| last(&object, name)).and_then(|found| found.object_value());
    }
    if let Some(found) = at.and_then(|object| last(&object, field)) {
        found.remove();
    }
    Ok(ended(&root))
}

fn root(text: &str, kind: Kind) -> Result<CstRootNode, String> {
    // Whatever the library takes, the client must.
    parsed(text, kind)?;
    CstRootNode::parse(text, &kind.options()).map_err(|error| error.to_string())
}

/// A file that was made here ends in a line break.
fn ended(root: &CstRootNode) -> String {
    let text = root.to_string();
    if text.ends_with('}') && !text.contains("\r\n") && root.children().len() == 1 { format!("{text}\n") } else { text }
}

fn put(at: &CstNode, step: Step<'_>, rest: &[Step<'_>], value: &Value) -> Result<(), String> {
    let something_else = |kind: &str| format!("{} stands where an {kind} is expected", at.to_string().trim());
    let below = match step {
        Step::Field(name) => {
            let object = at.as_object().ok_or_else(|| something_else("object"))?;
            match (last(&object, name), rest) {
                (Some(found), []) => {
                    found.set_value(input(value));
                    return Ok(());
                }
                (Some(found), _) => found.value(),
                (None, _) => {
                    object.append(name, input(&nested(rest, value)));
                    return Ok(());
                }
            }
        }
        Step::Entry(place) => {
            let array = at.as_array().ok_or_else(|| something_else("array"))?;
            match array.elements().get(place) {
                Some(found) => Some(found.clone()),
                None => {
                    array.append(input(&nested(rest, value)));
                    return Ok(());
                }
            }
        }
    };
    match (below, rest.split_first()) {
        (Some(below), Some((next, rest))) => put(&below, *next, rest, value),
        _ => Err(something_else("object")),
    }
}

/// As any reader does, the last of several fields of one name is taken.
fn last(object: &CstObject, name: &str) -> Option<CstObjectProp> {
    let named = |found: &CstObjectProp| found.decoded_name().is_some_and(|found| found == name);
    object.properties().into_iter().rev().find(named)
}

/// `value` behind the steps that lead to it.
fn nested(path: &[Step<'_>], value: &Value) -> Value {
    path.iter().rev().fold(value.clone(), |value, step| match step {
        Step::Field(name) => Value::Object([((*name).to_owned(), value)].into_iter().collect()),
        Step::Entry(_) => Value::Array(vec![value]),
    })
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(flag) => CstInputValue::Bool(*flag),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(fields) => {
            CstInputValue::Object(fields.iter().map(|(name, value)| (name.clone(), input(value))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use Kind::{Strict, WithComments};
    use Step::{Entry, Field};

    #[test]
    fn a_value_is_set_and_the_rest_stays() {
        let path = [Field("mcpServers"), Field("ebbtrace")];
        let text = "{\n    \"z\": [1,2],   \"a\": \"}\\\"{\",\n    \"mcpServers\": {\n        \"other\": {\"command\": \"x\"}\n    }\n}\n";
        let set_once = set(text, Strict, &path, &json!({ "command": "e" })).expect("edited");
        let wanted = "{\n    \"z\": [1,2],   \"a\": \"}\\\"{\",\n    \"mcpServers\": {\n        \"other\": {\"command\": \"x\"},\n        \"ebbtrace\": {\n            \"command\": \"e\"\n        }\n    }\n}\n";
        assert_eq!(set_once, wanted);
        let again = set(&set_once, Strict, &path, &json!(7)).expect("edited");
        assert!(again.contains("\"ebbtrace\": 7\n"), "{again}");
        let gone = without(&set_once, Strict, &["mcpServers"], "ebbtrace").expect("edited");
        assert_eq!(gone.trim_end(), text.trim_end());
    }

    #[test]
    fn comments_stay_where_the_client_takes_them() {
        let text = "// mine\n{\n  /* the servers */\n  \"servers\": {\n    \"other\": { \"url\": \"http://x\" }, // keep\n  },\n}\n";
        let edited =
            set(text, WithComments, &[Field("servers"), Field("ebbtrace")], &json!({ "a": 1 })).expect("edited");
        for part in ["// mine\n", "/* the servers */", "\"other\": { \"url\": \"http://x\" }, // keep"] {
            assert!(edited.contains(part), "{edited}");
        }
        let value = parsed(&edited, WithComments).expect("JSON with comments");
        assert_eq!(value, json!({ "servers": { "other": { "url": "http://x" }, "ebbtrace": { "a": 1 } } }));
        assert!(set(text, Strict, &[Field("servers")], &json!(1)).is_err());
    }

    #[test]
    fn what_is_missing_is_made() {
        let path = [Field("a"), Field("b"), Entry(0)];
        for text in
            ["", " \n", "{}", "{ }", "{\"a\":{}}", "{\"a\": {\"b\": [ ]}}", "{\"x\": 1}", "{\r\n\t\"x\": 1\r\n}"]
        {
            let edited = set(text, Strict, &path, &json!(["v"])).expect("edited");
            let value: Value = serde_json::from_str(&edited).expect("JSON");
            assert_eq!(value["a"]["b"], json!([["v"]]), "{text:?} {edited:?}");
            assert_eq!(text.contains("\"x\""), value.get("x").is_some());
        }
        let edited = |place, value| set("{\"b\": [1, 2]}", Strict, &[Field("b"), Entry(place)], &json!(value));
        assert_eq!(edited(2, 3).expect("edited").trim_end(), "{\"b\": [1, 2, 3]}");
        assert!(
            set("{\r\n\t\"x\": 1\r\n}", Strict, &path, &json!(1))
                .expect("edited")
                .starts_with("{\r\n\t\"x\": 1,\r\n\t\"a\"")
        );
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for text in ["{", "// a comment\n{}", "{\"a\": 1,}", "[1]", "{\"a\": []}", "\u{feff}{}", "\"a\""] {
            assert!(set(text, Strict, &[Field("a"), Field("b")], &json!(1)).is_err(), "{text}");
        }
        for text in ["{", "{a: 1}", "{'a': 1}", "{\"a\" 1}", "[1]"] {
            assert!(set(text, WithComments, &[Field("a"), Field("b")], &json!(1)).is_err(), "{text}");
        }
    }
}
