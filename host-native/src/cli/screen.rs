//! Where answers go: one JSON object, or text for a person, in at most 100 columns.

use std::io::{self, ErrorKind, IsTerminal, Write};

use comfy_table::{Attribute, Cell, Color, ColumnConstraint, ContentArrangement, LineStyle, Table, Width, presets};
use ebbtrace_core::{Tier, Timestamp, limits};
use serde::Serialize;
use serde_json::Value;

use super::{failure::Failure, instant};
pub(crate) use ebbtrace_core::count::of as count;

/// The widest that anything for a person gets.
const COLUMNS: u16 = 100;

/// The fields of the core's types that hold a time.
const TIMES: [&str; 13] = [
    "first_at",
    "last_at",
    "occurred_at",
    "created_at",
    "updated_at",
    "valid_from",
    "last_accessed_at",
    "recalled_at",
    "reinforced_at",
    "proposed_at",
    "maintained_at",
    "since",
    "until",
];

/// Where answers go, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Screen {
    json: bool,
    colour: bool,
    terminal: bool,
    width: u16,
}

impl Screen {
    /// The screen as the process found it.
    pub(crate) fn new(json: bool) -> Self {
        let terminal = io::stdout().is_terminal();
        let colour = coloured(terminal);
        let width = Table::new().width().unwrap_or(COLUMNS).clamp(60, COLUMNS);
        Self { json, colour, terminal, width }
    }

    /// Whether programs read the answer.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Whether stdout is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Whether stdout shows colours.
    pub(crate) fn is_coloured(&self) -> bool {
        self.colour
    }

    /// Prints `answer` as JSON, or the text that `text` makes.
    pub(crate) fn answer(&self, answer: &impl Serialize, text: impl FnOnce() -> String) -> Result<(), Failure> {
        if self.json { self.object(&json(answer)) } else { self.text(&text()) }
    }

    /// Prints one JSON object.
    pub(crate) fn object(&self, value: &Value) -> Result<(), Failure> {
        let shown = if self.terminal { escaped(&format!("{value:#}")) } else { value.to_string() };
        self.text(&shown)
    }

    /// Prints text, with one line break at its end.
    pub(crate) fn text(&self, text: &str) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        let done = out.write_all(text.trim_end().as_bytes()).and_then(|()| out.write_all(b"\n"));
        written(done.and_then(|()| out.flush()))
    }

    /// A table with these headings and a line under them, no wider than the screen.
    pub(crate) fn table(&self, headings: &[&str]) -> Table {
        let mut table = self.ruled_table(headings);
        table.load_style(presets::NOTHING.header_separator(LineStyle::none().fill('─').junction('─')));
        table
    }

    /// A table with lines between its rows too, for entries of several lines.
    pub(crate) fn ruled_table(&self, headings: &[&str]) -> Table {
        let mut table = self.plain_table();
        table.load_style(presets::UTF8_HORIZONTAL_ONLY);
        table.set_header(headings.iter().map(|heading| Cell::new(heading).add_attribute(Attribute::Bold)));
        table
    }

    /// A table as [`Screen::table`] makes it, of which only the last column is ever wrapped: an id that is cut over two
    /// lines can be neither copied nor searched for.
    pub(crate) fn id_table(&self, headings: &[&str]) -> Table {
        let mut table = self.table(headings);
        let whole = headings.iter().skip(1).map(|_| ColumnConstraint::ContentWidth);
        let last = ColumnConstraint::LowerBoundary(Width::Fixed(24));
        table.set_constraints(whole.chain([last]).collect::<Vec<_>>());
        table
    }

    /// Columns between `indent` and the right edge.
    pub(crate) fn room(&self, indent: usize) -> usize {
        usize::from(self.width).saturating_sub(indent)
    }

    /// The beginning of `text` on one line that is set in by `indent`.
    pub(crate) fn line(&self, text: &str, indent: usize) -> String {
        excerpt(text, self.room(indent))
    }

    /// As much of a text as fits beside `ids` in the last column of a table whose other columns take `others` columns,
    /// with what is between them; `None` where that is next to nothing.
    pub(crate) fn beside<'a>(&self, ids: impl Iterator<Item = &'a str>, others: usize) -> Option<usize> {
        let longest = ids.map(|id| id.chars().count()).max().unwrap_or_default();
        Some(self.room(others + longest + 4)).filter(|room| *room >= 24)
    }

    /// `id` and what is said of it: on one line where both fit, else on a line each.
    pub(crate) fn id_and(&self, id: &str, said: &str) -> String {
        let room = usize::from(self.width).saturating_sub(id.chars().count() + said.chars().count() + 4);
        let between = if room > 0 { "  " } else { "\n    " };
        format!("  {}{between}{}", self.paint(Ink::Bold, id), self.paint(Ink::Dim, said))
    }

    /// A table without lines and headings.
    pub(crate) fn plain_table(&self) -> Table {
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(self.width);
        if self.colour {
            table.enforce_styling()
        } else {
            table.force_no_tty()
        };
        table
    }

    /// `text` wrapped to the screen, each line set in by `indent`; at most `lines` lines.
    pub(crate) fn wrapped(&self, text: &str, indent: usize, lines: usize) -> String {
        let mut table = self.plain_table();
        table.force_no_tty().add_row([clean(text, true)]);
        let width = self.width.saturating_sub(indent as u16);
        table.set_constraints([ColumnConstraint::UpperBoundary(Width::Fixed(width))]);
        let margin = " ".repeat(indent);
        let all: Vec<String> = table.trim_fmt().lines().map(|line| format!("{margin}{}", line.trim())).collect();
        let mut shown = all.iter().take(lines).cloned().collect::<Vec<_>>().join("\n");
        if all.len() > lines {
            shown.push_str(" …");
        }
        shown
    }

    /// `text` in a colour, where there are colours.
    pub(crate) fn paint(&self, ink: Ink, text: &str) -> String {
        if self.colour { format!("\x1b[{}m{text}\x1b[0m", ink.code()) } else { text.to_owned() }
    }

    /// `text` in a colour for stderr, where that has colours.
    pub(crate) fn paint_error(&self, ink: Ink, text: &str) -> String {
        Self { colour: coloured(io::stderr().is_terminal()), ..*self }.paint(ink, text)
    }

    /// A tier's name in its colour.
    pub(crate) fn tier(&self, tier: Tier) -> String {
        self.paint(Ink::Tier(tier), tier.as_str())
    }
}

