//! Every conformance case holds for the core.

use ebbtrace_tests::{
    conformance::{Verdict, run_all},
    folder,
};

#[test]
fn the_core_conforms() {
    let results = run_all(&folder().join("conformance")).unwrap();
    assert!(results.len() >= 40, "only {} cases were found", results.len());
    let wrong: Vec<String> = results
        .iter()
        .filter(|ran| !matches!(ran.verdict, Verdict::Passed | Verdict::Skipped(_)))
        .map(|ran| format!("{}: {:?}", ran.name, ran.verdict))
        .collect();
    assert!(wrong.is_empty(), "{} of {} cases fail:\n{}", wrong.len(), results.len(), wrong.join("\n"));
}
