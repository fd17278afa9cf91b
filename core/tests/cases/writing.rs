//! E: what becomes of what is stored.

use std::collections::BTreeSet;

use ebbtrace_core::{
    Channel, Decision, LinkInput, Memory, RecallInput, Record, RememberInput, Resolution, State, Timestamp,
};

use crate::support::{Host, START};

/// Stores `old`, and `new` a day later.
fn then(old: &str, new: &str) -> (Host, Resolution) {
    let mut host = Host::new();
    host.remember(old);
    host.wait(1.0);
    let resolution = host.remember(new).resolution;
    (host, resolution)
}

/// Both texts are kept, and only the newer is current.
fn replaced(old: &str, new: &str) {
    let (host, resolution) = then(old, new);
    assert_eq!(resolution, Resolution::Replaced, "{old} / {new}");
    assert_eq!(host.current(), [new]);
    let states: Vec<_> = host.memories().into_iter().map(|m| (m.content, m.state.as_str())).collect();
    assert_eq!(states, [(old.to_owned(), "superseded"), (new.to_owned(), "active")]);
}

/// Both texts are kept and current.
fn apart(old: &str, new: &str) {
    let (host, resolution) = then(old, new);
    assert_eq!(resolution, Resolution::Created, "{old} / {new}");
    assert_eq!(host.current(), [old, new]);
}

#[test]
fn e1_another_date_survives_and_the_newer_is_current() {
    replaced("The deadline is 15 October", "The deadline is 16 October");
}

#[test]
fn e2_a_denial_ends_what_it_denies() {
    replaced("Force push to main is allowed", "Force push to main is not allowed");
}

#[test]
fn e2_a_not_inside_a_term_denies_nothing() {
    apart("The Not Found page is drawn by Mira", "The Not Found page has a picture of a kettle");
    apart("The team builds forms with no-code tools", "The team builds games with Godot");
}

#[test]
fn e3_the_same_twice_is_one_with_a_count() {
    let mut host = Host::new();
    for count in 0..4 {
        let stored = host.remember("Otto is allergic to peanuts");
        let wanted = if count == 0 { Resolution::Created } else { Resolution::Reinforced };
        assert_eq!((stored.resolution, stored.recall_count), (wanted, count));
        assert_eq!(host.current(), ["Otto is allergic to peanuts"]);
        host.wait(1.0);
    }
    assert_eq!(host.memories().len(), 1);
}

/// What differs in its words is readable behind the known memory, once, however often it is told.
#[test]
fn e3_a_restatement_is_kept_once() {
    let mut host = Host::new();
    host.remember("Boris was hired by Anna");
    host.wait(1.0);
    for (told, wanted) in [
        ("Anna hired Boris", Resolution::Merged),
        ("anna hired Boris.", Resolution::Reinforced),
        ("Anna hired Boris", Resolution::Reinforced),
        ("Boris was hired by Anna.", Resolution::Reinforced),
        ("Boris was hired by Anna", Resolution::Reinforced),
    ] {
        assert_eq!(host.remember(told).resolution, wanted, "{told}");
        host.wait(1.0);
    }
    assert_eq!(host.current(), ["Boris was hired by Anna"]);
    assert_eq!(host.memories().len(), 2);
}

/// An echo changes nothing; other words than those that were recalled are no echo.
#[test]
fn e6_other_words_than_those_recalled_are_kept() {
    let mut host = Host::new();
    host.remember("Boris was hired by Anna");
    host.wait(3.0);
    host.recall(&RecallInput { query: "Who hired Boris?".to_owned(), ..RecallInput::default() });
    assert_eq!(host.remember("Anna hired Boris").resolution, Resolution::Merged);
    assert!(host.memories().iter().any(|memory| memory.content == "Anna hired Boris"));
}

#[test]
fn e4_hate_after_love_leaves_one_current() {
    replaced("Mira loves cilantro", "Mira hates cilantro");
    replaced("I love dark mode", "I hate dark mode");
}

