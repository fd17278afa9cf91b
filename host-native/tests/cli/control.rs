//! History, the forecast of a scope, undo and purge, as a person and a script use them.

use ebbtrace::store::{MemoryStore, SqliteStore};
use ebbtrace::{
    Service,
    clock::FixedClock,
    service::{Options, Receipt},
    store::Store,
};
use ebbtrace_core::{RememberInput, Timestamp, UpdateInput};
use serde_json::{Value, json};

use super::support::Home;

fn ids(value: &Value) -> Vec<&str> {
    value.as_array().expect("a list").iter().map(|id| id.as_str().expect("an id")).collect()
}

/// Where any of `canaries` is in a file of the folder: the store, its log, an export.
fn traces(home: &Home, canaries: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(home.path()).expect("the folder") {
        let path = entry.expect("an entry").path();
        let bytes = std::fs::read(&path).expect("a file");
        let holds = |canary: &&&str| bytes.windows(canary.len()).any(|window| window == canary.as_bytes());
        found.extend(canaries.iter().filter(holds).map(|canary| format!("{canary} in {}", path.display())));
    }
    found
}

#[test]
fn undo_names_the_sessions_there_are_and_refuses_an_unknown_one() {
    let home = Home::new();
    assert!(home.text(&["undo"]).starts_with("No session has written here"));
    home.remember("We use MySQL", &["--id", "db", "--session", "monday", "--now", "2026-01-01"]);
    home.remember("Lunch is at noon", &["--session", "monday", "--now", "2026-01-02"]);
    home.json(&["update", "db", "--content", "We use PostgreSQL", "--session", "tuesday", "--now", "2026-01-03"]);
    home.remember("In another scope", &["--session", "elsewhere", "--scope", "other"]);
    let list = home.json(&["undo"]);
    let said: Vec<Value> = list["items"]
        .as_array()
        .expect("items")
        .iter()
        .map(|one| json!([one["session"], one["client"], one["first_at"], one["last_at"], one["memories"]]))
        .collect();
    assert_eq!(
        said,
        [
            json!(["tuesday", "ebbtrace-cli", "2026-01-03T00:00:00Z", "2026-01-03T00:00:00Z", 1]),
            json!(["monday", "ebbtrace-cli", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", 2]),
        ]
    );
    let text = home.text(&["undo"]);
    for part in ["tuesday", "monday", "2026-01-02", "2 of 2 shown", "undo --session NAME --dry-run"] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    let page = home.json(&["undo", "--limit", "1"]);
    let rest = home.json(&["undo", "--limit", "1", "--cursor", page["cursor"].as_str().expect("a cursor")]);
    assert_eq!(rest["items"][0]["session"], "monday");
    let records = home.records();
    let refused = home.run(&["undo", "--session", "mnday", "--yes"]).stderr;
    assert!(refused.contains("session is \"mnday\", and the scope \"default\" has no such session"), "{refused}");
    assert!(
        refused.contains("next step: Nothing was changed. See which sessions there are: `ebbtrace undo`"),
        "{refused}"
    );
    assert_eq!(home.refused(&["undo", "--dry-run"], "usage"), "session");
    assert_eq!(home.records(), records);
}

#[test]
fn g2_the_journal_tells_what_was_done_and_nothing_of_what_was_purged() {
    let home = Home::new();
    assert_eq!(home.json(&["journal"])["entries"], json!([]));
    home.remember("We use quokka77", &["--id", "quokka-id", "--session", "quokka-session", "--now", "2026-01-01"]);
    home.remember("Lunch is at noon", &["--id", "lunch", "--session", "monday", "--now", "2026-01-02"]);
    home.json(&["connect", "quokka-id", "lunch", "--now", "2026-01-02"]);
    home.remember("Elsewhere", &["--id", "far", "--scope", "other", "--now", "2026-01-03"]);
    let all = home.json(&["journal"]);
    let entries = all["entries"].as_array().expect("entries");
    let said =
        |of: &Value| json!([of["revision"], of["at"], of["operation"], of["scopes"], of["sessions"], of["clients"]]);
    assert_eq!(
        entries.iter().map(said).collect::<Vec<_>>(),
        [
            json!([4, "2026-01-03T00:00:00Z", "remember", ["other"], [], ["ebbtrace-cli"]]),
            json!([3, "2026-01-02T00:00:00Z", "connect", ["default"], [], []]),
            json!([2, "2026-01-02T00:00:00Z", "remember", ["default"], ["monday"], ["ebbtrace-cli"]]),
            json!([1, "2026-01-01T00:00:00Z", "remember", ["default"], ["quokka-session"], ["ebbtrace-cli"]]),
        ]
    );
    assert_eq!(home.json(&["journal", "--last", "1"])["entries"].as_array().map(Vec::len), Some(1));
    // G1: one scope alone, where it is named.
    let far = home.json(&["journal", "--scope", "other"]);
    assert_eq!((far["entries"].as_array().map(Vec::len), &far["entries"][0]["memories"]), (Some(1), &json!(["far"])));
    home.json(&["purge", "quokka-id", "--yes"]);
    for ran in [home.run(&["journal"]), home.run(&["journal", "--json"])] {
        assert!(!ran.stdout.contains("quokka") && ran.stdout.contains("purge"), "{}", ran.stdout);
    }
    let text = home.text(&["journal"]);
    for part in ["remember", "monday, ebbtrace-cli", "lunch", "purged since", "not kept"] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
}

#[test]
fn history_shows_each_text_and_leads_from_an_old_one_to_the_current() {
    let home = Home::new();
    let old = ["--id", "db", "--session", "monday", "--author", "Ann", "--now", "2026-01-01"];
    home.remember("We use MySQL", &old);
    home.json(&["update", "db", "--content", "We use PostgreSQL", "--session", "tuesday", "--now", "2026-01-02"]);
    let history = home.json(&["history", "db", "--now", "2026-02-01"]);
    let versions = history["versions"].as_array().expect("versions");
    assert_eq!((&history["current"], versions.len()), (&json!("db"), 2));
    let first = &versions[0];
    assert_eq!(
        [&first["content"], &first["since"], &first["until"], &first["ended"], &first["session"], &first["author"]],
        ["We use MySQL", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", "edited", "monday", "Ann"]
    );
    assert_eq!((&versions[1]["session"], &versions[1]["since"]), (&json!("tuesday"), &json!("2026-01-02T00:00:00Z")));
    assert_eq!(versions[1]["until"], Value::Null);
    let version = first["id"].as_str().expect("an id");
    let text = home.text(&["history", version, "--now", "2026-02-01"]);
    for part in [
        &*format!("{version} is history: db took its place."),
        "2026-01-01T00:00:00Z to 2026-01-02T00:00:00Z",
        "edited, said by Ann, client ebbtrace-cli, session monday",
        "since 2026-01-02T00:00:00Z  db",
        "We use PostgreSQL",
        "2 texts",
    ] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    assert_eq!(home.refused(&["history", "nobody"], "not_found"), "id");
}

#[test]
fn a_forecast_of_the_scope_is_a_table_soonest_first() {
    let home = Home::new();
    home.remember("Lunch is at noon", &["--id", "lunch", "--now", "2026-01-01"]);
    home.remember("The badge printer is on the third floor", &["--id", "printer", "--now", "2026-01-06"]);
    // Each has 0.5 x 2^(-days / 30) by its use: 0.15 after 52.11 days, 2026-02-21 and five days later.
    let now = ["--now", "2026-01-06"];
    let fading = home.json(&[&["forecast", "--within", "60"], &now[..]].concat());
    let coming = fading["coming"].as_array().expect("a list");
    assert_eq!((&fading["archived"], &fading["proposed"], coming.len()), (&json!(2), &json!(0), 2), "{fading}");
    let told = coming.iter().map(|one| (one["id"].as_str(), one["fade"].as_str(), &one["at"].as_str().unwrap()[..10]));
    let expected = [("lunch", "2026-02-22"), ("printer", "2026-02-27")];
    let expected = expected.map(|(id, day)| (Some(id), Some("archived"), day));
    assert_eq!(told.collect::<Vec<_>>(), expected);
    let text = home.text(&[&["forecast", "--within", "60"], &now[..]].concat());
    for part in ["2026-02-22", "47 days", "archived", "lunch", "Lunch is at noon", "2 of 2 shown", "60 days"] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    let one = home.json(&[&["forecast", "--within", "60", "--limit", "1"], &now[..]].concat());
    assert_eq!((ids(&json!([one["coming"][0]["id"]])), &one["archived"]), (vec!["lunch"], &json!(2)));
    assert!(home.text(&[&["forecast"], &now[..]].concat()).starts_with("Nothing sinks within 30 days"));
    assert_eq!(home.refused(&["forecast", "--within", "0"], "out_of_range"), "within");
    home.refused(&["forecast", "lunch", "--within", "3"], "usage");
}

/// One session's work on another's.
fn two_sessions() -> Home {
    let home = Home::new();
    home.remember("The rent is 900 euros", &["--id", "rent", "--session", "theirs", "--now", "2026-01-01"]);
    home.remember("The key lies under the mat", &["--id", "key", "--session", "ours", "--now", "2026-01-02"]);
    home.remember("The rent is 950 euros", &["--id", "rent", "--session", "ours", "--now", "2026-01-03"]);
    home
}

#[test]
fn undo_takes_back_one_session_after_a_look() {
    let home = two_sessions();
    let before = home.records();
    let now = ["--now", "2026-01-04"];
    let look = home.json(&[&["undo", "--session", "ours", "--dry-run"], &now[..]].concat());
    assert_eq!(
        (&look["dry_run"], ids(&look["archived"]), ids(&look["reverted"])),
        (&json!(true), vec!["key"], vec!["rent"])
    );
    assert_eq!(home.refused(&["undo", "--session", "ours"], "needs_yes"), "yes");
    assert_eq!(home.run_with(&["undo", "--session", "ours"], "yes\n").code, Some(1), "a pipe is no keyboard");
    assert_eq!(home.refused(&["undo", "--session", "nobody's", "--yes"], "not_found"), "session");
    assert_eq!(home.records(), before);
    let text = home.text(&[&["undo", "--session", "ours", "--yes"], &now[..]].concat());
    for part in
        ["Taken back: the session ours. Nothing was deleted.", "put away\n  key", "its earlier text again\n  rent"]
    {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    assert_eq!(
        (&home.memory("rent")["content"], &home.memory("key")["state"]),
        (&json!("The rent is 900 euros"), &json!("archived"))
    );
    let history = home.json(&[&["history", "key"], &now[..]].concat());
    assert_eq!(history["versions"][0]["ended"], "undone");
    let records = home.records();
    let again = home.text(&[&["undo", "--session", "ours", "--yes"], &now[..]].concat());
    assert!(again.starts_with("Nothing of the session ours is left to take back."), "{again}");
    assert_eq!(home.records(), records);
    let raw = rusqlite::Connection::open(home.path().join("memory.db")).expect("the store");
    let last: String = raw
        .query_row("SELECT operation FROM journal ORDER BY revision DESC LIMIT 1", (), |row| row.get(0))
        .expect("an entry");
    assert_eq!(last, "undo");
}

#[test]
fn g2_after_a_purge_nothing_finds_it_and_no_byte_of_the_files_holds_it() {
    const CANARIES: [&str; 11] = [
        "quokka:77",
        "quokka78",
        "quokka79",
        "quokka-kind",
        "quokka-relation",
        "quokka tag",
        "quokka key",
        "quokka value",
        "quokka author",
        "quokka session",
        "quokka editor",
    ];
    let home = Home::new();
    let day = |day: &'static str| ["--now", day];
    home.remember("Lunch is at noon", &["--id", "lunch", "--now", "2026-01-01"]);
    let labels = [
        "--id",
        "quokka:77",
        "--kind",
        "quokka-kind",
        "--tag",
        "quokka tag",
        "--author",
        "quokka author",
        "--metadata",
        r#"{"quokka key": "quokka value"}"#,
        "--session",
        "quokka session",
        "--link",
        "lunch:quokka-relation",
    ];
    home.remember("CANARY quokka78", &[&labels[..], &day("2026-01-01")].concat());
    let edit = ["update", "quokka:77", "--content", "CANARY quokka79", "--session", "quokka editor"];
    home.json(&[&edit[..], &day("2026-01-02")].concat());
    home.json(&[&["recall", "CANARY quokka79"][..], &day("2026-01-03")].concat());
    assert_eq!(traces(&home, &CANARIES).len(), 11, "they should have been in the store");
    let before = home.records();

    // Nothing is done without a yes, for an unknown id, or by a clock that is ahead.
    assert_eq!(home.refused(&["purge", "quokka:77"], "needs_yes"), "yes");
    assert_eq!(home.run_with(&["purge", "quokka:77"], "yes\n").code, Some(1), "a pipe is no keyboard");
    assert_eq!(home.refused(&["purge", "quokka:77", "nobody", "--yes"], "not_found"), "ids");
    assert_eq!(home.refused(&["purge", "quokka:77", "--yes", "--now", "+30d"], "clock_ahead"), "now");
    let plan = home.json(&["purge", "quokka:77", "--dry-run", "--now", "2026-01-04"]);
    assert_eq!(home.records(), before);

    let receipt = home.json(&["purge", "quokka:77", "--yes", "--now", "2026-01-04"]);
    assert_eq!((&receipt["at"], &receipt["scope"]), (&json!("2026-01-04T00:00:00Z"), &json!("default")));
    let removed = &receipt["removed"][0];
    // printf 'CANARY quokka79' | sha256sum, and of quokka78
    assert_eq!(removed["sha256"], SHA_79);
    assert_eq!(removed["versions"][0]["sha256"], SHA_78);
    // The link to lunch and the one to the earlier text; stored, edited, recalled.
    assert_eq!(
        (&removed["edges"], &removed["proposals"], &removed["journal_entries"]),
        (&json!(2), &json!(0), &json!(3))
    );
    assert_eq!(plan["removed"], receipt["removed"]);
    assert!(!receipt.to_string().contains("CANARY"), "a receipt holds no text: {receipt}");

    // Every lane, every reading, every byte.
    home.text(&["export", "-o", "after.jsonl"]);
    assert_eq!(traces(&home, &CANARIES), Vec::<String>::new());
    for query in ["CANARY quokka", "quokka79", "quokka78", "quokka:77", "quokka tag", "canary of quokka author"] {
        for more in [&["--depth", "frozen"][..], &["--as-of", "2026-01-03"], &["--as-of", "2026-01-01"]] {
            let found = home.json(&[&["recall", query, "--peek", "--min-score", "0"], more].concat());
            assert!(!found["hits"].to_string().contains("quokka"), "{found}");
        }
    }
    for verb in
        [&["stats", "--all"][..], &["neighbors", "lunch"], &["review", "--list"], &["history", "lunch"], &["forecast"]]
    {
        assert!(!home.json(verb).to_string().contains("quokka"), "{verb:?}");
    }
    for verb in ["history", "neighbors", "forecast", "forget"] {
        home.refused(&[verb, "quokka:77"], "not_found");
    }
    assert_eq!(home.count("memory"), 1);
    let raw = rusqlite::Connection::open(home.path().join("memory.db")).expect("the store");
    let last: (String, Option<String>) = raw
        .query_row("SELECT operation, changes FROM journal ORDER BY revision DESC LIMIT 1", (), |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .expect("an entry");
    assert_eq!(last, ("purge".to_owned(), None), "journalled without what it removed");
}

const SHA_79: &str = "c80337affac2151bc3b621fe681776bf177a74bfbad7f61cb0ba9a592ba9b318";
const SHA_78: &str = "c4f51ee76fd8118b33dd2e4ec0c70e13c61b0b1c7dbca14e076357217dae6198";

#[test]
fn what_carries_a_purged_text_is_named_and_goes_on_request() {
    let home = Home::new();
    home.remember("The PIN of the safe is 4711", &["--id", "pin", "--now", "2026-01-01"]);
    let note =
        "Told Ann on Monday that the PIN of the safe is 4711 and that nobody else may know it, not even the office";
    home.remember(note, &["--id", "note", "--now", "2026-01-01"]);
    let text = home.text(&["purge", "pin", "--dry-run", "--now", "2026-01-02"]);
    assert!(text.contains("Would be removed for good") && text.contains("note  contains its text (pin)"), "{text}");
    assert!(text.contains("--with-merged") && !text.contains("4711"), "{text}");
    let receipt = home.json(&["purge", "pin", "--with-merged", "--yes", "--now", "2026-01-02"]);
    let gone: Vec<&str> =
        receipt["removed"].as_array().expect("a list").iter().filter_map(|one| one["id"].as_str()).collect();
    assert_eq!((gone, &receipt["carriers"]), (vec!["pin", "note"], &json!([])));
    assert_eq!(traces(&home, &["4711"]), Vec::<String>::new());
}

/// Whether the log beside the store has the text. The other files are not looked at: to close them would take the locks
/// of this process's readers away.
fn in_log(home: &Home, text: &str) -> bool {
    let log = std::fs::read(home.path().join("memory.db-wal")).unwrap_or_default();
    log.windows(text.len()).any(|window| window == text.as_bytes())
}

/// A reader that keeps the store as it is now.
fn reader(home: &Home) -> rusqlite::Connection {
    let reader = rusqlite::Connection::open(home.path().join("memory.db")).expect("a reader");
    reader.execute_batch("BEGIN; SELECT * FROM memory;").expect("a reading transaction");
    reader
}

#[test]
fn g2_a_receipt_says_what_a_reader_keeps_in_the_log_and_the_next_command_takes_it_out() {
    for next in [&["maintain"][..], &["stats"], &["recall", "lunch", "--peek"]] {
        let home = Home::new();
        home.remember("Lunch is at noon", &["--id", "lunch"]);
        // Held open, so that the log outlives each command.
        let other = rusqlite::Connection::open(home.path().join("memory.db")).expect("another program");
        other.query_row("SELECT count(*) FROM memory", (), |row| row.get::<_, i64>(0)).expect("a look");
        for (id, text) in [("one", "CANARY quokka81"), ("two", "CANARY wombat82")] {
            home.remember(text, &["--id", id]);
        }
        let clean = home.json(&["purge", "two", "--dry-run"]);
        assert_eq!(clean.get("files_clean"), None, "{clean}");
        let reader = reader(&home);
        let receipt = home.json(&["purge", "one", "--yes"]);
        assert_eq!(receipt["files_clean"], false, "{receipt}");
        assert!(in_log(&home, "quokka81"));
        let text = home.text(&["purge", "two", "--yes"]);
        assert!(text.starts_with("Removed, but not yet from the store's files, at "), "{text}");
        assert!(text.contains("ebbtrace maintain"), "{text}");
        let still = home.json(&["maintain"]);
        assert_eq!(still["files_clean"], false, "{still}");
        let doctor = home.json(&["doctor"]);
        let log = doctor["checks"].as_array().expect("checks").iter().find(|check| check["name"] == "log");
        assert_eq!(log.expect("the log")["state"], "warning", "{doctor}");
        reader.execute_batch("COMMIT").expect("the end of the reading");
        assert!(in_log(&home, "quokka81") && in_log(&home, "wombat82"), "nobody has come by yet");
        if next == ["maintain"] {
            let text = home.text(next);
            assert!(
                text.trim_end().ends_with("What was deleted before is now gone from the store's files too."),
                "{text}"
            );
            assert!(!home.text(next).contains("gone from"), "once");
        } else {
            home.json(next);
        }
        assert!(!in_log(&home, "quokka81") && !in_log(&home, "wombat82"), "{next:?}");
        assert_eq!(home.json(&["maintain"])["files_clean"], true);
        home.remember("CANARY numbat83", &["--id", "three"]);
        assert_eq!(home.json(&["purge", "three", "--yes"])["files_clean"], true);
        drop((reader, other));
        assert_eq!(traces(&home, &["quokka81", "wombat82", "numbat83"]), Vec::<String>::new());
    }
}

#[test]
fn g2_the_words_of_a_failure_are_named_where_they_are_quoted_and_leave_no_byte() {
    let home = Home::new();
    let failed = |error: &str, more: &[&str]| {
        home.json(&[&["track-failure", error, "--component", "quokka-importer"], more].concat())["id"].clone()
    };
    let id = failed("connection pool quokka91 exhausted after the nightly import", &[]);
    assert_eq!(failed("after the nightly import connection pool quokka91 exhausted", &[]), id);
    let fix = ["--fix", "raise the quokka92 limit to fifty", "--root-cause", "the quokka93 default is far too small"];
    assert_eq!(failed("nightly import: connection pool quokka91 exhausted after the", &fix), id);
    let id = id.as_str().expect("an id");
    home.remember(
        "Ann saw: \"connection pool\n  quokka91 exhausted after the nightly import\" again",
        &["--id", "quote"],
    );
    home.remember("We had to raise the QUOKKA92 limit to fifty.", &["--id", "fix"]);
    home.remember("The cause: the quokka93 default is far\ntoo small", &["--id", "cause"]);
    home.remember("The importer runs at night", &["--id", "other"]);
    home.json(&[
        "track-progress",
        "importer",
        "--status",
        "in_progress",
        "--notes",
        "half of the quokka94 rows are in",
    ]);
    let plan = home.json(&["purge", id, "--dry-run"]);
    let mut named: Vec<&str> =
        plan["carriers"].as_array().expect("a list").iter().filter_map(|one| one["id"].as_str()).collect();
    named.sort_unstable();
    assert_eq!(named, ["cause", "fix", "quote"], "{plan}");
    home.json(&["purge", id, "--with-merged", "--yes"]);
    assert_eq!(traces(&home, &["quokka91", "quokka92", "QUOKKA92", "quokka93"]), Vec::<String>::new());
    assert_eq!(home.memory("other")["content"], "The importer runs at night");
}

#[test]
fn g2_metadata_and_tags_that_carry_a_purged_text_are_named_and_go_on_request() {
    let home = Home::new();
    home.remember("quokka84", &["--id", "pin"]);
    home.remember("The safe is blue", &["--id", "deep", "--metadata", r#"{"a": [{"b": "is quokka84 now"}]}"#]);
    home.remember("Ann has a bicycle", &["--id", "tagged", "--tag", "Quokka84"]);
    home.remember("Lunch is at noon", &["--id", "lunch", "--tag", "quokka841"]);
    let plan = home.json(&["purge", "pin", "--dry-run"]);
    let named = ["deep", "tagged"].map(|id| json!({ "id": id, "of": "pin", "how": "mentions" }));
    assert_eq!(plan["carriers"], json!(named));
    home.json(&["purge", "pin", "--with-merged", "--yes"]);
    assert_eq!(home.count("memory"), 1);
    assert_eq!(home.memory("lunch")["tags"], json!(["quokka841"]));
    assert_eq!(traces(&home, &["quokka84 now", "Quokka84"]), Vec::<String>::new());
}

#[test]
fn rows_that_cannot_be_read_are_told_by_every_verb_that_leaves_them_out() {
    let home = Home::new();
    home.remember("Lunch is at noon", &["--id", "lunch"]);
    home.remember("The rent is 900", &["--id", "rent"]);
    let quiet = home.run(&["export", "-o", "all.jsonl", "--json"]);
    assert_eq!((&quiet.object()["records"], &quiet.object()["unreadable"], &*quiet.stderr), (&json!(2), &json!(0), ""));
    let raw = rusqlite::Connection::open(home.path().join("memory.db")).expect("the store");
    raw.execute_batch("UPDATE memory SET tier = 'tepid' WHERE id = 'rent'").expect("damage");
    drop(raw);
    let said = "warning: 1 row of the store can't be read and is left out";
    for verb in [&["export"][..], &["export", "-o", "some.jsonl"], &["stats"], &["stats", "--all"]] {
        let ran = home.run(verb);
        assert!(ran.code == Some(0) && ran.stderr.starts_with(said), "{verb:?}: {}", ran.stderr);
    }
    let summary = home.run(&["export", "-o", "some.jsonl", "--json"]).object();
    assert_eq!((&summary["records"], &summary["unreadable"]), (&json!(1), &json!(1)));
    let all = home.run(&["export", "--json"]).object();
    assert_eq!((all["records"].as_array().map(Vec::len), &all["unreadable"]), (Some(1), &json!(1)));
    let doctor = home.run(&["doctor"]);
    assert_eq!(doctor.code, Some(1));
    assert!(doctor.stdout.contains("1 row can't be read") && !doctor.stdout.contains("Nothing is broken"));
}

#[test]
fn g2_a_damaged_memory_is_purged_by_its_id() {
    let home = Home::new();
    home.remember("The quokka77 sleeps", &["--id", "quokka", "--importance", "0.2", "--now", "2024-01-01"]);
    home.remember("Lunch is at noon", &["--id", "lunch", "--link", "quokka", "--now", "2024-01-01"]);
    home.remember("A red bike with wombat78", &["--id", "other", "--now", "2024-01-01"]);
    let raw = rusqlite::Connection::open(home.path().join("memory.db")).expect("the store");
    // Bytes that are no text, after some that are; and a row of which another column can't be read.
    raw.execute_batch("UPDATE memory SET content = CAST(CAST(content AS BLOB) || x'ff' AS TEXT) WHERE id = 'quokka'")
        .expect("damage");
    raw.execute_batch("UPDATE memory SET tier = 'tepid' WHERE id = 'other'").expect("damage");
    drop(raw);
    assert!(home.run(&["export"]).stderr.contains("rows of the store can't be read"));
    let plan = home.json(&["purge", "quokka", "other", "--dry-run"]);
    assert_eq!((&plan["removed"][0]["id"], &plan["removed"][0]["damaged"]), (&json!("quokka"), &json!(true)));
    assert!(home.text(&["purge", "quokka", "--dry-run"]).contains("damaged"));
    assert!(!traces(&home, &["quokka77"]).is_empty(), "a dry run removes nothing");
    // One that is unknown refuses the whole, damaged ones too; and of another scope it is unknown.
    assert_eq!(home.refused(&["purge", "quokka", "nobody", "--yes"], "not_found"), "ids");
    assert_eq!(home.refused(&["purge", "quokka", "--scope", "elsewhere", "--yes"], "not_found"), "ids");
    let receipt = home.json(&["purge", "quokka", "lunch", "other", "--yes"]);
    let removed: Vec<Value> = receipt["removed"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| json!([one["id"], one["damaged"], one["edges"]]))
        .collect();
    // The link to what could not be read was none of the sound memory's.
    assert_eq!(removed, [json!(["lunch", null, 0]), json!(["quokka", true, 1]), json!(["other", true, 0])]);
    assert_eq!(receipt["removed"][2]["sha256"].as_str().map(str::len), Some(64));
    assert_eq!(traces(&home, &["quokka", "wombat78"]), Vec::<String>::new());
    assert_eq!((home.count("memory"), home.json(&["export"])["unreadable"].clone()), (0, Value::Null));
}

/// The same life in a store of each kind, up to the receipt.
fn receipt_of(store: Box<dyn Store>) -> Receipt {
    let clock = Box::new(FixedClock(Timestamp(1_790_000_000_000)));
    let service = Service::open(Options { clock, model: None, ..Options::new(store) }).expect("a service");
    let input = |id: &str, content: &str| RememberInput {
        id: Some(id.to_owned()),
        content: content.to_owned(),
        ..RememberInput::default()
    };
    service.remember(input("rent", "The rent is 900")).expect("stored");
    service.remember(input("lunch", "Lunch is at noon")).expect("stored");
    let content = Some("The rent is 950".to_owned());
    service.update(UpdateInput { id: "rent".to_owned(), content, ..UpdateInput::default() }).expect("edited");
    service.pin(None, "lunch", true).expect("pinned");
    let mut receipt = service.purge(None, &["rent".to_owned()], false, false).expect("purged");
    for version in &mut receipt.removed[0].versions {
        version.id = "version".try_into().expect("an id");
    }
    receipt
}

#[test]
fn a_receipt_is_the_same_for_every_kind_of_store() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = receipt_of(Box::new(SqliteStore::open(folder.path().join("memory.db")).expect("a store")));
    assert_eq!(file, receipt_of(Box::new(MemoryStore::new())));
    assert_eq!((file.removed[0].journal_entries, file.removed[0].versions.len()), (2, 1));
}

/// Runs within a pseudo-terminal, which `script` makes.
#[cfg(target_os = "linux")]
mod at_a_terminal {
    use std::{
        io::{Read, Write},
        process::{Command, Stdio},
    };

    use super::*;

    fn at_terminal(home: &Home, arguments: &str) -> Command {
        as_is(home, &format!("{arguments} --now 2026-01-04"))
    }

    fn as_is(home: &Home, arguments: &str) -> Command {
        let command = format!("{} {arguments}", env!("CARGO_BIN_EXE_ebbtrace"));
        let mut script = Command::new("script");
        script.args(["-qec", &command, "/dev/null"]).env("EBBTRACE_DB", home.path().join("memory.db"));
        script.env("TERM", "xterm").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        script
    }

    fn typed(home: &Home, arguments: &str, keys: &str) -> (bool, String) {
        ran(at_terminal(home, arguments), keys)
    }

    fn typed_as_is(home: &Home, arguments: &str, keys: &str) -> (bool, String) {
        ran(as_is(home, arguments), keys)
    }

    fn ran(mut script: Command, keys: &str) -> (bool, String) {
        let mut child = script.spawn().expect("script, from util-linux, makes the terminal");
        child.stdin.take().expect("stdin").write_all(keys.as_bytes()).expect("keys are taken");
        let output = child.wait_with_output().expect("it ends");
        (output.status.success(), String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n"))
    }

    #[test]
    fn purge_shows_what_would_go_and_wants_the_word() {
        let home = two_sessions();
        let (done, screen) = typed(&home, "purge key rent", "y\n");
        assert!(!done && screen.contains("error[not_confirmed]"), "{screen}");
        for part in
            ["The key lies under the mat", "The rent is 950 euros", "1 version", "Type yes to remove it for good"]
        {
            assert!(screen.contains(part), "{part:?} is not in {screen}");
        }
        assert_eq!(home.count("memory"), 3);
        let (done, screen) = typed(&home, "purge key rent", "yes\n");
        assert!(done && screen.contains("Removed for good, at 2026-01-04T00:00:00Z"), "{screen}");
        assert_eq!(home.count("memory"), 0);
        let last = home.json(&["journal", "--last", "1"])["entries"][0].clone();
        assert_eq!((&last["operation"], &last["channel"]), (&json!("purge"), &json!("terminal")));
    }

    #[test]
    fn the_journal_cuts_no_id_and_no_time_at_80_columns() {
        let home = Home::new();
        let ids: Vec<String> = (0..3)
            .map(|n| home.json(&["remember", &format!("Fact number {n} of the lot"), "--session", &"s".repeat(60)]))
            .map(|stored| stored["id"].as_str().expect("an id").to_owned())
            .collect();
        home.json(&["maintain"]);
        let (done, screen) = typed_as_is(&home, "journal", "");
        assert!(done, "{screen}");
        for id in &ids {
            assert!(screen.contains(id), "{id} is cut: {screen}");
        }
        let wide = screen.lines().map(|line| line.chars().filter(|c| !c.is_control()).count()).max();
        assert!(wide <= Some(96), "{wide:?}: {screen}");
    }

    /// Reads what comes until it ends with `end`.
    fn read_until(screen: &mut impl Read, end: &str) -> String {
        let (mut all, mut byte) = (Vec::new(), [0]);
        while !all.ends_with(end.as_bytes()) && screen.read(&mut byte).expect("it can be read") == 1 {
            all.push(byte[0]);
        }
        String::from_utf8_lossy(&all).into_owned()
    }

    #[test]
    fn undo_takes_nothing_back_that_was_written_while_it_waited() {
        const QUESTION: &str = "Type yes to take this back: ";
        let home = two_sessions();
        let mut child = at_terminal(&home, "undo --session ours").spawn().expect("script makes the terminal");
        let (mut keys, mut screen) = (child.stdin.take().expect("stdin"), child.stdout.take().expect("stdout"));
        let first = read_until(&mut screen, QUESTION);
        assert!(first.contains("key") && first.contains("rent") && !first.contains("tea"), "{first}");
        home.remember("Tea is in the cupboard", &["--id", "tea", "--session", "ours", "--now", "2026-01-03"]);
        keys.write_all(b"yes\n").expect("keys are taken");
        let second = read_until(&mut screen, QUESTION);
        assert!(second.contains("Nothing was changed: something was written since."), "{second}");
        assert!(second.contains("key") && second.contains("tea"), "{second}");
        assert_eq!(home.memory("key")["state"], "active");
        // Reading is no writing.
        home.run(&["recall", "where is the key", "--now", "2026-01-04"]);
        keys.write_all(b"yes\n").expect("keys are taken");
        drop(keys);
        let last = read_until(&mut screen, "never");
        assert!(last.contains("Taken back: the session ours."), "{last}");
        assert!(child.wait().expect("it ends").success());
        assert_eq!(home.memory("tea")["state"], "archived");
    }

    #[test]
    fn g2_purge_removes_no_text_that_was_written_while_it_waited() {
        const QUESTION: &str = "Type yes to remove it for good: ";
        let home = two_sessions();
        let mut child = at_terminal(&home, "purge key").spawn().expect("script makes the terminal");
        let (mut keys, mut screen) = (child.stdin.take().expect("stdin"), child.stdout.take().expect("stdout"));
        assert!(read_until(&mut screen, QUESTION).contains("The key lies under the mat"));
        home.run(&["update", "key", "--content", "The only copy of the runbook", "--now", "2026-01-03"]);
        keys.write_all(b"yes\n").expect("keys are taken");
        let second = read_until(&mut screen, QUESTION);
        assert!(second.contains("Nothing was removed: a text was changed since."), "{second}");
        assert!(second.contains("The only copy of the runbook"), "{second}");
        assert_eq!(home.memory("key")["content"], "The only copy of the runbook");
        keys.write_all(b"yes\n").expect("keys are taken");
        drop(keys);
        assert!(read_until(&mut screen, "never").contains("Removed for good"));
        assert!(child.wait().expect("it ends").success());
    }

    #[test]
    fn undo_shows_what_would_be_taken_back_and_wants_the_word() {
        let home = two_sessions();
        let (done, screen) = typed(&home, "undo --session ours", "no\n");
        assert!(!done && screen.contains("error[not_confirmed]") && screen.contains("put away"), "{screen}");
        assert_eq!(home.memory("rent")["content"], "The rent is 950 euros");
        let (done, screen) = typed(&home, "undo --session ours", "yes\n");
        assert!(done && screen.contains("Taken back: the session ours."), "{screen}");
        assert_eq!(home.memory("rent")["content"], "The rent is 900 euros");
    }
}
