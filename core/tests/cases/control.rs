//! What a person has a say in: history, what will sink, undo, purge.

use ebbtrace_core::{
    Carried, Ended, Fade, History, LinkInput, Memory, Purged, RecallInput, Record, RememberInput, State, Undone,
    UpdateInput,
};

use crate::support::Host;

impl Host {
    /// Stores a text in a session, under a key of its own where one is given.
    fn say(&mut self, session: &str, id: Option<&str>, content: &str) -> String {
        let input = RememberInput {
            session: Some(session.to_owned()),
            id: id.map(str::to_owned),
            content: content.to_owned(),
            ..RememberInput::default()
        };
        self.wait(1.0);
        self.put(&input).id.to_string()
    }

    fn undo(&mut self, session: &str) -> Undone {
        self.wait(1.0);
        self.run(|engine, moment| engine.stage_undo(None, session, false, moment))
    }

    fn purge(&mut self, ids: &[&str], carriers: bool) -> Purged {
        let ids: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
        self.run(|engine, moment| engine.stage_purge(None, &ids, carriers, moment))
    }

    fn memory(&self, id: &str) -> Memory {
        self.engine.find(None, id).unwrap().clone()
    }

    fn history(&self, id: &str) -> History {
        self.engine.history(None, id).unwrap()
    }

    fn as_of(&mut self, query: &str, days_ago: f64) -> Vec<String> {
        let as_of = Some(self.now.plus_days(-days_ago));
        let input = RecallInput { query: query.to_owned(), as_of, ..RecallInput::default() };
        self.recall(&input).hits.into_iter().map(|hit| hit.memory.content).collect()
    }
}

fn names(ids: &[ebbtrace_core::MemoryId]) -> Vec<&str> {
    ids.iter().map(|id| id.as_str()).collect()
}

#[test]
fn history_tells_every_text_with_its_time_its_session_and_why_it_ended() {
    let mut host = Host::new();
    let old = host.say("first", None, "The deadline is 15 October");
    let since_old = host.now;
    let new = host.say("second", None, "The deadline is 16 October");
    let since_new = host.now;
    host.wait(1.0);
    host.update(&new, "The deadline is 16 October, at noon");
    for id in [&old, &new] {
        let history = host.history(id);
        assert_eq!((history.asked.as_str(), history.current.as_str()), (id.as_str(), new.as_str()));
        let told: Vec<_> = history
            .versions
            .iter()
            .map(|version| (&*version.content, version.since, version.until, version.ended, version.session.as_deref()))
            .collect();
        let expected = [
            ("The deadline is 15 October", since_old, Some(since_new), Some(Ended::Replaced), Some("first")),
            ("The deadline is 16 October", since_new, Some(host.now), Some(Ended::Edited), Some("second")),
            // Edited with no session named.
            ("The deadline is 16 October, at noon", host.now, None, None, None),
        ];
        assert_eq!(told, expected);
        // An old version leads to the current one as well.
        let version = history.versions[1].id.to_string();
        assert_eq!(host.history(&version).current.as_str(), new);
    }
}

#[test]
fn history_tells_what_was_merged_in() {
    let mut host = Host::new();
    let id = host.say("first", None, "Priya plays the cello every morning");
    assert_eq!(host.say("second", None, "Priya generally plays the cello every morning"), id);
    let history = host.history(&id);
    assert_eq!(history.versions.len(), 2);
    assert_eq!(
        (history.versions[0].ended, history.versions[0].by.as_ref().unwrap().as_str()),
        (Some(Ended::Merged), &*id)
    );
    assert_eq!(history.versions[1].ended, None);
    assert_eq!(host.engine.history(None, "nobody").unwrap_err().code(), "not_found");
}

#[test]
fn recall_as_of_answers_as_the_memory_stood_then() {
    let mut host = Host::new();
    host.say("s", Some("rent"), "The rent is 900 euros");
    host.say("s", Some("rent"), "The rent is 950 euros");
    host.wait(10.0);
    assert_eq!(host.as_of("how much is the rent", 0.0), ["The rent is 950 euros"]);
    assert_eq!(host.as_of("how much is the rent", 10.5), ["The rent is 900 euros"]);
    assert_eq!(host.as_of("how much is the rent", 11.5), Vec::<String>::new());
    // What was put away by then did not come by itself; what was put away later did.
    host.run(|engine, moment| engine.stage_forget(None, "rent", None, moment));
    host.wait(1.0);
    assert_eq!(host.as_of("how much is the rent", 0.0), Vec::<String>::new());
    assert_eq!(host.as_of("how much is the rent", 2.0), ["The rent is 950 euros"]);
    host.run(|engine, moment| engine.stage_restore(None, "rent", moment));
    host.wait(-1.0);
    // At the very instant of the edit the new text holds.
    assert_eq!(host.as_of("how much is the rent", 10.0), ["The rent is 950 euros"]);
}

