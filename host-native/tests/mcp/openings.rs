//! The first lines of a session, whatever they are, and a store that is slow to open or does not.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
    mpsc,
};

use ebbtrace::{StoreError, store::MemoryStore};
use serde_json::{Value, json};

use super::{
    client::{Answer, Era, Local, Program},
    stores::hooked,
};

const STRAY: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// A line, and the error's code and id that answer it, if it is answered.
type Case<'a> = (&'a [u8], Option<(i64, Value)>);

fn error_code(response: &Value) -> (i64, Value) {
    (response["error"]["code"].as_i64().unwrap_or_else(|| panic!("{response}")), response["id"].clone())
}

#[test]
fn each_era_begins_in_its_own_way() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start(&folder.path().join("a.db"));
    let hello = program.client.greet(Era::Session);
    assert_eq!(hello["protocolVersion"], "2025-11-25");
    assert_eq!(hello["serverInfo"]["name"], "ebbtrace");
    let mut program = Program::start(&folder.path().join("a.db"));
    let discovered = program.client.greet(Era::Discover);
    let versions = discovered["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2025-11-25")) && versions.contains(&json!("2026-07-28")), "{versions:?}");
    assert_eq!(discovered["instructions"], hello["instructions"]);
    let instructions = hello["instructions"].as_str().unwrap();
    assert!(instructions.chars().count() <= 2_048);
}

#[test]
fn a_version_that_nobody_knows_is_answered_with_one_that_is_known() {
    let folder = tempfile::tempdir().unwrap();
    for asked in ["1999-01-01", "2099-01-01", "2026-07-28"] {
        let mut program = Program::start(&folder.path().join("a.db"));
        let hello = json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
        let response = program.client.request("initialize", hello);
        assert_eq!(response["result"]["protocolVersion"], "2025-11-25", "{asked}");
    }
}

