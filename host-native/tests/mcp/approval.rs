//! A human approves through the client, in each era, against the built program; and everything else that a client can
//! bring back, which approves nothing.

use std::path::Path;

use serde_json::{Value, json};

use super::{
    client::{Answer, Client, Era, Program},
    database::journal,
    faded::{ids, run, store_faded, store_old},
};

const ELICITS: &str = r#"{"elicitation": {"form": {}}}"#;

/// A human at a client that can show a form.
pub(crate) struct Human {
    pub(crate) program: Program,
    era: Era,
    /// The arguments of the call that asks.
    arguments: Value,
}

/// A question as it came: the id of the server's request or of the call, and the form.
pub(crate) struct Question {
    pub(crate) id: Value,
    pub(crate) state: Option<String>,
    pub(crate) params: Value,
}

impl Human {
    pub(crate) fn over(path: &Path, era: Era, options: &[&str]) -> Self {
        let mut program = Program::with(path, options, &[]);
        program.client.capabilities = serde_json::from_str(ELICITS).unwrap();
        program.client.greet(era);
        Self { program, era, arguments: json!({"ask": true}) }
    }

    pub(crate) fn client(&mut self) -> &mut Client {
        &mut self.program.client
    }

    /// Calls the tool; the call's id and the question.
    pub(crate) fn asked(&mut self) -> (i64, Question) {
        let call = json!({"name": "review_queue", "arguments": self.arguments});
        let id = self.client().ask("tools/call", call);
        let message = self.client().next();
        let question = match self.era {
            Era::Session => {
                assert_eq!(message["method"], "elicitation/create", "{message}");
                Question { id: message["id"].clone(), state: None, params: message["params"].clone() }
            }
            Era::Discover => {
                assert_eq!((&message["id"], &message["result"]["resultType"]), (&json!(id), &json!("input_required")));
                let asked = &message["result"]["inputRequests"]["decisions"];
                assert_eq!(asked["method"], "elicitation/create", "{message}");
                let state = message["result"]["requestState"].as_str().unwrap().to_owned();
                Question { id: json!(id), state: Some(state), params: asked["params"].clone() }
            }
        };
        (id, question)
    }

    /// Answers the question and returns what the tool then says.
    pub(crate) fn answer(&mut self, call: i64, question: &Question, result: &Value) -> Answer {
        let era = self.era;
        let id = match &question.state {
            None => {
                let reply = json!({"jsonrpc": "2.0", "id": question.id, "result": result});
                self.client().send(reply.to_string());
                call
            }
            Some(state) => self.bring(state, result),
        };
        let response = self.client().next();
        assert_eq!(response["id"], id, "{response}");
        Answer::of(&response, era)
    }

    /// Brings an answer in a call with a state; the call's id.
    pub(crate) fn bring(&mut self, state: &str, result: &Value) -> i64 {
        let call = json!({
            "name": "review_queue", "arguments": self.arguments,
            "inputResponses": {"decisions": result}, "requestState": state,
        });
        self.client().ask("tools/call", call)
    }
}

pub(crate) fn filled(content: Value) -> Value {
    json!({"action": "accept", "content": content})
}

