//! Export and import.

use std::fs;

use serde_json::{Value, json};

use super::support::Home;

/// A store that holds every kind of record: edges, pins, tiers, superseded, archived, proposals, two scopes.
fn full() -> Home {
    let home = Home::new();
    home.remember("A thought in passing", &["--id", "faded", "--importance", "0.05", "--now", "2024-01-01"]);
    home.remember("Another one, about lunch", &["--id", "faded:2", "--importance", "0.05", "--now", "2024-01-01"]);
    home.remember("The standing rule: review before merge", &["--id", "rule", "--pin", "--now", "2024-01-01"]);
    home.remember(
        "The limit is 3",
        &["--id", "limit", "--now", "2025-12-01", "--metadata", r#"{"a": [0.1, null, "ü"]}"#],
    );
    home.json(&["update", "limit", "--content", "The limit is 4", "--now", "2025-12-02"]);
    home.remember(
        "ドキュメントは日本語で書く",
        &["--id", "語", "--now", "2025-12-03", "--link", "limit:quelle:0.3", "--session", "s"],
    );
    home.remember(
        "Put away by hand",
        &["--id", "away", "--now", "2025-12-04", "--session", "s", "--importance", "0.37"],
    );
    home.json(&["forget", "away", "--reason", "no longer ours", "--now", "2025-12-05"]);
    home.remember("In a scope of its own", &["--id", "limit", "--scope", "project \"x\"", "--now", "2025-12-06"]);
    home.json(&["recall", "what is the limit", "--now", "2025-12-20T01:02:03.004Z"]);
    home.json(&["maintain", "--now", "2026-01-01"]);
    home
}

#[test]
fn h1_every_kind_of_record_comes_back_equal() {
    // H1
    let home = full();
    let records = home.records();
    let kinds = |kind: &str| records.iter().filter(|record| record["record"] == kind).count();
    assert!(kinds("memory") >= 8 && kinds("edge") >= 2 && kinds("proposal") >= 1 && kinds("scope") >= 1, "{records:?}");
    for state in ["active", "superseded", "archived", "proposed"] {
        assert!(records.iter().any(|record| record["state"] == state), "no {state} memory");
    }
    let text = home.text(&["export", "-o", "out.jsonl"]);
    assert!(text.starts_with(&format!("Wrote {} records of every scope", records.len())), "{text}");
    let other = Home::new();
    let path = home.path().join("out.jsonl");
    let path = path.to_str().expect("UTF-8");
    let answer = other.json(&["import", path, "--now", "2031-01-01"]);
    assert_eq!((&answer["records"], &answer["created"]), (&json!(records.len()), &json!(0)));
    assert_eq!(other.records(), records);
    // Whatever the order of the lines, and again without effect.
    let lines: Vec<String> = fs::read_to_string(path).expect("the export").lines().map(str::to_owned).collect();
    let turned = [&lines[..1], &lines[1..].iter().rev().cloned().collect::<Vec<_>>()].concat().join("\n");
    let third = Home::new();
    third.file("turned.jsonl", &turned);
    third.json(&["import", "turned.jsonl"]);
    assert_eq!(third.records(), records);
    assert_eq!(third.json(&["import", "turned.jsonl"])["records"], 0);
    assert_eq!(third.records(), records);
    // What is found is the same, too.
    let asked = ["recall", "what is the limit", "--now", "2026-02-01", "--peek", "--depth", "frozen"];
    assert_eq!(home.json(&asked), third.json(&asked));
}

#[test]
fn an_export_is_lines_with_a_header() {
    let home = full();
    let ran = home.run(&["export"]);
    let mut lines = ran.stdout.lines();
    let header: Value = serde_json::from_str(lines.next().expect("a header")).expect("JSON");
    assert_eq!((&header["format"], &header["version"]), (&json!("ebbtrace"), &json!(1)));
    assert_eq!(header["records"], lines.clone().count());
    for line in lines {
        let record: Value = serde_json::from_str(line).expect("JSON");
        assert!(record["record"].is_string(), "{line}");
    }
    let part = home.json(&["export", "--scope", "project \"x\""]);
    let part = part["records"].as_array().expect("records");
    assert!(!part.is_empty() && part.iter().all(|record| record["scope"] == "project \"x\""), "{part:?}");
    // A scope in the environment is for the verbs that work in one: a backup is whole.
    let mut command = home.command(&["export"]);
    command.env("EBBTRACE_SCOPE", "project \"x\"");
    assert_eq!(super::support::ended(command).stdout, ran.stdout);
}

#[test]
fn h1_what_is_broken_imports_nothing_and_says_where() {
    // H1
    let home = full();
    home.text(&["export", "-o", "out.jsonl"]);
    let good = fs::read_to_string(home.path().join("out.jsonl")).expect("the export");
    let lines: Vec<&str> = good.lines().collect();
    let other = Home::new();
    other.remember("Here before", &["--id", "before"]);
    let before = other.records();
    let cut = &good[..good.len() - 40];
    let short = lines[..lines.len() - 1].join("\n");
    let dangling = lines.iter().filter(|line| !line.contains(r#""id":"rule""#)).chain([&r#"{"record":"edge","scope":"default","from":"limit","to":"gone","relation":"x","weight":1.0,"created_at":0,"reinforced_at":0}"#]).skip(1).copied().collect::<Vec<_>>().join("\n");
    let wrong = lines[1..].join("\n").replacen("\"importance\":", "\"importance\":9", 1);
    for (name, text, line) in [
        ("cut.jsonl", cut, lines.len()),
        ("short.jsonl", &short, lines.len() - 1),
        ("dangling.jsonl", &dangling, dangling.lines().count()),
        ("wrong.jsonl", &wrong, 1),
        ("blank.jsonl", "\n\n{\"content\": \"fine\"}\n{\"contents\": \"no\"}\n", 4),
        ("late.jsonl", "{\"content\": \"fine\"}\n\n{\"content\": \"bad\", \"importance\": 3}\n", 3),
        (
            "link.jsonl",
            "{\"content\": \"fine\", \"id\": \"x\"}\n{\"content\": \"y\", \"links\": [{\"to\": \"nobody\"}]}\n",
            2,
        ),
        ("typo.jsonl", "{\"content\": \"fine\", \"knd\": \"note\"}\n", 1),
        ("list.jsonl", "{\"content\": \"fine\"}\n[1]\n", 2),
        ("when.jsonl", "{\"content\": \"fine\", \"occurred_at\": \"then\"}\n", 1),
    ] {
        other.file(name, text);
        assert_eq!(other.refused(&["import", name], "broken_input"), "path", "{name}");
        let reason = other.run(&["import", name]).stderr;
        assert!(reason.contains(&format!("{name}, line {line}: ")), "{name}: {reason}");
        assert_eq!(other.records(), before, "{name}");
    }
    other.file("bytes.jsonl", b"{\"content\": \"fine\"}\n{\"content\": \"\xff\xfe\"}\n");
    assert_eq!(other.refused(&["import", "bytes.jsonl"], "broken_input"), "path");
    other.file("newer.jsonl", "{\"format\":\"ebbtrace\",\"version\":2}\n");
    assert_eq!(other.refused(&["import", "newer.jsonl"], "newer_export"), "path");
    // One broken file stops the good one beside it.
    other.file("good.jsonl", "{\"content\": \"fine\"}\n");
    assert_eq!(other.refused(&["import", "good.jsonl", "typo.jsonl"], "broken_input"), "path");
    assert_eq!(other.records(), before);
}

#[test]
fn plain_lines_are_remembered() {
    let home = Home::new();
    let text = "\u{feff}{\"content\": \"We use PostgreSQL\", \"id\": \"db\", \"kind\": \"decision\", \"occurred_at\": \"2026-01-31\"}\n\n\
                {\"content\": \"Backups run at two\", \"links\": [{\"to\": \"db\", \"relation\": \"about\"}], \"tags\": [\"ops\"], \"author\": null}\n\
                {\"content\": \"Backups run at two\", \"occurred_at\": 1769817600000}\n\
                {\"content\": \"The other office has a garden\", \"scope\": \"other\"}";
    let answer = {
        let ran = home.run_with(&["import", "-", "--json", "--now", "2026-02-01"], text);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.object()
    };
    assert_eq!((&answer["created"], &answer["reinforced"]), (&json!(3), &json!(1)), "{answer}");
    assert_eq!(home.memory("db")["occurred_at"], 1_769_817_600_000_i64);
    let about = home.records().into_iter().find(|record| record["relation"] == "about").expect("the link");
    assert_eq!(about["to"], "db");
    assert_eq!(home.recall("office garden", &["--scope", "other", "--now", "2026-02-02"]).len(), 1);
    let text = home.run_with(&["import", "-"], "{\"content\": \"A last one\"}\n").stdout;
    assert_eq!(text, "Imported from 1 file: 1 created.\n");
}

#[test]
fn a_scope_that_was_asked_for_is_the_only_one_an_import_writes_to() {
    let home = Home::new();
    home.file("plain.jsonl", "{\"content\": \"In b\"}\n{\"content\": \"In a\", \"scope\": \"a\"}\n");
    home.remember("In a scope of its own", &["--scope", "a"]);
    home.text(&["export", "-o", "out.jsonl"]);
    let before = home.records();
    for (name, line) in [("plain.jsonl", 2), ("out.jsonl", 2)] {
        assert_eq!(home.refused(&["import", name, "--scope", "b"], "other_scope"), "scope");
        let reason = home.run(&["import", name, "--scope", "b"]).stderr;
        assert!(
            reason.contains(&format!("{name}, line {line} is of the scope \"a\", and --scope is \"b\"")),
            "{reason}"
        );
    }
    assert_eq!(home.records(), before);
    // The one that the lines name is no other; and without an option each line goes where it says.
    assert_eq!(home.json(&["import", "out.jsonl", "--scope", "a"])["records"], 0);
    let mut command = home.command(&["import", "plain.jsonl", "--json"]);
    command.env("EBBTRACE_SCOPE", "b");
    assert_eq!(super::support::ended(command).object()["created"], 2);
    let of = |scope: &str| home.json(&["stats", "--scope", scope])["memories"].clone();
    assert_eq!((of("a"), of("b"), of("default")), (json!(2), json!(1), json!(0)));
}

#[test]
fn an_export_never_leaves_half_a_file() {
    let home = full();
    home.file("out.jsonl", "older");
    home.text(&["export", "-o", "out.jsonl"]);
    let names: Vec<String> = fs::read_dir(home.path())
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .filter(|name| name.contains("out.jsonl"))
        .collect();
    assert_eq!(names, ["out.jsonl"]);
    assert!(
        fs::read_to_string(home.path().join("out.jsonl")).expect("the export").starts_with("{\"format\":\"ebbtrace\"")
    );
}

#[test]
fn others_may_write_meanwhile() {
    let home = Home::new();
    let line = |number: i32| format!("{{\"content\": \"Line {number} of the file\", \"id\": \"line:{number}\"}}\n");
    home.file("lines.jsonl", (0..300).map(line).collect::<String>());
    home.remember("The first of all", &["--id", "first"]);
    let mut import = home.command(&["import", "lines.jsonl", "--json"]);
    let mut import = import.stdout(std::process::Stdio::piped()).spawn().expect("the binary starts");
    let mut written = 0;
    while import.try_wait().expect("its state").is_none() {
        home.remember("Written beside it", &["--id", &format!("beside:{written}")]);
        home.json(&["reinforce", "first"]);
        written += 1;
    }
    assert!(import.wait().expect("its end").success() && written > 0);
    assert_eq!(home.count("memory"), 301 + written);
    assert_eq!(home.memory("first")["recall_count"], written);
}

#[test]
fn h1_an_import_that_is_killed_leaves_nothing_or_all() {
    let home = Home::new();
    home.remember("Here before", &["--id", "before"]);
    let line = |number: i32| format!("{{\"content\": \"Line {number} of the file\", \"id\": \"line:{number}\"}}\n");
    home.file("lines.jsonl", (0..200).map(line).collect::<String>());
    for wait in [5, 40, 80, 120, 160, 200] {
        let mut import = home.command(&["import", "lines.jsonl"]).spawn().expect("the binary starts");
        std::thread::sleep(std::time::Duration::from_millis(wait));
        import.kill().expect("it is killed, or has ended");
        import.wait().expect("its end");
        let memories = home.count("memory");
        assert!(memories == 1 || memories == 201, "{memories} memories after {wait} ms");
    }
}
