//! Failures, progress, handoffs, and what a new session starts from.

use ebbtrace_core::{
    Engine, FailureInput, HandoffInput, Memory, Moment, ProgressInput, RememberInput, Remembered, Resumed, Stats,
    Tracked, UpdateInput,
};

use crate::support::{Host, START};

/// An agent that tells of its work, a minute passing with each call.
struct World {
    host: Host,
}

impl World {
    fn new() -> Self {
        Self { host: Host::new() }
    }

    fn minute(&mut self) {
        self.host.wait(1.0 / 1_440.0);
    }

    fn tell(&mut self, input: &FailureInput) -> Tracked {
        self.minute();
        self.host.run(|engine, moment| engine.stage_track_failure(input, moment))
    }

    fn fail(&mut self, component: &str, error: &str, fix: Option<&str>) -> Tracked {
        self.tell(&FailureInput {
            component: component.into(),
            error: error.into(),
            fix: fix.map(str::to_owned),
            ..FailureInput::default()
        })
    }

    fn progress(&mut self, feature: &str, status: &str, completion: Option<f64>) -> Tracked {
        self.minute();
        let (feature, status) = (feature.into(), status.into());
        let input = ProgressInput { feature, status, completion, ..ProgressInput::default() };
        self.host.run(|engine, moment| engine.stage_track_progress(&input, moment))
    }

    fn handoff(&mut self, summary: &str) -> Tracked {
        self.minute();
        let input = HandoffInput { summary: summary.into(), ..HandoffInput::default() };
        self.host.run(|engine, moment| engine.stage_handoff(&input, moment))
    }

    fn remember(&mut self, content: &str) -> Remembered {
        self.minute();
        self.host.remember(content)
    }

    fn resume(&self, budget: Option<i64>) -> Resumed {
        self.host.engine.resume(None, budget, self.host.now).unwrap()
    }

    fn stats(&self) -> Stats {
        self.host.engine.stats(None, self.host.now).unwrap()
    }

    fn find(&self, id: &str) -> &Memory {
        self.host.engine.find(None, id).unwrap()
    }
}

#[test]
fn the_same_failure_counts_up_and_keeps_the_newest_fix() {
    let mut world = World::new();
    let first = world.fail("auth", "Token refresh failed after 3021 ms: connection reset by peer", None);
    assert!(first.created && first.count == 1 && first.fix.is_none());
    let again = world.fail("Auth", "Token refresh failed after 88 ms: connection reset by peer", None);
    assert_eq!((again.id.clone(), again.created, again.count), (first.id.clone(), false, 2));
    // How it was mended is no new occurrence.
    let mended = world.fail("auth", "Token refresh failed: connection reset by peer", Some("retry with backoff"));
    assert_eq!((mended.id.clone(), mended.count, mended.fix), (first.id.clone(), 2, None));
    assert_eq!(world.stats().failures.unresolved, 0);
    // It comes back: open again, and what mended it is still known.
    let back = world.fail("auth", "Token refresh failed after 7 ms: connection reset by peer", None);
    assert_eq!((back.count, back.fix.as_deref()), (3, Some("retry with backoff")));
    let stats = world.stats();
    assert_eq!((stats.failures.total, stats.failures.unresolved), (1, 1));
    assert_eq!(stats.failures.by_component["auth"], 1);
    assert_eq!(stats.failures.by_severity["major"], 1);
}

#[test]
fn another_component_or_another_error_is_another_failure() {
    let mut world = World::new();
    let a = world.fail("auth", "connection reset by peer", None);
    let b = world.fail("billing", "connection reset by peer", None);
    let c = world.fail("auth", "cannot borrow `session` as mutable", None);
    let d = world.fail("auth", "request failed with status 404", None);
    let e = world.fail("auth", "request failed with status 500", None);
    let ids = [&a, &b, &c, &d, &e].map(|tracked| tracked.id.to_string());
    let mut distinct = ids.to_vec();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), 5, "{ids:?}");
}

