//! The built binary, from the outside: every verb, for people and for programs.

#[path = "cli/canary.rs"]
mod canary;
#[path = "cli/support.rs"]
mod support;

#[path = "cli/control.rs"]
mod control;
#[path = "cli/demo.rs"]
mod demo;
#[path = "cli/errors.rs"]
mod errors;
#[cfg(unix)]
#[path = "cli/fence.rs"]
mod fence;
#[cfg(target_os = "linux")]
#[path = "cli/full_disk.rs"]
mod full_disk;
#[path = "cli/hooks.rs"]
mod hooks;
#[path = "cli/markdown.rs"]
mod markdown;
#[path = "cli/matching.rs"]
mod matching;
#[path = "cli/recall.rs"]
mod recall;
#[path = "cli/review.rs"]
mod review;
#[path = "cli/round_trip.rs"]
mod round_trip;
#[path = "cli/safety.rs"]
mod safety;
#[path = "cli/secrets.rs"]
mod secrets;
#[path = "cli/setup.rs"]
mod setup;
#[cfg(unix)]
#[path = "cli/setup_again.rs"]
mod setup_again;
#[path = "cli/state.rs"]
mod state;
#[path = "cli/stores.rs"]
mod stores;
#[path = "cli/time.rs"]
mod time;
#[path = "cli/told.rs"]
mod told;
#[path = "cli/verbs.rs"]
mod verbs;
#[path = "cli/wording.rs"]
mod wording;
