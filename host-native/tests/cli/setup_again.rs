//! Setup over what is there already: options of before, entries of another kind, commands of the owner's.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
};

use serde_json::json;

use super::{
    setup::{PROGRAM, answer, command, doctor, read, run, says, state},
    support::{Home, ended},
};

#[test]
fn what_an_earlier_setup_gave_stays_until_it_is_left_out() {
    let home = Home::new();
    let path = home.path().join(".claude.json");
    let args = || read(&path)["mcpServers"]["ebbtrace"]["args"].clone();
    answer(&home, &["setup", "claude-code", "--scope", "work", "--fence", "--tools", "core", "--hooks"]);
    let again = answer(&home, &["setup", "claude-code"]);
    assert_eq!(again["files"][0]["state"], "unchanged");
    assert_eq!(again["notes"][0], "Kept from before: --scope work --fence --tools core. --anew leaves it out.");
    // What is given is set, and the hooks follow.
    answer(&home, &["setup", "claude-code", "--scope", "home", "--hooks"]);
    assert_eq!(args(), json!(["mcp", "--scope", "home", "--fence", "--tools", "core"]));
    let hooks = read(&home.path().join(".claude/settings.json"));
    let hook = &hooks["hooks"]["UserPromptSubmit"][0]["hooks"][0]["command"];
    assert_eq!(*hook, json!(format!("{PROGRAM} hook prompt --scope home")));
    answer(&home, &["setup", "claude-code", "--tools", "all"]);
    assert_eq!(args(), json!(["mcp", "--scope", "home", "--fence"]));
    // An option that its owner added stays as well.
    let text = fs::read_to_string(&path).expect("a file").replace("\"--fence\"", "\"--fence\", \"--no-maintenance\"");
    fs::write(&path, text).expect("written");
    answer(&home, &["setup", "claude-code", "--me", "Ana"]);
    assert_eq!(args(), json!(["mcp", "--me", "Ana", "--scope", "home", "--fence", "--no-maintenance"]));
    answer(&home, &["setup", "claude-code", "--anew"]);
    assert_eq!(args(), json!(["mcp"]));
    // Wherever they stand among the words of what starts the server, and behind a wrapper too.
    for (command, words) in [
        (PROGRAM, json!(["--scope", "x", "mcp", "--fence"])),
        ("env", json!(["A=1", PROGRAM, "mcp", "--scope=x", "--fence", "--unknown", "1"])),
    ] {
        let server = json!({ "mcpServers": { "ebbtrace": { "command": command, "args": words } } });
        fs::write(&path, server.to_string()).expect("written");
        answer(&home, &["setup", "claude-code"]);
        assert_eq!(args(), json!(["mcp", "--scope", "x", "--fence"]), "{words}");
    }
    answer(&home, &["setup", "codex", "--scope", "work", "--fence"]);
    let kept = answer(&home, &["setup", "codex"]);
    assert_eq!(kept["args"], json!(["mcp", "--scope", "work", "--fence"]));
}

#[test]
fn an_entry_of_another_kind_becomes_a_whole_one() {
    let home = Home::new();
    let other = json!({ "mcpServers": { "ebbtrace": {
        "type": "http", "url": "http://x/mcp", "headers": { "A": "b" }, "disabled": true, "env": { "K": "v" },
    }}});
    for (client, name) in [("claude-code", ".claude.json"), ("cursor", ".cursor/mcp.json")] {
        let path = home.file(name, other.to_string());
        let done = answer(&home, &["setup", client]);
        let server = read(&path)["mcpServers"]["ebbtrace"].clone();
        let fields: Vec<&String> = server.as_object().expect("a server").keys().collect();
        let wanted: &[&str] =
            if client == "cursor" { &["args", "command", "env"] } else { &["args", "command", "env", "type"] };
        assert_eq!(fields, wanted, "{server}");
        assert_eq!((&server["command"], &server["env"]["K"]), (&json!(PROGRAM), &json!("v")));
        assert!(
            done["notes"][0].as_str().is_some_and(|note| note.contains("url") && note.contains("disabled")),
            "{done}"
        );
        assert!(done["files"][0]["backup"].is_string(), "{done}");
        assert_eq!(answer(&home, &["setup", client])["files"][0]["state"], "unchanged");
    }
    let toml = "[mcp_servers.ebbtrace]\nurl = \"http://x\"\nenabled = false\n";
    let path = home.file(".codex/config.toml", toml);
    answer(&home, &["setup", "codex"]);
    let text = fs::read_to_string(path).expect("a file");
    assert_eq!(text, format!("[mcp_servers.ebbtrace]\ncommand = \"{PROGRAM}\"\nargs = [\"mcp\"]\n"));
}

