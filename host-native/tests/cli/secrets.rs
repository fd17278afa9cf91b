//! G3: secrets of every sort, by every way into the command line: no byte of them is stored, printed or logged.

use std::{
    fs,
    path::Path,
    process::{Command, Output, Stdio},
};

use serde_json::{Value, json};

use super::told::{Told, holds, told};

fn program(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ebbtrace"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).env("HOME", folder);
    command.env_remove("EBBTRACE_SCOPE").env_remove("EBBTRACE_STORE").env_remove("EBBTRACE_EMBEDDER");
    command.env_remove("EBBTRACE_RERANKER").env_remove("EBBTRACE_ALLOW_SECRETS");
    command.env("EBBTRACE_DB", folder.join("memory.db")).env("RUST_LOG", "trace");
    command.output().expect("the binary starts")
}

fn said_nothing(told: &Told, arguments: &[&str], output: &Output) {
    for (name, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
        assert!(
            !holds(bytes, &told.secret),
            "{arguments:?} says it on {name}: {}",
            String::from_utf8_lossy(&[&output.stdout[..], b" / ", &output.stderr].concat())
        );
    }
}

/// Runs a verb that stores; its answer must say how many secrets were left out.
fn stored(folder: &Path, told: &Told, arguments: &[&str], left_out: usize) -> Value {
    let arguments = [arguments, &["--json"]].concat();
    let output = program(folder, &arguments);
    said_nothing(told, &arguments, &output);
    let answer: Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!(answer["redacted"], left_out, "{arguments:?}: {answer}");
    answer
}

/// Runs a verb whose argument can't be taken.
fn refused(folder: &Path, told: &Told, arguments: &[&str]) {
    for form in [&[][..], &["--json"]] {
        let arguments = [arguments, form].concat();
        let output = program(folder, &arguments);
        said_nothing(told, &arguments, &output);
        assert!(!output.status.success(), "{arguments:?}: {output:?}");
    }
}

/// None of the store's files holds a secret.
fn files_hold_none(folder: &Path, all: &[Told]) {
    let mut names = Vec::new();
    for file in fs::read_dir(folder).expect("the folder").map(|file| file.expect("an entry").path()) {
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        if name.starts_with("memory.db") {
            let bytes = fs::read(&file).expect("its bytes");
            for told in all {
                assert!(!holds(&bytes, &told.secret), "{name} holds {:?}", told.secret);
            }
            names.push(name);
        }
    }
    names.sort();
    assert_eq!(names, ["memory.db", "memory.db-shm", "memory.db-wal"]);
}

/// A folder with a store in it, and a reader of it, so that its log stays.
fn home() -> (tempfile::TempDir, rusqlite::Connection) {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(program(folder.path(), &["remember", "The harbour is frozen", "--id", "harbour"]).status.success());
    let reader = rusqlite::Connection::open(folder.path().join("memory.db")).expect("the store");
    reader.execute_batch("CREATE TABLE kept (x); DROP TABLE kept").expect("a log");
    (folder, reader)
}

#[test]
fn g3_no_secret_that_is_told_is_stored_printed_or_logged() {
    let (folder, reader) = home();
    let (path, all) = (folder.path(), told());
    assert!(all.len() >= 12);
    for (number, told) in all.iter().enumerate() {
        let (text, id) = (told.text.as_str(), format!("told:{number}"));
        stored(path, told, &["remember", text, "--id", &id, "--author", "Ida"], 1);
        let plain = program(path, &["remember", &format!("Number {number}, again: {text}"), "--id", "plain"]);
        said_nothing(told, &["remember"], &plain);
        assert!(String::from_utf8_lossy(&plain.stdout).contains("1 secret was left out"), "{plain:?}");
        stored(path, told, &["update", &id, "--content", &format!("More of it. {text}")], 1);
        // Its text is put together from its fields, which are kept too.
        let component = format!("part-{number}");
        stored(path, told, &["track-failure", text, "--component", &component, "--fix", text], 2);
        stored(path, told, &["track-progress", &component, "--status", "blocked", "--notes", text], 1);
        stored(path, told, &["handoff", text, "--next", text, "--blocked", text], 3);
        stored(path, told, &["forget", &id, "--reason", text], 1);
        let shown = program(path, &["resume"]);
        said_nothing(told, &["resume"], &shown);
        assert!(String::from_utf8_lossy(&shown.stdout).contains("[redacted: "), "{shown:?}");
    }
    files_hold_none(path, &all);
    drop(reader);
}

