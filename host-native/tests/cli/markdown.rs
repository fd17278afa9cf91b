//! Markdown files and folders.

use std::{
    fs,
    path::Path,
    time::{Duration, UNIX_EPOCH},
};

use serde_json::{Value, json};

use super::support::Home;

/// 2026-01-05T00:00:00Z in seconds.
const MONDAY: u64 = 1_767_571_200;
const NOW: &str = "2026-02-01";

fn dated(path: &Path, seconds: u64) {
    let file = fs::File::options().write(true).open(path).expect("the file");
    file.set_modified(UNIX_EPOCH + Duration::from_secs(seconds)).expect("its time is set");
}

fn vault() -> Home {
    let home = Home::new();
    for (name, text) in [
        (
            "notes/a.md",
            "---\ntitle: Pricing\ntags: [money, \"#q1\"]\nkind: Decision\nimportance: 0.8\ndate: 2025-12-24\nclient: ACME\n---\n\
             We charge by outcome. See [[B]] and [the plan](sub/c%20d.md#costs), [site](https://x.org/y.md), [[Missing]].\n",
        ),
        ("notes/b.md", "# Beta test\n\nTwelve shops take part. Back to [[a]].\n"),
        ("notes/sub/c d.md", "# Plan\n\nHire two people in spring, up to [here](../b.md).\n"),
        ("notes/.hidden/x.md", "not to be read"),
        ("notes/.secret.md", "not to be read"),
        ("notes/picture.txt", "not to be read"),
        ("notes/empty.md", "  \n"),
    ] {
        dated(&home.file(name, text), MONDAY);
    }
    home
}

fn links(home: &Home) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let found = home.records().into_iter().filter(|record| record["relation"] == "links-to");
    found.map(|edge| (text(&edge["from"]), text(&edge["to"]))).collect()
}

#[test]
fn a_folder_becomes_linked_memories() {
    let home = vault();
    let answer = home.json(&["import", "notes", "--now", NOW]);
    assert_eq!((&answer["files"], &answer["created"]), (&json!(4), &json!(3)), "{answer}");
    let a = home.memory("notes/a.md");
    assert!(a["content"].as_str().expect("text").starts_with("# Pricing\n\nWe charge by outcome."), "{a}");
    assert_eq!((&a["kind"], &a["tags"], &a["importance"]), (&json!("decision"), &json!(["money", "q1"]), &json!(0.8)));
    assert_eq!(a["metadata"], json!({ "title": "Pricing", "client": "ACME" }));
    // The front matter's date is when it happened; the file's time is the clock it fades by.
    assert_eq!((&a["occurred_at"], &a["last_accessed_at"]), (&json!(1_766_534_400_000_i64), &json!(MONDAY * 1_000)));
    assert_eq!(a["created_at"], MONDAY * 1_000);
    let expected = [
        ("notes/a.md", "notes/b.md"),
        ("notes/a.md", "notes/sub/c d.md"),
        ("notes/b.md", "notes/a.md"),
        ("notes/sub/c d.md", "notes/b.md"),
    ];
    assert_eq!(links(&home), expected.map(|(from, to)| (from.to_owned(), to.to_owned())));
    let edge = home.records().into_iter().find(|record| record["relation"] == "links-to").expect("a link");
    assert_eq!(edge["reinforced_at"], MONDAY * 1_000);
    let notices: Vec<&str> = answer["notices"].as_array().expect("notices").iter().filter_map(Value::as_str).collect();
    assert_eq!(
        notices,
        ["notes/empty.md is empty and was passed over", "notes/a.md links to what isn't there: Missing"]
    );
    assert_eq!(home.recall("how many shops take part in the test", &["--now", NOW])[0], "notes/b.md");
}

#[test]
fn importing_again_updates_and_never_doubles() {
    let home = vault();
    home.json(&["import", "notes", "--now", NOW]);
    let before = home.records();
    let again = home.json(&["import", home.path().join("notes/../notes/").to_str().expect("UTF-8"), "--now", NOW]);
    assert_eq!((&again["unchanged"], &again["created"], &again["edges"]), (&json!(3), &json!(0), &json!(0)), "{again}");
    assert_eq!(home.records(), before);
    dated(&home.file("notes/b.md", "# Beta test\n\nFourteen shops take part. On to [[c d]].\n"), MONDAY + 86_400);
    let changed = home.text(&["import", "notes", "--now", NOW]);
    assert!(changed.contains("1 updated, 2 unchanged, 1 links made"), "{changed}");
    let b = home.memory("notes/b.md");
    assert!(b["content"].as_str().expect("text").contains("Fourteen shops"));
    assert_eq!((&b["version"], &b["last_accessed_at"]), (&json!(2), &json!((MONDAY + 86_400) * 1_000)));
    assert_eq!(links(&home).len(), 5);
    // A file alone keeps the id that it has in its folder.
    let alone = home.json(&["import", "notes/a.md", "--now", NOW]);
    assert_eq!((&alone["unchanged"], &alone["edges"]), (&json!(1), &json!(0)), "{alone}");
}

