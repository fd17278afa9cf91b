//! The state of an agent's work over the protocol, and the sets of tools.

use serde_json::{Value, json};

use super::client::{Era, Program};

#[test]
fn j2_a_session_hands_over_and_the_next_resumes() {
    for era in Era::BOTH {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let mut first = Program::greeted(&path, era);
        let client = &mut first.client;
        let failure = json!({"error": "pool timed out after 3000 ms", "component": "db", "severity": "critical"});
        let tracked = client.done("track_failure", failure.clone());
        assert_eq!((&tracked["created"], &tracked["count"]), (&json!(true), &json!(1)));
        let again = client.done("track_failure", json!({"error": "pool timed out after 12 ms", "component": "db"}));
        assert_eq!((&again["id"], &again["created"], &again["count"]), (&tracked["id"], &json!(false), &json!(2)));
        let feature = json!({"feature": "Login flow", "status": "in_progress", "completion": "40"});
        assert_eq!(client.done("track_progress", feature)["id"], "progress:login flow");
        let handoff = json!({
            "summary": "Login half done", "next_steps": "[\"write the tests\"]", "session": "monday",
        });
        assert_eq!(client.done("handoff", handoff)["id"], "handoff:latest");
        first.kill();

        let mut second = Program::greeted(&path, era);
        let resumed = second.client.call("resume", json!({}));
        for said in [
            "| Login half done (just now)",
            "| Next: write the tests",
            "| - Login flow: in_progress, 40% (just now)",
            "| - db (critical, 2 times, just now): pool timed out after 3000 ms",
            "Session \"monday\".",
            "not instructions",
        ] {
            assert!(resumed.text.contains(said), "{said:?} is not in {}", resumed.text);
        }
        assert_eq!(resumed.structured["open_features"], 1);
        // Another reader gets the same.
        assert_eq!(second.client.call("resume", json!({})).structured, resumed.structured);
        let mended = second.client.call(
            "track_failure",
            json!({"error": "pool timed out after 9 ms", "component": "db", "fix": "raise max_connections"}),
        );
        assert_eq!(mended.structured["count"], 2);
        let back = second.client.call("track_failure", failure);
        assert!(back.text.contains("| raise max_connections"), "{}", back.text);
        let stats = second.client.done("stats", json!({}));
        assert_eq!(
            stats["failures"],
            json!({"total": 1, "unresolved": 1, "by_component": {"db": 1}, "by_severity": {"critical": 1}})
        );
        assert_eq!(stats["features"]["active"]["Login flow"], json!({"status": "in_progress", "completion": 40.0}));
        let refused = second.client.refused("track_progress", json!({"feature": "x", "status": "finished"}));
        assert_eq!((&refused["code"], &refused["field"]), (&json!("invalid_argument"), &json!("status")));
        assert_eq!(second.client.done("resume", json!({"scope": "another"}))["text"], "| ");
    }
}

fn names(path: &std::path::Path, set: &str) -> Vec<String> {
    let mut program = Program::with(path, &["--tools", set], &[]);
    program.client.greet(Era::Session);
    let listed = program.client.request("tools/list", json!({}))["result"]["tools"].clone();
    listed.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_small_set_of_tools_can_be_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    assert_eq!(names(&path, "core"), ["remember", "recall", "update", "resume", "handoff", "forget"]);
    let mut program = Program::with(&path, &["--tools", "core"], &[]);
    program.client.greet(Era::Session);
    let response = program.client.request("tools/call", json!({"name": "stats", "arguments": {}}));
    assert_eq!(response["error"]["code"], -32602);
}

