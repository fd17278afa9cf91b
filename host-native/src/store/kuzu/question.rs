//! Which statements ask. A transaction that only reads keeps the database as it is, and not the disk: `COPY ... TO` and
//! `EXPORT` write files, and others end the transaction, or reach other databases.

/// What a question begins with.
const ASKS: [&str; 6] = ["MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN", "CALL"];

/// Whether the statement asks, by its first word.
///
/// # Errors
/// That it does not, with what is allowed.
pub(super) fn check(cypher: &str) -> Result<(), String> {
    let first: String = uncommented(cypher).chars().take_while(char::is_ascii_alphabetic).collect();
    if ASKS.contains(&first.to_uppercase().as_str()) {
        return Ok(());
    }
    let first = if first.is_empty() { "something else".to_owned() } else { first };
    Err(format!("it begins with {first}; a question begins with {}", ASKS.join(", ")))
}

/// The text from its first word on.
fn uncommented(cypher: &str) -> &str {
    let mut rest = cypher.trim_start();
    loop {
        let after = if rest.starts_with("//") {
            rest.find('\n').map(|end| &rest[end..])
        } else if rest.starts_with("/*") {
            rest.find("*/").map(|end| &rest[end + 2..])
        } else {
            return rest;
        };
        rest = after.unwrap_or_default().trim_start();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_told_from_the_rest() {
        for asks in
            ["MATCH (m) RETURN m", "  match (m) return m", "// a\n/* b */ RETURN 1", "CALL show_tables() RETURN *"]
        {
            assert_eq!(check(asks), Ok(()), "{asks}");
        }
        for other in
            ["", "COPY (MATCH (m) RETURN m) TO 'x'", "/* MATCH */ EXPORT DATABASE 'x'", "COMMIT", "PROFILE COPY", "/*"]
        {
            assert!(check(other).is_err(), "{other}");
        }
    }
}
