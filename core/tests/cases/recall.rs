//! C4 and D: what comes back.

use std::collections::BTreeSet;

use ebbtrace_core::{Config, Engine, Moment, RecallInput, Record, RememberInput, Revision};

use crate::support::{Host, START};

const FACTS: [&str; 12] = [
    "Priya plays the cello in a string quartet",
    "The billing service stores invoices in PostgreSQL",
    "Deploys happen on Wednesday after the review",
    "Otto is allergic to peanuts",
    "The office in Lyon has a green door",
    "The nightly backup runs at two in the morning",
    "Mira prefers tea without sugar",
    "The mobile app is written in Kotlin",
    "The team retrospective takes place every second Friday",
    "The printer on the third floor jams with thick paper",
    "Our customer in Oslo pays by bank transfer",
    "The staging cluster has four nodes",
];

fn with_facts() -> Host {
    let mut host = Host::new();
    FACTS.iter().for_each(|fact| drop(host.remember(fact)));
    host
}

/// Limits of -1, 0 and a billion: bounded answers.
#[test]
fn c4_limits_are_taken_as_the_nearest_bound() {
    let mut host = Host::new();
    for number in 0..1_100 {
        host.engine_put(&format!("note:{number:04}"), &format!("lighthouse keeper's log, page {number}"));
    }
    let mut count = |k: i64| {
        let input = RecallInput { query: "lighthouse".to_owned(), k: Some(k), peek: true, ..RecallInput::default() };
        host.recall(&input).hits.len()
    };
    assert_eq!([-1, 0, 1, 7, 1_000_000_000].map(&mut count), [1, 1, 1, 7, 1000]);
}

/// A memory with 10,000 edges: pages, a cursor, and each neighbour once.
#[test]
fn c4_a_hub_is_read_in_pages() {
    let mut host = Host::new();
    host.keep("hub", "the hub");
    let template = host.engine.records(None).next().unwrap();
    let mut records = vec![template.clone()];
    let Record::Memory(template) = template else { panic!("a memory was stored") };
    for number in 0..10_000 {
        let mut leaf = template.clone();
        leaf.id = serde_json::from_value(format!("leaf:{number:05}").into()).unwrap();
        leaf.content = format!("leaf {number}");
        let edge = serde_json::json!({"record": "edge", "scope": "default", "from": leaf.id, "to": "hub",
            "relation": "related", "weight": 1.0, "created_at": START, "reinforced_at": START});
        records.extend([Record::Memory(leaf), serde_json::from_value(edge).unwrap()]);
    }
    let mut opener = Engine::opener(Config::default(), None);
    records.into_iter().for_each(|record| opener.record(record));
    let engine = opener.finish(Revision(1));
    let page = |limit, cursor: Option<&str>| engine.neighbors(None, "hub", None, limit, cursor, START).unwrap();
    for (limit, wanted) in [(None, 20), (Some(-1), 1), (Some(0), 1), (Some(1_000_000_000), 1000)] {
        let page = page(limit, None);
        assert_eq!((page.items.len(), page.total, page.cursor.is_some()), (wanted, 10_000, true), "{limit:?}");
    }
    let mut seen = BTreeSet::new();
    let mut cursor = None;
    loop {
        let page = page(Some(999), cursor.as_deref());
        assert!(page.items.iter().all(|item| seen.insert(item.memory.id.clone())), "a neighbour came twice");
        cursor = page.cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen.len(), 10_000);
    let refused = engine.neighbors(None, "hub", None, None, Some("next please"), START).unwrap_err();
    assert_eq!((refused.code(), refused.field()), ("out_of_range", "cursor"));
    let input = RecallInput { query: "hub".to_owned(), ..RecallInput::default() };
    let found = engine.stage_recall(&input, Moment { now: START, entropy: 0 }).unwrap().outcome;
    assert_eq!(found.hits.len(), 5);
    assert_eq!(found.hits[0].memory.id.as_str(), "hub");
}

/// What was never stored is not answered.
#[test]
fn d1_nothing_stored_nothing_found() {
    let mut host = with_facts();
    for query in [
        "quantum chromodynamics on a lattice",
        "recipe for sourdough bread",
        "What did Beethoven compose in Vienna?",
        "volcano eruption",
        "ERR_SSL_4711",
        "火山喷发",
    ] {
        assert_eq!(host.look(query), Vec::<String>::new(), "{query}");
    }
}

/// A rare token, word for word, is rank 1 among texts that are otherwise alike.
#[test]
fn d2_a_rare_token_is_rank_one() {
    let mut host = Host::new();
    for number in 0..60 {
        host.engine_put(
            &format!("err:{number}"),
            &format!("The service failed with error ERR_CONN_{} while connecting", 4000 + number),
        );
    }
    host.engine_put("flag", "Start node with --max-old-space-size when the build runs out of memory");
    host.engine_put("flag-too", "Start node with a larger heap when the build runs out of memory and space");
    host.engine_put("function", "The login form calls getUserName before it renders");
    host.engine_put("function-too", "The login form reads the name of the user before it renders");
    for (query, wanted) in [
        ("ERR_CONN_4023", "err:23"),
        ("why did we see ERR_CONN_4007 yesterday?", "err:7"),
        ("--max-old-space-size", "flag"),
        ("getUserName", "function"),
    ] {
        let input = RecallInput { query: query.to_owned(), peek: true, ..RecallInput::default() };
        let found = host.recall(&input);
        assert_eq!(found.hits.first().map(|hit| hit.memory.id.as_str()), Some(wanted), "{query}");
    }
}

