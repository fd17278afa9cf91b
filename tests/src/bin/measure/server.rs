//! The MCP server as a client meets it: a process of its own, from start to first answer.

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// What the server at `db` does from its start to its first answer, and what it holds once it is idle.
pub(crate) fn figures(db: &Path) -> Result<String, String> {
    const HELLO: &str = concat!(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","#,
        r#""capabilities":{},"clientInfo":{"name":"measure","version":"1"}}}"#
    );
    let text = |error: std::io::Error| error.to_string();
    let program = std::env::current_exe().map_err(text)?.with_file_name("ebbtrace");
    if !program.exists() {
        return Err("there is no server yet: cargo build --release --package ebbtrace".to_owned());
    }
    let started = Instant::now();
    let mut command = Command::new(program);
    command.args(["mcp", "--db"]).arg(db).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(text)?;
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("the server has no input or no output".to_owned());
    };
    writeln!(input, "{HELLO}").map_err(text)?;
    let mut answer = String::new();
    BufReader::new(output).read_line(&mut answer).map_err(text)?;
    let took = started.elapsed();
    // What it loads behind its first answer is there by then.
    std::thread::sleep(Duration::from_secs(10));
    let memory = memory_of(&child.id().to_string());
    drop(input);
    child.wait().map_err(text)?;
    if !answer.contains("serverInfo") {
        return Err(format!("the server answered {answer:?}"));
    }
    Ok(format!("{:.0} ms; idle {}", took.as_secs_f64() * 1e3, memory?))
}

/// A process's resident memory, now and at its highest.
pub(crate) fn memory_of(process: &str) -> Result<String, String> {
    let path = format!("/proc/{process}/status");
    let status = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let kilobytes: Option<f64> = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        kilobytes.map_or("?".to_owned(), |kilobytes| format!("{:.1} MB", kilobytes * 1_024.0 / 1e6))
    };
    Ok(format!("{} resident, {} at most", field("VmRSS:"), field("VmHWM:")))
}
