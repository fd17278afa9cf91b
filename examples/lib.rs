//! Small programs on Ebbtrace. Run one with `cargo run -p ebbtrace-examples --example remember`.
