//! The forgetting curve against values that another implementation computed.

use ebbtrace_core::{Category, config::Fading, score::strength};
use serde::Deserialize;

#[derive(Deserialize)]
struct Golden {
    source: String,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    category: Category,
    importance: f64,
    days: f64,
    recall_count: u32,
    strength: f64,
}

#[test]
fn f1_strength_has_the_golden_values() {
    let golden: Golden = serde_json::from_str(include_str!("../../tests/gold/strength.json")).unwrap();
    assert!(golden.source.contains("mcp-engram 0.4.5"), "{}", golden.source);
    assert_eq!(golden.cases.len(), 648);
    let fading = Fading::default();
    for case in golden.cases {
        let ours = strength(case.importance, case.days, case.recall_count, case.category, &fading);
        assert!(
            (ours - case.strength).abs() <= 1e-9,
            "{:?}, importance {}, {} days, {} recalls: {ours}, golden {}",
            case.category,
            case.importance,
            case.days,
            case.recall_count,
            case.strength
        );
    }
}
