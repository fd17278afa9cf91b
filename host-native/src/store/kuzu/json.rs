//! Kùzu's values as JSON, for whoever asks in Cypher.

use kuzu::{NodeVal, RelVal, Value};
use serde_json::{Map, Value as Json, json};

/// The value; what JSON has no form for, as the engine writes it.
pub(super) fn of(value: &Value) -> Json {
    match value {
        Value::Null(_) => Json::Null,
        Value::Bool(value) => json!(value),
        Value::Int64(value) => json!(value),
        Value::Int32(value) => json!(value),
        Value::Int16(value) => json!(value),
        Value::Int8(value) => json!(value),
        Value::UInt64(value) => json!(value),
        Value::UInt32(value) => json!(value),
        Value::UInt16(value) => json!(value),
        Value::UInt8(value) => json!(value),
        Value::Double(value) => json!(value),
        Value::Float(value) => json!(value),
        Value::String(value) => json!(value),
        Value::List(_, values) | Value::Array(_, values) => values.iter().map(of).collect(),
        Value::Struct(fields) => Json::Object(fields.iter().map(|(name, value)| (name.clone(), of(value))).collect()),
        Value::Map(_, pairs) => pairs.iter().map(|(key, value)| json!([of(key), of(value)])).collect(),
        Value::Node(found) => node(found),
        Value::Rel(found) => rel(found),
        Value::RecursiveRel { nodes, rels } => {
            json!({ "nodes": nodes.iter().map(node).collect::<Vec<_>>(), "rels": rels.iter().map(rel).collect::<Vec<_>>() })
        }
        Value::Union { value, .. } => of(value),
        other => json!(other.to_string()),
    }
}

fn node(node: &NodeVal) -> Json {
    properties(node.get_properties())
}

fn rel(rel: &RelVal) -> Json {
    properties(rel.get_properties())
}

/// Those that are set, as Neo4j has it.
fn properties(all: &[(String, Value)]) -> Json {
    let set = all.iter().filter(|(_, value)| !matches!(value, Value::Null(_)));
    Json::Object(set.map(|(name, value)| (name.clone(), of(value))).collect::<Map<_, _>>())
}
