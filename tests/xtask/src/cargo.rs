//! Cargo, and what this machine has.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The target that core must build for.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";

/// How to get it.
pub(crate) const GET_WASM: &str = "rustup target add wasm32-unknown-unknown";

/// The repository.
pub(crate) fn root() -> PathBuf {
    // This crate is two folders below it. Cargo says where it is now: a cached build may be of another checkout.
    let here = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&here).ancestors().nth(2).map(Path::to_owned).unwrap_or_default()
}

/// Cargo with `arguments`, in the repository.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root()).stdin(Stdio::null());
    command
}

/// Whether core can be built for wasm32.
pub(crate) fn has_wasm() -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut asked = Command::new(rustc);
    asked.args(["--print", "target-libdir", "--target", WASM]);
    let folder = asked.output().ok().and_then(|output| String::from_utf8(output.stdout).ok());
    folder.is_some_and(|folder| Path::new(folder.trim()).is_dir())
}

/// Whether there is a C compiler, which SQLite needs.
pub(crate) fn has_c_compiler() -> bool {
    if cfg!(windows) {
        return true; // Found through the registry, by the build script itself.
    }
    let compiler: OsString = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut asked = Command::new(compiler);
    asked.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    asked.status().is_ok_and(|status| status.success())
}

/// The names of a package's programs: `kind` is `example` or `bin`.
pub(crate) fn programs(package: &str, kind: &str) -> Vec<String> {
    // Asked for a program without a name, cargo lists them, indented.
    let asked = cargo(&["run", "--package", package, &format!("--{kind}")]).output();
    let Ok(text) = asked.map(|output| String::from_utf8_lossy(&output.stderr).into_owned()) else { return Vec::new() };
    text.lines().filter_map(|line| line.strip_prefix("    ")).map(|name| name.trim().to_owned()).collect()
}