/// What text is painted with.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ink {
    /// Headings.
    Bold,
    /// What matters less.
    Dim,
    /// What is wrong.
    Red,
    /// What needs attention.
    Yellow,
    /// What went well.
    Green,
    /// A tier: from pink for hot to the colour of ice, and none that means anything else.
    Tier(Tier),
}

impl Ink {
    fn code(self) -> u8 {
        match self {
            Self::Bold => 1,
            Self::Dim => 2,
            Self::Red => 31,
            Self::Green => 32,
            Self::Yellow => 33,
            Self::Tier(Tier::Hot) => 95,
            Self::Tier(Tier::Warm) => 35,
            Self::Tier(Tier::Cold) => 34,
            Self::Tier(Tier::Frozen) => 36,
        }
    }
}

/// Colours are for terminals, and not for those who ask for none.
fn coloured(terminal: bool) -> bool {
    terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// A table cell with a tier's name in its colour.
pub(crate) fn tier_cell(tier: Tier) -> Cell {
    let colour = match tier {
        Tier::Hot => Color::Magenta,
        Tier::Warm => Color::DarkMagenta,
        Tier::Cold => Color::DarkBlue,
        Tier::Frozen => Color::DarkCyan,
    };
    Cell::new(tier.as_str()).fg(colour)
}

/// A core type as JSON, its times as RFC 3339, its tiers those of now.
pub(crate) fn json(value: &impl Serialize) -> Value {
    let mut value = serde_json::to_value(value).unwrap_or_default();
    times_in_words(&mut value);
    present_tiers(&mut value);
    value
}

/// A record holds the tier that maintenance last saw. Where a memory is shown, that of now stands beside it: two that
/// differ would be a riddle, so only that one is shown. Its vector is not.
fn present_tiers(value: &mut Value) {
    match value {
        Value::Array(entries) => entries.iter_mut().for_each(present_tiers),
        Value::Object(fields) => {
            let now = fields.get("tier").cloned();
            if let Some(Value::Object(memory)) = fields.get_mut("memory") {
                match now {
                    Some(now) => drop(memory.insert("tier".to_owned(), now)),
                    None => drop(memory.remove("tier")),
                }
                // Hundreds of numbers that nobody reads; an export has them.
                memory.remove("embedding");
            }
            for (_, field) in fields.iter_mut().filter(|(name, _)| !matches!(name.as_str(), "memory" | "metadata")) {
                present_tiers(field);
            }
        }
        _ => {}
    }
}

/// Turns times into RFC 3339, but leaves the caller's own metadata alone.
fn times_in_words(value: &mut Value) {
    match value {
        Value::Array(entries) => entries.iter_mut().for_each(times_in_words),
        Value::Object(fields) => {
            let dated = ["state", "fade", "removed", "operation"].iter().any(|name| fields.contains_key(*name));
            for (name, field) in fields {
                let time = TIMES.contains(&name.as_str()) || (dated && name == "at");
                match field.as_i64() {
                    Some(ms) if time => *field = Value::String(instant::rfc3339(Timestamp(ms))),
                    _ if name != "metadata" => times_in_words(field),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// The outcome of a write to stdout; a reader that has gone away is no failure.
pub(crate) fn written(done: io::Result<()>) -> Result<(), Failure> {
    match done {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Unwritable { path: "stdout".to_owned(), reason: error.to_string() })
        }
        _ => Ok(()),
    }
}

/// Writes to stderr; where nobody listens, the exit code is what is left to say.
pub(crate) fn complain(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// `text` without the characters that would steer a terminal, or turn or hide what it shows; line breaks stay where
/// `breaks` says so.
pub(crate) fn clean(text: &str, breaks: bool) -> String {
    let shown = |(c, unseen): (char, bool)| match c {
        '\n' if breaks => '\n',
        c if c.is_whitespace() => ' ',
        _ if unseen => '\u{fffd}',
        c => c,
    };
    limits::shown(text.trim()).map(shown).collect()
}

/// JSON that means the same, in which nothing steers a terminal: programs read what was stored, and people see it.
fn escaped(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    for (c, unseen) in limits::shown(json) {
        // Its own line breaks are no part of any text.
        if c != '\n' && unseen {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| shown.push_str(&format!("\\u{unit:04x}")));
        } else {
            shown.push(c);
        }
    }
    shown
}

/// The first `limit` characters of `text` on one line.
pub(crate) fn excerpt(text: &str, limit: usize) -> String {
    let line = clean(text, false).split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= limit {
        return line;
    }
    let mut cut: String = line.chars().take(limit.saturating_sub(1)).collect();
    cut.truncate(cut.trim_end().len());
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use serde_json::json as object;

    use super::*;

    #[test]
    fn times_become_words_but_metadata_stays() {
        let mut value = object!({
            "state": "superseded", "at": 0, "by": "x", "created_at": 86_400_000, "metadata": { "created_at": 5, "at": 6 },
            "items": [{ "reinforced_at": -1, "at": 7 }],
        });
        times_in_words(&mut value);
        assert_eq!(value["at"], "1970-01-01T00:00:00Z");
        assert_eq!(value["created_at"], "1970-01-02T00:00:00Z");
        assert_eq!(value["metadata"], object!({ "created_at": 5, "at": 6 }));
        assert_eq!(value["items"], object!([{ "reinforced_at": "1969-12-31T23:59:59.999Z", "at": 7 }]));
    }

    #[test]
    fn a_memory_has_one_tier() {
        let mut value = object!({ "items": [
            { "memory": { "id": "a", "tier": "hot", "metadata": { "memory": { "tier": 3 } } }, "tier": "cold" },
            { "memory": { "id": "b", "tier": "hot" } },
        ]});
        present_tiers(&mut value);
        let shown = object!({ "items": [
            { "memory": { "id": "a", "tier": "cold", "metadata": { "memory": { "tier": 3 } } }, "tier": "cold" },
            { "memory": { "id": "b" } },
        ]});
        assert_eq!(value, shown);
    }

    #[test]
    fn stored_text_cannot_steer_the_terminal() {
        assert_eq!(clean("a\x1b[2J\tb\u{202e}c", false), "a\u{fffd}[2J b\u{fffd}c");
        let text = Value::from("a\u{9b}2J\u{e0041}\u{202e}é");
        let shown = escaped(&text.to_string());
        assert_eq!(shown, r#""a\u009b2J\udb40\udc41\u202eé""#);
        assert_eq!(serde_json::from_str::<Value>(&shown).unwrap(), text);
        assert_eq!(clean("a\u{9b}2J\u{e0041}\u{2028}b", true), "a\u{fffd}2J\u{fffd} b");
        assert_eq!(excerpt("one\n two   three", 9), "one two…");
    }

    #[test]
    fn no_tier_has_a_colour_that_means_something_else() {
        let tiers = Tier::ALL.map(|tier| Ink::Tier(tier).code());
        let others = [Ink::Bold, Ink::Dim, Ink::Red, Ink::Yellow, Ink::Green].map(Ink::code);
        let all: std::collections::BTreeSet<u8> = tiers.into_iter().chain(others).collect();
        assert_eq!(all.len(), tiers.len() + others.len());
    }

    #[test]
    fn room_beside_an_id_is_what_the_other_columns_leave() {
        let screen = |width| Screen { json: false, colour: false, terminal: false, width };
        assert_eq!(screen(100).beside(["a", "four"].into_iter(), 50), Some(42));
        assert_eq!(screen(80).beside(["a", "four"].into_iter(), 50), None);
        assert_eq!(screen(80).line("one two", 75), "one…");
    }

    #[test]
    fn text_is_wrapped_to_the_screen() {
        let screen = Screen { json: false, colour: false, terminal: false, width: 100 };
        let text = screen.wrapped(&"word ".repeat(100), 4, 3);
        assert_eq!(text.lines().count(), 3);
        assert!(text.lines().all(|line| line.starts_with("    word") && line.chars().count() <= 102));
        assert!(text.ends_with(" …"));
    }
}
