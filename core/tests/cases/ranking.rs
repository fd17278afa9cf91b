//! What a memory is found by beside its own words: its neighbours in a session, who said it, when, what is asked for,
//! and a second stage.

use ebbtrace_core::{Hit, RecallInput, RememberInput, Score, Timestamp};
use serde_json::json;

use crate::support::{Host, START};

fn said(author: &str, session: &str, content: &str) -> RememberInput {
    RememberInput {
        content: content.to_owned(),
        author: Some(author.to_owned()),
        session: Some(session.to_owned()),
        ..RememberInput::default()
    }
}

fn hits(host: &mut Host, query: &str) -> Vec<Hit> {
    let input = RecallInput { query: query.to_owned(), k: Some(20), peek: true, ..RecallInput::default() };
    host.recall(&input).hits
}

/// The score of the memory that says `content`, with a part of 0 in every place where it is not found.
fn score(host: &mut Host, query: &str, content: &str) -> Score {
    let found = hits(host, query).into_iter().find(|hit| hit.memory.content == content);
    found.map(|hit| hit.score).unwrap_or_default()
}

const ANSWER: &str = "Seventeen, and two of them are spares";

/// A conversation whose second turn answers the first, and much besides.
fn conversation() -> (Host, String) {
    let mut host = Host::new();
    for other in ["The roof leaks over the archive", "Lunch is at noon", "The choir sings on Sundays"] {
        host.put(&said("Wanda", "other", other));
    }
    host.put(&said("Piet", "stock", "How many telescopes does the observatory own?"));
    let answer = host.put(&said("Wanda", "stock", ANSWER));
    host.put(&said("Piet", "stock", "Good, then nobody has to wait"));
    (host, answer.id.to_string())
}

#[test]
fn a_memory_is_found_by_what_stands_beside_it() {
    let (mut host, _) = conversation();
    let found = hits(&mut host, "telescopes of the observatory");
    let answer = found.iter().find(|hit| hit.memory.content == ANSWER).expect("it stands beside the question");
    assert!(answer.score.lexical > 0.0 && answer.score.tokens > 0.0);
    // What it says is what it said.
    assert!(answer.matched.is_empty());
    // The one who has the words comes by them, and what is in another session doesn't.
    assert!(found.iter().all(|hit| hit.memory.source.session.as_deref() == Some("stock")));
}

#[test]
fn what_stands_beside_is_kept_right() {
    let words = |host: &mut Host, query: &str| score(host, query, ANSWER).lexical;
    let (mut host, _) = conversation();
    let question = hits(&mut host, "telescopes").remove(0).memory.id.to_string();
    assert!(words(&mut host, "telescopes") > 0.0);
    host.update(&question, "How many sextants does the harbour own?");
    assert_eq!(words(&mut host, "telescopes"), 0.0);
    assert!(words(&mut host, "sextants") > 0.0);
    // A turn that comes later in the session counts too, though not as much as the one before.
    host.put(&said("Piet", "stock", "The gyroscope is broken"));
    assert_eq!(words(&mut host, "gyroscope"), 0.0);
    host.put(&said("Wanda", "stock", "Somebody must mend the compass"));
    assert!(score(&mut host, "gyroscope", "Somebody must mend the compass").lexical > 0.0);
}

#[test]
fn who_is_asked_for_said_it() {
    let mut host = Host::new();
    host.put(&said("Piet de Boer", "a", "I keep the spare key under the red pot"));
    host.put(&said("Wanda", "b", "I keep the spare key in the shed"));
    assert_eq!(hits(&mut host, "Where does Wanda keep the spare key?")[0].memory.author.as_deref(), Some("Wanda"));
    assert_eq!(hits(&mut host, "where does piet keep the spare key")[0].memory.author.as_deref(), Some("Piet de Boer"));
    let both = hits(&mut host, "Where do Piet and Wanda keep the spare key?");
    assert!(both.iter().all(|hit| hit.score.author == 0.0), "of two, neither stands out");
}