#[test]
fn g2_an_approval_says_what_a_reader_keeps_in_the_log_and_the_server_takes_it_out() {
    for era in Era::BOTH {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        store_faded(&path);
        // The file alone: to close the others would take the locks of the reader here away.
        let in_log = || {
            let log = std::fs::read(folder.path().join("a.db-wal")).unwrap_or_default();
            log.windows(9).any(|window| window == b"projector")
        };
        let mut human = Human::over(&path, era, &["--no-maintenance"]);
        let (call, question) = human.asked();
        // Brings the text into the log, and keeps it there.
        let reader = rusqlite::Connection::open(&path).unwrap();
        reader.execute_batch("UPDATE memory SET content = content || '.' WHERE id = 'n1'").unwrap();
        reader.execute_batch("UPDATE memory SET content = rtrim(content, '.') WHERE id = 'n1'").unwrap();
        reader.execute_batch("BEGIN; SELECT * FROM memory;").unwrap();
        let answer = human.answer(call, &question, &filled(json!({"proposal_1": "approve"})));
        assert_eq!((answer.failed, &answer.structured["files_clean"]), (false, &json!(false)), "{answer:?}");
        for said in ["n1: approve: deleted but not yet from the log file", "another program is reading"] {
            assert!(answer.text.contains(said), "{said:?} is not in {}", answer.text);
        }
        assert!(in_log());
        reader.execute_batch("COMMIT").unwrap();
        human.client().done("stats", json!({}));
        assert!(!in_log(), "the server's next call takes it out");
        human.program.finish();
    }
}

#[test]
fn a_human_approves_keeps_and_pins_and_each_decision_is_journalled_with_its_channel() {
    for era in Era::BOTH {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        store_faded(&path);
        let mut human = Human::over(&path, era, &["--no-maintenance"]);
        let (call, question) = human.asked();
        assert_eq!(question.params["mode"], "form");
        let message = question.params["message"].as_str().unwrap();
        for said in ["3 proposals", "n1", "| The projector in room four flickers", "retention is under 0.05", "approve"]
        {
            assert!(message.contains(said), "{said:?} is not in {message}");
        }
        let schema = &question.params["requestedSchema"];
        assert_eq!((&schema["type"], schema["properties"].as_object().unwrap().len()), (&json!("object"), 3));
        for place in ["proposal_1", "proposal_2", "proposal_3"] {
            let field = &schema["properties"][place];
            assert_eq!((&field["type"], &field["enum"]), (&json!("string"), &json!(["approve", "keep", "pin"])));
        }
        let chosen = json!({"proposal_1": "approve", "proposal_2": "keep", "proposal_3": "pin"});
        let answer = human.answer(call, &question, &filled(chosen));
        assert!(!answer.failed, "{answer:?}");
        assert_eq!((&answer.structured["outcome"], &answer.structured["waiting"]), (&json!("answered"), &json!(0)));
        let decided = answer.structured["decided"].as_array().unwrap();
        let said: Vec<Value> = decided.iter().map(|item| json!([item["id"], item["answer"], item["done"]])).collect();
        assert_eq!(said, [json!(["n1", "approve", true]), json!(["n2", "keep", true]), json!(["n3", "pin", true])]);
        assert!(answer.text.contains("n1: approve: deleted for good"), "{}", answer.text);
        let gone = human.client().refused("pin", json!({"id": "n1"}));
        assert_eq!(gone["code"], "not_found");
        let queue = human.client().done("review_queue", json!({}));
        assert_eq!(queue["total"], 0);
        let (status, _, _) = human.program.finish();
        assert_eq!(status.code(), Some(0));
        let operations: Vec<String> = journal(&path).into_iter().skip(4).collect();
        // What is kept is decided about last: it must not hold what was approved of.
        assert_eq!(operations, ["approve mcp-elicitation", "reject mcp-elicitation", "pin mcp-elicitation"]);
        assert_eq!(ids(&path), [("n2".to_owned(), false), ("n3".to_owned(), true)]);
        // A deletion leaves no trace in the files.
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            let bytes = std::fs::read(entry.unwrap().path()).unwrap();
            assert!(!bytes.windows(9).any(|window| window == b"projector"));
        }
    }
}

