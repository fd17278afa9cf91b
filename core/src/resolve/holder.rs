//! What has one holder or one value at a time: who owns, leads or is on call; what a name, an address or a deadline is.

use crate::resolve::{
    base::base,
    compare::Comparison,
    contradict::is_time,
    lexicon::{Lexicon, among},
    statement::{Kind, Statement, Word, is_done},
};

/// Words of a certain thing, and of one more.
const DEFINITE: &str = "the this my your our his her their its";
const ONE_MORE: &str = "another also too additionally both together";
const BE: &str = "is are was were be been being am get gets got i'm it's he's she's we're they're";
/// What one does alone to a thing, as it is now and as it is said of the thing.
const ALONE: &str = "owns leads heads manages chairs";
const ALONE_BY: &str = "owned led headed managed chaired";
/// What one alone is to a thing, by stem.
const OFFICES: &str = "owner lead leader head manag chair chairman chairperson ceo cto cfo coo captain presid director \
    capit on-cal oncal charg default assigne successor";
/// What has one value at a time, by stem: with a name, a number or a code.
const ATTRIBUTES: &str = "name surnam nicknam codenam doctor dentist therapist boss landlord wife husband spous partner mother father address email number phone birthday birthdat birthplac deadlin date port \
    version password passphras hostnam usernam domain url capit owner lead leader head manag chair ceo cto cfo coo captain \
    presid director budget price cost fee limit timeout salari wage rent height weight age size capac locat timezon zone \
    currenc licenc licens hash id plate pin code titl role job profess occup mascot breed shell editor theme framework \
    languag databas color colour font branch region";
/// The same where a plain word is the value: of others a plain word says how they are, as in `the deadline is tight`.
const NOMINAL: &str =
    "titl role job profess occup breed shell editor theme framework languag databas nicknam codenam font";
/// Words that leave one value of whatever they stand by.
const FIRST: &str = "favourit favorit default primari prefer on-cal oncal";

/// The small words that say whether a text speaks of one thing, one of several, or a sort of thing.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    /// Where it says `is`, in words.
    pub copula: Option<usize>,
    /// Whether it says what something is: `is`, `are`.
    pub is: bool,
    /// Whether it speaks of a certain thing: `the`, `our`.
    pub definite: bool,
    /// Whether it says what sort of thing something is: `is a`.
    pub classed: bool,
    /// Whether it says which thing something is: `is the`.
    pub unique: bool,
    /// Whether it speaks of any one of several: `a`, apart from the one after `is`.
    pub indefinite: bool,
    /// Whether it says that it is one of several or one more: `one of`, `also`.
    pub one_more: bool,
    /// Whether it speaks of what will be.
    pub future: bool,
    /// Whether it speaks of what was.
    pub past: bool,
    /// Whether it says what or how something was, rather than what was done to it.
    pub was: bool,
    /// What follows `was` and what follows `is`: `was closed`, `is closed`.
    pub states: [Vec<Box<str>>; 2],
    /// The same of what will be.
    pub will_be: bool,
    /// Whether it says since when.
    pub since: bool,
    /// Whether it speaks of what is no more: `used to`.
    pub gone: bool,
}

impl Frame {
    /// The frame of a text with these words (lower case).
    pub(super) fn of(words: &[&str]) -> Self {
        let copula = words.iter().position(|word| *word == "is");
        let class = copula.map(|copula| copula + 1);
        let article = |at: usize| matches!(words.get(at), Some(&("a" | "an")));
        let has = |pair: &[&str; 2]| words.windows(2).any(|words| words == pair);
        let any = |at: usize| article(at) || matches!(words[at], "some" | "one");
        Self {
            copula,
            is: words.iter().any(|word| matches!(*word, "is" | "are")),
            definite: words.iter().any(|word| among(DEFINITE, word)),
            classed: class.is_some_and(article),
            // `is the user's brother` says which only of what one has one of.
            unique: class.is_some_and(|at| {
                words.get(at) == Some(&"the") && words.get(at + 1).is_some_and(|next| !next.ends_with("'s"))
            }),
            indefinite: (0..words.len()).any(|at| Some(at) != class && any(at)),
            future: words.iter().any(|word| *word == "will" || word.ends_with("'ll")) || has(&["going", "to"]),
            past: words.iter().any(|word| matches!(*word, "was" | "were" | "had" | "did")),
            states: [["was", "were"], ["is", "are"]].map(|be| {
                let stated = words.windows(2).filter(|pair| be.contains(&pair[0]));
                stated.map(|pair| pair[1].into()).collect()
            }),
            will_be: words.windows(3).any(|three| {
                let will = three[0] == "will" || three[0] == "to" || three[0].ends_with("'ll");
                will && three[1] == "be" && !is_participle(three[2]) && (three[0] != "to" || has(&["going", "to"]))
            }),
            since: words.windows(2).any(|pair| pair[0] == "since" && is_point_in_time(pair[1])),
            was: words.windows(2).any(|pair| matches!(pair[0], "was" | "were") && !is_participle(pair[1])),
            // `is used to deploy` says what for, `is used to noise` what one is used to.
            gone: has(&["used", "to"]) && !words.windows(2).any(|pair| pair[1] == "used" && among(BE, pair[0])),
            one_more: words.iter().any(|word| among(ONE_MORE, word)) || has(&["one", "of"]),
        }
    }
}

