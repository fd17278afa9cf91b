//! What a text states, as far as telling restatements, differences and contradictions apart needs it: its telling words
//! in order, its values, its negations, its stance, and whether it speaks of a change.

use crate::{
    resolve::{
        lexicon::{Lexicon, among},
        scripts, value,
    },
    terms::stem,
};

/// Texts with more words than this are looked at up to here.
const WORDS: usize = 400;

/// A text, read.
#[derive(Debug, Default)]
pub struct Statement {
    /// Its telling words, in order.
    pub(super) words: Vec<Word>,
    /// Stems of words that tell nothing by themselves but may stand against another: `on`, `always`.
    pub(super) asides: Vec<Box<str>>,
    /// How many negations it has; those within a name (`Not Found`) or a word (`no-code`) don't count.
    pub(super) negations: usize,
    /// Whether it asks.
    pub(super) question: bool,
    /// Whether it says by whom something is done: `was written by`.
    pub(super) passive: bool,
    /// How much it speaks of a change.
    pub(super) change: Change,
    /// What is read of scripts that don't put space between words.
    pub(super) script: scripts::Reading,
    /// Whether it reads as a fact rather than as talk: one sentence, or two without exclamation marks, no greeting,
    /// thanks or cheer, and no more than [`FACT_WORDS`] words. Only facts end facts.
    pub(super) fact: bool,
}

/// Whether a text says that something is no longer as it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Change {
    #[default]
    None,
    /// `now`, `new`, `moved`, `raised` ...
    Hinted,
    /// `no longer`, `switched`, `replaced`, `left` ...
    Stated,
}

/// A telling word.
#[derive(Clone, Debug)]
pub(super) struct Word {
    /// Lower case.
    pub text: Box<str>,
    /// Its stem, or a value's canonical form.
    pub stem: Box<str>,
    pub kind: Kind,
    /// Whether it names the one who speaks or is spoken for: the user, we, the team. It may come or go.
    pub person: bool,
    /// Whether it starts with a capital letter and a sentence does not start with it.
    pub capital: bool,
    /// Whether it starts with a capital letter, wherever it stands.
    pub capital_anywhere: bool,
    /// The preposition before it, if the two are joined.
    pub preposition: Option<&'static str>,
    /// Whether `and`, `or` or a comma joins it to the word before.
    pub listed: bool,
    /// +1 for liking or using, -1 for the opposite, 0 for neither; negation applied.
    pub stance: i8,
    /// Where it stands in the text, in words.
    pub place: usize,
    /// Whether it is an owner: `the user's`.
    pub owner: bool,
}

/// What a word is to a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A number, amount, time, version, code.
    Value,
    /// One of several alternatives that exclude each other: a weekday, a direction, a colour.
    Side,
    /// Any other word that tells something.
    Plain,
}

/// Words of greeting, thanks and cheer.
const TALK: &str = "thanks thank hey hi hello wow yeah yep yes yup sure cool bye congrats congratulations awesome haha lol woah \
    whoa oh aw aww ok okay gonna gotta wanna glad welcome sorry sounds wish hope hopefully let's";
/// Longer texts tell stories, not facts that another fact could end.
const FACT_WORDS: usize = 30;
const PREPOSITIONS: [&str; 17] = [
    "from", "to", "into", "onto", "before", "after", "over", "than", "by", "on", "in", "at", "for", "of", "under",
    "above", "below",
];
/// Those who speak or are spoken for, by stem, and what they are taken as.
const PERSONS: [(&str, &str); 13] = [
    ("user", "user"),
    ("i", "user"),
    ("me", "user"),
    ("my", "user"),
    ("mine", "user"),
    ("we", "team"),
    ("us", "team"),
    ("our", "team"),
    ("team", "team"),
    ("they", "they"),
    ("he", "he"),
    ("she", "she"),
    ("you", "user"),
];
const NEGATIONS: &str = "not no never none neither nor without cannot hardly";
const LIKES: &str = "like love enjoy prefer favor favour adore want choos chose chosen use adopt recommend trust stand toler bear \
    keen fond great good accept support";
const DISLIKES: &str = "hate dislik detest avoid abandon drop ditch reject despis loath stop quit refus terribl aw bad distrust \
    oppos discontinu deprec";
const STATED: &str = "switch migrat replac renam abandon cancel drop quit left resign anymor stop broke deprec retir discontinu \
    postpon reschedul supersed scrap ditch revok revers relocat swap";
