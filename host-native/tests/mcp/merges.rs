//! A merge is weighed by both texts: in the queue, in the form of each era, and an answer holds for those alone.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{
    approval::{Human, filled},
    client::{Era, Program},
    faded::run,
};

const GOES: &str = "The nightly backup starts at two in the morning";
const STAYS: &str = "The nightly backup indeed starts at two in the morning";

/// Two memories that say the same, each under a key of its own, with the proposal to put `a` behind `b`.
fn proposed() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    run(&path, &["remember", GOES, "--id", "a", "--importance", "0.3"]);
    run(&path, &["remember", STAYS, "--id", "b", "--importance", "0.9"]);
    run(&path, &["maintain"]);
    (folder, path)
}

fn waiting(path: &Path) -> (Value, Value) {
    let mut program = Program::greeted(path, Era::Session);
    let (queue, stats) = (program.client.done("review_queue", json!({})), program.client.done("stats", json!({})));
    program.finish();
    (queue["total"].clone(), stats["proposals"].clone())
}

#[test]
fn a_merge_is_shown_with_the_text_that_stays() {
    for era in Era::BOTH {
        let (_folder, path) = proposed();
        let mut human = Human::over(&path, era, &["--no-maintenance"]);
        let listed = human.client().call("review_queue", json!({}));
        assert_eq!(listed.structured["items"][0]["survivor"], json!({"id": "b", "content": STAYS}));
        for text in [GOES, STAYS] {
            assert!(listed.text.contains(&format!("\n| {text}")), "{}", listed.text);
        }
        let (call, question) = human.asked();
        let (message, field) = (&question.params["message"], &question.params["requestedSchema"]["properties"]);
        let description = &field["proposal_1"]["description"];
        let both = format!("| {GOES}\nWhat stays in its place:\n| {STAYS}");
        assert!(message.as_str().unwrap().contains(&both), "{message}");
        assert_eq!(description, &json!(both));
        let answer = human.answer(call, &question, &filled(json!({"proposal_1": "approve"})));
        assert_eq!(
            (&answer.structured["decided"][0]["done"], &answer.structured["waiting"]),
            (&json!(true), &json!(0))
        );
        assert_eq!(human.client().found(json!({"query": "nightly backup"})), ["b"]);
        human.program.finish();
    }
}

#[test]
fn a_merge_into_what_was_edited_since_it_was_shown_is_not_carried_out() {
    for era in Era::BOTH {
        let (_folder, path) = proposed();
        let mut human = Human::over(&path, era, &["--no-maintenance"]);
        let (call, question) = human.asked();
        run(&path, &["update", "b", "--content", "Truly, the nightly backup starts at two in the morning"]);
        let answer = human.answer(call, &question, &filled(json!({"proposal_1": "approve"})));
        let decided = &answer.structured["decided"][0];
        assert_eq!((&decided["done"], &decided["code"]), (&json!(false), &json!("proposal_changed")), "{answer:?}");
        human.program.finish();
    }
}

/// What an answer to a form says still waits is what the queue then lists, and the figures count.
#[test]
fn the_counts_after_a_form_are_those_of_the_queue() {
    for era in Era::BOTH {
        let (_folder, path) = proposed();
        let mut human = Human::over(&path, era, &["--no-maintenance"]);
        let (call, question) = human.asked();
        // The proposal no longer holds: of the two one is history now. No maintenance has taken it back yet.
        run(&path, &["update", "a", "--content", "The weekly backup starts at five in the evening"]);
        run(&path, &["update", "b", "--content", "Otto is allergic to peanuts"]);
        let answer = human.answer(call, &question, &json!({"action": "decline"}));
        assert_eq!(answer.structured["waiting"], 0, "{answer:?}");
        human.program.finish();
        assert_eq!(waiting(&path), (json!(0), json!(0)));
    }
    let (_folder, path) = proposed();
    assert_eq!(waiting(&path), (json!(1), json!(1)));
    run(&path, &["update", "b", "--content", "Otto is allergic to peanuts"]);
    assert_eq!(waiting(&path), (json!(0), json!(0)));
}
