//! The few memories that clearly belong to a prompt: what has its rarest words is found by looking through the texts once,
//! and ranked as recall ranks.

use std::collections::BTreeMap;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use ebbtrace_core::{Hit, Moment, RecallInput, terms};

use super::{
    Desk, OUTPUT_BYTES,
    frame::{data, heading},
    shown::Shown,
};
use crate::{mcp::text::age, store::StoreError};

/// How much of a prompt is looked at, in bytes: what it is about is said early.
const PROMPT_BYTES: usize = 2_000;
/// A prompt of more bytes than this is asked for by its rarest words: whole, it would be like no memory.
const QUESTION_BYTES: usize = 300;
/// How many words such a question has.
const QUESTION_WORDS: usize = 16;
/// How many words of a prompt are looked for.
const WORDS: usize = 64;
/// How many memories with the prompt's rarest words are ranked.
const CANDIDATES: usize = 400;
/// How many others stand beside them, so that what is common in the scope is common there too.
const OTHERS: usize = 200;
/// How many are shown.
const SHOWN: usize = 4;
/// How many characters of each.
const CHARACTERS: usize = 400;

/// How much words count of what a memory that is shown must reach; meaning counts the rest.
const WORDS_COUNT: f64 = 0.63;
/// What it must reach by words and meaning, 0..=1. Asked as prompts, 173 of the 357 questions of the
/// two gold sets for recall (432 memories) then bring their answer and 19 bring something else, as does 1 of 100 about
/// what was never stored.
const LEAST: f64 = 0.5;
/// How many memories it takes to tell which words are rare. Where there are fewer, each word of a prompt that no memory
/// has would count more than those that one has: it is counted as if so many stood there.
const FEW: usize = 30;

/// The memories that belong to the prompt, without what the session was shown.
pub(super) fn text(desk: &Desk<'_>, shown: &mut Shown) -> Result<String, StoreError> {
    let Some(prompt) = &desk.turn.input.prompt else { return Ok(String::new()) };
    let prompt = begin(prompt, PROMPT_BYTES);
    let Some(found) = find(desk, prompt)? else { return Ok(String::new()) };
    let engine = desk.engine(&found.keys, CANDIDATES / 4, desk.model())?;
    let input = RecallInput {
        scope: desk.scope_name().map(str::to_owned),
        query: if prompt.len() <= QUESTION_BYTES { prompt.to_owned() } else { found.words.join(" ") },
        k: Some(SHOWN as i64 * 2),
        peek: true,
        ..RecallInput::default()
    };
    let Ok(staged) = engine.stage_recall(&input, Moment { now: desk.turn.now, entropy: 0 }) else {
        return Ok(String::new());
    };
    let shares = &engine.config().recall;
    let clear = |hit: &&Hit| {
        let (words, meaning) = (hit.score.lexical / shares.lexical, hit.score.tokens / shares.tokens);
        let words = found.share_in_few(&hit.memory.content).map_or(words, |share| share.max(words));
        words * WORDS_COUNT + meaning * (1.0 - WORDS_COUNT) >= LEAST
    };
    let clear: Vec<&Hit> = staged.outcome.hits.iter().filter(clear).collect();
    let new: Vec<&Hit> = clear.into_iter().filter(|hit| !shown.has(desk.mark(&hit.memory))).take(SHOWN).collect();
    let mut text = String::new();
    for hit in new {
        let longer = if text.is_empty() { heading("what may belong to this prompt") } else { text.clone() };
        let longer = format!("{longer}\n{}", data(&entry(hit)));
        if desk.printed(&longer) <= OUTPUT_BYTES {
            text = longer;
            shown.add(desk.mark(&hit.memory));
        }
    }
    Ok(text)
}

fn entry(hit: &Hit) -> String {
    let memory = &hit.memory;
    let content: Vec<&str> = memory.content.split_whitespace().collect();
    let content = content.join(" ");
    let mut shown: String = content.chars().take(CHARACTERS).collect();
    if content.chars().nth(CHARACTERS).is_some() {
        shown.push('…');
    }
    format!("{} ({}, {}): {shown}", memory.id, memory.kind, age(hit.age_days))
}