#[test]
fn e5_unrelated_facts_never_retire_each_other() {
    let facts = [
        "Ana works at Google",
        "Ana lives in Berlin",
        "Ana plays chess on Sundays",
        "Ana has two cats",
        "Ana speaks Portuguese",
        "Ana is allergic to pollen",
        "Ana drives an old Volvo",
        "Ben works at Siemens",
        "Ben lives in Munich",
        "The limit of the API is 500 requests a minute",
        "The office closes at 18:00",
        "The wifi password is on the fridge",
    ];
    let mut host = Host::new();
    for fact in facts {
        host.remember(fact);
        host.wait(1.0);
    }
    assert_eq!(host.current(), facts);
    assert_eq!(host.memories().len(), facts.len());
}

#[test]
fn e5_succession_keeps_both_and_one_is_current() {
    replaced("Ana works at Google", "Ana left Google and now works at Microsoft");
}

#[test]
fn e6_what_was_just_recalled_and_is_stored_again_changes_nothing() {
    let mut host = Host::new();
    host.remember("Otto is allergic to peanuts");
    host.wait(3.0);
    let found = host.recall(&RecallInput { query: "Otto's allergy to peanuts".to_owned(), ..RecallInput::default() });
    assert_eq!(found.hits.len(), 1);
    // Ten minutes later, within the hour that counts as an echo.
    host.wait(10.0 / 1440.0);
    let before = host.memories();
    let input = RememberInput { content: "Otto is allergic to peanuts".to_owned(), ..RememberInput::default() };
    let moment = host.moment();
    let staged = host.engine.stage_remember(&input, moment).unwrap();
    assert_eq!((staged.outcome.resolution, staged.outcome.recall_count), (Resolution::Echo, 1));
    assert!(staged.is_empty());
    assert_eq!(host.memories(), before);
    // The day after it is no echo any more.
    host.wait(1.0);
    let stored = host.put(&input);
    assert_eq!((stored.resolution, stored.recall_count), (Resolution::Reinforced, 2));
}

#[test]
fn e6_what_was_put_away_since_and_is_told_again_is_active_again() {
    let mut host = Host::new();
    let stored = host.remember("The spare key hangs in the shed");
    host.wait(1.0);
    let asked = RecallInput { query: "where is the spare key?".to_owned(), ..RecallInput::default() };
    assert_eq!(host.recall(&asked).hits.len(), 1);
    host.run(|engine, moment| engine.stage_forget(None, stored.id.as_str(), None, moment));
    let told = host.remember("The spare key hangs in the shed");
    assert_eq!((told.id, told.resolution), (stored.id, Resolution::Reinforced));
    assert_eq!(host.recall(&asked).hits.len(), 1);
}

/// What a link says is superseded is so, also where the one that says it is known already.
#[test]
fn e5_a_link_ends_what_it_says_it_supersedes() {
    let supersedes = |id: Option<&str>, content: &str| RememberInput {
        links: vec![LinkInput { to: "a".to_owned(), relation: Some("supersedes".to_owned()), weight: None }],
        ..said_of(content, id)
    };
    for (id, content) in [(Some("b"), "Plan B: take the train"), (Some("b"), "Plan B: take the night train")] {
        let mut host = Host::new();
        host.keep("a", "Plan A: rent a van");
        host.keep("b", "Plan B: take the train");
        host.wait(1.0);
        host.put(&supersedes(id, content));
        assert_eq!(host.current(), [content]);
    }
    let mut host = Host::new();
    host.keep("a", "Plan A: rent a van");
    host.remember("Plan B: take the train");
    host.put(&supersedes(None, "Plan B: take the train"));
    assert_eq!(host.current(), ["Plan B: take the train"]);
}

