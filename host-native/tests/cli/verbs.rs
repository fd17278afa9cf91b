//! Every verb, with and without `--json`.

use std::fs;

use serde_json::{Value, json};

use super::support::{Home, ended};

#[test]
fn without_a_verb_there_is_help_with_examples() {
    let home = Home::new();
    let help = home.text::<&str>(&[]);
    assert!(help.contains("ebbtrace remember \"") && help.contains("ebbtrace demo") && help.contains("Commands:"));
    assert_eq!(home.text(&["--version"]), format!("ebbtrace {}\n", env!("CARGO_PKG_VERSION")));
    for verb in [
        "demo",
        "mcp",
        "remember",
        "recall",
        "update",
        "connect",
        "reinforce",
        "forget",
        "neighbors",
        "pin",
        "track-failure",
        "track-progress",
        "handoff",
        "resume",
        "forecast",
        "history",
        "undo",
        "journal",
        "purge",
        "maintain",
        "review",
        "stats",
        "import",
        "export",
    ] {
        assert!(help.contains(&format!("\n  {verb} ")), "{verb} is not in the help");
        let help = home.text(&["help", verb]);
        assert!(help.contains(&format!("Usage: ebbtrace {verb}")) && help.contains("--db <PATH>"), "{help}");
    }
    assert!(!home.path().join("memory.db").exists(), "help opens no store");
}

#[test]
fn remember_takes_every_option() {
    let home = Home::new();
    home.remember("The load test of March", &["--id", "note:load:3"]);
    let answer = home.json(&[
        "remember",
        "We keep orders in PostgreSQL",
        "--kind",
        "decision",
        "--category",
        "strategy",
        "--importance",
        "0.9",
        "--id",
        "decision:db",
        "--author",
        "mina",
        "--tag",
        "db",
        "--tag",
        "orders",
        "--metadata",
        r#"{"ticket": 7}"#,
        "--session",
        "s1",
        "--occurred-at",
        "2026-03-01",
        "--link",
        "note:load:3:based-on:2.5",
        "--pin",
        "--now",
        "2026-03-02T10:00:00Z",
    ]);
    assert_eq!((&answer["resolution"], &answer["id"]), (&json!("created"), &json!("decision:db")));
    let memory = home.memory("decision:db");
    assert_eq!(memory["content"], "We keep orders in PostgreSQL");
    assert_eq!((&memory["kind"], &memory["category"]), (&json!("decision"), &json!("strategy")));
    assert_eq!((&memory["importance"], &memory["pinned"]), (&json!(0.9), &json!(true)));
    assert_eq!((&memory["author"], &memory["tags"]), (&json!("mina"), &json!(["db", "orders"])));
    assert_eq!((&memory["metadata"], &memory["source"]["session"]), (&json!({ "ticket": 7 }), &json!("s1")));
    // 2026-03-01T00:00:00Z and 2026-03-02T10:00:00Z: an export keeps milliseconds.
    assert_eq!(memory["occurred_at"], 1_772_323_200_000_i64);
    assert_eq!(memory["created_at"], 1_772_445_600_000_i64);
    let edges: Vec<Value> = home.records().into_iter().filter(|record| record["record"] == "edge").collect();
    let link = edges.iter().find(|edge| edge["relation"] == "based-on").expect("the link");
    assert_eq!((&link["from"], &link["to"]), (&json!("decision:db"), &json!("note:load:3")));
    assert_eq!(link["weight"], 2.5);
}

#[test]
fn remember_reads_stdin_and_says_what_became_of_it() {
    let home = Home::new();
    let ran = home.run_with(&["remember", "-", "--id", "a"], "Two\nlines\n");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.starts_with("Stored as a."), "{ran:?}");
    assert_eq!(home.memory("a")["content"], "Two\nlines");
    assert!(home.text(&["remember", "The cache is cleared at midnight"]).starts_with("Stored as "));
    let again = home.text(&["remember", "The cache is cleared at midnight"]);
    assert!(again.starts_with("Known already: ") && again.contains("used 1 time "), "{again}");
    assert_eq!(home.count("memory"), 2);
}