const HINTED: &str =
    "now new instead chang move updat rais lower increas reduc extend becam becom shift correct shorten";

impl Statement {
    /// Reads a text.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let script = scripts::Reading::of(text);
        let chunks = chunks(text);
        let lower: Vec<String> =
            chunks.iter().map(|chunk| chunk.text.to_lowercase().replace('\u{2019}', "'")).collect();
        let mut reader = Reader {
            statement: Self { script, ..Self::default() },
            around: [""; 2],
            negated: 0,
            place: 0,
            preposition: None,
            listed: false,
        };
        let sentences = chunks.iter().filter(|chunk| chunk.start).count();
        reader.statement.fact = lower.len() <= FACT_WORDS
            && (sentences <= 1 || sentences == 2 && !text.contains('!'))
            && !lower.iter().any(|word| among(TALK, word));
        reader.statement.question = text.trim_end().ends_with(['?', '？']);
        let words: Vec<&str> = lower.iter().map(String::as_str).collect();
        let mut at = 0;
        while at < words.len() {
            reader.place = at;
            let taken = reader.read(&chunks[at], &words[at..], chunks.get(at + 1));
            at += taken;
            reader.around[0] = words[at - 1];
        }
        reader.statement
    }

    /// Whether it has nothing in scripts that don't put space between words.
    #[must_use]
    pub fn is_latin(&self) -> bool {
        self.script.is_empty()
    }

    /// How many telling words it has, values among them.
    pub(super) fn telling(&self) -> usize {
        self.words.len() + self.script.grams.len()
    }
}

/// A word of the text with what is around it.
struct Chunk<'t> {
    text: &'t str,
    /// Whether a sentence starts with it.
    start: bool,
    /// Whether a comma or the like stands before it.
    comma: bool,
}

struct Reader<'t> {
    statement: Statement,
    /// The words before and after the one at hand, lower case.
    around: [&'t str; 2],
    /// For how many more words a negation turns a stance around.
    negated: usize,
    /// Where the word at hand stands.
    place: usize,
    preposition: Option<&'static str>,
    listed: bool,
}

