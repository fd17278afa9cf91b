//! A person decides, at a terminal.

use serde_json::json;

use super::support::Home;

const LATER: &str = "2025-06-01";

/// Three faded memories that wait for a decision.
fn waiting() -> Home {
    let home = Home::new();
    for (id, text) in [
        ("n1", "The projector in room four flickers"),
        ("n2", "Sam borrowed the blue adapter"),
        ("n3", "Coffee beans ran out on Tuesday"),
    ] {
        home.remember(text, &["--id", id, "--importance", "0.2", "--now", "2024-01-01"]);
    }
    home.json(&["maintain", "--now", LATER]);
    assert_eq!(home.count("proposal"), 3);
    home
}

#[test]
fn the_list_is_for_everyone() {
    let home = waiting();
    let list = home.json(&["review", "--now", LATER]);
    assert_eq!((&list["total"], &list["items"][0]["proposal"]["action"]), (&json!(3), &json!("delete")));
    assert_eq!(list["items"][0]["proposal"]["proposed_at"], "2025-06-01T00:00:00Z");
    let text = home.text(&["review", "--now", LATER]);
    for word in ["n1", "delete", "2025-06-01", "projector", "why", "3 of 3 shown"] {
        assert!(text.contains(word), "{word:?} is not in {text}");
    }
    let page = home.json(&["review", "--limit", "2"]);
    let rest = home.json(&["review", "--limit", "2", "--cursor", page["cursor"].as_str().expect("a cursor")]);
    assert_eq!(rest["items"][0]["memory"]["id"], "n3");
    assert!(Home::new().text(&["review"]).starts_with("Nothing waits for you."));
}

#[test]
fn no_id_is_cut_and_no_reason_said_twice() {
    let home = Home::new();
    let long = format!("notes/{}/the end.md", "a folder of a long name/".repeat(9));
    let texts = ["The projector in room four flickers", "Sam borrowed the blue adapter", "Coffee beans ran out"];
    let mut ids: Vec<String> =
        texts.iter().map(|text| home.remember(text, &["--importance", "0.2", "--now", "2024-01-01"])).collect();
    let linked = ["--id", &long, "--importance", "0.2", "--now", "2024-01-01", "--link", &ids[0]];
    ids.push(home.remember("What stands in a file far down", &linked));
    let whole = |text: &str| {
        for id in &ids {
            assert!(text.contains(&**id), "{id} is cut in {text}");
        }
    };
    let maintained = home.run(&["maintain", "--now", LATER]).stdout;
    whole(&maintained);
    let listed = home.run(&["review", "--now", LATER]).stdout;
    whole(&listed);
    for text in [&maintained, &listed] {
        assert_eq!(text.matches("why: its retention is under 0.05, and nothing in use is linked to it").count(), 1);
    }
    assert!(listed.contains("since 2025-06-01, last used 2024-01-01, retention 0.000"), "{listed}");
    let near = home.run(&["neighbors", &ids[0], "--now", LATER]).stdout;
    assert!(near.contains(&long), "{near}");
    let near = home.run(&["neighbors", &long, "--now", LATER]).stdout;
    assert!(near.contains(&ids[0]) && near.contains("—related→"), "{near}");
}

#[test]
fn without_a_terminal_nothing_is_decided() {
    let home = waiting();
    let before = home.records();
    for verb in ["approve", "reject", "restore"] {
        home.refused(&["review", verb, "n1"], "needs_terminal");
        let ran = home.run_with(&["review", verb, "n1"], "yes\n");
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.stderr.contains("at a terminal"), "{ran:?}");
    }
    assert_eq!(home.records(), before);
}

/// A run within a pseudo-terminal, which `script` makes.
#[cfg(target_os = "linux")]
mod at_a_terminal {
    use std::{
        io::Write,
        process::{Command, Stdio},
    };

    use super::*;

    fn typed(home: &Home, arguments: &str, keys: &str) -> (bool, String) {
        typed_as_is(home, &format!("{arguments} --now {LATER}"), keys)
    }

