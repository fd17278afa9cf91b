//! An answer in its two forms, and how it is kept within its bounds.

use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;
use serde_json::Value;

use super::{refusal::Refusal, text};

/// An answer, once as text and once as structured content: each says everything.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Answer {
    pub(super) text: String,
    pub(super) structured: Value,
}

/// What can be said in both forms.
pub(super) trait Speak: Serialize {
    /// The answer as a model reads it.
    fn text(&self) -> String;

    /// The answer in both forms.
    fn answer(&self) -> Result<Answer, Refusal> {
        let structured = serde_json::to_value(self).map_err(|_| Refusal::internal())?;
        // Names too are stored text: an id can hold what no answer is to say.
        Ok(Answer { text: text::visible_lines(&self.text()), structured })
    }
}

impl Answer {
    /// Whether each form has at most so many characters.
    pub(super) fn fits(&self, characters: usize) -> bool {
        let within = |text: &str| text.len() <= characters || text.chars().count() <= characters;
        within(&self.text) && within(&self.structured.to_string())
    }
}

impl From<Result<Answer, Refusal>> for Answered {
    fn from(outcome: Result<Answer, Refusal>) -> Self {
        let (text, structured, failed) = match outcome {
            Ok(Answer { text, structured }) => (text, structured, false),
            Err(refusal) => {
                let refusal = refusal.without_secrets();
                (refusal.text(), refusal.structured(), true)
            }
        };
        let content = vec![ContentBlock::text(text)];
        let mut result = if failed { CallToolResult::error(content) } else { CallToolResult::success(content) };
        result.structured_content = Some(structured);
        Self(result)
    }
}

/// An answer as the protocol carries it.
pub(super) struct Answered(pub(super) CallToolResult);

/// The least of a memory's content that an answer shows, in characters, before it shows fewer memories instead.
pub(super) const LEAST_SHOWN: usize = 160;

/// The answer that shows the most: `of` entries, or as many of the first as fit with [`LEAST_SHOWN`] characters of
/// content each, and then as much of each content as fits. Returns how many entries it shows.
pub(super) fn most(
    of: usize,
    characters: usize,
    say: impl Fn(usize, usize) -> Result<Answer, Refusal>,
) -> Result<(usize, Answer), Refusal> {
    let fitting = |entries: usize, shown: usize| -> Result<Option<Answer>, Refusal> {
        Ok(Some(say(entries, shown)?).filter(|answer| answer.fits(characters)))
    };
    // One entry is shown even where it does not fit: every part of an entry but its content is short.
    let entries = if of < 2 || fitting(of, LEAST_SHOWN)?.is_some() {
        of
    } else {
        last(1, of, |entries| Ok(fitting(entries, LEAST_SHOWN)?.is_some()))?
    };
    if let Some(answer) = fitting(entries, characters)? {
        return Ok((entries, answer));
    }
    let shown = last(LEAST_SHOWN, characters, |shown| Ok(fitting(entries, shown)?.is_some()))?;
    Ok((entries, say(entries, shown)?))
}

/// The last number from `low`, which is taken to do, up to but without `high`, for which `does` holds.
fn last(mut low: usize, mut high: usize, does: impl Fn(usize) -> Result<bool, Refusal>) -> Result<usize, Refusal> {
    while high.saturating_sub(low) > 1 {
        let middle = low + (high - low) / 2;
        if does(middle)? {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(contents: &[&str]) -> impl Fn(usize, usize) -> Result<Answer, Refusal> {
        move |entries, shown| {
            let cut = contents[..entries].iter().map(|content| content.chars().take(shown).collect::<String>());
            let structured: Vec<String> = cut.collect();
            Ok(Answer { text: structured.concat(), structured: structured.into() })
        }
    }

    #[test]
    fn what_fits_is_shown_whole() {
        let (entries, answer) = most(2, 100, say(&["one", "two"])).unwrap();
        assert_eq!((entries, answer.text.as_str()), (2, "onetwo"));
        assert_eq!(most(0, 100, say(&[])).unwrap().0, 0);
    }

    #[test]
    fn long_contents_are_cut_to_the_last_character_that_fits() {
        let long = "ü".repeat(5_000);
        let (entries, answer) = most(2, 1_000, say(&[&long, "short"])).unwrap();
        // [" + 984 + "," + short + "] are 1,000 minus the rest: 2 + n + 3 + 5 + 2.
        assert_eq!((entries, answer.structured[0].as_str().unwrap().chars().count()), (2, 988));
    }

    #[test]
    fn entries_are_left_off_before_their_content_is_cut_below_the_least() {
        let long = "x".repeat(5_000);
        let contents = vec![long.as_str(); 100];
        let (entries, answer) = most(100, 1_000, say(&contents)).unwrap();
        // Each takes at least 160 + 3 characters.
        assert_eq!(entries, 6);
        assert!(answer.fits(1_000) && !answer.fits(980), "{}", answer.structured.to_string().len());
    }
}
