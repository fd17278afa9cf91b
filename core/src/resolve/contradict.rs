//! Whether the newer of two statements says that the older one no longer holds.

use crate::resolve::{
    compare::Comparison,
    lexicon::{Lexicon, among},
    statement::{Change, Kind, Statement, Word},
};

/// Verbs that may hold of several things at once: another object is another fact, not a correction.
const MANY: &str = "like love enjoy prefer hate dislik support includ contain know speak allerg visit bought buy met read watch \
    ate eat ship releas fix crash finish publish complet saw attend translat order approv wrote review want need \
    plai play studi learn own";
/// Words whose statement holds one value at a time.
const ONE: &str = "deadlin due live work locat host port budget password default version price fee limit timeout length size \
    owner lead leader manag ceo address number name call schedul appoint start end target age \
    cost capit branch databas framework languag editor theme color colour born";

/// Words whose number says which one is spoken of.
const ITEMS: &str = "invoic pr mr ticket issu order bug task item step chapter page line case commit build job worker run \
    episod lesson exercis question slide receipt sprint day week part test";

impl Comparison<'_> {
    /// Why the newer statement ends the older one, if it does.
    pub(super) fn contradiction(&self) -> Option<&'static str> {
        if self.new.question || self.old.question || !self.new.fact || !self.old.fact {
            return None;
        }
        if self.new.script.is_empty() != self.old.script.is_empty() || self.other_person() || self.other_owner() {
            return None;
        }
        if !self.new.script.is_empty() {
            return self.contradiction_in_script();
        }
        if self.old.words.is_empty() || self.shared() == 0 {
            return None;
        }
        if self.is_complete() && self.changed_places() && self.old.words.iter().any(|word| word.stance > 0) {
            return Some("it says it the other way round");
        }
        if self.is_gone() {
            return Some("it says that this has changed");
        }
        self.denial()
            .or_else(|| self.changed_from())
            .or_else(|| self.relocation())
            .or_else(|| self.turned_stance())
            .or_else(|| self.succession())
            .or_else(|| self.another_value())
            .or_else(|| self.another_predicate())
            .or_else(|| self.another_holder())
    }

    /// The same, but denied, or allowed and forbidden.
    fn denial(&self) -> Option<&'static str> {
        let denied = self.new.negations % 2 != self.old.negations % 2;
        let opposite = self.opposite_verdicts();
        if opposite && self.both_ends() {
            return None;
        }
        if denied == opposite
            || !self.same_subject()
            || self.other_purpose()
            || self.other_names()
            || self.longer_name()
        {
            return None;
        }
        let told = |word: &&&Word| word.stance == 0 && !is_verdict(word) && !is_frequency(word);
        let unmatched = self.missing.iter().filter(told).count();
        let added = self.extra.iter().filter(told).count();
        let core = self.old.words.len() - unmatched;
        // What is denied of one thing is not denied of another: nothing of the known text may be missing.
        // Where words of each are left over, they may well be two things: `works with Google`, `no longer with Facebook`.
        let stated = self.new.change == Change::Stated && added == 0;
        let enough = unmatched == 0 || (stated && core * 3 >= self.old.words.len() * 2);
        (enough && added <= 3 && core >= 1 && self.shared() + usize::from(opposite) >= 2)
            .then_some("one affirms what the other denies")
    }

    /// Who lived in one place has moved to another.
    fn relocation(&self) -> Option<&'static str> {
        let has = |statement: &Statement, stems: &str, preposition: &str| {
            let verb = statement.words.iter().any(|word| among(stems, &word.stem));
            verb && statement.words.iter().any(|word| word.preposition == Some(preposition) && word.capital)
        };
        let moved = has(self.new, "move reloc relocat", "to") && has(self.old, "live resid base reloc", "in");
        (moved && self.same_subject() && !self.affirms()).then_some("it says that this has changed")
    }

    /// The other stance about the same thing.
    fn turned_stance(&self) -> Option<&'static str> {
        if !self.same_subject() || self.other_purpose() {
            return None;
        }
        let subject = self.old.subject_words();
        let mut objects = 0;
        let mut turned = 0;
        for (i, word) in self.old.words.iter().enumerate().skip(subject) {
            if word.stance != 0 || matches!(self.old.stance_over(i), 0) {
                continue;
            }
            objects += 1;
            let Some(j) = self.pairs[i] else { continue };
            turned += usize::from(self.new.stance_over(j) == -self.old.stance_over(i));
        }
        (objects > 0 && turned * 2 >= objects).then_some("it takes the opposite stance")
    }

    /// Whether what is denied or called off is not what was known: `no longer with Facebook` says nothing of Google.
    fn ends_another(&self) -> bool {
        const ENDING: &str = "cancel stop postpon discontinu retir deprec resign quit";
        let ending = |word: &Word| among(ENDING, &word.stem);
        let denied = self.new.negations % 2 != self.old.negations % 2;
        let names = |words: &[&Word]| words.iter().any(|word| word.capital_anywhere);
        let plain = |words: &[&Word]| {
            let told = |word: &Word| !ending(word) && word.stance == 0 && word.kind != Kind::Side;
            words.iter().any(|word| told(word) && !word.capital_anywhere)
        };
        let both = |has: &dyn Fn(&[&Word]) -> bool| has(&self.missing) && has(&self.extra);
        (denied || self.new.words.iter().any(ending)) && (both(&names) || both(&plain))
    }

    /// A change that is stated, about what was known.
    fn succession(&self) -> Option<&'static str> {
        let subject = self.old.subject_words();
        let shared = self.shared();
        let total = self.old.words.len();
        // What is spoken of must be more than the subject: a person who leaves a job keeps their allergies.
        let beyond = self.pairs.iter().skip(subject).filter(|pair| pair.is_some()).count();
        let named = self
            .pairs
            .iter()
            .zip(&self.old.words)
            .skip(subject)
            .any(|(pair, word)| pair.is_some() && (word.capital || word.capital_anywhere));
        if self.other_purpose() || self.affirms() || self.ends_another() {
            return None;
        }
        match self.new.change {
            Change::Stated => {
                let same_subject = self.same_subject() || self.subject_replaced();
                let enough = shared * 5 >= total * 2 && (shared >= 2 || total <= 2);
                (same_subject && enough && (beyond >= 1 || self.subject_replaced()) && (named || shared * 2 >= total))
                    .then_some("it says that this has changed")
            }
            // What was new or current before tells of no change.
            Change::Hinted if self.old.change == Change::None => {
                // Of `standup at 9:00` there is no more to share than what it is about.
                let times = total == 2 && self.missing.iter().any(|word| is_time(word));
                let enough =
                    (beyond >= 1 || times && self.extra.iter().any(|word| is_time(word))) && shared * 2 >= total;
                (self.same_subject() && enough && self.value_replaced()).then_some("it says how this is now")
            }
            Change::Hinted | Change::None => None,
        }
    }

    /// Another value in the same place.
    fn another_value(&self) -> Option<&'static str> {
        let stems = |list: &str| self.old.words.iter().any(|word| among(list, &word.stem));
        let few = (1..=2).contains(&self.missing.len()) && (1..=2).contains(&self.extra.len());
        let shared = self.shared();
        if !few || shared < 2 && self.old.words.len() > 2 || !self.same_subject() || self.other_purpose() {
            return None;
        }
        if self.new.negations % 2 != self.old.negations % 2
            || self.both_ends()
            || self.other_verb()
            || self.other_particle()
            || self.old.event && self.new.event
            || self.old.frame.one_more
            || self.new.frame.one_more
            || self.other_one()
            || self.other_occasion()
            || self.one_hour()
        {
            return None;
        }
        let values = |words: &[&Word]| words.iter().all(|word| word.kind != Kind::Plain);
        // Who works on one thing may work on another.
        let on = |word: &&Word| word.preposition == Some("on") || self.tells_on();
        let works = self.old.words.iter().any(|word| &*word.stem == "work") && self.missing.iter().any(on);
        let one = stems(ONE) && !works;
        let many = stems(MANY) && !one;
        // Two things that differ in two places are two things; and a day or hour is what is said of a thing only where
        // the text says that it is, or names what has one: `lunch on Monday` and `lunch on Tuesday` are two lunches.
        let code = |words: &[&Word]| words.iter().any(|word| is_code(word));
        let stated = one || self.old.states && self.new.states;
        let occasion = !stated && self.missing.iter().any(|word| is_time(word));
        if !one_slot(&self.missing) || !one_slot(&self.extra) || occasion || !one && code(&self.missing) {
            return None;
        }
        // Whom one helps or what one offers may be several: another is no correction.
        let person = |word: &&Word| word.preposition.is_none() && Lexicon::english().is_among(&word.base, &["alic"]);
        let several = self.missing.iter().chain(&self.extra).all(person)
            || self.old.frame.indefinite && self.new.frame.indefinite && !self.old.frame.is;
        let all_values = values(&self.missing) && values(&self.extra) && self.same_kinds() && (one || !several);
        let all_names = self.missing.iter().chain(&self.extra).all(|word| word.capital || word.kind == Kind::Value);
        let fits = (all_values && !many) || (all_names && one && !many) || self.called_otherwise();
        fits.then_some("it gives another value for the same")
    }

    /// Whether a number that says which one is spoken of differs: `Reviewed ticket 41`.
    fn other_one(&self) -> bool {
        let which = |statement: &Statement, word: &Word| {
            let before = statement.words.iter().find(|before| before.place + 1 == word.place);
            // `Version 2 is out`: what stands before `is` says what is spoken of.
            let spoken_of = statement.frame.copula.is_some_and(|copula| word.place < copula);
            word.kind == Kind::Value && before.is_some_and(|before| spoken_of || among(ITEMS, &before.stem))
        };
        // `the price of item 1` and `the price of item 5`: one differs where another number of one text took its place.
        let across = self.old.frame.copula.zip(self.new.frame.copula).is_some_and(|(old, new)| self.across(old, new));
        across
            || self.missing.iter().any(|word| which(self.old, word))
                && self.extra.iter().any(|word| which(self.new, word))
    }

    /// Whether two things of different sorts differ, so that one of them says which case is spoken of: `at 10:00 it was
    /// 21 degrees`, `server alpha has 16 cores`. A day and an hour are of one sort.
    fn other_occasion(&self) -> bool {
        let day = |words: &[&Word]| words.iter().any(|word| Lexicon::english().is_among(&word.base, &["januari"]));
        let mixed = |words: &[&Word]| {
            let times = words.iter().filter(|word| is_time(word)).count();
            words.len() == 2 && times < 2 && (times == 1 || words[0].kind != words[1].kind)
        };
        // A bare number by a month is a day.
        mixed(&self.missing) && mixed(&self.extra) && !(day(&self.missing) && day(&self.extra))
    }

    /// Whether one hour is told in two ways: `at nine`, `at 9:00`, `at 21:00`.
    fn one_hour(&self) -> bool {
        let minutes = |word: &Word| word.stem.strip_prefix("time ").and_then(|minutes| minutes.parse::<u32>().ok());
        let hour = |word: &Word| word.stem.parse::<u32>().ok().filter(|_| word.preposition == Some("at"));
        let one = |a: &Word, b: &Word| {
            hour(a).zip(minutes(b)).is_some_and(|(hour, minutes)| minutes % 60 == 0 && minutes / 60 % 12 == hour % 12)
        };
        matches!((&self.missing[..], &self.extra[..]), ([a], [b]) if one(a, b) || one(b, a))
    }

    /// Whether each names something that the other does not.
    fn other_names(&self) -> bool {
        let named = |words: &[&Word]| words.iter().any(|word| word.capital || word.code);
        self.new.change != Change::Stated && named(&self.missing) && named(&self.extra)
    }

    /// Whether the new one speaks of a longer name: `Dune Messiah` is not `Dune`.
    fn longer_name(&self) -> bool {
        let known = |word: &Word| word.capital_anywhere && !self.extra.iter().any(|extra| std::ptr::eq(*extra, word));
        let beside =
            |extra: &Word| self.new.words.iter().any(|word| known(word) && word.place.abs_diff(extra.place) == 1);
        self.extra.iter().any(|extra| extra.capital && beside(extra))
    }

    /// Whether the last word alone differs of what says what something is called or is by default.
    fn called_otherwise(&self) -> bool {
        let last = |statement: &Statement, words: &[&Word]| {
            words.len() == 1 && statement.words.last().is_some_and(|last| std::ptr::eq(last, words[0]))
        };
        let says = |stems: &str| {
            self.old.words.iter().zip(&self.pairs).any(|(word, pair)| pair.is_some() && among(stems, &word.stem))
        };
        // `the name is on the door` is no name.
        let called =
            self.old.words.iter().zip(&self.pairs).any(|(word, pair)| pair.is_some() && &*word.text == "called")
                && self.missing.iter().chain(&self.extra).all(|word| word.preposition.is_none());
        let plain = || [self.missing[0], self.extra[0]].iter().all(|word| word.kind == Kind::Plain);
        last(self.old, &self.missing) && last(self.new, &self.extra) && (called || says("default") && plain())
    }

    fn contradiction_in_script(&self) -> Option<&'static str> {
        let (new, old) = (&self.new.script, &self.old.script);
        let shared = old.shared(new);
        let same_subject = new.subject == old.subject
            || new.subject.starts_with(&*old.subject)
            || old.subject.starts_with(&*new.subject);
        let about = same_subject || self.pairs.iter().any(Option::is_some);
        if old.stance * new.stance < 0 && same_subject && shared >= 0.4 {
            return Some("it takes the opposite stance");
        }
        let denied = new.negations % 2 != old.negations % 2;
        if denied && same_subject && shared >= 0.6 || new.opposed(old) && !denied && same_subject && shared >= 0.4 {
            return Some("one affirms what the other denies");
        }
        // To like something now is not to like something else no more.
        let change = new.change || new.hint && old.stance * new.stance <= 0;
        if change && (shared >= 0.5 || about && shared >= 0.3 || same_subject && shared >= 0.2) {
            return Some("it says that this has changed");
        }
        let values = self.missing.len() == 1 && self.extra.len() == 1 && !(old.label && new.label);
        (values && same_subject && shared >= 0.85).then_some("it gives another value for the same")
    }

    /// Whether both speak of the same thing: each subject word of the old statement is in the new one, and the new one
    /// does not start with another name.
    pub(super) fn same_subject(&self) -> bool {
        let count = self.old.subject_words();
        let kept = self.old.words.iter().zip(&self.pairs).take(count);
        let kept = kept.into_iter().all(|(word, pair)| pair.is_some() || word.person || is_frequency(word));
        let foreign = self.new.words.iter().take(self.new.subject_words()).any(|word| {
            let unmatched = self.extra.iter().any(|extra| std::ptr::eq(*extra, word));
            unmatched && word.kind == Kind::Plain && !is_hint(word)
        });
        kept && !foreign
    }

    /// Whether the new statement says that the old subject was replaced by another: `Amara replaced Pedro as lead`.
    fn subject_replaced(&self) -> bool {
        self.new.words.iter().any(|word| matches!(&*word.stem, "replac" | "succeed" | "took" | "supersed"))
            && self.pairs.first().is_some_and(Option::is_some)
            && self.shared() >= 2
    }

    /// Whether each says what for, and it is not the same.
    fn other_purpose(&self) -> bool {
        let purpose = |words: &[&Word]| words.iter().any(|word| word.preposition == Some("for"));
        purpose(&self.missing) && purpose(&self.extra)
    }

    /// Whether a value, an alternative or a name stands where another of its kind stood.
    fn value_replaced(&self) -> bool {
        let lexicon = Lexicon::english();
        self.missing.iter().any(|a| {
            self.extra.iter().any(|b| {
                (a.kind == Kind::Value && b.kind == Kind::Value)
                    || lexicon.opposed(&a.base, &b.base)
                    || (a.capital && b.capital)
            })
        })
    }

    /// Whether what is missing and what came instead are of one kind.
    fn same_kinds(&self) -> bool {
        let lexicon = Lexicon::english();
        self.missing.iter().any(|a| {
            self.extra.iter().filter(|word| !is_hint(word)).any(|b| match (a.kind, b.kind) {
                (Kind::Side, Kind::Side) => lexicon.opposed(&a.base, &b.base),
                (a, b) => a == b,
            })
        })
    }

    /// Whether one says yes and the other no, by words such as `allow` and `forbid`.
    fn opposite_verdicts(&self) -> bool {
        let lexicon = Lexicon::english();
        let against = |a: &Word| self.extra.iter().any(|b| lexicon.opposed(&a.base, &b.base));
        self.missing.iter().filter(|word| is_verdict(word)).any(|word| against(word))
    }
}

