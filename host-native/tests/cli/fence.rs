//! The fence of a project, as the hooks that run there keep it.

use std::{
    fs,
    os::unix::fs::symlink,
    sync::atomic::{AtomicUsize, Ordering},
};

use serde_json::{Value, json};

use super::{
    setup::{PROGRAM, answer, command, doctor, says},
    support::{Home, ended},
};

/// What a hook shows that a client runs in `folder`.
fn shown(home: &Home, folder: &std::path::Path, arguments: &[&str]) -> String {
    let mut hook = command(home, &[&["hook", "session-start"], arguments].concat());
    hook.current_dir("/").env("EBBTRACE_DB", home.path().join("memory.db"));
    hook.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = hook.spawn().expect("it runs");
    // Each call is a session of its own.
    static SESSIONS: AtomicUsize = AtomicUsize::new(0);
    let session = SESSIONS.fetch_add(1, Ordering::Relaxed).to_string();
    let said = json!({ "session_id": session, "hook_event_name": "SessionStart", "source": "startup",
        "cwd": folder.display().to_string() });
    std::io::Write::write_all(&mut child.stdin.take().expect("stdin"), said.to_string().as_bytes()).expect("written");
    let output = child.wait_with_output().expect("it ends");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn g1_a_project_s_fence_holds_for_the_hooks_of_all_projects_too() {
    let home = Home::new();
    home.remember("The salary of the default scope is 100", &[]);
    home.remember("The Larkspur project deploys on Wednesdays", &["--scope", "larkspur"]);
    let project = home.path().join("larkspur/deep/inside");
    fs::create_dir_all(&project).expect("a folder");
    let root = home.path().join("larkspur");
    let mut setup = command(&home, &["setup", "claude-code", "--project", "--scope", "larkspur", "--fence"]);
    setup.current_dir(&root);
    assert_eq!(ended(setup).code, Some(0));
    answer(&home, &["setup", "claude-code", "--hooks"]);
    // The hook of all projects has no scope of its own.
    for folder in [&root, &project] {
        let told = shown(&home, folder, &[]);
        assert!(told.contains("Larkspur") && !told.contains("salary"), "{told}");
        let told = shown(&home, folder, &["--scope", "default"]);
        assert!(told.contains("Larkspur") && !told.contains("salary"), "{told}");
    }
    // A link elsewhere that leads into the project, and one in it that leads out.
    let elsewhere = home.path().join("elsewhere");
    fs::create_dir(&elsewhere).expect("a folder");
    let told = shown(&home, &elsewhere, &[]);
    assert!(told.contains("salary") && !told.contains("Larkspur"), "{told}");
    symlink(&project, elsewhere.join("in")).expect("a link");
    symlink(&elsewhere, root.join("out")).expect("a link");
    for folder in [elsewhere.join("in"), root.join("out"), elsewhere.join("in/not/there")] {
        let told = shown(&home, &folder, &[]);
        assert!(told.contains("Larkspur") && !told.contains("salary"), "{told}");
    }
    // Doctor, asked in the project, says what is in force there.
    let mut asked = command(&home, &["doctor", "--json"]);
    asked.current_dir(&root).env("EBBTRACE_DB", home.path().join("memory.db"));
    let found: Value = ended(asked).object();
    let said = says(&found, "fence");
    assert!(said.len() == 1 && said[0].contains("keeps this project to the scope larkspur"), "{found}");
    assert!(says(&doctor(&home, &[], 0), "fence").is_empty());
}

/// A home with a memory of its own and one of the scope larkspur, and a folder for a project in it.
fn two_scopes() -> (Home, std::path::PathBuf) {
    let home = Home::new();
    home.remember("The salary of the default scope is 100", &[]);
    home.remember("The Larkspur project deploys on Wednesdays", &["--scope", "larkspur"]);
    let project = home.path().join("project");
    fs::create_dir(&project).expect("a folder");
    (home, project)
}

#[test]
fn g1_a_fence_holds_however_its_server_is_started() {
    let (home, project) = two_scopes();
    let fenced = |command: &str, args: Value| json!({ "command": command, "args": args });
    for (file, list, server) in [
        (".mcp.json", "mcpServers", fenced(PROGRAM, json!(["--scope", "larkspur", "mcp", "--fence"]))),
        (".mcp.json", "mcpServers", fenced("env", json!(["A=1", PROGRAM, "mcp", "--fence", "--scope=larkspur"]))),
        (
            ".cursor/mcp.json",
            "mcpServers",
            fenced("env", json!(["EBBTRACE_SCOPE=larkspur", PROGRAM, "mcp", "--fence"])),
        ),
        (".vscode/mcp.json", "servers", fenced("sh", json!(["-c", format!("{PROGRAM} mcp --scope larkspur --fence")]))),
    ] {
        // Under whatever name it goes.
        let path = project.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(&path, json!({ list: { "memory": server } }).to_string()).expect("written");
        let told = shown(&home, &project, &[]);
        assert!(told.contains("Larkspur") && !told.contains("salary"), "{file}: {told}");
        fs::remove_file(&path).expect("removed");
    }
    // Claude Code keeps servers of one project in the user's own file too.
    let servers = json!({ "m": fenced(PROGRAM, json!(["mcp", "--scope", "larkspur", "--fence"])) });
    let projects = json!({ project.display().to_string(): { "mcpServers": servers } });
    home.file(".claude.json", json!({ "projects": projects }).to_string());
    let told = shown(&home, &project, &[]);
    assert!(told.contains("Larkspur") && !told.contains("salary"), "{told}");
    let told = shown(&home, home.path(), &[]);
    assert!(told.contains("salary") && !told.contains("Larkspur"), "{told}");
}

#[test]
fn g1_nothing_is_shown_where_a_fence_can_t_be_read() {
    let (home, project) = two_scopes();
    let server = json!({ "command": PROGRAM, "args": ["mcp", "--scope", "larkspur", "--fence"] });
    let whole = json!({ "mcpServers": { "ebbtrace": server } }).to_string();
    for broken in [format!("{whole},"), format!("// mine\n{whole}"), whole[..whole.len() - 1].to_owned()] {
        fs::write(project.join(".mcp.json"), &broken).expect("written");
        let told = shown(&home, &project, &[]);
        assert_eq!(told, "", "{broken}");
        let mut asked = command(&home, &["doctor", "--json"]);
        asked.current_dir(&project);
        let found = ended(asked);
        assert_eq!(found.code, Some(1));
        let said = says(&found.object(), "fence");
        assert!(said.len() == 1 && said[0].contains("can't be read"), "{said:?}");
    }
    // What speaks of no fence has none, however broken it is.
    fs::write(project.join(".mcp.json"), "{ \"mcpServers\": ").expect("written");
    let told = shown(&home, &project, &[]);
    assert!(told.contains("salary"), "{told}");
}
