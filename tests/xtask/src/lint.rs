//! `cargo xtask lint`: format, clippy and documentation, warnings refused.

use crate::{
    cargo::{GET_WASM, WASM, cargo, has_wasm},
    kuzu,
    steps::Steps,
};

/// Runs every lint. None is left out: what is missing fails.
pub(crate) fn run() -> Steps {
    let mut steps = Steps::of_checks();
    steps.run("format", cargo(&["fmt", "--all", "--check"]));
    steps.run("clippy", cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]));
    let mut graph = cargo(&["clippy", "--all-targets", "--package", "ebbtrace", "--package", "ebbtrace-tests"]);
    let mut features = "ebbtrace/neo4j,ebbtrace-tests/neo4j".to_owned();
    if kuzu::is_built() {
        features.push_str(",ebbtrace/kuzu,ebbtrace-tests/kuzu");
        graph.envs(kuzu::environment());
    } else {
        steps.leaves_out("clippy, the store in Kùzu", "its C++ is not built", "cargo xtask kuzu");
    }
    graph.args(["--features", &features, "--", "-D", "warnings"]);
    steps.run("clippy, the stores that are graph databases", graph);
    if has_wasm() {
        let arguments = ["clippy", "--package", "ebbtrace-core", "--target", WASM, "--", "-D", "warnings"];
        steps.run("clippy, core on wasm32", cargo(&arguments));
    } else {
        steps.lacks("clippy, core on wasm32", "the wasm32 target is missing", GET_WASM);
    }
    let mut documentation = cargo(&["doc", "--workspace", "--no-deps"]);
    documentation.env("RUSTDOCFLAGS", "-D warnings");
    steps.run("documentation", documentation);
    steps
}
