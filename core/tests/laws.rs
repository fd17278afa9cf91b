//! The laws of the contract between core and host, as properties over random plans of operations.
//!
//! `PROPTEST_CASES` sets how many plans each law is tried on (default 96), `PROPTEST_RNG_SEED` which ones. A failure
//! prints the seed, the shrunk plan and the difference, and is kept in `tests/laws/regressions.txt`, which is tried
//! first from then on.

#![allow(clippy::unwrap_used, reason = "a test that can't go on fails")]

#[path = "laws/check.rs"]
mod check;
#[path = "laws/plain.rs"]
mod plain;
#[path = "laws/plan.rs"]
mod plan;
#[path = "laws/world.rs"]
mod world;

use check::{holds, same};
use ebbtrace_core::{Config, Operation, Record, Timestamp, VectorKind};
use plan::{Op, plans};
use proptest::prelude::*;
use world::{World, readings};

/// Law 1: a store that is opened anew equals the one that lived, whatever the order of its records, and goes on alike.
#[test]
fn law_1_a_reopened_store_equals_the_live_one() {
    holds("law 1", (plans(30), any::<prop::sample::Index>(), any::<u64>()), |(plan, cut, seed)| {
        let cut = cut.index(plan.len());
        let mut live = World::new(Config::default());
        plan[..cut].iter().for_each(|op| drop(live.step(op)));
        let mut reopened = live.reopened(seed);
        same("records", &live.records(), &reopened.records())?;
        same("readings", &readings(&live.engine, live.now), &readings(&reopened.engine, live.now))?;
        for op in &plan[cut..] {
            same(&format!("the answer to {op:?}"), &live.step(op), &reopened.step(op))?;
        }
        same("records at the end", &live.records(), &reopened.records())?;
        same("readings at the end", &readings(&live.engine, live.now), &readings(&reopened.engine, live.now))
    });
}

/// Law 2: applying an entry twice is applying it once.
#[test]
fn law_2_apply_is_idempotent() {
    holds("law 2", plans(30), |plan| {
        let mut once = World::new(Config::default());
        let mut twice = World::new(Config::default());
        for op in &plan {
            once.step(op);
            let answer = twice.step(op);
            answer.entry.iter().for_each(|entry| twice.engine.apply(entry));
            same("records", &once.records(), &twice.records())?;
        }
        same("readings", &readings(&once.engine, once.now), &readings(&twice.engine, once.now))
    });
}

/// Law 3: equal inputs give equal outcomes and changes; and what is staged but not applied leaves no trace.
#[test]
fn law_3_staging_changes_nothing_and_is_repeatable() {
    holds("law 3", (plans(24), plans(6)), |(plan, dropped)| {
        let mut plain = World::new(Config::default());
        let mut tried = World::new(Config::default());
        for op in &plan {
            for other in &dropped {
                drop(tried.stage(other));
            }
            let (before, first) = (plain.step(op), {
                tried.tick(op);
                tried.stage(op)
            });
            same("an answer in another engine", &before, &first)?;
            same("an answer asked again", &first, &tried.stage(op))?;
            tried.commit(&first);
        }
        same("records", &plain.records(), &tried.records())?;
        same("readings", &readings(&plain.engine, plain.now), &readings(&tried.engine, plain.now))
    });
}

/// Law 6: the parts of a score combine to the score, each in its range, and nothing is ever not a number: for any clock
/// of the years 1 to 9999 and any config within its documented ranges.
#[test]
fn law_6_scores_add_up_and_stay_in_range() {
    let clock = prop_oneof![
        3 => 0_i64..=Timestamp::MAX.0,
        1 => Timestamp::MIN.0..=0_i64,
        1 => Just(Timestamp::MAX.0),
        1 => Just(Timestamp::MIN.0),
    ];
    let config = prop_oneof![check::configs(), check::extremes()];
    holds("law 6", (plans(20), config, clock), |(plan, config, clock)| {
        let mut world = World::new(config);
        plan.iter().for_each(|op| drop(world.step(op)));
        for now in [world.now, Timestamp(clock)] {
            check::in_range(&world.engine, now)?;
        }
        world.now = Timestamp(clock);
        plan.iter().take(6).for_each(|op| drop(world.step(op)));
        check::in_range(&world.engine, Timestamp(clock))?;
        check::in_range(&world.engine, world::START)
    });
}