/// What has the words of a prompt.
struct Found {
    finder: Finder,
    /// Where there are few memories: how much each word of the prompt counts.
    in_few: Option<Vec<f64>>,
    /// Memories, those with the rarest words first, then the others.
    keys: Vec<i64>,
    /// The rarest of the words that any memory has, in the order of the prompt.
    words: Vec<String>,
}

impl Found {
    /// Where there are few memories: which share of the prompt's words a text has, 0..=1, by how much they count.
    fn share_in_few(&self, text: &str) -> Option<f64> {
        let weights = self.in_few.as_ref()?;
        let all: f64 = weights.iter().sum();
        let had: f64 = ones(self.finder.words_in(text)).map(|word| weights[word]).sum();
        Some(had / all)
    }
}

fn find(desk: &Desk<'_>, prompt: &str) -> Result<Option<Found>, StoreError> {
    let words = words(prompt);
    let Some(finder) = Finder::new(&words) else { return Ok(None) };
    let mut with: Vec<(u64, i64)> = Vec::new();
    let mut others = Others::default();
    let mut seen = 0_usize;
    desk.glance.texts(desk.scope, desk.turn.time.look(), |key, content| {
        seen += 1;
        match finder.words_in(content) {
            0 => others.see(key),
            which => with.push((which, key)),
        }
    })?;
    if with.is_empty() {
        return Ok(None);
    }
    let mut counts = vec![0_usize; words.len()];
    for (which, _) in &with {
        ones(*which).for_each(|word| counts[word] += 1);
    }
    // A word that each memory has tells nothing; one that a single memory has, most.
    let weights = |seen: usize| -> Vec<f64> {
        counts.iter().map(|&count| (1.0 + seen as f64 / (count as f64 + 1.0)).ln()).collect()
    };
    let in_few = (seen < FEW).then(|| weights(FEW));
    let weights = weights(seen);
    let weight = |which: u64| ones(which).map(|word| weights[word]).sum::<f64>();
    let mut ranked: Vec<(f64, i64)> = with.into_iter().map(|(which, key)| (weight(which), key)).collect();
    ranked.sort_unstable_by(|one, other| other.0.total_cmp(&one.0).then(other.1.cmp(&one.1)));
    ranked.truncate(CANDIDATES);
    let mut by_weight: Vec<usize> = (0..words.len()).filter(|&word| counts[word] > 0).collect();
    by_weight.sort_by(|&one, &other| weights[other].total_cmp(&weights[one]).then(one.cmp(&other)));
    by_weight.truncate(QUESTION_WORDS);
    by_weight.sort_unstable();
    Ok(Some(Found {
        finder,
        in_few,
        keys: ranked.into_iter().map(|(_, key)| key).chain(others.keys).collect(),
        words: by_weight.into_iter().map(|word| words[word].surface.to_string()).collect(),
    }))
}

/// Keys spread evenly over all that were seen.
#[derive(Default)]
struct Others {
    keys: Vec<i64>,
    seen: usize,
    /// Each so many-th is kept.
    step: usize,
}

impl Others {
    fn see(&mut self, key: i64) {
        let step = self.step.max(1);
        if self.seen.is_multiple_of(step) {
            self.keys.push(key);
        }
        self.seen += 1;
        if self.keys.len() >= OTHERS {
            let mut place = 0;
            self.keys.retain(|_| {
                place += 1;
                place % 2 == 1
            });
            self.step = step * 2;
        }
    }
}

/// A word of the prompt.
struct Word {
    /// As the prompt has it, lower case.
    surface: String,
    /// What a text has in it where it has the word in any form: nearly always, for recall looks again.
    begin: String,
}

fn words(prompt: &str) -> Vec<Word> {
    let mut words: BTreeMap<String, usize> = BTreeMap::new();
    let mut all: Vec<Word> = Vec::new();
    let mut add = |surface: &str, begin: String| {
        if all.len() < WORDS && !begin.trim().is_empty() && !words.contains_key(&begin) {
            words.insert(begin.clone(), all.len());
            all.push(Word { surface: surface.to_owned(), begin });
        }
    };
    for term in terms::query_terms(prompt) {
        // The stem may end otherwise than the word does, `carri` of `carries`, and than other forms: `carry`.
        let stem = term.term.strip_suffix('i').filter(|stem| stem.len() >= 3).unwrap_or(&term.term);
        let alike = stem.chars().zip(term.surface.chars()).take_while(|(a, b)| a == b).count();
        let begin: String = term.surface.chars().take(alike).collect();
        let begin = if alike >= 3 && begin.is_ascii() { begin } else { term.surface.to_string() };
        add(&term.surface, begin);
    }
    // Terms have no accents, and texts do.
    for word in prompt.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_ascii()) {
        let lower = word.to_lowercase();
        if terms::has_grams(&lower) {
            continue;
        }
        add(&lower, lower.clone());
    }
    all
}