#[test]
fn what_is_no_answer_approves_nothing_and_each_kind_is_told_apart() {
    for era in Era::BOTH {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        store_faded(&path);
        let mut human = Human::over(&path, era, &["--no-maintenance"]);
        for (result, outcome, said) in [
            (json!({"action": "decline"}), "declined", "The human declined to decide"),
            (json!({"action": "cancel"}), "cancelled", "closed the question"),
            // Accepted, and nothing chosen.
            (json!({"action": "accept"}), "answered", "0 of 3 carried out"),
            (filled(json!({})), "answered", "0 of 3 carried out"),
        ] {
            let (call, question) = human.asked();
            let answer = human.answer(call, &question, &result);
            assert!(!answer.failed && answer.text.contains(said), "{answer:?}");
            assert_eq!((&answer.structured["outcome"], &answer.structured["waiting"]), (&json!(outcome), &json!(3)));
        }
        for result in [
            json!({}),
            json!({"action": "approve"}),
            filled(json!({"proposal_1": "yes"})),
            filled(json!({"proposal_1": "approve", "proposal_4": "approve"})),
            filled(json!("approve")),
        ] {
            let (call, question) = human.asked();
            let answer = human.answer(call, &question, &result);
            assert!(answer.failed, "{answer:?}");
            assert_eq!(answer.structured["error"]["code"], "bad_answer", "{result}");
        }
        // A model can't put the answer into its call.
        let refused = human.client().refused("review_queue", json!({"ask": true, "proposal_1": "approve"}));
        assert_eq!(refused["code"], "unknown_argument");
        assert_eq!(human.client().done("review_queue", json!({}))["total"], 3);
        human.program.finish();
        assert_eq!((journal(&path).len(), ids(&path).len()), (4, 3));
    }
}

#[test]
fn a_client_that_cannot_ask_is_told_so() {
    for era in Era::BOTH {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        store_faded(&path);
        for capabilities in [json!({}), json!({"elicitation": {"url": {}}})] {
            let mut program = Program::with(&path, &["--no-maintenance"], &[]);
            program.client.capabilities = capabilities;
            program.client.greet(era);
            let answer = program.client.call("review_queue", json!({"ask": "true"}));
            assert_eq!(answer.structured["outcome"], "unavailable", "{answer:?}");
            assert!(answer.text.contains("`ebbtrace review`"), "{answer:?}");
            // The same client's arguments as a text.
            let text = json!({"name": "review_queue", "arguments": "{\"ask\": true}"});
            let response = program.client.request("tools/call", text);
            assert_eq!(Answer::of(&response, era).structured["outcome"], "unavailable");
            program.finish();
        }
        assert_eq!(journal(&path).len(), 4);
    }
    // One that declared it and refuses when asked.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    store_faded(&path);
    let mut human = Human::over(&path, Era::Session, &["--no-maintenance"]);
    let (_, question) = human.asked();
    let error = json!({"jsonrpc": "2.0", "id": question.id, "error": {"code": -32601, "message": "no"}});
    human.client().send(error.to_string());
    let answer = Answer::of(&human.client().next(), Era::Session);
    assert_eq!(answer.structured["outcome"], "unavailable");
    assert_eq!(human.client().done("review_queue", json!({}))["total"], 3);
}

#[test]
fn a_client_that_never_answers_blocks_nothing_and_the_end_of_input_ends_the_process() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    store_faded(&path);
    let mut human = Human::over(&path, Era::Session, &["--no-maintenance"]);
    let (call, _) = human.asked();
    for number in 0..3 {
        human.client().done("remember", json!({"id": format!("later-{number}"), "content": format!("Entry {number}")}));
    }
    assert_eq!(human.client().refused("review_queue", json!({"ask": true}))["code"], "already_asking");
    // Another process writes meanwhile: no lock is held.
    let mut other = Program::greeted(&path, Era::Discover);
    other.client.done("remember", json!({"content": "Written by another process while the human thinks"}));
    other.finish();
    // The default is to wait five minutes for an answer: the end of input does not. CASES B3.
    let (status, rest, _) = human.program.finish();
    assert_eq!(status.code(), Some(0));
    let last = rest.iter().find(|message| message["id"] == call).unwrap();
    assert_eq!(last["result"]["structuredContent"]["error"]["code"], "cancelled");
    assert_eq!(ids(&path).len(), 7);
}

