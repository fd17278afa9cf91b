//! What goes with a memory that a human lets go, and what stays.

use ebbtrace_core::{Channel, Decided, Decision, MemoryId, State, UpdateInput};

use crate::support::Host;

/// Lets a memory fade, and a human approve that it goes. How many versions the review said go along is checked.
fn purged(host: &mut Host, id: &str) -> Decided {
    host.wait(400.0);
    host.run(|engine, moment| engine.stage_maintain(None, false, moment));
    let queue = host.engine.review_queue(None, None, None, host.now).unwrap();
    let item = queue.items.iter().find(|item| item.memory.id.as_str() == id).unwrap().clone();
    let decided =
        host.run(|engine, moment| engine.stage_decide(None, id, Decision::Approve, Channel::Terminal, moment));
    assert_eq!(item.versions + 1, decided.deleted.len(), "the review says what goes along");
    for gone in &decided.deleted {
        for record in host.engine.records(None) {
            assert!(!format!("{record:?}").contains(gone.as_str()), "{gone} is in {record:?}");
        }
    }
    decided
}

fn update(host: &mut Host, id: &str, content: &str) {
    let input = UpdateInput { id: id.to_owned(), content: Some(content.to_owned()), ..UpdateInput::default() };
    host.run(|engine, moment| engine.stage_update(&input, moment));
}

fn state(host: &Host, id: &MemoryId) -> State {
    host.engine.find(None, id.as_str()).unwrap().state.clone()
}

#[test]
fn earlier_versions_go_with_their_memory() {
    // By a clock that goes on, and by one that stands still.
    for step in [1.0, 0.0] {
        let mut host = Host::new();
        host.keep("s:1", "The password hint is quokka77");
        host.wait(step);
        update(&mut host, "s:1", "The password hint is quokka78");
        host.wait(step);
        host.keep("s:1", "The password hint is quokka79");
        host.keep("other", "Lunch is at noon");
        let decided = purged(&mut host, "s:1");
        assert_eq!((decided.id.as_str(), decided.deleted[0].as_str()), ("s:1", "s:1"));
        assert_eq!(decided.deleted.len(), 3, "step {step}");
        let left: Vec<String> = host.memories().into_iter().map(|memory| memory.content).collect();
        assert_eq!(left, ["Lunch is at noon"], "step {step}");
    }
}

#[test]
fn texts_that_were_merged_in_go_too() {
    for step in [1.0, 0.0] {
        let mut host = Host::new();
        let id = host.remember("Priya plays the cello every morning").id;
        host.wait(step);
        let merged = host.remember("Priya generally plays the cello every morning");
        assert_eq!((&merged.id, host.memories().len()), (&id, 2), "{merged:?}");
        assert_eq!(purged(&mut host, id.as_str()).deleted.len(), 2);
        assert!(host.memories().is_empty());
    }
}

#[test]
fn what_was_a_memory_of_its_own_stays_and_is_not_current() {
    for step in [1.0, 0.0] {
        let mut host = Host::new();
        let old = host.remember("The deadline is 15 October").id;
        host.wait(step);
        let new = host.remember("The deadline is 16 October").id;
        host.wait(step);
        update(&mut host, new.as_str(), "The deadline is 16 October, at noon");
        let decided = purged(&mut host, new.as_str());
        assert!(step == 0.0 || decided.deleted.len() == 2, "{decided:?}");
        assert!(!decided.deleted.contains(&old), "nobody asked about it");
        let State::Archived { reason: Some(reason), .. } = state(&host, &old) else { panic!("not put away") };
        assert_eq!(reason, "what had replaced it was deleted");
    }
}

#[test]
fn in_a_chain_the_next_one_takes_its_place() {
    let mut host = Host::new();
    let mut ids = Vec::new();
    for day in 15..18 {
        ids.push(host.remember(&format!("The deadline is {day} October")).id);
        host.wait(1.0);
    }
    let decided = purged(&mut host, ids[1].as_str());
    assert_eq!(decided.deleted, [ids[1].clone()]);
    assert!(matches!(state(&host, &ids[0]), State::Superseded { by, .. } if by == ids[2]));
}
