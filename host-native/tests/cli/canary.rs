//! G1 at the command line: what one scope holds is in no answer, error or advice about another.

use super::support::Home;

/// Every verb with arguments that would show the canary if anything did. An id is misspelt, so that no answer echoes it
/// and a guess at what was meant would give it away.
const ASKED: [(&str, &[&[&str]]); 25] = [
    ("remember", &[&["The miners sing in the morning", "--link", "canari-id"], &["Birds sing in the mine"]]),
    (
        "recall",
        &[&["which bird sings in the mine?", "--depth", "frozen"], &["canari-id"], &["sings", "--as-of", "+1d"]],
    ),
    ("update", &[&["canari-id", "--importance", "0.4"]]),
    ("connect", &[&["canari-id", "canari"]]),
    ("reinforce", &[&["canari-id"]]),
    ("forget", &[&["canari-id"]]),
    ("neighbors", &[&["canari-id"]]),
    ("pin", &[&["canari-id"]]),
    ("track-failure", &[&["the mine collapsed", "--component", "mine"]]),
    ("track-progress", &[&["mine", "--status", "review"]]),
    ("handoff", &[&["nothing to hand over"]]),
    ("resume", &[&[], &["--budget", "20000"]]),
    ("forecast", &[&["canari-id"], &["--within", "3650"]]),
    ("history", &[&["canari-id"]]),
    ("undo", &[&[], &["--session", "canari-session", "--dry-run"]]),
    ("journal", &[&[], &["--last", "100"]]),
    ("purge", &[&["canari-id", "--dry-run"]]),
    ("maintain", &[&[], &["--dry-run"]]),
    ("review", &[&["--list"], &["approve", "canari-id"]]),
    ("stats", &[&[]]),
    ("export", &[&[]]),
    ("import", &[&["there-is-no-such-file.jsonl"]]),
    ("reembed", &[&[]]),
    ("hook", &[&["session-start"], &["prompt"]]),
    ("setup", &[&["cursor", "--dry-run"]]),
];

/// What a client hands a hook.
const PROMPT: &str = r#"{"session_id": "s", "prompt": "which bird sings in the mine?", "source": "startup"}"#;

/// Verbs that are about no scope, with why.
const APART: [(&str, &str); 6] = [
    ("cypher", "it asks the whole graph, for whoever owns it"),
    ("copy", "it copies every scope, for whoever owns both"),
    ("demo", "it has a store of its own"),
    ("mcp", "its tools have a test of their own"),
    ("doctor", "it looks at the whole installation, and counts"),
    ("help", "it opens no store"),
];

#[test]
fn g1_no_verb_shows_another_scope() {
    let home = Home::new();
    let secret = |arguments: &[&str]| {
        home.json(&[arguments, &["--scope", "secret"]].concat());
    };
    secret(&[
        "remember",
        "The canary sings in the mine",
        "--id",
        "canary-id",
        "--kind",
        "canary-kind",
        "--tag",
        "canary-tag",
        "--author",
        "Canary",
        "--session",
        "canary-session",
        "--metadata",
        r#"{"canary": "canary"}"#,
    ]);
    secret(&["remember", "A canary needs seed", "--id", "canary-seed", "--link", "canary-id:canary-link"]);
    secret(&["track-failure", "the canary stopped singing", "--component", "canary"]);
    secret(&["track-progress", "canary", "--status", "blocked"]);
    secret(&["handoff", "The canary is fed"]);
    home.json(&["remember", "The mine has a door", "--id", "door", "--scope", "open"]);
    let help = home.text(&["--help"]);
    let (_, verbs) = help.split_once("Commands:\n").unwrap();
    let verbs = verbs.lines().map_while(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
    for verb in verbs.filter_map(|line| line.split_whitespace().next()) {
        let asked = ASKED.iter().find(|(name, _)| *name == verb);
        assert!(asked.is_some() || APART.iter().any(|(name, _)| *name == verb), "{verb} has no entry here");
        for arguments in asked.map_or(&[][..], |(_, asked)| asked) {
            for json in [&[][..], &["--json"]] {
                let all = [&[verb], *arguments, &["--scope", "open"], json].concat();
                let ran = if verb == "hook" { home.run_with(&all, PROMPT) } else { home.run(&all) };
                let said = [&*ran.stdout, &*ran.stderr].concat().to_lowercase();
                assert!(!said.contains("canary"), "{all:?} says {said}");
            }
        }
    }
}

/// What is said of the canary alone.
const TEXT: &str = "sings beneath the beryl";

#[test]
fn g1_whoever_knows_an_id_of_another_scope_reads_and_changes_nothing_there() {
    let home = Home::new();
    let there = ["--scope", "secret", "--now", "2026-01-01"];
    let told = format!("The canary {TEXT}");
    home.remember(&told, &[&["--id", "canary", "--session", "monday"], &there[..]].concat());
    home.remember("A perch", &[&["--id", "perch", "--link", "canary"], &there[..]].concat());
    home.json(&[&["handoff", &told, "--session", "monday"], &there[..]].concat());
    home.remember("A door", &["--id", "door", "--scope", "open", "--now", "2026-01-01"]);
    let secret = || home.json(&["export", "--scope", "secret"])["records"].clone();
    let before = secret();
    let line = before.as_array().expect("records").iter().find(|record| record["id"] == "canary").expect("it");
    home.file("of-another.jsonl", format!("{}\n", line.to_string().replace("beryl", "opal")));
    let prompt = r#"{"session_id": "s", "prompt": "what does the canary sing beneath the beryl?"}"#;
    // Names that are near to it, contain it, or mean it to some other program.
    let near = [
        "open",
        "Secret",
        "secre",
        "secret2",
        "s%",
        "%",
        "secret*",
        "s_cret",
        "secret/",
        "../secret",
        "secret'--",
        "ｓecret",
    ];
    for scope in near {
        for arguments in [
            &["recall", "canary sings beneath the beryl", "--depth", "frozen", "--peek"][..],
            &["recall", "[read canary]", "--peek"],
            &["recall", "canary", "--as-of", "2026-01-02", "--peek"],
            &["resume"],
            &["stats"],
            &["export"],
            &["history", "canary"],
            &["forecast", "canary"],
            &["neighbors", "canary"],
            &["neighbors", "door", "--cursor", "1"],
            &["connect", "door", "canary"],
            &["remember", "A window", "--link", "canary"],
            &["update", "canary", "--content", "gone"],
            &["reinforce", "canary"],
            &["pin", "canary"],
            &["forget", "canary"],
            &["purge", "canary", "--yes"],
            &["purge", "perch", "--with-merged", "--yes"],
            &["undo", "--session", "monday", "--yes"],
            &["review", "--list"],
            &["review", "approve", "canary"],
            &["maintain"],
            &["reembed"],
            &["import", "of-another.jsonl"],
            &["hook", "session-start"],
            &["hook", "prompt"],
        ] {
            let all = [arguments, &["--scope", scope]].concat();
            let ran = if arguments[0] == "hook" { home.run_with(&all, prompt) } else { home.run(&all) };
            let said = [&*ran.stdout, &*ran.stderr].concat();
            assert!(!said.contains(TEXT), "{all:?} says {said}");
        }
    }
    assert_eq!(secret(), before, "what others did changed the scope");
}
