//! A word without its inflection: what `deploys`, `deployed` and `deploying` have in common. A stemmer for search goes
//! on to what words have in common by descent, and makes one of `police` and `policy`, `university` and `universe`; for
//! two facts to be one, a word must be the other's plural or tense and no more. (Step 1 and the last step of Porter's
//! second English stemmer, with whole words for what it does to `es`, `ied` and short verbs.)

use std::borrow::Cow;

use crate::{resolve::lexicon::Lexicon, terms::stem};

/// What the inflections of a word (lower case) have in common. Words of other scripts are stemmed by theirs, those with
/// digits or marks stay as they are.
pub(super) fn base(word: &str) -> Cow<'_, str> {
    if !word.starts_with(|c: char| c.is_ascii_lowercase()) {
        return stem(word);
    }
    if word.len() < 3 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        // The parts of a compound have no tense, but the whole may have a number: `stand-ups`.
        return match word.rsplit_once('-') {
            Some((before, last)) if last.bytes().all(|byte| byte.is_ascii_lowercase()) && last.len() > 2 => {
                format!("{before}-{}", base(last)).into()
            }
            _ => Cow::Borrowed(word),
        };
    }
    if Lexicon::is_whole(word) {
        return Cow::Borrowed(word);
    }
    let single = number(word);
    if single.end.is_empty() && Lexicon::is_whole(single.rest) {
        return Cow::Borrowed(single.rest);
    }
    ended(tense(single))
}

/// Whether two words with one base are two words all the same: no inflection adds an `e` and no more, as `suite` does to
/// `suit` and `Clarke` to `Clark`.
pub(super) fn is_another(a: &str, b: &str) -> bool {
    a.strip_suffix('e') == Some(b) || b.strip_suffix('e') == Some(a)
}

/// A word that may have got a letter.
struct Part<'w> {
    rest: &'w str,
    end: &'static str,
}

/// The plural and the third person.
fn number(word: &str) -> Part<'_> {
    let plain = |rest| Part { rest, end: "" };
    if word.ends_with("sses") {
        return plain(&word[..word.len() - 2]);
    }
    if let Some(rest) = word.strip_suffix("ies") {
        return Part { rest, end: if rest.len() > 1 { "y" } else { "ie" } };
    }
    if word.ends_with("oes") && (word.len() > 5 || matches!(word, "goes" | "does")) {
        return plain(&word[..word.len() - 2]);
    }
    if word.ends_with("us") || word.ends_with("ss") || word.ends_with("is") {
        return plain(word);
    }
    match word.strip_suffix('s') {
        // `gas`, `this` and `pls` are whole; `gaps` and `kiwis` have a vowel further in.
        Some(rest) if rest[..rest.len() - 1].contains(is_vowel) => plain(rest),
        _ => plain(word),
    }
}

