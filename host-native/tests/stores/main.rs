//! Every store: one suite over all of them, the laws through a service, and what SQLite does with files.

mod samples;
mod suite;