/// Finds which words a text has.
struct Finder {
    automaton: AhoCorasick,
    /// The word of each pattern, and whether it must stand at the begin of a run of letters.
    patterns: Vec<(usize, bool)>,
}

impl Finder {
    /// `None` where there is nothing to find.
    fn new(words: &[Word]) -> Option<Self> {
        let mut texts: Vec<String> = Vec::new();
        let mut patterns = Vec::new();
        for (place, word) in words.iter().enumerate() {
            let mut forms = vec![word.begin.clone()];
            // Case is made alike for ASCII alone.
            if let Some(first) = word.begin.chars().next().filter(|first| !first.is_ascii()) {
                let upper: String = first.to_uppercase().chain(word.begin.chars().skip(1)).collect();
                forms.extend((upper != word.begin).then_some(upper));
            }
            for form in forms {
                let at_begin = form.is_ascii() && form.starts_with(|c: char| c.is_ascii_alphanumeric());
                texts.push(form);
                patterns.push((place, at_begin));
            }
        }
        if texts.is_empty() {
            return None;
        }
        let automaton = AhoCorasick::builder()
            .kind(Some(AhoCorasickKind::DFA))
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .build(texts)
            .ok()?;
        Some(Self { automaton, patterns })
    }

    /// The words that the text has, one bit each.
    fn words_in(&self, text: &str) -> u64 {
        let mut which = 0;
        for found in self.automaton.find_overlapping_iter(text) {
            let (word, at_begin) = self.patterns[found.pattern().as_usize()];
            let inside = at_begin
                && found.start().checked_sub(1).is_some_and(|before| {
                    let (before, first) = (text.as_bytes()[before], text.as_bytes()[found.start()]);
                    // `userName` has `name` in it.
                    before.is_ascii_alphanumeric()
                        && !(first.is_ascii_uppercase() && before.is_ascii_lowercase())
                        && before.is_ascii_digit() == first.is_ascii_digit()
                });
            if !inside {
                which |= 1 << word;
            }
        }
        which
    }
}

fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = bits.trailing_zeros();
        (bits != 0).then(|| {
            bits &= bits - 1;
            place as usize
        })
    })
}

/// At most so many bytes of a text, in whole characters.
fn begin(text: &str, bytes: usize) -> &str {
    let mut end = text.len().min(bytes);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(prompt: &str, text: &str) -> Vec<String> {
        let words = words(prompt);
        let finder = Finder::new(&words).expect("words");
        ones(finder.words_in(text)).map(|word| words[word].surface.clone()).collect()
    }

    #[test]
    fn words_are_found_in_any_form() {
        assert_eq!(
            found("who carries the deployments?", "Deployed by hand; Ana was carrying it"),
            ["carries", "deployments"]
        );
        assert_eq!(found("the cat", "concatenate"), Vec::<String>::new());
        assert_eq!(found("rename the user", "getUserName"), ["user"]);
        assert_eq!(found("ERR_CONN-42", "it said err_conn-42 again"), ["err", "conn", "42", "err_conn-42"]);
        assert_eq!(found("Über Ana", "Über alles"), ["über"]);
        assert!(!found("部署在哪里", "我们在周五部署").is_empty());
    }

    #[test]
    fn others_are_spread_over_all() {
        let mut others = Others::default();
        (0..10_000).for_each(|key| others.see(key));
        assert!((OTHERS / 2..OTHERS).contains(&others.keys.len()), "{}", others.keys.len());
        assert!(others.keys.contains(&0) && others.keys.iter().any(|key| *key > 9_800));
    }

    #[test]
    fn cuts_fall_between_characters() {
        assert_eq!(begin("añb", 2), "a");
        assert_eq!(begin(" añb ", 99), "añb");
    }
}
