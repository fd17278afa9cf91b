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
    assert!(changed.contains("1 updated, 2 unchanged, 1 link made"), "{changed}");
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
fn a_file_of_before_does_not_end_what_was_said_since() {
    let home = Home::new();
    dated(&home.file("notes/limit.md", "The upload limit is 30 MB."), MONDAY);
    home.json(&["import", "notes", "--now", NOW]);
    let answer = home.json(&["remember", "The upload limit is 50 MB.", "--now", NOW]);
    assert_eq!((&answer["resolution"], &answer["id"]), (&json!("replaced"), &json!("notes/limit.md")));
    dated(&home.file("notes/limit.md", "The upload limit is 40 MB."), MONDAY + 60);
    let again = home.json(&["import", "notes", "--now", NOW]);
    assert_eq!(again["outdated"], 1, "{again}");
    assert_eq!(home.memory("notes/limit.md")["content"], "The upload limit is 50 MB.");
    assert!(home.records().iter().any(|record| record["content"] == "The upload limit is 40 MB."));
}

/// Two files are two things, whatever they say.
#[test]
fn two_files_never_end_each_other() {
    let home = Home::new();
    home.file("notes/project-1.md", "The budget is 100 EUR.");
    home.file("notes/project-2.md", "The budget is 200 EUR.");
    assert_eq!(home.json(&["import", "notes"])["created"], 2);
    assert_eq!(home.memory("notes/project-1.md")["state"], "active");
    assert_eq!(home.memory("notes/project-2.md")["state"], "active");
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
    assert_eq!(answer["created"], 3, "{answer}");
}

#[cfg(unix)]
#[test]
fn links_out_of_the_folder_are_not_followed() {
    use std::os::unix::fs::symlink;

    let home = Home::new();
    let at = |name: &str| home.path().join(name);
    home.file("secret.txt", "The hint is quokka77");
    home.file("elsewhere/e.md", "The hint is quokka78");
    home.file("notes/deep/a.md", "Lunch is at noon");
    symlink(at("secret.txt"), at("notes/p.md")).expect("a link");
    symlink("../secret.txt", at("notes/deep/q.markdown")).expect("a link to nowhere");
    symlink("../../secret.txt", at("notes/deep/r.markdown")).expect("a link");
    symlink("/etc/passwd", at("notes/s.md")).expect("a link");
    symlink(at("elsewhere"), at("notes/out")).expect("a link");
    // A link to a link that leads out, and a sibling whose name only begins alike.
    symlink("p.md", at("notes/t.md")).expect("a link");
    home.file("notes-of-others/u.md", "The hint is quokka79");
    symlink(at("notes-of-others"), at("notes/others")).expect("a link");
    // What stays inside is followed.
    symlink("deep/a.md", at("notes/in.md")).expect("a link");
    let answer = home.json(&["import", "notes", "--now", NOW]);
    assert_eq!((&answer["outside"], &answer["files"]), (&json!(6), &json!(2)), "{answer}");
    assert!(!home.records().iter().any(|record| record.to_string().contains("quokka")));
    assert!(!home.records().iter().any(|record| record.to_string().contains("root:")));
    let text = home.run(&["import", "notes", "--now", NOW]).stdout;
    assert!(text.contains("6 passed over, since they lead out of the folder"), "{text}");
    assert!(text.contains("note: passed over: out leads out of the folder"), "{text}");
    // Whoever names a link means what it leads to.
    home.json(&["import", "notes/out", "--now", NOW]);
    assert_eq!(home.memory("elsewhere/e.md")["content"], "The hint is quokka78");
}

#[test]
fn what_the_memory_refuses_imports_nothing() {
    let home = vault();
    home.file("notes/z.md", format!("---\nblob: {}\n---\nToo much beside the text.\n", "x".repeat(20_000)));
    assert_eq!(home.refused(&["import", "notes", "--now", NOW], "broken_input"), "path");
    assert!(home.run(&["import", "notes"]).stderr.contains("notes/z.md: metadata has "));
    assert_eq!(home.count("memory"), 0);
}