#[test]
fn b2_anything_may_come_first_and_the_session_begins_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let long = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"{}", "x".repeat(5_000_000));
    let too_long = "y".repeat((16 << 20) + 1);
    let null = json!(null);
    let cases: [Case<'_>; 13] = [
        (b"{oops", Some((-32700, null.clone()))),
        (b"\xff\xfe\x00", Some((-32700, null.clone()))),
        (long.as_bytes(), Some((-32700, json!(1)))),
        (too_long.as_bytes(), Some((-32600, null.clone()))),
        (b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", Some((-32600, null.clone()))),
        (b"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"tools/list\"}", Some((-32600, null.clone()))),
        (b"{\"jsonrpc\":\"2.0\",\"id\":\"u\",\"method\":\"no/such\"}", Some((-32601, json!("u")))),
        (b"{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"initialize\",\"params\":{}}", Some((-32602, json!(9)))),
        (b"{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/list\"}", Some((-32602, json!(9)))),
        (b"", None),
        (b"   ", None),
        (STRAY.as_bytes(), None),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", None),
    ];
    for era in Era::BOTH {
        let mut program = Program::start(&path);
        for (line, expected) in &cases {
            program.client.send(line);
            if let Some(expected) = expected {
                let said = program.client.next();
                assert_eq!(error_code(&said), *expected, "{:.80}", String::from_utf8_lossy(line));
            }
        }
        program.client.send(r#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#);
        assert_eq!(program.client.next(), json!({"jsonrpc": "2.0", "id": "p", "result": {}}));
        program.client.greet(era);
        assert!(program.client.request("tools/list", json!({}))["result"]["tools"].is_array());
        // And the same again in the midst of the session.
        for (line, expected) in &cases[..7] {
            program.client.send(line);
            assert_eq!(Some(error_code(&program.client.next())), *expected);
        }
        program.client.done("stats", json!({}));
        let (status, rest, _) = program.finish();
        assert!(status.success() && rest.is_empty(), "{rest:?}");
    }
}

#[test]
fn a_request_that_can_t_be_read_is_answered_by_its_id() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::greeted(&folder.path().join("a.db"), Era::Session);
    // A client that cuts a text in the middle of an emoji is understood.
    for (id, cut) in
        [(101, r"cut emoji \ud83d"), (102, r"\ude00 begins with half of one"), (103, r"\ud83d\ud83d\ude00")]
    {
        program.client.send(format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"remember","arguments":{{"content":"{cut}","id":"{id}"}}}}}}"#
        ));
        let said = program.client.next();
        assert_eq!((&said["id"], said["result"]["isError"].as_bool()), (&json!(id), Some(false)), "{said}");
    }
    let read = program.client.done("recall", json!({"query": "[read 101]"}));
    assert_eq!(read["hits"][0]["content"], "cut emoji \u{fffd}");
    let read = program.client.done("recall", json!({"query": "[read 103]"}));
    assert_eq!(read["hits"][0]["content"], "\u{fffd}\u{1f600}");
    // What is past reading is answered to whoever asked, wherever the id stands.
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(10_000), close.repeat(10_000));
    for (name, params) in [
        ("lists", deep("[", "]")),
        ("objects", deep("{\"a\":", "}")),
        (
            "levels",
            format!(
                "{{\"name\":\"remember\",\"arguments\":{{\"metadata\":{}1{}}}}}",
                "{\"a\":".repeat(125),
                "}".repeat(125)
            ),
        ),
        ("number", "{\"importance\":1e999}".to_owned()),
        ("comma", "{\"a\":1,}".to_owned()),
        ("escape", "{\"a\":\"\\x\"}".to_owned()),
        ("too long", format!("\"{}\"", "y".repeat(16 << 20))),
    ] {
        program.client.send(format!(r#"{{"jsonrpc":"2.0","id":"{name}","method":"tools/call","params":{params}}}"#));
        let first = program.client.next();
        program.client.send(format!(r#"{{"method":"tools/call","params":{params},"jsonrpc":"2.0","id":"{name}"}}"#));
        for said in [first, program.client.next()] {
            assert!(said["error"]["code"] == -32700 || said["error"]["code"] == -32600, "{name}: {said:.200}");
            assert_eq!(said["id"], name, "{said:.200}");
        }
    }
    program.client.done("stats", json!({}));
    assert!(program.finish().0.success());
}

#[test]
fn input_that_ends_at_once_or_without_a_line_feed_is_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let (status, rest, log) = Program::start(&path).finish();
    assert_eq!((status.code(), rest, log.as_str()), (Some(0), vec![], ""));
    let ping: &[u8] = br#"{"jsonrpc":"2.0","id":"last","method":"ping"}"#;
    for (line, expected) in [(ping, json!({"result": {}})), (b"{oops", json!({"error": {"code": -32700}}))] {
        let mut program = Program::start(&path);
        program.client.write(line);
        let (status, rest, _) = program.finish();
        assert_eq!((status.code(), rest.len()), (Some(0), 1));
        assert_eq!(rest[0]["result"], expected["result"]);
        assert_eq!(rest[0]["error"]["code"], expected["error"]["code"]);
    }
}

#[test]
fn b1_the_greeting_and_the_list_come_before_the_store_is_open_and_the_first_call_after() {
    for era in Era::BOTH {
        let (go, wait) = mpsc::channel::<()>();
        let store = MemoryStore::new();
        let mut server = Local::start(move || {
            wait.recv().unwrap();
            hooked(&store, |_| {})
        });
        server.client.greet(era);
        assert_eq!(server.client.request("tools/list", json!({}))["result"]["tools"].as_array().unwrap().len(), 15);
        let id = server.client.ask("tools/call", json!({"name": "stats"}));
        // The list is answered while the call waits for the store.
        let listed = server.client.request("tools/list", json!({}));
        assert!(listed["result"]["tools"].is_array());
        go.send(()).unwrap();
        let response = server.client.next();
        assert_eq!(response["id"], id);
        assert!(!Answer::of(&response, era).failed);
        assert_eq!(server.finish(), 0);
    }
}

#[test]
fn a_store_that_does_not_open_is_an_error_of_each_call_until_it_does() {
    let broken = Arc::new(AtomicBool::new(true));
    let (mended, store) = (Arc::clone(&broken), MemoryStore::new());
    let mut server = Local::start(move || match mended.load(Ordering::SeqCst) {
        true => Err(StoreError::Open { path: "/nowhere/memory.db".into(), reason: "no such folder".into() }),
        false => hooked(&store, |_| {}),
    });
    server.client.greet(Era::Session);
    for _ in 0..2 {
        let error = server.client.refused("stats", json!({}));
        assert_eq!(error["code"], "store_open");
        assert!(error["message"].as_str().unwrap().contains("/nowhere/memory.db"));
        assert!(error["next_step"].as_str().unwrap().contains("--db"));
    }
    broken.store(false, Ordering::SeqCst);
    assert_eq!(server.client.done("stats", json!({}))["memories"], 0);
    assert_eq!(server.finish(), 0);
}

#[test]
fn a_store_that_can_not_be_opened_is_told_by_the_program_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    std::fs::write(&path, "this is a shopping list, and no database at all; leave it as it is").unwrap();
    let mut program = Program::greeted(&path, Era::Discover);
    let error = program.client.refused("remember", json!({"content": "x"}));
    assert_eq!(error["code"], "store_damaged", "{error}");
    let (status, _, _) = program.finish();
    assert_eq!(status.code(), Some(0));
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("this is a shopping list"));
}

#[test]
fn each_request_of_the_newer_era_says_who_asks() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::greeted(&folder.path().join("a.db"), Era::Discover);
    program.client.done("stats", json!({}));
    program.client.send(r#"{"jsonrpc":"2.0","id":"bare","method":"tools/list"}"#);
    assert_eq!(error_code(&program.client.next()), (-32602, json!("bare")));
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2031-01-01", "io.modelcontextprotocol/clientCapabilities": {},
    });
    let line = json!({"jsonrpc": "2.0", "id": "later", "method": "tools/list", "params": {"_meta": meta}});
    program.client.send(line.to_string());
    let response = program.client.next();
    assert_eq!(error_code(&response), (-32022, json!("later")));
    assert!(response["error"]["data"]["supported"].as_array().unwrap().contains(&json!("2026-07-28")));
}