/// The past and the `ing` form.
fn tense(part: Part<'_>) -> Part<'_> {
    let word = part.rest;
    if !part.end.is_empty() {
        return part;
    }
    if word.ends_with("eed") {
        // `agreed`, but not `speed`.
        let past = regions(word).0 <= word.len() - 3;
        return Part { rest: if past { &word[..word.len() - 1] } else { word }, end: "" };
    }
    if let Some(rest) = word.strip_suffix("ied") {
        return Part { rest, end: if rest.len() > 1 { "y" } else { "ie" } };
    }
    if let Some(rest) = word.strip_suffix("ying").filter(|rest| rest.len() == 1) {
        return Part { rest, end: "ie" };
    }
    let Some(rest) = ["ed", "ing"].iter().find_map(|end| word.strip_suffix(end)).filter(|rest| has_vowel(rest)) else {
        return part;
    };
    let bytes = rest.as_bytes();
    let double = bytes.len() > 3 && bytes[bytes.len() - 1] == bytes[bytes.len() - 2];
    if ["at", "bl", "iz"].iter().any(|end| rest.ends_with(end)) || bytes.len() > 1 && is_short(rest) {
        return Part { rest, end: "e" };
    }
    if double && b"bdfgmnprt".contains(&bytes[bytes.len() - 1]) {
        return Part { rest: &rest[..rest.len() - 1], end: "" };
    }
    Part { rest, end: "" }
}

/// The `e` that some forms keep and others don't, the second `l` of British spelling, and `y` for `i`.
fn ended(part: Part<'_>) -> Cow<'_, str> {
    let Part { rest, end } = part;
    let whole: Cow<'_, str> = if end.is_empty() { Cow::Borrowed(rest) } else { format!("{rest}{end}").into() };
    let (first, second) = regions(&whole);
    let cut = match whole.strip_suffix('e') {
        Some(left) => !left.ends_with('e') && (whole.len() > second || whole.len() > first && !ends_short(left)),
        None => whole.ends_with("ll") && whole.len() > second,
    };
    let keep = whole.len() - usize::from(cut);
    match whole {
        Cow::Borrowed(whole) => Cow::Borrowed(&whole[..keep]),
        Cow::Owned(mut whole) => {
            whole.truncate(keep);
            Cow::Owned(whole)
        }
    }
}

/// Where Porter's regions R1 and R2 start: behind the first consonant that follows a vowel, and again.
fn regions(word: &str) -> (usize, usize) {
    let after = |from: usize| {
        let bytes = word.as_bytes();
        (from + 1..bytes.len())
            .find(|&at| is_vowel(char::from(bytes[at - 1])) && !is_vowel(char::from(bytes[at])))
            .map_or(bytes.len(), |at| at + 1)
    };
    let first = after(0);
    (first, after(first))
}

/// Whether a word is one short syllable, so that an `e` was lost: `hop` of `hoping`.
fn is_short(word: &str) -> bool {
    ends_short(word) && regions(word).0 >= word.len()
}

fn ends_short(word: &str) -> bool {
    let bytes = word.as_bytes();
    let vowel = |back: usize| bytes.len().checked_sub(back).is_some_and(|at| is_vowel(char::from(bytes[at])));
    match bytes.len() {
        0 | 1 => false,
        2 => vowel(2) && !vowel(1),
        _ => !vowel(3) && vowel(2) && !vowel(1) && !b"wx".contains(&bytes[bytes.len() - 1]),
    }
}

fn has_vowel(text: &str) -> bool {
    text.contains(is_vowel)
}

fn is_vowel(c: char) -> bool {
    "aeiouy".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether two words count as one where nothing but the words is known.
    fn one(a: &str, b: &str) -> bool {
        base(a) == base(b) && !is_another(a, b) || Lexicon::english().synonymous(&base(a), &base(b))
    }

    #[test]
    fn forms_of_one_word_are_one() {
        let two: Vec<String> = [
            ("deploy", "deploys"),
            ("deploy", "deployed"),
            ("deploys", "deploying"),
            ("policy", "policies"),
            ("study", "studied"),
            ("box", "boxes"),
            ("class", "classes"),
            ("watch", "watches"),
            ("go", "goes"),
            ("hero", "heroes"),
            ("stop", "stopped"),
            ("stop", "stopping"),
            ("hope", "hoping"),
            ("hope", "hoped"),
            ("hop", "hopping"),
            ("add", "adding"),
            ("use", "used"),
            ("use", "uses"),
            ("make", "making"),
            ("decide", "decided"),
            ("decides", "deciding"),
            ("create", "created"),
            ("enable", "enabling"),
            ("organize", "organized"),
            ("cancel", "cancelled"),
            ("travel", "travelling"),
            ("install", "installed"),
            ("schedule", "schedules"),
            ("release", "releasing"),
            ("store", "storing"),
            ("agree", "agreed"),
            ("die", "dying"),
            ("lie", "lies"),
            ("key", "keys"),
            ("process", "processes"),
            ("service", "services"),
            ("database", "databases"),
            ("university", "universities"),
            ("child", "children"),
            ("write", "written"),
            ("run", "ran"),
            ("analysis", "analyses"),
            ("index", "indices"),
            ("embed", "embedding"),
            ("bus", "buses"),
            ("stand-up", "stand-ups"),
            ("suite", "suites"),
            ("evening", "evenings"),
        ]
        .into_iter()
        .filter(|(a, b)| !one(a, b))
        .map(|(a, b)| format!("{a} ({}) and {b} ({})", base(a), base(b)))
        .collect();
        assert!(two.is_empty(), "taken for two words: {two:?}");
    }

    #[test]
    fn words_that_look_alike_are_two() {
        let one_word: Vec<String> = [
            ("police", "policy"),
            ("universe", "university"),
            ("organ", "organization"),
            ("general", "generate"),
            ("generation", "generator"),
            ("new", "news"),
            ("market", "marketing"),
            ("import", "important"),
            ("import", "importance"),
            ("intern", "internal"),
            ("intern", "international"),
            ("depart", "department"),
            ("apart", "apartment"),
            ("compart", "compartment"),
            ("state", "station"),
            ("port", "portion"),
            ("miss", "mission"),
            ("pass", "passion"),
            ("sect", "section"),
            ("nation", "native"),
            ("opera", "operation"),
            ("operate", "operator"),
            ("author", "authority"),
            ("secret", "secretary"),
            ("custom", "customer"),
            ("customs", "custom"),
            ("comment", "commentary"),
            ("relative", "relation"),
            ("number", "numerous"),
            ("animal", "animate"),
            ("arm", "army"),
            ("arms", "arm"),
            ("commune", "communism"),
            ("experience", "experiment"),
            ("logic", "logistics"),
            ("physics", "physician"),
            ("moral", "morale"),
            ("human", "humane"),
            ("past", "paste"),
            ("plan", "plane"),
            ("planed", "planned"),
            ("hop", "hope"),
            ("probe", "probable"),
            ("execute", "executive"),
            ("account", "accounting"),
            ("good", "goods"),
            ("glass", "glasses"),
            ("even", "evening"),
            ("build", "builder"),
            ("cast", "castle"),
            ("suit", "suite"),
            ("suits", "suites"),
            ("clark", "clarke"),
            ("quit", "quite"),
            ("unit", "unite"),
            ("units", "united"),
            ("income", "incoming"),
            ("interest", "interesting"),
            ("even", "evenings"),
            ("tire", "tired"),
        ]
        .into_iter()
        .filter(|(a, b)| one(a, b))
        .map(|(a, b)| format!("{a} ({}) and {b} ({})", base(a), base(b)))
        .collect();
        assert!(one_word.is_empty(), "taken for one word: {one_word:?}");
    }
}
