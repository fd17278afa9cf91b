//! E6 in the long run: an agent that stores what it has just recalled, over and over.

use std::collections::BTreeMap;

use ebbtrace_core::{Memory, RecallInput, Record, RememberInput, Resolution};

use crate::support::Host;

/// What is known, with a question that finds it. Some are near each other, so that a guard that only nearly fits would
/// take one for the other.
const KNOWN: [(&str, &str); 24] = [
    ("Otto is allergic to peanuts", "what is Otto allergic to?"),
    ("Otto's sister Ulla is allergic to shellfish", "who is allergic to shellfish?"),
    ("The API limit is 500 requests a minute", "how many requests does the API take?"),
    ("The upload limit is 500 megabytes a file", "how large may an upload be?"),
    ("We deploy the Larkspur service on Wednesdays", "when is Larkspur deployed?"),
    ("We deploy the Foxglove service on Thursdays", "when is Foxglove deployed?"),
    ("Never deploy on a Friday afternoon", "may I deploy on Friday?"),
    ("Invoices are kept in Postgres", "where are invoices kept?"),
    ("Receipts are kept in an S3 bucket named receipts-eu", "where are receipts kept?"),
    ("Anna prefers tabs to spaces", "tabs or spaces for Anna?"),
    ("Ben prefers spaces to tabs", "tabs or spaces for Ben?"),
    ("The spare key hangs in the shed", "where is the spare key?"),
    ("The wifi password is on the fridge", "where is the wifi password?"),
    ("parse_config() must run before init_logging()", "what runs before init_logging?"),
    ("The flaky test is tests/sync.rs::two_writers", "which test is flaky?"),
    ("Mira moved from Lisbon to Porto in March 2026", "where does Mira live?"),
    ("The budget for the offsite is 12,000 euros", "what is the budget for the offsite?"),
    ("客户喜欢简短的报告", "客户喜欢什么样的报告?"),
    ("会議は毎週火曜日の朝にある", "会議はいつ?"),
    ("배포는 수요일에 한다", "배포는 언제 하나?"),
    ("The heron nests behind the mill", "where does the heron nest?"),
    ("Ida reviews every change to the billing code", "who reviews billing code?"),
    ("Rust 1.90 is the oldest compiler that we support", "which compilers do we support?"),
    ("The retry interval doubles up to five minutes", "how long is the retry interval?"),
];

/// What a memory says and weighs, apart from its use.
type Told = BTreeMap<String, (String, f64, &'static str, u32)>;

fn told(host: &Host) -> Told {
    let entry = |memory: Memory| {
        (memory.id.to_string(), (memory.content, memory.importance, memory.state.as_str(), memory.version))
    };
    host.memories().into_iter().map(entry).collect()
}

fn edges(host: &Host) -> usize {
    host.engine.records(None).filter(|record| matches!(record, Record::Edge(_))).count()
}

#[test]
fn e6_a_thousand_turns_of_storing_what_was_recalled_change_nothing_but_use() {
    let mut host = Host::new();
    for (number, (text, _)) in KNOWN.iter().enumerate() {
        let importance = Some(0.3 + 0.02 * number as f64);
        host.put(&RememberInput { content: (*text).to_owned(), importance, ..RememberInput::default() });
        host.wait(0.01);
    }
    // One of them took the place of another, which stays behind it.
    host.remember("The offsite is in Turin");
    host.wait(1.0);
    assert_eq!(host.remember("The offsite is not in Turin").resolution, Resolution::Replaced);
    let (before, edges_before) = (told(&host), edges(&host));
    assert_eq!(before.len(), KNOWN.len() + 2);
    let mut echoes = 0;
    for turn in 0..1_000_usize {
        // Three minutes to two hours between turns: a month in all, so that what is known is recalled faded too.
        host.wait((3 + turn * 7 % 117) as f64 / 1_440.0);
        let query = KNOWN[turn * 5 % KNOWN.len()].1.to_owned();
        let found = host.recall(&RecallInput { query, depth: Some("frozen".to_owned()), ..RecallInput::default() });
        assert!(!found.hits.is_empty(), "turn {turn}");
        // At most half an hour later the agent stores what it read: the best or all of it, as it was or with another
        // weight, kind or space around it.
        host.wait((turn % 30) as f64 / 1_440.0);
        let read = if turn % 3 == 0 { found.hits.len() } else { 1 };
        for hit in &found.hits[..read] {
            let content = match turn % 4 {
                0 => format!("  {}\n", hit.memory.content),
                _ => hit.memory.content.clone(),
            };
            let input = RememberInput {
                content,
                importance: (turn % 2 == 0).then_some(0.95),
                kind: (turn % 5 == 0).then(|| "insight".to_owned()),
                session: Some(format!("turn-{turn}")),
                ..RememberInput::default()
            };
            let moment = host.moment();
            let staged = host.engine.stage_remember(&input, moment).unwrap();
            assert_eq!(staged.outcome.resolution, Resolution::Echo, "turn {turn}: {}", hit.memory.content);
            assert_eq!(staged.outcome.id, hit.memory.id, "turn {turn}");
            assert!(staged.is_empty(), "turn {turn}: {:?}", staged.entry.changes);
            host.engine.apply(&staged.entry);
            echoes += 1;
        }
    }
    assert!(echoes >= 1_000, "{echoes}");
    assert_eq!(told(&host), before);
    assert_eq!(edges(&host), edges_before);
}
