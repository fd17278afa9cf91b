//! How a model comes from a hub: once, whole, checked, and with words that help where it does not.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::PathBuf,
    process::{Command, Stdio},
};

use serde_json::Value;

use super::{
    server::{Faults, HubServer, ID},
    tiny,
};
use crate::support::{Home, Ran, ended};

/// The program in a home of its own, with a hub.
fn with_hub(home: &Home, endpoint: &str, arguments: &[&str]) -> Command {
    let mut command = home.command(arguments);
    for name in ["HF_HOME", "HF_HUB_CACHE", "HF_TOKEN", "HF_HUB_OFFLINE", "SSL_CERT_FILE", "EBBTRACE_EMBEDDER"] {
        command.env_remove(name);
    }
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"] {
        command.env_remove(name);
    }
    command.env("HF_ENDPOINT", endpoint).env("XDG_CACHE_HOME", home.path().join("cache")).env("LC_ALL", "C");
    command
}

fn remember(home: &Home, hub: &HubServer) -> Ran {
    ended(with_hub(home, &hub.endpoint(), &["remember", "We deploy on Wednesdays", "--embedder", ID, "--json"]))
}

/// Whatever is in the folder of fetched models, by path.
fn fetched(home: &Home) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![home.path().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false if path.to_string_lossy().contains("acme--tiny-bert") => files.push(path),
                false => {}
            }
        }
    }
    files.sort();
    files
}

/// The vector's model of the one stored memory.
fn model(home: &Home) -> String {
    let memories = home.records();
    let memory = memories.iter().find(|record| record["record"] == "memory").unwrap();
    memory["embedding"]["model"].as_str().unwrap().to_owned()
}

#[test]
fn a_model_is_fetched_once_and_is_the_one_of_the_folder() {
    let (home, hub) = (Home::new(), HubServer::start(Faults::default()));
    assert_eq!(remember(&home, &hub).code, Some(0));
    let names: Vec<String> =
        fetched(&home).iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
    assert_eq!(names.len(), 6, "{names:?}");
    let asked = hub.asked();
    assert!(asked.iter().skip(1).all(|line| !line.contains("/resolve/main/")), "one commit: {asked:?}");
    let by_hub = model(&home);
    assert!(by_hub.starts_with("bert-16-"), "{by_hub}");
    // Offline from now on, and no request more.
    let mut offline = with_hub(&home, &hub.endpoint(), &["recall", "deploy", "--embedder", ID, "--json"]);
    offline.env("HF_HUB_OFFLINE", "1");
    let found = ended(offline).object();
    assert_eq!(
        (found["hits"].as_array().unwrap().len(), found["notices"].as_array().unwrap().len()),
        (1, 0),
        "{found}"
    );
    assert_eq!(hub.asked().len(), asked.len());
    let by_folder = home.json(&["recall", "deploy", "--embedder", tiny().to_str().unwrap()]);
    assert_eq!(by_folder["notices"], Value::Array(Vec::new()), "the same content is the same model");
}

#[test]
fn weights_of_another_sum_are_not_kept() {
    let (home, hub) = (Home::new(), HubServer::start(Faults { wrong_sum: true, ..Faults::default() }));
    let ran = remember(&home, &hub);
    let error = &ran.object()["error"];
    assert_eq!(
        (error["code"].as_str(), error["field"].as_str()),
        (Some("model_checksum"), Some("embedder")),
        "{error}"
    );
    assert!(fetched(&home).iter().all(|path| !path.to_string_lossy().contains("safetensors")), "{:?}", fetched(&home));
    assert_eq!(home.count("memory"), 0);
}

#[test]
fn a_connection_that_breaks_off_is_taken_up_where_it_broke() {
    let (home, hub) = (Home::new(), HubServer::start(Faults { breaks_after: Some(9_000), ..Faults::default() }));
    let ran = remember(&home, &hub);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ranges: Vec<String> = hub.asked().into_iter().filter(|line| line.contains("/cdn/")).collect();
    assert_eq!(ranges.len(), 4, "{ranges:?}");
    assert!(ranges[1].contains("bytes=9000-") && ranges[3].contains("bytes=27000-"), "{ranges:?}");
}

#[test]
fn a_hub_without_ranges_that_breaks_off_is_given_up_and_leaves_nothing() {
    let faults = Faults { breaks_after: Some(9_000), no_ranges: true, ..Faults::default() };
    let (home, hub) = (Home::new(), HubServer::start(faults));
    assert_eq!(remember(&home, &hub).object()["error"]["code"], "model_not_fetched");
    assert!(fetched(&home).iter().all(|path| !path.to_string_lossy().contains("safetensors")), "{:?}", fetched(&home));
}

