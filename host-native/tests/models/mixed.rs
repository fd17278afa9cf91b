//! H2: a store with another model's vectors is recalled from all the same, with a notice, and `reembed` sets it right.

use std::{
    io::Write,
    process::{Command, Stdio},
};

use serde_json::Value;

use super::{shorter, tiny};
use crate::support::Home;

fn notices(answer: &Value) -> Vec<String> {
    answer["notices"].as_array().unwrap().iter().map(|notice| notice.as_str().unwrap().to_owned()).collect()
}

/// The models of the stored vectors, in the order of ids.
fn models(home: &Home) -> Vec<Option<String>> {
    let records = home.records();
    let memories = records.iter().filter(|record| record["record"] == "memory");
    memories.map(|memory| memory["embedding"]["model"].as_str().map(str::to_owned)).collect()
}

#[test]
fn h2_another_model_is_told_of_and_reembed_sets_it_right() {
    let home = Home::new();
    let (one, other) = (tiny(), shorter(home.path()));
    let (one, other) = (one.to_str().unwrap(), other.to_str().unwrap());
    for text in ["We deploy on Wednesdays", "The staging database is wiped on Friday", "Priya plays the cello"] {
        home.remember(text, &["--embedder", one]);
    }
    let ask = |embedder: &str| home.json(&["recall", "when do we deploy?", "--peek", "--embedder", embedder]);
    assert_eq!(notices(&ask(one)), Vec::<String>::new());
    // By words still, whatever the embedder, and with a word on it.
    for (embedder, said) in
        [(other, "3 of 3 memories carry no vector of this embedder"), ("static", "another embedder")]
    {
        let found = ask(embedder);
        assert_eq!(found["hits"][0]["memory"]["content"], "We deploy on Wednesdays");
        let told = notices(&found);
        assert!(told.len() == 1 && told[0].contains(said) && told[0].contains("`ebbtrace reembed`"), "{told:?}");
        assert!(home.text(&["recall", "deploy", "--peek", "--embedder", embedder]).contains("\nnote: 3 of 3 memories"));
    }
    let before = home.records();
    let report = home.json(&["reembed", "--embedder", other]);
    assert_eq!((report["changed"].as_u64(), report["unchanged"].as_u64()), (Some(3), Some(0)), "{report}");
    assert_eq!(report["dimension"], 16);
    assert_eq!(notices(&ask(other)), Vec::<String>::new());
    assert!(models(&home).iter().all(|model| model.as_deref() == report["model"].as_str()));
    let without = |records: &[Value]| -> Vec<Value> {
        let strip = |record: &Value| {
            let mut record = record.clone();
            record.as_object_mut().unwrap().remove("embedding");
            record
        };
        records.iter().map(strip).collect()
    };
    assert_eq!(without(&before), without(&home.records()), "nothing but the vectors has changed");
    let again = home.json(&["reembed", "--embedder", other]);
    assert_eq!((again["changed"].as_u64(), again["unchanged"].as_u64()), (Some(0), Some(3)), "{again}");
    // Without an embedder there is nothing to store.
    assert!(home.text(&["reembed"]).starts_with("Dropped the vectors of 3 memories"));
    assert_eq!(models(&home), [None, None, None]);
    assert_eq!(notices(&ask("static")), Vec::<String>::new());
}

#[test]
fn a_scope_is_embedded_by_itself() {
    let home = Home::new();
    let folder = tiny();
    home.remember("We deploy on Wednesdays", &["--scope", "work"]);
    home.remember("Priya plays the cello", &[]);
    let report = home.json(&["reembed", "--scope", "work", "--embedder", folder.to_str().unwrap()]);
    assert_eq!((report["changed"].as_u64(), report["memories"].as_u64()), (Some(1), Some(1)), "{report}");
    let all = home.json(&["reembed", "--embedder", folder.to_str().unwrap()]);
    assert_eq!((all["changed"].as_u64(), all["memories"].as_u64()), (Some(1), Some(2)), "{all}");
}

#[test]
fn an_agent_is_told_too() {
    let home = Home::new();
    home.remember("We deploy on Wednesdays", &[]);
    let mut command: Command = home.command(&["mcp", "--embedder", tiny().to_str().unwrap()]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let lines = [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"recall","arguments":{"query":"deploy"}}}"#,
    ];
    for line in lines {
        writeln!(child.stdin.as_mut().unwrap(), "{line}").unwrap();
    }
    let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut answer = String::new();
    for _ in 0..2 {
        answer.clear();
        std::io::BufRead::read_line(&mut out, &mut answer).unwrap();
    }
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
    let answer: Value = serde_json::from_str(&answer).unwrap();
    let result = &answer["result"];
    let said = "1 of 1 memories carry no vector of this embedder";
    assert!(result["structuredContent"]["notices"][0].as_str().unwrap().starts_with(said), "{result}");
    assert!(result["content"][0]["text"].as_str().unwrap().contains(&format!("Note: {said}")), "{result}");
}

#[test]
fn the_environment_names_an_embedder_and_a_broken_one_is_said_at_once() {
    let home = Home::new();
    let mut command = home.command(&["remember", "We deploy on Wednesdays"]);
    command.env("EBBTRACE_EMBEDDER", tiny());
    assert_eq!(crate::support::ended(command).code, Some(0));
    assert!(models(&home)[0].as_deref().unwrap().starts_with("bert-16-"));
    assert_eq!(home.refused(&["recall", "deploy", "--embedder", "./nowhere"], "model_incomplete"), "embedder");
    assert_eq!(home.refused(&["recall", "deploy", "--reranker", "./nowhere"], "model_incomplete"), "embedder");
    assert_eq!(home.refused(&["recall", "deploy", "--embedder", "glove"], "usage"), "embedder");
    assert_eq!(home.refused(&["recall", "deploy", "--reranker", "late"], "no_token_vectors"), "embedder");
    // A server says so before it begins, and nothing on stdout.
    let ran = home.run(&["mcp", "--embedder", "./nowhere"]);
    assert!(ran.code == Some(2) && ran.stdout.is_empty() && ran.stderr.contains("model_incomplete"), "{ran:?}");
}
