//! Answers stay within their bounds, and what does not fit in one can be had in the next.

use std::collections::BTreeSet;

use ebbtrace::{
    Service,
    service::Options,
    store::{MemoryStore, SqliteStore},
};
use ebbtrace_core::{ConnectInput, RememberInput};
use serde_json::{Value, json};

use super::client::{Era, Local, Program};

/// A service whose memory `hub` has so many neighbours. Their texts share no words, so that none is taken for another.
fn hub(store: &MemoryStore, neighbors: usize) -> Service {
    let service = Service::open(Options { model: None, ..Options::new(Box::new(store.clone())) }).unwrap();
    let remember = |id: String, content: String| {
        service.remember(RememberInput { id: Some(id), content, ..RememberInput::default() }).unwrap();
    };
    remember("hub".into(), "The hub of it all".into());
    for index in 0..neighbors {
        remember(format!("spoke-{index:05}"), format!("w{index}a w{index}b w{index}c"));
        let input = ConnectInput { from: "hub".into(), to: format!("spoke-{index:05}"), ..ConnectInput::default() };
        service.connect(&input).unwrap();
    }
    service
}

#[test]
fn c4_any_number_of_neighbors_comes_in_pages_that_fit_and_miss_none() {
    const NEIGHBORS: usize = 1_500;
    let store = MemoryStore::new();
    let mut service = Some(hub(&store, NEIGHBORS));
    let mut server = Local::start(move || Ok(service.take().unwrap()));
    server.client.greet(Era::Session);
    for limit in [json!(-1), json!(0), json!(1e9), json!("1e9"), json!(2.0), Value::Null] {
        // That each form of the answer fits is checked with every answer.
        let answer = server.client.call("neighbors", json!({"id": "hub", "limit": limit}));
        let shown = answer.structured["items"].as_array().unwrap().len();
        let expected = match limit.as_f64() {
            Some(limit) if limit < 1.0 => 1..=1,
            Some(2.0) => 2..=2,
            None if limit.is_null() => 20..=20,
            _ => 21..=200,
        };
        assert!(expected.contains(&shown), "{shown} for {limit}");
        assert_eq!(answer.structured["total"], NEIGHBORS);
        let cursor = answer.structured["cursor"].as_str().unwrap();
        assert!(answer.text.contains(&format!("call again with cursor {cursor:?}")));
    }
    let mut seen = BTreeSet::new();
    let mut cursor = Value::Null;
    loop {
        let page = server.client.done("neighbors", json!({"id": "hub", "limit": 1_000, "cursor": cursor}));
        for item in page["items"].as_array().unwrap() {
            assert!(seen.insert(item["id"].as_str().unwrap().to_owned()), "{item} came twice");
        }
        match page.get("cursor") {
            Some(next) => cursor = next.clone(),
            None => break,
        }
    }
    assert_eq!(seen.len(), NEIGHBORS);
}

#[test]
fn recall_shows_many_memories_in_part_and_one_whole_in_steps() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::greeted(&folder.path().join("a.db"), Era::Session);
    let client = &mut program.client;
    // Texts of 55,015 characters, with some that take two and six characters in JSON.
    let text = |index: usize| -> String {
        let word = format!("topic{index} \"é\u{1}\n");
        word.chars().cycle().take(55_000).chain(" ebbtide manual".chars()).collect()
    };
    for index in 0..6 {
        client.done("remember", json!({"id": format!("long-{index}"), "content": text(index)}));
    }
    let answer = client.call("recall", json!({"query": "ebbtide manual", "k": 1_000_000, "min_score": 0}));
    let hits = answer.structured["hits"].as_array().unwrap();
    assert_eq!(hits.len(), 6, "{}", answer.text);
    for hit in hits {
        assert!(hit["content"].as_str().unwrap().chars().count() >= 160);
        let cut = hit["cut"].as_str().unwrap();
        assert!(cut.contains("of 55015 shown; read on with recall"), "{cut}");
        assert!(answer.text.contains(cut));
    }
    let mut whole = String::new();
    let mut query = "[read long-3]".to_owned();
    for step in 1.. {
        let answer = client.call("recall", json!({"query": query}));
        let hit = &answer.structured["hits"][0];
        whole += hit["content"].as_str().unwrap();
        let Some((_, next)) = hit["cut"].as_str().unwrap().split_once("\"query\": \"") else { break };
        query = next.trim_end_matches("\"}").to_owned();
        assert!(step < 30, "{query}");
    }
    assert!(whole == text(3));
    assert_eq!(client.refused("recall", json!({"query": "[read long-9 from 4]"}))["code"], "not_found");
    let past = client.done("recall", json!({"query": "[read long-3 from 70000]"}));
    assert_eq!(past["hits"][0]["content"], "");
}

#[test]
fn c4_many_hits_are_cut_to_those_that_fit_and_the_answer_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let service = Service::open(Options { model: None, ..Options::new(Box::new(SqliteStore::open(&path).unwrap())) });
    let service = service.unwrap();
    for index in 0..300 {
        let content = format!("rota u{index}a u{index}b u{index}c u{index}d u{index}e u{index}f");
        service.remember(RememberInput { content, ..RememberInput::default() }).unwrap();
    }
    drop(service);
    let mut program = Program::greeted(&path, Era::Session);
    for (k, expected) in [(json!(-1), 1..=1), (json!(0), 1..=1), (json!("7"), 7..=7), (json!(1e9), 20..=150)] {
        let answer = program.client.call("recall", json!({"query": "rota", "k": k, "min_score": 0}));
        let shown = answer.structured["hits"].as_array().unwrap().len();
        assert!(expected.contains(&shown), "{shown} for {k}");
        let says = format!("Only the best {shown} fit in this answer");
        assert_eq!(answer.text.contains(&says), shown > 7, "{}", answer.text);
        assert_eq!(answer.structured["notices"].to_string().contains(&says), shown > 7);
    }
}

#[test]
fn big_metadata_is_left_to_the_reading_of_one_memory() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::greeted(&folder.path().join("a.db"), Era::Session);
    let client = &mut program.client;
    // As much as there may be of both: 16 KiB and 64 tags of 64 bytes.
    let metadata = json!({"rows": (1_000..4_270).collect::<Vec<_>>()});
    let tags: Vec<String> = (0..64).map(|tag| format!("{tag:0>64}")).collect();
    let stored = json!({
        "id": "t".repeat(256), "content": "Measured values of the tide gauge ".repeat(1_900), "metadata": metadata,
        "tags": tags, "author": "\"".repeat(256), "session": "\\".repeat(256),
    });
    client.done("remember", stored);
    let hit = client.done("recall", json!({"query": "tide gauge"}))["hits"][0].clone();
    assert!(hit.get("metadata").is_none() && hit["tags"].as_array().unwrap().len() == 16, "{hit}");
    let cut = hit["cut"].as_str().unwrap();
    for part in ["from 0", "metadata"] {
        let query = format!("[read {} {part}]", "t".repeat(256));
        assert!(cut.contains(&query), "{cut}");
        let read = client.done("recall", json!({"query": query}))["hits"][0].clone();
        match part {
            "metadata" => assert_eq!(read["metadata"], metadata),
            _ => assert_eq!(read["tags"], json!(tags)),
        }
    }
}
