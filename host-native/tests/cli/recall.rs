//! What recall finds, in what order, and what it says of it; what writing does to what is known.

use serde_json::json;

use super::support::Home;

fn team() -> Home {
    let home = Home::new();
    for (id, kind, text) in [
        ("deploy", "practice", "We deploy on Friday mornings, never later than noon"),
        ("db", "decision", "Orders are kept in PostgreSQL with a read replica in Frankfurt"),
        ("cache", "note", "The product pages are cached for ten minutes at the edge"),
        ("mina", "person", "Mina leads the payments team and works from Busan"),
        ("err", "note", "The importer stops with ERR_CHUNK_0x7F3 when a row has no currency"),
        ("flag", "note", "Set --no-verify-ssl only in the test environment"),
    ] {
        home.remember(text, &["--id", id, "--kind", kind, "--tag", kind]);
    }
    home
}

#[test]
fn d1_what_was_never_stored_is_not_found() {
    // D1
    let home = team();
    for query in ["recipe for rhubarb crumble", "zxqv wfkp", "height of Mount Kilimanjaro"] {
        assert_eq!(home.recall(query, &[]), Vec::<String>::new(), "{query}");
    }
    assert!(
        home.text(&["recall", "recipe for rhubarb crumble"]).starts_with("Nothing that is remembered answers this.")
    );
}

#[test]
fn d2_a_rare_token_is_first() {
    // D2
    let home = team();
    for (query, id) in
        [("ERR_CHUNK_0x7F3", "err"), ("--no-verify-ssl", "flag"), ("why does ERR_CHUNK_0x7F3 come up", "err")]
    {
        // After `--` a query may begin with a hyphen.
        let ran = home.run(&["recall", "--peek", "--json", "--", query]);
        assert_eq!(ran.object()["hits"][0]["memory"]["id"], id, "{query}: {ran:?}");
    }
}

#[test]
fn d3_filters_come_before_the_number() {
    // D3
    let home = team();
    let subjects = "refunds invoices currencies receipts vouchers chargebacks subscriptions discounts taxes ledgers";
    for subject in subjects.split(' ') {
        home.remember(&format!("The payments team was asked about {subject}"), &["--id", &format!("asked:{subject}")]);
    }
    assert_eq!(home.recall("payments team", &["--kind", "person", "-k", "1"]), ["mina"]);
    assert_eq!(home.recall("payments team", &["--tag", "person", "-k", "1"]), ["mina"]);
    assert_eq!(home.recall("payments team", &["--tag", "person", "--tag", "note"]), Vec::<String>::new());
    assert_eq!(home.recall("payments team", &["-k", "7"]).len(), 7);
}

#[test]
fn d5_an_edited_memory_is_found_by_its_new_words_only() {
    // D5
    let home = team();
    home.json(&["update", "cache", "--content", "Thumbnails live in a bucket named gallery"]);
    assert_eq!(home.recall("bucket named gallery", &[]), ["cache"]);
    assert!(!home.recall("cached at the edge", &[]).contains(&"cache".to_owned()));
}

#[test]
fn what_is_found_is_kept_fresh_unless_one_only_looks() {
    let home = team();
    home.json(&["recall", "who leads the payments team", "--peek"]);
    assert_eq!(home.memory("mina")["recall_count"], 0);
    home.remember("The gate code is 4711", &["--id", "gate", "--now", "2026-01-01"]);
    let answer = home.json(&["recall", "gate code", "--now", "2026-01-11"]);
    assert_eq!(answer["hits"][0]["memory"]["id"], "gate");
    let memory = home.memory("gate");
    assert_eq!((&memory["recall_count"], &memory["last_accessed_at"]), (&json!(1), &json!(1_768_089_600_000_i64)));
}

#[test]
fn an_explanation_adds_up() {
    let home = team();
    home.json(&["connect", "db", "mina"]);
    for profile in ["fused", "engram"] {
        let answer = home.json(&["recall", "orders in PostgreSQL", "--profile", profile, "--peek"]);
        let score = &answer["hits"][0]["score"];
        let parts = score.as_object().expect("an object").iter().filter(|(name, _)| *name != "total");
        let sum: f64 = parts.map(|(_, part)| part.as_f64().expect("a number")).sum();
        let total = score["total"].as_f64().expect("a number");
        assert!((sum - total).abs() < 1e-9 && total > 0.15 && total <= 1.0, "{profile}: {score}");
    }
    let text = home.text(&["recall", "orders in PostgreSQL", "--explain"]);
    for line in ["words (lexical)", "links (graph)", "score (total)", "matched words: ", "retention "] {
        assert!(text.contains(line), "{line:?} is not in {text}");
    }
    assert!(text.starts_with("1. db  score "), "{text}");
}

#[test]
fn a_hit_has_one_tier_and_it_is_that_of_now() {
    let home = Home::new();
    home.remember("The gate code is 4711", &["--id", "gate", "--importance", "0.2", "--now", "2025-01-01"]);
    let found = home.json(&["recall", "gate code", "--depth", "frozen", "--peek", "--now", "2026-01-01"]);
    let hit = &found["hits"][0];
    assert_eq!((&hit["tier"], &hit["memory"]["tier"]), (&json!("frozen"), &json!("frozen")), "{hit}");
}

