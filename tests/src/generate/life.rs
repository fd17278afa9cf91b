//! Two years of notes, session by session.

use ebbtrace_core::{RememberInput, Timestamp, time::DAY_MS};
use serde_json::{Map, Value};

use crate::generate::Draw;

/// When the two years end: 1 June 2026, 00:00 UTC.
pub const NOW: Timestamp = Timestamp(1_780_272_000_000);

/// Days from the first note to the last.
const DAYS: i64 = 730;
/// Notes in a session, on average.
const SESSION: usize = 14;
const AUTHORS: usize = 40;

/// What somebody wants remembered, and when.
#[derive(Clone, Debug)]
pub struct Note {
    /// What.
    pub input: RememberInput,
    /// When.
    pub at: Timestamp,
}

/// Notes in order of time, without end: as many as were asked for come before [`NOW`].
#[derive(Clone, Debug)]
pub struct Life {
    draw: Draw,
    templates: Vec<(&'static str, &'static str)>,
    clauses: Vec<&'static str>,
    authors: Vec<String>,
    /// Milliseconds from one note to the next, on average.
    pause: f64,
    /// Notes told.
    told: usize,
    session: usize,
    author: usize,
    /// Notes left in the session.
    left: usize,
    at: i64,
}

impl Life {
    /// A life that stores about `memories` by [`NOW`].
    #[must_use]
    pub fn new(memories: usize) -> Self {
        let mut draw = Draw::new(memories as u64);
        let authors = (0..AUTHORS).map(|_| draw.fill("{person}")).collect();
        let templates = lines(include_str!("templates.txt")).filter_map(|line| line.split_once(" | ")).collect();
        let clauses = lines(include_str!("clauses.txt")).collect();
        let pause = (DAYS * DAY_MS) as f64 / (memories + 2 * SESSION) as f64;
        Self { draw, templates, clauses, authors, pause, told: 0, session: 0, author: 0, left: 0, at: 0 }
    }

    /// One note's text of 8 to 40 words, and its kind.
    fn text(&mut self) -> (&'static str, String) {
        loop {
            let (kind, template) = self.templates[self.draw.below(self.templates.len())];
            let mut text = self.draw.fill(template);
            while self.draw.chance(0.4) {
                let clause = self.draw.any_of(&self.clauses);
                text.push_str(&self.draw.fill(clause));
            }
            if (8..=40).contains(&text.split_whitespace().count()) {
                return (kind, text);
            }
        }
    }
}

impl Iterator for Life {
    type Item = Note;

    fn next(&mut self) -> Option<Note> {
        if self.left == 0 {
            self.session += 1;
            self.left = 1 + self.draw.below(2 * SESSION - 1);
            self.author = self.draw.zipf(AUTHORS);
            self.at = NOW.0 - DAYS * DAY_MS + (self.told as f64 * self.pause) as i64;
        }
        self.left -= 1;
        self.told += 1;
        // Minutes apart, and over before the next session starts.
        self.at += 1 + self.draw.below((self.pause / 2.0).clamp(1.0, 300_000.0) as usize) as i64;
        let (kind, content) = self.text();
        let category = match kind {
            "failure" | "strategy" | "assumption" => Some(kind.to_owned()),
            _ => None,
        };
        let mut tags = Vec::new();
        for _ in 0..self.draw.below(4) {
            tags.push(self.draw.fill("{team}"));
        }
        let mut metadata = Map::new();
        if self.draw.chance(0.1) {
            metadata.insert("ticket".to_owned(), Value::from(self.draw.fill("{ticket}")));
        }
        let input = RememberInput {
            content,
            kind: Some(kind.to_owned()),
            category,
            importance: self.draw.chance(0.5).then(|| (1 + self.draw.below(10)) as f64 / 10.0),
            author: Some(self.authors[self.author].clone()),
            tags,
            metadata,
            session: Some(format!("session-{}", self.session)),
            client: Some("generate".to_owned()),
            pinned: self.draw.chance(0.002),
            ..RememberInput::default()
        };
        Some(Note { input, at: Timestamp(self.at) })
    }
}

/// Questions about the notes of a life of so many memories: a few telling words of one, asked for in a sentence.
#[must_use]
pub fn questions(memories: usize, count: usize) -> Vec<String> {
    const FRAMES: [&str; 6] = [
        "what do we know about {}",
        "why did we change {}",
        "who looks after {}",
        "how should I deal with {}",
        "{}",
        "what went wrong with {}",
    ];
    let mut draw = Draw::new(2);
    let step = (memories / count.max(1)).max(1);
    let asked = Life::new(memories).step_by(step).take(count).map(|note| {
        let words: Vec<&str> = note.input.content.split_whitespace().filter(|word| word.len() > 4).collect();
        let first = draw.below(words.len().saturating_sub(4).max(1));
        let told = words.iter().skip(first).take(2 + draw.below(4)).copied().collect::<Vec<_>>().join(" ");
        draw.any_of(&FRAMES).replace("{}", &told)
    });
    asked.collect()
}

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_life_is_told_in_order_and_the_same_each_time() {
        let notes: Vec<Note> = Life::new(1_000).take(1_000).collect();
        assert!(notes.windows(2).all(|pair| pair[0].at < pair[1].at));
        assert!(notes[999].at < NOW && notes[999].at > NOW.plus_days(-60.0));
        for (note, again) in notes.iter().zip(Life::new(1_000)) {
            assert_eq!(note.input, again.input);
            assert!((8..=40).contains(&note.input.content.split_whitespace().count()));
        }
        let words: std::collections::BTreeSet<&str> =
            notes.iter().flat_map(|note| note.input.content.split_whitespace()).collect();
        assert!(words.len() > 3_000, "{}", words.len());
    }
}