    fn typed_as_is(home: &Home, arguments: &str, keys: &str) -> (bool, String) {
        let command = format!("{} {arguments}", env!("CARGO_BIN_EXE_ebbtrace"));
        let mut script = Command::new("script");
        script.args(["-qec", &command, "/dev/null"]).env("EBBTRACE_DB", home.path().join("memory.db"));
        script.env("TERM", "xterm").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = script.spawn().expect("script, from util-linux, makes the terminal");
        child.stdin.take().expect("stdin").write_all(keys.as_bytes()).expect("keys are taken");
        let output = child.wait_with_output().expect("it ends");
        (output.status.success(), String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n"))
    }

    #[test]
    fn a_server_that_a_person_starts_says_what_it_waits_for() {
        let home = Home::new();
        // Ctrl-D ends it.
        let (done, screen) = typed_as_is(&home, "mcp", "\u{4}");
        assert!(done, "{screen}");
        assert!(screen.contains("It waits for a client now.") && screen.contains("ebbtrace setup --help"), "{screen}");
        assert!(!screen.contains("\u{1b}[") && !screen.contains("panicked"), "{screen}");
    }

    #[test]
    fn approving_needs_the_word() {
        let home = waiting();
        let (done, screen) = typed(&home, "review approve n1", "y\n");
        assert!(!done && screen.contains("error[not_confirmed]"), "{screen}");
        assert_eq!((home.count("memory"), home.count("proposal")), (3, 3));
        let (done, screen) = typed(&home, "review approve n1", "yes\n");
        assert!(done && screen.contains("Deleted for good: n1."), "{screen}");
        assert!(screen.contains("The projector in room four flickers"), "{screen}");
        assert_eq!((home.count("memory"), home.count("proposal")), (2, 2));
        let (done, screen) = typed(&home, "review approve n1", "yes\n");
        assert!(!done && screen.contains("error[not_found]"), "{screen}");
    }

    /// How often any of `canaries` is in a file of the folder: the store, its log, an export.
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
    fn g2_an_approval_says_what_a_reader_keeps_in_the_log() {
        let home = waiting();
        let reader = rusqlite::Connection::open(home.path().join("memory.db")).expect("a reader");
        reader.execute_batch("BEGIN; SELECT * FROM memory;").expect("a reading transaction");
        let (done, screen) = typed(&home, "review approve n1", "yes\n");
        assert!(done && screen.contains("Deleted, but not yet from the log file: n1."), "{screen}");
        assert!(screen.contains("ebbtrace maintain"), "{screen}");
        let (done, screen) = typed(&home, "review approve n2 --json", "yes\n");
        assert!(done && screen.contains("\"files_clean\": false"), "{screen}");
        reader.execute_batch("COMMIT").expect("the end of the reading");
        let (done, screen) = typed(&home, "review approve n3", "yes\n");
        assert!(done && screen.contains("Deleted for good: n3."), "{screen}");
    }

    #[test]
    fn g2_a_purge_leaves_no_trace_of_a_memory_and_its_versions() {
        const CANARIES: [&str; 10] = [
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
        ];
        let home = Home::new();
        let old = ["--importance", "0.1", "--now", "2024-01-01"];
        home.remember("Lunch is at noon", &[&["--id", "lunch"], &old[..]].concat());
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
            "lunch:quokka-relation:0.01",
        ];
        home.remember("CANARY quokka78", &[&labels[..], &old[..]].concat());
        home.json(&["update", "quokka:77", "--content", "CANARY quokka79", "--now", "2024-01-01"]);
        home.json(&["recall", "CANARY quokka79", "--now", "2024-01-02"]);
        home.json(&["maintain", "--now", LATER]);
        home.text(&["export", "-o", "before.jsonl"]);
        assert_eq!(traces(&home, &CANARIES).len(), 20, "they should have been in the store and in the export");
        std::fs::remove_file(home.path().join("before.jsonl")).expect("our own file");
        let list = home.text(&["review", "--list", "--now", LATER]);
        assert!(list.contains("with 1 earlier version"), "{list}");
        let (done, screen) = typed(&home, "review approve quokka:77", "yes\n");
        assert!(done && screen.contains("delete it and 1 earlier version for good"), "{screen}");
        assert!(screen.contains("Deleted for good: quokka:77 and 1 earlier version."), "{screen}");
        home.text(&["export", "-o", "after.jsonl"]);
        assert_eq!(traces(&home, &CANARIES), Vec::<String>::new());
        assert_eq!(home.recall("CANARY quokka", &["--depth", "frozen", "--now", LATER]), Vec::<String>::new());
        assert_eq!(home.count("memory"), 1);
    }