#[test]
fn the_tools_of_engram_answer_in_its_shape() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let expected = [
        "recall_memory",
        "store_memory",
        "update_memory",
        "consolidate_memory",
        "session_handoff",
        "memory_stats",
        "track_failure",
        "track_progress",
    ];
    assert_eq!(names(&path, "engram"), expected);
    for era in Era::BOTH {
        let folder = tempfile::tempdir().unwrap();
        let mut program = Program::with(&folder.path().join("b.db"), &["--tools", "engram"], &[]);
        program.client.greet(era);
        let client = &mut program.client;
        let stored = client.done(
            "store_memory",
            json!({
                "content": "The team deploys on Fridays", "importance": 0.8, "category": "strategy", "user_id": "ana",
                "metadata": {"type": "habit"},
            }),
        );
        let id = stored["memory_id"].as_str().unwrap().to_owned();
        assert_eq!(stored["result"], format!("Stored new memory (id={id})"));
        let recalled =
            client.call("recall_memory", json!({"query": "when do we deploy", "user_id": "ana", "top_k": 3}));
        assert_eq!(recalled.structured["memoriesFound"], 1);
        let memory = &recalled.structured["memories"][0];
        assert_eq!(memory["content"], "The team deploys on Fridays");
        assert_eq!((&memory["category"], &memory["importance"]), (&json!("strategy"), &json!(0.8)));
        assert_eq!(memory["metadata"], json!({"type": "habit"}));
        for number in ["strength", "similarity", "score"] {
            let value = memory[number].as_f64().unwrap();
            assert!((0.0..=1.0).contains(&value), "{number} {value}");
        }
        // Its text is the JSON itself.
        assert_eq!(serde_json::from_str::<Value>(&recalled.text).unwrap(), recalled.structured);
        assert_eq!(client.done("recall_memory", json!({"query": "when do we deploy"}))["memoriesFound"], 0);
        let updated = client.done(
            "update_memory",
            json!({"memory_id": id, "new_content": "The team deploys on Mondays", "user_id": "ana"}),
        );
        assert_eq!(updated["result"], format!("Updated memory (id={id})"));

        let failed = client.done("track_failure", json!({"error": "E0308 in build", "component": "ci"}));
        assert!(failed["result"].as_str().unwrap().starts_with("Failure tracked (id="));
        client.done("track_progress", json!({"feature": "v2", "status": "review", "completion": 90}));
        client.done("session_handoff", json!({"summary": "almost there", "next_steps": ["ship"]}));
        let stats = client.done("memory_stats", json!({}));
        assert_eq!((&stats["total"], &stats["categories"]), (&json!(3), &json!({"failure": 1, "strategy": 2})));
        assert_eq!(
            stats["engineering"],
            json!({
                "failures": {"total": 1, "by_component": {"ci": 1}, "by_severity": {"major": 1}},
                "features": {"total_tracked": 1, "active": {"v2": {"status": "review", "completion": 90.0}}},
            })
        );
        let consolidated = client.done("consolidate_memory", json!({}));
        assert_eq!(consolidated, json!({"result": "No similar memories found to consolidate", "details": []}));
    }
}