/// An older statement never ends a newer one, whichever is stored first.
#[test]
fn e5_what_is_older_becomes_history() {
    let mut host = Host::new();
    let at = |days: f64| Some(Timestamp(START.0).plus_days(days));
    let said = |content: &str, occurred_at| RememberInput {
        content: content.to_owned(),
        occurred_at,
        ..RememberInput::default()
    };
    host.wait(100.0);
    let newer = host.put(&said("The deadline is 16 October", at(50.0)));
    host.wait(1.0);
    let older = host.put(&said("The deadline is 15 October", at(20.0)));
    assert_eq!((older.resolution, older.other.as_ref()), (Resolution::Outdated, Some(&newer.id)));
    assert_eq!(host.current(), ["The deadline is 16 October"]);
    let again = host.put(&said("The deadline is 15 October", at(20.0)));
    assert_eq!((again.resolution, &again.id), (Resolution::Outdated, &older.id));
    assert_eq!(host.memories().len(), 2);
    // It holds for the time in between, and is linked to what came after.
    let then = host.recall(&RecallInput {
        query: "When is the deadline?".to_owned(),
        as_of: at(30.0),
        ..RecallInput::default()
    });
    assert_eq!(then.hits.iter().map(|hit| &hit.memory.id).collect::<Vec<_>>(), [&older.id]);
    // Of the same time, or of no time that the caller gives, it is what came last that holds.
    assert_eq!(host.put(&said("The deadline is 17 October", at(50.0))).resolution, Resolution::Replaced);
    assert_eq!(host.remember("The deadline is 18 October").resolution, Resolution::Replaced);
    assert_eq!(host.put(&said("The deadline is 19 October", at(60.0))).resolution, Resolution::Outdated);
    assert_eq!(host.current(), ["The deadline is 18 October"]);
}

/// Two keys are two things; a statement without a key about a keyed memory is what the key tells from then on.
#[test]
fn e5_a_key_of_ones_own_stays_and_tells_what_holds() {
    let mut host = Host::new();
    host.keep("project-1.md", "The budget is 100 EUR.");
    assert_eq!(host.keep("project-2.md", "The budget is 200 EUR.").resolution, Resolution::Created);
    assert_eq!(host.current().len(), 2);
    let mut host = Host::new();
    host.keep("decision:pricing", "The price is 10 dollars");
    host.wait(1.0);
    let told = host.remember("The price is 12 dollars");
    assert_eq!((told.resolution, told.id.as_str()), (Resolution::Replaced, "decision:pricing"));
    assert_eq!(host.current(), ["The price is 12 dollars"]);
    let kept = host.memories().into_iter().find(|memory| Some(&memory.id) == told.other.as_ref()).unwrap();
    assert_eq!((kept.content.as_str(), kept.state.as_str()), ("The price is 10 dollars", "superseded"));
    assert_eq!(host.keep("decision:pricing", "The price is 15 dollars").resolution, Resolution::Updated);
    assert_eq!(host.current(), ["The price is 15 dollars"]);
}

/// One key ends another where the caller says so; and a key whose memory is no longer current can be written again.
#[test]
fn e5_a_superseded_key_can_be_written_again() {
    let mut host = Host::new();
    host.keep("price", "The price is 10 dollars");
    host.wait(1.0);
    let link = LinkInput { to: "price".to_owned(), relation: Some("supersedes".to_owned()), weight: None };
    let ended = host.put(&RememberInput {
        id: Some("price:now".to_owned()),
        content: "The price is 12 dollars".to_owned(),
        links: vec![link],
        ..RememberInput::default()
    });
    assert_eq!((ended.resolution, ended.other.unwrap().as_str()), (Resolution::Replaced, "price"));
    assert_eq!(host.current(), ["The price is 12 dollars"]);
    host.wait(1.0);
    assert_eq!(host.keep("price", "The price is 14 dollars").resolution, Resolution::Updated);
    assert_eq!(host.current(), ["The price is 14 dollars", "The price is 12 dollars"]);
    // Of one without a key it takes its place back.
    let mut host = Host::new();
    host.put(&RememberInput { occurred_at: Some(START), ..said_of("The price is 12 dollars", None) });
    let older = Some(Timestamp(START.0 - 86_400_000));
    let outdated = RememberInput { occurred_at: older, ..said_of("The price is 10 dollars", Some("price")) };
    assert_eq!(host.put(&outdated).resolution, Resolution::Outdated);
    assert_eq!(host.put(&outdated).resolution, Resolution::Outdated);
    host.wait(1.0);
    assert_eq!(host.keep("price", "The price is 14 dollars").resolution, Resolution::Updated);
    assert_eq!(host.current(), ["The price is 14 dollars"]);
    assert_eq!(host.memories().len(), 3);
}

fn said_of(content: &str, id: Option<&str>) -> RememberInput {
    RememberInput { content: content.to_owned(), id: id.map(str::to_owned), ..RememberInput::default() }
}

