//! Faults that the laws found, or that reading for them did, each with the smallest plan that shows it.

#![allow(clippy::unwrap_used, reason = "a test that can't go on fails")]

use ebbtrace_core::{
    Category, Channel, Config, Decision, Edge, EdgeKey, Engine, Label, Memory, MemoryId, Moment, Proposal,
    ProposedAction, RawEmbedding, RecallInput, Record, RememberInput, Scope, Source, Staged, State, Tier, Timestamp,
    UpdateInput,
};

const NOW: Timestamp = Timestamp(1_790_000_000_000);

fn moment(days: f64) -> Moment {
    Moment { now: NOW.plus_days(days), entropy: days.to_bits() }
}

/// Commits what was staged; gives the answer.
fn commit<T>(engine: &mut Engine, staged: impl FnOnce(&Engine) -> Staged<T>) -> T {
    let staged = staged(engine);
    engine.apply(&staged.entry);
    staged.outcome
}

fn memory(id: &str, content: &str) -> Memory {
    Memory {
        scope: Scope::default(),
        id: MemoryId::parse("id", id).unwrap(),
        kind: Label::parse("kind", "note").unwrap(),
        category: Category::Fact,
        content: content.to_owned(),
        importance: 0.5,
        pinned: false,
        tags: Vec::new(),
        metadata: serde_json::Map::new(),
        author: None,
        source: Source::default(),
        occurred_at: NOW,
        created_at: NOW,
        updated_at: NOW,
        valid_from: NOW,
        last_accessed_at: NOW,
        recalled_at: None,
        recall_count: 0,
        version: 1,
        state: State::Active,
        tier: Tier::Hot,
        embedding: None,
    }
}

fn proposal(id: &str, action: ProposedAction) -> Record {
    let id = MemoryId::parse("id", id).unwrap();
    Record::Proposal(Proposal { scope: Scope::default(), id, action, reason: "a test".to_owned(), proposed_at: NOW })
}

fn merge(id: &str, into: &str) -> Record {
    proposal(id, ProposedAction::Merge { into: MemoryId::parse("id", into).unwrap() })
}

/// So long ago that it is frozen by now, where nothing in use is linked to it.
fn long_ago(memory: Memory) -> Memory {
    let at = NOW.plus_days(-1_000.0);
    Memory { occurred_at: at, created_at: at, updated_at: at, valid_from: at, last_accessed_at: at, ..memory }
}

/// An engine over `records`.
fn opened(records: Vec<Record>) -> Engine {
    let mut opener = Engine::opener(Config::default(), None);
    records.into_iter().for_each(|record| opener.record(record));
    opener.finish(ebbtrace_core::Revision(1))
}

fn put(memory: Memory) -> Record {
    Record::Memory(Box::new(memory))
}

/// How many proposals are on record, also those that hold no longer.
fn proposals(engine: &Engine) -> usize {
    engine.records(None).filter(|record| matches!(record, Record::Proposal(_))).count()
}

#[test]
fn an_import_over_another_text_keeps_that_text() {
    let mut engine = opened(vec![put(memory("a", "the tram stops at the harbour"))]);
    let newer = put(memory("a", "the tram stops at the market"));
    let count = commit(&mut engine, |engine| engine.stage_import(vec![newer.clone()], moment(1.0)).unwrap());
    assert_eq!(count, 1);
    let texts = |engine: &Engine| -> Vec<(String, &'static str)> {
        let records = engine.records(None).filter_map(|record| match record {
            Record::Memory(memory) => Some((memory.content, memory.state.as_str())),
            _ => None,
        });
        let mut texts: Vec<_> = records.collect();
        texts.sort();
        texts
    };
    let both = [
        ("the tram stops at the harbour".to_owned(), "superseded"),
        ("the tram stops at the market".to_owned(), "active"),
    ];
    assert_eq!(texts(&engine), both);
    // Back and forth: each text is kept once.
    for (days, text) in [(2.0, "the tram stops at the harbour"), (3.0, "the tram stops at the market")] {
        let record = put(memory("a", text));
        commit(&mut engine, |engine| engine.stage_import(vec![record], moment(days)).unwrap());
    }
    assert_eq!(texts(&engine).len(), 3);
    assert!(engine.stage_import(vec![newer], moment(4.0)).unwrap().is_empty());
}