#[test]
fn the_summary_says_what_arrived_archived_and_how_to_have_it_fresh() {
    let home = Home::new();
    for (name, text, seconds) in [
        ("notes/new.md", "The harbour office opens at nine", MONDAY + 26 * 86_400),
        ("notes/old.md", "Priya plays the cello on Fridays", MONDAY - 30 * 86_400),
        ("notes/older.md", "The lease of the depot ends in June", MONDAY - 700 * 86_400),
    ] {
        dated(&home.file(name, text), seconds);
    }
    let ran = home.text(&["import", "notes", "--now", NOW]);
    for part in [
        "By their age they stand at: 1 hot, 0 warm, 1 cold, 1 frozen.\n",
        "`ebbtrace recall QUERY --depth frozen`",
        "import again with --touch",
    ] {
        assert!(ran.contains(part), "{part:?} is not in {ran}");
    }
    // What the summary says is what the memory says.
    let stats = home.json(&["stats", "--now", NOW]);
    assert_eq!(stats["tiers"], json!({ "hot": 1, "warm": 0, "cold": 1, "frozen": 1 }));
    assert_eq!(home.recall("when does the lease of the depot end", &["--depth", "frozen"]), ["notes/older.md"]);
    let again = home.json(&["import", "notes", "--now", NOW]);
    assert_eq!((&again["unchanged"], &again["tiers"]["frozen"]), (&json!(3), &json!(0)), "{again}");
    // As used today: those that are there are used again, and what is new comes in fresh.
    dated(&home.file("notes/oldest.md", "Otto is allergic to peanuts"), MONDAY - 900 * 86_400);
    home.json(&["forget", "notes/old.md", "--now", NOW]);
    let touched = home.json(&["import", "notes", "--touch", "--now", "2026-02-02"]);
    let counts = (&touched["created"], &touched["reinforced"], &touched["unchanged"]);
    assert_eq!(counts, (&json!(1), &json!(2), &json!(1)), "{touched}");
    assert_eq!(touched["tiers"], json!({ "hot": 3, "warm": 0, "cold": 0, "frozen": 0 }));
    assert_eq!(home.memory("notes/old.md")["state"], "archived", "what a person put away stays away");
    // When it happened is still the file's time.
    let oldest = home.memory("notes/oldest.md");
    assert_eq!(oldest["occurred_at"], (MONDAY - 900 * 86_400) * 1_000);
    assert_eq!(oldest["last_accessed_at"], 1_769_990_400_000_i64);
    assert_eq!(home.json(&["import", "notes", "--touch", "--now", "2026-02-02"])["unchanged"], 4);
}

#[test]
fn an_export_says_where_its_memories_stand() {
    let home = vault();
    home.json(&["import", "notes", "--now", NOW]);
    home.text(&["export", "-o", "out.jsonl"]);
    let other = Home::new();
    let path = home.path().join("out.jsonl");
    let path = path.to_str().expect("UTF-8");
    let text = other.text(&["import", path, "--now", "2027-02-01"]);
    assert!(text.contains("0 hot, 0 warm, ") && !text.contains("--touch"), "{text}");
    let again = other.json(&["import", path, "--now", "2027-02-01"]);
    assert_eq!(again["tiers"], json!({ "hot": 0, "warm": 0, "cold": 0, "frozen": 0 }));
}

