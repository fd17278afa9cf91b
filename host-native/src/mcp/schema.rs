//! JSON Schemas from types, in the plain dialect that every client takes: each `type` one string, an object at the
//! root, no unions, no references, no boolean schemas, no formats.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Map, Value};

/// The schema of what goes in, with descriptions and the list of what is required.
pub(super) fn input<T: JsonSchema>() -> Map<String, Value> {
    plain(root::<T>(SchemaSettings::draft2020_12().for_deserialize()))
}

fn root<T: JsonSchema>(settings: SchemaSettings) -> Map<String, Value> {
    let settings = settings.with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    // What a type says of itself is in the tool's own title and description.
    schema.remove("description");
    std::mem::take(schema.ensure_object())
}

/// Keeps of a schema what every client understands.
fn plain(mut schema: Map<String, Value>) -> Map<String, Value> {
    for union in ["anyOf", "oneOf"] {
        if let Some(Value::Array(choices)) = schema.remove(union) {
            // The derive makes unions only of a type and null.
            let choice = choices.into_iter().filter_map(as_object).find(|choice| choice["type"] != "null");
            for (key, value) in choice.unwrap_or_default() {
                schema.entry(key).or_insert(value);
            }
        }
    }
    if let Some(Value::Array(types)) = schema.get("type") {
        let one = types.iter().find(|name| *name != "null").cloned();
        schema.insert("type".to_owned(), one.unwrap_or_default());
    }
    let keeps = |key: &str| matches!(key, "type" | "properties" | "items" | "enum" | "description" | "required");
    let kept = schema.into_iter().filter(|(key, _)| keeps(key));
    kept.map(|(key, value)| match (key.as_str(), value) {
        ("properties", Value::Object(fields)) => {
            let fields = fields.into_iter().map(|(name, field)| (name, nested(field)));
            (key, Value::Object(fields.collect()))
        }
        ("items", item) => (key, nested(item)),
        (_, value) => (key, value),
    })
    .collect()
}

fn nested(schema: Value) -> Value {
    Value::Object(plain(as_object(schema).unwrap_or_default()))
}

fn as_object(value: Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(map) => Some(map),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[derive(JsonSchema, serde::Serialize, serde::Deserialize)]
    struct Inner {
        /// A name
        title: String,
    }

    #[derive(JsonSchema, serde::Serialize, serde::Deserialize)]
    struct Outer {
        count: Option<u32>,
        inner: Option<Inner>,
        list: Vec<Inner>,
        map: BTreeMap<String, usize>,
    }

    #[test]
    fn unions_formats_and_references_are_gone_and_fields_of_any_name_stay() {
        let inner = serde_json::json!({
            "type": "object", "properties": {"title": {"type": "string", "description": "A name"}}, "required": ["title"],
        });
        let expected = serde_json::json!({
            "type": "object",
            "properties": {
                "count": {"type": "integer"}, "inner": inner, "list": {"type": "array", "items": inner},
                "map": {"type": "object"},
            },
            "required": ["list", "map"],
        });
        assert_eq!(Value::Object(input::<Outer>()), expected);
    }
}
