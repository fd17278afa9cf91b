//! F and G1: fading, clocks, and scopes.

use ebbtrace_core::{ConnectInput, Engine, RecallInput, RememberInput, Tier, Timestamp};

use crate::support::{Host, START};

fn close(left: f64, right: f64) {
    assert!((left - right).abs() < 1e-9, "{left} is not {right}");
}

/// One fact of importance 0.5, never used again. Strength is 0.5 x e^(-0.16 x 0.6 x days), activation 0.5 x
/// 2^(-days / 30) over a full activation of 1: activation is the higher from the first day on.
#[test]
fn f1_a_lone_fact_fades_by_its_formulas() {
    let mut host = Host::new();
    let id = host.remember("Otto is allergic to peanuts").id;
    let forecast = |days: f64| host.engine.forecast(None, id.as_str(), START.plus_days(days)).unwrap();
    for (days, retention, tier) in [
        (0.0, 0.5, Tier::Hot),
        (15.0, 0.353_553_390_593_273_8, Tier::Hot), // 0.5 / sqrt 2
        (30.0, 0.25, Tier::Warm),
        (60.0, 0.125, Tier::Cold),
        (90.0, 0.062_5, Tier::Cold),
        (120.0, 0.031_25, Tier::Frozen),
    ] {
        let forecast = forecast(days);
        close(forecast.retention, retention);
        assert_eq!(forecast.tier, tier, "after {days} days");
    }
    // 30 x log2(0.5 / line) for the lines 0.35, 0.15 and 0.05.
    let forecast = forecast(0.0);
    for (days, wanted) in [(forecast.warm, 15.4372), (forecast.cold, 52.1090), (forecast.frozen, 99.6578)] {
        let days = days.unwrap();
        assert!((days - wanted).abs() < 0.002, "{days} is not {wanted}");
    }
}

/// A clock that ran backwards counts as no age; 30 years leave nothing; nothing is ever not a number.
#[test]
fn f1_odd_clocks_are_fine() {
    let mut host = Host::new();
    let id = host.remember("Otto is allergic to peanuts").id;
    for now in [Timestamp::MIN, Timestamp(0), START.plus_days(-1.0), START] {
        let forecast = host.engine.forecast(None, id.as_str(), now).unwrap();
        close(forecast.retention, 0.5);
        assert_eq!(forecast.tier, Tier::Hot, "{now:?}");
    }
    for now in [START.plus_days(30.0 * 365.25), Timestamp::MAX] {
        let forecast = host.engine.forecast(None, id.as_str(), now).unwrap();
        assert!((0.0..1e-100).contains(&forecast.retention), "{}", forecast.retention);
        assert_eq!((forecast.tier, forecast.frozen), (Tier::Frozen, Some(0.0)));
    }
    // Using it long after brings it all back: strength 0.5 x 1.2, activation 0.5.
    host.now = START.plus_days(30.0 * 365.25);
    let touched = host.run(|engine, moment| engine.stage_reinforce(None, id.as_str(), moment));
    close(touched.retention, 0.6);
    // And with the clock set back by a year, using it counts and never moves its clock back.
    let latest = host.now;
    host.wait(-365.0);
    let touched = host.run(|engine, moment| engine.stage_reinforce(None, id.as_str(), moment));
    assert_eq!((touched.memory.last_accessed_at, touched.memory.recall_count), (latest, 2));
    close(touched.retention, 0.7);
}

