//! Two statements side by side: which words of one stand for which of the other, whether anything that matters
//! differs, and whether the newer one says that the older no longer holds.

use crate::{
    resolve::{
        lexicon::{Lexicon, among},
        statement::{Change, Kind, Statement, Word},
    },
    static_model::StaticModel,
};

/// Cosine of two words' vectors from which they count as one word in other clothes. High on purpose: at 0.8 weekdays
/// and given names are alike too.
const SAME_WORD: f32 = 0.86;

/// Words left over on a side, at most, for which other clothes are looked for. With more, the texts differ.
const CLOTHES: usize = 4;

/// Verbs that may hold of several things at once: another object is another fact, not a correction.
const MANY: &str = "like love enjoy prefer hate dislik support includ contain know speak allerg visit bought buy met read watch \
    ate eat ship releas fix crash finish publish complet saw attend translat order approv wrote review want need \
    use plai play studi learn own";
/// Words whose statement holds one value at a time.
const ONE: &str = "deadlin due live work locat host port budget password default version price fee limit timeout length size \
    owner lead leader manag ceo address number name call sprint schedul meet appoint start end run target age \
    cost capit branch databas framework languag editor theme color colour born";

/// What two statements have in common.
pub(super) struct Comparison<'s> {
    new: &'s Statement,
    old: &'s Statement,
    /// For each word of the old statement its counterpart in the new one.
    pairs: Vec<Option<usize>>,
    /// Words of the old statement without one.
    missing: Vec<&'s Word>,
    /// Words of the new statement without one.
    extra: Vec<&'s Word>,
}

impl<'s> Comparison<'s> {
    pub(super) fn new(new: &'s Statement, old: &'s Statement, model: Option<&StaticModel>) -> Self {
        let mut taken = vec![false; new.words.len()];
        let mut pairs = vec![None; old.words.len()];
        // The strictest match first, so that a loose one never takes a word that another needs.
        for matches in [equal, related] {
            for (word, pair) in old.words.iter().zip(&mut pairs) {
                if pair.is_none() {
                    *pair = (0..new.words.len()).find(|&i| !taken[i] && matches(word, &new.words[i]));
                    pair.iter().for_each(|&i| taken[i] = true);
                }
            }
        }
        if let Some(model) = model {
            match_clothes(old, new, &mut pairs, &mut taken, model);
        }
        let told = |word: &&Word| !word.person;
        let missing = old.words.iter().zip(&pairs).filter(|(_, pair)| pair.is_none()).map(|(word, _)| word);
        let missing = missing.filter(told).collect();
        let extra = new.words.iter().zip(&taken).filter(|(_, taken)| !**taken).map(|(word, _)| word);
        let extra = extra.filter(told).collect();
        Self { new, old, pairs, missing, extra }
    }

    /// Whether nothing that matters differs: every value, name and telling word of each has its counterpart in the
    /// other, as many things are denied, and nothing has changed places.
    pub(super) fn agrees(&self) -> bool {
        let script = &self.new.script;
        if self.new.negations % 2 != self.old.negations % 2
            || script.negations != self.old.script.negations
            || script.stance != self.old.script.stance
            || self.new.question != self.old.question
            || script.is_empty() != self.old.script.is_empty()
            || self.opposite_sides()
            || self.changed_places()
        {
            return false;
        }
        if !script.is_empty() {
            let shared = script.shared(&self.old.script).min(self.old.script.shared(script));
            return shared >= 0.85 && self.missing.is_empty() && self.extra.is_empty();
        }
        let (missing, extra) = (self.missing.len(), self.extra.len());
        if missing + extra == 0 {
            return true;
        }
        // One word more on one side is the same fact told more fully, unless it is a name or a value.
        let shared = self.shared();
        let plain =
            |word: &&&Word| word.kind == Kind::Plain && !word.capital && (word.stance == 0 || &*word.stem == "use");
        let only = |words: &[&Word]| words.iter().filter(plain).count() == words.len();
        missing.min(extra) == 0 && missing + extra == 1 && shared >= 3 && only(&self.missing) && only(&self.extra)
    }

