//! What a text states, as far as telling restatements, differences and contradictions apart needs it: its telling words
//! in order, its values, its negations, its stance, and whether it speaks of a change.

use std::borrow::Cow;

use crate::{
    resolve::{
        base::base,
        chunks::{Chunk, behind_openers, chunks, hash, operators},
        exact::{Exact, calls, code_spans},
        holder::Frame,
        lexicon::{Lexicon, among},
        scripts, value,
    },
    terms::stem,
};

pub(super) use crate::resolve::word::{Change, Kind, Token, Word, is_done};

/// Texts with more words than this are looked at up to here.
const WORDS: usize = 400;

/// A text, read.
#[derive(Debug, Default)]
pub struct Statement {
    /// Its telling words, in order.
    pub(super) words: Vec<Word>,
    /// Bases of words that tell nothing by themselves but may stand against another: `on`, `always`.
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
    /// Whether it notes something that was done, as a diary or a change log does: `Ran 5 km`. It stays so. An
    /// entry of a list (`TODO: ...`) stands beside the others too.
    pub(super) event: bool,
    /// Whether it says what something is: `is`, `are`.
    pub(super) states: bool,
    /// Its `is` and its articles.
    pub(super) frame: Frame,
    /// Words that narrow or weaken what is said, as a set of bits by [`SCOPES`].
    pub(super) scope: u8,
    /// How binding it is, by place in [`FORCES`].
    pub(super) force: Option<usize>,
    /// A hash of its operators, each with the word before it: `a == b`.
    pub(super) operators: u64,
    /// A hash of what lies beyond the words that were read; 0 where nothing does.
    pub(super) rest: u64,
    /// What has to be equal to the letter.
    pub(super) exact: Exact,
    /// Its code, between back quotes.
    pub(super) code: Vec<u64>,
    /// Its calls of functions.
    pub(super) calls: Vec<u64>,
    /// All its words, by their places.
    pub(super) tokens: Vec<Token>,
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
const PERSONS: [(&str, &str); 19] = [
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
    ("them", "they"),
    ("he", "he"),
    ("him", "he"),
    ("his", "he"),
    ("she", "she"),
    ("her", "she"),
    ("hers", "she"),
    ("your", "user"),
    ("you", "user"),
];
const NEGATIONS: &str = "not no never none neither nor without cannot hardly cant dont doesnt didnt isnt wasnt arent werent \
    couldnt shouldnt wouldnt havent hasnt hadnt wont ohne nicht kein keine keinen keiner nie pas jamais nunca \
    não non niet geen inte ikke не нет никогда";
/// What is written one way only.
const SECRETS: &str =
    "password passwords passphrase passcode secret token username login handle ssid identifier variable";
/// Words that narrow or weaken what is said; those in one line come to the same.
const SCOPES: [&str; 5] = [
    "only solely exclusively",
    "might may maybe perhaps could possibly probably",
    "some few several half",
    "most",
    "almost nearly",
];
/// Words of what has to be, ought to be and may be.
const FORCES: [&str; 3] = ["must", "should", "can"];
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
        let text = &text[behind_openers(text)..];
        let script = scripts::Reading::of(text);
        let (chunks, rest) = chunks(text);
        let lower: Vec<String> = chunks
            .iter()
            .map(|chunk| chunk.text.to_lowercase().replace('\u{2019}', "'").replace(['–', '—', '−'], "-"))
            .collect();
        let mut reader = Reader {
            statement: Self {
                script,
                rest: hash(rest),
                operators: operators(text, rest),
                code: code_spans(text),
                calls: calls(text),
                ..Self::default()
            },
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
        let (mut at, mut secret) = (0, false);
        while at < words.len() {
            if reader.statement.words.len() >= WORDS {
                reader.statement.rest = hash(&text[chunks[at].at..]);
                break;
            }
            reader.place = at;
            let from = reader.statement.words.len();
            let taken = reader.read(&chunks[at], &words[at..], chunks.get(at + 1));
            for word in &mut reader.statement.words[from..] {
                (word.raw, word.width, word.secret) = (chunks[at].text.into(), taken, secret);
            }
            secret |= words[at..at + taken].iter().any(|word| among(SECRETS, word));
            at += taken;
            reader.around[0] = words[at - 1];
        }
        let first = reader.statement.words.iter().find(|word| !word.person);
        let entry = |word: &&Word| matches!(&*word.text, "todo" | "fixme" | "reminder");
        reader.statement.frame = Frame::of(&words);
        reader.statement.exact = Exact::of(&text[..text.len() - rest.len()], &words);
        let tokens = chunks.iter().zip(&words);
        let token =
            |(chunk, word): (&Chunk<'_>, &&str)| Token { text: (*word).into(), parted: chunk.comma || chunk.start };
        reader.statement.tokens = tokens.map(token).collect();
        reader.statement.states = lower.iter().any(|word| matches!(word.as_str(), "is" | "are" | "has" | "have"));
        reader.statement.event =
            reader.statement.change == Change::None && first.is_some_and(|word| is_done(word) || entry(&word));
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
            // `tea, not coffee`: what is not the case has a place of its own.
            if chunk.comma || matches!(self.around[0], "and" | "but") {
                self.preposition = Some("not");
            }
            return 1;
        }
        if word == "of" && words.get(1) == Some(&"course") {
            return 2;
        }
        // `is on`, with nothing that it is on, says how it is.
        let ends = next.is_none_or(|next| next.comma || next.start);
        if matches!(word, "on" | "off") && ends && matches!(self.around[0], "is" | "are" | "was" | "were" | "stays") {
            self.push(word, word.to_owned(), Kind::Side, false, false, false);
            return 1;
        }
        if let Some(preposition) = PREPOSITIONS.iter().find(|known| **known == word) {
            self.statement.passive |= *preposition == "by";
            self.preposition = Some(preposition);
            self.listed = false;
            return 1;
        }
        if word == "instead" && words.get(1) == Some(&"of") {
            self.preposition = Some("instead");
            return 2;
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
        if chunk.is_code() {
            self.push(word, word.to_owned(), Kind::Plain, capital, capital_anywhere, false);
            self.statement.words.last_mut().expect("it was just pushed").code = true;
            return 1;
        }
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
        // `quite` does not quit.
        let stemmed = if Lexicon::is_whole(word) { Cow::Borrowed(word) } else { stem(word) };
        // `left the company`, but not `the left leg`; `broke off`, but not `broke the build`.
        // `stopped by the bakery`, `at stop 4`.
        let stopped_by = &*stemmed == "stop"
            && (matches!(self.around[1], "by" | "at")
                || matches!(self.around[0], "the" | "a" | "at" | "from" | "bus" | "next"));
        let month = word == "may" && (capital_anywhere || self.around[1].starts_with(|c: char| c.is_ascii_digit()));
        let elsewhere = match word {
            _ if stopped_by => true,
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
        if let Some(scope) = SCOPES.iter().position(|scope| among(scope, word)).filter(|_| !month) {
            self.statement.scope |= 1 << scope;
            return;
        }
        if let Some(force) = FORCES.iter().position(|force| *force == word) {
            self.statement.force = Some(force);
            return;
        }
        let lexicon = Lexicon::english();
        if let Some((_, person)) = PERSONS.iter().find(|(known, _)| *known == word) {
            self.push(
                word,
                (*person).to_owned(),
                Kind::Plain,
                false,
                false,
                owner || matches!(word, "my" | "our" | "his" | "her" | "your"),
            );
            if let Some(last) = self.statement.words.last_mut() {
                last.person = true;
            }
            return;
        }
        let quantity = matches!(word, "every" | "each" | "all" | "any" | "everyone" | "everything");
        let root = base(word);
        if quantity || lexicon.is_light(word) && stance(&stemmed) == 0 && !capital {
            self.negated = self.negated.saturating_sub(1);
            if !lexicon.sides(&root).is_empty() {
                self.statement.asides.push(root.into());
            }
            return;
        }
        let kind = if lexicon.sides(&root).is_empty() { Kind::Plain } else { Kind::Side };
        self.push(word, stemmed.into_owned(), kind, capital, capital_anywhere, owner);
        if let Some(last) = self.statement.words.last_mut() {
            last.base = root.into();
        }
        if let Some(last) = self.statement.words.last_mut().filter(|_| stopped_by) {
            last.stance = 0;
        }
    }

    fn push(&mut self, text: &str, stem: String, kind: Kind, capital: bool, capital_anywhere: bool, owner: bool) {
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
            base: stem.as_str().into(),
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
            code: false,
            raw: Box::default(),
            width: 1,
            secret: false,
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
