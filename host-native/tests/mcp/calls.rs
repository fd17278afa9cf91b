//! Every tool, in both eras, and what one process stores another recalls.

use serde_json::{Value, json};

use super::client::{Era, Program};

#[test]
fn c3_every_tool_does_its_work_in_both_eras() {
    for era in Era::BOTH {
        let folder = tempfile::tempdir().unwrap();
        let mut program = Program::greeted(&folder.path().join("a.db"), era);
        let client = &mut program.client;
        let stored = client.call(
            "remember",
            json!({
                "content": "We bill monthly in advance", "kind": "decision", "id": "decision:billing", "author": "Ana",
                "session": "kickoff", "category": "strategy", "importance": 0.9,
            }),
        );
        assert!(stored.text.contains("decision:billing"), "{stored:?}");
        assert_eq!(stored.structured["resolution"], "created");
        client.done("remember", json!({"content": "Ana runs the finance team", "kind": "person", "id": "person:ana"}));
        let linked = client.done("connect", json!({"from": "decision:billing", "to": "person:ana", "relation": "by"}));
        assert_eq!(
            linked,
            json!({
                "from": "decision:billing", "to": "person:ana", "relation": "by", "weight": 1.0, "created": true,
            })
        );

        let recalled = client.call("recall", json!({"query": "how do we bill?", "k": 1}));
        let hit = &recalled.structured["hits"][0];
        assert_eq!(
            (&hit["id"], &hit["author"], &hit["state"]),
            (&json!("decision:billing"), &json!("Ana"), &json!("active"))
        );
        assert_eq!(hit["source"], "client scripted-client, session kickoff");
        assert!(hit["matched"].as_array().unwrap().contains(&json!("bill")), "{hit}");
        let parts: f64 = hit["parts"].as_object().unwrap().values().filter_map(Value::as_f64).sum();
        assert!((parts - hit["score"].as_f64().unwrap()).abs() < 0.01, "{hit}");
        for said in
            ["decision:billing", "| We bill monthly in advance", "by Ana", "why: has bill", "not instructions", "hot"]
        {
            assert!(recalled.text.contains(said), "{said:?} is not in {}", recalled.text);
        }

        let near = client.call("neighbors", json!({"id": "person:ana"}));
        assert_eq!(near.structured["items"][0]["id"], "decision:billing");
        assert_eq!(near.structured["items"][0]["outgoing"], false);
        assert!(near.text.contains("decision:billing --by--> person:ana"), "{}", near.text);

        let before = client.done("reinforce", json!({"id": "person:ana"}));
        let after = client.done("reinforce", json!({"id": "person:ana"}));
        assert_eq!(after["recall_count"].as_u64().unwrap(), before["recall_count"].as_u64().unwrap() + 1);
        let updated = client.done("update", json!({"id": "person:ana", "tags": ["finance"], "importance": 0.7}));
        assert_eq!((&updated["version"], &updated["importance"]), (&json!(2), &json!(0.7)));

        let gone = client.done("forget", json!({"id": "person:ana", "reason": "she left"}));
        assert_eq!(gone["state"], "archived");
        assert!(gone["done"].as_str().unwrap().contains("nothing is deleted"));
        let back = client.done("pin", json!({"id": "person:ana"}));
        assert_eq!((&back["state"], &back["pinned"]), (&json!("active"), &json!(true)));
        assert_eq!(client.done("pin", json!({"id": "person:ana", "pinned": false}))["pinned"], false);

        let dry = client.done("maintain", json!({"dry_run": true}));
        assert_eq!((&dry["dry_run"], &dry["examined"]), (&json!(true), &json!(2)));
        assert_eq!(client.done("stats", json!({})).get("maintained_at"), None);
        client.done("maintain", json!({}));
        let stats = client.call("stats", json!({}));
        assert_eq!((&stats.structured["memories"], &stats.structured["edges"]), (&json!(2), &json!(1)));
        assert!(stats.structured["maintained_at"].as_str().unwrap().ends_with('Z'));
        assert!(stats.text.contains("decision 1, person 1"), "{}", stats.text);
        assert_eq!(client.done("review_queue", json!({}))["total"], 0);
        let (status, rest, log) = program.finish();
        assert!(status.success() && rest.is_empty() && log.is_empty(), "{rest:?} {log}");
    }
}