/// Law 7: what was learned stays in the records until a deletion is approved, and then nothing of it is left.
#[test]
fn law_7_nothing_is_lost_without_approval() {
    holds("law 7", plans(40), |plan| {
        let mut world = World::new(Config::default());
        for op in &plan {
            let before = check::contents(&world.engine);
            let keys = check::current_keys(&world.engine);
            let answer = world.step(op);
            check::keys_stay(op, &keys, &world.engine)?;
            let Some(entry) = &answer.entry else { continue };
            let after = check::contents(&world.engine);
            let purged = check::deleted(entry);
            if !matches!(entry.operation, Operation::Approve | Operation::Purge) {
                same("deletions without approval", &Vec::new(), &purged)?;
            }
            for (place, content) in &before {
                let kept = purged.contains(place) || after.values().any(|known| known == content);
                prop_assert!(kept, "{content:?} of {place:?} was lost by {op:?}");
            }
            check::accepted(op, &answer, &after)?;
            for place in &purged {
                check::no_trace(&world, place)?;
            }
        }
        Ok(())
    });
}

/// An undo leaves every text in the records and what other sessions wrote as it was; done twice it is done once.
#[test]
fn an_undo_takes_back_one_session_and_nothing_of_the_others() {
    holds("undo", (plans(40), 0_u8..2), |(plan, number)| {
        let mut world = World::new(Config::default());
        plan.iter().for_each(|op| drop(world.step(op)));
        let session = format!("session {number}");
        for scope in 0..2 {
            let before = check::memories(&world, scope);
            let texts = check::contents(&world.engine);
            let entry = world.step(&Op::Undo { scope, session: number, dry_run: false }).entry;
            let after = check::memories(&world, scope);
            let deleted = entry.as_ref().map(check::deleted).unwrap_or_default();
            same("what is deleted", &Vec::new(), &deleted)?;
            let left = check::contents(&world.engine);
            prop_assert!(texts.values().all(|text| left.values().any(|kept| kept == text)), "a text was lost");
            for (id, memory) in &before {
                let of_it = memory.source.session.as_deref() == Some(&*session);
                if of_it || memory.source.text_session() == Some(&*session) || !memory.state.is_current() {
                    continue;
                }
                same("what another session wrote", memory, &after[id])?;
            }
            let again = world.step(&Op::Undo { scope, session: number, dry_run: false });
            same("what a second undo changes", &None, &again.entry)?;
            same("memories after the second", &after, &check::memories(&world, scope))?;
        }
        Ok(())
    });
}

/// New vectors for every memory, or none, change nothing but the vectors; done twice they are done once, and a store that
/// is opened anew carries them too.
#[test]
fn other_vectors_change_nothing_else() {
    holds("other vectors", (plans(24), any::<bool>(), any::<u64>()), |(plan, dropped, seed)| {
        let mut world = World::new(Config::default());
        plan.iter().for_each(|op| drop(world.step(op)));
        let without = |world: &World| {
            let mut records = world.records();
            for record in &mut records {
                if let Record::Memory(memory) = record {
                    memory.embedding = None;
                }
            }
            records
        };
        let before = without(&world);
        let kind = VectorKind { model: "next-model".into(), dimension: 7 };
        let wanted = (!dropped).then_some(&kind);
        for scope in world.engine.scopes() {
            let entry = world.reembed(&scope, wanted);
            world.engine.apply(&entry);
            let once = world.records();
            world.engine.apply(&entry);
            same("records after applying twice", &once, &world.records())?;
            same("what is left to do", &Vec::new(), &world.engine.unembedded(Some(&scope), wanted).unwrap())?;
            same("changes when asked again", &Vec::new(), &world.reembed(&scope, wanted).changes)?;
        }
        same("what is no vector", &before, &without(&world))?;
        let reopened = world.reopened(seed);
        same("readings", &readings(&world.engine, world.now), &readings(&reopened.engine, world.now))
    });
}

/// Recall against a plain scan over all memories, activation against the plain formula, forecasts against the days.
#[test]
fn answers_equal_those_of_a_plain_model() {
    holds("the plain model", (plans(24), 0_i64..2_000), |(plan, later)| {
        let mut world = World::new(Config::default());
        plan.iter().for_each(|op| drop(world.step(op)));
        plain::check(&world.engine, world.now)?;
        plain::check(&world.engine, world.now.plus_days(later as f64 / 10.0))
    });
}