impl<'t> Reader<'t> {
    /// Takes in the next word or words; how many.
    fn read(&mut self, chunk: &Chunk<'_>, words: &[&'t str], next: Option<&Chunk<'_>>) -> usize {
        let word = words[0];
        self.around[1] = words.get(1).copied().unwrap_or_default();
        if chunk.comma {
            self.preposition = None;
            self.listed = true;
        }
        let capital_anywhere = chunk.text.starts_with(char::is_uppercase);
        let in_name =
            capital_anywhere && !chunk.start && next.is_some_and(|next| next.text.starts_with(char::is_uppercase));
        if !in_name && (among(NEGATIONS, word) || word.ends_with("n't")) {
            self.negate(word, words);
            return 1;
        }
        if let Some(preposition) = PREPOSITIONS.iter().find(|known| **known == word) {
            self.statement.passive |= *preposition == "by";
            self.preposition = Some(preposition);
            self.listed = false;
            return 1;
        }
        if matches!(word, "and" | "or" | "&") {
            self.listed = true;
            return 1;
        }
        let capital = capital_anywhere && (!chunk.start || word.len() == 1 && word != "a" && word != "i");
        if let Some((value, unit, taken)) = value::read(words).filter(|_| !is_unit_here(words)) {
            self.push(word, value, Kind::Value, capital, capital_anywhere, false);
            if let Some(unit) = unit {
                self.plain(&unit, false, false, false);
            }
            return taken;
        }
        let (bare, owner) = match word.strip_suffix("'s").or_else(|| word.strip_suffix('\'')) {
            Some(bare) if bare != "it" && bare != "that" && bare != "he" && bare != "she" => (bare, true),
            _ => (word.split('\'').next().unwrap_or(word), false),
        };
        self.plain(bare, capital, capital_anywhere, owner);
        1
    }

    fn negate(&mut self, word: &str, words: &[&str]) {
        let ended = word == "no" && words.get(1).is_some_and(|next| *next == "longer" || *next == "more");
        if ended {
            self.statement.change = Change::Stated;
        }
        self.statement.negations += 1;
        self.negated = 4;
    }

    fn plain(&mut self, word: &str, capital: bool, capital_anywhere: bool, owner: bool) {
        let stemmed = stem(word);
        // `left the company`, but not `the left leg`; `broke off`, but not `broke the build`.
        let elsewhere = match word {
            "left" => matches!(self.around[0], "the" | "on" | "to" | "my" | "his" | "her" | "your" | "their" | "a"),
            "broke" => !matches!(self.around[1], "off" | "up" | "with"),
            _ => false,
        };
        self.statement.change = self.statement.change.max(match &*stemmed {
            _ if elsewhere => Change::None,
            stemmed if among(STATED, stemmed) => Change::Stated,
            stemmed if among(HINTED, stemmed) => Change::Hinted,
            _ => Change::None,
        });
        let lexicon = Lexicon::english();
        if let Some((_, person)) = PERSONS.iter().find(|(known, _)| *known == word) {
            self.push(word, (*person).to_owned(), Kind::Plain, false, false, owner || matches!(word, "my" | "our"));
            if let Some(last) = self.statement.words.last_mut() {
                last.person = true;
            }
            return;
        }
        let quantity = matches!(word, "every" | "each" | "all" | "any" | "everyone" | "everything");
        if quantity || lexicon.is_light(word, &stemmed) && stance(&stemmed) == 0 && !capital {
            self.negated = self.negated.saturating_sub(1);
            if !lexicon.sides(&stemmed).is_empty() {
                self.statement.asides.push(stemmed.into());
            }
            return;
        }
        let kind = if lexicon.sides(&stemmed).is_empty() { Kind::Plain } else { Kind::Side };
        self.push(word, stemmed.into_owned(), kind, capital, capital_anywhere, owner);
    }

    fn push(&mut self, text: &str, stem: String, kind: Kind, capital: bool, capital_anywhere: bool, owner: bool) {
        if self.statement.words.len() >= WORDS {
            return;
        }
        let turned = if self.negated > 0 { -1 } else { 1 };
        let stance = if kind == Kind::Value { 0 } else { stance(&stem) * turned };
        if stance != 0 {
            self.negated = 0;
        }
        self.negated = self.negated.saturating_sub(1);
        let listed = std::mem::take(&mut self.listed);
        // `to peanuts and shellfish`: the preposition holds for the whole list.
        let before = self.statement.words.last().filter(|_| listed).and_then(|word| word.preposition);
        let preposition = self.preposition.take().or(before);
        self.statement.words.push(Word {
            text: text.into(),
            stem: stem.into(),
            kind,
            person: false,
            capital,
            capital_anywhere,
            preposition,
            listed,
            stance,
            place: self.place,
            owner,
        });
    }
}

fn stance(stem: &str) -> i8 {
    match stem {
        _ if among(LIKES, stem) => 1,
        _ if among(DISLIKES, stem) => -1,
        _ => 0,
    }
}

/// `second` is an ordinal, and a unit after a number or `per`; the plural is always the unit.
fn is_unit_here(words: &[&str]) -> bool {
    words[0] == "seconds"
}

/// The words of a text, apart at white space, brackets, quotes and where the script changes.
fn chunks(text: &str) -> Vec<Chunk<'_>> {
    let breaks =
        |c: char| c.is_whitespace() || "()[]{}\"“”«»<>|,;!?，。、；：！？（）".contains(c) || scripts::is_gram(c);
    let mut found: Vec<Chunk<'_>> = Vec::new();
    let mut start = true;
    let mut comma = false;
    let mut from = 0;
    let mut take = |piece: &'_ str, range: (usize, usize), comma: &mut bool, start: &mut bool| {
        let trimmed = piece.trim_matches(|c: char| "'‘’.:*_-–—=".contains(c));
        if !trimmed.is_empty() {
            let at = range.0 + (trimmed.as_ptr() as usize - piece.as_ptr() as usize);
            found.push(Chunk { text: &text[at..at + trimmed.len()], start: *start, comma: *comma });
            *comma = false;
            *start = piece.ends_with(['.', ':']) && trimmed.len() > 1;
        }
    };
    for (at, c) in text.char_indices() {
        if breaks(c) {
            take(&text[from..at], (from, at), &mut comma, &mut start);
            comma |= ",;、，；".contains(c);
            start |= "!?。！？\n".contains(c);
            from = at + c.len_utf8();
        }
    }
    take(&text[from..], (from, text.len()), &mut comma, &mut start);
    found
}