    /// Whether every telling word has its counterpart.
    pub(super) fn is_complete(&self) -> bool {
        self.missing.is_empty() && self.extra.is_empty()
    }

    /// Why the newer statement ends the older one, if it does.
    pub(super) fn contradiction(&self) -> Option<&'static str> {
        if self.new.question || self.old.question || !self.new.fact || !self.old.fact {
            return None;
        }
        if self.new.script.is_empty() != self.old.script.is_empty() {
            return None;
        }
        if !self.new.script.is_empty() {
            return self.contradiction_in_script();
        }
        if self.old.words.is_empty() || self.shared() == 0 {
            return None;
        }
        self.denial().or_else(|| self.turned_stance()).or_else(|| self.succession()).or_else(|| self.another_value())
    }

    /// The same, but denied, or allowed and forbidden.
    fn denial(&self) -> Option<&'static str> {
        let denied = self.new.negations % 2 != self.old.negations % 2;
        let opposite = self.opposite_verdicts();
        if denied == opposite || !self.same_subject() {
            return None;
        }
        let unmatched = self.missing.iter().filter(|word| word.stance == 0 && word.kind != Kind::Side).count();
        let added = self.extra.iter().filter(|word| word.kind != Kind::Side && word.stance == 0).count();
        let core = self.old.words.len() - unmatched;
        let enough = core * 5 >= self.old.words.len() * 4
            || (self.new.change == Change::Stated && core * 3 >= self.old.words.len() * 2);
        (enough && added <= 3 && core >= 1 && self.shared() + usize::from(opposite) >= 2)
            .then_some("it denies what was known")
    }

    /// The other stance about the same thing.
    fn turned_stance(&self) -> Option<&'static str> {
        if !self.same_subject() {
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
        if self.other_purpose() {
            return None;
        }
        match self.new.change {
            Change::Stated => {
                let same_subject = self.same_subject() || self.subject_replaced();
                let enough = shared * 5 >= total * 2 && (shared >= 2 || total <= 2);
                (same_subject && enough && (beyond >= 1 || self.subject_replaced()) && (named || shared * 2 >= total))
                    .then_some("it says that this has changed")
            }
            Change::Hinted => {
                let enough = beyond >= 1 && shared * 2 >= total;
                (self.same_subject() && enough && self.value_replaced()).then_some("it says how this is now")
            }
            Change::None => None,
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
        if self.new.negations % 2 != self.old.negations % 2 {
            return None;
        }
        let values = |words: &[&Word]| words.iter().all(|word| word.kind != Kind::Plain);
        let one = stems(ONE);
        let many = stems(MANY) && !one;
        let all_values = values(&self.missing) && values(&self.extra) && self.same_kinds();
        let all_names = self.missing.iter().chain(&self.extra).all(|word| word.capital || word.kind == Kind::Value);
        let fits = (all_values && !many) || (all_names && one && !many);
        fits.then_some("it gives another value for the same")
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
        if new.negations % 2 != old.negations % 2 && same_subject && shared >= 0.6 {
            return Some("it denies what was known");
        }
        if new.change && (shared >= 0.5 || about && shared >= 0.3 || same_subject && shared >= 0.2) {
            return Some("it says that this has changed");
        }
        let values = !self.missing.is_empty() && self.missing.len() == self.extra.len() && self.missing.len() == 1;
        (values && same_subject && shared >= 0.85).then_some("it gives another value for the same")
    }

    /// How many words have a counterpart.
    pub(super) fn shared(&self) -> usize {
        self.pairs.iter().filter(|pair| pair.is_some()).count()
    }

    /// Whether both speak of the same thing: each subject word of the old statement is in the new one, and the new one
    /// does not start with another name.
    fn same_subject(&self) -> bool {
        let count = self.old.subject_words();
        let kept = self.old.words.iter().zip(&self.pairs).take(count).all(|(word, pair)| pair.is_some() || word.person);
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
                    || lexicon.opposed(&a.stem, &b.stem)
                    || (a.capital && b.capital)
            })
        })
    }

    /// Whether what is missing and what came instead are of one kind.
    fn same_kinds(&self) -> bool {
        let lexicon = Lexicon::english();
        self.missing.iter().any(|a| {
            self.extra.iter().filter(|word| !is_hint(word)).any(|b| match (a.kind, b.kind) {
                (Kind::Side, Kind::Side) => lexicon.opposed(&a.stem, &b.stem),
                (a, b) => a == b,
            })
        })
    }

    /// Whether one says yes and the other no, by words such as `allow` and `forbid`.
    fn opposite_verdicts(&self) -> bool {
        const VERDICTS: [&str; 14] = [
            "allow", "enabl", "love", "accept", "approv", "true", "on", "open", "possibl", "requir", "activ", "legal",
            "safe", "public",
        ];
        let lexicon = Lexicon::english();
        self.missing
            .iter()
            .filter(|word| lexicon.is_among(&word.stem, &VERDICTS))
            .any(|a| self.extra.iter().any(|b| lexicon.opposed(&a.stem, &b.stem)))
    }

    /// Whether an alternative in one stands against another alternative of its axis in the other.
    fn opposite_sides(&self) -> bool {
        let lexicon = Lexicon::english();
        let stems = |words: &[&'s Word], asides: &'s [Box<str>]| -> Vec<&'s str> {
            words.iter().map(|word| &*word.stem).chain(asides.iter().map(|stem| &**stem)).collect()
        };
        let extra = stems(&self.extra, &self.new.asides);
        stems(&self.missing, &self.old.asides).iter().any(|a| extra.iter().any(|b| lexicon.opposed(a, b)))
    }

    /// Whether the same words stand in other places, so that it is not the same: `from A to B` and `from B to A`, or
    /// `A calls B` and `B calls A`.
    fn changed_places(&self) -> bool {
        /// Prepositions that say the opposite of each other.
        const SIDES: [[&str; 2]; 5] =
            [["before", "after"], ["above", "below"], ["above", "under"], ["over", "under"], ["from", "to"]];
        let pairs = || {
            self.pairs.iter().enumerate().filter_map(|(i, pair)| Some((&self.old.words[i], &self.new.words[(*pair)?])))
        };
        let swapped = pairs().any(|(old, new)| {
            old.preposition != new.preposition
                && old.preposition.is_some_and(|preposition| {
                    // The preposition now belongs to a word that had its place elsewhere.
                    pairs()
                        .any(|(old, new)| new.preposition == Some(preposition) && old.preposition != Some(preposition))
                })
                && binds(old.preposition)
        });
        let turned = pairs().any(|(old, new)| {
            old.preposition
                .zip(new.preposition)
                .is_some_and(|(a, b)| SIDES.iter().any(|side| side.contains(&a) && side.contains(&b) && a != b))
        });
        if swapped || turned {
            return true;
        }
        if self.new.passive != self.old.passive {
            return false;
        }
        let entity = |old: &Word, new: &Word| {
            let named = old.capital_anywhere && new.capital_anywhere && (old.capital || new.capital);
            named && !(old.preposition.is_some() && old.preposition == new.preposition)
        };
        let order: Vec<usize> = self
            .pairs
            .iter()
            .enumerate()
            .filter_map(|(i, pair)| pair.filter(|&j| entity(&self.old.words[i], &self.new.words[j])))
            .collect();
        order.windows(2).any(|pair| pair[0] > pair[1] && !self.new.in_one_list(pair[1], pair[0]))
    }
}

