//! Undo of several sessions, one after the other: what one undo took back, none of the others brings back.

use ebbtrace_core::{
    Ended, HandoffInput, Memory, MemoryId, Moment, ProgressInput, Record, RememberInput, State, Touched, Undone,
    UpdateInput, relation,
};

use crate::support::Host;

impl Host {
    fn tell(&mut self, session: &str, id: Option<&str>, content: &str) -> String {
        let (session, id, content) = (Some(session.to_owned()), id.map(str::to_owned), content.to_owned());
        self.wait(1.0);
        self.put(&RememberInput { session, id, content, ..RememberInput::default() }).id.to_string()
    }

    fn edit_by(&mut self, session: &str, id: &str, content: &str) {
        let (session, id, content) = (Some(session.to_owned()), id.to_owned(), Some(content.to_owned()));
        self.wait(1.0);
        let input = UpdateInput { session, id, content, ..UpdateInput::default() };
        self.run(|engine, moment| engine.stage_update(&input, moment));
    }

    fn hand_over(&mut self, session: &str, summary: &str) {
        let (session, summary) = (Some(session.to_owned()), summary.to_owned());
        self.wait(1.0);
        let input = HandoffInput { session, summary, ..HandoffInput::default() };
        self.run(|engine, moment| engine.stage_handoff(&input, moment));
    }

    fn report(&mut self, session: &str, notes: &str, completion: Option<f64>) {
        let (session, notes) = (Some(session.to_owned()), Some(notes.to_owned()));
        let (feature, status) = ("search".to_owned(), "in_progress".to_owned());
        self.wait(1.0);
        let input = ProgressInput { session, notes, feature, status, completion, ..ProgressInput::default() };
        self.run(|engine, moment| engine.stage_track_progress(&input, moment));
    }

    /// Undoes a session, having looked first.
    fn take_back(&mut self, session: &str) -> Undone {
        self.wait(1.0);
        let look = self.engine.stage_undo(None, session, true, Moment::new(self.now.0, 5)).unwrap();
        assert!(look.is_empty());
        let done = self.run(|engine, moment| engine.stage_undo(None, session, false, moment));
        assert_eq!(look.outcome, Undone { dry_run: true, ..done.clone() });
        self.wait(1.0);
        let again = self.engine.stage_undo(None, session, false, Moment::new(self.now.0, 6)).unwrap();
        assert!(again.is_empty(), "undone twice, {session} changes {:?}", again.entry.changes);
        done
    }

    fn restore(&mut self, id: &str) -> Touched {
        self.wait(1.0);
        self.run(|engine, moment| engine.stage_restore(None, id, moment))
    }

    /// A memory that says `content` and does not hold.
    fn history_of(&self, content: &str) -> String {
        let history = |memory: &Memory| memory.content == content && memory.state != State::Active;
        self.memories().into_iter().find(history).unwrap().id.to_string()
    }

    /// What the memories say that are neither history nor put away.
    fn holding(&self) -> Vec<String> {
        let mut texts: Vec<String> = self
            .memories()
            .into_iter()
            .filter(|memory| memory.state == State::Active)
            .map(|memory| memory.content)
            .collect();
        texts.sort_unstable();
        texts
    }

    fn says(&self, id: &str) -> String {
        self.engine.find(None, id).unwrap().content.clone()
    }
}

