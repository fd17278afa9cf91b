//! The stores that are graph databases: Kùzu, which takes long to build, and a real Neo4j server.

use crate::{
    cargo::cargo,
    kuzu,
    neo4j::{self, Server},
    steps::Steps,
};

/// The test programs with cases of these stores; each such case has the store's name in its own.
const PROGRAMS: [&str; 4] = ["stores", "processes", "graph", "conformance"];

/// Runs the suite of the stores, the laws, the cases and the conformance over each that can be had; with `all`, Kùzu is
/// built where it is not yet.
pub(crate) fn test(steps: &mut Steps, all: bool) {
    if all {
        kuzu::build(steps);
    }
    let mut stores = Vec::new();
    if kuzu::is_built() {
        stores.push("kuzu");
    } else {
        steps.lacks("Kùzu", "its C++ is not built", "cargo xtask kuzu (20 to 30 minutes, once)");
    }
    let mut server = None;
    if neo4j::can_run() {
        match Server::start() {
            Ok(started) => {
                stores.push("neo4j");
                server = Some(started);
            }
            Err(why) => steps.check("Neo4j", false, &why),
        }
    } else {
        steps.lacks("Neo4j", "Java or Maven is missing", neo4j::GET_JAVA);
    }
    if stores.is_empty() {
        return;
    }
    let features: Vec<String> =
        stores.iter().flat_map(|store| [format!("ebbtrace/{store}"), format!("ebbtrace-tests/{store}")]).collect();
    let features = features.join(",");
    let mut words = vec!["test", "--package", "ebbtrace", "--package", "ebbtrace-tests", "--features", &features];
    words.push("--no-fail-fast");
    words.extend(PROGRAMS.iter().flat_map(|program| ["--test", program]));
    words.push("--");
    words.extend(&stores);
    let mut tests = cargo(&words);
    if stores.contains(&"kuzu") {
        tests.envs(kuzu::environment());
    }
    if let Some(server) = &server {
        tests.envs(server.environment());
    }
    steps.run(&format!("the stores' cases on {}", stores.join(" and ")), tests);
}
