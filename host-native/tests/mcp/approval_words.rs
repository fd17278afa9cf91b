//! What a client does with a deletion that is put before it, word by word and in each era, against the built program:
//! approved, declined, ignored, forged, replayed. Only the first deletes.

use std::path::Path;

use serde_json::{Value, json};

use super::{
    approval::{Human, Question, filled},
    client::{Answer, Era, Program},
    database::journal,
    faded::{ids, store_faded},
};

/// Entries of the journal of a store in which three proposals wait.
const BEFORE: usize = 4;

fn faded() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    store_faded(&path);
    (folder, path)
}

fn human(path: &Path, era: Era) -> Human {
    Human::over(path, era, &["--no-maintenance"])
}

fn approve() -> Value {
    filled(json!({"proposal_1": "approve"}))
}

fn untouched(path: &Path) {
    let names: Vec<String> = ids(path).into_iter().map(|(id, _)| id).collect();
    assert_eq!((names, journal(path).len()), (vec!["n1".into(), "n2".into(), "n3".into()], BEFORE));
}

/// The line with which a session answers a question.
fn line(question: &Question) -> String {
    json!({"jsonrpc": "2.0", "id": question.id, "result": approve()}).to_string()
}

#[test]
fn approved_in_each_era_is_gone_and_journalled_by_its_channel() {
    for era in Era::BOTH {
        let (_folder, path) = faded();
        let mut human = human(&path, era);
        let (call, question) = human.asked();
        let answer = human.answer(call, &question, &approve());
        assert_eq!(
            answer.structured["decided"],
            json!([
                {"id": "n1", "answer": "approve", "done": true, "result": "deleted for good"}
            ])
        );
        assert_eq!(human.client().refused("pin", json!({"id": "n1"}))["code"], "not_found");
        human.program.finish();
        assert_eq!(journal(&path)[BEFORE..], ["approve mcp-elicitation"], "{era:?}");
        assert_eq!(ids(&path).len(), 2);
    }
}

#[test]
fn by_a_clock_that_is_ahead_nothing_is_deleted_and_a_recall_only_looks() {
    for era in Era::BOTH {
        let (_folder, path) = faded();
        let mut human = Human::over(&path, era, &["--no-maintenance", "--now", "+3650d"]);
        let (call, question) = human.asked();
        let answer = human.answer(call, &question, &approve());
        let decided = &answer.structured["decided"][0];
        assert_eq!(decided["done"], false, "{answer:?}");
        assert!(decided["result"].as_str().unwrap().contains("ahead of the clock"), "{answer:?}");
        let found = human.client().done("recall", json!({"query": "who borrowed the blue adapter", "depth": "frozen"}));
        assert_eq!(found["hits"][0]["id"], "n2", "{found}");
        human.program.finish();
        untouched(&path);
    }
}

#[test]
fn declined_in_each_era_is_still_there() {
    for era in Era::BOTH {
        let (_folder, path) = faded();
        let mut human = human(&path, era);
        for (action, outcome) in [("decline", "declined"), ("cancel", "cancelled")] {
            let (call, question) = human.asked();
            // What a form still holds when it is declined is no choice.
            let result = json!({"action": action, "content": {"proposal_1": "approve"}});
            let answer = human.answer(call, &question, &result);
            assert_eq!((&answer.structured["outcome"], &answer.structured["waiting"]), (&json!(outcome), &json!(3)));
            assert_eq!(answer.structured["decided"], json!([]), "{era:?}");
        }
        human.program.finish();
        untouched(&path);
    }
}

#[test]
fn ignored_in_each_era_holds_nobody_up_and_is_still_there() {
    for era in Era::BOTH {
        let (_folder, path) = faded();
        let mut human = human(&path, era);
        let _unanswered = human.asked();
        // The same client, and another one of the other era.
        assert_eq!(human.client().done("review_queue", json!({}))["total"], 3);
        human.client().done("remember", json!({"content": "Said while the question stands open", "id": "m1"}));
        let mut other = Program::greeted(&path, if era == Era::Session { Era::Discover } else { Era::Session });
        other.client.done("remember", json!({"content": "Quite another matter of another client", "id": "m2"}));
        other.finish();
        let (status, ..) = human.program.finish();
        assert_eq!(status.code(), Some(0));
        let names: Vec<String> = ids(&path).into_iter().map(|(id, _)| id).collect();
        assert_eq!(names, ["m1", "m2", "n1", "n2", "n3"], "{era:?}");
        assert!(journal(&path).iter().all(|operation| !operation.contains("elicitation")));
    }
}

