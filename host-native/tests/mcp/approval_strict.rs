//! What a client brings back malformed decides nothing; what went away while the question stood open waits no more; and
//! each call gets its own answer.

use serde_json::{Value, json};

use super::{
    approval::{Human, Question, filled},
    client::{Answer, Era, Program},
    database::journal,
    faded::{ids, run, store_faded},
};

const APPROVE: &str = r#"{"action":"accept","content":{"proposal_1":"approve"}}"#;

fn answer_raw(human: &mut Human, call: i64, line: &str) -> Answer {
    human.client().send(line);
    let response = human.client().next();
    assert_eq!(response["id"], call, "{response}");
    Answer::of(&response, Era::Session)
}

#[test]
fn a_malformed_answer_deletes_nothing_and_is_told_as_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    store_faded(&path);
    let mut human = Human::over(&path, Era::Session, &["--no-maintenance"]);
    for rest in [
        format!(r#""result":{APPROVE},"error":{{"code":-32603,"message":"the human was not asked"}}"#),
        format!(r#""error":{{"code":-32603,"message":"the human was not asked"}},"result":{APPROVE}"#),
        format!(r#""result":{APPROVE},"error":null"#),
        format!(r#""result":{{"action":"decline"}},"result":{APPROVE}"#),
        r#""result":{"action":"decline","action":"accept","content":{"proposal_1":"approve"}}"#.to_owned(),
        r#""result":{"action":"decline","\u0061ction":"accept","content":{"proposal_1":"approve"}}"#.to_owned(),
        r#""result":{"action":"accept","content":{"proposal_1":"keep","proposal_1":"approve"}}"#.to_owned(),
        r#""result":{"action":"accept","content":{},"content":{"proposal_1":"approve"}}"#.to_owned(),
        r#""error":"no""#.to_owned(),
    ] {
        let (call, Question { id, .. }) = human.asked();
        let answer = answer_raw(&mut human, call, &format!(r#"{{"jsonrpc":"2.0","id":{id},{rest}}}"#));
        assert!(answer.failed, "{rest}: {answer:?}");
        assert_eq!(answer.structured["error"]["code"], "bad_answer", "{rest}");
    }
    let (call, Question { id, .. }) = human.asked();
    let answer = answer_raw(&mut human, call, &format!(r#"{{"id":{id},"result":{APPROVE}}}"#));
    assert_eq!(answer.structured["error"]["code"], "bad_answer");
    assert_eq!(human.client().done("review_queue", json!({}))["total"], 3);
    human.program.finish();
    assert_eq!((journal(&path).len(), ids(&path).len()), (4, 3));
}

#[test]
fn an_answer_under_another_form_of_the_id_is_none_and_the_question_stays_open() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    store_faded(&path);
    let mut human = Human::over(&path, Era::Session, &["--no-maintenance"]);
    let (call, question) = human.asked();
    let id = question.id.as_i64().unwrap();
    for other in [
        format!("\"{id}\""),
        format!("{id}.0"),
        format!("{id}e0"),
        format!("-{id}.0"),
        format!("[{id}]"),
        "null".to_owned(),
        format!("{}", id + 1),
        format!("77,\"id\":{id}"),
        format!("{id},\"method\":\"ping\""),
    ] {
        human.client().send(format!(r#"{{"jsonrpc":"2.0","id":{other},"result":{APPROVE}}}"#));
        if other.contains("method") {
            assert_eq!(human.client().next()["error"]["code"], -32600);
        }
        // Answered after the line before it, and nothing else came.
        assert_eq!(human.client().done("review_queue", json!({}))["total"], 3, "{other}");
    }
    let answer = human.answer(call, &question, &filled(json!({"proposal_2": "approve"})));
    assert_eq!((&answer.structured["decided"][0]["id"], &answer.structured["waiting"]), (&json!("n2"), &json!(2)));
    human.program.finish();
    assert_eq!((journal(&path).len(), ids(&path).len()), (5, 2));
}

#[test]
fn an_answer_brought_in_a_call_names_no_key_twice() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    store_faded(&path);
    let mut human = Human::over(&path, Era::Discover, &["--no-maintenance"]);
    let (_, question) = human.asked();
    let state = question.state.as_deref().unwrap();
    let call = |decisions: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":500,"method":"tools/call","params":{{"name":"review_queue","arguments":{{"ask":true}},"inputResponses":{{{decisions}}},"requestState":"{state}","_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{{"name":"a","version":"1"}},"io.modelcontextprotocol/clientCapabilities":{{"elicitation":{{"form":{{}}}}}}}}}}}}"#
        )
    };
    for twice in [
        r#""decisions":{"action":"decline","action":"accept","content":{"proposal_1":"approve"}}"#.to_owned(),
        r#""decisions":{"action":"accept","content":{"proposal_1":"keep","proposal_1":"approve"}}"#.to_owned(),
        format!(r#""decisions":{{"action":"decline"}},"decisions":{APPROVE}"#),
    ] {
        human.client().send(call(&twice));
        let refused = human.client().next();
        assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(500), &json!(-32600)), "{refused}");
    }
    assert_eq!((journal(&path).len(), ids(&path).len()), (4, 3));
    // The state has not served: the same call, well formed, is taken.
    human.client().send(call(&format!(r#""decisions":{APPROVE}"#)));
    assert_eq!(human.client().next()["result"]["structuredContent"]["decided"][0]["done"], true);
    assert_eq!(ids(&path).len(), 2);
}

#[test]
fn g2_what_was_purged_while_the_human_thought_waits_no_more() {
    for era in Era::BOTH {
        for (result, outcome) in [
            (json!({"action": "decline"}), "declined"),
            (json!({"action": "cancel"}), "cancelled"),
            (filled(json!({})), "answered"),
            (filled(json!({"proposal_1": "approve", "proposal_2": "keep"})), "answered"),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a.db");
            store_faded(&path);
            let mut human = Human::over(&path, era, &["--no-maintenance"]);
            let (call, question) = human.asked();
            run(&path, &["purge", "n1", "n2", "n3", "--yes"]);
            let answer = human.answer(call, &question, &result);
            assert_eq!(
                (&answer.structured["outcome"], &answer.structured["waiting"]),
                (&json!(outcome), &json!(0)),
                "{answer:?}"
            );
            assert!(answer.text.contains("still waiting: 0") && !answer.text.contains("go on waiting"), "{answer:?}");
            let done: Vec<&Value> =
                answer.structured["decided"].as_array().unwrap().iter().map(|item| &item["done"]).collect();
            assert!(done.iter().all(|done| **done == json!(false)), "{answer:?}");
            assert_eq!(human.client().done("review_queue", json!({}))["total"], 0);
            human.program.finish();
        }
    }
    // One of three went.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    store_faded(&path);
    let mut human = Human::over(&path, Era::Session, &["--no-maintenance"]);
    let (call, question) = human.asked();
    run(&path, &["purge", "n2", "--yes"]);
    let answer = human.answer(call, &question, &json!({"action": "decline"}));
    assert_eq!(answer.structured["waiting"], 2);
    assert!(answer.text.contains("2 proposals go on waiting"), "{answer:?}");
}

#[test]
fn the_id_of_a_call_that_waits_serves_no_other_and_the_call_gets_its_answer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    store_faded(&path);
    let mut human = Human::over(&path, Era::Session, &["--no-maintenance"]);
    let (call, question) = human.asked();
    let remember = json!({"name": "remember", "arguments": {"content": "Under an id that is taken"}});
    for request in [
        json!({"jsonrpc": "2.0", "id": call, "method": "ping"}),
        json!({"jsonrpc": "2.0", "id": call, "method": "tools/call", "params": remember}),
    ] {
        human.client().send(request.to_string());
        let refused = human.client().next();
        assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(call), &json!(-32600)), "{refused}");
    }
    let answer = human.answer(call, &question, &filled(json!({"proposal_1": "approve"})));
    assert_eq!((&answer.structured["decided"][0]["done"], &answer.structured["waiting"]), (&json!(true), &json!(2)));
    // Answered, it may serve again.
    let again = json!({"jsonrpc": "2.0", "id": call, "method": "ping"});
    human.client().send(again.to_string());
    assert_eq!(human.client().next()["result"], json!({}));
    human.program.finish();
    let left: Vec<String> = ids(&path).into_iter().map(|(id, _)| id).collect();
    assert_eq!(left, ["n2", "n3"]);
}

#[test]
fn a_cancelled_calls_id_serves_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    store_faded(&path);
    let mut program = Program::with(&path, &["--no-maintenance"], &[]);
    program.client.capabilities = json!({"elicitation": {}});
    program.client.greet(Era::Session);
    let call = program.client.ask("tools/call", json!({"name": "review_queue", "arguments": {"ask": true}}));
    assert_eq!(program.client.next()["method"], "elicitation/create");
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": call}});
    program.client.send(cancel.to_string());
    assert_eq!(program.client.next()["method"], "notifications/cancelled");
    program.client.send(json!({"jsonrpc": "2.0", "id": call, "method": "ping"}).to_string());
    assert_eq!(program.client.next()["error"]["code"], -32600);
    assert_eq!(program.client.done("review_queue", json!({}))["total"], 3);
}