impl Statement {
    /// How many words at the start name what is spoken of: owners and the word after them, and a number that belongs to
    /// it, as in `Sprint 3 shipped five fixes`. In `deadline 15 October` the number is what is said.
    fn subject_words(&self) -> usize {
        let owners = self.words.iter().take_while(|word| word.owner).count();
        let count = (owners + 1).min(self.words.len());
        const MEASURES: [&str; 8] = ["januari", "monday", "minut", "kilomet", "mb", "kg", "euro", "percent"];
        let label = self.words.get(count).is_some_and(|word| {
            word.kind == Kind::Value && word.preposition.is_none() && word.place == self.words[count - 1].place + 1
        });
        let predicate = self.words.get(count + 1).is_some_and(|word| {
            word.kind != Kind::Value
                && word.preposition.is_none()
                && !Lexicon::english().is_among(&word.stem, &MEASURES)
        });
        if label && predicate { count + 1 } else { count }
    }

    /// The stance towards the word at `index`: that of the nearest word of stance before it.
    fn stance_over(&self, index: usize) -> i8 {
        let from = index.saturating_sub(8);
        self.words[from..=index].iter().rev().map(|word| word.stance).find(|stance| *stance != 0).unwrap_or(0)
    }

    /// Whether the words from `a` to `b` are members of one list.
    fn in_one_list(&self, a: usize, b: usize) -> bool {
        self.words[a + 1..=b].iter().all(|word| word.listed)
    }
}