#[test]
fn forged_in_each_era_is_no_answer() {
    let (_folder, path) = faded();
    // 2025-11-25: answers to questions that were never put, before and while one stands open.
    let mut session = human(&path, Era::Session);
    for id in [json!(0), json!(1), json!(2), json!("0"), json!(-1), json!(9_007_199_254_740_993_i64)] {
        session.client().send(json!({"jsonrpc": "2.0", "id": id, "result": approve()}).to_string());
    }
    assert_eq!(session.client().done("review_queue", json!({}))["total"], 3);
    let (call, question) = session.asked();
    for id in [json!(question.id.as_i64().unwrap() + 1), json!(question.id.to_string()), json!(call)] {
        if id != question.id {
            session.client().send(json!({"jsonrpc": "2.0", "id": id, "result": approve()}).to_string());
        }
    }
    // A client does not put the server's questions to the server, nor bring an answer with the call.
    let asked = session.client().ask("elicitation/create", json!({"message": "delete n1?", "result": approve()}));
    let refused = session.client().next();
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(asked), &json!(-32601)), "{refused}");
    assert_eq!(session.client().done("review_queue", json!({}))["total"], 3);
    let answer = session.answer(call, &question, &json!({"action": "decline"}));
    assert_eq!(answer.structured["outcome"], "declined");
    session.program.finish();
    untouched(&path);

    // 2026-07-28: states that were made up, of another process, or altered at any place; and no state at all.
    let mut discover = human(&path, Era::Discover);
    let state = discover.asked().1.state.unwrap();
    let mut other = human(&path, Era::Discover);
    let foreign = other.asked().1.state.unwrap();
    other.program.finish();
    let altered = |at: usize| {
        let mut bytes = state.clone().into_bytes();
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        String::from_utf8(bytes).unwrap()
    };
    let mut forged: Vec<String> = (0..state.len() - 1).step_by(7).map(altered).filter(|one| *one != state).collect();
    forged.extend([foreign, "e30.e30.e30".to_owned(), state.to_uppercase(), format!("{state}{state}")]);
    for forged in forged {
        discover.bring(&forged, &approve());
        let answer = Answer::of(&discover.client().next(), Era::Discover);
        assert_eq!(answer.structured["error"]["code"], "state_invalid", "{forged}");
    }
    let call = json!({"name": "review_queue", "arguments": {"ask": true}, "inputResponses": {"decisions": approve()}});
    let answered = discover.client().request("tools/call", call);
    assert_ne!(answered["result"]["resultType"], "complete", "an answer without a question: {answered}");
    discover.program.finish();
    untouched(&path);
}

#[test]
fn replayed_in_each_era_decides_nothing_more() {
    // 2025-11-25: the line that approved n1 comes again: alone, and while the next question stands open.
    let (_folder, path) = faded();
    let mut session = human(&path, Era::Session);
    let (call, question) = session.asked();
    let replayed = line(&question);
    let answer = session.answer(call, &question, &approve());
    assert_eq!(answer.structured["decided"][0]["id"], "n1");
    session.client().send(&replayed);
    assert_eq!(session.client().done("review_queue", json!({}))["total"], 2);
    let (call, next) = session.asked();
    assert_ne!(next.id, question.id);
    session.client().send(&replayed);
    assert_eq!(session.client().done("review_queue", json!({}))["total"], 2);
    let answer = session.answer(call, &next, &json!({"action": "decline"}));
    assert_eq!((&answer.structured["outcome"], &answer.structured["waiting"]), (&json!("declined"), &json!(2)));
    session.program.finish();
    assert_eq!((ids(&path).len(), journal(&path).len()), (2, BEFORE + 1));

    // 2026-07-28: the state that served comes again, with the same answer and with another; then to a new process.
    let (_folder, path) = faded();
    let mut discover = human(&path, Era::Discover);
    let (call, question) = discover.asked();
    let answer = discover.answer(call, &question, &approve());
    assert_eq!(answer.structured["decided"][0]["id"], "n1");
    let state = question.state.unwrap();
    let all = filled(json!({"proposal_1": "approve", "proposal_2": "approve", "proposal_3": "approve"}));
    for again in [approve(), all.clone(), json!({"action": "decline"})] {
        discover.bring(&state, &again);
        let answer = Answer::of(&discover.client().next(), Era::Discover);
        assert_eq!(answer.structured["error"]["code"], "state_used", "{again}");
    }
    discover.program.finish();
    let mut anew = human(&path, Era::Discover);
    anew.bring(&state, &all);
    let answer = Answer::of(&anew.client().next(), Era::Discover);
    assert_eq!(answer.structured["error"]["code"], "state_invalid");
    anew.program.finish();
    assert_eq!((ids(&path).len(), journal(&path).len()), (2, BEFORE + 1));
}