#[test]
fn a_command_of_the_owner_s_that_runs_ours_is_left_alone() {
    let home = Home::new();
    let mine = "sh -c 'ebbtrace hook prompt | tee /tmp/log'";
    let wrapper = json!({ "hooks": { "UserPromptSubmit": [{ "hooks": [{ "type": "command", "command": mine }] }] } });
    let path = home.file(".claude/settings.json", wrapper.to_string());
    let done = answer(&home, &["setup", "claude-code", "--hooks"]);
    let hooks = read(&path)["hooks"].clone();
    assert_eq!(hooks["UserPromptSubmit"], wrapper["hooks"]["UserPromptSubmit"]);
    assert_eq!(hooks["SessionStart"].as_array().map(Vec::len), Some(1));
    assert!(done["notes"].to_string().contains("At UserPromptSubmit a command of your own runs our hook"), "{done}");
}

#[test]
fn a_program_of_another_name_adds_nothing_twice() {
    let home = Home::new();
    let other = home.path().join("mem");
    // By a program of its own: a file that is open for writing here, or in what starts beside, can't be run.
    let copied = std::process::Command::new("cp").args([PROGRAM.as_ref(), other.as_os_str()]).status();
    assert!(copied.expect("cp runs").success());
    for _ in 0..2 {
        let ours = command(&home, &["setup", "claude-code", "--hooks"]);
        let mut named = std::process::Command::new(&other);
        named.args(ours.get_args()).current_dir(home.path());
        for (name, value) in ours.get_envs() {
            match value {
                Some(value) => named.env(name, value),
                None => named.env_remove(name),
            };
        }
        assert_eq!(ended(named).code, Some(0));
    }
    let hooks = read(&home.path().join(".claude/settings.json"));
    for event in ["SessionStart", "UserPromptSubmit", "PreCompact", "SessionEnd"] {
        assert_eq!(hooks["hooks"][event].as_array().map(Vec::len), Some(1), "{hooks}");
    }
}

#[test]
fn a_copy_is_never_made_through_a_link() {
    let home = Home::new();
    let path = home.file(".cursor/mcp.json", "{ \"mcpServers\": {} }");
    symlink("../elsewhere", home.path().join(".cursor/mcp.json.ebbtrace.bak")).expect("a link");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("rights");
    let done = answer(&home, &["setup", "cursor"]);
    let backup = home.path().join(".cursor/mcp.json.ebbtrace.bak.2");
    assert_eq!(done["files"][0]["backup"], json!(backup.display().to_string()));
    assert_eq!(fs::read_to_string(&backup).expect("a copy"), "{ \"mcpServers\": {} }");
    assert_eq!(fs::metadata(&backup).expect("a copy").permissions().mode() & 0o777, 0o600);
    assert!(!home.path().join("elsewhere").exists());
    // What could not be written says so, and speaks of no import.
    fs::remove_file(&path).expect("removed");
    fs::create_dir(&path).expect("a folder");
    let ran = run(&home, &["setup", "cursor", "--json"]);
    let next = ran.object()["error"]["next_step"].to_string();
    assert!(next.contains("Nothing was written") && !next.contains("import"), "{next}");
}