#[test]
fn recalling_the_error_tells_what_mended_it() {
    let mut world = World::new();
    world.remember("Lunch is at noon on Fridays");
    world.fail("ci", "linker `cc` not found while building ring", Some("apt-get install gcc"));
    let found = world.host.look("error: linker `cc` not found");
    assert!(found[0].contains("Fix: apt-get install gcc"), "{found:?}");
}

#[test]
fn severity_sets_the_importance() {
    let mut world = World::new();
    for (severity, importance) in [("critical", 0.9), ("major", 0.7), ("minor", 0.5)] {
        let id = world
            .tell(&FailureInput {
                component: severity.into(),
                error: "it broke".into(),
                severity: Some(severity.into()),
                ..FailureInput::default()
            })
            .id;
        assert_eq!(world.find(id.as_str()).importance, importance);
    }
}

#[test]
fn a_feature_has_one_current_record_with_its_history() {
    let mut world = World::new();
    let first = world.progress("Login  flow", "planning", None);
    let second = world.progress("login flow", "in_progress", Some(40.0));
    let third = world.progress("Login flow", "blocked", None);
    assert_eq!(first.id.as_str(), "progress:login flow");
    assert_eq!([&second.id, &third.id], [&first.id, &first.id]);
    assert_eq!(third.content, "Progress: Login flow [blocked] 40%");
    assert_eq!(third.count, 3);
    let memory = world.find("progress:login flow");
    assert_eq!((memory.importance, memory.category.as_str()), (0.9, "strategy"));
    let stats = world.stats();
    assert_eq!((stats.features.tracked, stats.states["superseded"]), (1, 2));
    let standing = &stats.features.active["Login flow"];
    assert_eq!((standing.status.as_str(), standing.completion), ("blocked", 40.0));
    world.progress("login flow", "done", None);
    let stats = world.stats();
    assert_eq!((stats.features.tracked, stats.features.active.len()), (1, 0));
    assert!(world.find("progress:login flow").content.ends_with("[done] 100%"));
}

#[test]
fn statements_do_not_take_the_place_of_records() {
    let mut world = World::new();
    world.progress("checkout", "in_progress", Some(40.0));
    let said = world.remember("Progress: checkout [in_progress] 90%");
    let other = world.remember("The checkout feature is not in progress any more");
    assert_ne!(said.id.as_str(), "progress:checkout");
    assert_ne!(other.id.as_str(), "progress:checkout");
    assert_eq!(world.find("progress:checkout").content, "Progress: checkout [in_progress] 40%");
}

#[test]
fn j1_the_newest_handoff_wins_supersedes_and_expires() {
    let mut world = World::new();
    let first = world.handoff("We chose SQLite");
    let second = world.handoff("We moved to PostgreSQL");
    assert_eq!((second.id.clone(), second.count), (first.id, 2));
    let handoff = world.resume(None).handoff.unwrap();
    assert_eq!(handoff.summary, "We moved to PostgreSQL");
    // The earlier one is superseded and can still be read.
    let memories = world.host.memories();
    let earlier: Vec<_> = memories.iter().filter(|memory| memory.content.contains("SQLite")).collect();
    assert_eq!((earlier.len(), earlier[0].state.as_str()), (1, "superseded"));
    world.host.wait(29.0);
    assert!(world.resume(None).handoff.is_some());
    world.host.wait(2.0);
    assert!(world.resume(None).handoff.is_none());
}

#[test]
fn j2_reading_changes_nothing() {
    let mut world = World::new();
    world.handoff("Ship on Friday");
    world.progress("search", "review", Some(90.0));
    let before = world.host.memories();
    let (one, two) = (world.resume(None), world.resume(None));
    assert_eq!(one.text, two.text);
    assert_eq!(world.host.memories(), before);
}

