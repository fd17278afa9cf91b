//! Setup and doctor on real files in a home of their own.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::{Value, json};

use super::support::{Home, Ran, ended};

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_ebbtrace");

/// Claude Desktop's configuration, in the home.
const CLAUDE_DESKTOP: &str = if cfg!(target_os = "macos") {
    "Library/Application Support/Claude/claude_desktop_config.json"
} else {
    ".config/Claude/claude_desktop_config.json"
};

/// Where the system keeps what programs configure.
pub(crate) fn config(home: &Home) -> PathBuf {
    if cfg!(target_os = "macos") {
        home.path().join("Library/Application Support")
    } else {
        home.path().join(".config")
    }
}

/// A command that finds no configuration but that of the home, and no store named by the environment.
pub(crate) fn command(home: &Home, arguments: &[&str]) -> Command {
    let mut command = home.command(arguments);
    command.env_remove("XDG_CONFIG_HOME").env_remove("CLAUDE_CONFIG_DIR").env_remove("CODEX_HOME");
    command.env_remove("EBBTRACE_ME").env_remove("EBBTRACE_DB");
    command
}

pub(crate) fn run(home: &Home, arguments: &[&str]) -> Ran {
    ended(command(home, arguments))
}

pub(crate) fn answer(home: &Home, arguments: &[&str]) -> Value {
    let ran = run(home, &[arguments, &["--json"]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.object()
}

pub(crate) fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).expect("a file");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[cfg(unix)]
#[test]
fn each_client_gets_the_server_in_its_form() {
    let home = Home::new();
    let args = json!(["mcp", "--db", "/x/m.db", "--scope", "work"]);
    let plain = json!({ "command": PROGRAM, "args": args });
    let typed = json!({ "type": "stdio", "command": PROGRAM, "args": args });
    let clients = [
        ("claude-code", home.path().join(".claude.json"), json!({ "mcpServers": { "ebbtrace": typed } })),
        (
            "claude-desktop",
            config(&home).join("Claude/claude_desktop_config.json"),
            json!({ "mcpServers": { "ebbtrace": plain } }),
        ),
        ("cursor", home.path().join(".cursor/mcp.json"), json!({ "mcpServers": { "ebbtrace": plain } })),
        ("vscode", config(&home).join("Code/User/mcp.json"), json!({ "servers": { "ebbtrace": typed } })),
    ];
    let given = ["--db", "/x/m.db", "--scope", "work"];
    for (client, path, wanted) in clients {
        let dry = answer(&home, &[&["setup", client, "--dry-run"], &given[..]].concat());
        assert!(!path.exists() && dry["files"][0]["state"] == "would_write", "{dry}");
        assert_eq!(dry["files"][0]["adds"], wanted);
        let done = answer(&home, &[&["setup", client], &given[..]].concat());
        assert_eq!(done["files"], json!([{ "path": path.display().to_string(), "state": "written" }]));
        assert_eq!(read(&path), wanted, "{client}");
        let again = answer(&home, &[&["setup", client], &given[..]].concat());
        assert_eq!(again["files"][0]["state"], "unchanged");
    }
    answer(&home, &[&["setup", "codex"], &given[..]].concat());
    let text = fs::read_to_string(home.path().join(".codex/config.toml")).expect("a file");
    let wanted = format!(
        "[mcp_servers.ebbtrace]\ncommand = \"{PROGRAM}\"\nargs = [\"mcp\", \"--db\", \"/x/m.db\", \"--scope\", \"work\"]\n"
    );
    assert_eq!(text, wanted);
    assert_eq!(answer(&home, &[&["setup", "codex"], &given[..]].concat())["files"][0]["state"], "unchanged");
    let ran = run(&home, &["setup", "cursor", "--anew"]);
    assert!(ran.stdout.starts_with("written  ") && ran.stdout.contains("as it was: "), "{ran:?}");
    assert_eq!(read(&home.path().join(".cursor/mcp.json"))["mcpServers"]["ebbtrace"]["args"], json!(["mcp"]));
}

#[cfg(unix)]
#[test]
fn the_server_alone_gets_its_fence_and_its_tools() {
    let home = Home::new();
    let given = ["--scope", "work", "--fence", "--tools", "core", "--hooks"];
    let done = answer(&home, &[&["setup", "claude-code"], &given[..]].concat());
    assert_eq!(done["args"], json!(["mcp", "--scope", "work", "--fence", "--tools", "core"]));
    let hooks = read(&home.path().join(".claude/settings.json"));
    let wanted = format!("{PROGRAM} hook prompt --scope work");
    assert_eq!(hooks["hooks"]["UserPromptSubmit"][0]["hooks"][0]["command"], json!(wanted));
    let args = answer(&home, &["setup", "cursor", "--tools", "all"])["args"].clone();
    assert_eq!(args, json!(["mcp"]), "what is usual is not said");
    assert_eq!(run(&home, &["setup", "cursor", "--tools", "few"]).code, Some(2));
    // The server starts with them.
    let mut server = command(&home, &["mcp", "--scope", "work", "--fence", "--tools", "core"]);
    server.env("EBBTRACE_DB", home.path().join("memory.db"));
    assert_eq!(ended(server).code, Some(0));
}

#[cfg(unix)]
#[test]
fn files_of_windows_editors_stay_as_they_are() {
    let home = Home::new();
    let toml = "\u{feff}model = \"x\" # mine\r\n\r\n[mcp_servers.other]\r\ncommand = \"y\"\r\n";
    let path = home.file(".codex/config.toml", toml);
    answer(&home, &["setup", "codex"]);
    let added = format!("\r\n[mcp_servers.ebbtrace]\r\ncommand = \"{PROGRAM}\"\r\nargs = [\"mcp\"]\r\n");
    assert_eq!(fs::read_to_string(&path).expect("a file"), format!("{toml}{added}"));
    assert_eq!(answer(&home, &["setup", "codex"])["files"][0]["state"], "unchanged");
    let path = home.file(".cursor/mcp.json", "\u{feff}{\r\n  \"x\": 1\r\n}\r\n");
    answer(&home, &["setup", "cursor"]);
    let text = fs::read_to_string(&path).expect("a file");
    assert!(text.starts_with("\u{feff}{\r\n  \"x\": 1,\r\n  \"mcpServers\": {\r\n"), "{text:?}");
    assert!(!text.replace("\r\n", "").contains('\n'), "{text:?}");
    home.file(".claude/settings.json", "\u{feff}{}");
    answer(&home, &["setup", "claude-code", "--hooks"]);
    let found = doctor(&home, &[], 0);
    for name in ["codex", "cursor", "claude-code", "claude-code hooks"] {
        assert_eq!(state(&found, name), "good", "{found}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_is_written_through_and_what_is_no_file_is_refused() {
    use std::{os::unix::fs::symlink, process::Command};
    let home = Home::new();
    fs::create_dir_all(home.path().join("dotfiles")).expect("a folder");
    fs::create_dir_all(home.path().join(".cursor")).expect("a folder");
    let path = home.path().join(".cursor/mcp.json");
    symlink("../dotfiles/mcp.json", &path).expect("a link");
    home.file("dotfiles/mcp.json", "{}\n");
    answer(&home, &["setup", "cursor"]);
    assert!(path.is_symlink());
    assert_eq!(read(&home.path().join("dotfiles/mcp.json"))["mcpServers"]["ebbtrace"]["command"], json!(PROGRAM));
    fs::remove_file(&path).expect("removed");
    symlink("../gone/mcp.json", &path).expect("a link");
    let refused = |what: &str| {
        let ran = run(&home, &["setup", "cursor", "--json"]);
        let error = ran.object()["error"].clone();
        assert!(ran.code == Some(1) && error["reason"].as_str().is_some_and(|said| said.contains(what)), "{error}");
    };
    refused("it is a link to ");
    assert!(path.is_symlink() && !home.path().join("gone").exists());
    fs::remove_file(&path).expect("removed");
    assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo runs").success());
    refused("it is no file");
    assert_eq!(state(&doctor(&home, &[], 1), "cursor"), "broken");
    fs::remove_file(&path).expect("removed");
    let socket = std::os::unix::net::UnixListener::bind(&path).expect("a socket");
    refused("it is no file");
    drop(socket);
    fs::remove_file(&path).expect("removed");
    symlink("/dev/zero", &path).expect("a link");
    refused("it is no file");
    fs::remove_file(&path).expect("removed");
    fs::create_dir(&path).expect("a folder");
    refused("it is a folder");
}

#[cfg(unix)]
#[test]
fn what_is_there_stays_and_is_copied_first() {
    let home = Home::new();
    let before = "{\n    \"zeta\": 1,\n    \"mcpServers\": {\n        \"other\": { \"command\": \"x\" },\n        \"ebbtrace\": {\n            \"env\": { \"B\": \"2\", \"A\": \"1\" },\n            \"command\": \"old\"\n        }\n    },\n    \"alpha\": [3, 1, 2]\n}\n";
    let path = home.file(".cursor/mcp.json", before);
    let done = answer(&home, &["setup", "cursor"]);
    let backup = home.path().join(".cursor/mcp.json.ebbtrace.bak");
    assert_eq!(done["files"][0]["backup"], json!(backup.display().to_string()));
    assert_eq!(fs::read_to_string(&backup).expect("a copy"), before);
    let after = fs::read_to_string(&path).expect("a file");
    let wanted = before
        .replace("\"command\": \"old\"\n", &format!("\"command\": \"{PROGRAM}\",\n            \"args\": [\"mcp\"]\n"));
    assert_eq!(after, wanted);
    // Another change, another copy.
    answer(&home, &["setup", "cursor", "--scope", "work"]);
    assert_eq!(fs::read_to_string(&backup).expect("a copy"), before);
    assert_eq!(fs::read_to_string(home.path().join(".cursor/mcp.json.ebbtrace.bak.2")).expect("a copy"), after);
    let toml = "model = \"x\" # mine\n\n[mcp_servers.other]\ncommand = \"y\"\n";
    let path = home.file(".codex/config.toml", toml);
    answer(&home, &["setup", "codex"]);
    assert!(fs::read_to_string(&path).expect("a file").starts_with(toml));
}

#[test]
fn what_can_t_be_read_is_left_alone_and_shown_what_to_add() {
    let home = Home::new();
    for (client, name, text) in [
        ("claude-desktop", CLAUDE_DESKTOP, "// mine\n{ \"mcpServers\": {} }"),
        ("claude-code", ".claude.json", "{ \"mcpServers\": [] }"),
        ("codex", ".codex/config.toml", "model = "),
    ] {
        let path = home.file(name, text);
        for json in [false, true] {
            let ran = run(&home, &[&["setup", client][..], if json { &["--json"] } else { &[] }].concat());
            assert_eq!(ran.code, Some(1));
            let said = if json { ran.object()["error"]["reason"].to_string() } else { ran.stderr.clone() };
            assert!(said.contains("is left as it is") && said.contains("command") && said.contains("mcp"), "{said}");
            assert!(!json || ran.object()["error"]["code"] == "config_unreadable");
        }
        assert_eq!(fs::read_to_string(&path).expect("a file"), text);
        assert_eq!(
            fs::read_dir(path.parent().expect("a folder")).expect("a folder").count(),
            if client == "claude-code" { 2 } else { 1 }
        );
    }
    // The second file can't be read: the first is not written either.
    home.file(".claude.json", "{}");
    home.file(".claude/settings.json", "{ \"hooks\": 3 }");
    assert_eq!(run(&home, &["setup", "claude-code", "--hooks"]).code, Some(1));
    assert_eq!(fs::read_to_string(home.path().join(".claude.json")).expect("a file"), "{}");
    let ran = run(&home, &["setup", "claude-desktop", "--project"]);
    assert!(ran.code == Some(1) && ran.stderr.contains("none for a project. Leave out --project"), "{ran:?}");
    assert_eq!(run(&home, &["setup", "cursor", "--store", "memory"]).code, Some(1));
    assert_eq!(run(&home, &["setup", "no-such"]).code, Some(2));
}

#[cfg(unix)]
#[test]
fn hooks_are_added_beside_others_and_run_as_they_are_written() {
    let home = Home::new();
    let mine = json!({ "matcher": "x", "hooks": [{ "type": "command", "command": "mine" }] });
    let path =
        home.file(".claude/settings.json", json!({ "model": "m", "hooks": { "SessionStart": [mine] } }).to_string());
    let store = home.path().join("my memory's.db");
    let given = ["--db", store.to_str().expect("UTF-8")];
    answer(&home, &[&["setup", "claude-code", "--hooks"], &given[..]].concat());
    let settings = read(&path);
    assert_eq!(settings["model"], "m");
    assert_eq!(settings["hooks"]["SessionStart"][0], mine);
    for (event, place) in [("SessionStart", 1), ("UserPromptSubmit", 0), ("PreCompact", 0), ("SessionEnd", 0)] {
        let hook = &settings["hooks"][event][place]["hooks"][0];
        assert_eq!((&hook["type"], &hook["timeout"]), (&json!("command"), &json!(10)), "{settings}");
    }
    // As the client runs it.
    let mut remember =
        command(&home, &[&["remember", "We deploy the Larkspur service on Wednesdays"], &given[..]].concat());
    assert_eq!(remember.output().expect("it runs").status.code(), Some(0));
    let line = settings["hooks"]["SessionStart"][1]["hooks"][0]["command"].as_str().expect("a command").to_owned();
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("echo '{{\"session_id\":\"s\",\"hook_event_name\":\"SessionStart\"}}' | {line}")]);
    let ran = ended(shell);
    assert!(ran.code == Some(0) && ran.stdout.contains("Larkspur"), "{ran:?}");
    // Again, and from another place: nothing twice.
    let again = answer(&home, &[&["setup", "claude-code", "--hooks"], &given[..]].concat());
    assert!(again["files"].as_array().expect("files").iter().all(|file| file["state"] == "unchanged"), "{again}");
    answer(&home, &["setup", "claude-code", "--hooks", "--anew"]);
    let settings = read(&path);
    assert_eq!(settings["hooks"]["SessionStart"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        settings["hooks"]["SessionStart"][1]["hooks"][0]["command"],
        json!(format!("{PROGRAM} hook session-start"))
    );
    for (client, file, event) in [
        ("cursor", ".cursor/hooks.json", "sessionStart"),
        ("vscode", ".copilot/hooks/ebbtrace.json", "SessionStart"),
        ("codex", ".codex/hooks.json", "SessionStart"),
    ] {
        answer(&home, &["setup", client, "--hooks"]);
        let hooks = read(&home.path().join(file));
        let entry = &hooks["hooks"][event][0];
        let hook = if client == "codex" { &entry["hooks"][0] } else { entry };
        assert_eq!(hook["command"], json!(format!("{PROGRAM} hook session-start")), "{hooks}");
        assert_eq!(hooks.get("version").is_some(), client == "cursor");
    }
    answer(&home, &["setup", "claude-code", "--project", "--hooks"]);
    assert!(home.path().join(".mcp.json").exists());
}

/// The state of a check.
pub(crate) fn state<'a>(answer: &'a Value, name: &str) -> &'a str {
    let checks = answer["checks"].as_array().expect("checks");
    let found = checks.iter().find(|check| check["name"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {answer}"))["state"].as_str().expect("a state")
}

pub(crate) fn doctor(home: &Home, more: &[&str], code: i32) -> Value {
    let mut asked = command(home, &[&["doctor", "--json"], more].concat());
    asked.env("EBBTRACE_DB", home.path().join("memory.db"));
    let ran = ended(asked);
    assert_eq!(ran.code, Some(code), "{ran:?}");
    let answer = ran.object();
    assert_eq!(answer["healthy"], code == 0);
    for check in answer["checks"].as_array().expect("checks") {
        let mended = check["mend"].is_string();
        assert!(mended || matches!(check["state"].as_str(), Some("good" | "note")), "{check}");
    }
    answer
}

#[cfg(unix)]
#[test]
fn doctor_finds_a_sound_installation_sound() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    assert_eq!(state(&doctor(&home, &[], 0), "store"), "note");
    assert_eq!(fs::read_dir(home.path()).expect("the folder").count(), 0, "it makes nothing");
    home.remember("We deploy on Wednesdays", &[]);
    assert_eq!(state(&doctor(&home, &[], 0), "clients"), "note");
    answer(&home, &["setup", "claude-code", "--hooks", "--db", home.path().join("memory.db").to_str().expect("UTF-8")]);
    let file = home.path().join("memory.db");
    let before = fs::read(&file).expect("the store");
    let sound = doctor(&home, &[], 0);
    for name in [
        "program",
        "store",
        "writing",
        "privacy",
        "soundness",
        "use",
        "log",
        "scope",
        "embedder",
        "claude-code",
        "claude-code hooks",
    ] {
        assert_eq!(state(&sound, name), "good", "{name} of {sound}");
    }
    assert_eq!(fs::read(&file).expect("the store"), before);
    let text = home.text(&["doctor"]);
    assert!(
        text.contains("✓ soundness: 1 memory and 0 links, all legible") && text.contains("Nothing is broken."),
        "{text}"
    );
    // What is not as it should be, and still works.
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("rights");
    let loose = doctor(&home, &["--scope", "wrok"], 0);
    assert_eq!((state(&loose, "privacy"), state(&loose, "scope")), ("warning", "warning"));
    let other = rusqlite::Connection::open(&file).expect("the store");
    other.execute_batch("BEGIN IMMEDIATE; UPDATE memory SET importance = 0.4").expect("a write");
    assert_eq!(state(&doctor(&home, &[], 0), "use"), "note");
    other.execute_batch("ROLLBACK").expect("given back");
    assert_eq!(state(&doctor(&home, &[], 0), "use"), "good");
}

#[cfg(unix)]
#[test]
fn doctor_says_what_is_broken() {
    let home = Home::new();
    home.remember("We deploy on Wednesdays", &[]);
    home.file(".cursor/mcp.json", json!({ "mcpServers": { "ebbtrace": { "command": "/gone/ebbtrace" } } }).to_string());
    home.file(".codex/config.toml", "model = ");
    home.file(
        ".claude/settings.json",
        json!({ "hooks": { "SessionStart": [
            { "hooks": [{ "type": "command", "command": "'/gone too/ebbtrace' hook session-start" }] },
        ]}})
        .to_string(),
    );
    home.file(
        ".claude.json",
        json!({ "mcpServers": { "ebbtrace": { "command": PROGRAM, "args": ["--db", "/other.db"] } } }).to_string(),
    );
    let found = doctor(&home, &[], 1);
    for (name, wanted) in
        [("cursor", "broken"), ("codex", "broken"), ("claude-code hooks", "broken"), ("claude-code", "note")]
    {
        assert_eq!(state(&found, name), wanted, "{found}");
    }
    let said = run(&home, &["doctor"]);
    assert!(said.code == Some(1) && said.stdout.contains("✗ cursor:") && said.stderr.is_empty(), "{said:?}");
    // Stores of every kind of wrong; each is left as it was.
    let other = Home::new();
    other.remember("We deploy on Wednesdays", &[]);
    let file = other.path().join("memory.db");
    let whole = fs::read(&file).expect("the store");
    let mut newer = whole.clone();
    newer[60..64].copy_from_slice(&99_u32.to_be_bytes());
    let mut torn = whole.clone();
    torn[4_096..].iter_mut().for_each(|byte| *byte ^= 0x5a);
    for (bytes, name) in [(newer, "opening"), (b"no database at all".to_vec(), "opening"), (torn, "opening")] {
        fs::write(&file, &bytes).expect("a broken store");
        let found = doctor(&other, &[], 1);
        assert!(
            found["checks"].as_array().expect("checks").iter().any(|check| check["state"] == "broken"),
            "{name} {found}"
        );
        assert_eq!(fs::read(&file).expect("the store"), bytes, "it was changed");
    }
    fs::write(&file, &whole).expect("the store");
    let damaged = rusqlite::Connection::open(&file).expect("the store");
    damaged.execute_batch("UPDATE memory SET tier = 'tepid'").expect("damage");
    drop(damaged);
    assert_eq!(state(&doctor(&other, &[], 1), "soundness"), "broken");
}

/// What doctor says under a name, each time it says something.
pub(crate) fn says(answer: &Value, name: &str) -> Vec<String> {
    let checks = answer["checks"].as_array().expect("checks").iter().filter(|check| check["name"] == name);
    checks.map(|check| check["says"].as_str().expect("words").to_owned()).collect()
}

#[cfg(unix)]
#[test]
fn doctor_says_which_store_each_client_opens_and_once() {
    let home = Home::new();
    home.remember("We deploy on Wednesdays", &[]);
    let store = home.path().canonicalize().expect("the folder").join("memory.db").display().to_string();
    answer(&home, &["setup", "claude-code", "--hooks", "--db", &store, "--scope", "work"]);
    answer(&home, &["setup", "cursor", "--hooks"]);
    answer(&home, &["setup", "codex", "--db", "/other.db"]);
    // In the home folder the user's files are the project's too.
    let found = doctor(&home, &["--scope", "work"], 0);
    for (name, ends) in [
        ("claude-code", format!("which opens {store}, scope work")),
        ("claude-code hooks", format!("runs all of them, over {store}, scope work")),
        ("cursor", format!("which opens {store}, scope default")),
        ("cursor hooks", format!("runs all of them, over {store}, scope default")),
        ("codex", "another store: it opens /other.db, scope default".to_owned()),
    ] {
        let said = says(&found, name);
        assert!(said.len() == 1 && said[0].ends_with(&ends), "{name}: {said:?}");
    }
    // The server's store and scope changed, and its hooks were forgotten.
    for (given, other) in [
        (vec!["--db", "/other.db", "--scope", "work"], "/other.db"),
        (vec!["--db", &store, "--scope", "default"], "default"),
    ] {
        answer(&home, &[&["setup", "claude-code"], &given[..]].concat());
        let found = doctor(&home, &[], 0);
        assert_eq!(state(&found, "claude-code hooks"), "warning", "{found}");
        assert!(says(&found, "claude-code hooks")[0].contains("its server into ") && found.to_string().contains(other));
    }
    let mend = doctor(&home, &[], 0)["checks"].as_array().expect("checks").iter().find_map(|check| {
        (check["name"] == "claude-code hooks").then(|| check["mend"].as_str().expect("a way").to_owned())
    });
    // What it says to do mends it.
    let mend = mend.expect("a way").replacen("ebbtrace", PROGRAM, 1);
    let mut shell = command(&home, &["-c", &mend]);
    let mut sh = Command::new("sh");
    sh.args(shell.get_args()).current_dir(home.path());
    for (name, value) in shell.get_envs() {
        match value {
            Some(value) => sh.env(name, value),
            None => sh.env_remove(name),
        };
    }
    shell = sh;
    assert_eq!(ended(shell).code, Some(0));
    assert_eq!(state(&doctor(&home, &[], 0), "claude-code hooks"), "good");
}