impl Statement {
    /// How many words at the start name what is spoken of: owners and the word after them, and a number that belongs to
    /// it, as in `Sprint 3 shipped five fixes`. In `deadline 15 October` the number is what is said.
    pub(super) fn subject_words(&self) -> usize {
        let owners = self.words.iter().take_while(|word| word.owner || is_frequency(word)).count();
        let count = (owners + 1).min(self.words.len());
        const MEASURES: [&str; 8] = ["januari", "monday", "minut", "kilometer", "mb", "kg", "euro", "percent"];
        let label = self.words.get(count).is_some_and(|word| {
            word.kind == Kind::Value && word.preposition.is_none() && word.place == self.words[count - 1].place + 1
        });
        let predicate = self.words.get(count + 1).is_some_and(|word| {
            word.kind != Kind::Value
                && word.preposition.is_none()
                && !Lexicon::english().is_among(&word.base, &MEASURES)
        });
        if label && predicate { count + 1 } else { count }
    }

    /// The stance towards the word at `index`: that of the nearest word of stance before it.
    fn stance_over(&self, index: usize) -> i8 {
        let from = index.saturating_sub(8);
        self.words[from..=index].iter().rev().map(|word| word.stance).find(|stance| *stance != 0).unwrap_or(0)
    }
}

/// Whether the words stand side by side, as `15 October` or `30 seconds`.
fn one_slot(words: &[&Word]) -> bool {
    words.windows(2).all(|pair| pair[0].place.abs_diff(pair[1].place) <= 1)
}