/// Prepositions that give what follows them a part of its own.
fn binds(preposition: Option<&str>) -> bool {
    matches!(
        preposition,
        Some("from" | "to" | "into" | "onto" | "before" | "after" | "over" | "than" | "under" | "above")
    )
}

fn is_hint(word: &Word) -> bool {
    matches!(&*word.stem, "now" | "new" | "current" | "chang" | "move" | "updat" | "longer" | "anymor" | "start")
}

fn equal(a: &Word, b: &Word) -> bool {
    (a.kind == Kind::Value) == (b.kind == Kind::Value) && a.stem == b.stem
}

fn related(a: &Word, b: &Word) -> bool {
    let lexicon = Lexicon::english();
    if a.kind == Kind::Value || b.kind == Kind::Value || lexicon.opposed(&a.stem, &b.stem) {
        return false;
    }
    let free = !a.capital && !b.capital;
    lexicon.one_side(&a.stem, &b.stem) || lexicon.synonymous(&a.stem, &b.stem) || (free && derived(&a.stem, &b.stem))
}

/// Pairs words in other clothes by their vectors, where few enough are left over for it to matter.
fn match_clothes(
    old: &Statement,
    new: &Statement,
    pairs: &mut [Option<usize>],
    taken: &mut [bool],
    model: &StaticModel,
) {
    let free = |word: &Word| word.kind == Kind::Plain && !word.capital && word.text.len() > 3;
    let left = |words: &[Word], open: &dyn Fn(usize) -> bool| -> Vec<(usize, Vec<f32>)> {
        let open = words.iter().enumerate().filter(|(i, word)| open(*i) && free(word)).take(CLOTHES + 1);
        open.map(|(i, word)| (i, model.pooled(&model.tokens(&word.text)))).collect()
    };
    let (old_left, new_left) = (left(&old.words, &|i| pairs[i].is_none()), left(&new.words, &|i| !taken[i]));
    if old_left.len().max(new_left.len()) > CLOTHES {
        return;
    }
    for (i, vector) in old_left {
        let alike = |other: &[f32]| vector.iter().zip(other).map(|(x, y)| x * y).sum::<f32>() >= SAME_WORD;
        if let Some((j, _)) = new_left.iter().find(|(j, other)| !taken[*j] && alike(other)) {
            pairs[i] = Some(*j);
            taken[*j] = true;
        }
    }
}

/// Whether one stem is the other with an ending that makes another kind of word of it: `own` and `owner`.
fn derived(a: &str, b: &str) -> bool {
    const ENDINGS: [&str; 18] = [
        "er", "or", "i", "ic", "ion", "tion", "ment", "al", "y", "ous", "anc", "enc", "abl", "ist", "ness", "iti",
        "at", "ation",
    ];
    let common = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    if common < 3 || !a.is_char_boundary(common) || !b.is_char_boundary(common) {
        return false;
    }
    let ends = |rest: &str| rest.is_empty() || ENDINGS.contains(&rest);
    let (a_rest, b_rest) = (&a[common..], &b[common..]);
    ends(a_rest) && ends(b_rest) && (common >= 5 || a_rest.is_empty() || b_rest.is_empty())
}
