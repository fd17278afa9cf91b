//! Failures, progress, handoff and resume at the command line.

use serde_json::json;

use super::support::Home;

#[test]
fn a_handoff_is_resumed() {
    let home = Home::new();
    assert_eq!(home.text(&["resume"]), "Nothing is handed over, tracked or in use here.\n");
    let tracked = home.json(&["track-failure", "cc not found", "--component", "ci", "--severity", "minor"]);
    assert_eq!((&tracked["created"], &tracked["count"]), (&json!(true), &json!(1)));
    let mended = home.text(&["track-failure", "cc not found", "--component", "ci", "--fix", "apt-get install gcc"]);
    assert!(mended.contains("it is how the known failure was mended; told 1 time so far"), "{mended}");
    home.json(&["track-progress", "exporter", "--status", "blocked", "--completion", "30", "--blocker", "no schema"]);
    home.json(&["handoff", "The importer works", "--next", "write the exporter", "--session", "monday"]);
    let expected = "Handoff:\nThe importer works (just now)\nNext: write the exporter\n\n\
        Open features:\n- exporter: blocked, 30% (just now); blocked by no schema\n";
    assert_eq!(home.text(&["resume"]), expected);
    let resumed = home.json(&["resume", "--budget", "500"]);
    assert_eq!(resumed["handoff"]["next_steps"], json!(["write the exporter"]));
    assert_eq!(resumed["features"][0]["feature"], "exporter");
    assert_eq!(resumed["failures"], json!([]));
    let stats = home.text(&["stats"]);
    assert!(stats.contains("1 (0 unresolved): ci 1; minor 1"), "{stats}");
    assert!(stats.contains("1 tracked; open: exporter (blocked, 30%)"), "{stats}");
    assert!(stats.contains("last 7 days"), "{stats}");
    // After 31 days it is no longer what a session starts from.
    let later = home.json(&["resume", "--now", "+31d"]);
    assert_eq!(later.get("handoff"), None);
}

#[test]
fn an_import_of_a_record_keeps_to_the_rules_of_the_verbs_that_tell_them() {
    let from = Home::new();
    from.json(&["track-failure", "cc not found", "--component", "ci"]);
    from.json(&["track-progress", "exporter", "--status", "blocked", "--completion", "30", "--blocker", "no schema"]);
    from.json(&["handoff", "The importer works", "--next", "write the exporter", "--session", "monday"]);
    let records = from.records();
    let told = |sort: &str, field: &str, value: &serde_json::Value| {
        let mut record = records.iter().find(|record| record["kind"] == sort).expect("a record").clone();
        record["metadata"][field] = value.clone();
        record.to_string()
    };
    let home = Home::new();
    for (sort, field, value, said) in [
        ("failure", "severity", json!("urgent"), "severity is \"urgent\"; allowed are critical, major, minor"),
        ("failure", "severity", json!(3), "severity is \"3\"; allowed are critical, major, minor"),
        ("failure", "component", json!(null), "component is blank"),
        ("failure", "error", json!(["a"]), "error is [\"a\"]; allowed is a text"),
        ("failure", "count", json!(-1), "count is -1; allowed is a whole number from 0 to 4294967295"),
        ("failure", "resolved", json!("no"), "resolved is \"no\"; allowed is true or false"),
        ("failure", "related_test_ids", json!("t1"), "related_test_ids is \"t1\"; allowed is a list of texts"),
        ("progress", "status", json!("finished"), "allowed are planning, in_progress, blocked, review, done"),
        ("progress", "completion", json!(101), "completion is 101; allowed is a number from 0 to 100"),
        ("progress", "completion", json!("30"), "completion is \"30\"; allowed is a number from 0 to 100"),
        ("progress", "quality_score", json!(1.5), "quality_score is 1.5; allowed is a number from 0 to 1"),
        ("progress", "blockers", json!([1]), "blockers is [1]; allowed is a list of texts"),
        ("handoff", "summary", json!(" "), "summary is blank"),
        ("handoff", "next_steps", json!({}), "next_steps is {}; allowed is a list of texts"),
    ] {
        let good = json!({"content": "Lunch is at noon"});
        home.file("odd.jsonl", format!("{good}\n{}\n", told(sort, field, &value)));
        home.refused(&["import", "odd.jsonl"], "broken_input");
        let refused = home.run(&["import", "odd.jsonl"]).stderr;
        assert!(refused.contains("odd.jsonl, line 2: memory: ") && refused.contains(said), "{field}: {refused}");
        assert!(refused.contains("next step: Mend that place and import again; nothing was imported."), "{refused}");
        // A plain line that says it is such a record is one.
        let record: serde_json::Value = serde_json::from_str(&told(sort, field, &value)).expect("JSON");
        let plain = json!({"content": record["content"], "kind": sort, "metadata": record["metadata"]});
        home.file("odd.jsonl", plain.to_string());
        home.refused(&["import", "odd.jsonl"], "broken_input");
        assert_eq!(home.records(), Vec::<serde_json::Value>::new());
    }
    // What the verbs wrote comes back, and a kind of that name alone is no record.
    let lines: Vec<String> = records.iter().map(ToString::to_string).collect();
    home.file("whole.jsonl", lines.join("\n"));
    home.json(&["import", "whole.jsonl"]);
    assert_eq!(home.records(), records);
    home.file("free.jsonl", json!({"content": "A note", "kind": "failure", "metadata": {"severity": 3}}).to_string());
    home.json(&["import", "free.jsonl"]);
}
