//! Reads arguments as models send them. The tool's own schema says what each should be; what can be meant in one way
//! only is taken for that, and the rest is refused in words that say how to do better.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use ebbtrace_core::{count, limits};

use super::refusal::Refusal;

type Object = Map<String, Value>;

/// The arguments of a call as the type that `schema` derives from.
///
/// - null, and for an optional argument also `"null"` and `""`, is an argument left out;
/// - a text stands for the number, truth value, list or object that it spells;
/// - one entry stands for a list of one, a text for an object whose only required field is a text;
/// - `2.0` and `"1e9"` are whole numbers, and one too big for 64 bits is the nearest that fits;
/// - a name is known in any case and with any separators (`minScore`);
/// - another name is refused: an argument that does nothing without a word misleads a model more than a refusal that
///   names the right one, and a scope under a wrong name would store in the wrong place.
pub(super) fn read<T: DeserializeOwned>(schema: &Object, given: Object) -> Result<T, Refusal> {
    let object = object("", schema, given)?;
    serde_json::from_value(Value::Object(object))
        .map_err(|error| Refusal::argument("arguments", &error.to_string(), "what the tool's schema says"))
}

/// The arguments of a call as an object, whatever shape they came in.
pub(super) fn whole(arguments: Option<Value>) -> Result<Object, Refusal> {
    match arguments.map(unwrap_text) {
        None | Some(Value::Null) => Ok(Object::new()),
        Some(Value::Object(object)) => Ok(object),
        Some(Value::String(text)) if text.trim().is_empty() => Ok(Object::new()),
        Some(other) => Err(Refusal::argument("arguments", &came(&other), "a JSON object of the tool's arguments")),
    }
}

fn object(path: &str, schema: &Object, given: Object) -> Result<Object, Refusal> {
    let nothing = Object::new();
    let fields = schema.get("properties").and_then(Value::as_object).unwrap_or(&nothing);
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let mut read = Object::new();
    for (given_name, value) in given {
        let Some((name, field)) = find(fields, &given_name) else {
            if value.is_null() {
                continue;
            }
            return Err(unknown(path, &given_name, fields));
        };
        let field = field.as_object().unwrap_or(&nothing);
        let needed = required.contains(&name.as_str());
        let place = join(path, name);
        if let Some(value) = coerce(&place, field, value, needed)?
            && read.insert(name.clone(), value).is_some()
        {
            return Err(Refusal::argument(&place, "given twice", "one value"));
        }
    }
    match required.into_iter().find(|name| !read.contains_key(*name)) {
        Some(name) => Err(missing(&join(path, name), &fields[name])),
        None => Ok(read),
    }
}

/// The value as the schema wants it; `None` where it stands for nothing.
fn coerce(path: &str, schema: &Object, value: Value, needed: bool) -> Result<Option<Value>, Refusal> {
    let empty = |text: &str| text.trim().is_empty() || text.trim().eq_ignore_ascii_case("null");
    match &value {
        Value::Null => return Ok(None),
        Value::String(text) if !needed && empty(text) => return Ok(None),
        _ => {}
    }
    let wanted = schema.get("type").and_then(Value::as_str).unwrap_or_default();
    let read = match wanted {
        "string" => text(schema, &value),
        "integer" => integer(&value),
        "number" => number(&value),
        "boolean" => boolean(&value),
        "array" => return list(path, schema, value).map(Some),
        "object" => return nested(path, schema, value).map(Some),
        _ => Some(value.clone()),
    };
    read.map(Some).ok_or_else(|| Refusal::argument(path, &came(&value), &allowed(schema)))
}

fn text(schema: &Object, value: &Value) -> Option<Value> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        _ => return None,
    };
    let Some(Value::Array(choices)) = schema.get("enum") else { return Some(text.into()) };
    choices
        .iter()
        .find(|choice| choice.as_str().is_some_and(|choice| choice.eq_ignore_ascii_case(text.trim())))
        .cloned()
}

fn integer(value: &Value) -> Option<Value> {
    let spelled = |text: &str| text.trim().parse::<i64>().ok();
    let exact = match value {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => spelled(text),
        _ => None,
    };
    exact.map(Value::from).or_else(|| {
        let float = float(value)?;
        // `as` takes what is too big for the nearest that fits.
        (float.fract() == 0.0).then_some(Value::from(float as i64))
    })
}

fn number(value: &Value) -> Option<Value> {
    float(value).map(Value::from)
}

fn float(value: &Value) -> Option<f64> {
    let float = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    float.filter(|float| float.is_finite())
}