#[test]
fn memory_as_it_stood() {
    let home = Home::new();
    home.remember("The limit is 3 requests", &["--id", "limit", "--now", "2026-01-01"]);
    home.json(&["update", "limit", "--content", "The limit is 9 requests", "--now", "2026-03-01"]);
    let then = home.json(&["recall", "request limit", "--as-of", "2026-02-01", "--now", "2026-04-01"]);
    assert_eq!(then["hits"][0]["memory"]["content"], "The limit is 3 requests");
    let now = home.json(&["recall", "request limit", "--now", "2026-04-01"]);
    assert_eq!(now["hits"][0]["memory"]["content"], "The limit is 9 requests");
    assert_eq!(now["hits"].as_array().expect("hits").len(), 1);
}

#[test]
fn e1_a_differing_date_replaces() {
    // E1
    let home = Home::new();
    let old = home.remember("The deadline is 15 October", &["--now", "2026-09-01"]);
    let answer = home.json(&["remember", "The deadline is 16 October", "--id", "new", "--now", "2026-09-02"]);
    assert_eq!((&answer["resolution"], &answer["other"]), (&json!("replaced"), &json!(old)));
    assert_eq!(home.recall("when is the deadline", &["--now", "2026-09-03"]), ["new"]);
    assert_eq!(home.memory(&old)["content"], "The deadline is 15 October");
    // Another key is another thing; what has no key and is about a key's memory is what that tells from now on.
    let text = home.text(&["remember", "The deadline is 17 October", "--id", "else", "--now", "2026-09-04"]);
    assert!(text.starts_with("Stored as else."), "{text}");
    let home = Home::new();
    home.remember("The deadline is 15 October", &["--id", "deadline", "--now", "2026-09-01"]);
    let answer = home.json(&["remember", "The deadline is 16 October", "--now", "2026-09-02"]);
    assert_eq!((&answer["resolution"], &answer["id"]), (&json!("replaced"), &json!("deadline")));
    assert_eq!(home.memory("deadline")["content"], "The deadline is 16 October");
    let kept = answer["other"].as_str().expect("the earlier text");
    assert_eq!(home.memory(kept)["content"], "The deadline is 15 October");
    // What is of before is kept as what was.
    let early = ["remember", "The deadline is 14 October", "--occurred-at", "2026-08-01", "--now", "2026-09-05"];
    let text = home.text(&early);
    assert!(text.starts_with("Kept as history as "), "{text}");
    assert_eq!(home.recall("when is the deadline", &["--now", "2026-09-06"]), ["deadline"]);
}

#[test]
fn e2_not_allowed_is_not_allowed() {
    // E2
    let home = Home::new();
    let old = home.remember("Force pushes are allowed on feature branches", &[]);
    let text = home.text(&["remember", "Force pushes are not allowed on feature branches", "--id", "new"]);
    assert!(text.starts_with(&format!("Stored as new.\n  It replaces {old},")), "{text}");
    let why = format!("\n  it contradicts {old}: one affirms what the other denies\n");
    assert!(text.contains(&why), "{text}");
    home.remember("The not-found page is written by hand", &["--id", "page"]);
    let answer = home.json(&["remember", "The not-found page is written by hand", "--now", "+1d"]);
    assert_eq!((&answer["resolution"], &answer["id"]), (&json!("reinforced"), &json!("page")));
}

#[test]
fn e3_the_same_twice_is_one_with_a_count() {
    // E3
    let home = Home::new();
    let first = home.json(&["remember", "Invoices go out on the first of the month", "--now", "2026-01-01"]);
    let second = home.json(&["remember", "Invoices go out on the first of the month", "--now", "2026-01-05"]);
    assert_eq!((&second["resolution"], &second["id"]), (&json!("reinforced"), &first["id"]));
    assert_eq!((&second["recall_count"], home.count("memory")), (&json!(1), 1));
}

#[test]
fn e4_a_change_of_mind_leaves_one_current_fact() {
    // E4
    let home = Home::new();
    let old = home.remember("Jo loves pair programming", &[]);
    home.remember("Jo hates pair programming", &["--id", "new"]);
    assert_eq!(home.recall("what does Jo think of pair programming", &[]), ["new"]);
    assert_eq!(home.memory(&old)["state"], "superseded");
}

#[test]
fn e5_unrelated_facts_leave_each_other_alone() {
    // E5
    let home = Home::new();
    let facts = ["Ana plays the cello", "The lease ends in June", "Our logo is green", "Redis runs on port 6380"];
    for fact in facts {
        assert_eq!(home.json(&["remember", fact])["resolution"], "created", "{fact}");
    }
    assert!(
        home.records().iter().filter(|record| record["record"] == "memory").all(|memory| memory["state"] == "active")
    );
}

#[test]
fn e6_an_echo_changes_nothing() {
    // E6
    let home = team();
    home.json(&["recall", "who leads the payments team"]);
    let before = home.records();
    let text = "Mina leads the payments team and works from Busan";
    assert_eq!(home.json(&["remember", text])["resolution"], "echo");
    assert_eq!(home.records(), before);
}

#[test]
fn e7_another_database_is_seen_in_other_languages() {
    // E7
    for (old, new) in [
        ("我们的数据库使用PostgreSQL", "我们的数据库改用MySQL"),
        ("우리 서비스는 PostgreSQL을 사용한다", "우리 서비스는 MySQL을 사용한다"),
    ] {
        let home = Home::new();
        let old = home.remember(old, &[]);
        let answer = home.json(&["remember", new, "--id", "new"]);
        assert_eq!((&answer["resolution"], &answer["other"]), (&json!("replaced"), &json!(old)), "{new}");
    }
}
