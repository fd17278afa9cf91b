//! Text to index terms: the same at write and at query, on every host.
//!
//! - Words are runs of letters and digits, lower case, without accents on Latin letters, stemmed by Snowball's stemmer
//!   for the script (Latin: English).
//! - Code identifiers (`getUserName`, `ERR_CONN-42`, `src/main.rs`) are kept whole and also split at case, `_`, `-`,
//!   `.`, `/`, `:`, `@`, `#`, `+`.
//! - Han, Kana, Hangul and Thai give overlapping pairs of characters, and single ones, since those scripts don't mark
//!   where words end (or, in Hangul, hang particles on them).

mod phrases;

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};

use crate::{
    unicode::{is_mark, nfkc, parts},
    words::{GERMAN_STOP_WORDS, KOREAN_PARTICLES, STOP_WORDS},
};

/// Longer compounds than this many bytes are kept only in their parts.
const COMPOUND_BYTES: usize = 128;

/// What a text is analysed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Everything that a query could ask for.
    Index,
    /// The most telling terms alone: pairs instead of single characters where there are any.
    Query,
}

/// One term of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term<'a> {
    /// A word, lower case; its index term is its [`stem`].
    Word(&'a str),
    /// A compound identifier or a character n-gram, taken as it is.
    Exact(&'a str),
}

/// A term of a query, with the text that it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryTerm {
    /// As the index has it.
    pub term: Box<str>,
    /// As the query has it, lower case.
    pub surface: Box<str>,
}

/// Hands each term of `text` to `each`, in order.
pub fn analyze(text: &str, purpose: Purpose, mut each: impl FnMut(Term<'_>)) {
    let text: Cow<'_, str> = if text.is_ascii() { text.into() } else { nfkc(text) };
    let mut scanner = Scanner { purpose, word: String::new(), compound: String::new(), parts: 0, each: &mut each };
    let mut rest = text.as_ref();
    while let Some(first) = rest.chars().next() {
        let class = Class::of(first);
        let length = run_length(rest, class);
        let (run, after) = rest.split_at(length);
        match class {
            Class::Word => scanner.word(run, after),
            Class::Gram | Class::Hangul => {
                scanner.end_compound();
                scanner.grams(run, class);
            }
            Class::Connector if run.len() == first.len_utf8() && starts_word(after) => scanner.connect(first),
            Class::Connector | Class::Other => scanner.end_compound(),
        }
        rest = after;
    }
    scanner.end_compound();
}

/// The terms of a query, each once, in order of appearance; stop words only where there is nothing else.
#[must_use]
pub fn query_terms(query: &str) -> Vec<QueryTerm> {
    let mut all: Vec<QueryTerm> = Vec::new();
    let mut telling: Vec<QueryTerm> = Vec::new();
    analyze(query, Purpose::Query, |term| {
        let (key, surface, stop) = match term {
            Term::Word(word) => (stem(word), word, is_stop_word(word)),
            Term::Exact(text) => (Cow::Borrowed(text), text, false),
        };
        if all.iter().all(|known| *known.term != *key) {
            let found = QueryTerm { term: key.as_ref().into(), surface: surface.into() };
            if !stop {
                telling.push(found.clone());
            }
            all.push(found);
        }
    });
    if telling.is_empty() { all } else { telling }
}

/// What a query is about: its text without the words that say nothing of a topic, and without names that `is_name`
/// knows (lower case, accents off), or words that `is_other` knows (as they are). The whole text where nothing else is
/// left.
#[must_use]
pub fn topic(query: &str, is_name: impl Fn(&str) -> bool, is_other: impl Fn(&str) -> bool) -> Cow<'_, str> {
    told(query, is_name, |word| is_stop_word(word) || phrases::is_empty_korean(word) || is_other(word))
}

/// A query without the names that `is_name` knows; the whole text where nothing else is left.
#[must_use]
pub fn without(query: &str, is_name: impl Fn(&str) -> bool) -> Cow<'_, str> {
    told(query, is_name, |_| false)
}

