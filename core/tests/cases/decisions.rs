//! A human's decisions, with the channel they came by, and maintenance that is due.

use ebbtrace_core::{Channel, Decision, JournalEntry, Moment, Operation, Shown, State, Tier, time::DAY_MS};
use serde_json::json;

use crate::support::Host;

/// Two memories that wait to be let go, as a human was shown them: `a` was put away by hand before.
fn waiting() -> (Host, Vec<Shown>) {
    let mut host = Host::new();
    host.keep("a", "The canal is shut on Sundays");
    host.keep("b", "Lunch is at noon");
    host.run(|engine, moment| engine.stage_forget(None, "a", None, moment));
    host.wait(400.0);
    host.run(|engine, moment| engine.stage_maintain(None, false, moment));
    let queue = host.engine.review_queue(None, None, None, host.now).unwrap();
    (host, queue.items.iter().map(Shown::from).collect())
}

#[test]
fn each_decision_is_journalled_with_its_channel_and_older_entries_have_none() {
    let (host, shown) = waiting();
    let moment = Moment { now: host.now, entropy: 7 };
    for (decision, operation) in [
        (Decision::Approve, Operation::Approve),
        (Decision::Reject, Operation::Reject),
        (Decision::Pin, Operation::Pin),
    ] {
        for (channel, name) in [(Channel::Terminal, "terminal"), (Channel::McpElicitation, "mcp-elicitation")] {
            let staged = host.engine.stage_decide_shown(None, &shown[0], decision, channel, moment).unwrap();
            assert_eq!((staged.entry.operation, staged.entry.channel), (operation, Some(channel)));
            assert_eq!((staged.outcome.decision, staged.outcome.channel), (decision, channel));
            let entry = serde_json::to_value(&staged.entry).unwrap();
            assert_eq!((&entry["channel"], channel.as_str()), (&json!(name), name));
            assert_eq!(serde_json::from_value::<JournalEntry>(entry).unwrap(), staged.entry);
        }
    }
    let older = json!({"revision": 3, "at": 1_790_000_000_000_i64, "operation": "approve", "changes": []});
    let older = serde_json::to_value(serde_json::from_value::<JournalEntry>(older).unwrap()).unwrap();
    assert_eq!(older.get("channel"), None);
    let staged = host.engine.stage_maintain(None, false, moment).unwrap();
    assert_eq!(staged.entry.channel, None);
}

#[test]
fn what_is_pinned_instead_is_active_and_never_proposed_again() {
    let (mut host, shown) = waiting();
    for shown in &shown {
        host.run(|engine, moment| {
            engine.stage_decide_shown(None, shown, Decision::Pin, Channel::McpElicitation, moment)
        });
    }
    host.wait(4_000.0);
    let maintained = host.run(|engine, moment| engine.stage_maintain(None, false, moment));
    assert!(maintained.proposed.is_empty(), "{maintained:?}");
    for memory in host.memories() {
        assert_eq!((memory.pinned, memory.state, memory.tier), (true, State::Active, Tier::Hot), "{}", memory.id);
    }
}

#[test]
fn an_answer_is_about_what_was_shown() {
    let refused = |host: &mut Host, shown: &Shown, decision| {
        let moment = host.moment();
        let staged = host.engine.stage_decide_shown(None, shown, decision, Channel::McpElicitation, moment);
        staged.map(|staged| staged.outcome).unwrap_err().code()
    };
    for decision in [Decision::Approve, Decision::Reject, Decision::Pin] {
        // Proposed anew, at another time.
        let (mut host, shown) = waiting();
        host.run(|engine, moment| engine.stage_reinforce(None, "b", moment));
        assert_eq!(refused(&mut host, &shown[1], decision), "not_found");
        host.wait(400.0);
        host.run(|engine, moment| engine.stage_maintain(None, false, moment));
        assert_eq!(refused(&mut host, &shown[1], decision), "proposal_changed");
        // Another text than the one that was shown.
        let (mut host, shown) = waiting();
        let edited = Shown { version: shown[1].version + 1, ..shown[1].clone() };
        assert_eq!(refused(&mut host, &edited, decision), "proposal_changed");
        // Nothing of that name.
        let gone = Shown { id: "c".try_into().unwrap(), ..shown[1].clone() };
        assert_eq!(refused(&mut host, &gone, decision), "not_found");
    }
}

#[test]
fn maintenance_is_done_when_its_time_has_come_and_once() {
    let mut host = Host::new();
    let every = DAY_MS.unsigned_abs() / 2;
    let due = |host: &mut Host| {
        let moment = host.moment();
        let staged = host.engine.stage_maintain_due(None, every, moment).unwrap();
        assert_eq!(staged.outcome.is_none(), staged.is_empty());
        host.engine.apply(&staged.entry);
        staged.outcome.map(|maintained| maintained.examined)
    };
    // A scope that holds nothing is left alone.
    let moment = host.moment();
    assert!(host.engine.stage_maintain_due(None, every, moment).unwrap().is_empty());
    host.keep("a", "The canal is shut on Sundays");
    assert_eq!(due(&mut host), Some(1));
    assert_eq!(due(&mut host), None);
    host.wait(0.499);
    assert_eq!(due(&mut host), None);
    host.wait(0.001);
    assert_eq!(due(&mut host), Some(1));
    // A clock that was ahead, and is set right.
    host.wait(400.0);
    assert_eq!(due(&mut host), Some(1));
    host.wait(-400.0);
    assert_eq!(due(&mut host), Some(1));
    assert_eq!(due(&mut host), None);
}
