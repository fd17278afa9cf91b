//! Several servers on one store.

use std::thread;

use serde_json::json;

use super::client::{Era, Program};

#[test]
fn a5_servers_that_write_at_once_lose_nothing_and_see_each_other() {
    const EACH: usize = 25;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let writers: Vec<_> = (0..3)
        .map(|writer| {
            let path = path.clone();
            thread::spawn(move || {
                let mut program = Program::greeted(&path, Era::BOTH[writer % 2]);
                for number in 0..EACH {
                    let content = format!("w{writer}n{number}a w{writer}n{number}b w{writer}n{number}c");
                    program.client.done("remember", json!({"id": format!("{writer}-{number}"), "content": content}));
                }
                program
            })
        })
        .collect();
    let mut programs: Vec<Program> = writers.into_iter().map(|writer| writer.join().unwrap()).collect();
    for program in &mut programs {
        assert_eq!(program.client.done("stats", json!({}))["memories"], 3 * EACH);
        for writer in 0..3 {
            let id = format!("{writer}-{}", EACH - 1);
            let read = program.client.done("recall", json!({"query": format!("[read {id}]")}));
            assert_eq!(read["hits"][0]["id"], id.as_str());
        }
    }
}

#[test]
fn a8_of_two_servers_for_one_client_one_may_be_killed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let (mut kept, mut extra) = (Program::start(&path), Program::start(&path));
    extra.client.greet(Era::Session);
    kept.client.greet(Era::Session);
    extra.client.ask("tools/call", json!({"name": "remember", "arguments": {"content": "half-way"}}));
    extra.kill();
    kept.client.done("remember", json!({"content": "The survivor writes on", "id": "s"}));
    let mut third = Program::greeted(&path, Era::Discover);
    assert_eq!(third.client.found(json!({"query": "survivor writes"})), ["s"]);
}

#[test]
fn a7_an_edit_does_not_overwrite_what_its_author_never_saw() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let (mut one, mut two) = (Program::greeted(&path, Era::Session), Program::greeted(&path, Era::Session));
    one.client.done("remember", json!({"id": "plan", "content": "Ship on Monday"}));
    one.client.done("recall", json!({"query": "[read plan]"}));
    two.client.done("recall", json!({"query": "[read plan]"}));
    one.client.done("update", json!({"id": "plan", "content": "Ship on Tuesday"}));
    let error = two.client.refused("update", json!({"id": "plan", "content": "Ship on Wednesday"}));
    assert_eq!(error["code"], "stale");
    let seen = two.client.done("recall", json!({"query": "[read plan]"}));
    assert_eq!(seen["hits"][0]["content"], "Ship on Tuesday");
    two.client.done("update", json!({"id": "plan", "content": "Ship on Wednesday"}));
}