    #[test]
    fn a_version_that_goes_alone_leaves_no_trace_under_its_memorys_key() {
        let home = Home::new();
        home.remember("Vault code is quokka78", &["--id", "vault", "--importance", "0.1", "--now", "2024-01-01"]);
        home.json(&["update", "vault", "--content", "Vault code is quokka79", "--now", "2024-01-02"]);
        let version = home.json(&["neighbors", "vault", "--now", "2024-01-02"])["items"][0]["memory"]["id"].clone();
        home.json(&["maintain", "--now", LATER]);
        let (done, screen) = typed(&home, &format!("review approve {}", version.as_str().expect("an id")), "yes\n");
        assert!(done && screen.contains("Deleted for good: "), "{screen}");
        assert_eq!(traces(&home, &["quokka78"]), Vec::<String>::new());
        assert_eq!(home.memory("vault")["content"], "Vault code is quokka79");
    }

    #[test]
    fn a_receipt_names_every_id() {
        let home = waiting();
        home.remember("The rent is 900", &["--id", "rent", "--importance", "0.1", "--now", "2024-01-01"]);
        home.json(&["update", "rent", "--content", "The rent is 950", "--now", "2024-01-02"]);
        let version = home.json(&["neighbors", "rent", "--now", "2024-01-02"])["items"][0]["memory"]["id"].clone();
        home.json(&["maintain", "--now", LATER]);
        let (done, screen) = typed(&home, "review approve rent --json", "yes\n");
        assert!(done && screen.contains(version.as_str().expect("an id")), "{screen}");
        // Gone through one after the other, a version that went with its memory is not asked about.
        let home = waiting();
        home.remember("The rent is 900", &["--id", "rent", "--importance", "0.1", "--now", "2024-01-01"]);
        home.json(&["update", "rent", "--content", "The rent is 950", "--now", "2024-01-02"]);
        home.json(&["maintain", "--now", LATER]);
        assert_eq!(home.count("proposal"), 5, "the version is proposed as well");
        let (done, screen) = typed(&home, "review", "a\nyes\na\nyes\na\nyes\na\nyes\na\nyes\n");
        assert!(done && !screen.contains("Not done") && screen.contains("5 approved"), "{screen}");
        assert_eq!(home.count("memory"), 0);
    }

    #[test]
    fn what_is_in_use_again_is_not_deleted() {
        let home = waiting();
        home.remember("The projector was mended", &["--id", "mended", "--now", LATER]);
        home.json(&["connect", "mended", "n1", "--now", LATER]);
        let (done, screen) = typed(&home, "review approve n1", "yes\n");
        assert!(!done && screen.contains("error[not_frozen]"), "{screen}");
        assert!(screen.contains("ebbtrace purge ID") && !screen.contains("Type yes"), "{screen}");
        // No list has it, and it is not asked about; the rest is still gone through.
        let list = home.text(&["review", "--list", "--now", LATER]);
        assert!(!list.contains("n1") && list.contains("2 of 2 shown"), "{list}");
        let (done, screen) = typed(&home, "review", "a\nyes\ns\n");
        assert!(done && screen.contains("1 approved, 0 kept, 0 pinned, 1 proposal left."), "{screen}");
        assert_eq!(home.memory("n1")["content"], "The projector in room four flickers");
        home.json(&["maintain", "--now", LATER]);
        assert_eq!((home.memory("n1")["state"].clone(), home.count("proposal")), (json!("active"), 1));
    }

    #[test]
    fn what_a_kept_neighbour_holds_is_told_and_how_to_delete_it_all_the_same() {
        let home = Home::new();
        for (id, text) in [("n1", "The projector in room four flickers"), ("n2", "Sam borrowed the blue adapter")] {
            home.remember(text, &["--id", id, "--importance", "0.2", "--now", "2024-01-01"]);
        }
        // At 10 x 2^-(200/30), about 0.098, on the day: it lives.
        home.json(&["connect", "n1", "n2", "--weight", "10", "--now", "2024-11-13"]);
        // It counts for nothing beside a link of 10 that is fresh.
        for (id, text) in [("x", "Pepper is a grey cat"), ("y", "The roof was painted blue")] {
            home.remember(text, &["--id", id, "--now", LATER]);
        }
        home.json(&["connect", "x", "y", "--weight", "10", "--now", LATER]);
        home.json(&["maintain", "--now", LATER]);
        assert_eq!(home.count("proposal"), 2);
        let (done, screen) = typed(&home, "review", "k\n");
        assert!(done && screen.contains("n2 stays: it is linked to n1, which you have just kept."), "{screen}");
        assert!(screen.contains("To delete it all the same: ebbtrace purge n2"), "{screen}");
        // What is told is what every list has: the other no longer holds.
        assert!(screen.contains("0 approved, 1 kept, 0 pinned, 0 proposals left."), "{screen}");
        assert_eq!(home.json(&["review", "--list", "--now", LATER])["total"], 0);
        assert_eq!(home.json(&["stats", "--now", LATER])["proposals"], 0);
        let (done, screen) = typed(&home, "review approve n2", "yes\n");
        assert!(!done && screen.contains("error[not_frozen]") && screen.contains("n1"), "{screen}");
        home.json(&["purge", "n2", "--yes", "--now", LATER]);
        assert_eq!((home.count("memory"), home.count("proposal")), (3, 0));
    }