#[test]
fn a_purge_takes_back_what_would_merge_into_the_purged() {
    let mut engine = opened(vec![
        put(long_ago(Memory { state: State::Proposed { at: NOW }, ..memory("gone", "the canal is shut on Sundays") })),
        proposal("gone", ProposedAction::Delete),
        put(memory("kept", "the canal is closed on Sundays")),
        merge("kept", "gone"),
    ]);
    commit(&mut engine, |engine| {
        engine.stage_decide(None, "gone", Decision::Approve, Channel::Terminal, moment(1.0)).unwrap()
    });
    let left: Vec<Record> = engine.records(None).collect();
    assert_eq!(left, [put(memory("kept", "the canal is closed on Sundays"))]);
    // What is left can be exported and imported.
    assert_eq!(opened(vec![]).stage_import(left, moment(2.0)).unwrap().outcome, 1);
}

#[test]
fn what_is_in_use_again_is_not_deleted() {
    let faded = long_ago(memory("a", "the canal is shut on Sundays"));
    let proposed = Memory { state: State::Proposed { at: NOW }, ..faded.clone() };
    let put_away = Memory { state: State::Archived { at: NOW, reason: None }, ..faded };
    let in_use = put(memory("b", "the tram stops at the harbour"));
    let linked = |id: &str| {
        let label = |text: &str| Label::parse("relation", text).unwrap();
        let (from, to) = (MemoryId::parse("id", "b").unwrap(), MemoryId::parse("id", id).unwrap());
        let key = EdgeKey { scope: Scope::default(), from, to, relation: label("related") };
        Record::Edge(Edge { key, weight: 1.0, created_at: NOW, reinforced_at: NOW })
    };
    let approve = |records: Vec<Record>| {
        let records = [vec![proposal("a", ProposedAction::Delete)], records].concat();
        opened(records)
            .stage_decide(None, "a", Decision::Approve, Channel::Terminal, moment(1.0))
            .map(|staged| staged.outcome)
    };
    // Frozen to this day: it may go.
    assert!(approve(vec![put(proposed.clone()), in_use.clone()]).is_ok());
    assert!(approve(vec![put(put_away.clone())]).is_ok());
    // Pinned, used, or linked to what is in use since it was proposed: it stays.
    for (what, records) in [
        ("pinned", vec![put(Memory { pinned: true, ..proposed.clone() })]),
        ("used", vec![put(Memory { last_accessed_at: NOW, ..proposed.clone() })]),
        ("linked", vec![put(proposed), in_use, linked("a")]),
        ("put away, then used", vec![put(Memory { last_accessed_at: NOW, ..put_away })]),
    ] {
        let refused = approve(records.clone()).unwrap_err();
        assert_eq!((refused.code(), refused.field()), ("not_frozen", "id"), "{what}");
        // What the refusal says to do: maintenance takes the proposal back.
        let mut engine = opened([vec![proposal("a", ProposedAction::Delete)], records].concat());
        commit(&mut engine, |engine| engine.stage_maintain(None, false, moment(1.0)).unwrap());
        assert_eq!(proposals(&engine), 0, "{what}");
    }
}

#[test]
fn merging_two_into_each_other_leaves_one_current() {
    let mut engine = opened(vec![
        put(memory("a", "the canal is shut on Sundays")),
        put(memory("b", "the canal is closed on Sundays")),
        merge("a", "b"),
        merge("b", "a"),
    ]);
    commit(&mut engine, |engine| {
        engine.stage_decide(None, "a", Decision::Approve, Channel::Terminal, moment(1.0)).unwrap()
    });
    let refused = engine.stage_decide(None, "b", Decision::Approve, Channel::Terminal, moment(1.0)).unwrap_err();
    assert_eq!((refused.code(), refused.field()), ("wrong_state", "id"));
    assert_eq!(engine.find(None, "b").unwrap().state, State::Active);
    commit(&mut engine, |engine| {
        engine.stage_decide(None, "b", Decision::Reject, Channel::Terminal, moment(1.0)).unwrap()
    });
    assert_eq!(proposals(&engine), 0);
}