#[test]
fn a_scopes_forecast_names_what_sinks_soonest_first() {
    let mut host = Host::new();
    host.keep("plain", "Lunch is at noon");
    let (id, content) = (Some("method".to_owned()), "Ship behind a flag, then widen it".to_owned());
    let (category, importance) = (Some("strategy".to_owned()), Some(0.9));
    host.put(&RememberInput { id, content, category, importance, ..RememberInput::default() });
    host.keep("pinned", "Never force-push");
    host.run(|engine, moment| engine.stage_pin(None, "pinned", true, moment));
    // Retention is 0.5 x 2^(-days / 30) by the last use, which is more than the strength of a plain fact: 0.15 after
    // 52.11 days, 0.05 after 99.66. The strategy's strength is 0.9 x e^(-0.028 x days): 63.99 and 103.23.
    let told = |host: &Host, days: f64, limit: Option<i64>| {
        let fading = host.engine.forecast_within(None, days, limit, host.now).unwrap();
        let coming: Vec<(String, Fade, f64)> =
            fading.coming.into_iter().map(|one| (one.id.to_string(), one.fade, one.days)).collect();
        (coming, fading.archived, fading.proposed)
    };
    let expected = [
        ("plain", Fade::Archived, 52.11),
        ("method", Fade::Archived, 63.99),
        ("plain", Fade::Proposed, 99.66),
        ("method", Fade::Proposed, 103.23),
    ];
    let (coming, archived, proposed) = told(&host, 365.0, None);
    assert_eq!((coming.len(), archived, proposed), (4, 2, 2), "{coming:?}");
    for ((id, fade, days), wanted) in coming.iter().zip(expected) {
        assert_eq!((id.as_str(), *fade), (wanted.0, wanted.1));
        assert!((days - wanted.2).abs() < 0.03, "{id} {fade:?} after {days}, not {}", wanted.2);
    }
    assert_eq!(told(&host, 52.0, None), (Vec::new(), 0, 0));
    assert_eq!(told(&host, 70.0, None).0.len(), 2);
    let (first, archived, proposed) = told(&host, 365.0, Some(1));
    assert_eq!((first.len(), &*first[0].0, archived, proposed), (1, "plain", 2, 2));
    // What is archived already does not become so again; what maintenance would propose at once is due.
    host.wait(101.0);
    let (coming, archived, _) = told(&host, 30.0, None);
    assert_eq!((archived, &*coming[0].0, coming[0].2), (0, "plain", 0.0), "{coming:?}");
    host.run(|engine, moment| engine.stage_maintain(None, false, moment));
    assert!(told(&host, 30.0, None).0.iter().all(|one| one.0 != "plain"), "it waits already");
    for days in [0.0, -1.0, f64::NAN, 1e9] {
        assert_eq!(host.engine.forecast_within(None, days, None, host.now).unwrap_err().code(), "out_of_range");
    }
}

