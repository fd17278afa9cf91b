//! What `tools/list` says: the golden file, its size, and the plain dialect that every client takes.

use std::{fs, path::PathBuf};

use serde_json::{Value, json};

use super::client::{Era, Program};

/// The whole result must fit in this, in bytes.
const LIMIT: usize = 12_000;

fn listed(era: Era) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::greeted(&folder.path().join("a.db"), era);
    let result = program.client.request("tools/list", json!({}))["result"].clone();
    assert!(result.to_string().len() <= LIMIT, "{} bytes", result.to_string().len());
    let next = program.client.request("tools/list", json!({"cursor": "1"}));
    assert_eq!(next["error"]["code"], -32602);
    result
}

#[test]
fn the_list_is_the_golden_one_in_both_eras() {
    let path = PathBuf::from("tests/golden/tools.json");
    let result = listed(Era::Session);
    let text = serde_json::to_string_pretty(&result).unwrap() + "\n";
    if std::env::var_os("EBBTRACE_UPDATE_GOLDEN").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let golden = fs::read_to_string(&path).unwrap();
    assert_eq!(golden, text, "run with EBBTRACE_UPDATE_GOLDEN=1 and look at what changed");
    assert_eq!(listed(Era::Discover)["tools"], result["tools"]);
}

#[test]
fn names_and_arguments_are_those_agreed_on() {
    let expected: [(&str, &[&str], &[&str]); 15] = [
        (
            "remember",
            &["content"],
            &[
                "author",
                "category",
                "content",
                "id",
                "importance",
                "kind",
                "links",
                "metadata",
                "occurred_at",
                "scope",
                "session",
                "tags",
            ],
        ),
        ("recall", &["query"], &["as_of", "depth", "k", "kinds", "min_score", "query", "scope", "tags"]),
        ("update", &["id"], &["content", "id", "importance", "metadata", "scope", "session", "tags"]),
        ("resume", &[], &["budget", "scope"]),
        (
            "handoff",
            &["summary"],
            &["blocked", "completed", "in_progress", "next_steps", "scope", "session", "summary"],
        ),
        (
            "track_failure",
            &["error", "component"],
            &["component", "error", "fix", "related_test_ids", "root_cause", "scope", "session", "severity"],
        ),
        (
            "track_progress",
            &["feature", "status"],
            &["blockers", "completion", "feature", "notes", "quality_score", "scope", "session", "status"],
        ),
        ("connect", &["from", "to"], &["from", "relation", "scope", "to", "weight"]),
        ("reinforce", &["id"], &["id", "scope"]),
        ("forget", &["id"], &["id", "reason", "scope"]),
        ("neighbors", &["id"], &["cursor", "depth", "id", "limit", "scope"]),
        ("pin", &["id"], &["id", "pinned", "scope"]),
        ("maintain", &[], &["dry_run", "scope"]),
        ("review_queue", &[], &["ask", "cursor", "limit", "scope"]),
        ("stats", &[], &["scope"]),
    ];
    let result = listed(Era::Session);
    let tools = result["tools"].as_array().unwrap();
    assert_eq!(tools.len(), expected.len());
    for (tool, (name, required, arguments)) in tools.iter().zip(expected) {
        assert_eq!(tool["name"], name);
        let schema = &tool["inputSchema"];
        let mut named: Vec<&str> = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
        named.sort_unstable();
        assert_eq!(named, arguments, "{name}");
        let listed = schema.get("required").cloned().unwrap_or_else(|| json!([]));
        assert_eq!(listed, json!(required), "{name}");
    }
    let links = &tools[0]["inputSchema"]["properties"]["links"]["items"];
    assert_eq!((&links["required"], links["properties"].as_object().unwrap().len()), (&json!(["to"]), 3));
}

#[test]
fn each_tool_says_what_it_may_do() {
    let result = listed(Era::Session);
    // (read only, destructive, idempotent); recall is no mere reading, since it keeps what it finds fresh.
    let expected = [
        ("remember", (false, false, false)),
        ("recall", (false, false, false)),
        ("update", (false, true, true)),
        ("resume", (true, false, true)),
        ("handoff", (false, false, true)),
        ("track_failure", (false, false, false)),
        ("track_progress", (false, false, true)),
        ("connect", (false, false, false)),
        ("reinforce", (false, false, false)),
        ("forget", (false, false, true)),
        ("neighbors", (true, false, true)),
        ("pin", (false, false, true)),
        ("maintain", (false, false, true)),
        ("review_queue", (false, true, true)),
        ("stats", (true, false, true)),
    ];
    for (tool, (name, hints)) in result["tools"].as_array().unwrap().iter().zip(expected) {
        let hint = |hint: &str| tool["annotations"][hint].as_bool().unwrap_or_else(|| panic!("{hint} of {name}"));
        assert_eq!((hint("readOnlyHint"), hint("destructiveHint"), hint("idempotentHint")), hints, "{name}");
        assert!(!hint("openWorldHint"), "{name}");
        assert!(!tool["title"].as_str().unwrap().is_empty() && !tool["description"].as_str().unwrap().is_empty());
    }
}

#[test]
fn c1_schemas_are_in_the_dialect_that_every_client_takes() {
    for tool in listed(Era::Discover)["tools"].as_array().unwrap() {
        let schema = &tool["inputSchema"];
        assert_eq!(schema["type"], "object");
        check(schema, tool["name"].as_str().unwrap());
    }
}

/// No keyword but these, each of the form that all clients know.
fn check(schema: &Value, place: &str) {
    let fields = schema.as_object().unwrap_or_else(|| panic!("a boolean schema at {place}"));
    let kind = schema["type"].as_str().unwrap_or_else(|| panic!("no single type at {place}"));
    for (key, value) in fields {
        match key.as_str() {
            "type" => {}
            "description" => assert!(value.is_string(), "{place}"),
            "required" | "enum" => assert!(value.as_array().unwrap().iter().all(Value::is_string), "{place}"),
            "properties" => {
                value.as_object().unwrap().iter().for_each(|(name, field)| check(field, &format!("{place}.{name}")));
            }
            "items" => check(value, &format!("{place}[]")),
            other => panic!("{other} at {place}"),
        }
    }
    assert_eq!(kind == "array", fields.contains_key("items"), "{place}");
}

#[test]
fn no_tool_leads_to_a_deletion() {
    let text = listed(Era::Session).to_string().to_lowercase();
    for word in ["\"approve\"", "\"purge\"", "\"delete\"", "\"decide\""] {
        assert!(!text.contains(word), "{word}");
    }
}