/// Each of the eight answers has the keys that the older system gave, each of its type, whatever else it has; and its text
/// is the same JSON.
#[test]
fn every_answer_of_engram_has_its_keys() {
    const NUMBER: Kind = Value::is_number;
    const TEXT: Kind = Value::is_string;
    const LIST: Kind = Value::is_array;
    const OBJECT: Kind = Value::is_object;
    type Kind = fn(&Value) -> bool;
    fn has(of: &Value, keys: &[(&str, Kind)]) {
        for (key, is) in keys {
            assert!(is(&of[*key]), "{key} in {of}");
        }
    }
    for era in Era::BOTH {
        let folder = tempfile::tempdir().unwrap();
        let mut program = Program::with(&folder.path().join("b.db"), &["--tools", "engram"], &[]);
        program.client.greet(era);
        let mut call = |tool: &str, arguments: Value| {
            let answer = program.client.call(tool, arguments);
            assert!(!answer.failed, "{tool}: {answer:?}");
            assert_eq!(serde_json::from_str::<Value>(&answer.text).unwrap(), answer.structured, "{tool}");
            answer.structured
        };
        let stats = call("memory_stats", json!({}));
        has(&stats, &[("total", NUMBER), ("categories", OBJECT), ("avg_strength", NUMBER)]);
        assert_eq!((&stats["last_maintenance"], stats.get("engineering")), (&Value::Null, None));
        // What becomes of a memory is told in the older system's words.
        let store = |content: &str| json!({"content": content, "importance": 0.5});
        let of = |stored: &Value, words: &str| {
            has(stored, &[("result", TEXT), ("memory_id", TEXT)]);
            assert_eq!(stored["result"], format!("{words} (id={})", stored["memory_id"].as_str().unwrap()));
        };
        of(&call("store_memory", store("The deadline is 15 October")), "Stored new memory");
        of(&call("store_memory", store("The deadline is 15 October")), "Reinforced existing memory");
        of(&call("store_memory", store("The deadline is 16 October")), "Replaced contradicting memory");
        let (short, long) = ("Priya plays the cello every morning", "Priya generally plays the cello every morning");
        let merged = call("store_memory", store(short));
        of(&call("store_memory", store(long)), "Merged into existing memory");
        let edit = json!({"memory_id": merged["memory_id"], "new_content": "Priya plays the viola", "importance": 0.9});
        assert_eq!(
            call("update_memory", edit)["result"],
            format!("Updated memory (id={})", merged["memory_id"].as_str().unwrap())
        );
        of(&call("session_handoff", json!({"summary": "almost", "completed": ["a"]})), "Session handoff recorded");
        of(
            &call("track_failure", json!({"error": "E1", "component": "ci", "related_test_ids": ["t"]})),
            "Failure tracked",
        );
        let progress =
            json!({"feature": "v2", "status": "blocked", "blockers": ["b"], "quality_score": 0.5, "notes": "n"});
        of(&call("track_progress", progress), "Progress tracked");
        let recalled = call("recall_memory", json!({"query": "who plays the viola?", "top_k": 1}));
        has(&recalled, &[("memoriesFound", NUMBER), ("memories", LIST)]);
        let keys = [("id", TEXT), ("content", TEXT), ("category", TEXT), ("importance", NUMBER)];
        has(&recalled["memories"][0], &keys);
        has(&recalled["memories"][0], &[("strength", NUMBER), ("similarity", NUMBER), ("score", NUMBER)]);
        assert_eq!(recalled["memories"][0].get("metadata"), None, "only where there is some");
        let none = call("recall_memory", json!({"query": "quarterly satellite telemetry"}));
        assert_eq!((&none["memoriesFound"], &none["memories"]), (&json!(0), &json!([])));
        let stats = call("memory_stats", json!({}));
        let engineering = &stats["engineering"];
        has(&engineering["failures"], &[("total", NUMBER), ("by_component", OBJECT), ("by_severity", OBJECT)]);
        assert_eq!(
            engineering["features"],
            json!({
                "total_tracked": 1, "active": {"v2": {"status": "blocked", "completion": 0.0}},
            })
        );
    }
    // What could be merged: both keys are named, and nothing is gone yet.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    for (id, text) in [("a", "The nightly backup starts at two"), ("b", "The nightly backup indeed starts at two")] {
        super::faded::run(&path, &["remember", text, "--id", id]);
    }
    let mut program = Program::with(&path, &["--tools", "engram"], &[]);
    program.client.greet(Era::Session);
    let consolidated = program.client.done("consolidate_memory", json!({}));
    has(&consolidated, &[("result", TEXT), ("details", LIST)]);
    let detail = &consolidated["details"][0];
    has(detail, &[("kept", TEXT), ("removed", LIST), ("content", TEXT), ("proposed", TEXT), ("reason", TEXT)]);
    assert!(detail["content"].as_str().unwrap().contains("backup"), "{detail}");
    assert_eq!(detail["removed"], json!([]));
}
