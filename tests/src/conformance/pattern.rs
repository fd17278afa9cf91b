//! What a case expects of a value: see `tests/conformance/README.md`, section 'Matching'.

use serde_json::{Map, Value};

/// Where `actual` does not match `pattern`, and why; `None` where it does.
#[must_use]
pub fn mismatch(pattern: &Value, actual: &Value) -> Option<String> {
    at("", pattern, actual)
}

/// `value` with every `{"$repeat": [text, times]}` and `{"$list": [value, times]}` written out.
pub(super) fn expand(value: &Value) -> Value {
    let times = |pair: &Value| pair.get(1).and_then(Value::as_u64).unwrap_or(0) as usize;
    match value {
        Value::Object(keys) => match (keys.get("$repeat"), keys.get("$list")) {
            (Some(pair), _) => pair[0].as_str().unwrap_or_default().repeat(times(pair)).into(),
            (_, Some(pair)) => vec![expand(&pair[0]); times(pair)].into(),
            _ => keys.iter().map(|(key, value)| (key.clone(), expand(value))).collect::<Map<_, _>>().into(),
        },
        Value::Array(items) => items.iter().map(expand).collect(),
        _ => value.clone(),
    }
}

fn at(path: &str, pattern: &Value, actual: &Value) -> Option<String> {
    let differs = || Some(format!("{}: expected {pattern}, found {actual}", if path.is_empty() { "/" } else { path }));
    match pattern {
        Value::Object(keys) if keys.keys().any(|key| key.starts_with('$')) => {
            if fits(path, keys, actual) {
                None
            } else {
                differs()
            }
        }
        Value::Object(keys) if actual.is_object() => keys.iter().find_map(|(key, wanted)| {
            let found = actual.get(key).unwrap_or(&Value::Null);
            at(&format!("{path}/{key}"), wanted, found)
        }),
        Value::Array(wanted) => match actual.as_array() {
            Some(found) if found.len() == wanted.len() => wanted
                .iter()
                .zip(found)
                .enumerate()
                .find_map(|(index, (wanted, found))| at(&format!("{path}/{index}"), wanted, found)),
            _ => differs(),
        },
        Value::Number(wanted) => match actual {
            Value::Number(found) if wanted == found || wanted.as_f64() == found.as_f64() => None,
            _ => differs(),
        },
        _ if pattern == actual => None,
        _ => differs(),
    }
}

/// Whether `actual` is as every `$` key says.
fn fits(path: &str, keys: &Map<String, Value>, actual: &Value) -> bool {
    keys.iter().all(|(key, wanted)| match key.as_str() {
        "$about" => {
            let within = keys.get("$within").and_then(Value::as_f64).unwrap_or(1e-9);
            let pair = wanted.as_f64().zip(actual.as_f64());
            pair.is_some_and(|(wanted, found)| (wanted - found).abs() <= within)
        }
        "$within" => keys.contains_key("$about"),
        "$between" => {
            let bound = |index: usize| wanted.get(index).and_then(Value::as_f64);
            let found = actual.as_f64();
            bound(0).zip(bound(1)).zip(found).is_some_and(|((low, high), found)| low <= found && found <= high)
        }
        "$count" => actual.as_array().map(Vec::len) == wanted.as_u64().map(|count| count as usize),
        "$some" => wanted.as_array().is_some_and(|wanted| {
            let found = actual.as_array().map_or(&[][..], Vec::as_slice);
            wanted.iter().all(|wanted| found.iter().any(|found| at(path, wanted, found).is_none()))
        }),
        "$none" => actual.as_array().is_some_and(|found| found.iter().all(|found| at(path, wanted, found).is_some())),
        "$contains" => actual.as_str().zip(wanted.as_str()).is_some_and(|(found, wanted)| found.contains(wanted)),
        "$not" => at(path, wanted, actual).is_some(),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn patterns_match_what_they_say() {
        for (pattern, actual) in [
            (json!({"a": 1}), json!({"a": 1.0, "b": 2})),
            (json!({"a": null}), json!({})),
            (json!([{"a": 1}, 2]), json!([{"a": 1, "b": 2}, 2])),
            (json!({"$about": 0.5}), json!(0.500_000_000_1)),
            (json!({"$about": 0.5, "$within": 0.1}), json!(0.45)),
            (json!({"$between": [0, 1]}), json!(1)),
            (json!({"$count": 2}), json!([1, 2])),
            (json!({"$some": [2]}), json!([1, 2])),
            (json!({"$none": {"a": 3}, "$count": 1}), json!([{"a": 4}])),
            (json!({"$contains": "ell"}), json!("hello")),
            (json!({"$not": null}), json!(0)),
        ] {
            assert_eq!(mismatch(&pattern, &actual), None);
        }
    }

    #[test]
    fn patterns_refuse_the_rest() {
        for (pattern, actual) in [
            (json!({"a": 1}), json!({"a": 2})),
            (json!({"a": 1}), json!({})),
            (json!({"a": 1}), json!([1])),
            (json!([1]), json!([1, 2])),
            (json!(1), json!("1")),
            (json!({"$about": 0.5}), json!(0.500_001)),
            (json!({"$between": [0, 1]}), json!(1.5)),
            (json!({"$between": [0, 1]}), json!(null)),
            (json!({"$count": 2}), json!([1])),
            (json!({"$count": 0}), json!(null)),
            (json!({"$some": [3]}), json!([1, 2])),
            (json!({"$none": 1}), json!([1])),
            (json!({"$contains": "x"}), json!("hello")),
            (json!({"$not": 1}), json!(1)),
            (json!({"$unheard": 1}), json!(1)),
            (json!({"$within": 1}), json!(1)),
        ] {
            assert!(mismatch(&pattern, &actual).is_some(), "{pattern} {actual}");
        }
        let written_out = json!({"a": ["xyxy", [1, 1, 1]]});
        assert_eq!(expand(&json!({"a": [{"$repeat": ["xy", 2]}, {"$list": [1, 3]}]})), written_out);
        let deep = mismatch(&json!({"a": [{"b": 1}]}), &json!({"a": [{"b": 2}]}));
        assert_eq!(deep.as_deref(), Some("/a/0/b: expected 1, found 2"));
    }
}
