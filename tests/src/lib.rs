//! Tests of Ebbtrace.