    #[test]
    fn the_journal_tells_what_was_decided_and_how() {
        let home = waiting();
        for (verb, keys) in [("approve n1", "yes\n"), ("keep n2", ""), ("pin n3", "")] {
            let (done, screen) = typed(&home, &format!("review {verb}"), keys);
            assert!(done, "{screen}");
        }
        let journal = home.json(&["journal", "--last", "3"]);
        let said = |of: &serde_json::Value| json!([of["operation"], of["channel"], of["decided"]]);
        assert_eq!(
            journal["entries"].as_array().expect("entries").iter().map(said).collect::<Vec<_>>(),
            [
                json!(["pin", "terminal", [{"id": "n3", "decision": "pinned"}]]),
                json!(["reject", "terminal", [{"id": "n2", "decision": "kept"}]]),
                json!(["approve", "terminal", [{"decision": "deleted"}]]),
            ]
        );
        let text = home.text(&["journal"]);
        for part in ["approve (terminal)", "deleted for good", "n2: kept", "n3: pinned"] {
            assert!(text.contains(part), "{part:?} is not in {text}");
        }
        assert!(!text.contains("n1"), "{text}");
    }

    #[test]
    fn the_reason_is_that_of_the_present() {
        let home = waiting();
        let file = rusqlite::Connection::open(home.path().join("memory.db")).expect("the store");
        file.execute("UPDATE proposal SET reason = 'a reason of old'", ()).expect("it is written");
        drop(file);
        let text = home.text(&["review", "--list", "--now", LATER]);
        assert!(!text.contains("of old") && text.contains("why: its retention is under 0.05"), "{text}");
    }

    #[test]
    fn nothing_is_deleted_by_a_clock_that_is_ahead() {
        let home = Home::new();
        home.remember("The lease ends in June", &["--id", "lease", "--importance", "0.2"]);
        home.json(&["maintain", "--now", "+400d"]);
        assert_eq!(home.count("proposal"), 1);
        for verb in ["review approve lease --now +400d", "review --now +400d"] {
            let (done, screen) = typed_as_is(&home, verb, "a\nyes\n");
            assert!(!done && screen.contains("error[clock_ahead]"), "{screen}");
        }
        // Nor by the right one, since by that it is not frozen; and maintenance sets right what the other did.
        let (done, screen) = typed_as_is(&home, "review approve lease", "yes\n");
        assert!(!done && screen.contains("error[not_frozen]"), "{screen}");
        home.json(&["maintain"]);
        assert_eq!((home.memory("lease")["state"].clone(), home.count("proposal")), (json!("active"), 0));
    }

    #[test]
    fn rejecting_and_restoring_keep() {
        let home = waiting();
        let (done, screen) = typed(&home, "review keep n2", "");
        assert!(done && screen.contains("Kept: n2."), "{screen}");
        assert_eq!((home.memory("n2")["state"].clone(), home.count("proposal")), (json!("active"), 2));
        let (done, screen) = typed(&home, "review restore n3", "");
        assert!(done && screen.contains("Restored: ") && screen.contains("Coffee beans"), "{screen}");
        assert_eq!((home.memory("n3")["state"].clone(), home.count("proposal")), (json!("active"), 1));
        home.json(&["maintain", "--now", LATER]);
        assert_eq!(home.count("proposal"), 1, "what was kept is not proposed again at once");
    }

    #[test]
    fn what_is_pinned_is_not_proposed_again() {
        let home = waiting();
        let (done, screen) = typed(&home, "review pin n1", "");
        assert!(done && screen.contains("Pinned: n1."), "{screen}");
        let (done, screen) = typed(&home, "review", "p\nk\n");
        assert!(done && screen.contains("0 approved, 1 kept, 1 pinned, 0 proposals left."), "{screen}");
        assert_eq!(
            (home.memory("n1")["pinned"].clone(), home.memory("n2")["pinned"].clone()),
            (json!(true), json!(true))
        );
        assert_eq!((home.memory("n3")["state"].clone(), home.count("proposal")), (json!("active"), 0));
        home.json(&["maintain", "--now", "2035-01-01"]);
        assert_eq!(home.count("proposal"), 1, "only what was kept without being pinned");
    }