/// Whether a word after `was` makes it the passive voice or the progressive form.
fn is_participle(word: &str) -> bool {
    const IRREGULAR: &str = "built made led done sent held put cut read run won lost found sold told taught bought brought \
        paid kept left met spent hit shut born drawn grown known shown thrown worn begun hung heard";
    const STATES: &str = "located situated based open even often green golden";
    let formed = word.len() > 4 && (word.ends_with("ed") || word.ends_with("en") || word.ends_with("ing"));
    (formed || among(IRREGULAR, word)) && !among(STATES, word)
}

/// Whether a word after `since` says when rather than why.
fn is_point_in_time(word: &str) -> bool {
    const TIMES: &str =
        "last this early late mid yesterday then before spring summer autumn winter fall christmas easter";
    let named = || Lexicon::english().is_among(&base(word), &["monday", "januari"]);
    word.starts_with(|c: char| c.is_ascii_digit()) || among(TIMES, word) || named()
}

impl Comparison<'_> {
    /// Another holds what one alone can hold: `Alice owns the billing service`, `Bob owns the billing service`.
    pub(super) fn another_holder(&self) -> Option<&'static str> {
        let named = |words: &[&Word]| {
            (1..=2).contains(&words.len())
                && words.iter().all(|word| word.capital_anywhere && word.kind != Kind::Value && !word.code)
        };
        let any_of_them =
            self.old.frame.indefinite || self.new.frame.indefinite || self.old.frame.classed || self.new.frame.classed;
        if !named(&self.missing) || !named(&self.extra) || any_of_them || self.may_be_several() {
            return None;
        }
        let holds = |statement: &Statement, names: &[&Word]| {
            statement.words.iter().enumerate().any(|(at, word)| statement.is_held(at, word, names))
        };
        (holds(self.old, &self.missing) && holds(self.new, &self.extra))
            .then_some("it names another holder of the same")
    }

    /// What is said of an attribute is another value: `the address of the office is`.
    pub(super) fn another_predicate(&self) -> Option<&'static str> {
        let (old, new) = (self.old.frame.copula?, self.new.frame.copula?);
        let said = |words: &[&Word], copula: usize| {
            !words.is_empty()
                && words.iter().all(|word| word.place > copula && word.preposition.is_none() && !word.owner)
        };
        let any_of_them = self.old.frame.indefinite || self.new.frame.indefinite;
        if !said(&self.missing, old) || !said(&self.extra, new) || any_of_them || self.may_be_several() {
            return None;
        }
        let subject = || self.old.words.iter().filter(|word| word.place < old);
        let head = subject().rev().find(|word| word.preposition.is_none())?;
        let first = subject().any(|word| among(FIRST, &word.stem) && !std::ptr::eq(word, head));
        if !first && !among(ATTRIBUTES, &head.stem) || self.across(old, new) {
            return None;
        }
        let value = |word: &&Word| {
            let joined = word.text.contains(['-', '_', '.', '@', '/']);
            word.kind == Kind::Value || word.capital || word.code || joined || is_time(word)
        };
        let valued = |words: &[&Word]| words.iter().any(value);
        let nominal = first || among(NOMINAL, &head.stem) || self.old.frame.classed && self.new.frame.classed;
        (nominal || valued(&self.missing) && valued(&self.extra)).then_some("it gives another value for the same")
    }

    /// Whether a word of one subject stands for a word of the other's predicate.
    pub(super) fn across(&self, old: usize, new: usize) -> bool {
        let pairs = self.pairs.iter().zip(&self.old.words);
        let places = pairs.filter_map(|(pair, word)| Some((word.place, self.new.words[(*pair)?].place)));
        places.into_iter().any(|(a, b)| (a < old) != (b < new))
    }

    /// Whether one says that it is one of several, or one more.
    fn may_be_several(&self) -> bool {
        let several = |statement: &Statement| statement.frame.one_more || statement.event;
        several(self.old) || several(self.new) || self.new.negations != self.old.negations
    }

    /// Whether one tells what will be or is no more, and the other what was or is: `will visit` and `visited`.
    pub(super) fn other_time(&self) -> bool {
        let (old, new) = (&self.old.frame, &self.new.frame);
        let told = |was: fn(&Word, &Word) -> bool| {
            let pairs = self.pairs.iter().zip(&self.old.words);
            pairs.filter_map(|(pair, word)| Some((word, &self.new.words[(*pair)?]))).any(|(a, b)| was(a, b))
        };
        old.gone != new.gone
            || self.was_once()
            || new.future && !old.future && (old.past || told(|old, new| is_done(old) && !is_done(new)))
            || old.future && !new.future && (new.past || told(|old, new| is_done(new) && !is_done(old)))
    }

    /// Whether one says how something was or will be, or since when, and the other nothing of that.
    fn was_once(&self) -> bool {
        let past = |statement: &Statement| statement.frame.past || statement.words.iter().any(is_done);
        let once = |one: &Statement, other: &Statement| one.frame.was && !past(other);
        let will = |one: &Statement, other: &Statement| one.frame.will_be && !other.frame.future;
        let (old, new) = (self.old, self.new);
        let ended = |one: &Frame, other: &Frame| one.states[0].iter().any(|state| other.states[1].contains(state));
        let ended = ended(&old.frame, &new.frame) || ended(&new.frame, &old.frame);
        ended
            || old.frame.since != new.frame.since
            || once(old, new)
            || once(new, old)
            || will(old, new)
            || will(new, old)
    }

    /// Whether the new one says of what was known that it is no more.
    pub(super) fn is_gone(&self) -> bool {
        let same = self.missing.is_empty() && self.extra.iter().all(|word| &*word.stem == "use");
        self.new.frame.gone && !self.old.frame.gone && same && self.new.negations == self.old.negations
    }

    /// Whether what is the user's in one is the team's in the other: `my favourite colour`, `our favourite colour`.
    pub(super) fn other_owner(&self) -> bool {
        let owners = |statement: &'_ Statement| -> Vec<Box<str>> {
            let owners = statement.words.iter().filter(|word| word.person && word.owner);
            owners.map(|word| word.stem.clone()).collect()
        };
        let (old, new) = (owners(self.old), owners(self.new));
        !old.is_empty() && !new.is_empty() && old.iter().all(|owner| !new.contains(owner))
    }
}