#[test]
fn undo_puts_away_what_a_session_stored_and_has_what_it_replaced_hold_again() {
    let mut host = Host::new();
    let old = host.say("theirs", None, "The deadline is 15 October");
    let middle = host.say("ours", None, "The deadline is 16 October");
    let new = host.say("ours", None, "The deadline is 17 October");
    let lunch = host.say("ours", None, "Lunch is at noon");
    assert_eq!(host.current(), ["The deadline is 17 October", "Lunch is at noon"]);
    let preview = host.engine.stage_undo(None, "ours", true, ebbtrace_core::Moment::new(host.now.0, 7)).unwrap();
    assert!(preview.is_empty() && preview.outcome.dry_run);
    let undone = host.undo("ours");
    let mut behind = [&*middle, &*new];
    behind.sort_unstable();
    assert_eq!((names(&undone.archived), names(&undone.superseded)), (vec![&*lunch], behind.to_vec()));
    assert_eq!((names(&undone.restored), names(&undone.reverted)), (vec![&*old], vec![]));
    assert_eq!(undone.kept, []);
    assert_eq!(host.look("when is the deadline"), ["The deadline is 15 October"]);
    assert!(matches!(host.memory(&lunch).state, State::Archived { .. }));
    // Nothing was lost, and what held when stays readable.
    assert_eq!(host.memory(&new).content, "The deadline is 17 October");
    assert_eq!(host.as_of("when is the deadline", 0.0), ["The deadline is 15 October"]);
    assert_eq!(host.as_of("when is the deadline", 1.5), ["The deadline is 17 October"]);
    assert_eq!(host.as_of("when is the deadline", 2.5), ["The deadline is 16 October"]);
    assert_eq!(host.as_of("when is the deadline", 3.5), ["The deadline is 15 October"]);
    assert_eq!(host.history(&new).current.as_str(), old);
    // Done twice it is done once; and it is of no session itself.
    let records: Vec<Record> = host.engine.records(None).collect();
    let again = host.undo("ours");
    assert!(again.archived.is_empty() && again.superseded.is_empty() && again.restored.is_empty(), "{again:?}");
    assert_eq!(records, host.engine.records(None).collect::<Vec<_>>());
    let refused =
        host.engine.stage_undo(None, "nobody's", false, ebbtrace_core::Moment::new(host.now.0, 8)).unwrap_err();
    assert_eq!((refused.code(), refused.field()), ("not_found", "session"));
    // One memory of it can be brought back.
    host.run(|engine, moment| engine.stage_restore(None, &lunch, moment));
    assert_eq!(host.memory(&lunch).state, State::Active);
}

#[test]
fn a_purge_after_an_undo_takes_what_the_undo_kept_along() {
    let mut host = Host::new();
    let old = host.say("theirs", None, "The deadline is 15 October");
    host.say("ours", None, "The deadline is 16 October");
    host.say("ours", Some("rent"), "The rent is 900 euros");
    host.say("theirs", Some("bus"), "The bus leaves at nine");
    host.say("ours", Some("bus"), "The bus leaves at ten");
    host.undo("ours");
    assert_eq!(
        host.purge(&[&old, "bus"], false).gone.iter().map(|gone| gone.versions.len()).collect::<Vec<_>>(),
        [1, 2]
    );
    let left: Vec<String> = host.memories().into_iter().map(|memory| memory.content).collect();
    assert_eq!(left.len(), 2, "{left:?}");
    assert!(
        left.contains(&"The deadline is 16 October".to_owned()) && left.contains(&"The rent is 900 euros".to_owned())
    );
    assert_eq!(host.current(), ["The deadline is 16 October", "The rent is 900 euros"], "put away, not false");
    assert_eq!(host.look("when is the deadline"), Vec::<String>::new());
}

#[test]
fn undo_puts_edits_back_where_nobody_has_edited_since() {
    let mut host = Host::new();
    host.say("theirs", Some("rent"), "The rent is 900 euros");
    host.say("theirs", Some("key"), "The key hangs in the hall");
    host.say("ours", Some("rent"), "The rent is 950 euros");
    host.say("ours", Some("rent"), "The rent is 999 euros, heating included");
    host.say("ours", Some("key"), "The key lies under the mat");
    host.say("others", Some("key"), "The key is with the neighbour");
    let undone = host.undo("ours");
    assert_eq!(names(&undone.reverted), ["rent"]);
    assert_eq!((undone.kept.len(), undone.kept[0].id.as_str()), (1, "key"));
    assert_eq!(undone.kept[0].reason, "its text was edited since, outside the session");
    assert_eq!(host.memory("rent").content, "The rent is 900 euros");
    assert_eq!(host.memory("key").content, "The key is with the neighbour");
    // The session's texts stay readable behind it.
    let told: Vec<String> = host.history("rent").versions.into_iter().map(|version| version.content).collect();
    assert!(told.contains(&"The rent is 999 euros, heating included".to_owned()), "{told:?}");
    assert_eq!(told.last().unwrap(), "The rent is 900 euros");
    let records: Vec<Record> = host.engine.records(None).collect();
    host.undo("ours");
    assert_eq!(records, host.engine.records(None).collect::<Vec<_>>());
}

