//! Random operations as data: worked out and carried out here, so that every other host can do the same and must end
//! with the same memory. Law 3 across hosts.

use std::io::{self, Write};

use ebbtrace_core::{
    Channel, Config, ConnectInput, Decision, Engine, Error, FailureInput, HandoffInput, MemoryId, Moment,
    ProgressInput, RecallInput, RememberInput, Staged, StaticModel, UpdateInput,
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::generate::{Draw, Life, questions};

/// How many operations lie between two digests: which stretch went apart is then known.
const STRETCH: usize = 1_000;
/// The scopes that are worked in.
const SCOPES: [&str; 4] = ["default", "user:ana", "project/api", "agent"];
/// When it begins.
const START: i64 = 1_780_000_000_000;

/// Draws `count` operations, carries them out on the core, and writes each as a line as the conformance cases write a
/// step, `{"at", "entropy", "do", "with"}`, with a line `{"digest"}` after every thousand and at the end. Equal seeds give
/// equal lines.
///
/// # Errors
/// What `out` could not take.
pub fn write(seed: u64, count: usize, out: &mut impl Write) -> io::Result<()> {
    let mut world = World::new(seed, count);
    for number in 1..=count {
        let step = world.step();
        writeln!(out, "{step}")?;
        if number.is_multiple_of(STRETCH) || number == count {
            // The digest of all scopes names none, so that it can't be refused.
            let digest = world.engine.digest(None).unwrap_or_default();
            writeln!(out, "{}", json!({ "digest": digest, "after": number }))?;
        }
    }
    out.flush()
}

struct World {
    engine: Engine,
    draw: Draw,
    notes: std::vec::IntoIter<String>,
    asked: Vec<String>,
    now: i64,
    /// Of each scope, what was stored there.
    known: [Vec<MemoryId>; SCOPES.len()],
}

impl World {
    fn new(seed: u64, count: usize) -> Self {
        let mut draw = Draw::new(seed);
        let notes: Vec<String> = Life::new(count).map(|note| note.input.content).take(count).collect();
        let asked = questions(count, 64);
        let engine = Engine::new(Config::default(), Some(StaticModel::bundled()));
        let now = START + draw.below(1_000) as i64;
        Self { engine, draw, notes: notes.into_iter(), asked, now, known: Default::default() }
    }

    /// Draws an operation and carries it out.
    fn step(&mut self) -> Value {
        // From a second to about three days: over ten thousand operations, years.
        self.now += 1_000 + (self.draw.below(600) * self.draw.below(600)) as i64 * 700;
        let moment = Moment::new(self.now, self.draw.bits());
        let place = self.draw.zipf(SCOPES.len());
        let (operation, with) = self.operation(place);
        self.carry_out(place, operation, &with, moment);
        json!({ "at": self.now, "entropy": moment.entropy.to_string(), "do": operation, "with": with })
    }

    fn operation(&mut self, place: usize) -> (&'static str, Value) {
        let scope = SCOPES[place];
        let text = self.notes.next().unwrap_or_else(|| "Nothing new".to_owned());
        let session = format!("s{}", self.draw.below(40));
        match self.draw.below(100) {
            0..45 => {
                let key = (self.draw.below(8) == 0).then(|| format!("key:{}", self.draw.below(60)));
                let category = ["fact", "assumption", "failure", "strategy"][self.draw.below(4)];
                let importance = self.draw.below(101) as f64 / 100.0;
                let tags: Vec<String> = (0..self.draw.below(3)).map(|_| format!("t{}", self.draw.below(9))).collect();
                let input = json!({ "scope": scope, "id": key, "content": text, "category": category,
                    "importance": importance, "tags": tags, "session": session, "author": "Ana",
                    "pinned": self.draw.below(40) == 0, "metadata": { "n": self.draw.below(9) } });
                ("remember", input)
            }
            45..65 => {
                let query =
                    if self.asked.is_empty() { text } else { self.asked[self.draw.below(self.asked.len())].clone() };
                ("recall", json!({ "scope": scope, "query": query, "k": 1 + self.draw.below(9) }))
            }
            65..70 => ("update", json!({ "scope": scope, "id": self.id(place), "content": text, "session": session })),
            70..76 => {
                let (from, to) = (self.id(place), self.id(place));
                let weight = 1.0 + self.draw.below(16) as f64 / 2.0;
                ("connect", json!({ "scope": scope, "from": from, "to": to, "relation": "about", "weight": weight }))
            }
            76..80 => ("reinforce", json!({ "scope": scope, "id": self.id(place) })),
            80..83 => ("forget", json!({ "scope": scope, "id": self.id(place), "reason": "no longer" })),
            83..85 => ("restore", json!({ "scope": scope, "id": self.id(place) })),
            85..87 => ("pin", json!({ "scope": scope, "id": self.id(place), "pinned": self.draw.below(2) == 0 })),
            87..90 => ("maintain", json!({ "scope": scope })),
            90..92 => ("decide", json!({ "scope": scope, "id": self.id(place), "decision": self.decision() })),
            92..94 => {
                let component = ["auth", "ci", "store"][self.draw.below(3)];
                ("track_failure", json!({ "scope": scope, "error": text, "component": component, "session": session }))
            }
            94..96 => {
                let feature = format!("feature {}", self.draw.below(12));
                let status = ["planning", "in_progress", "blocked", "review", "done"][self.draw.below(5)];
                ("track_progress", json!({ "scope": scope, "feature": feature, "status": status }))
            }
            96..97 => {
                ("handoff", json!({ "scope": scope, "summary": text, "next_steps": ["go on"], "session": session }))
            }
            97..98 => ("undo", json!({ "scope": scope, "session": session })),
            98..99 => {
                ("purge", json!({ "scope": scope, "ids": [self.id(place)], "carriers": self.draw.below(2) == 0 }))
            }
            // Refused everywhere alike, and changes nothing.
            _ => ("remember", json!({ "scope": scope, "content": " " })),
        }
    }

    fn decision(&mut self) -> &'static str {
        ["approve", "reject", "pin"][self.draw.below(3)]
    }

    /// One of the ids of a scope, the newer the likelier; now and then one that is not there.
    fn id(&mut self, place: usize) -> String {
        let known = self.known[place].len();
        if known == 0 || self.draw.below(30) == 0 {
            return "no-such-memory".to_owned();
        }
        self.known[place][known - 1 - self.draw.zipf(known)].to_string()
    }

    fn carry_out(&mut self, place: usize, operation: &str, with: &Value, moment: Moment) {
        let (scope, id) = (with["scope"].as_str(), with["id"].as_str().unwrap_or_default());
        let flag = |name: &str| with[name].as_bool().unwrap_or_default();
        let ids = || serde_json::from_value::<Vec<String>>(with["ids"].clone()).unwrap_or_default();
        let mut stored = None;
        let entry = match operation {
            "remember" => self.engine.stage_remember(&read::<RememberInput>(with), moment).map(|staged| {
                stored = Some(staged.outcome.id.clone());
                staged.entry
            }),
            "recall" => entry(self.engine.stage_recall(&read::<RecallInput>(with), moment)),
            "update" => entry(self.engine.stage_update(&read::<UpdateInput>(with), moment)),
            "connect" => entry(self.engine.stage_connect(&read::<ConnectInput>(with), moment)),
            "reinforce" => entry(self.engine.stage_reinforce(scope, id, moment)),
            "forget" => entry(self.engine.stage_forget(scope, id, with["reason"].as_str(), moment)),
            "restore" => entry(self.engine.stage_restore(scope, id, moment)),
            "pin" => entry(self.engine.stage_pin(scope, id, flag("pinned"), moment)),
            "maintain" => entry(self.engine.stage_maintain(scope, false, moment)),
            "decide" => {
                let decision: Decision = read(&with["decision"]);
                entry(self.engine.stage_decide(scope, id, decision, Channel::Application, moment))
            }
            "track_failure" => entry(self.engine.stage_track_failure(&read::<FailureInput>(with), moment)),
            "track_progress" => entry(self.engine.stage_track_progress(&read::<ProgressInput>(with), moment)),
            "handoff" => entry(self.engine.stage_handoff(&read::<HandoffInput>(with), moment)),
            "undo" => entry(self.engine.stage_undo(scope, with["session"].as_str().unwrap_or_default(), false, moment)),
            "purge" => entry(self.engine.stage_purge(scope, &ids(), flag("carriers"), moment)),
            other => unreachable!("{other} is not drawn"),
        };
        // What is refused changes nothing, here as anywhere.
        if let Ok(entry) = entry {
            self.engine.apply(&entry);
        }
        self.known[place].extend(stored);
    }
}

fn entry<T>(staged: Result<Staged<T>, Error>) -> Result<ebbtrace_core::JournalEntry, Error> {
    staged.map(|staged| staged.entry)
}

fn read<T: serde::de::DeserializeOwned + Serialize>(with: &Value) -> T {
    serde_json::from_value(with.clone()).expect("it was written as such an input just now")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_lines() {
        let lines = |seed: u64| {
            let mut out = Vec::new();
            write(seed, 300, &mut out).expect("written");
            String::from_utf8(out).expect("text")
        };
        assert_eq!(lines(7), lines(7));
        assert_ne!(lines(7), lines(8));
        assert_eq!(lines(7).lines().count(), 301);
    }
}