#[test]
fn update_edits_what_is_named_and_keeps_the_rest() {
    let home = Home::new();
    home.remember("The limit is 3", &["--id", "limit", "--tag", "api", "--importance", "0.4"]);
    let answer = home.json(&["update", "limit", "--content", "The limit is 7", "--importance", "0.6", "--tag", "v2"]);
    assert_eq!(answer["memory"]["content"], "The limit is 7");
    assert_eq!((&answer["memory"]["importance"], &answer["memory"]["tags"]), (&json!(0.6), &json!(["v2"])));
    assert_eq!(answer["memory"]["version"], 2);
    let answer = home.json(&["update", "limit", "--clear-tags", "--metadata", r#"{"a": 1}"#, "--if-version", "2"]);
    assert_eq!(answer["memory"].get("tags"), None);
    assert_eq!(
        (&answer["memory"]["metadata"], &answer["memory"]["content"]),
        (&json!({ "a": 1 }), &json!("The limit is 7"))
    );
    assert_eq!(home.refused(&["update", "limit", "--importance", "1", "--if-version", "2"], "stale"), "id");
    assert!(home.text(&["update", "limit", "--importance", "0.7"]).starts_with("Updated: limit"));
    // The earlier text stays readable.
    let old = home.records().into_iter().find(|record| record["content"] == "The limit is 3").expect("the old text");
    assert_eq!(old["state"], "superseded");
}

#[test]
fn connect_and_neighbors() {
    let home = Home::new();
    for (id, text) in [("a", "Alpha"), ("b", "Bravo"), ("c", "Charlie")] {
        home.remember(text, &["--id", id]);
    }
    let answer = home.json(&["connect", "a", "b", "--relation", "leads-to", "--weight", "2", "--now", "2026-07-14"]);
    assert_eq!(answer, json!({ "from": "a", "to": "b", "relation": "leads-to", "weight": 2.0, "created": true }));
    assert!(home.text(&["connect", "b", "c"]).starts_with("Linked: b —related→ c"));
    assert!(home.text(&["connect", "b", "c"]).starts_with("Refreshed the link: b"));
    let near = home.json(&["neighbors", "a", "--depth", "2"]);
    let found: Vec<(&str, i64)> = near["items"]
        .as_array()
        .expect("items")
        .iter()
        .map(|item| (item["memory"]["id"].as_str().expect("an id"), item["distance"].as_i64().expect("a distance")))
        .collect();
    assert_eq!(found, [("b", 1), ("c", 2)]);
    let table = home.text(&["neighbors", "a", "--depth", "2"]);
    assert!(table.contains("—leads-to→") && table.contains("Charlie") && table.contains("2 of 2 shown"), "{table}");
    let page = home.json(&["neighbors", "a", "--depth", "2", "--limit", "1"]);
    let cursor = page["cursor"].as_str().expect("a cursor");
    let rest = home.json(&["neighbors", "a", "--depth", "2", "--limit", "1", "--cursor", cursor]);
    assert_eq!((&page["items"][0]["memory"]["id"], &rest["items"][0]["memory"]["id"]), (&json!("b"), &json!("c")));
}

#[test]
fn reinforce_pin_and_forget() {
    let home = Home::new();
    home.remember("The office dog is called Bit", &["--id", "dog", "--now", "2026-01-01"]);
    let answer = home.json(&["reinforce", "dog", "--now", "2026-02-01"]);
    assert_eq!(answer["memory"]["recall_count"], 1);
    assert_eq!(answer["memory"]["last_accessed_at"], "2026-02-01T00:00:00Z");
    assert_eq!(home.json(&["pin", "dog", "--now", "2027-02-01"])["tier"], "hot");
    assert!(home.text(&["pin", "dog", "--off"]).starts_with("Unpinned: dog"));
    assert_eq!(home.memory("dog").get("pinned"), None);
    let answer = home.json(&["forget", "dog", "--reason", "he moved", "--now", "2026-02-02"]);
    assert_eq!((&answer["memory"]["state"], &answer["memory"]["reason"]), (&json!("archived"), &json!("he moved")));
    assert_eq!(answer["memory"]["at"], "2026-02-02T00:00:00Z");
    assert_eq!(home.count("memory"), 1, "forgetting deletes nothing");
    assert!(home.text(&["forget", "dog"]).starts_with("Archived (nothing is deleted): dog"));
}

#[test]
fn maintain_looks_before_it_leaps() {
    let home = Home::new();
    home.remember("A passing thought", &["--id", "old", "--importance", "0.1", "--now", "2025-01-01"]);
    let dry = home.json(&["maintain", "--dry-run", "--now", "2026-01-01"]);
    assert_eq!((&dry["dry_run"], &dry["proposed"][0]["id"]), (&json!(true), &json!("old")));
    assert_eq!(home.count("proposal"), 0);
    let text = home.text(&["maintain", "--now", "2026-01-01"]);
    assert!(text.starts_with("Maintained: 1 memory examined") && text.contains("ebbtrace review"), "{text}");
    assert_eq!((home.count("proposal"), home.count("memory")), (1, 1));
    assert_eq!(home.json(&["stats"])["maintained_at"], "2026-01-01T00:00:00Z");
}

#[test]
fn stats_of_one_scope_or_all() {
    let home = Home::new();
    home.remember("In the default scope", &[]);
    home.remember("In the scope of a project", &["--scope", "shop", "--kind", "decision"]);
    let one = home.json(&["stats", "--scope", "shop"]);
    assert_eq!(
        (&one["scope"], &one["memories"], &one["kinds"]),
        (&json!("shop"), &json!(1), &json!({ "decision": 1 }))
    );
    let all = home.json(&["stats", "--all"]);
    let scopes: Vec<&str> =
        all["scopes"].as_array().expect("scopes").iter().filter_map(|s| s["scope"].as_str()).collect();
    assert_eq!(scopes, ["default", "shop"]);
    let text = home.text(&["stats", "--all"]);
    assert!(text.contains("scope default") && text.contains("scope shop") && text.contains("decision 1"), "{text}");
    let mut command = home.command(&["stats", "--json"]);
    command.env("EBBTRACE_SCOPE", "shop");
    assert_eq!(ended(command).object()["scope"], "shop");
}

#[test]
fn the_store_in_this_process_leaves_no_file() {
    let home = Home::new();
    home.json(&["remember", "Gone in a moment", "--store", "memory"]);
    assert!(!home.path().join("memory.db").exists());
    let elsewhere = home.path().join("deep/er/other.db");
    home.json(&["remember", "Elsewhere", "--db", elsewhere.to_str().expect("UTF-8")]);
    assert!(elsewhere.exists() && !home.path().join("memory.db").exists());
}

#[test]
fn a_reader_that_leaves_is_no_panic() {
    let home = Home::new();
    for number in 0..40 {
        home.remember(&format!("Ticket {number} is about invoices and their totals"), &["--id", &format!("t{number}")]);
    }
    let binary = env!("CARGO_BIN_EXE_ebbtrace");
    let pipe = format!("{binary} recall 'invoices and their totals' -k 40 | head -1; {binary} export | head -1");
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &pipe]).env("EBBTRACE_DB", home.path().join("memory.db"));
    let ran = ended(shell);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    assert!(ran.stdout.starts_with("1. t"), "{ran:?}");
}

