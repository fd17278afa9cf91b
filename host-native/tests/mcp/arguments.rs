//! Arguments as models send them, over the wire.

use serde_json::{Value, json};

use super::client::{Answer, Era, Program};

#[test]
fn c2_what_is_meant_in_one_way_only_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::greeted(&folder.path().join("a.db"), Era::Session);
    let client = &mut program.client;
    let given = json!({
        "content": "The staging cluster runs in Frankfurt", "id": "place:staging", "importance": "0.8",
        "tags": "[\"infra\", \"eu\"]", "metadata": "{\"zone\": 3}", "author": null, "kind": "null", "session": "",
        "links": "null", "occurredAt": "2026-10-15", "category": "FACT",
    });
    assert_eq!(client.done("remember", given)["resolution"], "created");
    let given =
        json!({"query": "Where is staging?", "k": "5", "tags": "infra", "min_score": "0.05", "scope": "default"});
    let hits = client.done("recall", given)["hits"].clone();
    assert_eq!(hits[0]["id"], "place:staging");
    assert_eq!(hits[0]["tags"], json!(["eu", "infra"]));
    assert_eq!(hits[0]["metadata"], json!({"zone": 3}));
    assert_eq!(hits[0]["occurred_at"], "2026-10-15T00:00:00Z");
    assert_eq!((&hits[0]["kind"], &hits[0]["author"]), (&json!("note"), &Value::Null));
    let pinned = client.done("pin", json!({"id": "place:staging", "pinned": "true"}));
    assert_eq!((&pinned["pinned"], &pinned["importance"]), (&json!(true), &json!(0.8)));
    // A date's millisecond, and a zone that is not UTC.
    let given = json!({"content": "Kickoff at the lake", "id": "event:kickoff", "occurred_at": 1_792_065_600_000_i64});
    client.done("remember", given);
    let given = json!({"content": "Budget signed", "id": "event:budget", "occurred_at": "2026-10-15T21:00:00+09:00"});
    client.done("remember", given);
    for (query, id) in [("kickoff lake", "event:kickoff"), ("budget signed", "event:budget")] {
        let hits = client.done("recall", json!({"query": query}))["hits"].clone();
        assert_eq!((&hits[0]["id"], &hits[0]["occurred_at"]), (&json!(id), &json!("2026-10-15T12:00:00Z")));
    }
}

#[test]
fn c2_arguments_may_be_left_out_or_come_as_a_text() {
    let folder = tempfile::tempdir().unwrap();
    for era in Era::BOTH {
        let mut program = Program::greeted(&folder.path().join("a.db"), era);
        let client = &mut program.client;
        for params in [
            json!({"name": "stats"}),
            json!({"name": "stats", "arguments": null}),
            json!({"name": "stats", "arguments": {}}),
            json!({"name": "stats", "arguments": "{}"}),
            json!({"name": "stats", "arguments": "null"}),
            json!({"name": "stats", "arguments": ""}),
            json!({"name": "stats", "arguments": "{\"scope\": \"default\"}"}),
        ] {
            let response = client.request("tools/call", params.clone());
            let answer = Answer::of(&response, era);
            assert_eq!(answer.structured["scope"], "default", "{params}");
        }
        for arguments in [json!([1]), json!(5), json!("all of it")] {
            let response = client.request("tools/call", json!({"name": "stats", "arguments": arguments}));
            let answer = Answer::of(&response, era);
            assert!(answer.failed && answer.text.contains("a JSON object"), "{answer:?}");
        }
    }
}

