//! Who is spoken of: the names of a scope's authors, of the people that metadata names, and of person memories.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

use crate::{order, partition::Partition, record::Memory, terms};

/// Keys of metadata whose values name people.
const PEOPLE: [&str; 10] =
    ["assignee", "attendees", "author", "from", "owner", "people", "person", "speaker", "subject", "to"];

/// The kind of a memory that stands for a person.
const PERSON: &str = "person";

/// Names for the one who asks, where nobody said who that is.
const ASKER: [&str; 2] = ["human", "user"];

/// What stands for an author without being a name: such a word in a query is a word like any other.
const ROLES: [&str; 9] = ["agent", "ai", "assistant", "bot", "human", "model", "system", "tool", "user"];

/// Words with which a query speaks of the one who asks.
const FIRST_PERSON: &[&str] = &[
    "i", "im", "ive", "me", "my", "myself", "ich", "mich", "mir", "mein", "meine", "meinen", "meiner", "meinem",
    "meines", "나", "내", "나는", "내가", "나의", "나를", "저", "제", "저는", "제가", "저의", "я", "мне", "меня",
    "мой", "моя", "мои", "je", "moi", "mon", "ma", "mes", "yo", "mi", "mis",
];

/// The same where words aren't set apart; the second of each pair is another word that holds the first.
const FIRST_PERSON_INSIDE: &[(&str, &str)] =
    &[("我", "我们"), ("私", "私たち"), ("僕", "僕ら"), ("ฉัน", "-"), ("ผม", "-")];

/// A scope's names by their words.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// For each word the names that have it, and in how many memories they are given.
    words: FxHashMap<Box<str>, BTreeMap<Box<str>, u32>>,
    /// Names in scripts that don't set words apart, and in how many memories they are given: they are sought as they are.
    whole: BTreeMap<Box<str>, u32>,
    /// The slots of the person memories of a name.
    persons: FxHashMap<Box<str>, BTreeSet<u32>>,
}

/// Those whom a query speaks of.
#[derive(Clone, Debug, Default)]
pub struct Named {
    names: FxHashSet<Box<str>>,
    /// The slots of the memories that stand for them.
    persons: BTreeSet<u32>,
}

impl Named {
    /// Whether it is nobody.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    fn holds(&self, name: &str) -> bool {
        self.names.contains(name)
    }
}

impl Names {
    /// Takes in the names that a memory in `slot` gives.
    pub(super) fn insert(&mut self, slot: u32, memory: &Memory) {
        if let Some(name) = person(memory) {
            self.persons.entry(name.into()).or_default().insert(slot);
        }
        for name in given(memory) {
            if is_whole(name) {
                *self.whole.entry(name.into()).or_default() += 1;
                continue;
            }
            terms::name_words(name, |word| {
                if !self.words.contains_key(word) {
                    self.words.insert(word.into(), BTreeMap::new());
                }
                let names = self.words.get_mut(word).expect("it was just put in");
                *names.entry(name.into()).or_default() += 1;
            });
        }
    }

    /// Takes them out again.
    pub(super) fn remove(&mut self, slot: u32, memory: &Memory) {
        if let Some(name) = person(memory)
            && let Some(slots) = self.persons.get_mut(name)
        {
            slots.remove(&slot);
            if slots.is_empty() {
                self.persons.remove(name);
            }
        }
        for name in given(memory) {
            if is_whole(name) {
                leave(&mut self.whole, name);
                continue;
            }
            terms::name_words(name, |word| {
                let Some(names) = self.words.get_mut(word) else { return };
                leave(names, name);
                if names.is_empty() {
                    self.words.remove(word);
                }
            });
        }
    }
}

/// Counts a name down.
fn leave(names: &mut BTreeMap<Box<str>, u32>, name: &str) {
    if let Some(count) = names.get_mut(name) {
        *count -= 1;
        if *count == 0 {
            names.remove(name);
        }
    }
}

impl Partition {
    /// A query without the names in it; the whole of it where nothing else is left.
    #[must_use]
    pub fn without_names(&self, query: &str) -> String {
        let apart = self.without_whole_names(query);
        terms::without(&apart, |word| self.is_name(word)).into_owned()
    }

    /// What a query is about, as [`terms::topic`] has it, without the names in it and without words of `is_other`.
    #[must_use]
    pub fn topic(&self, query: &str, is_other: impl Fn(&str) -> bool) -> String {
        let apart = self.without_whole_names(query);
        terms::topic(&apart, |word| self.is_name(word), is_other).into_owned()
    }

