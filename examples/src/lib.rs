//! Examples of Ebbtrace.