fn told(query: &str, is_name: impl Fn(&str) -> bool, is_stop: impl Fn(&str) -> bool) -> Cow<'_, str> {
    let is_capitalised = is_capitalised(query);
    let tells = |chunk: &&str| {
        let may_name = may_name(chunk, is_capitalised);
        let (mut words, mut tells) = (0, false);
        analyze(chunk, Purpose::Query, |term| {
            words += 1;
            tells |= !matches!(term, Term::Word(word) if is_stop(word) || may_name && is_name(word));
        });
        let bare = chunk.trim_matches(|c: char| !c.is_alphanumeric());
        (tells || words == 0) && !is_stop(bare)
    };
    let telling: Vec<&str> = query.split_whitespace().filter(tells).collect();
    let is_left = telling.iter().any(|chunk| chunk.chars().any(char::is_alphanumeric));
    if is_left { telling.join(" ").into() } else { query.into() }
}

/// Whether a text has characters of scripts that don't set words apart, or of Hangul.
#[must_use]
pub fn has_grams(text: &str) -> bool {
    text.chars().any(|c| matches!(Class::of(c), Class::Gram | Class::Hangul))
}

/// Hands each word of a name to `each`, lower case, accents off.
pub fn name_words(name: &str, mut each: impl FnMut(&str)) {
    analyze(name, Purpose::Query, |term| {
        if let Term::Word(word) = term
            && !is_stop_word(word)
        {
            each(word);
        }
    });
}

/// As [`name_words`] for those words of a query that could be of a name: what has a capital, unless the query has none.
pub fn words_of_names(query: &str, mut each: impl FnMut(&str)) {
    let is_capitalised = is_capitalised(query);
    for chunk in query.split_whitespace().filter(|chunk| may_name(chunk, is_capitalised)) {
        name_words(chunk, &mut each);
    }
}

fn is_capitalised(query: &str) -> bool {
    query.chars().any(char::is_uppercase)
}

fn may_name(chunk: &str, is_capitalised: bool) -> bool {
    !is_capitalised || !chunk.chars().find(|c| c.is_alphanumeric()).is_some_and(char::is_lowercase)
}

/// A word's stem, by the stemmer of its script; words with digits and scripts without a stemmer stay as they are.
#[must_use]
pub fn stem(word: &str) -> Cow<'_, str> {
    let Some(first) = word.chars().next() else { return Cow::Borrowed(word) };
    let algorithm = match first {
        'a'..='z' if word.bytes().any(|byte| byte.is_ascii_digit()) => return Cow::Borrowed(word),
        'a'..='z' => Algorithm::English,
        '\u{0370}'..='\u{03ff}' => Algorithm::Greek,
        '\u{0400}'..='\u{04ff}' => Algorithm::Russian,
        '\u{0600}'..='\u{06ff}' => Algorithm::Arabic,
        '\u{0b80}'..='\u{0bff}' => Algorithm::Tamil,
        _ => return Cow::Borrowed(word),
    };
    // Making a stemmer costs nothing: it is a table of function pointers.
    match Stemmer::create(algorithm).stem(word) {
        Cow::Borrowed(stemmed) => Cow::Owned(stemmed.to_owned()),
        Cow::Owned(stemmed) => Cow::Owned(stemmed),
    }
}

/// Whether `word` (lower case) says nothing about a text's topic.
#[must_use]
pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok() || GERMAN_STOP_WORDS.binary_search(&word).is_ok()
}

/// A Korean word without the particle at its end, where something is left.
#[must_use]
pub fn without_particle(word: &str) -> &str {
    KOREAN_PARTICLES
        .iter()
        .find_map(|particle| word.strip_suffix(particle))
        .filter(|rest| !rest.is_empty())
        .unwrap_or(word)
}