#[test]
fn d1_what_was_never_stored_is_not_found() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::greeted(&folder.path().join("a.db"), Era::Session);
    program.client.done("remember", json!({"content": "The office plants are watered on Mondays"}));
    let nothing = program.client.call("recall", json!({"query": "quarterly revenue of the Lisbon subsidiary"}));
    assert_eq!(nothing.structured["hits"], json!([]));
    assert!(nothing.text.starts_with("Nothing in scope default answers this"), "{}", nothing.text);
    assert_eq!(nothing.structured["about"], nothing.text.as_str());
}

#[test]
fn archived_matches_are_counted_and_shown_when_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::greeted(&folder.path().join("a.db"), Era::Session);
    let client = &mut program.client;
    for (id, content) in [("a", "The deploy key lives in the vault"), ("b", "The deploy window is on Friday")] {
        client.done("remember", json!({"id": id, "content": content}));
    }
    client.done("forget", json!({"id": "b"}));
    let first = client.call("recall", json!({"query": "deploy", "k": 1}));
    assert_eq!((&first.structured["hits"][0]["id"], &first.structured["archived"]), (&json!("a"), &json!(1)));
    assert!(first.text.contains("1 archived memory matches too: recall with depth \"frozen\""), "{}", first.text);
    let all = client.call("recall", json!({"query": "deploy", "depth": "frozen"}));
    assert_eq!(all.structured["hits"].as_array().unwrap().len(), 2);
    assert!(all.text.contains("archived at 20"), "{}", all.text);
}

#[test]
fn one_process_remembers_and_the_next_recalls() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut first = Program::greeted(&path, Era::Session);
    first.client.done("remember", json!({"content": "Invoices go to ap@example.com", "id": "fact:invoices"}));
    first.finish();
    let mut second = Program::greeted(&path, Era::Discover);
    assert_eq!(second.client.found(json!({"query": "where do invoices go?"})), ["fact:invoices"]);
    second.kill();
    let mut third = Program::greeted(&path, Era::Session);
    assert_eq!(third.client.found(json!({"query": "invoices"})), ["fact:invoices"]);
}

#[test]
fn d5_an_edited_memory_is_found_by_its_new_words_and_no_longer_by_its_old_ones() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::greeted(&folder.path().join("a.db"), Era::Session);
    let client = &mut program.client;
    client.done("remember", json!({"content": "The mascot is a walrus", "id": "fact:mascot"}));
    assert_eq!(client.found(json!({"query": "walrus"})), ["fact:mascot"]);
    client.done("update", json!({"id": "fact:mascot", "content": "The mascot is a heron"}));
    assert_eq!(client.found(json!({"query": "heron"})), ["fact:mascot"]);
    let hits = client.done("recall", json!({"query": "walrus"}))["hits"].clone();
    assert!(!hits.to_string().contains("walrus"), "{hits}");
    let read = client.done("recall", json!({"query": "[read fact:mascot]"}));
    assert_eq!(read["hits"][0]["content"], "The mascot is a heron");
    assert_eq!(client.done("neighbors", json!({"id": "fact:mascot"}))["items"][0]["content"], "The mascot is a walrus");
}

#[test]
fn scopes_do_not_see_each_other_and_a_default_can_be_set() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut program = Program::with(&path, &["--scope", "project-x"], &[]);
    program.client.greet(Era::Session);
    let client = &mut program.client;
    assert_eq!(client.done("remember", json!({"content": "The canary sings", "id": "canary"}))["scope"], "project-x");
    assert_eq!(client.found(json!({"query": "canary sings"})), ["canary"]);
    assert!(client.found(json!({"query": "canary sings", "scope": "default"})).is_empty());
    assert_eq!(client.refused("neighbors", json!({"id": "canary", "scope": "default"}))["code"], "not_found");
    let error = client.refused("recall", json!({"query": "[read canary]", "scope": "default"}));
    assert!(error["code"] == "not_found" && !error.to_string().contains("sings"), "{error}");
    assert_eq!(client.done("stats", json!({"scope": "default"}))["memories"], 0);
    let mut other = Program::greeted(&path, Era::Session);
    assert!(other.client.found(json!({"query": "canary sings"})).is_empty());
    assert_eq!(other.client.found(json!({"query": "canary sings", "scope": "project-x"})), ["canary"]);
}