#[test]
fn comments_of_vs_code_s_own_configuration_stay() {
    let home = Home::new();
    let text = "// my servers\n{\n\t\"servers\": {\n\t\t/* the other */\n\t\t\"other\": { \"command\": \"x\", }, // keep\n\t},\n}\n";
    for name in [".vscode/mcp.json", ".cursor/mcp.json"] {
        let client = if name.starts_with(".v") { "vscode" } else { "cursor" };
        let text = if client == "cursor" { text.replace("servers\": {", "mcpServers\": {") } else { text.to_owned() };
        let path = home.file(name, text);
        answer(&home, &["setup", client, "--project"]);
        let after = fs::read_to_string(&path).expect("a file");
        for part in ["// my servers\n", "/* the other */", "// keep"] {
            assert!(after.contains(part), "{after}");
        }
        assert!(after.contains(PROGRAM), "{after}");
        assert_eq!(answer(&home, &["setup", client, "--project"])["files"][0]["state"], "unchanged");
        assert_eq!(state(&doctor(&home, &[], 0), client), "good");
    }
}

#[test]
fn a_link_that_leads_nowhere_is_not_written_through() {
    let home = Home::new();
    fs::create_dir(home.path().join(".cursor")).expect("a folder");
    for target in ["../nowhere.json", "gone/nowhere.json"] {
        let link = home.path().join(".cursor/mcp.json");
        symlink(target, &link).expect("a link");
        let ran = run(&home, &["setup", "cursor", "--json"]);
        let error = &ran.object()["error"];
        assert_eq!((ran.code, &error["code"]), (Some(1), &json!("unreadable")), "{error}");
        assert!(error["reason"].to_string().contains(&format!("a link to {target}")), "{error}");
        assert!(link.is_symlink() && !link.exists() && !home.path().join("nowhere.json").exists());
        let found = doctor(&home, &[], 1);
        assert_eq!(state(&found, "cursor"), "broken");
        assert!(says(&found, "cursor")[0].contains("nothing is there"), "{found}");
        fs::remove_file(&link).expect("removed");
    }
}

#[test]
fn a_hook_that_runs_twice_is_told_and_one_of_a_program_that_moved_is_ours() {
    let home = Home::new();
    let path = home.path().join(".claude/settings.json");
    let group = |matcher: &str, command: String| json!({ "matcher": matcher, "hooks": [{ "type": "command", "command": command }] });
    let (wrapper, own) = (format!("timeout 5 {PROGRAM} hook session-start"), format!("{PROGRAM} hook session-start"));
    for (matchers, doubled) in [(["", ""], true), (["startup", "resume"], false)] {
        let groups = json!([group(matchers[0], wrapper.clone()), group(matchers[1], own.clone())]);
        home.file(".claude/settings.json", json!({ "hooks": { "SessionStart": groups } }).to_string());
        let notes = answer(&home, &["setup", "claude-code", "--hooks"])["notes"].to_string();
        assert_eq!(notes.contains("At SessionStart our hook is run more than once"), doubled, "{notes}");
        let found = doctor(&home, &[], 0);
        let told = says(&found, "claude-code hooks")[0].contains("at SessionStart");
        assert_eq!(told && state(&found, "claude-code hooks") == "warning", doubled, "{found}");
    }
    home.file(
        ".claude/settings.json",
        json!({ "hooks": { "SessionStart": [group("", "/gone/brain hook session-start".to_owned())] } }).to_string(),
    );
    answer(&home, &["setup", "claude-code", "--hooks"]);
    let groups = read(&path)["hooks"]["SessionStart"].clone();
    assert_eq!(
        (groups.as_array().map(Vec::len), &groups[0]["hooks"][0]["command"]),
        (Some(1), &json!(own)),
        "{groups}"
    );
}
