//! What Ebbtrace is measured and tested with, apart from each crate's own tests.

pub mod conformance;
pub mod generate;
pub mod gold;
pub mod locomo;
pub mod purity;