#[test]
fn a_fence_keeps_every_call_to_its_scope() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut other = Program::greeted(&path, Era::Session);
    other.client.done("remember", json!({"content": "The canary sings", "id": "canary"}));
    other.finish();
    for (options, own) in [(&["--scope", "project-x", "--fence"][..], "project-x"), (&["--fence"], "default")] {
        let mut program = Program::with(&path, options, &[]);
        program.client.greet(Era::Session);
        let client = &mut program.client;
        client.done("remember", json!({"content": "The heron nests", "id": "heron"}));
        assert_eq!(client.found(json!({"query": "heron nests", "scope": own})), ["heron"]);
        for (tool, arguments) in [
            ("remember", json!({"content": "x"})),
            ("recall", json!({"query": "canary sings"})),
            ("recall", json!({"query": "[read canary]"})),
            ("update", json!({"id": "canary", "content": "x"})),
            ("connect", json!({"from": "canary", "to": "heron"})),
            ("reinforce", json!({"id": "canary"})),
            ("forget", json!({"id": "canary"})),
            ("pin", json!({"id": "canary"})),
            ("neighbors", json!({"id": "canary"})),
            ("review_queue", json!({})),
            ("maintain", json!({})),
            ("stats", json!({})),
        ] {
            let mut arguments = arguments;
            arguments["scope"] = if own == "default" { json!("project-x") } else { json!("default") };
            let error = client.refused(tool, arguments);
            assert_eq!((&error["code"], &error["field"]), (&json!("other_scope"), &json!("scope")), "{tool}: {error}");
        }
    }
}

#[test]
fn maintain_says_a_shared_reason_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut then = Program::with(&path, &["--now", "2024-01-01"], &[]);
    then.client.greet(Era::Session);
    then.client.done("remember", json!({"content": "The projector flickers", "id": "a"}));
    then.client.done("remember", json!({"content": "Sam borrowed the adapter", "id": "b"}));
    then.finish();
    let mut now = Program::greeted(&path, Era::Session);
    let text = now.client.call("maintain", json!({})).text;
    assert!(text.contains("proposed a: its retention is under 0.05"), "{text}");
    assert!(text.contains("proposed b: for the same reason"), "{text}");
}

#[test]
fn behind_a_fence_no_tool_names_a_scope_and_errors_name_what_the_tools_have() {
    for (set, error_of) in [("all", "update"), ("core", "update"), ("engram", "update_memory")] {
        for fence in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let options = ["--tools", set, "--no-maintenance", "--fence"];
            let mut program = Program::with(&folder.path().join("a.db"), &options[..3 + usize::from(fence)], &[]);
            program.client.greet(Era::Session);
            let listed = program.client.request("tools/list", json!({}))["result"]["tools"].to_string();
            let scoped = listed.contains("\"scope\":{") || listed.contains("\"user_id\":{");
            assert_eq!(scoped, !fence, "{set} {fence}: {listed}");
            let arguments = match set {
                "engram" => json!({"memory_id": "nobody", "new_content": "x"}),
                _ => json!({"id": "nobody", "content": "x"}),
            };
            let refused = program.client.refused(error_of, arguments);
            let next = refused["next_step"].as_str().unwrap();
            assert_eq!(refused["code"], "not_found");
            assert_eq!(next.contains("recall_memory"), set == "engram", "{next}");
            assert_eq!(next.contains("neighbors"), set == "all", "{next}");
            assert_eq!(refused["field"], if set == "engram" { "memory_id" } else { "id" });
            assert!(!fence || !next.contains("scope") && !next.contains("user_id"), "{next}");
            if fence {
                let (tool, field) = if set == "engram" { ("memory_stats", "user_id") } else { ("resume", "scope") };
                let refused = program.client.refused(tool, json!({field: "elsewhere"}));
                assert_eq!((&refused["code"], &refused["field"]), (&json!("other_scope"), &json!(field)));
                assert!(refused["next_step"].as_str().unwrap().starts_with("Call again without it."));
                program.client.done(tool, json!({field: "default"}));
            }
        }
    }
}
