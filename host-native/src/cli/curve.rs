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
/// Points in time of a picture.
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
    let start = memory.last_accessed_at;
    let age = now.days_since(start);
    let days = (age * 2.0).max(30.0);
    let values: Vec<f64> = (0..POINTS)
        .map(|point| start.plus_days(days * point as f64 / (POINTS - 1) as f64))
        .map(|at| strength_of(memory, at, &config.fading))
        .collect();
    let here = ((age / days) * (POINTS - 1) as f64).round() as usize;
    let top = values.iter().copied().fold(0.05, f64::max);
    let mut text = String::new();
    for row in (0..ROWS).rev() {
        let label = if row == ROWS - 1 { format!("{top:.2}") } else { String::new() };
        let line: String = values.iter().map(|value| bar_in_row(value / top, row)).collect();
        let (before, after) = split(&line, here + 1);
        text.push_str(&format!("{label:>6} ┤{before}{}\n", screen.paint(Ink::Dim, after)));
    }
    text.push_str(&format!("{:>6} └{}\n", "0", "─".repeat(POINTS)));
    text.push_str(&format!("{}▲\n", " ".repeat(MARGIN + here)));
    let strength = strength_of(memory, now, &config.fading);
    let label = format!("now, {} after its last use: strength {strength:.3}", instant::span(age));
    let indent = (MARGIN + here).min(96usize.saturating_sub(label.chars().count()));
    text.push_str(&format!("{}{label}\n", " ".repeat(indent)));
    text
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
    fn a_bar_is_cut_into_rows() {
        let column = |share| (0..ROWS).map(|row| bar_in_row(share, row)).collect::<String>();
        assert_eq!(column(1.0), "██████");
        assert_eq!(column(0.5), "███   ");
        assert_eq!(column(0.001), "▁     ");
        assert_eq!(column(0.0), "      ");
    }
}