#[test]
fn a_restored_memory_is_no_longer_proposed_for_deletion() {
    let by = MemoryId::parse("id", "new").unwrap();
    let mut engine = opened(vec![
        put(memory("new", "the tram stops at the market")),
        put(Memory { state: State::Superseded { by, at: NOW }, ..memory("old", "the tram stops at the harbour") }),
        proposal("old", ProposedAction::Delete),
    ]);
    commit(&mut engine, |engine| engine.stage_restore(None, "old", moment(1.0)).unwrap());
    assert_eq!(proposals(&engine), 0);
    assert_eq!(
        engine.stage_decide(None, "old", Decision::Approve, Channel::Terminal, moment(1.0)).unwrap_err().code(),
        "not_found"
    );
}

/// Put away by hand, proposed for deletion two years later, and rejected: it is still put away, with its reason.
#[test]
fn a_rejected_proposal_leaves_a_memory_as_it_was() {
    let mut engine =
        opened(vec![put(memory("a", "the tram stops at the harbour")), put(memory("b", "lunch is at noon"))]);
    let forgotten = State::Archived { at: NOW.plus_days(1.0), reason: Some("the line was closed".to_owned()) };
    commit(&mut engine, |engine| engine.stage_forget(None, "a", Some("the line was closed"), moment(1.0)).unwrap());
    let state = |engine: &Engine, id: &str| engine.find(None, id).unwrap().state.clone();
    for years in [1.0, 2.0] {
        let days = years * 700.0;
        let maintained = commit(&mut engine, |engine| engine.stage_maintain(None, false, moment(days)).unwrap());
        assert_eq!(maintained.proposed.len(), 2, "{maintained:?}");
        assert_eq!(state(&engine, "a"), forgotten);
        assert_eq!(state(&engine, "b"), State::Proposed { at: NOW.plus_days(days) });
        for id in ["a", "b"] {
            commit(&mut engine, |engine| {
                engine.stage_decide(None, id, Decision::Reject, Channel::Terminal, moment(days)).unwrap()
            });
        }
        assert_eq!((state(&engine, "a"), state(&engine, "b")), (forgotten.clone(), State::Active));
        let next = commit(&mut engine, |engine| engine.stage_maintain(None, false, moment(days + 1.0)).unwrap());
        assert!(next.proposed.is_empty(), "its clock was reset: {next:?}");
    }
    // To have it back, it is restored.
    commit(&mut engine, |engine| engine.stage_restore(None, "a", moment(1_500.0)).unwrap());
    assert_eq!(state(&engine, "a"), State::Active);
}

#[test]
fn what_is_forgotten_while_it_waits_is_put_away_when_the_proposal_is_rejected() {
    let mut engine = opened(vec![put(memory("a", "the tram stops at the harbour"))]);
    commit(&mut engine, |engine| engine.stage_maintain(None, false, moment(700.0)).unwrap());
    commit(&mut engine, |engine| engine.stage_forget(None, "a", None, moment(701.0)).unwrap());
    assert_eq!(proposals(&engine), 1);
    commit(&mut engine, |engine| {
        engine.stage_decide(None, "a", Decision::Reject, Channel::Terminal, moment(702.0)).unwrap()
    });
    assert_eq!(engine.find(None, "a").unwrap().state, State::Archived { at: NOW.plus_days(701.0), reason: None });
}

#[test]
fn using_what_was_put_away_takes_back_the_proposal_to_delete_it() {
    let archived = State::Archived { at: NOW, reason: None };
    let waiting = || {
        let memory = Memory { state: archived.clone(), ..memory("a", "the tram stops at the harbour") };
        opened(vec![put(memory), proposal("a", ProposedAction::Delete)])
    };
    let mut reinforced = waiting();
    commit(&mut reinforced, |engine| engine.stage_reinforce(None, "a", moment(1.0)).unwrap());
    let mut pinned = waiting();
    commit(&mut pinned, |engine| engine.stage_pin(None, "a", true, moment(1.0)).unwrap());
    let mut told = waiting();
    let input = RememberInput { content: "the tram stops at the harbour".to_owned(), ..RememberInput::default() };
    commit(&mut told, |engine| engine.stage_remember(&input, moment(1.0)).unwrap());
    let mut recalled = waiting();
    let query = "where does the tram stop?".to_owned();
    let input = RecallInput { query, depth: Some("frozen".to_owned()), ..RecallInput::default() };
    let found = commit(&mut recalled, |engine| engine.stage_recall(&input, moment(1.0)).unwrap());
    assert_eq!(found.hits.len(), 1);
    for (engine, state) in
        [(&reinforced, State::Active), (&pinned, State::Active), (&told, State::Active), (&recalled, archived.clone())]
    {
        assert_eq!((proposals(engine), &engine.find(None, "a").unwrap().state), (0, &state));
    }
}