#[test]
fn undo_keeps_what_others_said_too_or_built_on() {
    let mut host = Host::new();
    let cello = host.say("ours", None, "Priya plays the cello every morning");
    assert_eq!(host.say("theirs", None, "Priya plays the cello every morning"), cello);
    let date = host.say("ours", None, "The deadline is 15 October");
    let later = host.say("theirs", None, "The deadline is 16 October");
    host.say("ours", Some("tool"), "We build with make");
    let input = UpdateInput { id: "tool".into(), content: Some("We build with just".into()), ..UpdateInput::default() };
    host.run(|engine, moment| engine.stage_update(&input, moment));
    let undone = host.undo("ours");
    assert!(undone.archived.is_empty() && undone.superseded.is_empty() && undone.restored.is_empty(), "{undone:?}");
    let kept: Vec<(&str, &str)> = undone.kept.iter().map(|kept| (kept.id.as_str(), kept.reason.as_str())).collect();
    let no_longer = format!("it no longer holds: {later} took its place");
    let mut expected = [
        (&*cello, "it was said again or labelled since, outside the session"),
        (&*date, &*no_longer),
        ("tool", "its text was edited since, outside the session"),
    ];
    expected.sort_unstable();
    assert_eq!(kept, expected);
    assert_eq!(host.memory(&cello).state, State::Active);
}

#[test]
fn undo_removes_the_links_that_came_with_what_it_takes_back() {
    let mut host = Host::new();
    host.say("theirs", Some("acme"), "Acme is a client in Oslo");
    let links = vec![LinkInput { to: "acme".into(), relation: Some("about".into()), weight: None }];
    let (session, id) = (Some("ours".to_owned()), Some("invoice".to_owned()));
    let content = "The invoice of March is open".to_owned();
    host.put(&RememberInput { session, id, content, links, ..RememberInput::default() });
    host.say("theirs", Some("call"), "Ring them on Friday");
    host.run(|engine, moment| {
        let (from, to) = ("call".into(), "invoice".into());
        engine.stage_connect(&ebbtrace_core::ConnectInput { from, to, ..Default::default() }, moment)
    });
    assert_eq!(host.undo("ours").unlinked, 1);
    let near = host.engine.neighbors(None, "invoice", None, None, None, host.now).unwrap();
    assert_eq!(near.items.len(), 1, "a link that another made stays");
    assert_eq!(near.items[0].memory.id.as_str(), "call");
}

#[test]
fn an_undo_reaches_through_an_edit_and_a_replacement() {
    let mut host = Host::new();
    let old = host.say("theirs", None, "The deadline is 15 October");
    let input = UpdateInput {
        id: old.clone(),
        content: Some("The deadline is 14 October".into()),
        session: Some("ours".into()),
        ..UpdateInput::default()
    };
    host.wait(1.0);
    host.run(|engine, moment| engine.stage_update(&input, moment));
    host.say("ours", None, "The deadline is 16 October");
    assert_eq!(host.current(), ["The deadline is 16 October"]);
    let undone = host.undo("ours");
    assert_eq!((names(&undone.restored), names(&undone.reverted)), (vec![&*old], vec![&*old]));
    assert_eq!(host.current(), ["The deadline is 15 October"]);
}

#[test]
fn purge_removes_whatever_the_state_and_refuses_the_whole_for_one_unknown() {
    let mut host = Host::new();
    host.keep("rent", "The rent is 900 euros");
    host.wait(1.0);
    host.update("rent", "The rent is 950 euros");
    host.keep("lunch", "Lunch is at noon");
    let before: Vec<Record> = host.engine.records(None).collect();
    let moment = host.moment();
    for (ids, code) in [(vec!["rent", "nobody"], "not_found"), (vec![], "blank"), (vec![" "], "blank")] {
        let ids: Vec<String> = ids.into_iter().map(str::to_owned).collect();
        assert_eq!(host.engine.stage_purge(None, &ids, false, moment).unwrap_err().code(), code);
    }
    assert_eq!(before, host.engine.records(None).collect::<Vec<_>>());
    let purged = host.purge(&["rent", "rent"], false);
    assert_eq!(purged.gone.len(), 1);
    let gone = &purged.gone[0];
    assert_eq!((gone.id.as_str(), gone.versions.len(), gone.edges, gone.proposals), ("rent", 1, 1, 0));
    assert_eq!(purged.carriers, []);
    assert_eq!(host.current(), ["Lunch is at noon"]);
    assert_eq!(host.memories().len(), 1);
}

