//! When two texts are one text: up to white space, the end of the sentence and the case of its first letter.

/// Whether nothing is lost where one of the two texts is kept and the other is not.
#[must_use]
pub fn is_one_text(a: &str, b: &str) -> bool {
    a == b || form(a) == form(b)
}

/// A text in the form that [`is_one_text`] compares.
fn form(text: &str) -> String {
    let ends = |c: char| c.is_whitespace() || ".!。！".contains(c);
    let text = text.trim_end_matches(ends);
    if text.trim_start().contains('\n') {
        // Where lines end and how far they are indented is a part of code and of lists.
        return text.trim_start_matches(['\n', '\r']).lines().flat_map(|line| [line.trim_end(), "\n"]).collect();
    }
    let mut words = text.split_whitespace();
    let mut form = String::with_capacity(text.len());
    let first = words.next().unwrap_or_default();
    let mut chars = first.chars();
    match chars.next() {
        // `Hunter2` and `app.Conf` are no words that a sentence gave a capital letter.
        Some(letter) if is_sentence_case(first) => {
            form.extend(letter.to_lowercase());
            form.push_str(chars.as_str());
        }
        _ => form.push_str(first),
    }
    for word in words {
        form.push(' ');
        form.push_str(word);
    }
    form
}

/// Whether a word has the capital letter that a sentence starts with, and no other mark of a name or a code.
fn is_sentence_case(word: &str) -> bool {
    let word = word.trim_end_matches([',', ':', ';']);
    let mut chars = word.chars();
    chars.next().is_some_and(char::is_uppercase) && chars.all(|c| c.is_lowercase() || c == '\'' || c == '\u{2019}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_form_is_passed_over() {
        for (a, b) in [
            ("The door is open", "the door is open."),
            ("  The  door\tis open!", "The door is open"),
            ("if a:\n    b()\n", "if a:\n    b()  "),
            ("门开着", "门开着。"),
            ("I agree", "i agree."),
        ] {
            assert!(is_one_text(a, b), "{a} / {b}");
        }
        for (a, b) in [
            ("The door is open", "The door is open?"),
            ("Hunter2 opens the door", "hunter2 opens the door"),
            ("Ask Ann", "Ask ann"),
            ("door 1234, safe 5678", "door 5678, safe 1234"),
            ("The door is open", "The open door is"),
            ("fooBar is set", "FooBar is set"),
            ("if a:\n    b()\n    c()", "if a:\n    b()\nc()"),
            ("The door\nis open", "The door is open"),
        ] {
            assert!(!is_one_text(a, b), "{a} / {b}");
        }
    }
}