fn boolean(value: &Value) -> Option<Value> {
    let flag = match value {
        Value::Bool(flag) => Some(*flag),
        Value::Number(number) => match number.as_f64()? {
            0.0 => Some(false),
            1.0 => Some(true),
            _ => None,
        },
        Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        },
        _ => None,
    };
    flag.map(Value::Bool)
}

fn list(path: &str, schema: &Object, value: Value) -> Result<Value, Refusal> {
    let nothing = Object::new();
    let item = schema.get("items").and_then(Value::as_object).unwrap_or(&nothing);
    let entries = match value {
        Value::Array(entries) => entries,
        Value::String(text) => match serde_json::from_str(&text) {
            Ok(Value::Array(entries)) => entries,
            // Meant as a list, but not one: taking it for one odd entry would help nobody.
            _ if text.trim_start().starts_with('[') => {
                return Err(Refusal::argument(path, &came(&Value::String(text)), "a JSON list of texts"));
            }
            _ => vec![Value::String(text)],
        },
        one => vec![one],
    };
    let mut read = Vec::with_capacity(entries.len());
    for (index, entry) in entries.into_iter().enumerate() {
        let place = format!("{path}[{index}]");
        let entry = coerce(&place, item, entry, true)?;
        read.push(entry.ok_or_else(|| Refusal::argument(&place, "null", &allowed(item)))?);
    }
    Ok(Value::Array(read))
}

fn nested(path: &str, schema: &Object, value: Value) -> Result<Value, Refusal> {
    let open = !schema.contains_key("properties");
    match unwrap_text(value) {
        Value::Object(given) if open => Ok(Value::Object(given)),
        Value::Object(given) => object(path, schema, given).map(Value::Object),
        Value::String(text) if !open => {
            let required = schema.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            let [Value::String(only)] = required else {
                return Err(Refusal::argument(path, &came(&Value::String(text)), &allowed(schema)));
            };
            let given = Object::from_iter([(only.clone(), Value::String(text))]);
            object(path, schema, given).map(Value::Object)
        }
        other => Err(Refusal::argument(path, &came(&other), &allowed(schema))),
    }
}

/// The object or list that a text spells, or the value as it is.
fn unwrap_text(value: Value) -> Value {
    if let Value::String(text) = &value
        && let Ok(spelled @ (Value::Object(_) | Value::Array(_) | Value::Null)) = serde_json::from_str(text)
    {
        return spelled;
    }
    value
}

/// The field of that name, in any case and with any separators.
fn find<'a>(fields: &'a Object, given: &str) -> Option<(&'a String, &'a Value)> {
    let bare =
        |name: &str| name.chars().filter(|c| !"_- ".contains(*c)).flat_map(char::to_lowercase).collect::<String>();
    fields.get_key_value(given).or_else(|| fields.iter().find(|(name, _)| bare(name) == bare(given)))
}

fn unknown(path: &str, name: &str, fields: &Object) -> Refusal {
    let names: Vec<&str> = fields.keys().map(String::as_str).collect();
    let place = join(path, &limits::excerpt(name));
    Refusal {
        code: "unknown_argument",
        message: format!("there is no argument {place:?}; allowed are {}", names.join(", ")),
        field: Some(place),
        next_step: "Nothing was done. Call again with the allowed names.".to_owned(),
    }
}

fn missing(path: &str, schema: &Value) -> Refusal {
    let nothing = Object::new();
    let schema = schema.as_object().unwrap_or(&nothing);
    Refusal {
        code: "missing_argument",
        message: format!("{path} is missing; it is {}", allowed(schema)),
        field: Some(path.to_owned()),
        next_step: format!("Call again with {path}."),
    }
}

/// What came, in a few words that repeat no more than 60 characters of it.
fn came(value: &Value) -> String {
    match value {
        Value::Array(list) => format!("a list of {}", count::of(list.len(), "entry", "entries")),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) => format!("the text {:?}", limits::excerpt(text)),
        plain => limits::excerpt(&plain.to_string()),
    }
}

fn allowed(schema: &Object) -> String {
    if let Some(Value::Array(choices)) = schema.get("enum") {
        let names: Vec<&str> = choices.iter().filter_map(Value::as_str).collect();
        return format!("one of {}", names.join(", "));
    }
    let noun = match schema.get("type").and_then(Value::as_str).unwrap_or_default() {
        "integer" => "a whole number",
        "number" => "a number",
        "boolean" => "true or false",
        "array" => "a list",
        "object" => "a JSON object",
        _ => "a text",
    };
    match schema.get("description").and_then(Value::as_str) {
        Some(meaning) => format!("{noun} ({meaning})"),
        None => noun.to_owned(),
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

#[cfg(test)]
#[path = "arguments_tests.rs"]
mod tests;