#[test]
fn a_long_file_is_one_session_of_several_memories() {
    let home = Home::new();
    let part = |word: &str| format!("{word} comes up again in this part of the long report.\n").repeat(200);
    let text = format!(
        "# Report\n\nIntroduction.\n\n## Harbour\n\n{}\n## Orchard\n\n{}\nSee [above](#harbour).\n",
        part("Harbour"),
        part("Orchard"),
    );
    dated(&home.file("notes/report.md", &text), MONDAY);
    let answer = home.json(&["import", "notes", "--now", NOW]);
    let ids: Vec<Value> = home
        .records()
        .iter()
        .filter(|record| record["record"] == "memory")
        .map(|record| record["id"].clone())
        .collect();
    assert_eq!(ids, ["notes/report.md", "notes/report.md#harbour", "notes/report.md#orchard"], "{answer}");
    for (id, position) in [("notes/report.md", 1), ("notes/report.md#harbour", 2), ("notes/report.md#orchard", 3)] {
        let source = &home.memory(id)["source"];
        assert_eq!((&source["session"], &source["position"]), (&json!("notes/report.md"), &json!(position)));
    }
    assert_eq!(links(&home), [("notes/report.md#orchard".to_owned(), "notes/report.md#harbour".to_owned())]);
    let again = home.json(&["import", "notes", "--now", NOW]);
    assert_eq!(again["unchanged"], 3, "{again}");
    // A part that the file no longer has is put away, and nothing else is.
    home.remember("Not from a file", &["--id", "notes/report.md#mine", "--now", NOW]);
    let shorter = &text[..text.find("## Orchard").expect("the last part")];
    dated(&home.file("notes/report.md", shorter), MONDAY + 60);
    let whole = text.clone();
    let text = home.text(&["import", "notes", "--now", NOW]);
    assert!(text.contains("2 unchanged, 1 archived"), "{text}");
    let orchard = home.memory("notes/report.md#orchard");
    assert_eq!((&orchard["state"], &orchard["reason"]), (&json!("archived"), &json!("no longer in notes/report.md")));
    assert_eq!(home.memory("notes/report.md#mine")["state"], "active");
    // When the file says it again, it is back; what a person put away stays away.
    home.json(&["forget", "notes/report.md#harbour", "--now", NOW]);
    dated(&home.file("notes/report.md", whole), MONDAY + 120);
    let back = home.json(&["import", "notes", "--now", NOW]);
    assert_eq!((&back["updated"], &back["unchanged"]), (&json!(1), &json!(2)), "{back}");
    assert_eq!(home.memory("notes/report.md#orchard")["state"], "active");
    assert_eq!(home.memory("notes/report.md#harbour")["state"], "archived");
}

#[test]
fn what_was_replaced_since_is_left_as_it_is() {
    let home = Home::new();
    dated(&home.file("notes/limit.md", "The upload limit is 30 MB."), MONDAY);
    home.json(&["import", "notes", "--now", NOW]);
    let answer = home.json(&["remember", "The upload limit is 50 MB.", "--id", "limit", "--now", NOW]);
    assert_eq!(answer["resolution"], "replaced");
    dated(&home.file("notes/limit.md", "The upload limit is 30 MB!"), MONDAY + 60);
    let again = home.json(&["import", "notes", "--now", NOW]);
    let notice = "notes/limit.md changed, but limit has taken its place: it was left as it is";
    assert_eq!((&again["unchanged"], &again["notices"]), (&json!(1), &json!([notice])), "{again}");
    assert_eq!(home.memory("notes/limit.md")["content"], "The upload limit is 30 MB.");
}

#[cfg(unix)]
#[test]
fn loops_and_strange_bytes_are_named_not_fatal() {
    use std::os::unix::fs::symlink;

    let home = vault();
    home.file("notes/latin.md", b"Caf\xe9 at nine\n");
    home.file("elsewhere/deep/e.md", "# Elsewhere\n\nThe key is under the mat.\n");
    symlink(home.path().join("notes"), home.path().join("notes/sub/up")).expect("a link");
    symlink(home.path().join("elsewhere"), home.path().join("notes/out")).expect("a link");
    symlink(home.path().join("notes"), home.path().join("elsewhere/back")).expect("a link");
    symlink("nowhere", home.path().join("notes/broken.md")).expect("a link");
    let answer = home.json(&["import", "notes", "--now", NOW]);
    let notices = answer["notices"].to_string();
    assert!(notices.contains("notes/latin.md was passed over: it is not UTF-8"), "{notices}");
    assert!(notices.contains("broken.md"), "{notices}");
    assert_eq!(home.memory("notes/out/deep/e.md")["content"], "# Elsewhere\n\nThe key is under the mat.");
    assert_eq!(answer["created"], 4, "{answer}");
}

#[test]
fn what_the_memory_refuses_imports_nothing() {
    let home = vault();
    home.file("notes/z.md", format!("---\nblob: {}\n---\nToo much beside the text.\n", "x".repeat(20_000)));
    assert_eq!(home.refused(&["import", "notes", "--now", NOW], "broken_input"), "path");
    assert!(home.run(&["import", "notes"]).stderr.contains("notes/z.md: metadata has "));
    assert_eq!(home.count("memory"), 0);
}