#[test]
fn g3_no_secret_that_is_imported_is_stored_printed_or_logged() {
    let (folder, reader) = home();
    let (path, all) = (folder.path(), told());
    let made = path.join("made.db");
    let made = made.to_str().expect("UTF-8");
    assert!(program(path, &["remember", "STANDIN", "--id", "standin", "--db", made]).status.success());
    assert!(program(path, &["export", "-o", "out.jsonl", "--db", made]).status.success());
    let lines = fs::read_to_string(path.join("out.jsonl")).expect("the export");
    for (number, told) in all.iter().enumerate() {
        let text = told.text.as_str();
        let quoted = json!(text).to_string();
        let line = lines.replace("\"STANDIN\"", &quoted).replace("\"standin\"", &format!("\"line:{number}\""));
        fs::write(path.join("in.jsonl"), line).expect("a file");
        let answer = stored(path, told, &["import", "in.jsonl"], 1);
        assert_eq!(answer["records"], 1, "{answer}");
        let again = stored(path, told, &["import", "in.jsonl"], 1);
        assert_eq!(again["records"], 0, "{again}");
        let note = path.join(format!("note{number}.md"));
        fs::write(&note, format!("# Number {number}\n\n{text}\n")).expect("a note");
        let note = note.to_str().expect("UTF-8");
        let answer = stored(path, told, &["import", note], 1);
        assert_eq!((&answer["created"], &answer["unchanged"]), (&json!(1), &json!(0)), "{answer}");
        // The same file again is no news, although what is stored differs from it.
        let again = stored(path, told, &["import", note], 1);
        assert_eq!((&again["created"], &again["unchanged"]), (&json!(0), &json!(1)), "{again}");
        fs::write(path.join("broken.jsonl"), format!("{lines}\n{{\"record\": {quoted}}}\n")).expect("a file");
        refused(path, told, &["import", "broken.jsonl"]);
    }
    files_hold_none(path, &all);
    drop(reader);
}

#[test]
fn g3_an_import_says_in_total_how_many_secrets_were_left_out() {
    let (folder, reader) = home();
    let path = folder.path();
    fs::create_dir(path.join("notes")).expect("a folder");
    // Three in two notes, and a third that only talks about one.
    fs::write(path.join("notes/a.md"), "# Wifi\n\nThe password is swordf1sh, in the cellar pwd=s3same\n")
        .expect("a note");
    fs::write(path.join("notes/b.md"), "# Box\n\nDas Passwort lautet gehe1m\n").expect("a note");
    fs::write(path.join("notes/c.md"), "# Rule\n\nThe password is rotated weekly\n").expect("a note");
    let lines = ["root password: t0pmost", "密码是 abc123", "the passphrase is \"velvet\"", "password is required"];
    let lines: Vec<String> = lines.iter().map(|line| json!({ "content": line }).to_string()).collect();
    fs::write(path.join("in.jsonl"), lines.join("\n")).expect("a file");
    for source in ["notes", "in.jsonl"] {
        let output = program(path, &["import", source]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("\n3 secrets were left out.\n"), "{source}: {output:?}");
    }
    let kept = program(path, &["export", "--json"]);
    for secret in ["swordf1sh", "s3same", "gehe1m", "t0pmost", "abc123", "velvet"] {
        assert!(!holds(&kept.stdout, secret), "{secret}");
    }
    assert!(holds(&kept.stdout, "rotated weekly") && holds(&kept.stdout, "password is required"));
    drop(reader);
}

#[test]
fn g3_no_secret_that_is_refused_is_stored_printed_or_logged() {
    let (folder, reader) = home();
    let (path, all) = (folder.path(), told());
    for told in &all {
        let text = told.text.as_str();
        for arguments in [
            &["remember", "x", "--id", text][..],
            &["remember", "x", "--kind", text],
            &["remember", "x", "--category", text],
            &["remember", "x", "--importance", text],
            &["remember", "x", "--metadata", text],
            &["remember", "x", "--occurred-at", text],
            &["remember", "x", "--link", text],
            &["remember", "x", "--scope", &format!("\u{7}{text}")],
            &["update", text, "--content", "x"],
            &["forget", text],
            &["connect", "harbour", text],
            &["recall", "harbour", "--depth", text],
            &["recall", "harbour", "-k", text],
            &["stats", "--now", text],
            &["track-failure", "x", "--component", "y", "--severity", text],
            &["track-progress", "x", "--status", text],
            &["import", text],
            &["stats", text],
            &[text],
        ] {
            refused(path, told, arguments);
        }
    }
    files_hold_none(path, &all);
    drop(reader);
}

#[test]
fn secrets_are_stored_where_that_is_asked_for() {
    let (folder, reader) = home();
    let told = &told()[1];
    let output = program(folder.path(), &["remember", &told.text, "--id", "kept", "--allow-secrets", "--json"]);
    let answer: Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!(answer.get("redacted"), None, "{answer}");
    let kept = program(folder.path(), &["export", "--json"]);
    assert!(holds(&kept.stdout, &told.secret), "{kept:?}");
    // Which shows too that the other tests would see one in the files.
    let files = fs::read_dir(folder.path()).expect("the folder").map(|file| file.expect("an entry").path());
    let holding = files.filter(|file| holds(&fs::read(file).expect("its bytes"), &told.secret)).count();
    assert!(holding >= 1, "no file of the store holds what was to be kept");
    drop(reader);
}
