//! The demo's proofs, read back from what it prints.

use serde_json::Value;

use super::support::Home;

/// The rows of the ranking, as a person sees them: rank, memory, links, stale links, activation, tier, state.
fn ranking(text: &str) -> Vec<Vec<String>> {
    let table = text.lines().skip_while(|line| !line.trim_start().starts_with("rank")).skip(2);
    let rows = table.take_while(|line| !line.trim().is_empty());
    rows.map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

#[test]
fn recency_beats_a_mere_number_of_links() {
    let text = Home::new().text(&["demo"]);
    let rows = ranking(&text);
    assert_eq!(rows.len(), 14, "{text}");
    assert_eq!(rows[0][..4], ["1", "decision:outcome-pricing", "3", "0"]);
    let activations: Vec<f64> = rows.iter().map(|row| row[4].parse().expect("a number")).collect();
    assert!(activations.is_sorted_by(|a, b| a >= b), "{activations:?}");
    let old = rows.iter().position(|row| row[1] == "decision:hourly-billing").expect("the old decision");
    assert!(old > 0 && rows[old][3] == "11" && rows[old][6] == "superseded", "{:?}", rows[old]);
    let links: Vec<usize> = rows.iter().map(|row| row[2].parse().expect("a number")).collect();
    assert!(links.iter().enumerate().all(|(row, links_of)| row == old || *links_of < links[old]), "{links:?}");
    let frozen: Vec<&str> = rows.iter().filter(|row| row[5] == "frozen").map(|row| row[1].as_str()).collect();
    assert_eq!(frozen.len(), 10);
    assert!(frozen.iter().all(|id| id.starts_with("note:")), "{frozen:?}");
}

#[test]
fn each_chapter_holds_what_it_says() {
    let home = Home::new();
    let told = home.json(&["demo"]);
    // 1: the lifetimes of the four categories at importance 0.5, and one that is used.
    let days: Vec<&Value> = told["fading"]["memories"]
        .as_array()
        .expect("memories")
        .iter()
        .map(|row| &row["under_prune_line_on_day"])
        .collect();
    // 38.4, 24.0, 19.2 and 11.0 days: the first whole day after each.
    assert_eq!(days, [39, 24, 20, 11].map(Value::from).iter().chain([&Value::Null]).collect::<Vec<_>>());
    // 3
    let mind = &told["contradiction"];
    assert_eq!(
        (&mind["remembered"]["resolution"], &mind["remembered"]["id"]),
        (&"replaced".into(), &"user:language".into())
    );
    assert_eq!(mind["now"], serde_json::json!(["User decided to abandon TypeScript and use Go"]));
    assert_eq!(mind["then"], serde_json::json!(["User prefers TypeScript"]));
    // 4
    let hits = told["association"]["hits"].as_array().expect("hits");
    let cause = hits.iter().find(|hit| hit["memory"] == "limit:paylane").expect("the cause");
    assert_eq!(cause["matched"], serde_json::json!([]));
    assert_eq!(cause["path"], serde_json::json!(["incident:checkout", "limit:paylane"]));
    // 5 and 6
    let proposed = told["maintenance"]["proposed"].as_array().expect("proposals");
    let notes: Vec<&str> = proposed.iter().filter_map(|proposal| proposal["id"].as_str()).collect();
    assert!(notes.len() == 10 && notes.iter().all(|id| id.starts_with("note:")), "{notes:?}");
    let (before, after) = (&told["review"]["before"], &told["review"]["after"]);
    assert_eq!(after["memories"].as_u64(), before["memories"].as_u64().map(|memories| memories - 1));
    assert_eq!((&before["proposals"], &after["proposals"]), (&10.into(), &8.into()));
    assert!(!home.path().join("memory.db").exists(), "the demo leaves the user's store alone");
}

#[test]
fn it_is_the_same_each_time_and_ends_with_what_to_do() {
    let home = Home::new();
    let text = home.text(&["demo"]);
    assert_eq!(home.text(&["demo"]), text);
    assert_eq!(home.text(&["demo", "--now", "2031-05-05", "--scope", "x"]), text);
    let end = text.split("Now yours").nth(1).expect("an end");
    assert!(end.contains("claude mcp add -s user ebbtrace -- ebbtrace mcp"), "{end}");
    assert!(text.lines().count() < 110, "{} lines are no minute's reading", text.lines().count());
}