/// Whether a word says yes or no to something, as `allow` and `forbid` do.
fn is_verdict(word: &Word) -> bool {
    const VERDICTS: [&str; 14] = [
        "allow", "enabl", "love", "accept", "approv", "true", "on", "open", "possibl", "requir", "activ", "legal",
        "safe", "public",
    ];
    Lexicon::english().is_among(&word.base, &VERDICTS)
}

/// Whether a word is the name of one thing among many: `ERR_CONN_4000`, `PAY-1182`.
fn is_code(word: &Word) -> bool {
    let has = |test: fn(&u8) -> bool| word.text.as_bytes().iter().any(test);
    word.code || has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic) && word.text.contains(['_', '-'])
}

pub(super) fn is_time(word: &Word) -> bool {
    let value = word.kind == Kind::Value && (word.stem.starts_with("time ") || word.stem.starts_with("date "));
    value || Lexicon::english().is_among(&word.base, &["monday", "januari"])
}

fn is_frequency(word: &Word) -> bool {
    word.kind == Kind::Side && Lexicon::english().is_among(&word.base, &["alway"])
}

fn is_hint(word: &Word) -> bool {
    matches!(&*word.stem, "now" | "new" | "current" | "chang" | "move" | "updat" | "longer" | "anymor" | "start")
}
