//! A text as its owner's editor left it: a mark at its begin, line breaks of one kind or another. An edit works without
//! them and changes none that it did not make.

/// What editors on Windows begin a text with.
const MARK: &str = "\u{feff}";

/// A text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Text {
    marked: bool,
    /// Without the mark.
    pub(super) body: String,
}

impl Text {
    pub(super) fn new(text: &str) -> Self {
        match text.strip_prefix(MARK) {
            Some(body) => Self { marked: true, body: body.to_owned() },
            None => Self { marked: false, body: text.to_owned() },
        }
    }

    /// With another body.
    pub(super) fn with(self, body: String) -> Self {
        Self { body, ..self }
    }

    pub(super) fn whole(&self) -> String {
        format!("{}{}", if self.marked { MARK } else { "" }, self.body)
    }
}

/// `after`, an edit of `before` that has lost which lines end in which break: lines that were not touched get back what
/// they had, and new ones the kind that most have.
pub(super) fn with_breaks(before: &str, after: &str) -> String {
    let (breaks, all) = (before.matches("\r\n").count(), before.matches('\n').count());
    let new_break = if breaks * 2 > all { "\r\n" } else { "\n" };
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    let bare = |line: &'_ str| line.trim_end_matches(['\r', '\n']).to_owned();
    let alike = |pair: &(&&str, &&str)| bare(pair.0) == bare(pair.1);
    let begin = old.iter().zip(&new).take_while(alike).count();
    let end = old[begin..].iter().rev().zip(new[begin..].iter().rev()).take_while(alike).count();
    let mut text = String::new();
    for (place, line) in new.iter().enumerate() {
        let kept = if place < begin {
            Some(old[place])
        } else if place >= new.len() - end {
            Some(old[old.len() - (new.len() - place)])
        } else {
            None
        };
        match kept {
            // The last line of a file may have had none, and has others after it now.
            Some(kept) if kept.ends_with('\n') == line.ends_with('\n') => text.push_str(kept),
            _ => {
                text.push_str(&bare(line));
                text.push_str(if line.ends_with('\n') { new_break } else { "" });
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_breaks_and_new_ones_take_the_usual() {
        assert_eq!(with_breaks("a\r\nb\r\n", "a\nx\nb\n"), "a\r\nx\r\nb\r\n");
        assert_eq!(with_breaks("a\r\nb", "a\nb\n\nc\n"), "a\r\nb\r\n\r\nc\r\n");
        assert_eq!(with_breaks("a\nb\r\nc\n", "a\nb\nd\nc\n"), "a\nb\r\nd\nc\n");
        assert_eq!(with_breaks("a\na\r\n", "a\na\na\n"), "a\na\r\na\n");
        assert_eq!(with_breaks("", "a\n"), "a\n");
        assert_eq!(with_breaks("a\r\n", "a\r\n"), "a\r\n");
    }

    #[test]
    fn a_mark_is_kept_and_not_edited() {
        let text = Text::new("\u{feff}{}");
        assert_eq!((text.body.as_str(), text.whole().as_str()), ("{}", "\u{feff}{}"));
        assert_eq!(text.with("[]".to_owned()).whole(), "\u{feff}[]");
        assert_eq!(Text::new("{}").whole(), "{}");
    }
}
