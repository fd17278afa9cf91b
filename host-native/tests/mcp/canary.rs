//! G1: what is in one scope is in no answer about another, whichever tool is asked and however.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::client::{Answer, Client, Era, Program};

/// What stands in every record of the canary's scope, and in nothing that is asked. Words with `zyx` are in both: they are
/// what somebody guesses.
const MARK: &str = "qvq";

/// Fills the scope `theirs` so that every sort of record in it bears the mark.
fn fill(client: &mut Client) {
    let theirs = |tool: &str, arguments: Value| {
        let Value::Object(mut arguments) = arguments else { unreachable!("all are objects") };
        arguments.insert("scope".to_owned(), "theirs".into());
        (tool.to_owned(), Value::Object(arguments))
    };
    for (tool, arguments) in [
        theirs(
            "remember",
            json!({
                "id": "zyx:nest", "content": "The zyxheron nests behind the zyxmill qvqcontent", "kind": "zyxkind",
                "author": "qvqauthor", "tags": ["zyxtag", "qvqtag"], "metadata": {"qvqname": "qvqvalue"},
                "session": "qvqsession",
            }),
        ),
        theirs(
            "remember",
            json!({
                "id": "zyx:egg-qvq1", "content": "The zyxegg lies in the zyxnest qvqegg",
                "links": [{"to": "zyx:nest", "relation": "qvqrelation"}],
            }),
        ),
        theirs("update", json!({"id": "zyx:egg-qvq1", "content": "The zyxegg hatched in the zyxnest qvqhatched"})),
        theirs("remember", json!({"id": "zyx:gone", "content": "The zyxfox came at zyxnight qvqgone"})),
        theirs("forget", json!({"id": "zyx:gone", "reason": "qvqreason"})),
        theirs("pin", json!({"id": "zyx:nest"})),
        theirs("track_failure", json!({"error": "zyxerror qvqerror", "component": "qvqpart", "fix": "qvqfix"})),
        theirs("track_failure", json!({"error": "zyxcrash", "component": "shared", "fix": "qvqmended"})),
        theirs("track_progress", json!({"feature": "zyxfeature", "status": "blocked", "notes": "qvqnotes"})),
        theirs("track_progress", json!({"feature": "qvqfeature", "status": "planning"})),
        theirs("handoff", json!({"summary": "qvqsummary", "next_steps": ["qvqstep"], "session": "qvqsession"})),
    ] {
        client.done(&tool, arguments);
    }
}

/// How each tool is asked: with words of its own scope's, with the very words and ids of the other's, and with ids that
/// are nearly those. A tool that is not here fails the test.
fn asked(tool: &str) -> Vec<Value> {
    let ids = ["own", "zyx:nest", "zyx:gone", "zyx:nes", "zyx:egg-qv1", "progress:zyxfeature"];
    let by_id = |more: Value| {
        let with = |id: &&str| {
            let mut arguments = more.as_object().cloned().unwrap_or_default();
            arguments.insert("id".to_owned(), (*id).into());
            Value::Object(arguments)
        };
        ids.iter().map(with).collect::<Vec<Value>>()
    };
    let queries =
        ["heron mill nest", "zyxheron", "The zyxheron nests behind the zyxmill", "[read zyx:nest]", "[read zyx:ne]"];
    match tool {
        "recall" => {
            let mut asked: Vec<Value> = queries.iter().map(|query| json!({"query": query})).collect();
            for query in queries {
                asked.push(json!({"query": query, "depth": "frozen", "k": 50, "min_score": 0}));
            }
            asked.push(json!({"query": "zyxnest", "kinds": ["zyxkind"], "tags": ["zyxtag"], "depth": "frozen"}));
            asked.push(json!({"query": "zyxegg", "as_of": "2036-01-01", "depth": "frozen"}));
            asked
        }
        "remember" => vec![
            json!({"content": "The zyxheron nests behind the zyxmill"}),
            json!({"content": "The heron no longer nests behind the mill"}),
            json!({"content": "An egg", "links": [{"to": "zyx:nest"}]}),
            json!({"content": "An egg", "links": [{"to": "zyx:nes"}]}),
            json!({"content": "Of a key that they have too", "id": "zyx:egg-qv1"}),
        ],
        "update" => by_id(json!({"content": "Of another scope"})),
        "forget" | "reinforce" | "pin" => by_id(json!({})),
        "neighbors" => by_id(json!({"depth": 3, "limit": 50})),
        "connect" => vec![
            json!({"from": "own", "to": "zyx:nest"}),
            json!({"from": "zyx:egg-qv1", "to": "zyx:nest"}),
            json!({"from": "zyx:nes", "to": "own"}),
            json!({"from": "own", "to": "other", "relation": "zyxrelation"}),
        ],
        "resume" => vec![json!({}), json!({"budget": 20_000})],
        "handoff" => vec![json!({"summary": "What we did"})],
        "track_failure" => vec![
            json!({"error": "zyxcrash", "component": "shared"}),
            json!({"error": "error in the mill", "component": "zyxpart"}),
        ],
        "track_progress" => vec![json!({"feature": "zyxfeature", "status": "review"})],
        "maintain" => vec![json!({"dry_run": true}), json!({})],
        "review_queue" => vec![json!({}), json!({"limit": 50})],
        "stats" | "memory_stats" | "consolidate_memory" => vec![json!({})],
        "recall_memory" => queries.iter().map(|query| json!({"query": query, "top_k": 50})).collect(),
        "store_memory" => vec![json!({"content": "The zyxheron nests behind the zyxmill", "importance": 0.5})],
        "update_memory" => ids.iter().map(|id| json!({"memory_id": id, "new_content": "Of another scope"})).collect(),
        "session_handoff" => vec![json!({"summary": "What we did"})],
        other => panic!("{other} is a new tool: say here how it is asked about another scope"),
    }
}

