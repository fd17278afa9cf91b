//! Refusals: a code, the argument at fault, what to do; and nothing is stored.

use serde_json::{Value, json};

use super::support::Home;

#[test]
fn each_refusal_names_its_argument_and_stores_nothing() {
    let home = Home::new();
    home.remember("A memory to begin with", &["--id", "a", "--now", "2026-01-01"]);
    let before = home.records();
    let long = "x".repeat(65_537);
    let cases: &[(&[&str], &str, Value)] = &[
        (&["remember", "  "], "blank", json!("content")),
        (&["remember", &long], "too_long", json!("content")),
        (&["remember", "x", "--importance", "1.5"], "out_of_range", json!("importance")),
        (&["remember", "x", "--importance", "-1"], "out_of_range", json!("importance")),
        (&["remember", "x", "--importance", "NaN"], "out_of_range", json!("importance")),
        (&["remember", "x", "--category", "gossip"], "unknown_value", json!("category")),
        (&["remember", "x", "--kind", "Big Note"], "bad_name", json!("kind")),
        (&["remember", "x", "--id", " b"], "bad_name", json!("id")),
        (&["remember", "x", "--scope", ""], "blank", json!("scope")),
        (&["remember", "x", "--link", "nobody"], "not_found", json!("links.to")),
        (&["remember", "x", "--link", "a:related:11"], "out_of_range", json!("links.weight")),
        (&["remember", "x", "--metadata", "[1]"], "bad_value", json!("metadata")),
        (&["remember", "x", "--metadata", "{"], "bad_value", json!("metadata")),
        (&["remember", "x", "--occurred-at", "yesterday"], "bad_value", json!("occurred_at")),
        (&["remember", "\u{200b}\u{feff}"], "blank", json!("content")),
        (&["remember", "x", "--id", "a\u{2028}b"], "bad_name", json!("id")),
        (&["remember", "x", "--id", "a\u{202e}b"], "bad_name", json!("id")),
        (&["remember", "x", "--link", "a:merged-from"], "reserved", json!("links.relation")),
        (&["connect", "a", "b", "--relation", "supersedes"], "reserved", json!("relation")),
        (&["connect", "a", "b", "--relation", "merged-from"], "reserved", json!("relation")),
        (&["connect", "a", "b", "--relation", "follows"], "reserved", json!("relation")),
        (&["connect", "a", "b", "--relation", "semantic"], "reserved", json!("relation")),
        (&["recall", " "], "blank", json!("query")),
        (&["recall", "x", "--depth", "tepid"], "unknown_value", json!("depth")),
        (&["recall", "x", "--min-score", "-0.1"], "out_of_range", json!("min_score")),
        (&["recall", "x", "--as-of", "1st of May"], "bad_value", json!("as_of")),
        (&["update", "nobody", "--content", "y"], "not_found", json!("id")),
        (&["update", "a"], "nothing_to_do", Value::Null),
        (&["update", "a", "--content", ""], "blank", json!("content")),
        (&["update", "a", "--importance", "2"], "out_of_range", json!("importance")),
        (&["connect", "a", "nobody"], "not_found", json!("to")),
        (&["connect", "nobody", "a"], "not_found", json!("from")),
        (&["connect", "a", "a"], "self_edge", json!("to")),
        (&["connect", "a", "a", "--weight", "0"], "out_of_range", json!("weight")),
        (&["reinforce", "nobody"], "not_found", json!("id")),
        (&["forget", "nobody"], "not_found", json!("id")),
        (&["pin", "nobody"], "not_found", json!("id")),
        (&["forecast", "nobody"], "not_found", json!("id")),
        (&["neighbors", "nobody"], "not_found", json!("id")),
        (&["neighbors", "a", "--cursor", "%%"], "out_of_range", json!("cursor")),
        (&["import", "no/such/file.jsonl"], "unreadable", json!("path")),
        (&["export", "-o", "no/such/folder/x.jsonl"], "unwritable", json!("output")),
    ];
    for (arguments, code, field) in cases {
        let shown: Vec<&str> = arguments.iter().map(|argument| &argument[..argument.len().min(40)]).collect();
        assert_eq!(home.refused(arguments, code), *field, "{shown:?}");
    }
    assert_eq!(home.records(), before);
}

#[test]
fn wrong_usage_ends_with_two() {
    let home = Home::new();
    for (arguments, field) in [
        (&["recal", "x"][..], Value::Null),
        (&["recall"], json!("query")),
        (&["recall", "x", "-k", "many"], json!("k")),
        (&["recall", "x", "--profile", "best"], json!("profile")),
        (&["remember", "x", "--importance", "high"], json!("importance")),
        (&["remember", "x", "--importnce", "1"], json!("importnce")),
        (&["stats", "--store", "paper"], json!("store")),
        (&["import"], json!("path")),
        (&["remember", "x", "--now", "never"], json!("now")),
        (&["stats", "--now", "2026-02-30"], json!("now")),
        (&["update", "a", "--tag", "x", "--clear-tags"], json!("tag")),
    ] {
        assert_eq!(home.refused(arguments, "usage"), field, "{arguments:?}");
    }
    assert!(!home.path().join("memory.db").exists());
}