#[test]
fn reading_makes_no_store() {
    let home = Home::new();
    let file = home.path().join("below/memory.db");
    let named = file.to_str().expect("UTF-8");
    let note = format!("note: there is no store at {named} yet\n");
    for (arguments, says) in [
        (vec!["recall", "when do we deploy?"], "Nothing that is remembered answers this."),
        (vec!["stats"], "scope default"),
        (vec!["stats", "--all"], "Nothing is stored yet."),
        (vec!["forecast", "--within", "30"], ""),
        (vec!["export"], "{\"format\":\"ebbtrace\",\"version\":1,\"records\":0}"),
        (vec!["review", "--list"], ""),
        (vec!["resume"], "Nothing is handed over, tracked or in use here."),
        (vec!["maintain", "--dry-run"], ""),
    ] {
        let ran = home.run(&[&arguments[..], &["--db", named]].concat());
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), note.as_str()), "{arguments:?} {ran:?}");
        assert!(ran.stdout.starts_with(says), "{arguments:?} {ran:?}");
        home.json(&[&arguments[..], &["--db", named]].concat());
    }
    for arguments in [["history", "a"], ["neighbors", "a"], ["forecast", "a"]] {
        let ran = home.run(&[&arguments[..], &["--db", named]].concat());
        assert!(ran.code == Some(1) && ran.stderr.starts_with(&note) && ran.stderr.contains("not_found"), "{ran:?}");
    }
    assert_eq!(fs::read_dir(home.path()).expect("the folder").count(), 0);
    // An empty file is no store either; a log without its store may hold memories.
    let empty = home.file("memory.db", "");
    assert_eq!(home.run(&["recall", "deploy"]).code, Some(0));
    assert_eq!(fs::metadata(&empty).expect("a file").len(), 0);
    home.file("memory.db-wal", "something");
    assert!(home.run(&["recall", "deploy"]).stderr.contains("store_damaged"));
    fs::remove_file(home.path().join("memory.db-wal")).expect("removed");
    home.remember("We deploy on Wednesdays", &[]);
    assert_eq!(home.run(&["recall", "when do we deploy?"]).stderr, "");
}
