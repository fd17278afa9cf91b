//! Numbers of things in words: one place for the singular and the plural.

/// `1 memory`, `2 memories`, `0 memories`.
///
/// # Example
/// ```
/// use ebbtrace_core::count;
/// assert_eq!(count::of(1, "entry", "entries"), "1 entry");
/// assert_eq!(count::of(0, "link", "links"), "0 links");
/// ```
#[must_use]
pub fn of(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