fn server(path: &Path, set: &str, era: Era, filled: bool) -> Program {
    if filled {
        let mut program = Program::greeted(path, Era::Session);
        fill(&mut program.client);
        program.finish();
    }
    let mut program = Program::with(path, &["--tools", set], &[]);
    program.client.greet(era);
    program
}

/// Calls a tool in a scope, by whichever name the tool has for it.
fn call(client: &mut Client, tool: &Value, scope: Option<&str>, arguments: &Value) -> Answer {
    let mut arguments: Map<String, Value> = arguments.as_object().unwrap().clone();
    if let Some(scope) = scope {
        let properties = tool["inputSchema"]["properties"].as_object().unwrap();
        let name = ["scope", "user_id"].into_iter().find(|name| properties.contains_key(*name));
        arguments.insert(name.expect("each tool takes a scope").to_owned(), scope.into());
    }
    client.call(tool["name"].as_str().unwrap(), Value::Object(arguments))
}

#[test]
fn g1_no_tool_says_what_is_in_another_scope() {
    for (set, era) in [("all", Era::Session), ("all", Era::Discover), ("engram", Era::Session)] {
        let folder = tempfile::tempdir().unwrap();
        let mut with = server(&folder.path().join("with.db"), set, era, true);
        let mut without = server(&folder.path().join("without.db"), set, era, false);
        let listed = with.client.request("tools/list", json!({}))["result"]["tools"].clone();
        let tools = listed.as_array().unwrap();
        assert!(tools.len() >= 8, "{set}");
        let mut asked_in_all = 0;
        for scope in [None, Some("mine"), Some("their"), Some("theirs2")] {
            for tool in tools {
                let name = tool["name"].as_str().unwrap();
                // What answers with something is there to be asked for.
                if set == "all" && name == tools[0]["name"] {
                    for id in ["own", "other"] {
                        for program in [&mut with, &mut without] {
                            let own = json!({"id": id, "content": format!("Our {id} boat lies in the harbour")});
                            assert!(!call(&mut program.client, tool, scope, &own).failed);
                        }
                    }
                }
                for arguments in asked(name) {
                    let answer = call(&mut with.client, tool, scope, &arguments);
                    for said in [&answer.text, &answer.structured.to_string()] {
                        assert!(!said.contains(MARK), "{name} {arguments} in {scope:?} says {said}");
                    }
                    // It is as if the other scope were not there.
                    let alone = call(&mut without.client, tool, scope, &arguments);
                    let outcome = |answer: &Answer| (answer.failed, answer.structured["error"]["code"].clone());
                    assert_eq!(outcome(&answer), outcome(&alone), "{name} {arguments} in {scope:?}");
                    let counts = |answer: &Answer| {
                        [
                            "memories",
                            "total",
                            "edges",
                            "archived",
                            "waiting",
                            "count",
                            "memoriesFound",
                            "unresolved_failures",
                        ]
                        .map(|field| answer.structured.get(field).cloned())
                    };
                    assert_eq!(counts(&answer), counts(&alone), "{name} {arguments} in {scope:?}");
                    asked_in_all += 1;
                }
            }
        }
        assert!(asked_in_all >= 50, "{asked_in_all}");
        // Nor was the other scope touched; there, its words are found.
        let recall = tools.iter().find(|tool| tool["name"].as_str().unwrap().starts_with("recall")).unwrap();
        let found = call(&mut with.client, recall, Some("theirs"), &json!({"query": "zyxheron behind the zyxmill"}));
        assert!(found.text.contains("qvqcontent") && !found.text.contains("Of another scope"), "{found:?}");
    }
}
