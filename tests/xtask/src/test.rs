//! `cargo xtask test`: everything that says whether the project works.

use std::{fs, process::Command};

use crate::{
    cargo::{GET_WASM, WASM, cargo, has_c_compiler, has_wasm, programs, root},
    graph, npm,
    steps::Steps,
};

/// The package of small programs that are run one by one.
const EXAMPLES: &str = "ebbtrace-examples";

/// Runs every test; with `all`, what this machine can't run counts as failed.
pub(crate) fn run(all: bool) -> Steps {
    let mut steps = Steps::of_tests(all);
    if has_c_compiler() {
        workspace(&mut steps, all);
        graph::test(&mut steps, all);
    } else {
        core_alone(&mut steps);
        let why = "SQLite needs a C compiler";
        steps.lacks("host-native, tests, examples", why, "apt-get install gcc (or your system's way)");
    }
    if has_wasm() {
        steps.run("core on wasm32", cargo(&["check", "--package", "ebbtrace-core", "--target", WASM]));
    } else {
        steps.lacks("core on wasm32", "the wasm32 target is missing", GET_WASM);
    }
    if has_c_compiler() {
        npm::test(&mut steps);
    }
    steps
}

fn workspace(steps: &mut Steps, all: bool) {
    let targets = ["--lib", "--bins", "--tests", "--examples"];
    let tests = [&["test", "--workspace", "--no-fail-fast"][..], &targets].concat();
    steps.run("tests", cargo(&tests));
    steps.run("doctests", cargo(&["test", "--workspace", "--no-fail-fast", "--doc"]));
    for kind in ["example", "bin"] {
        for name in programs(EXAMPLES, kind) {
            let run = ["run", "--quiet", "--package", EXAMPLES, &format!("--{kind}"), &name];
            steps.run(&format!("example {name}"), cargo(&run));
        }
    }
    if all {
        let large = ["test", "--package", "ebbtrace-tests", "--test", "big_store", "--", "--ignored", "--nocapture"];
        steps.run("cases on 100,000 memories", cargo(&large));
    } else {
        steps.leaves_out("cases on 100,000 memories", "making the store takes minutes", "cargo xtask test --all");
    }
    full_disk(steps);
    steps.run("the gold sets: the floor", program("gold", &["--floor"]));
    match conversations() {
        Some(files) => {
            let files: Vec<&str> = files.iter().map(String::as_str).collect();
            let bound = [&["--import-bound", "1"][..], &files].concat();
            steps.run("resolution: turns taken for known", program("locomo", &bound));
        }
        None => {
            let remedy = "the conversations of github.com/snap-research/locomo (CC BY-NC 4.0) in ../shared/locomo, \
                          in the form that tests/src/locomo.rs reads";
            steps.leaves_out("resolution: turns taken for known", "there is no ../shared/locomo", remedy);
        }
    }
}

/// A disk without room is a file system in a namespace, which not every system lets a program have.
fn full_disk(steps: &mut Steps) {
    let name = "a full disk";
    let mounts = ["--user", "--map-root-user", "--mount", "sh", "-c", "mount -t tmpfs -o size=2m tmpfs /mnt"];
    if Command::new("unshare").args(mounts).output().is_ok_and(|tried| tried.status.success()) {
        let test = ["test", "--package", "ebbtrace", "--test", "cli", "--", "--ignored", "a_full_disk"];
        steps.run(name, cargo(&test));
    } else {
        let why = "the system lets no program mount a file system of its own";
        steps.leaves_out(name, why, "Linux with unshare and user namespaces");
    }
}

fn core_alone(steps: &mut Steps) {
    let core = ["test", "--package", "ebbtrace-core", "--features", "bundled-model", "--no-fail-fast"];
    steps.run("tests, core alone", cargo(&core));
}

/// One of the programs of `tests/`.
fn program(name: &str, arguments: &[&str]) -> Command {
    let run = ["run", "--quiet", "--package", "ebbtrace-tests", "--bin", name, "--"];
    cargo(&[&run[..], arguments].concat())
}

/// LoCoMo's conversations, which may be measured with but not be part of the project.
fn conversations() -> Option<Vec<String>> {
    let folder = root().parent()?.join("shared/locomo");
    let files = fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path().display().to_string()));
    let mut files: Vec<String> = files.filter(|path| path.ends_with(".json")).collect();
    files.sort_unstable();
    (!files.is_empty()).then_some(files)
}