#[test]
fn resume_shows_what_presses_first_and_keeps_to_its_budget() {
    let mut world = World::new();
    world.handoff("The importer works; the exporter does not yet");
    world.progress("exporter", "blocked", Some(30.0));
    world.progress("importer", "done", None);
    world.fail("exporter", "panicked at 'index out of bounds'", None);
    world.fail("importer", "bad header", Some("skip the byte order mark"));
    world.remember("Exports are JSON Lines");
    let resumed = world.resume(None);
    let expected = "Handoff:\nThe importer works; the exporter does not yet (just now)\n\n\
        Open features:\n- exporter: blocked, 30% (just now)\n\n\
        Unresolved failures:\n- exporter (major, just now): panicked at 'index out of bounds'\n\n\
        Most in use:\n- ";
    assert!(resumed.text.starts_with(expected), "{}", resumed.text);
    assert!(resumed.text.ends_with(": Exports are JSON Lines") && resumed.left_out == 0);
    for n in 0..60 {
        world.progress(&format!("feature number {n}"), "in_progress", Some(f64::from(n)));
    }
    for budget in [None, Some(-5), Some(200), Some(999), Some(1_000_000)] {
        let resumed = world.resume(budget);
        let most = budget.map_or(2_000, |budget| budget.clamp(200, 20_000) as usize);
        assert!(resumed.text.chars().count() <= most, "{budget:?}: {}", resumed.text.chars().count());
        assert!(resumed.text.starts_with("Handoff:\nThe importer works"), "{}", resumed.text);
        assert_eq!(resumed.features.len(), 61);
    }
    assert_eq!(world.resume(Some(20_000)).left_out, 0);
    assert!(world.resume(Some(200)).left_out > 0);
}

#[test]
fn bad_input_is_refused_by_name() {
    let engine: &Engine = &World::new().host.engine;
    let at = Moment { now: START, entropy: 1 };
    let failure = |input: FailureInput| engine.stage_track_failure(&input, at).unwrap_err();
    let ok = FailureInput { error: "e".into(), component: "c".into(), ..FailureInput::default() };
    assert_eq!(failure(FailureInput { error: " ".into(), ..ok.clone() }).field(), "error");
    assert_eq!(failure(FailureInput { component: String::new(), ..ok.clone() }).field(), "component");
    let severe = failure(FailureInput { severity: Some("huge".into()), ..ok.clone() });
    assert_eq!((severe.code(), severe.field()), ("unknown_value", "severity"));
    assert_eq!(failure(FailureInput { fix: Some("\n".into()), ..ok }).field(), "fix");
    let progress = |input: ProgressInput| engine.stage_track_progress(&input, at).unwrap_err();
    let ok = ProgressInput { feature: "f".into(), status: "done".into(), ..ProgressInput::default() };
    assert_eq!(progress(ProgressInput { status: "finished".into(), ..ok.clone() }).field(), "status");
    assert_eq!(progress(ProgressInput { completion: Some(101.0), ..ok.clone() }).field(), "completion");
    assert_eq!(progress(ProgressInput { completion: Some(f64::NAN), ..ok.clone() }).field(), "completion");
    assert_eq!(progress(ProgressInput { quality_score: Some(-0.1), ..ok.clone() }).field(), "quality_score");
    assert_eq!(progress(ProgressInput { feature: "x".repeat(201), ..ok.clone() }).field(), "feature");
    assert_eq!(progress(ProgressInput { feature: "a\u{202e}b".into(), ..ok }).field(), "feature");
    let long = FailureInput { error: "e".repeat(8_193), component: "c".into(), ..FailureInput::default() };
    assert_eq!((failure(long.clone()).code(), failure(long).field()), ("too_long", "error"));
    let many = HandoffInput { summary: "s".into(), completed: vec!["x".repeat(8_000); 3], ..HandoffInput::default() };
    let refused = engine.stage_handoff(&many, at).unwrap_err();
    assert_eq!((refused.code(), refused.field()), ("too_long", "completed"));
    let handoff = HandoffInput { summary: "s".into(), next_steps: vec![String::new()], ..HandoffInput::default() };
    assert_eq!(engine.stage_handoff(&handoff, at).unwrap_err().field(), "next_steps");
}