/// A correction ends all that it contradicts, and takes over the pin and the importance.
#[test]
fn e5_a_correction_ends_all_that_it_contradicts() {
    let mut host = Host::new();
    let input = |author: &str| RememberInput { author: Some(author.to_owned()), ..said_of("The port is 8080", None) };
    host.put(&RememberInput { importance: Some(0.9), ..input("Ana") });
    host.put(&RememberInput { pinned: true, ..said_of("The port is 8081", None) });
    host.put(&RememberInput { importance: Some(0.2), ..input("Ana") });
    assert!(host.memories().iter().any(|memory| (memory.importance - 0.9).abs() < 1e-9));
    let both = [("The port is 8081", 0.8), ("The port is 8082", 0.5)];
    let mut host = Host::new();
    for (at, (content, importance)) in both.into_iter().enumerate() {
        host.put(&RememberInput { pinned: at == 1, importance: Some(importance), ..said_of(content, None) });
    }
    // Both are current where one came with an import.
    let first = host.memories().into_iter().find(|memory| memory.content == both[0].0).unwrap();
    let first = Record::Memory(Box::new(Memory { state: State::Active, ..first }));
    host.run(|engine, moment| engine.stage_import(vec![first.clone()], moment));
    assert_eq!(host.current().len(), 2);
    host.wait(1.0);
    assert_eq!(host.remember("The port is 9090").resolution, Resolution::Replaced);
    assert_eq!(host.current(), ["The port is 9090"]);
    let now = host.memories().into_iter().find(|memory| memory.state.is_current()).unwrap();
    assert!(now.pinned && now.importance >= 0.8);
}

#[test]
fn e7_another_database_in_other_languages() {
    replaced("我们使用PostgreSQL数据库", "我们把数据库改为MySQL");
    replaced("프로젝트는 PostgreSQL을 사용한다", "프로젝트는 MySQL로 변경했다");
    replaced("データベースはPostgreSQLです", "データベースはMySQLに変更しました");
    replaced("The project uses PostgreSQL", "The project switched from PostgreSQL to MySQL");
}

/// 2,000 ways to say ten things: bounded by merges on the way in and by proposals, and nothing goes by itself.
#[test]
fn e8_paraphrases_stay_bounded() {
    const SAID: [&str; 10] = [
        "the billing service stores its invoices in PostgreSQL",
        "the nightly backup starts at two in the morning",
        "Otto brings his old bicycle to the harbour office",
        "the mobile application is written in Kotlin",
        "Priya plays the cello in a string quartet",
        "the printer on the third floor jams with thick paper",
        "our customer in Oslo pays by bank transfer",
        "the staging cluster consists of four small nodes",
        "Mira prefers green tea without any sugar",
        "the release notes are reviewed by the support team",
    ];
    const BEFORE: [&str; 10] = [
        "",
        "note that ",
        "remember: ",
        "FYI, ",
        "indeed ",
        "as a fact, ",
        "well, ",
        "please note: ",
        "actually, ",
        "really, ",
    ];
    const AFTER: [&str; 20] = [
        "",
        ".",
        "!",
        " indeed",
        " of course",
        " really",
        " by the way",
        ", okay",
        ", certainly",
        ", thanks",
        " (fact)",
        " - noted",
        ", actually",
        ", obviously",
        ", surely",
        ", simply",
        ", truly",
        ", basically",
        ", naturally",
        ", please",
    ];
    let mut host = Host::new();
    let mut texts = BTreeSet::new();
    for after in AFTER {
        for before in BEFORE {
            for said in SAID {
                let text = format!("{before}{said}{after}");
                host.remember(&text);
                texts.insert(text);
                host.wait(0.001);
            }
        }
    }
    assert_eq!(texts.len(), 2_000);
    let total = host.memories().len();
    assert!(host.current().len() <= 40, "{} are current", host.current().len());
    let maintained = host.run(|engine, moment| engine.stage_maintain(None, false, moment));
    assert_eq!(host.memories().len(), total, "maintenance deleted something");
    for proposal in maintained.proposed {
        host.run(|engine, moment| {
            engine.stage_decide(None, proposal.id.as_str(), Decision::Approve, Channel::Terminal, moment)
        });
    }
    assert!(host.current().len() <= 20, "{} are current", host.current().len());
    assert_eq!(host.memories().len(), total, "a merge deleted something");
    for said in SAID {
        assert!(host.current().iter().any(|text| text.contains(said)), "{said} is lost");
    }
}