#[test]
fn without_an_answer_in_time_the_question_is_taken_back_and_a_late_answer_decides_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    store_faded(&path);
    let mut human = Human::over(&path, Era::Session, &["--no-maintenance", "--ask-timeout-ms", "200"]);
    let (call, question) = human.asked();
    let mut messages = [human.client().next(), human.client().next()];
    messages.sort_by_key(|message| message.get("id").is_some());
    let [taken_back, response] = messages;
    assert_eq!(taken_back["method"], "notifications/cancelled");
    assert_eq!((&taken_back["params"]["requestId"], &response["id"]), (&question.id, &json!(call)));
    let answer = Answer::of(&response, Era::Session);
    assert_eq!((&answer.structured["outcome"], &answer.structured["waiting"]), (&json!("timed_out"), &json!(3)));
    let late = json!({"jsonrpc": "2.0", "id": question.id, "result": filled(json!({"proposal_1": "approve"}))});
    human.client().send(late.to_string());
    assert_eq!(human.client().done("review_queue", json!({}))["total"], 3);
}

#[test]
fn a_cancelled_call_takes_its_question_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    store_faded(&path);
    let mut human = Human::over(&path, Era::Session, &["--no-maintenance"]);
    let (call, question) = human.asked();
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": call}});
    human.client().send(cancel.to_string());
    let taken_back = human.client().next();
    assert_eq!(
        (&taken_back["method"], &taken_back["params"]["requestId"]),
        (&json!("notifications/cancelled"), &question.id)
    );
    let late = json!({"jsonrpc": "2.0", "id": question.id, "result": filled(json!({"proposal_1": "approve"}))});
    human.client().send(late.to_string());
    assert_eq!(human.client().done("review_queue", json!({}))["total"], 3);
    // The human can be asked again.
    let (call, question) = human.asked();
    let answer = human.answer(call, &question, &filled(json!({"proposal_2": "approve"})));
    assert_eq!((&answer.structured["decided"][0]["id"], &answer.structured["waiting"]), (&json!("n2"), &json!(2)));
}

#[test]
fn a_forged_replayed_expired_or_changed_state_is_refused_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    store_faded(&path);
    let mut human = Human::over(&path, Era::Discover, &["--no-maintenance"]);
    let approve = filled(json!({"proposal_1": "approve"}));
    let (_, question) = human.asked();
    let state = question.state.unwrap();
    let code = |human: &mut Human, state: &str| {
        human.bring(state, &approve);
        let answer = Answer::of(&human.client().next(), Era::Discover);
        assert!(answer.failed, "{answer:?}");
        answer.structured["error"]["code"].as_str().unwrap().to_owned()
    };
    // Forged: of another key, cut, its body exchanged, made up.
    let mut other = Human::over(&path, Era::Discover, &["--no-maintenance"]);
    let foreign = other.asked().1.state.unwrap();
    other.program.finish();
    let parts: Vec<&str> = state.split('.').collect();
    let body = foreign.split('.').nth(1).unwrap();
    for forged in [
        "".to_owned(),
        "x".to_owned(),
        foreign.clone(),
        format!("{}.{body}.{}", parts[0], parts[2]),
        state[1..].to_owned(),
    ] {
        assert_eq!(code(&mut human, &forged), "state_invalid", "{forged}");
    }
    // For another call: another scope, or not asking.
    for arguments in [json!({"ask": true, "scope": "other"}), json!({"ask": true, "limit": 1}), json!({})] {
        human.arguments = arguments;
        assert_eq!(code(&mut human, &state), "state_invalid");
    }
    human.arguments = json!({"ask": true});
    assert_eq!(ids(&path).len(), 3);
    // It serves once.
    let id = human.bring(&state, &filled(json!({"proposal_2": "keep"})));
    let response = human.client().next();
    assert_eq!((&response["id"], &response["result"]["structuredContent"]["waiting"]), (&json!(id), &json!(2)));
    assert_eq!(code(&mut human, &state), "state_used");
    human.program.finish();
    let mut brief = Human::over(&path, Era::Discover, &["--no-maintenance", "--state-lifetime-ms", "50"]);
    let state = brief.asked().1.state.unwrap();
    std::thread::sleep(std::time::Duration::from_millis(80));
    assert_eq!(code(&mut brief, &state), "state_expired");
    // Nor does it outlive its process.
    assert_eq!((ids(&path).len(), journal(&path).len()), (3, 5));
}