#[test]
fn undo_puts_a_handoff_and_a_feature_back() {
    let mut world = World::new();
    let hand_over = |world: &mut World, summary: &str, session: &str| {
        world.minute();
        let (summary, session) = (summary.to_owned(), Some(session.to_owned()));
        let input = HandoffInput { summary, session, ..HandoffInput::default() };
        world.host.run(|engine, moment| engine.stage_handoff(&input, moment));
    };
    hand_over(&mut world, "Ship on Friday", "monday");
    hand_over(&mut world, "Ship never", "tuesday");
    world.minute();
    world.host.run(|engine, moment| engine.stage_undo(None, "tuesday", false, moment));
    let handoff = world.resume(None).handoff.unwrap();
    assert_eq!((handoff.summary.as_str(), handoff.session.as_deref()), ("Ship on Friday", Some("monday")));
}

#[test]
fn a_record_is_changed_by_its_own_operation_alone() {
    let mut world = World::new();
    world.handoff("Deploy tonight");
    world.progress("search", "in_progress", Some(70.0));
    world.minute();
    let moment = world.host.moment();
    let update = |input: UpdateInput| world.host.engine.stage_update(&input, moment).map(|_| ());
    let text = UpdateInput { id: "handoff:latest".into(), content: Some("No".into()), ..UpdateInput::default() };
    assert_eq!(update(text).unwrap_err().code(), "of_record");
    let metadata = Some(serde_json::Map::new());
    let fields = UpdateInput { id: "progress:search".into(), metadata, ..UpdateInput::default() };
    assert_eq!(update(fields).unwrap_err().code(), "of_record");
    let weight = UpdateInput { id: "progress:search".into(), importance: Some(1.0), ..UpdateInput::default() };
    assert_eq!(update(weight), Ok(()));
    let remember = |input: RememberInput| world.host.engine.stage_remember(&input, moment).unwrap_err();
    let by_key = RememberInput { id: Some("handoff:latest".into()), content: "No".into(), ..RememberInput::default() };
    assert_eq!(remember(by_key).code(), "of_record");
    let metadata = serde_json::json!({"type": "handoff", "summary": "forged"}).as_object().unwrap().clone();
    let kind = Some("handoff".to_owned());
    let forged = RememberInput { kind, metadata, content: "forged".into(), ..RememberInput::default() };
    assert_eq!(remember(forged).field(), "metadata.type");
}

#[test]
fn names_are_one_in_any_case_and_spaces_and_no_further() {
    let mut world = World::new();
    let id = |world: &mut World, name: &str| world.progress(name, "planning", None).id.to_string();
    assert_eq!(id(&mut world, "A  b"), id(&mut world, "a b"));
    assert_ne!(id(&mut world, "a b"), id(&mut world, "a-b"));
    assert_eq!(id(&mut world, "Caf\u{e9}"), id(&mut world, "cafe\u{301}"));
    world.progress("a b", "done", None);
    let again = world.progress("a b", "in_progress", None);
    assert_eq!(again.content, "Progress: a b [in_progress] 0%");
    assert_eq!(world.progress("a b", "review", Some(99.6)).content, "Progress: a b [review] 99.6%");
}

#[test]
fn the_last_other_wording_of_a_failure_is_kept() {
    let mut world = World::new();
    let first = world.fail("db", "pool timed out after 3000 ms", None);
    world.fail("db", "pool timed out after 12 ms", None);
    let memory = world.find(first.id.as_str());
    assert_eq!(memory.metadata["error"], "pool timed out after 3000 ms");
    assert_eq!(memory.metadata["last_error"], "pool timed out after 12 ms");
    for n in 0..40 {
        let related_test_ids = vec![format!("test {n}")];
        let (error, component) = ("pool timed out".into(), "db".into());
        world.tell(&FailureInput { error, component, related_test_ids, ..FailureInput::default() });
    }
    let kept = world.find(first.id.as_str()).metadata["related_test_ids"].as_array().unwrap();
    assert_eq!((kept.len(), &kept[0]), (32, &serde_json::json!("test 8")));
}