#[test]
fn purge_names_what_carries_the_text_and_takes_it_along_on_request() {
    for along in [false, true] {
        let mut host = Host::new();
        host.keep("pin", "The PIN of the safe is 4711");
        host.keep(
            "note",
            "Told Ann on Monday: the PIN of the safe is 4711, and where it stands. The PIN of the safe is 4711!",
        );
        host.keep("other", "The PIN of the safe is 47112");
        let purged = host.purge(&["pin"], along);
        if along {
            assert_eq!(purged.gone.len(), 2);
            assert_eq!((purged.gone[1].id.as_str(), purged.carriers.len()), ("note", 0));
        } else {
            let carriers: Vec<_> =
                purged.carriers.iter().map(|one| (one.id.as_str(), one.of.as_str(), one.how)).collect();
            assert_eq!(carriers, [("note", "pin", Carried::Contains)]);
        }
        assert_eq!(host.engine.find(None, "note").is_err(), along);
        assert!(host.engine.find(None, "other").is_ok(), "it is another number");
    }
}

#[test]
fn purge_finds_the_text_in_tags_and_metadata_at_any_depth() {
    let mut host = Host::new();
    host.keep("pin", "Box 4711.");
    let metadata = |value: serde_json::Value| Some(value.as_object().unwrap().clone());
    let texts = ["The safe is blue", "Ann rides a bicycle", "Lunch is at noon", "The printer is slow"];
    let inputs = [
        (Some(vec!["box 4711".to_owned()]), None),
        (None, metadata(serde_json::json!({ "a": [1, { "b": [["see BOX 4711, please"]] }] }))),
        (None, metadata(serde_json::json!({ "box 4711": null }))),
        (Some(vec!["box 47112".to_owned()]), metadata(serde_json::json!({ "a": "box" }))),
    ];
    for (content, (tags, metadata)) in texts.into_iter().zip(inputs) {
        let id = Some(content.split(' ').nth(1).unwrap().to_owned());
        let (tags, metadata) = (tags.unwrap_or_default(), metadata.unwrap_or_default());
        host.put(&RememberInput { id, content: content.to_owned(), tags, metadata, ..RememberInput::default() });
    }
    let left = host.run(|engine, moment| {
        let mut staged = engine.stage_purge(None, &["pin".to_owned()], false, moment)?;
        staged.entry.changes.clear();
        Ok(staged)
    });
    let carriers: Vec<_> = left.carriers.iter().map(|one| (one.id.as_str(), one.how)).collect();
    assert_eq!(carriers, ["is", "rides", "safe"].map(|id| (id, Carried::Mentions)));
    assert_eq!(host.purge(&["pin"], true).gone.len(), 4);
    assert_eq!(host.current(), ["The printer is slow"]);
}

#[test]
fn what_was_merged_carries_it_by_its_link() {
    let mut host = Host::new();
    let id = host.remember("Priya plays the cello every morning").id.to_string();
    host.wait(1.0);
    host.remember("Priya generally plays the cello every morning");
    let version = host.memories().into_iter().find(|memory| memory.id.as_str() != id).unwrap().id.to_string();
    let purged = host.purge(&[&version], false);
    let carriers: Vec<_> = purged.carriers.iter().map(|one| (one.id.as_str(), one.how)).collect();
    assert_eq!(carriers, [(&*id, Carried::MergedInto)]);
    assert_eq!(host.memories().len(), 1, "a version that is named goes alone");
    assert_eq!(host.purge(&[&id], false).gone.len(), 1);
    assert!(host.memories().is_empty());
}

#[test]
fn in_a_purged_chain_the_first_that_stays_takes_the_place() {
    let mut host = Host::new();
    let mut ids = Vec::new();
    for day in 15..19 {
        ids.push(host.remember(&format!("The deadline is {day} October")).id);
        host.wait(1.0);
    }
    host.purge(&[ids[1].as_str(), ids[2].as_str()], false);
    assert!(matches!(host.memory(ids[0].as_str()).state, State::Superseded { by, .. } if by == ids[3]));
    host.purge(&[ids[3].as_str()], false);
    assert!(matches!(host.memory(ids[0].as_str()).state, State::Archived { .. }));
}
