//! `cargo xtask npm`: the module for JavaScript, the package around it, and how large both may be.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::{
    cargo::{GET_WASM, WASM, cargo, has_wasm, root},
    steps::Steps,
};

/// How large the module may be, gzipped: 450 KB, in bytes. The same sources come out a few thousand bytes apart from one checkout
/// to another.
const MODULE: u64 = 450 << 10;
/// How large each entry's script may be, gzipped, in bytes.
const SCRIPT: u64 = 20_000;

/// The package, in the repository.
fn folder() -> PathBuf {
    root().join("bindings/npm")
}

/// Builds the package and packs it; the tarball is in the target folder, in `npm`.
pub(crate) fn run(steps: &mut Steps) -> bool {
    if !has_wasm() {
        steps.lacks("npm package", "the wasm32 target is missing", GET_WASM);
        return false;
    }
    if !has("node", "--version") || !has(NPM, "--version") {
        steps.lacks("npm package", "Node.js and npm are missing", "https://nodejs.org (20.15 or newer)");
        return false;
    }
    let before = steps.failures();
    let module = target().join(WASM).join("wasm/ebbtrace_wasm.wasm");
    let mut build = cargo(&["build", "--profile", "wasm", "--target", WASM, "--package", "ebbtrace-wasm"]);
    build.env("RUSTFLAGS", flags());
    steps.run("wasm module", build);
    let bind = ["run", "--quiet", "--package", "ebbtrace-bindgen", "--"];
    let (module, bound) = (module.display().to_string(), folder().join("src/wasm").display().to_string());
    steps.run("wasm module's bindings", cargo(&[&bind[..], &[&module, &bound]].concat()));
    steps.run("npm ci", npm(&["ci", "--no-audit", "--no-fund", "--silent"]));
    steps.run("npm package", node(&["build.mjs"]));
    if steps.failures() == before {
        sizes(steps);
        let out = target().join("npm");
        let made = fs::create_dir_all(&out).is_ok();
        let out = out.display().to_string();
        if made {
            steps.run("npm pack", npm(&["pack", "--silent", "--pack-destination", &out]));
        }
    }
    steps.failures() == before
}

/// Every test of the package, of its examples and of what uses it; those in a browser where there is one.
pub(crate) fn test(steps: &mut Steps) {
    if !run(steps) {
        return;
    }
    let operations = target().join("npm/operations.jsonl").display().to_string();
    let write = ["run", "--quiet", "--package", "ebbtrace-tests", "--bin", "operations", "--", &operations];
    steps.run("operations for every host", cargo(&write));
    let program = target().join(if cfg!(windows) { "debug/ebbtrace.exe" } else { "debug/ebbtrace" });
    let told = [("EBBTRACE_OPERATIONS", operations), ("EBBTRACE_BIN", program.display().to_string())];
    let tests = |folder: &str, files: &str| {
        let mut command = in_folder("node", folder);
        command.args(["--test", "--test-reporter=tap", "--test-concurrency=1"]).envs(told.clone());
        command.args(files_in(&root().join(folder).join(files)));
        command
    };
    steps.run("npm package's own tests", tests("bindings/npm", "test"));
    steps.run("agent frameworks", install("bindings/npm/test/tools"));
    steps.run("npm package in agent frameworks", tests("bindings/npm", "test/tools"));
    if !chromium().exists() {
        let remedy = "apt-get install chromium, or name one with CHROMIUM";
        return steps.lacks("npm package in bundlers and browsers", "there is no Chromium", remedy);
    }
    steps.run("bundlers and the browser's driver", install("bindings/npm/test/consumers"));
    steps.run("npm package in bundlers", tests("bindings/npm", "test/consumers"));
    steps.run("npm package in Chromium", tests("bindings/npm", "test/browser"));
    steps.run("the page's packages", install("examples/browser"));
    steps.run("the page's site", {
        let mut build = in_folder("node", "examples/browser");
        build.arg("build.mjs");
        build
    });
    steps.run("the page in Chromium", tests("examples/browser", "test"));
}

/// The browser of the tests.
fn chromium() -> PathBuf {
    env::var_os("CHROMIUM").map_or_else(|| "/usr/bin/chromium".into(), PathBuf::from)
}

/// The files of tests in a folder, by name.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let found = fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<PathBuf> = found.filter(|path| path.to_string_lossy().ends_with(".test.mjs")).collect();
    files.sort_unstable();
    files
}

fn install(folder: &str) -> Command {
    let mut command = in_folder(NPM, folder);
    command.args(["ci", "--no-audit", "--no-fund", "--silent"]);
    command
}

/// A program of Node's in the package's folder.
fn node(arguments: &[&str]) -> Command {
    in_package("node", arguments)
}

fn npm(arguments: &[&str]) -> Command {
    in_package(NPM, arguments)
}

fn in_package(program: &str, arguments: &[&str]) -> Command {
    let mut command = in_folder(program, "bindings/npm");
    command.args(arguments);
    command
}

fn in_folder(program: &str, folder: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root().join(folder)).stdin(Stdio::null());
    command
}

const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

fn has(program: &str, argument: &str) -> bool {
    let mut asked = Command::new(program);
    asked.arg(argument).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    asked.status().is_ok_and(|status| status.success())
}

/// What the module is built with: SIMD, and no path of this machine in its messages.
fn flags() -> String {
    let mut flags = "-C target-feature=+simd128".to_owned();
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    for (path, name) in [(home, "cargo"), (Some(root()), "ebbtrace")] {
        if let Some(path) = path {
            flags.push_str(&format!(" --remap-path-prefix={}={name}", path.display()));
        }
    }
    flags
}

fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |folder| root().join(folder))
}

/// Fails where a file of the package has outgrown its bound.
fn sizes(steps: &mut Steps) {
    let dist = folder().join("dist");
    let files = [("ebbtrace.wasm", MODULE), ("node.js", SCRIPT), ("node.cjs", SCRIPT), ("browser.js", SCRIPT)];
    for (name, most) in files.into_iter().chain([("slim.js", SCRIPT), ("tools.js", SCRIPT)]) {
        let found = gzipped(&dist.join(name));
        let says =
            found.map_or_else(|| "it is not there".to_owned(), |size| format!("{size} bytes gzipped, {most} allowed"));
        steps.check(&format!("size of {name}"), found.is_some_and(|size| size <= most), &says);
    }
}

/// How many bytes a file takes, gzipped as well as gzip can.
fn gzipped(path: &Path) -> Option<u64> {
    // Node has a gzip wherever this runs.
    let script = "process.stdout.write(String(require('zlib').gzipSync(require('fs').readFileSync(process.argv[1]),{level:9}).length))";
    let output = node(&["-e", script, &path.display().to_string()]).output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}