#[test]
fn two_processes_that_fetch_at_once_do_each_other_no_harm() {
    let (home, hub) = (Home::new(), HubServer::start(Faults::default()));
    let started: Vec<_> = (0..3)
        .map(|number| {
            let text = format!("The database of staging number {number} is wiped on Friday");
            let mut command = with_hub(&home, &hub.endpoint(), &["remember", &text, "--embedder", ID]);
            command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    for child in started {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(fetched(&home).len(), 6, "{:?}", fetched(&home));
}

#[test]
fn a_token_goes_to_the_hub_alone() {
    let (home, hub) = (Home::new(), HubServer::start(Faults { token: Some("secret"), ..Faults::default() }));
    let refused = remember(&home, &hub).object();
    assert!(refused["error"]["reason"].as_str().unwrap().contains("HF_TOKEN"), "{refused}");
    let mut command = with_hub(&home, &hub.endpoint(), &["remember", "We deploy", "--embedder", ID]);
    command.env("HF_TOKEN", "secret");
    assert_eq!(ended(command).code, Some(0));
    let asked = hub.asked();
    let elsewhere: Vec<&String> = asked.iter().filter(|line| line.contains("/cdn/")).collect();
    assert!(elsewhere.len() == 1 && !elsewhere[0].contains("secret"), "{elsewhere:?}");
}

#[test]
fn without_a_network_it_says_what_to_put_where() {
    let home = Home::new();
    for (variable, value, said) in
        [("HF_ENDPOINT", "http://127.0.0.1:1", "127.0.0.1:1"), ("HF_HUB_OFFLINE", "1", "HF_HUB_OFFLINE")]
    {
        let mut command =
            with_hub(&home, "http://127.0.0.1:1", &["remember", "We deploy", "--embedder", "minilm", "--json"]);
        command.env(variable, value);
        let error = ended(command).object()["error"].clone();
        assert_eq!(error["code"], "model_not_fetched", "{error}");
        let (reason, next) = (error["reason"].as_str().unwrap(), error["next_step"].as_str().unwrap());
        for part in [said, "config.json, tokenizer.json, model.safetensors", "sentence-transformers--all-MiniLM-L6-v2"]
        {
            assert!(reason.contains(part), "{part}: {reason}");
        }
        assert!(next.contains("--embedder static"), "{next}");
    }
    // A proxy that is not there is named, and never with what its address holds.
    let mut command =
        with_hub(&home, "http://hub.example", &["remember", "We deploy", "--embedder", "minilm", "--json"]);
    command.env("ALL_PROXY", "http://user:hidden@127.0.0.1:1");
    let ran = ended(command);
    assert!(ran.stdout.contains("ALL_PROXY") && !ran.stdout.contains("hidden"), "{ran:?}");
    assert_eq!(home.count("memory"), 0, "what can't be embedded is not stored without its vector");
}

#[test]
fn what_is_not_minilm_is_not_taken_for_it() {
    let home = Home::new();
    let folder = home.path().join("cache/ebbtrace/models/sentence-transformers--all-MiniLM-L6-v2");
    fs::create_dir_all(&folder).unwrap();
    for name in ["config.json", "tokenizer.json", "model.safetensors"] {
        fs::copy(tiny().join(name), folder.join(name)).unwrap();
    }
    if !cfg!(target_os = "linux") {
        return;
    }
    let ran =
        ended(with_hub(&home, "http://127.0.0.1:1", &["remember", "We deploy", "--embedder", "minilm", "--json"]));
    assert_eq!(ran.object()["error"]["code"], "model_checksum");
}

#[test]
fn what_python_fetched_is_used() {
    let (home, hub) = (Home::new(), HubServer::start(Faults::default()));
    let repository = home.path().join("shared/models--acme--tiny-bert");
    let snapshot = repository.join("snapshots/abc");
    fs::create_dir_all(repository.join("refs")).unwrap();
    fs::create_dir_all(&snapshot).unwrap();
    fs::write(repository.join("refs/main"), "abc").unwrap();
    for name in ["config.json", "tokenizer.json", "model.safetensors"] {
        fs::copy(tiny().join(name), snapshot.join(name)).unwrap();
    }
    let mut command = with_hub(&home, &hub.endpoint(), &["remember", "We deploy", "--embedder", ID]);
    command.env("HF_HUB_CACHE", home.path().join("shared"));
    let ran = ended(command);
    assert_eq!((ran.code, hub.asked().len()), (Some(0), 0), "{ran:?}");
}

/// B1, B4: a server greets and lists its tools without asking for its model, and says nothing but protocol.
#[test]
fn a_server_loads_its_model_at_the_first_call_that_needs_it() {
    let (home, hub) = (Home::new(), HubServer::start(Faults::default()));
    let mut command = with_hub(&home, &hub.endpoint(), &["mcp", "--embedder", ID]);
    command.env("RUST_LOG", "trace").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut ask = |message: &str| -> Value {
        writeln!(input, "{message}").unwrap();
        serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap()
    };
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    assert_eq!(ask(hello)["id"], 1);
    assert_eq!(ask(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}"#)["id"], 2);
    assert_eq!(hub.asked(), Vec::<String>::new(), "nothing was fetched so far");
    let store = r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"remember","arguments":{"content":"We deploy on Wednesdays"}}}"#;
    assert_eq!(ask(store)["id"], 3);
    assert!(!hub.asked().is_empty());
    let find = r#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"recall","arguments":{"query":"when do we deploy"}}}"#;
    let found = ask(find);
    let structured = &found["result"]["structuredContent"];
    assert_eq!((structured["hits"].as_array().unwrap().len(), structured["notices"].as_array().unwrap().len()), (1, 0));
    drop(input);
    assert!(child.wait().unwrap().success());
}
