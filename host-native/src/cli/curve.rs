//! The forgetting curve, drawn in characters.

use ebbtrace_core::{Config, Memory, Timestamp, score::strength_of};

use super::{
    instant,
    screen::{Ink, Screen},
};

/// Heights of a bar, from nothing to full.
const BARS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Rows of a picture.
const ROWS: usize = 6;
/// Points in time of a picture, where the screen is wide enough.
const POINTS: usize = 60;
/// Columns of the axis at a picture's left.
const MARGIN: usize = 8;

/// A value from 0 to 1 as a bar; the least that is more than nothing shows.
pub(super) fn bar(value: f64) -> char {
    let height = if value > 0.0 { (value * 8.0).round().clamp(1.0, 8.0) } else { 0.0 };
    BARS[height as usize]
}

/// How a memory's strength fades from its last use to twice as long as until `now`, and where on that way it is.
pub(super) fn picture(screen: &Screen, memory: &Memory, now: Timestamp) -> String {
    let config = Config::default();
    let points = screen.room(MARGIN).min(POINTS);
    let start = memory.last_accessed_at;
    let age = now.days_since(start);
    let days = (age * 2.0).max(30.0);
    let values: Vec<f64> = (0..points)
        .map(|point| start.plus_days(days * point as f64 / (points - 1) as f64))
        .map(|at| strength_of(memory, at, &config.fading))
        .collect();
    let here = ((age / days) * (points - 1) as f64).round() as usize;
    let top = values.iter().copied().fold(0.05, f64::max);
    let mut text = String::new();
    for row in (0..ROWS).rev() {
        let label = if row == ROWS - 1 { format!("{top:.2}") } else { String::new() };
        let line: String = values.iter().map(|value| bar_in_row(value / top, row)).collect();
        let (before, after) = split(&line, here + 1);
        text.push_str(&format!("{label:>6} ┤{before}{}\n", screen.paint(Ink::Dim, after)));
    }
    text.push_str(&format!("{:>6} └{}\n", "0", axis(points, here)));
    text.push_str(&format!("{}{}\n", " ".repeat(MARGIN), dates(start, days, points)));
    let strength = strength_of(memory, now, &config.fading);
    let since = if age * 1_440.0 < 1.0 {
        "at its last use".to_owned()
    } else {
        format!("{} after its last use", instant::span(age))
    };
    let label = format!("▲ now, {since}: strength {strength:.3}");
    let indent = (MARGIN + here).min(screen.room(label.chars().count()));
    text.push_str(&format!("{}{label}\n", " ".repeat(indent)));
    text
}

/// The axis of time: a tick over each date of [`dates`], and one where now is.
fn axis(points: usize, here: usize) -> String {
    let ticks = [0, points / 2, points - 1];
    let mark = |at: usize| match at {
        at if at == here => '▲',
        at if ticks.contains(&at) => '┴',
        _ => '─',
    };
    (0..points).map(mark).collect()
}

/// The dates at the beginning, in the middle and at the end of the axis: the last use, and so many days later.
fn dates(start: Timestamp, days: f64, points: usize) -> String {
    let at = |share: f64| instant::day(start.plus_days(days * share));
    let (first, middle, last) = (at(0.0), at(0.5), at(1.0));
    let middle_at = points / 2 - middle.len() / 2;
    let gap = " ".repeat(middle_at.saturating_sub(first.len()));
    let rest = points.saturating_sub(first.len() + gap.len() + middle.len() + last.len());
    format!("{first}{gap}{middle}{}{last}", " ".repeat(rest))
}

/// The part of a bar, `share` of the picture's height, that lies in `row`, counted from below.
fn bar_in_row(share: f64, row: usize) -> char {
    let eighths = share * (ROWS * 8) as f64 - (row * 8) as f64;
    if row > 0 && eighths < 0.5 { ' ' } else { bar(eighths.max(0.0) / 8.0) }
}

fn split(line: &str, at: usize) -> (&str, &str) {
    line.split_at(line.char_indices().nth(at).map_or(line.len(), |(index, _)| index))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_have_nine_heights() {
        assert_eq!([0.0, 0.01, 0.25, 0.5, 1.0, 2.0].map(bar), [' ', '▁', '▂', '▄', '█', '█']);
    }

    #[test]
    fn the_axis_of_time_has_its_dates_under_its_ticks() {
        // 2026-07-14 and 60 days later, over 41 columns.
        let start = Timestamp(1_783_987_200_000);
        assert_eq!(axis(41, 5), "┴────▲──────────────┴───────────────────┴");
        assert_eq!(dates(start, 60.0, 41), "2026-07-14     2026-08-13      2026-09-12");
    }

    #[test]
    fn a_bar_is_cut_into_rows() {
        let column = |share| (0..ROWS).map(|row| bar_in_row(share, row)).collect::<String>();
        assert_eq!(column(1.0), "██████");
        assert_eq!(column(0.5), "███   ");
        assert_eq!(column(0.001), "▁     ");
        assert_eq!(column(0.0), "      ");
    }
}
