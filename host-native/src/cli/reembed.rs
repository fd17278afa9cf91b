//! `reembed`: every memory gets the vector of the embedder in use.

use indicatif::{ProgressBar, ProgressStyle};

use super::{Call, failure::Failure, screen::count};
use crate::service::ReembedReport;

/// `reembed`
pub(super) fn run(call: &Call) -> Result<(), Failure> {
    // Drawn on stderr, and only where that is a terminal.
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template("{msg} {bar:40} {pos} of {len}, {eta} left") {
        bar.set_style(style);
    }
    let report = call.service.reembed(call.scope(), |progress| {
        if progress.all > 0 {
            bar.set_message("embedding");
            bar.set_length(progress.all as u64);
            bar.set_position(progress.done as u64);
        }
    });
    if bar.length().is_some_and(|all| all > 0) {
        bar.finish_and_clear();
    }
    let report = report?;
    call.screen.answer(&report, || text(&report))
}

fn text(report: &ReembedReport) -> String {
    let ReembedReport { model, dimension, unchanged, changed, left_out, .. } = report;
    let changed = count(*changed, "memory", "memories");
    let mut text = match model {
        Some(model) => {
            format!("Embedded {changed} with {model} ({dimension} dimensions); {unchanged} had that already.")
        }
        None if report.changed == 0 => "Nothing to do: this embedder needs no vectors stored, and none are.".to_owned(),
        None => format!("Dropped the vectors of {changed}: this embedder needs none stored."),
    };
    if !left_out.is_empty() {
        let edited = count(left_out.len(), "memory was", "memories were");
        text.push_str(&format!("\n{edited} edited meanwhile; call again for them:"));
        left_out.iter().for_each(|id| text.push_str(&format!("\n  {id}")));
    }
    text
}
