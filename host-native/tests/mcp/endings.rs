//! The end of input, of a request and of a process, with a call under way.

use std::sync::{Mutex, mpsc};

use ebbtrace::{mcp::McpOptions, store::MemoryStore};
use serde_json::json;

use super::{
    client::{Answer, Era, Local, PATIENCE, Program},
    stores::hooked,
};

#[test]
fn pings_and_lists_are_answered_while_a_call_runs() {
    let (go, wait) = mpsc::channel::<()>();
    let (store, mut wait) = (MemoryStore::new(), Some(wait));
    let mut server = Local::start(move || {
        let wait = wait.take().unwrap();
        hooked(&store, move |_| wait.recv().unwrap())
    });
    server.client.greet(Era::Session);
    let slow = server.client.ask("tools/call", json!({"name": "remember", "arguments": {"content": "x"}}));
    assert_eq!(server.client.request("ping", json!({}))["result"], json!({}));
    assert!(server.client.request("tools/list", json!({}))["result"]["tools"].is_array());
    go.send(()).unwrap();
    let response = server.client.next();
    assert_eq!(response["id"], slow);
    assert!(!Answer::of(&response, Era::Session).failed);
    assert_eq!(server.finish(), 0);
}

#[test]
fn a_cancelled_request_gets_no_answer_and_does_nothing_if_it_had_not_begun() {
    let (go, wait) = mpsc::channel::<()>();
    let (began, begins) = mpsc::channel::<()>();
    let store = MemoryStore::new();
    let mut hooks = Some((wait, began));
    let kept = store.clone();
    let mut server = Local::start(move || {
        let (wait, began) = hooks.take().unwrap();
        hooked(&kept, move |_| {
            began.send(()).unwrap();
            wait.recv().unwrap();
        })
    });
    server.client.greet(Era::Session);
    server.client.ask("tools/call", json!({"name": "remember", "arguments": {"content": "the first"}}));
    begins.recv().unwrap();
    let second =
        server.client.ask("tools/call", json!({"name": "remember", "arguments": {"content": "another thing"}}));
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": second}});
    server.client.send(cancel.to_string());
    // The notification has been read once this is answered.
    server.client.request("ping", json!({}));
    go.send(()).unwrap();
    let first = server.client.next();
    assert!(!Answer::of(&first, Era::Session).failed);
    // Its own commit would wait for another word.
    assert_eq!(server.client.done("stats", json!({}))["memories"], 1);
    assert_eq!(server.finish(), 0);
}

#[test]
fn calls_are_done_in_the_order_in_which_they_came() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start(&folder.path().join("a.db"));
    program.client.greet(Era::Session);
    for number in 0..20 {
        let arguments = json!({"id": "n", "content": format!("The count stands at {number}")});
        program.client.ask("tools/call", json!({"name": "remember", "arguments": arguments}));
    }
    program.client.ask("tools/call", json!({"name": "recall", "arguments": {"query": "[read n]"}}));
    let last = (0..21).map(|_| program.client.next()).find(|response| response["id"] == 22).unwrap();
    let answer = Answer::of(&last, Era::Session);
    assert_eq!(answer.structured["hits"][0]["content"], "The count stands at 19");
}

#[test]
fn b3_input_that_ends_during_a_call_ends_the_server_though_the_call_never_does() {
    let (hold, held) = mpsc::channel::<()>();
    let (began, begins) = mpsc::channel::<()>();
    let (store, mut hooks) = (MemoryStore::new(), Some((held, began)));
    let kept = store.clone();
    let mut server = Local::start(move || {
        let (held, began) = hooks.take().unwrap();
        hooked(&kept, move |_| {
            began.send(()).unwrap();
            // Until the test is over.
            let _ = held.recv();
        })
    });
    server.client.greet(Era::Session);
    server.client.ask("tools/call", json!({"name": "remember", "arguments": {"content": "x"}}));
    begins.recv().unwrap();
    assert_eq!(server.finish(), 0);
    drop(hold);
}

#[test]
fn b3_input_that_ends_during_a_call_lets_it_finish_and_answer() {
    let (go, wait) = mpsc::channel::<()>();
    let (began, begins) = mpsc::channel::<()>();
    let (store, hooks) = (MemoryStore::new(), Mutex::new(Some((wait, began))));
    let kept = store.clone();
    let mut server = Local::with(McpOptions { grace: PATIENCE, ..McpOptions::default() }, move || {
        let (wait, began) = hooks.lock().unwrap().take().unwrap();
        hooked(&kept, move |_| {
            began.send(()).unwrap();
            wait.recv().unwrap();
        })
    });
    server.client.greet(Era::Session);
    server.client.ask("tools/call", json!({"name": "remember", "arguments": {"content": "kept to the last"}}));
    begins.recv().unwrap();
    server.client.hang_up();
    go.send(()).unwrap();
    let rest = server.client.rest();
    assert_eq!(rest.len(), 1);
    assert!(!Answer::of(&rest[0], Era::Session).failed);
    let service = hooked(&store, |_| {}).unwrap();
    assert_eq!(service.stats(None).unwrap().memories, 1);
}

#[test]
fn b3_whatever_was_acknowledged_is_there_after_the_end_and_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    for kill in [false, true] {
        let mut program = Program::greeted(&path, Era::Discover);
        for number in 0..10 {
            let id = format!("{kill}-{number}");
            let content = format!("{kill}{number}a {kill}{number}b {kill}{number}c");
            program.client.done("remember", json!({"id": id, "content": content}));
        }
        // More that nobody waits for, so that something is under way.
        for number in 10..40 {
            let arguments = json!({"id": format!("{kill}-{number}"), "content": format!("{kill}{number}d {number}e")});
            program.client.ask("tools/call", json!({"name": "remember", "arguments": arguments}));
        }
        let mut acknowledged: Vec<String> = (0..10).map(|number| format!("{kill}-{number}")).collect();
        if kill {
            program.kill();
        } else {
            let (status, rest, _) = program.finish();
            assert_eq!(status.code(), Some(0));
            let ids =
                rest.iter().map(|response| response["result"]["structuredContent"]["id"].as_str().unwrap().to_owned());
            acknowledged.extend(ids);
        }
        let mut program = Program::greeted(&path, Era::Session);
        for id in acknowledged {
            let read = program.client.done("recall", json!({"query": format!("[read {id}]")}));
            assert_eq!(read["hits"][0]["id"], id.as_str());
        }
    }
}
