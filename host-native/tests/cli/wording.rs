//! What a person reads who is new to it: words without quotes, figures of next to nothing, errors that say what to do.

use serde_json::json;

use super::support::Home;

/// Past every tier, for what is of 2024 and of little importance.
const LATER: &str = "2026-06-01";

#[test]
fn words_need_no_quotes_and_flags_stay_flags() {
    let home = Home::new();
    let stored = home.json(&["remember", "we", "use", "tabs,", "--kind", "decision", "not", "spaces", "--id", "tabs"]);
    assert_eq!(stored["id"], "tabs");
    let memory = home.memory("tabs");
    assert_eq!((&memory["content"], &memory["kind"]), (&json!("we use tabs, not spaces"), &json!("decision")));
    let found = home.json(&["recall", "do", "we", "use", "-k", "1", "tabs"]);
    assert_eq!(found["hits"][0]["memory"]["id"], "tabs");
    home.text(&["remember", "--id", "flag", "--", "--kind", "is", "a", "flag"]);
    assert_eq!(home.memory("flag")["content"], "--kind is a flag");
    let piped = home.run_with(&["remember", "-", "--id", "piped"], "from a pipe\n");
    assert_eq!((piped.code, home.memory("piped")["content"].clone()), (Some(0), json!("from a pipe")));
    home.json(&["track-failure", "pool", "timed", "out", "--component", "db"]);
    home.json(&["track-progress", "login", "flow", "--status", "planning"]);
    home.json(&["handoff", "half", "done", "--next", "write the tests"]);
    let resumed = home.json(&["resume"]);
    assert_eq!(resumed["handoff"]["summary"], "half done");
    assert_eq!(
        (&resumed["features"][0]["feature"], &resumed["failures"][0]["error"]),
        (&json!("login flow"), &json!("pool timed out"))
    );
    // An option that there is not is none of the words, and no words are none.
    assert_eq!(home.refused(&["remember", "we", "--knd", "note"], "usage"), json!("knd"));
    assert_eq!(home.refused(&["remember"], "usage"), json!("text"));
    assert_eq!(home.refused(&["remember", "", " "], "blank"), json!("content"));
}

#[test]
fn a_session_that_is_unknown_is_said_to_be_before_anything_else() {
    let home = Home::new();
    let reason = |arguments: &[&str]| {
        assert_eq!(home.refused(arguments, "not_found"), json!("session"), "{arguments:?}");
        home.run(arguments).stderr
    };
    assert!(reason(&["undo", "--session", "tuesday"]).contains("; none has written here"));
    for (session, now) in [("monday", "2026-01-05"), ("friday", "2026-01-09")] {
        home.remember(&format!("Said on {session}"), &["--session", session, "--now", now]);
    }
    home.remember("Said elsewhere", &["--session", "secret", "--scope", "other"]);
    for more in [&[][..], &["--dry-run"], &["--yes"]] {
        let said = reason(&[&["undo", "--session", "tuesday"], more].concat());
        assert!(said.contains("; the latest that wrote here: \"friday\", \"monday\"\n"), "{said}");
    }
    assert_eq!(home.refused(&["undo", "--session", "monday"], "needs_yes"), json!("yes"));
}

#[test]
fn figures_read_well_whether_there_is_nothing_one_or_something_waits() {
    let home = Home::new();
    let empty = "scope default\n Nothing is stored here yet: `ebbtrace remember \"...\"` does it.\n";
    assert_eq!(home.text(&["stats"]).trim_end(), empty.trim_end());
    assert_eq!(home.text(&["forecast"]).trim_end(), "Nothing sinks within 30 days, even if nothing is used.");
    home.remember("The port is 8080", &["--id", "port", "--importance", "0.2", "--now", "2024-01-01"]);
    let row = |name: &str, now: &str| {
        let text = home.text(&["stats", "--now", now]);
        let line =
            text.lines().find_map(|line| line.trim_start().strip_prefix(name)).unwrap_or_else(|| panic!("{text}"));
        line.trim().to_owned()
    };
    assert_eq!((row("memories", LATER), row("waits for you", LATER)), ("1 (active 1)".into(), "nothing".into()));
    let coming = home.text(&["forecast", "--within", "400", "--now", "2024-01-01"]);
    assert!(coming.contains("1 memory is archived, 1 proposed for deletion."), "{coming}");
    // One figure for what waits, wherever it is told.
    let dry = home.json(&["maintain", "--dry-run", "--now", LATER]);
    assert_eq!(dry["proposed"].as_array().map(Vec::len), Some(1));
    assert_eq!(home.json(&["forecast", "--within", "1", "--now", LATER])["proposed"], 1);
    home.json(&["maintain", "--now", LATER]);
    assert_eq!(row("waits for you", LATER), "1 proposal: `ebbtrace review`");
    assert_eq!(home.json(&["review", "--list", "--now", LATER])["total"], 1);
    assert_eq!(home.json(&["forecast", "--within", "1", "--now", LATER])["proposed"], 0, "it is proposed already");
    assert!(home.text(&["review", "--list", "--now", LATER]).contains("1 of 1 shown."));
}

/// F3: until a human decides, what is proposed is there to be found where nothing else answers; what is forgotten is not.
#[test]
fn f3_what_is_proposed_is_found_and_what_is_forgotten_only_on_request() {
    let home = Home::new();
    for (id, text) in [("hangar", "The zeppelin hangar opens on Tuesdays"), ("zebra", "The zebra crossing is blue")] {
        home.remember(text, &["--id", id, "--importance", "0.2", "--now", "2024-01-01"]);
    }
    home.json(&["maintain", "--now", LATER]);
    home.json(&["forget", "zebra", "--now", LATER]);
    let asked = |query: &str, more: &[&str]| home.text(&[&["recall", query, "--peek", "--now", LATER], more].concat());
    let found = asked("when does the zeppelin hangar open?", &[]);
    assert!(
        found.starts_with("1. hangar ") && found.contains("  frozen  ") && found.contains("  proposed\n"),
        "{found}"
    );
    let none = "Nothing that is remembered answers this.\n1 archived memory also matches; --depth frozen shows all.\n";
    assert_eq!(asked("which colour has the zebra crossing?", &[]), none);
    assert!(asked("which colour has the zebra crossing?", &["--depth", "frozen"]).starts_with("1. zebra "));
}
