//! The program: `ebbtrace mcp --db PATH`.

use std::{path::PathBuf, process::ExitCode};

use ebbtrace::{
    Service,
    mcp::{self, McpOptions},
    service::Options,
    store::SqliteStore,
};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (path, default_scope) = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["mcp", "--db", path] => (PathBuf::from(path), None),
        ["mcp", "--db", path, "--scope", scope] => (PathBuf::from(path), Some(scope.to_owned())),
        _ => {
            eprintln!("usage: ebbtrace mcp --db PATH [--scope SCOPE]");
            return ExitCode::from(2);
        }
    };
    let open = move || Service::open(Options::new(Box::new(SqliteStore::open(&path)?)));
    ExitCode::from(mcp::run(open, McpOptions { default_scope, ..McpOptions::default() }))
}