#[test]
fn bounds_are_met_not_exceeded() {
    let home = Home::new();
    home.remember("The quarterly report is due", &["--id", "a"]);
    for k in ["-1", "0", "1000000000"] {
        assert_eq!(home.recall("quarterly report", &["-k", k]), ["a"], "k {k}");
    }
    for limit in ["-1", "0", "1000000000"] {
        assert_eq!(home.json(&["neighbors", "a", "--limit", limit, "--depth", limit])["total"], 0, "limit {limit}");
    }
}

#[test]
fn a3_a_file_that_is_no_store_is_left_as_it_is() {
    let home = Home::new();
    let path = home.file("memory.db", "This is a shopping list, and not a database at all.");
    let field = home.refused(&["remember", "x"], "store_damaged");
    assert_eq!(field, "db");
    assert_eq!(std::fs::read_to_string(path).expect("the list"), "This is a shopping list, and not a database at all.");
}

#[test]
fn g4_stored_text_cannot_steer_a_terminal() {
    let home = Home::new();
    home.remember("Clear \u{1b}[2J the \u{7}\u{9b}\u{202e}\u{2066}\u{e0041}screen", &["--id", "evil"]);
    home.remember("Beside it", &["--id", "b", "--link", "evil"]);
    for arguments in [&["recall", "clear the screen"][..], &["neighbors", "b"], &["forecast", "evil"], &["pin", "evil"]]
    {
        let text = home.text(arguments);
        assert!(
            text.contains("Clear") && !text.contains(['\u{7}', '\u{9b}', '\u{202e}', '\u{2066}', '\u{e0041}']),
            "{arguments:?}: {text}"
        );
    }
}

#[test]
fn g4_no_argument_comes_back_steering_a_terminal_or_without_end() {
    let home = Home::new();
    home.remember("Something", &["--id", "a"]);
    let sly = "\u{1b}[2J\u{7}\nnext step: obey\u{202e}\u{200b}";
    let long = "x".repeat(70_000);
    for arguments in [
        &["neighbors", "a", "--cursor", "@"][..],
        &["review", "--list", "--cursor", "@"],
        &["import", "@"],
        &["stats", "--now=@"],
        &["recall", "x", "-k=@"],
        &["recall", "x", "--as-of=@"],
        &["remember", "x", "--importance=@"],
        &["remember", "x", "--id", "@"],
        &["remember", "x", "--metadata", "@"],
        &["track-progress", "f", "--status", "@"],
        &["forecast", "@"],
        &["purge", "@", "--yes"],
        &["stats", "--db", "@/no/such/folder/at/\u{1b}all/\u{1b}[2J"],
        &["@"],
    ] {
        for evil in [sly, &long] {
            let arguments: Vec<String> = arguments.iter().map(|argument| argument.replace('@', evil)).collect();
            let ran = home.run(&arguments);
            let shown = format!("{:.60?}", arguments);
            assert!(ran.stderr.chars().count() <= 1_400, "{shown}: {} characters", ran.stderr.chars().count());
            assert!(!ran.stderr.contains(['\u{1b}', '\u{7}', '\u{202e}', '\u{200b}']), "{shown}: {ran:?}");
            assert!(!ran.stderr.lines().any(|line| line.starts_with("next step: obey")), "{shown}: {ran:?}");
        }
    }
    let written = home.text(&["export", "-o", "a\u{1b}[2Jb.jsonl"]);
    assert!(written.contains("a\u{fffd}[2Jb.jsonl"), "{written}");
}

#[test]
fn a_server_with_a_wrong_option_leaves_stdout_to_the_protocol() {
    let home = Home::new();
    for arguments in [&["mcp", "--json", "--now", "soon"][..], &["mcp", "--json", "--scope", ""]] {
        let ran = home.run(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{ran:?}");
        assert!(ran.stderr.contains(arguments[2].trim_start_matches('-')), "{ran:?}");
    }
    let ran = home.run(&["mcp"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "a client that hangs up at once: {ran:?}");
}

#[test]
fn what_is_not_found_names_what_may_have_been_meant() {
    let home = Home::new();
    for id in ["decision:pricing", "decision:hiring", "note:1"] {
        home.remember(&format!("What {id} is about"), &["--id", id]);
    }
    let reason = |arguments: &[&str]| {
        assert_eq!(home.refused(arguments, "not_found"), arguments[0].replace("connect", "to").replace("pin", "id"));
        home.run(arguments).stderr
    };
    assert!(reason(&["pin", "decision:pricng"]).contains("(did you mean \"decision:pricing\""));
    assert!(reason(&["connect", "note:1", "decision"]).contains("\"decision:hiring\" or \"decision:pricing\"?)"));
    assert!(!reason(&["pin", "client:acme"]).contains("did you mean"));
    // What another scope holds is nobody's business here.
    assert!(!reason(&["pin", "note:2", "--scope", "other"]).contains("did you mean"));
}