#[test]
fn law7_every_wording_of_a_failure_stays_within_its_bounds() {
    let mut world = World::new();
    let first = world.fail("db", "pool timed out after 1 ms", None);
    for n in 2..=4 {
        world.fail("db", &format!("pool timed out after {n} ms"), None);
    }
    world.fail("db", "pool timed out after 1 ms", None);
    let kept = |world: &World| world.find(first.id.as_str()).metadata.clone();
    let wordings = ["pool timed out after 2 ms", "pool timed out after 3 ms", "pool timed out after 4 ms"];
    assert_eq!(kept(&world)["wordings"], serde_json::json!(wordings));
    for n in 5..=100 {
        world.fail("db", &format!("pool timed out after {n} ms"), None);
    }
    let list = kept(&world)["wordings"].as_array().unwrap().clone();
    assert_eq!((list.len(), &list[31]), (32, &serde_json::json!("pool timed out after 99 ms")));
}

#[test]
fn whatever_is_within_the_limits_of_each_field_fits_again_and_again() {
    let mut world = World::new();
    let told = |n: usize, length: usize| FailureInput {
        error: format!("2026-12-01T10:00:{n:02}Z {}", "e".repeat(length)),
        component: "c".repeat(256),
        severity: Some("critical".into()),
        root_cause: Some("\n".repeat(1_023) + "cc"),
        fix: Some("f".repeat(2_048)),
        related_test_ids: (0..50).map(|test| format!("{n}/{test}/{}", "t".repeat(240))).collect(),
        ..FailureInput::default()
    };
    for n in 0..20 {
        let tracked = world.tell(&told(n, 4_075));
        assert_eq!(tracked.count as usize, n + 1);
        let tests = world.find(tracked.id.as_str()).metadata["related_test_ids"].as_array().unwrap().len();
        assert_eq!(tests, 13);
    }
    let at = Moment { now: START, entropy: 1 };
    let refused = |input: FailureInput| world.host.engine.stage_track_failure(&input, at).unwrap_err().to_string();
    assert!(refused(told(0, 4_076)).starts_with("error has 4097 bytes as JSON; at most 4096 are allowed"));
    let long = FailureInput { fix: Some("f".repeat(2_049)), ..told(0, 1) };
    assert!(refused(long).starts_with("fix has 2049 bytes as JSON; at most 2048 are allowed"));
}

#[test]
fn related_tests_are_kept_once_each_and_bounded_from_the_first() {
    let mut world = World::new();
    let mut tell = |component: &str, tests: Vec<String>| {
        let (error, component) = ("it broke".into(), component.into());
        let input = FailureInput { error, component, related_test_ids: tests, ..FailureInput::default() };
        let id = world.tell(&input).id;
        world.find(id.as_str()).metadata["related_test_ids"].clone()
    };
    let ids = ["a", "b", "a", "b"].map(str::to_owned).to_vec();
    assert_eq!(tell("a", ids.clone()), serde_json::json!(["a", "b"]));
    assert_eq!(tell("a", ids), serde_json::json!(["a", "b"]));
    let many = tell("b", (0..50).map(|n| format!("test {n}")).collect());
    assert_eq!((many.as_array().unwrap().len(), &many[0]), (32, &serde_json::json!("test 18")));
}

#[test]
fn what_resume_leaves_out_is_counted_whole() {
    let mut world = World::new();
    for n in 0..150 {
        world.progress(&format!("feature number {n}"), "in_progress", Some(50.0));
    }
    for budget in [20_000, 2_000, 200] {
        let resumed = world.resume(Some(budget));
        let shown = resumed.text.lines().filter(|line| line.starts_with("- ")).count();
        assert_eq!((shown + resumed.left_out, resumed.features.len()), (150, 100), "{budget}");
    }
    assert_eq!(world.resume(Some(20_000)).left_out, 50);
}

#[test]
fn a_quality_of_nothing_has_no_sign() {
    let mut world = World::new();
    let (feature, status) = ("f".to_owned(), "review".to_owned());
    let input = ProgressInput { feature, status, quality_score: Some(-0.0), ..ProgressInput::default() };
    let tracked = world.host.run(|engine, moment| engine.stage_track_progress(&input, moment));
    assert!(tracked.content.contains("Quality: 0.00"), "{}", tracked.content);
}
