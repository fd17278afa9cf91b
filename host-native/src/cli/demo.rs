//! `demo`: what this memory does, told on a throw-away store with a clock under control. Every figure is the engine's.

mod association;
mod change_of_mind;
mod fading;
mod ranking;
mod upkeep;

use std::sync::Arc;

use ebbtrace_core::{ConnectInput, RememberInput, Remembered, Timestamp};
use serde_json::{Map, Value};

use crate::{
    clock::ManualClock,
    service::{Options, Service, ServiceError},
    store::MemoryStore,
};

use super::{
    failure::Failure,
    instant,
    screen::{Ink, Screen},
};

/// 2025-09-01T00:00:00Z: the day the story begins.
const FIRST_DAY: Timestamp = Timestamp(1_756_684_800_000);

/// The throw-away memory, and the clock that the story moves.
struct Stage {
    service: Service,
    clock: Arc<ManualClock>,
    screen: Screen,
}

/// A part of the story: what a person reads, and the same for programs.
struct Chapter {
    name: &'static str,
    title: &'static str,
    text: String,
    figures: Value,
}

/// `demo`
pub(super) fn run(screen: Screen) -> Result<(), Failure> {
    let stage = Stage::new(screen)?;
    let chapters = [
        fading::tell(&stage)?,
        ranking::tell(&stage)?,
        change_of_mind::tell(&stage)?,
        association::tell(&stage)?,
        upkeep::maintain(&stage)?,
        upkeep::review(&stage)?,
    ];
    if screen.is_json() {
        let figures: Map<String, Value> =
            chapters.into_iter().map(|chapter| (chapter.name.to_owned(), chapter.figures)).collect();
        return screen.object(&Value::Object(figures));
    }
    let mut text = format!(
        "{}\nA year of a small software team, in memory, by a clock that we move.\nNothing of yours is touched.\n",
        screen.paint(Ink::Bold, "Ebbtrace: memory that fades unless it is used"),
    );
    for (number, chapter) in chapters.iter().enumerate() {
        let title = screen.paint(Ink::Bold, &format!("{}  {}", number + 1, chapter.title));
        text.push_str(&format!("\n{title}\n\n{}\n", chapter.text.trim_end()));
    }
    text.push_str(&format!("\n{}\n{NEXT}", screen.paint(Ink::Bold, "Now yours")));
    screen.text(&text)
}

const NEXT: &str = "
   cargo install --path host-native --locked         puts the program on your PATH
   claude mcp add -s user ebbtrace -- ebbtrace mcp   an agent remembers by itself
   ebbtrace remember \"...\"                           store something yourself
   ebbtrace import ~/notes                           Markdown becomes linked memories
   ebbtrace help                                     everything else
";

impl Stage {
    fn new(screen: Screen) -> Result<Self, Failure> {
        let clock = Arc::new(ManualClock::new(FIRST_DAY));
        let options = Options { clock: Box::new(Arc::clone(&clock)), ..Options::new(Box::new(MemoryStore::new())) };
        Ok(Self { service: Service::open(options)?, clock, screen })
    }

    /// Moves the clock to a day of the story.
    fn day(&self, day: f64) {
        self.clock.set(FIRST_DAY.plus_days(day));
    }

    /// The date that the clock shows.
    fn date(&self) -> String {
        instant::day(self.clock.now())
    }

    fn remember(&self, id: &str, content: &str, kind: &str, importance: f64) -> Result<Remembered, ServiceError> {
        self.service.remember(RememberInput {
            id: Some(id.to_owned()),
            content: content.to_owned(),
            kind: Some(kind.to_owned()),
            importance: Some(importance),
            ..RememberInput::default()
        })
    }

    fn connect(&self, from: &str, to: &str, relation: &str) -> Result<(), ServiceError> {
        self.service.connect(&ConnectInput {
            from: from.to_owned(),
            to: to.to_owned(),
            relation: Some(relation.to_owned()),
            ..ConnectInput::default()
        })?;
        Ok(())
    }
}