#[test]
fn two_files_never_share_an_id() {
    let home = Home::new();
    dated(&home.file("a/notes/x.md", "The tram stops at the harbour"), MONDAY);
    dated(&home.file("b/notes/x.md", "Priya plays the cello"), MONDAY);
    dated(&home.file("b/notes/sub/x.md", "Lunch is at noon"), MONDAY);
    // Within one import, and over two.
    assert_eq!(home.refused(&["import", "a/notes", "b/notes", "--now", NOW], "id_collision"), "path");
    assert_eq!(home.count("memory"), 0);
    home.json(&["import", "a/notes", "--now", NOW]);
    assert_eq!(home.refused(&["import", "b/notes", "--now", NOW], "id_collision"), "path");
    let reason = home.run(&["import", "b/notes"]).stderr;
    for part in ["a/notes/x.md", "b/notes/x.md would be notes/x.md", "--prefix NAME"] {
        assert!(reason.contains(part), "{part:?} is not in {reason}");
    }
    let answer = home.json(&["import", "b/notes", "--prefix", "b/notes", "--now", NOW]);
    assert_eq!((&answer["created"], &answer["archived"]), (&json!(2), &json!(0)), "{answer}");
    assert_eq!(home.memory("notes/x.md")["content"], "The tram stops at the harbour");
    assert_eq!(home.memory("b/notes/x.md")["content"], "Priya plays the cello");
    assert_eq!(home.memory("b/notes/sub/x.md")["content"], "Lunch is at noon");
    // Each again, and a file given twice: nothing new.
    let again = home.json(&["import", "b/notes", "b/notes/x.md", "--prefix", "b/notes", "--now", NOW]);
    assert_eq!((&again["unchanged"], &again["created"], &again["files"]), (&json!(2), &json!(0), &json!(2)));
    assert_eq!(home.json(&["import", "a/notes", "--now", NOW])["unchanged"], 1);
    // Nor does one take the place of what was put away.
    home.json(&["forget", "notes/x.md", "--now", NOW]);
    assert_eq!(home.refused(&["import", "b/notes", "--now", NOW], "id_collision"), "path");
    home.json(&["reinforce", "notes/x.md", "--now", NOW]);
    // A file that can't be read says nothing, and what it said before stays.
    dated(&home.file("b/notes/sub/x.md", b"Caf\xe9 at nine"), MONDAY + 60);
    let unread = home.json(&["import", "b/notes", "--prefix", "b/notes", "--now", NOW]);
    assert_eq!((&unread["archived"], &unread["unchanged"]), (&json!(0), &json!(1)), "{unread}");
    assert_eq!(home.memory("b/notes/sub/x.md")["state"], "active");
    // A folder that has moved is the same folder.
    fs::rename(home.path().join("a"), home.path().join("c")).expect("it moves");
    assert_eq!(home.json(&["import", "c/notes", "--now", NOW])["unchanged"], 1);
    dated(&home.file("c/notes/x.md", "The tram stops at the market"), MONDAY + 60);
    assert_eq!(home.json(&["import", "c/notes", "--now", NOW])["updated"], 1);
    let uri = home.memory("notes/x.md")["source"]["uri"].clone();
    assert!(uri.as_str().is_some_and(|uri| uri.starts_with("file:///") && uri.ends_with("/c/notes/x.md")), "{uri}");
}

#[test]
fn other_names_lead_to_a_note_and_its_type_is_its_kind() {
    let home = Home::new();
    for (name, text) in [
        ("notes/dwayne.md", "---\naliases: [The Rock, DJ]\ntype: Person\n---\nActs in films.\n"),
        ("notes/film.md", "---\naliases: Picture\n---\nWith [[the rock]] and [[DJ|Dwayne]]; see [[Set]].\n"),
        ("notes/set.md", "Built by hand."),
        ("notes/other.md", "---\naliases: set\n---\nThe name of a file goes before another's alias."),
    ] {
        dated(&home.file(name, text), MONDAY);
    }
    let answer = home.json(&["import", "notes", "--now", NOW]);
    assert_eq!(answer["notices"], json!([]), "{answer}");
    let expected = [("notes/film.md", "notes/dwayne.md"), ("notes/film.md", "notes/set.md")];
    assert_eq!(links(&home), expected.map(|(from, to)| (from.to_owned(), to.to_owned())));
    let dwayne = home.memory("notes/dwayne.md");
    assert_eq!((&dwayne["kind"], &dwayne["metadata"]), (&json!("person"), &json!({ "aliases": ["The Rock", "DJ"] })));
    // A file alone finds the names of those that were imported before.
    dated(&home.file("notes/later.md", "A [[picture]] of last year."), MONDAY + 60);
    home.json(&["import", "notes/later.md", "--now", NOW]);
    assert!(links(&home).contains(&("notes/later.md".to_owned(), "notes/film.md".to_owned())));
}
