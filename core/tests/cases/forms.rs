//! Several proposals answered in one form: each is carried out as it was shown, whatever else the form says.

use ebbtrace_core::{Change, Channel, ConnectInput, Decision, MemoryId, Operation, ProposedAction, Shown, State};

use crate::support::Host;

const CHANNEL: Channel = Channel::McpElicitation;

/// Faded memories, `a` and `b` linked, that wait to be let go.
fn linked() -> (Host, Vec<Shown>) {
    let mut host = Host::new();
    for (id, text) in [("a", "The canal is shut on Sundays"), ("b", "Lunch is at noon"), ("c", "Sam has a red bike")] {
        host.keep(id, text);
    }
    let input = ConnectInput { from: "a".into(), to: "b".into(), weight: Some(10.0), ..ConnectInput::default() };
    host.run(|engine, moment| engine.stage_connect(&input, moment));
    // The link is at 10 x 2^-(200/30), about 0.098, then: it lives, and what is over the line at one end holds the other.
    // It counts for nothing beside a link of 10 that is fresh: 0.098 / 10 is under 0.05.
    host.wait(200.0);
    host.keep("x", "Pepper is a grey cat");
    host.keep("y", "The roof was painted blue");
    let input = ConnectInput { from: "x".into(), to: "y".into(), weight: Some(10.0), ..ConnectInput::default() };
    host.run(|engine, moment| engine.stage_connect(&input, moment));
    host.run(|engine, moment| engine.stage_maintain(None, false, moment));
    let shown = waiting(&host);
    assert_eq!(shown.len(), 3);
    (host, shown)
}

fn waiting(host: &Host) -> Vec<Shown> {
    let queue = host.engine.review_queue(None, None, None, host.now).unwrap();
    queue.items.iter().map(Shown::from).collect()
}

fn id(text: &str) -> MemoryId {
    text.try_into().unwrap()
}

#[test]
fn a_neighbour_that_the_form_keeps_does_not_undo_what_it_approves() {
    for decision in [Decision::Reject, Decision::Pin] {
        let (mut host, shown) = linked();
        let done = host.run(|engine, moment| engine.stage_delete_shown(None, &shown[..1], &[id("b")], CHANNEL, moment));
        assert_eq!(done[0].as_ref().unwrap().deleted, [id("a")]);
        host.run(|engine, moment| engine.stage_decide_shown(None, &shown[1], decision, CHANNEL, moment));
        assert!(host.engine.find(None, "a").is_err());
        assert_eq!(host.engine.find(None, "b").unwrap().pinned, decision == Decision::Pin);
        assert_eq!(waiting(&host).len(), 1);
        // Decided one after the other, the kept one holds the other, and is named.
        let (mut host, shown) = linked();
        host.run(|engine, moment| engine.stage_decide_shown(None, &shown[1], decision, CHANNEL, moment));
        let moment = host.moment();
        let refused = engine_error(&host, &shown[0], moment);
        assert!(refused.contains("it is linked to \"b\", which is in use"), "{refused}");
        let item = host.engine.proposal(None, "a", host.now).unwrap();
        assert_eq!((item.holds, item.held_by), (false, Some(id("b"))));
        assert!(item.proposal.reason.starts_with("it no longer holds: "), "{}", item.proposal.reason);
        // No list has it.
        assert_eq!(waiting(&host), [shown[2].clone()]);
    }
}

fn engine_error(host: &Host, shown: &Shown, moment: ebbtrace_core::Moment) -> String {
    host.engine.stage_decide_shown(None, shown, Decision::Approve, CHANNEL, moment).unwrap_err().to_string()
}

#[test]
fn what_is_approved_together_goes_in_one_entry_and_what_is_refused_changes_nothing() {
    let (mut host, shown) = linked();
    host.run(|engine, moment| engine.stage_reinforce(None, "c", moment));
    let moment = host.moment();
    let [a, b, c] = [0, 1, 2].map(|at: usize| shown[at].clone());
    let staged = host.engine.stage_delete_shown(None, &[c, a, b], &[], CHANNEL, moment).unwrap();
    let codes: Vec<_> = staged.outcome.iter().map(|done| done.as_ref().err().map(ebbtrace_core::Error::code)).collect();
    assert_eq!(codes, [Some("proposal_changed"), None, None]);
    assert_eq!((staged.entry.operation, staged.entry.channel), (Operation::Approve, Some(CHANNEL)));
    let gone = staged.entry.changes.iter().filter(|change| matches!(change, Change::DeleteMemory { .. })).count();
    assert_eq!(gone, 2);
    // None of it stands: nothing to commit.
    assert!(host.engine.stage_delete_shown(None, &shown[2..], &[], CHANNEL, moment).unwrap().is_empty());
    // A merge is not deleted on the word for a merge.
    let merge = Shown { action: ProposedAction::Merge { into: id("b") }, ..shown[0].clone() };
    let staged = host.engine.stage_delete_shown(None, &[merge], &[], CHANNEL, moment).unwrap();
    assert_eq!(staged.outcome[0].as_ref().unwrap_err().code(), "proposal_changed");
    // A scope that holds nothing.
    let staged = host.engine.stage_delete_shown(Some("empty"), &shown, &[], CHANNEL, moment).unwrap();
    assert!(staged.is_empty() && staged.outcome.iter().all(|done| done.as_ref().unwrap_err().code() == "not_found"));
}

#[test]
fn an_earlier_text_that_the_form_keeps_outlives_its_memory() {
    let mut host = Host::new();
    host.keep("rent", "The rent is 900");
    host.wait(1.0);
    host.update("rent", "The rent is 950");
    host.wait(400.0);
    host.run(|engine, moment| engine.stage_maintain(None, false, moment));
    let shown = waiting(&host);
    let (memory, version) = shown.iter().partition::<Vec<_>, _>(|shown| shown.id == id("rent"));
    let (memory, version) = (memory[0].clone(), version[0].clone());
    // Kept: it alone stays, put away, since what had replaced it went.
    let kept = [version.id.clone()];
    let moment = host.moment();
    let staged = host.engine.stage_delete_shown(None, std::slice::from_ref(&memory), &kept, CHANNEL, moment).unwrap();
    assert_eq!(staged.outcome[0].as_ref().unwrap().deleted, [id("rent")]);
    host.engine.apply(&staged.entry);
    host.run(|engine, moment| engine.stage_decide_shown(None, &version, Decision::Reject, CHANNEL, moment));
    let left = host.memories();
    assert_eq!((left.len(), &*left[0].content), (1, "The rent is 900"));
    assert!(matches!(left[0].state, State::Archived { .. }), "{:?}", left[0].state);
}

#[test]
fn both_a_memory_and_its_earlier_text_are_approved() {
    let mut host = Host::new();
    host.keep("rent", "The rent is 900");
    host.wait(1.0);
    host.update("rent", "The rent is 950");
    host.wait(400.0);
    host.run(|engine, moment| engine.stage_maintain(None, false, moment));
    let shown = waiting(&host);
    assert_eq!(shown.len(), 2);
    let done = host.run(|engine, moment| engine.stage_delete_shown(None, &shown, &[], CHANNEL, moment));
    assert!(done.iter().all(Result::is_ok), "{done:?}");
    assert!(host.memories().is_empty());
}