/// A filter comes before the best are picked: 300 better matches of another kind don't hide the one of this kind.
#[test]
fn d3_filters_come_before_the_best() {
    let mut host = Host::new();
    for number in 0..300 {
        host.engine_put(&format!("note:{number}"), &format!("harbour crane inspection {number}"));
    }
    let wanted = RememberInput {
        id: Some("decision:crane".to_owned()),
        content:
            "After a long talk with the insurer we will buy a second crane for the eastern quay next spring, perhaps"
                .to_owned(),
        kind: Some("decision".to_owned()),
        tags: vec!["quay".to_owned(), "money".to_owned()],
        ..RememberInput::default()
    };
    host.put(&wanted);
    let query = || RecallInput { query: "crane".to_owned(), k: Some(3), peek: true, ..RecallInput::default() };
    let all = host.recall(&query());
    assert_eq!(all.hits.len(), 3);
    assert!(all.hits.iter().all(|hit| hit.memory.kind.as_str() == "note"), "the short notes match better");
    let by_kind = RecallInput { kinds: vec!["decision".to_owned()], ..query() };
    let by_tags = RecallInput { tags: vec!["money".to_owned(), "quay".to_owned()], ..query() };
    for input in [by_kind, by_tags] {
        let found = host.recall(&input);
        let ids: Vec<&str> = found.hits.iter().map(|hit| hit.memory.id.as_str()).collect();
        assert_eq!((ids.as_slice(), found.archived), (&["decision:crane"][..], 0));
    }
    let neither = RecallInput { tags: vec!["money".to_owned(), "home".to_owned()], ..query() };
    assert_eq!(host.recall(&neither).hits, []);
}

/// Scripts without spaces: words of one, two and four characters, and mixed ones.
#[test]
fn d4_scripts_without_spaces() {
    let mut host = Host::new();
    let texts = [
        "生产数据库每晚备份到东京机房",
        "猫",
        "C盘空间不足",
        "API配置在网关里",
        "締め切りは金曜日です",
        "サーバーは大阪にある",
        "서버에서 로그를 수집한다",
        "집 주소는 부산이다",
        "ฉันชอบดื่มกาแฟตอนเช้า",
        "ชาเขียวร้อน",
        "The kettle is in the kitchen",
    ];
    texts.iter().enumerate().for_each(|(number, text)| drop(host.keep(&format!("t:{number:02}"), text)));
    for (query, wanted) in [
        ("猫", 1),
        ("备份", 0),
        ("东京机房", 0),
        ("C盘", 2),
        ("API配置", 3),
        ("金", 4),
        ("金曜", 4),
        ("締め切り", 4),
        ("大阪", 5),
        ("サーバー", 5),
        ("집", 7),
        ("로그", 6),
        ("서버에서", 6),
        ("กาแฟ", 8),
        ("ชา", 9),
    ] {
        assert_eq!(host.look(query).first().map(String::as_str), Some(texts[wanted]), "{query}");
    }
}

/// An edited memory is found by its new words and its id, and no longer by its old words.
#[test]
fn d5_an_edit_is_found_by_its_new_words_alone() {
    let mut host = with_facts();
    host.keep("key:lamp", "The lamp in the hallway is turquoise");
    assert_eq!(host.look("turquoise")[0], "The lamp in the hallway is turquoise");
    host.wait(1.0);
    host.update("key:lamp", "The lamp in the hallway is crimson");
    assert_eq!(host.look("crimson")[0], "The lamp in the hallway is crimson");
    assert!(!host.look("turquoise").iter().any(|text| text.contains("lamp")));
    assert_eq!(host.engine.find(None, "key:lamp").unwrap().content, "The lamp in the hallway is crimson");
    // The earlier text is not gone: it answers for the time that it held.
    let then = RecallInput { query: "turquoise".to_owned(), as_of: Some(START), ..RecallInput::default() };
    let texts: Vec<String> = host.recall(&then).hits.into_iter().map(|hit| hit.memory.content).collect();
    assert_eq!(texts[0], "The lamp in the hallway is turquoise");
}

impl Host {
    /// Stores a text by import: many texts that are alike, without comparing each with the others.
    fn engine_put(&mut self, id: &str, content: &str) {
        let record = serde_json::json!({"record": "memory", "scope": "default", "id": id, "kind": "note",
            "category": "fact", "content": content, "importance": 0.5, "occurred_at": START, "created_at": START,
            "updated_at": START, "valid_from": START, "last_accessed_at": START, "recall_count": 0, "version": 1,
            "state": "active"});
        let record: Record = serde_json::from_value(record).unwrap();
        self.run(|engine, moment| engine.stage_import(vec![record], moment));
    }
}