    fn without_whole_names<'q>(&self, query: &'q str) -> Cow<'q, str> {
        let names = self.names.whole.keys().filter(|name| query.contains(&***name));
        let apart = names.fold(Cow::Borrowed(query), |query, name| query.replace(&**name, " ").into());
        if apart.trim().is_empty() { query.into() } else { apart }
    }

    /// Whether a word (lower case, accents off) is of a name.
    fn is_name(&self, word: &str) -> bool {
        self.names.words.contains_key(word) && !ROLES.contains(&word)
    }

    /// Whom `query`, asked by `asker`, speaks of: those whose names have every word of it that is of any name. Nobody
    /// where it speaks of two. Where it names nobody but speaks of *me*, the one who asks.
    #[must_use]
    pub fn named(&self, query: &str, asker: Option<&str>) -> Named {
        let mut names: Option<FxHashSet<Box<str>>> = None;
        let mut also = |known: FxHashSet<Box<str>>| {
            names = Some(match names.take() {
                Some(names) => names.intersection(&known).cloned().collect(),
                None => known,
            });
        };
        terms::words_of_names(query, |word| {
            if let Some(known) = self.names.words.get(word).filter(|_| !ROLES.contains(&word)) {
                also(known.keys().cloned().collect());
            }
        });
        for name in self.names.whole.keys().filter(|name| query.contains(&***name)) {
            also(FxHashSet::from_iter([name.clone()]));
        }
        let names = names.unwrap_or_else(|| self.asker(query, asker));
        let persons = order::filled(names.iter().filter_map(|name| self.names.persons.get(name)).flatten().copied());
        Named { names, persons }
    }

    /// The names of the one who asks, where the query speaks of them.
    fn asker(&self, query: &str, asker: Option<&str>) -> FxHashSet<Box<str>> {
        if !speaks_of_me(query) {
            return FxHashSet::default();
        }
        let fits = |name: &str| match asker {
            Some(asker) => name.eq_ignore_ascii_case(asker),
            None => ASKER.iter().any(|known| name.eq_ignore_ascii_case(known)),
        };
        let mut found = FxHashSet::default();
        let wanted = asker.as_ref().map_or(&ASKER[..], std::slice::from_ref);
        for name in wanted {
            terms::name_words(name, |word| {
                let names = self.names.words.get(word).into_iter().flatten();
                found.extend(names.map(|(name, _)| name).filter(|name| fits(name)).cloned());
            });
        }
        found
    }

    /// Whether the memory in `slot` is said by, or about, one of `named`: its author is, its metadata names them, it
    /// stands for them or is linked to what does.
    #[must_use]
    pub fn is_of(&self, slot: u32, memory: &Memory, named: &Named) -> bool {
        !named.is_empty()
            && (given(memory).any(|name| named.holds(name))
                || named.persons.contains(&slot)
                || !named.persons.is_empty() && self.graph.ties(slot).any(|tie| named.persons.contains(&tie.far)))
    }
}

/// The names that a memory gives: its author's, those in its metadata, and its own where it stands for a person.
fn given(memory: &Memory) -> impl Iterator<Item = &str> {
    let fields = PEOPLE.iter().filter_map(|key| memory.metadata.get(*key));
    let fields = fields.flat_map(|value| value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice));
    memory.author.as_deref().into_iter().chain(fields.filter_map(Value::as_str)).chain(person(memory))
}

/// The name of the person that a memory stands for: what stands before a mark, at most four words that are written as
/// names are.
fn person(memory: &Memory) -> Option<&str> {
    if memory.kind.as_str() != PERSON {
        return None;
    }
    let name = memory.content.split([',', ':', ';', '(', '\n', '，', '、', '：', '（']).next().unwrap_or_default();
    let name = name.split(" - ").next().unwrap_or_default().split(" is ").next().unwrap_or_default().trim();
    let mut words = name.split_whitespace();
    let named = words.by_ref().take(4).all(is_written_as_a_name);
    (named && words.next().is_none() && !name.is_empty()).then_some(name)
}

/// Whether a word begins with a capital, or is a short one of a script without.
fn is_written_as_a_name(word: &str) -> bool {
    let letters = || word.chars().filter(|c| c.is_alphabetic());
    let cased = word.chars().any(|c| c.is_lowercase() || c.is_uppercase());
    match letters().next() {
        Some(first) if cased => first.is_uppercase() && !terms::has_grams(word),
        Some(_) => letters().count() <= 8 && word.chars().all(char::is_alphabetic),
        None => false,
    }
}

/// Whether a name is of a script that doesn't set words apart, and long enough to be sought as it is.
fn is_whole(name: &str) -> bool {
    terms::has_grams(name) && name.chars().nth(1).is_some()
}

fn speaks_of_me(query: &str) -> bool {
    let lower = query.to_lowercase().replace(['\'', '\u{2019}'], "");
    lower.split(|c: char| !c.is_alphanumeric()).any(|word| FIRST_PERSON.contains(&word))
        || FIRST_PERSON_INSIDE.iter().any(|(me, other)| lower.replace(other, "").contains(me))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_speak_of_the_one_who_asks() {
        for query in
            ["What did I say?", "where's my key", "내가 정한 마감은?", "我喜欢什么", "was habe ich gesagt", "私の設定"]
        {
            assert!(speaks_of_me(query), "{query}");
        }
        for query in ["What did Inge say?", "我们的服务器", "id 42 of the job"] {
            assert!(!speaks_of_me(query), "{query}");
        }
    }
}