#[test]
fn a_memory_that_waits_for_nobody_is_freed_by_maintenance() {
    let state = State::Proposed { at: NOW };
    let mut engine = opened(vec![put(Memory { state, ..memory("a", "the tram stops at the harbour") })]);
    commit(&mut engine, |engine| engine.stage_maintain(None, false, moment(1.0)).unwrap());
    assert_eq!(engine.find(None, "a").unwrap().state, State::Active);
}

#[test]
fn the_dimension_of_each_model_is_its_own() {
    let mut engine = opened(vec![]);
    let vector = |model: &str, length: usize| Some(RawEmbedding { model: model.to_owned(), values: vec![1.0; length] });
    let remember = |engine: &Engine, content: &str, embedding, days: f64| {
        let input = RememberInput { content: content.to_owned(), embedding, ..RememberInput::default() };
        engine.stage_remember(&input, moment(days))
    };
    commit(&mut engine, |engine| remember(engine, "the tram stops at the harbour", vector("a", 3), 0.0).unwrap());
    commit(&mut engine, |engine| remember(engine, "Priya plays the cello", vector("b", 4), 1.0).unwrap());
    for (model, length) in [("a", 4), ("b", 3)] {
        let refused = remember(&engine, "lunch is at noon", vector(model, length), 2.0).unwrap_err();
        assert_eq!((refused.code(), refused.field()), ("wrong_dimension", "embedding.values"), "{model}");
    }
}

#[test]
fn a_vector_of_zeros_leaves_nothing_behind_in_the_indexes() {
    let mut engine = opened(vec![]);
    let vector = |values: &[f32]| Some(RawEmbedding { model: "m".to_owned(), values: values.to_vec() });
    let zero = RememberInput {
        id: Some("zero".to_owned()),
        content: "the tram stops at the harbour".to_owned(),
        embedding: vector(&[0.0, 0.0]),
        ..RememberInput::default()
    };
    commit(&mut engine, |engine| engine.stage_remember(&zero, moment(0.0)).unwrap());
    let other =
        RememberInput { id: Some("other".to_owned()), content: "Priya plays the cello".to_owned(), ..zero.clone() };
    let other = RememberInput { embedding: vector(&[1.0, 0.0]), ..other };
    commit(&mut engine, |engine| engine.stage_remember(&other, moment(1.0)).unwrap());
    // The only vector that points anywhere goes: live and reopened take the same dimensions from now on.
    let update = UpdateInput {
        id: "other".to_owned(),
        content: Some("Priya sold the cello".to_owned()),
        ..UpdateInput::default()
    };
    commit(&mut engine, |engine| engine.stage_update(&update, moment(2.0)).unwrap());
    let purge: Vec<String> = engine
        .records(None)
        .filter_map(|record| match record {
            Record::Memory(memory) if memory.content == "Priya plays the cello" => Some(memory.id.to_string()),
            _ => None,
        })
        .collect();
    commit(&mut engine, |engine| {
        engine.stage_import(vec![proposal(&purge[0], ProposedAction::Delete)], moment(3.0)).unwrap()
    });
    // Long after, when it is frozen.
    commit(&mut engine, |engine| {
        engine.stage_decide(None, &purge[0], Decision::Approve, Channel::Terminal, moment(1_000.0)).unwrap()
    });
    let reopened = opened(engine.records(None).collect());
    let wider = RememberInput { id: None, embedding: vector(&[1.0, 0.0, 0.0]), ..zero };
    let stage = |engine: &Engine| engine.stage_remember(&wider, moment(5.0)).map(|staged| staged.outcome);
    assert_eq!(stage(&engine), stage(&reopened));
    assert!(stage(&engine).is_ok());
}
