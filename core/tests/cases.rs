//! The field cases that the core alone decides, each under its number. The expected values are worked out by hand.

#![allow(clippy::unwrap_used, reason = "a test that can't go on fails")]

#[path = "cases/control.rs"]
mod control;
#[path = "cases/decisions.rs"]
mod decisions;
#[path = "cases/echo.rs"]
mod echo;
#[path = "cases/forms.rs"]
mod forms;
#[path = "cases/purge.rs"]
mod purge;
#[path = "cases/ranking.rs"]
mod ranking;
#[path = "cases/recall.rs"]
mod recall;
#[path = "cases/reembed.rs"]
mod reembed;
#[path = "cases/resolution.rs"]
mod resolution;
#[path = "cases/state.rs"]
mod state;
#[path = "cases/support.rs"]
mod support;
#[path = "cases/time.rs"]
mod time;
#[path = "cases/undo.rs"]
mod undo;
#[path = "cases/writing.rs"]
mod writing;
