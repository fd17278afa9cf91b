//! What is asked here and at the command line has one answer, and what holds of the engine holds over the protocol.

use std::{path::Path, process::Command};

use serde_json::{Value, json};

use super::client::{Era, Program};

fn command(path: &Path, arguments: &[&str]) -> Value {
    let mut program = Command::new(env!("CARGO_BIN_EXE_ebbtrace"));
    let done =
        program.args(arguments).arg("--json").arg("--db").arg(path).env_remove("EBBTRACE_SCOPE").output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    serde_json::from_slice(&done.stdout).unwrap()
}

#[test]
fn d6_the_command_line_and_the_server_give_one_answer_with_one_set_of_defaults() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    for number in 0..12 {
        let text = format!("Meeting {number} about the harbour crane: point {number} was settled");
        command(&path, &["remember", &text, "--id", &format!("m{number}")]);
    }
    command(&path, &["remember", "E4711 means that the crane's brake is worn", "--id", "e"]);
    let mut program = Program::with(&path, &["--no-maintenance"], &[]);
    program.client.greet(Era::Session);
    for query in ["harbour crane", "E4711", "which point was settled?", "quantum chromodynamics"] {
        // Only looked at, so that asking first is no advantage.
        let told = command(&path, &["recall", query, "--peek"]);
        let of = |hits: &Value, id: fn(&Value) -> &Value| -> Vec<(String, f64)> {
            let round = |score: &Value| (score.as_f64().unwrap() * 1_000.0).round() / 1_000.0;
            let score = |hit: &Value| round(hit["score"].get("total").unwrap_or(&hit["score"]));
            hits.as_array().unwrap().iter().map(|hit| (id(hit).as_str().unwrap().to_owned(), score(hit))).collect()
        };
        let at_command = of(&told["hits"], |hit| &hit["memory"]["id"]);
        let at_server = of(&program.client.done("recall", json!({"query": query}))["hits"], |hit| &hit["id"]);
        let ids = |of: &[(String, f64)]| of.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>();
        assert_eq!(ids(&at_command), ids(&at_server), "{query}");
        for ((_, one), (_, other)) in at_command.iter().zip(&at_server) {
            assert!((one - other).abs() < 0.002, "{query}: {at_command:?} {at_server:?}");
        }
    }
    program.finish();
}

#[test]
fn e6_what_a_model_recalled_and_stores_again_changes_nothing() {
    for era in Era::BOTH {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let mut program = Program::with(&path, &["--no-maintenance"], &[]);
        program.client.greet(era);
        let client = &mut program.client;
        client.done("remember", json!({"content": "The kiln is fired at 1,240 degrees", "id": "kiln"}));
        let mut used = None;
        for turn in 0..10 {
            let hits = client.done("recall", json!({"query": "how hot is the kiln fired?"}))["hits"].clone();
            assert_eq!((hits.as_array().unwrap().len(), &hits[0]["id"]), (1, &json!("kiln")), "turn {turn}");
            let stored = client.done("remember", json!({"content": hits[0]["content"]}));
            assert_eq!((&stored["resolution"], &stored["id"]), (&json!("echo"), &json!("kiln")), "turn {turn}");
            // The first recall counts; nine more within the minute add no strength by storing.
            let count = stored["recall_count"].as_i64().unwrap();
            assert!(used.is_none_or(|before| count - before <= 1), "turn {turn}");
            used = Some(count);
        }
        assert_eq!(client.done("stats", json!({}))["memories"], 1);
        program.finish();
    }
}

#[test]
fn j1_the_newest_handoff_of_two_processes_wins_and_is_one_commit() {
    for era in Era::BOTH {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let mut first = Program::with(&path, &["--no-maintenance"], &[]);
        first.client.greet(era);
        let mut second = Program::with(&path, &["--no-maintenance"], &[]);
        second.client.greet(era);
        first.client.done("handoff", json!({"summary": "Half of the roof is tiled", "session": "monday"}));
        second
            .client
            .done("handoff", json!({"summary": "The roof is done", "next_steps": ["paint"], "session": "tuesday"}));
        // Acknowledged is stored: no end of a session is needed.
        second.kill();
        for _ in 0..2 {
            let resumed = first.client.done("resume", json!({}));
            let text = resumed["text"].as_str().unwrap();
            assert!(text.contains("The roof is done") && text.contains("paint"), "{text}");
            assert!(!text.contains("Half of the roof"), "{text}");
        }
        first.finish();
        let kept = command(&path, &["history", "handoff:latest"]);
        assert_eq!(kept["versions"].as_array().unwrap().len(), 2, "{kept}");
        assert_eq!(super::database::journal(&path).len(), 2, "a handoff is one commit, and reading none");
        let expired = command(&path, &["resume", "--now", "+31d"]);
        assert_eq!(expired.get("handoff"), None);
    }
}
