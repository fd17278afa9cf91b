//! G3: secrets that a model passes on are not stored, not said again and not logged, by either set of tools.

use std::{fs, path::Path};

use serde_json::{Value, json};

use super::{
    client::{Client, Era, Program},
    told::{Told, holds, told},
};

/// Calls a tool that stores: the answer says how many secrets were left out, and not which.
fn stored(client: &mut Client, told: &Told, tool: &str, arguments: Value, left_out: usize) {
    let answer = client.call(tool, arguments);
    assert!(!answer.failed, "{tool}: {answer:?}");
    assert_eq!(answer.structured["redacted"], left_out, "{tool}: {answer:?}");
    let words = if left_out == 1 { "1 secret was left out".to_owned() } else { format!("{left_out} secrets were") };
    assert!(answer.text.contains(&words), "{tool}: {answer:?}");
    for form in [answer.text, answer.structured.to_string()] {
        assert!(!holds(form.as_bytes(), &told.secret), "{tool} says it: {form}");
    }
}

/// Calls a tool with what it can't take.
fn refused(client: &mut Client, told: &Told, tool: &str, arguments: Value) {
    let answer = client.call(tool, arguments);
    for form in [&answer.text, &answer.structured.to_string()] {
        assert!(!holds(form.as_bytes(), &told.secret), "{tool} says it: {form}");
    }
    assert!(answer.failed, "{tool}: {answer:?}");
}

fn files_hold_none(folder: &Path, all: &[Told]) {
    let mut names = Vec::new();
    for file in fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
        let bytes = fs::read(&file).unwrap();
        for told in all {
            assert!(!holds(&bytes, &told.secret), "{} holds {:?}", file.display(), told.secret);
        }
        names.push(file.file_name().unwrap().to_string_lossy().into_owned());
    }
    names.sort();
    assert_eq!(names, ["a.db", "a.db-shm", "a.db-wal"]);
}

#[test]
fn g3_no_secret_that_a_tool_is_given_is_stored_said_or_logged() {
    for era in Era::BOTH {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let mut program = Program::with(&path, &[], &[("RUST_LOG", "trace"), ("RUST_BACKTRACE", "1")]);
        program.client.greet(era);
        let (client, all) = (&mut program.client, told());
        for (number, told) in all.iter().enumerate() {
            let (text, id) = (told.text.as_str(), format!("told:{number}"));
            let noted = json!({"id": id, "content": text, "metadata": {"seen": [text]}, "author": "Ida"});
            stored(client, told, "remember", noted, 2);
            let edited = json!({"id": id, "content": format!("More of it. {text}"), "metadata": {"again": text}});
            stored(client, told, "update", edited, 2);
            let component = format!("part-{number}");
            let failure = json!({"error": text, "component": component, "root_cause": text, "fix": text});
            stored(client, told, "track_failure", failure, 3);
            let progress = json!({"feature": component, "status": "blocked", "blockers": [text], "notes": text});
            stored(client, told, "track_progress", progress, 2);
            stored(client, told, "handoff", json!({"summary": text, "next_steps": [text]}), 2);
            stored(client, told, "forget", json!({"id": id, "reason": text}), 1);
            for (tool, arguments) in [
                ("remember", json!({"content": "x", "id": text})),
                ("remember", json!({"content": "x", "category": text})),
                ("remember", json!({"content": "x", "importance": text})),
                ("remember", json!({"content": "x", "occurred_at": text})),
                ("remember", json!({"content": "x", text: 1})),
                ("remember", json!({"content": "x", "links": [{"to": text}]})),
                ("recall", json!({"query": "x", "depth": text})),
                ("update", json!({"id": text, "content": "x"})),
                ("forget", json!({"id": text})),
                ("connect", json!({"from": id, "to": text})),
                ("neighbors", json!({"id": id, "cursor": text})),
                ("track_progress", json!({"feature": "x", "status": text})),
                ("stats", json!({"scope": format!("\u{7}{text}")})),
            ] {
                refused(client, told, tool, arguments);
            }
            for (method, params) in
                [("tools/call", json!({"name": text, "arguments": {}})), (text, json!({})), ("tools/call", json!(text))]
            {
                // Parameters that are no object carry no metadata, so that they are none in the newer protocol.
                if era == Era::Discover && !params.is_object() {
                    continue;
                }
                let response = client.request(method, params);
                assert!(response["error"].is_object(), "{response}");
                assert!(!holds(response.to_string().as_bytes(), &told.secret), "{response}");
            }
        }
        files_hold_none(folder.path(), &all);
        let (status, _, log) = program.finish();
        assert!(status.success());
        for told in &all {
            assert!(!holds(log.as_bytes(), &told.secret), "{log}");
        }
    }
}

#[test]
fn g3_nor_what_the_tools_of_engram_are_given() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut program = Program::with(&path, &["--tools", "engram"], &[("RUST_LOG", "trace")]);
    program.client.greet(Era::Session);
    let (client, all) = (&mut program.client, told());
    let id = client.done("store_memory", json!({"content": "The harbour is frozen", "importance": 0.5}));
    let id = id["memory_id"].as_str().unwrap().to_owned();
    for (number, told) in all.iter().enumerate() {
        let (text, component) = (told.text.as_str(), format!("part-{number}"));
        stored(client, told, "store_memory", json!({"content": text, "importance": 0.5, "metadata": {"a": text}}), 2);
        let edited = json!({"memory_id": id, "new_content": format!("Number {number}. {text}")});
        stored(client, told, "update_memory", edited, 1);
        stored(client, told, "session_handoff", json!({"summary": text}), 1);
        stored(client, told, "track_failure", json!({"error": text, "component": component}), 1);
        let progress = json!({"feature": component, "status": "review", "completion": 9, "notes": text});
        stored(client, told, "track_progress", progress, 1);
        refused(client, told, "update_memory", json!({"memory_id": text, "new_content": "x"}));
    }
    files_hold_none(folder.path(), &all);
    let log = program.finish().2;
    assert!(all.iter().all(|told| !holds(log.as_bytes(), &told.secret)), "{log}");
}
