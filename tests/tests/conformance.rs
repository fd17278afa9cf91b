//! Every conformance case holds for the core.

use std::path::Path;

use ebbtrace_tests::conformance::{Verdict, run_all};

#[test]
fn the_core_conforms() {
    let results = run_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance")).unwrap();
    assert!(results.len() >= 40, "only {} cases were found", results.len());
    let wrong: Vec<String> = results
        .iter()
        .filter(|ran| !matches!(ran.verdict, Verdict::Passed | Verdict::Skipped(_)))
        .map(|ran| format!("{}: {:?}", ran.name, ran.verdict))
        .collect();
    assert!(wrong.is_empty(), "{} of {} cases fail:\n{}", wrong.len(), results.len(), wrong.join("\n"));
}