    #[test]
    fn a_merge_is_shown_with_both_texts() {
        let home = Home::new();
        let (goes, stays) = ("The nightly backup starts at two", "The nightly backup indeed starts at two");
        for (id, text, importance) in [("a", goes, "0.3"), ("b", stays, "0.9")] {
            home.remember(text, &["--id", id, "--importance", importance, "--now", LATER]);
        }
        home.json(&["maintain", "--now", LATER]);
        let listed = home.text(&["review", "--list", "--now", LATER]);
        let (done, asked) = typed(&home, "review", "s\n");
        assert!(done && asked.contains("1 of 1: merge into b?"), "{asked}");
        for screen in [&listed, &asked] {
            assert!(screen.contains(goes) && screen.contains("what stays in its place"), "{screen}");
            assert!(screen.contains(stays), "{screen}");
        }
    }

    #[test]
    fn what_is_restored_takes_the_place_of_what_holds() {
        let home = Home::new();
        let first = home.remember("The database is PostgreSQL", &["--session", "a", "--now", LATER]);
        let second = home.remember("The database is MySQL", &["--session", "b", "--now", LATER]);
        home.json(&["undo", "--session", "b", "--yes", "--now", LATER]);
        assert_eq!(home.recall("which database?", &["--now", LATER]), [&*first]);
        let (done, screen) = typed(&home, &format!("review restore {second}"), "");
        assert!(done && screen.contains(&format!("It takes the place of {first}, which stays readable.")), "{screen}");
        assert_eq!(home.recall("which database?", &["--now", LATER]), [&*second]);
    }

    #[test]
    fn one_after_the_other() {
        let home = waiting();
        let (done, screen) = typed(&home, "review", "what\na\nyes\nr\ns\n");
        assert!(done, "{screen}");
        for part in [
            "1 of 3: delete?",
            "3 of 3: delete?",
            "▲",
            "strength",
            "why: ",
            "1 approved, 1 kept, 0 pinned, 1 proposal left.",
        ] {
            assert!(screen.contains(part), "{part:?} is not in {screen}");
        }
        assert_eq!((home.count("memory"), home.count("proposal")), (2, 1));
        assert_eq!(home.memory("n2")["state"], "active");
        let (done, screen) = typed(&home, "review", "a\nno\n");
        assert!(done && screen.contains("Nothing decided about n3."), "{screen}");
        let (done, screen) = typed(&home, "review", "q\n");
        assert!(done && screen.contains("0 approved, 0 kept, 0 pinned, 1 proposal left."), "{screen}");
        assert_eq!((home.count("memory"), home.count("proposal")), (2, 1));
        let (_, screen) = typed(&home, "review --list", "");
        assert!(screen.contains("1 of 1 shown"), "{screen}");
    }

    #[test]
    fn at_80_columns_no_line_is_wider() {
        let home = waiting();
        let sentence = "The blue adapter of the projector in room four was borrowed by Sam for the fair in autumn";
        home.remember(sentence, &["--id", "decision:the-adapter-of-room-four", "--link", "n2", "--now", LATER]);
        for verb in [
            "recall projector --depth frozen --explain --peek",
            "forecast n1",
            "forecast --within 3650",
            "neighbors n2",
            "review --list",
            "history n1",
            "stats",
            "maintain --dry-run",
            "resume",
            "pin n2",
        ] {
            let program = env!("CARGO_BIN_EXE_ebbtrace");
            let command = format!("stty cols 80; {program} {verb} --now {LATER}");
            let mut script = Command::new("script");
            script.args(["-qec", &command, "/dev/null"]).env("EBBTRACE_DB", home.path().join("memory.db"));
            script.env("TERM", "xterm").env("NO_COLOR", "1").stdin(Stdio::null());
            let output = script.output().expect("script, from util-linux, makes the terminal");
            let screen = String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n");
            assert!(
                output.status.success() && screen.lines().count() > 1 && !screen.contains('\u{1b}'),
                "{verb}: {screen}"
            );
            for line in screen.lines() {
                assert!(line.chars().count() <= 80, "{verb}: {line:?} in\n{screen}");
            }
        }
    }

    #[test]
    fn colours_are_for_terminals() {
        let home = waiting();
        let (_, screen) = typed(&home, "recall projector --depth frozen", "");
        assert!(screen.contains("\u{1b}["), "{screen}");
        let (_, screen) = typed(&home, "recall projector --depth frozen --json", "");
        assert!(!screen.contains("\u{1b}["), "{screen}");
    }
}
