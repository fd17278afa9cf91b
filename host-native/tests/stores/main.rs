//! Every store: one suite over all of them, the laws through a service, and what SQLite does with files.

mod files;
mod laws;
mod purge;
mod samples;
mod suite;