/// Every order of `items`.
fn orders(items: &[&'static str]) -> Vec<Vec<&'static str>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (place, first) in items.iter().enumerate() {
        let rest = [&items[..place], &items[place + 1..]].concat();
        all.extend(orders(&rest).into_iter().map(|rest| [vec![*first], rest].concat()));
    }
    all
}

#[test]
fn an_undo_does_not_bring_back_what_the_undo_before_it_took_back() {
    let mut host = Host::new();
    host.tell("a", Some("o"), "Berlin");
    host.edit_by("b", "o", "Bonn");
    host.edit_by("c", "o", "Bern");
    assert_eq!(host.take_back("c").reverted.len(), 1);
    assert_eq!(host.says("o"), "Bonn");
    assert_eq!(host.take_back("b").reverted.len(), 1);
    assert_eq!(host.says("o"), "Berlin");
    let again = host.take_back("c");
    assert!(again.reverted.is_empty() && again.kept.is_empty(), "{again:?}");
    assert_eq!(host.says("o"), "Berlin");
    let history = host.engine.history(None, "o").unwrap();
    let undone = history.versions.iter().filter(|version| version.ended == Some(Ended::Undone));
    let undone: Vec<&str> = undone.map(|version| &*version.content).collect();
    assert_eq!(undone, ["Bonn", "Bern", "Bonn"], "they stay readable");
    host.take_back("a");
    assert_eq!(host.holding(), Vec::<String>::new());
}

#[test]
fn a_text_taken_back_under_another_does_not_come_to_light_again() {
    let mut host = Host::new();
    host.tell("a", Some("o"), "Berlin");
    host.edit_by("b", "o", "Bonn");
    host.edit_by("c", "o", "Bern");
    let kept = host.take_back("b").kept;
    assert_eq!((kept.len(), &*kept[0].reason), (1, "its text was edited since, outside the session"));
    assert_eq!(host.says("o"), "Bern");
    host.take_back("c");
    assert_eq!(host.says("o"), "Berlin");
}

#[test]
fn of_replaced_texts_one_holds_in_whatever_order_their_sessions_are_undone() {
    let deadlines = ["The deadline is 15 October", "The deadline is 16 October", "The deadline is 17 October"];
    let databases = ["PostgreSQL", "MySQL", "SQLite", "MariaDB"].map(|name| format!("The database is {name}"));
    for order in orders(&["a", "b", "c", "d"]) {
        let mut host = Host::new();
        for (session, text) in ["b", "c", "d"].into_iter().zip(deadlines) {
            host.tell(session, None, text);
        }
        for (session, text) in ["a", "b", "c", "d"].into_iter().zip(&databases) {
            host.tell(session, None, text);
        }
        assert_eq!(host.holding().len(), 2);
        let mut undone = Vec::new();
        for session in &order {
            host.take_back(session);
            undone.push(*session);
            let last = |sessions: &[&str]| sessions.iter().rposition(|session| !undone.contains(session));
            let mut expected: Vec<&str> = last(&["a", "b", "c", "d"]).map(|at| &*databases[at]).into_iter().collect();
            expected.extend(last(&["b", "c", "d"]).map(|at| deadlines[at]));
            assert_eq!(host.holding(), expected, "after {undone:?}");
        }
    }
}

#[test]
fn what_another_edited_between_two_texts_of_a_session_is_kept_and_named() {
    let mut host = Host::new();
    host.tell("a", Some("o"), "Berlin");
    host.edit_by("b", "o", "Bonn");
    host.edit_by("a", "o", "Bern");
    host.report("a", "started", Some(10.0));
    host.report("b", "half of it", Some(50.0));
    host.report("a", "nearly", Some(90.0));
    let undone = host.take_back("a");
    let kept: Vec<(&str, &str)> = undone.kept.iter().map(|kept| (kept.id.as_str(), &*kept.reason)).collect();
    let reason = "it has a text of others too: that one holds again";
    assert_eq!(kept, [("o", reason), ("progress:search", reason)]);
    assert_eq!((undone.archived.len(), undone.reverted.len()), (0, 2));
    assert_eq!(host.holding(), ["Bonn", "Progress: search [in_progress] 50%\nNotes: half of it"]);
    host.take_back("b");
    assert_eq!(host.holding(), Vec::<String>::new());
    // Nothing of what was taken back goes on in what is told anew.
    host.report("c", "from the start", None);
    assert_eq!(host.holding(), ["Progress: search [in_progress] 0%\nNotes: from the start"]);
    host.take_back("c");
    assert_eq!(host.holding(), Vec::<String>::new());
}

#[test]
fn records_of_three_sessions_go_back_one_by_one() {
    for order in orders(&["a", "b", "c"]) {
        let mut host = Host::new();
        for session in ["a", "b", "c"] {
            host.hand_over(session, &format!("by {session}"));
            host.report(session, &format!("by {session}"), None);
        }
        let mut undone = Vec::new();
        for session in &order {
            host.take_back(session);
            undone.push(*session);
            let left = ["a", "b", "c"].into_iter().rfind(|session| !undone.contains(session));
            let resumed = host.engine.resume(None, None, host.now).unwrap();
            assert_eq!(resumed.handoff.map(|one| one.summary), left.map(|left| format!("by {left}")), "{undone:?}");
            let notes: Vec<_> = resumed.features.into_iter().map(|one| one.notes.unwrap()).collect();
            assert_eq!(notes, left.map(|left| format!("by {left}")).into_iter().collect::<Vec<_>>(), "{undone:?}");
        }
    }
}

#[test]
fn what_is_told_again_after_an_undo_is_of_who_tells_it() {
    let mut host = Host::new();
    let lunch = host.tell("a", None, "Lunch is at noon");
    host.tell("a", Some("o"), "Berlin");
    host.take_back("a");
    assert_eq!(host.holding(), Vec::<String>::new());
    assert_eq!(host.tell("b", None, "Lunch is at noon"), lunch);
    host.tell("b", Some("o"), "Bonn");
    assert_eq!(host.holding(), ["Bonn", "Lunch is at noon"]);
    assert!(host.take_back("a").kept.is_empty());
    assert_eq!(host.holding(), ["Bonn", "Lunch is at noon"]);
    host.take_back("b");
    assert_eq!(host.holding(), Vec::<String>::new());
    // A session may tell again what was taken back of it, and be undone again.
    host.tell("a", None, "Lunch is at noon");
    host.tell("a", Some("o"), "Berlin");
    assert_eq!(host.holding(), ["Berlin", "Lunch is at noon"]);
    host.take_back("a");
    assert_eq!(host.holding(), Vec::<String>::new());
    // What a person brings back holds.
    host.run(|engine, moment| engine.stage_restore(None, &lunch, moment));
    assert_eq!(host.holding(), ["Lunch is at noon"]);
}

#[test]
fn an_undo_of_what_was_edited_after_an_undo_goes_back_to_what_held() {
    let mut host = Host::new();
    host.tell("a", Some("o"), "Berlin");
    host.edit_by("b", "o", "Bonn");
    host.take_back("b");
    host.edit_by("c", "o", "Bern");
    host.take_back("c");
    assert_eq!(host.says("o"), "Berlin");
    host.edit_by("b", "o", "Bonn");
    host.edit_by("d", "o", "Basel");
    host.take_back("a");
    host.take_back("d");
    assert_eq!(host.says("o"), "Bonn", "told again, it counts");
    host.take_back("b");
    assert_eq!(host.holding(), Vec::<String>::new());
    // An edit of what is put away is a new text.
    host.edit_by("e", "o", "Brugg");
    assert_eq!(host.holding(), ["Brugg"]);
    host.take_back("e");
    assert_eq!(host.holding(), Vec::<String>::new());
}

#[test]
fn of_texts_merged_into_one_each_session_takes_its_own() {
    let (short, long) = ("Priya plays the cello every morning", "Priya generally plays the cello every morning");
    for (first, second) in [(short, long), (long, short)] {
        for order in orders(&["a", "b"]) {
            let mut host = Host::new();
            let id = host.tell("a", None, first);
            assert_eq!(host.tell("b", None, second), id);
            host.take_back(order[0]);
            let left = if order[0] == "a" { second } else { first };
            let holding = host.holding();
            assert_eq!(holding, [left], "{order:?}");
            host.take_back(order[1]);
            assert_eq!(host.holding(), Vec::<String>::new(), "{order:?}");
            // And told once more it is merged once more.
            host.tell("b", None, second);
            assert_eq!(host.holding(), [second]);
        }
    }
}

#[test]
fn undo_reaches_an_edit_under_a_replacement_of_another() {
    for order in orders(&["b", "c"]) {
        let mut host = Host::new();
        let id = host.tell("a", None, "The deadline is 14 October");
        host.edit_by("b", &id, "The deadline is 15 October");
        host.tell("c", None, "The deadline is 16 October");
        for session in &order {
            host.take_back(session);
        }
        assert_eq!(host.holding(), ["The deadline is 14 October"], "{order:?}");
    }
}

#[test]
fn law7_what_was_taken_back_stays_so_through_an_export_and_a_purge() {
    let mut host = Host::new();
    for (session, day) in ["a", "b", "c", "d"].into_iter().zip(15..) {
        host.tell(session, None, &format!("The deadline is {day} October"));
    }
    host.take_back("b");
    host.take_back("d");
    host.tell("e", Some("o"), "Berlin");
    host.edit_by("f", "o", "Bonn");
    host.edit_by("g", "o", "Bern");
    host.take_back("g");
    let records: Vec<Record> = host.engine.records(None).collect();
    let mut other = Host::new();
    other.now = host.now;
    other.run(|engine, moment| engine.stage_import(records, moment));
    other.take_back("f");
    assert_eq!(other.holding(), ["Berlin", "The deadline is 17 October"]);
    other.take_back("c");
    assert_eq!(other.holding(), ["Berlin", "The deadline is 15 October"]);
    // With the memory that stands in its place gone, a text that was taken back is put away as such.
    let head = other.memories().into_iter().find(|one| one.content.contains("15") && one.state == State::Active);
    let head = vec![head.unwrap().id.to_string()];
    other.run(|engine, moment| engine.stage_purge(None, &head, false, moment));
    other.tell("h", None, "The deadline is 20 October");
    other.take_back("h");
    assert_eq!(other.holding(), ["Berlin"]);
    assert!(relation::RESERVED.contains(&relation::UNDONE), "no caller can mark a text");
}

/// What a restore has put behind it.
fn ids(restored: &Touched) -> Vec<&str> {
    restored.superseded.iter().map(MemoryId::as_str).collect()
}

#[test]
fn e4_what_is_restored_after_an_undo_takes_the_place_of_what_held() {
    let mut host = Host::new();
    let first = host.tell("a", None, "The database is PostgreSQL");
    let second = host.tell("b", None, "The database is MySQL");
    host.take_back("b");
    assert_eq!(host.holding(), ["The database is PostgreSQL"]);
    let restored = host.restore(&second);
    assert_eq!((restored.memory.id.as_str(), ids(&restored)), (&*second, vec![&*first]));
    assert_eq!(host.holding(), ["The database is MySQL"]);
    // And the other way round, as often as one likes.
    host.restore(&first);
    assert_eq!(host.holding(), ["The database is PostgreSQL"]);
    host.restore(&second);
    assert_eq!(host.holding(), ["The database is MySQL"]);
    // What holds again can be taken back again, with what it had replaced.
    host.take_back("b");
    assert_eq!(host.holding(), ["The database is PostgreSQL"]);
    host.take_back("a");
    assert_eq!(host.holding(), Vec::<String>::new());
}

#[test]
fn e4_an_earlier_text_that_is_restored_is_said_by_its_memory_again() {
    let mut host = Host::new();
    host.tell("a", Some("o"), "Berlin");
    host.edit_by("b", "o", "Bonn");
    host.take_back("b");
    let restored = host.restore(&host.history_of("Bonn"));
    assert_eq!((restored.memory.id.as_str(), &*restored.memory.content), ("o", "Bonn"));
    assert_eq!(host.holding(), ["Bonn"]);
    let history = host.engine.history(None, "o").unwrap();
    let texts: Vec<&str> = history.versions.iter().map(|version| &*version.content).collect();
    assert_eq!(texts, ["Berlin", "Bonn", "Berlin", "Bonn"]);
    host.restore(&host.history_of("Berlin"));
    assert_eq!(host.holding(), ["Berlin"]);
    // A record of work is told anew instead.
    host.hand_over("a", "half done");
    host.hand_over("b", "done");
    let refused =
        host.engine.stage_restore(None, &host.history_of("Session Handoff: half done"), Moment::new(host.now.0, 9));
    assert_eq!(refused.unwrap_err().code(), "of_record");
}

#[test]
fn e4_what_was_forgotten_and_is_contradicted_since_takes_its_place_back() {
    let mut host = Host::new();
    let first = host.tell("a", None, "The deadline is 15 October");
    host.run(|engine, moment| engine.stage_forget(None, &first, None, moment));
    host.tell("a", Some("due"), "The deadline is 16 October");
    host.tell("a", None, "The rent of the flat is 900 euros");
    // Being told of another date ended what was put away as well: both would hold by themselves.
    let restored = host.restore(&first);
    assert_eq!(ids(&restored), ["due"]);
    assert_eq!(host.holding(), ["The deadline is 15 October", "The rent of the flat is 900 euros"]);
}

#[test]
fn what_says_the_same_in_other_words_stays_beside_what_is_restored() {
    let mut host = Host::new();
    let (short, long) = ("Priya plays the cello every morning", "Priya generally plays the cello every morning");
    host.tell("a", None, short);
    host.tell("b", None, long);
    let restored = host.restore(&host.history_of(short));
    assert_eq!((&*restored.memory.content, restored.superseded.len()), (short, 0));
    assert_eq!(host.holding(), [long, short]);
}

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    }
}