impl Statement {
    /// Whether `names` hold what the word at `at` says: they stand before it, or behind it with `by`, or after `is`.
    fn is_held(&self, at: usize, word: &Word, names: &[&Word]) -> bool {
        let before = || names.iter().all(|name| name.place < word.place && name.preposition.is_none());
        let after = |preposition: Option<&str>| {
            names.iter().all(|name| name.place > word.place && name.preposition == preposition)
        };
        let by = || names[0].place > word.place && names[0].preposition == Some("by");
        if among(ALONE, &word.text) {
            // `Alice owns cats` leaves cats for others, and `leads by example`, `manages to swim` have no object.
            let object = self.words[at + 1..].last().filter(|_| self.words[at + 1].preposition.is_none());
            let single = object.is_some_and(|object| object.capital || !object.text.ends_with('s'));
            return before()
                && object.is_some()
                && (self.frame.definite || single || matches!(&*word.text, "leads" | "heads" | "chairs"));
        }
        if among(ALONE_BY, &word.text) {
            return self.frame.copula.is_some() && by();
        }
        let on_call = &*word.text == "call" && word.preposition == Some("on");
        let the =
            self.frame.unique && word.preposition.is_none() && self.frame.copula.is_some_and(|at| word.place > at);
        if !(on_call || the || among(OFFICES, &word.stem) || among(FIRST, &word.stem)) || word.text.ends_with("ing") {
            return false;
        }
        // `the Atlas lead` is another than `the Borealis lead`.
        let apart = || names.iter().all(|name| name.place + 1 != word.place);
        self.frame.copula.is_some_and(|copula| {
            before() && apart() && names.iter().all(|name| name.place < copula)
                || after(None) && names.iter().all(|name| name.place > copula)
        })
    }
}