#[test]
fn whom_it_is_about_counts_as_who_said_it() {
    let mut host = Host::new();
    let about = RememberInput {
        content: "prefers tea without milk".to_owned(),
        metadata: json!({"person": "Joost"}).as_object().unwrap().clone(),
        ..RememberInput::default()
    };
    host.put(&about);
    let person = RememberInput {
        content: "Marieke, head of the archive".to_owned(),
        kind: Some("person".to_owned()),
        ..RememberInput::default()
    };
    let person = host.put(&person).id.to_string();
    let linked = host.remember("The annual report is late").id.to_string();
    host.run(|engine, moment| {
        let input = ebbtrace_core::ConnectInput { from: person.clone(), to: linked.clone(), ..Default::default() };
        engine.stage_connect(&input, moment)
    });
    host.remember("The annual report of the choir is late");
    assert!(score(&mut host, "What tea does Joost prefer?", "prefers tea without milk").author > 0.0);
    assert!(score(&mut host, "Which report does Marieke owe?", "The annual report is late").author > 0.0);
    assert_eq!(
        score(&mut host, "Which report does Marieke owe?", "The annual report of the choir is late").author,
        0.0
    );
}

#[test]
fn names_are_known_in_scripts_without_capitals() {
    let mut host = Host::new();
    host.put(&said("윤서진", "a", "배포는 금요일 오후에 한다"));
    host.put(&said("김도현", "b", "배포는 월요일 아침에 한다"));
    host.put(&said("王芳", "c", "我把密钥放在保险柜里"));
    assert_eq!(hits(&mut host, "윤서진이 말한 배포 날은?")[0].memory.author.as_deref(), Some("윤서진"));
    assert_eq!(hits(&mut host, "王芳把密钥放在哪里")[0].memory.author.as_deref(), Some("王芳"));
}

#[test]
fn i_am_the_one_who_asks() {
    let mut host = Host::new();
    host.put(&said("user", "a", "The favourite colour is teal"));
    host.put(&said("Wanda", "b", "The favourite colour is ochre"));
    let ask = |host: &mut Host, asker: Option<&str>| {
        let query = "What is my favourite colour?".to_owned();
        let asker = asker.map(str::to_owned);
        host.recall(&RecallInput { query, asker, peek: true, ..RecallInput::default() }).hits.remove(0).memory
    };
    assert_eq!(ask(&mut host, None).author.as_deref(), Some("user"));
    assert_eq!(ask(&mut host, Some("Wanda")).author.as_deref(), Some("Wanda"));
    // A role is no name: it is a word like any other.
    assert_eq!(score(&mut host, "the favourite colour of a user", "The favourite colour is teal").author, 0.0);
}

#[test]
fn when_it_was_decides_between_two() {
    let mut host = Host::new();
    let at = |days: f64| Some(Timestamp(START.0).plus_days(-days));
    for (days, content) in
        [(400.0, "Boat tour at the offsite in Utrecht"), (5.0, "The offsite had a cooking class in Ghent")]
    {
        host.put(&RememberInput { content: content.to_owned(), occurred_at: at(days), ..RememberInput::default() });
    }
    for (query, place) in [
        ("Where was the offsite last week?", "Ghent"),
        ("Where was the offsite in 2025?", "Utrecht"),
        ("지난주 offsite 어디였지?", "Ghent"),
        ("작년 offsite 어디였지?", "Utrecht"),
    ] {
        let first = hits(&mut host, query).remove(0);
        assert!(first.memory.content.ends_with(place) && first.score.time > 0.0, "{query}: {first:?}");
    }
}

#[test]
fn a_second_stage_has_its_say() {
    let mut host = Host::new();
    let spare = host.remember("The spare key of the archive is in the shed").id;
    let other = host.remember("The archive has a spare room").id;
    let input = RecallInput { query: "spare key of the archive".to_owned(), peek: true, ..RecallInput::default() };
    let moment = host.moment();
    let shortlist = host.engine.shortlist(&input, moment, 50).unwrap();
    assert_eq!(shortlist.iter().map(|read| &read.id).collect::<Vec<_>>(), [&spare, &other]);
    let second_stage = Some(vec![(other.to_string(), 1.0)]);
    let found = host.recall(&RecallInput { second_stage, ..input.clone() }).hits;
    assert_eq!(found[0].memory.id, other);
    assert_eq!((found[0].score.second_stage, found[1].score.second_stage), (0.5, 0.0));
    for bad in [f64::NAN, 1.1, -0.1] {
        let second_stage = Some(vec![(other.to_string(), bad)]);
        let refused = host.engine.stage_recall(&RecallInput { second_stage, ..input.clone() }, moment).unwrap_err();
        assert_eq!(refused.field(), "second_stage");
    }
}