/// The texts about one thing in the order in which they were told: who told it, what, and whether it was taken back.
type Line = Vec<(usize, String, bool)>;

/// How many plans the test below goes through.
const SEEDS: u64 = 300;

/// Several sessions tell of six things in turn, edit and replace what the others told, and are undone in between and at
/// the end, in any order; and now and then an earlier text is restored, which is the last one from then on. Of each thing
/// the last text holds that was not taken back, and no other.
#[test]
fn in_any_order_of_undos_the_last_text_that_nobody_took_back_holds() {
    const SESSIONS: [&str; 4] = ["a", "b", "c", "d"];
    let mut restored = 0;
    for seed in 0..SEEDS {
        let mut dice = Dice(seed);
        let mut host = Host::new();
        let mut lines: Vec<Line> = vec![Vec::new(); 6];
        let mut left = vec![0, 1, 2, 3];
        for step in 0..20 {
            let (undo, all) = (step >= 16, step >= 16 || dice.below(6) == 0);
            if !undo && dice.below(5) == 0 {
                restored += usize::from(restore_one(&mut host, &mut dice, &mut lines));
            } else if all {
                // At the end each once, before that any.
                let by = if undo { left.swap_remove(dice.below(left.len())) } else { dice.below(4) };
                if lines.iter().flatten().any(|(of, ..)| *of == by) {
                    host.take_back(SESSIONS[by]);
                }
                lines.iter_mut().flatten().filter(|(of, ..)| *of == by).for_each(|text| text.2 = true);
            } else {
                let (by, about) = (dice.below(4), dice.below(6));
                let text = tell(&mut host, &mut dice, SESSIONS[by], about, step);
                lines[about].push((by, text, false));
            }
            let mut expected: Vec<&str> = lines
                .iter()
                .filter_map(|line| line.iter().rfind(|(_, _, taken)| !taken).map(|(_, text, _)| text.as_str()))
                .collect();
            expected.sort_unstable();
            let holding = host.holding();
            assert_eq!(holding, expected, "seed {seed}, step {step}: {lines:?}");
            let all = host.memories();
            let lost = lines.iter().flatten().find(|(_, text, _)| all.iter().all(|memory| memory.content != *text));
            assert_eq!(lost, None, "seed {seed}, step {step}");
        }
        assert_eq!(host.holding(), Vec::<String>::new(), "seed {seed}");
    }
    assert!(2 * restored as u64 > SEEDS, "only {restored} were restored");
}

