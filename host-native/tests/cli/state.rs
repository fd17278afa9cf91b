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
    assert!(stats.contains("1 tracked, open: exporter blocked 30%"), "{stats}");
    assert!(stats.contains("last 7 days"), "{stats}");
    // After 31 days it is no longer what a session starts from.
    let later = home.json(&["resume", "--now", "+31d"]);
    assert_eq!(later.get("handoff"), None);
}