#[test]
fn c2_what_is_wrong_is_said_with_its_place_and_what_is_allowed() {
    let folder = tempfile::tempdir().unwrap();
    for era in Era::BOTH {
        let mut program = Program::greeted(&folder.path().join("a.db"), era);
        let cases = [
            ("remember", json!({}), "missing_argument", "content", "a text"),
            ("remember", json!({"content": "  "}), "blank", "content", "visible"),
            ("remember", json!({"content": "x".repeat(70_000)}), "too_long", "content", "65536"),
            ("remember", json!({"content": "x", "importance": 7}), "out_of_range", "importance", "0 to 1"),
            ("remember", json!({"content": "x", "importance": "high"}), "invalid_argument", "importance", "a number"),
            ("remember", json!({"content": "x", "category": "rumour"}), "invalid_argument", "category", "strategy"),
            ("remember", json!({"content": "x", "kind": "Two Words"}), "bad_name", "kind", "lower-case"),
            (
                "remember",
                json!({"content": "x", "occurred_at": "soon"}),
                "invalid_argument",
                "occurred_at",
                "2026-10-15",
            ),
            ("remember", json!({"content": "x", "links": [{"to": "gone"}]}), "not_found", "links.to", "gone"),
            ("remember", json!({"content": "x", "text": "y"}), "unknown_argument", "text", "content"),
            ("recall", json!({"query": "x", "k": "many"}), "invalid_argument", "k", "a whole number"),
            ("recall", json!({"query": "x", "depth": "deep"}), "invalid_argument", "depth", "frozen"),
            ("recall", json!({"query": "x", "min_score": 2}), "out_of_range", "min_score", "0 to 1"),
            ("recall", json!({"query": "x", "as_of": "1792065600"}), "invalid_argument", "as_of", "milliseconds"),
            ("reinforce", json!({"id": "x".repeat(1_000_000)}), "too_long", "id", "256"),
            ("update", json!({"id": "x", "content": "y"}), "not_found", "id", "no such memory"),
            ("connect", json!({"from": "a"}), "missing_argument", "to", "a text"),
            ("neighbors", json!({"id": "gone"}), "not_found", "id", "gone"),
            ("pin", json!({"id": "a", "pinned": "perhaps"}), "invalid_argument", "pinned", "true or false"),
            ("review_queue", json!({"cursor": "elsewhere"}), "out_of_range", "cursor", "the page before"),
            ("stats", json!({"scope": "a\nb"}), "bad_name", "scope", "control characters"),
        ];
        for (tool, arguments, code, field, allowed) in cases {
            let error = program.client.refused(tool, arguments.clone());
            assert_eq!((&error["code"], &error["field"]), (&json!(code), &json!(field)), "{tool} {arguments:.80}");
            assert!(error["message"].as_str().unwrap().contains(allowed), "{allowed:?} is not in {error}");
        }
        let error = program.client.refused("update", json!({"id": "x"}));
        assert_eq!(error["code"], "missing_argument");
        assert!(error["message"].as_str().unwrap().contains("content, importance, tags and metadata"));
        // Nothing of all that was stored.
        assert_eq!(program.client.done("stats", json!({}))["memories"], 0);
    }
}

#[test]
fn an_id_that_is_not_found_names_what_may_have_been_meant() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::greeted(&folder.path().join("a.db"), Era::Session);
    program.client.done("remember", json!({"content": "We bill by the outcome", "id": "decision:pricing"}));
    let error = program.client.refused("reinforce", json!({"id": "decision:prices"}));
    assert_eq!((&error["code"], &error["field"]), (&json!("not_found"), &json!("id")));
    assert!(error["message"].as_str().unwrap().ends_with("(did you mean \"decision:pricing\"?)"), "{error}");
}

#[test]
fn an_unknown_tool_is_an_error_of_the_protocol() {
    let folder = tempfile::tempdir().unwrap();
    for era in Era::BOTH {
        let mut program = Program::greeted(&folder.path().join("a.db"), era);
        for params in [json!({"name": "purge", "arguments": {}}), json!({"name": "purge", "arguments": "{}"})] {
            let response = program.client.request("tools/call", params);
            assert_eq!(response["error"]["code"], -32602, "{response}");
            let message = response["error"]["message"].as_str().unwrap();
            assert!(message.contains("purge") && message.contains("remember, recall"), "{message}");
        }
        for params in [json!({}), json!({"name": 5}), json!({"arguments": {}})] {
            let response = program.client.request("tools/call", params);
            assert_eq!(response["error"]["code"], -32602, "{response}");
        }
        program.client.done("stats", json!({}));
        // The client was told: to the log it is nothing.
        let (_, _, log) = program.finish();
        assert!(log.is_empty(), "{log}");
    }
}