/// A year: what is asked for every week stays, and what never was is archived: it comes where nothing else answers, as
/// what it is, and what was put away by hand comes only on request.
#[test]
fn f3_a_year_keeps_what_is_used() {
    const USED: [(&str, &str); 3] = [
        ("Deploys happen on Wednesday after the review", "when do deploys happen?"),
        ("Otto is allergic to peanuts", "what is Otto allergic to?"),
        ("The wifi password is on the fridge", "where is the wifi password?"),
    ];
    const UNUSED: [(&str, &str); 3] = [
        ("Someone left a turquoise umbrella in the lobby", "turquoise umbrella"),
        ("The elevator smelled of cinnamon in January", "cinnamon in the elevator"),
        ("A pigeon sat on the projector during the demo", "pigeon on the projector"),
    ];
    let mut host = Host::new();
    for (text, _) in USED {
        let input = RememberInput { content: text.to_owned(), importance: Some(0.9), ..RememberInput::default() };
        host.put(&input);
    }
    for (text, _) in UNUSED {
        let input = RememberInput { content: text.to_owned(), importance: Some(0.3), ..RememberInput::default() };
        host.put(&input);
    }
    for _ in 0..52 {
        host.wait(7.0);
        for (text, query) in USED {
            let input = RecallInput { query: query.to_owned(), k: Some(1), ..RecallInput::default() };
            let found = host.recall(&input);
            assert_eq!(found.hits[0].memory.content, text);
        }
        host.run(|engine, moment| engine.stage_maintain(None, false, moment));
    }
    for (text, query) in USED {
        let input = RecallInput { query: query.to_owned(), peek: true, ..RecallInput::default() };
        let found = host.recall(&input);
        assert_eq!((found.hits[0].memory.content.as_str(), found.hits[0].tier), (text, Tier::Hot));
    }
    for (text, query) in UNUSED {
        let input = |depth: Option<&str>| RecallInput {
            query: query.to_owned(),
            peek: true,
            depth: depth.map(str::to_owned),
            ..RecallInput::default()
        };
        let found = host.recall(&input(None));
        let hit = &found.hits[0];
        assert_eq!(
            (hit.memory.content.as_str(), hit.tier, hit.memory.state.as_str()),
            (text, Tier::Frozen, "proposed")
        );
        assert_eq!((found.hits.len(), found.archived), (1, 0), "{query}");
        let deep = host.recall(&input(Some("frozen")));
        assert_eq!((deep.hits[0].memory.content.as_str(), deep.hits[0].tier), (text, Tier::Frozen));
    }
    // Nothing was deleted: three wait for a human.
    let stats = host.engine.stats(None, host.now).unwrap();
    assert_eq!((stats.memories, stats.proposals), (6, 3));
    // What is current goes first, and what was put away by hand is only counted.
    let current = host.remember("A turquoise umbrella costs nine euros").id;
    let (text, query) = UNUSED[0];
    let first = RecallInput { query: query.to_owned(), k: Some(1), peek: true, ..RecallInput::default() };
    let found = host.recall(&first);
    assert_eq!((&found.hits[0].memory.id, found.hits.len(), found.archived), (&current, 1, 1));
    let umbrella = host.memories().into_iter().find(|memory| memory.content == text).unwrap().id;
    host.run(|engine, moment| engine.stage_forget(None, umbrella.as_str(), None, moment));
    let all = RecallInput { k: None, ..first };
    let found = host.recall(&all);
    assert_eq!((found.hits.iter().filter(|hit| hit.memory.id == umbrella).count(), found.archived), (0, 1));
    let deep = host.recall(&RecallInput { depth: Some("frozen".to_owned()), ..all });
    assert!(deep.hits.iter().any(|hit| hit.memory.id == umbrella));
}

/// A canary in every scope; every way of reading in every other scope.
#[test]
fn g1_a_canary_never_leaves_its_scope() {
    let scopes = ["default", "user:ana", "user:ben"];
    let canary = |scope: &str| format!("the canary {}feather sings", scope.replace(':', ""));
    let mut host = Host::new();
    for scope in scopes {
        let put = |id: &str, content: String| RememberInput {
            scope: Some(scope.to_owned()),
            id: Some(id.to_owned()),
            content,
            ..RememberInput::default()
        };
        host.put(&put(&format!("canary-of-{scope}"), canary(scope)));
        host.put(&put("shared-key", format!("{} in a cage", canary(scope))));
        let link = ConnectInput {
            scope: Some(scope.to_owned()),
            from: "shared-key".to_owned(),
            to: format!("canary-of-{scope}"),
            ..ConnectInput::default()
        };
        host.run(|engine, moment| engine.stage_connect(&link, moment));
    }
    // Long unused, so that proposals and reviews are there too.
    host.wait(400.0);
    for scope in scopes {
        host.run(|engine, moment| engine.stage_maintain(Some(scope), false, moment));
    }
    for scope in scopes {
        for other in scopes.into_iter().filter(|other| *other != scope) {
            let (now, moment) = (host.now, host.moment());
            let engine = &host.engine;
            let (secret, id) = (canary(other), format!("canary-of-{other}"));
            let input = RecallInput {
                scope: Some(scope.to_owned()),
                query: secret.clone(),
                depth: Some("frozen".to_owned()),
                k: Some(1000),
                ..RecallInput::default()
            };
            let link = ConnectInput {
                scope: Some(scope.to_owned()),
                from: "shared-key".to_owned(),
                to: id.clone(),
                ..ConnectInput::default()
            };
            let name = Some(scope);
            let answers = [
                format!("{:?}", engine.stage_recall(&input, moment)),
                format!("{:?}", engine.stage_connect(&link, moment)),
                format!("{:?}", engine.find(name, &id)),
                format!("{:?}", engine.find(name, "shared-key")),
                format!("{:?}", engine.neighbors(name, "shared-key", Some(5), None, None, now)),
                format!("{:?}", engine.review_queue(name, None, None, now)),
                format!("{:?}", engine.stats(name, now)),
                format!("{:?}", engine.forecast(name, &id, now)),
                format!("{:?}", engine.activation(name, &id, now)),
                format!("{:?}", engine.stage_reinforce(name, &id, moment)),
                format!("{:?}", engine.stage_maintain(name, true, moment)),
                format!("{:?}", engine.records(name).collect::<Vec<_>>()),
            ];
            let secret_word = secret.split(' ').nth(2).unwrap();
            for answer in answers {
                assert!(!answer.contains(secret_word), "{secret_word} is in {scope}: {answer}");
            }
            // An id of another scope is refused as where there is no other scope: nothing tells that it is somewhere.
            let mut alone = Engine::opener(engine.config().clone(), None);
            engine.records(name).for_each(|record| alone.record(record));
            let alone = alone.finish(engine.revision());
            assert_eq!(engine.find(name, &id).unwrap_err(), alone.find(name, &id).unwrap_err());
            assert_eq!(engine.stats(name, now).unwrap().memories, 2);
        }
    }
}