#[test]
fn what_changed_after_it_was_shown_is_not_acted_on() {
    for era in Era::BOTH {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        store_faded(&path);
        let mut human = Human::over(&path, era, &["--no-maintenance"]);
        let (call, question) = human.asked();
        let mut other = Program::with(&path, &["--no-maintenance"], &[]);
        other.client.greet(Era::Session);
        other.client.done("update", json!({"id": "n1", "content": "The projector in room four was mended"}));
        other.client.done("reinforce", json!({"id": "n2"}));
        other.client.done("maintain", json!({}));
        other.finish();
        let all = json!({"proposal_1": "approve", "proposal_2": "approve", "proposal_3": "approve"});
        let answer = human.answer(call, &question, &filled(all));
        let decided = answer.structured["decided"].as_array().unwrap();
        let said: Vec<Value> = decided.iter().map(|item| json!([item["id"], item["done"], item["code"]])).collect();
        assert_eq!(
            said,
            [
                json!(["n1", false, "proposal_changed"]),
                json!(["n2", false, "proposal_changed"]),
                json!(["n3", true, null])
            ],
            "{answer:?}"
        );
        let left: Vec<String> = ids(&path).into_iter().map(|(id, _)| id).collect();
        assert!(left.contains(&"n1".to_owned()) && left.contains(&"n2".to_owned()) && !left.contains(&"n3".to_owned()));
    }
}

#[test]
fn a_form_is_carried_out_as_answered_whatever_it_says_of_a_linked_neighbour() {
    for era in Era::BOTH {
        for (kept, pinned) in [("keep", false), ("pin", true)] {
            // Whichever of the two comes first in the form.
            for (approved, other) in [(1, 2), (2, 1)] {
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join("a.db");
                store_old(&path);
                // Old as the rest, and heavy enough to hold what is linked to something in use.
                run(&path, &["connect", "n1", "n2", "--weight", "10"]);
                let age = std::time::Duration::from_secs(200 * 86_400).as_millis() as i64;
                let file = rusqlite::Connection::open(&path).unwrap();
                file.execute("UPDATE edge SET reinforced_at = reinforced_at - ?1", [age]).unwrap();
                drop(file);
                // It counts for nothing beside a link of 10 that is fresh.
                run(&path, &["remember", "Pepper is a grey cat", "--id", "x"]);
                run(&path, &["remember", "The roof was painted blue", "--id", "y", "--link", "x:related:10"]);
                run(&path, &["maintain"]);
                let mut human = Human::over(&path, era, &["--no-maintenance"]);
                let (call, question) = human.asked();
                let mut chosen = serde_json::Map::new();
                chosen.insert(format!("proposal_{approved}"), json!("approve"));
                chosen.insert(format!("proposal_{other}"), json!(kept));
                let answer = human.answer(call, &question, &filled(chosen.into()));
                let decided = answer.structured["decided"].as_array().unwrap();
                assert!(decided.len() == 2 && decided.iter().all(|item| item["done"] == true), "{answer:?}");
                human.program.finish();
                let mut expected = vec![(format!("n{other}"), pinned)];
                expected.extend(["n3", "x", "y"].map(|id| (id.to_owned(), false)));
                expected.sort();
                assert_eq!(ids(&path), expected);
            }
        }
    }
}