/// What a character is to the scanner.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Letters and digits of scripts that put space between words.
    Word,
    /// Scripts that don't: Han, Kana, Thai and its neighbours.
    Gram,
    /// Syllables, with particles on the words.
    Hangul,
    /// Joins the parts of an identifier.
    Connector,
    /// Everything else.
    Other,
}

impl Class {
    fn of(c: char) -> Self {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' => Self::Word,
            '_' | '-' | '.' | '/' | ':' | '@' | '#' | '+' => Self::Connector,
            '\0'..='\x7f' => Self::Other,
            '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' => Self::Gram,
            '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' => Self::Gram,
            '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' => Self::Gram,
            '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7a3}' => Self::Hangul,
            _ if c.is_alphanumeric() || is_mark(c) => Self::Word,
            _ => Self::Other,
        }
    }
}

/// Bytes of the run of `class` that `text` starts with. An apostrophe between letters belongs to the word.
fn run_length(text: &str, class: Class) -> usize {
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let apostrophe = class == Class::Word
            && matches!(c, '\'' | '\u{2019}')
            && at > 0
            && chars.peek().is_some_and(|(_, next)| next.is_alphabetic());
        if !apostrophe && Class::of(c) != class {
            return at;
        }
    }
    text.len()
}

fn starts_word(text: &str) -> bool {
    text.chars().next().is_some_and(|c| Class::of(c) == Class::Word)
}

struct Scanner<'s, F> {
    purpose: Purpose,
    /// The word being put together: lower case, accents off.
    word: String,
    /// The identifier being put together, lower case.
    compound: String,
    /// How many words it has.
    parts: usize,
    each: &'s mut F,
}

impl<F: FnMut(Term<'_>)> Scanner<'_, F> {
    fn word(&mut self, run: &str, after: &str) {
        self.fold(run);
        if self.word.is_empty() {
            return;
        }
        (self.each)(Term::Word(&self.word));
        self.compound.push_str(&self.word);
        self.parts += 1;
        if has_case_change(run) {
            for part in split_at_case(run) {
                self.fold(part);
                (self.each)(Term::Word(&self.word));
            }
        }
        if !after.chars().next().is_some_and(|c| Class::of(c) == Class::Connector) {
            self.end_compound();
        }
    }

    fn connect(&mut self, connector: char) {
        if self.parts > 0 {
            self.compound.push(connector);
        }
    }

    fn end_compound(&mut self) {
        if self.parts > 1 && self.compound.len() <= COMPOUND_BYTES {
            (self.each)(Term::Exact(&self.compound));
        }
        self.compound.clear();
        self.parts = 0;
    }

    fn grams(&mut self, run: &str, class: Class) {
        if self.purpose == Purpose::Index {
            char_windows(run, 1).chain(char_windows(run, 2)).for_each(|gram| (self.each)(Term::Exact(gram)));
            return;
        }
        let parts = match class {
            Class::Hangul => vec![without_particle(run)],
            _ => phrases::telling(run),
        };
        for part in parts {
            if part.chars().nth(1).is_none() || phrases::has_one_character(part) {
                char_windows(part, 1).take(1).for_each(|single| (self.each)(Term::Exact(single)));
            }
            char_windows(part, 2).for_each(|pair| (self.each)(Term::Exact(pair)));
        }
    }

    /// Puts `run` into `self.word`: lower case, without accents, apostrophes and a possessive `'s`.
    fn fold(&mut self, run: &str) {
        self.word.clear();
        let mut apostrophe = None;
        for c in run.chars() {
            match c {
                '\'' | '\u{2019}' => apostrophe = Some(self.word.len()),
                _ if c.is_ascii() => self.word.push(c.to_ascii_lowercase()),
                '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => {
                    let mut itself = [0; 4];
                    let parts = parts(c).unwrap_or(c.encode_utf8(&mut itself));
                    for part in parts.chars().filter(|&part| !is_mark(part)) {
                        self.word.extend(part.to_lowercase());
                    }
                }
                _ => self.word.extend(c.to_lowercase()),
            }
        }
        if let Some(at) = apostrophe
            && &self.word[at..] == "s"
        {
            self.word.truncate(at);
        }
    }
}

