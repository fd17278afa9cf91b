//! The MCP server as its clients meet it: raw lines of JSON to the built program, and to the same server over pipes
//! where a test needs a store of its own making.

#![allow(clippy::unwrap_used, reason = "a test that can't go on fails")]

mod mcp {
    pub(crate) mod client;
    pub(crate) mod database;
    pub(crate) mod faded;
    pub(crate) mod stores;
    #[path = "../cli/told.rs"]
    pub(crate) mod told;

    mod approval;
    mod approval_strict;
    mod approval_words;
    mod arguments;
    mod bounds;
    mod calls;
    mod canary;
    mod client_name;
    mod endings;
    mod frames;
    mod listing;
    mod merges;
    mod openings;
    mod safety;
    mod same;
    mod secrets;
    mod sharing;
    mod state;
    mod upkeep;
}