/// Brings back a text of one of the first four things, in any of the memories that say it; whether one did not hold.
fn restore_one(host: &mut Host, dice: &mut Dice, lines: &mut [Line]) -> bool {
    let line = &mut lines[dice.below(4)];
    if line.is_empty() {
        return false;
    }
    let at = dice.below(line.len());
    let says = |memory: &Memory| memory.content == line[at].1;
    let known: Vec<Memory> = host.memories().into_iter().filter(says).collect();
    if known.iter().any(|memory| memory.state == State::Active) {
        return false;
    }
    host.restore(known[dice.below(known.len())].id.as_str());
    let (by, text, _) = line.remove(at);
    line.push((by, text, false));
    true
}

/// Tells something new about one of six things: two keys, two plain statements, a handoff, a feature.
fn tell(host: &mut Host, dice: &mut Dice, session: &str, about: usize, step: usize) -> String {
    let text = match about {
        0 | 1 => format!("Office {about} has {} desks", step + 2),
        2 => format!("The deadline is {} October", step + 2),
        3 => format!("The rent of the flat is {} euros", 900 + step),
        _ => format!("step {step}"),
    };
    let (key, start) = ([Some("key 0"), Some("key 1"), None, None, None, None][about], text.split(' ').take(3));
    let start = start.collect::<Vec<_>>().join(" ");
    let known = host.memories().into_iter().find(|memory| match key {
        Some(key) => memory.id.as_str() == key && memory.state.is_current(),
        None => memory.state == State::Active && memory.content.starts_with(&start),
    });
    match (about, known) {
        (4, _) => {
            host.hand_over(session, &text);
            format!("Session Handoff: {text}")
        }
        (5, _) => {
            host.report(session, &text, None);
            format!("Progress: search [in_progress] 0%\nNotes: {text}")
        }
        (_, Some(known)) if dice.below(2) == 0 => {
            host.edit_by(session, known.id.as_str(), &text);
            text
        }
        _ => {
            host.tell(session, key, &text);
            text
        }
    }
}