/// Every run of `n` characters in `text`, in order.
fn char_windows(text: &str, n: usize) -> impl Iterator<Item = &str> {
    let starts = text.char_indices().map(|(at, _)| at);
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8()).skip(n - 1);
    starts.zip(ends).map(move |(start, end)| &text[start..end])
}

fn has_case_change(run: &str) -> bool {
    run.chars().any(char::is_lowercase) && run.chars().skip(1).any(char::is_uppercase)
}

/// `getUserName` to `get`, `User`, `Name`; `HTTPServer` to `HTTP`, `Server`.
fn split_at_case(run: &str) -> Vec<&str> {
    let chars: Vec<(usize, char)> = run.char_indices().collect();
    let mut parts = Vec::new();
    let mut start = 0;
    for i in 1..chars.len() {
        let (at, c) = chars[i];
        let after_lower = !chars[i - 1].1.is_uppercase();
        let before_lower = chars.get(i + 1).is_some_and(|(_, next)| next.is_lowercase());
        if c.is_uppercase() && (after_lower || before_lower) {
            parts.push(&run[start..at]);
            start = at;
        }
    }
    parts.push(&run[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str, purpose: Purpose) -> Vec<String> {
        let mut found = Vec::new();
        analyze(text, purpose, |term| {
            found.push(match term {
                Term::Word(word) => stem(word).into_owned(),
                Term::Exact(text) => text.to_owned(),
            });
        });
        found
    }

    #[test]
    fn words_are_folded_and_stemmed() {
        assert_eq!(
            terms("John's café PREFERS it, doesn't it?", Purpose::Index),
            ["john", "cafe", "prefer", "it", "doesnt", "it"]
        );
        assert_eq!(terms("ＡＰＩ", Purpose::Index), ["api"]);
    }

    #[test]
    fn identifiers_are_whole_and_in_parts() {
        assert_eq!(terms("getUserName", Purpose::Index), ["getusernam", "get", "user", "name"]);
        assert_eq!(terms("ERR_CONN-42.", Purpose::Index), ["err", "conn", "42", "err_conn-42"]);
        assert_eq!(terms("HTTPServer", Purpose::Query), ["httpserver", "http", "server"]);
        assert_eq!(terms("--max-old-space", Purpose::Query), ["max", "old", "space", "max-old-space"]);
    }

    #[test]
    fn scripts_without_spaces_give_pairs() {
        assert_eq!(terms("数据库", Purpose::Index), ["数", "据", "库", "数据", "据库"]);
        assert_eq!(terms("数据库", Purpose::Query), ["数据", "据库"]);
        assert_eq!(terms("C盘", Purpose::Query), ["c", "盘"]);
        assert_eq!(terms("API配置", Purpose::Query), ["api", "配置"]);
        assert_eq!(terms("서버에서", Purpose::Query), ["서버"]);
        assert_eq!(terms("집", Purpose::Query), ["집"]);
    }

    #[test]
    fn queries_drop_stop_words_unless_there_is_nothing_else() {
        let keys = |query: &str| query_terms(query).iter().map(|t| t.term.to_string()).collect::<Vec<_>>();
        assert_eq!(keys("What did the deploy break?"), ["deploy", "break"]);
        assert_eq!(keys("to be or not to be"), ["to", "be", "or", "not"]);
        assert_eq!(keys("deploy deploys"), ["deploy"]);
    }

    #[test]
    fn stop_words_are_sorted() {
        assert!(STOP_WORDS.is_sorted() && GERMAN_STOP_WORDS.is_sorted());
        assert!(is_stop_word("the") && !is_stop_word("deploy"));
    }
}
