//! Which word of one statement stands for which of another.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::{
    resolve::{
        base::is_another,
        lexicon::Lexicon,
        statement::{Kind, Statement, Word},
    },
    static_model::StaticModel,
};

/// Cosine of two words' vectors from which they count as one word in other clothes. High on purpose: at 0.8 weekdays
/// and given names are alike too.
const SAME_WORD: f32 = 0.86;

/// The same where one is made of the other by an ending, as `deployment` of `deploy`: most such pairs are over 0.6, while
/// those that merely look alike (`police` and `policy`, `general` and `generate`) are under 0.45.
const SAME_FAMILY: f32 = 0.55;

/// Words left over on a side, at most, for which other clothes are looked for. With more, the texts differ.
const CLOTHES: usize = 4;

/// The same for synonyms and related forms.
const RELATED: usize = 32;

/// For each word of `old` its counterpart in `new`, and which words of `new` have one.
pub(super) fn pair_up(
    new: &Statement,
    old: &Statement,
    model: Option<&StaticModel>,
) -> (Vec<Option<usize>>, Vec<bool>) {
    let mut taken = vec![false; new.words.len()];
    // The strictest match first, so that a loose one never takes a word that another needs.
    let mut places: FxHashMap<(bool, &str), VecDeque<usize>> = FxHashMap::default();
    for (i, word) in new.words.iter().enumerate() {
        places.entry(word.key()).or_default().push_back(i);
    }
    let equal = old.words.iter().map(|word| places.get_mut(&word.key()).and_then(VecDeque::pop_front));
    let mut pairs: Vec<Option<usize>> = equal.collect();
    for (i, pair) in pairs.iter_mut().enumerate() {
        *pair = pair.filter(|&j| !other_name((old, i), (new, j)));
    }
    pairs.iter().flatten().for_each(|&i| taken[i] = true);
    let left = |pairs: &[Option<usize>]| pairs.iter().filter(|pair| pair.is_none()).count();
    let open = new.words.len() + left(&pairs) - old.words.len();
    if open.max(left(&pairs)) <= RELATED {
        for (at, (word, pair)) in old.words.iter().zip(&mut pairs).enumerate().filter(|(_, (_, pair))| pair.is_none()) {
            *pair = (0..new.words.len())
                .find(|&i| !taken[i] && related(word, &new.words[i]) && !other_name((old, at), (new, i)));
            pair.iter().for_each(|&i| taken[i] = true);
        }
        if let Some(model) = model {
            match_clothes(old, new, &mut pairs, &mut taken, model);
        }
    }
    (pairs, taken)
}

/// Whether two words with one base are two all the same, as two names are: `William` and `Williams`. Where a sentence
/// starts, any word has a capital letter, but the plural of a thing would change the verb.
fn other_name((old, i): (&Statement, usize), (new, j): (&Statement, usize)) -> bool {
    let (a, b) = (&old.words[i], &new.words[j]);
    if other_case(a, b) {
        return true;
    }
    if a.base == b.base && a.kind != Kind::Value && is_another(&a.text, &b.text) {
        return true;
    }
    let day = || Lexicon::english().is_among(&a.base, &["monday", "januari"]);
    if a.text == b.text
        || a.base != b.base
        || a.kind == Kind::Value
        || a.code
        || a.text.len().min(b.text.len()) < 4
        || day()
    {
        return false;
    }
    let verb = |statement: &'_ Statement, at: usize| -> Option<Box<str>> {
        let next = statement.words.get(at + 1)?;
        (next.place == statement.words[at].place + 1 && next.text.ends_with('s')).then(|| next.text.clone())
    };
    let subject = a.capital_anywhere && b.capital_anywhere && verb(old, i).is_some_and(|one| Some(one) == verb(new, j));
    a.capital && b.capital || subject
}

/// Whether two words differ in the case of their letters where that matters: in a password, a path, an identifier, a
/// code. `Q3` is `q3` all the same.
fn other_case(a: &Word, b: &Word) -> bool {
    if a.raw == b.raw || a.text != b.text {
        return false;
    }
    let has = |word: &Word, test: fn(char) -> bool| word.raw.contains(test);
    let mixed = |word: &Word| has(word, char::is_lowercase) && has(word, char::is_uppercase);
    let code = has(a, |c| c.is_ascii_digit()) && (mixed(a) || mixed(b));
    a.code || b.code || a.secret && b.secret && a.preposition.is_none() || code
}

fn related(a: &Word, b: &Word) -> bool {
    let lexicon = Lexicon::english();
    if a.kind == Kind::Value || b.kind == Kind::Value || a.code || b.code || lexicon.opposed(&a.base, &b.base) {
        return false;
    }
    let joined = |word: &Word| word.base.replace('-', "");
    (a.base.contains('-') || b.base.contains('-')) && joined(a) == joined(b)
        || lexicon.one_side(&a.base, &b.base)
        || lexicon.synonymous(&a.base, &b.base)
}

/// Pairs words in other clothes by their vectors, where few enough are left over for it to matter.
fn match_clothes(
    old: &Statement,
    new: &Statement,
    pairs: &mut [Option<usize>],
    taken: &mut [bool],
    model: &StaticModel,
) {
    let free = |word: &Word| {
        word.kind == Kind::Plain && !word.capital && !word.code && word.text.len() > 2 && {
            word.text.chars().all(|c| c.is_alphabetic() || c == '\'')
        }
    };
    let left = |words: &[Word], open: &dyn Fn(usize) -> bool| -> Vec<(usize, Vec<f32>)> {
        let open = words.iter().enumerate().filter(|(i, word)| open(*i) && free(word)).take(CLOTHES + 1);
        open.map(|(i, word)| (i, model.pooled(&model.tokens(&word.text)))).collect()
    };
    let (old_left, new_left) = (left(&old.words, &|i| pairs[i].is_none()), left(&new.words, &|i| !taken[i]));
    if old_left.len().max(new_left.len()) > CLOTHES {
        return;
    }
    for (i, vector) in old_left {
        let word = &old.words[i];
        let alike = |j: usize, other: &[f32]| {
            let (other_word, short) = (&new.words[j], word.text.len() < 4);
            // Where both sentences start, either may be a name: `Anne`, `Ann`.
            if word.capital_anywhere && other_word.capital_anywhere {
                return false;
            }
            let cosine = vector.iter().zip(other).map(|(x, y)| x * y).sum::<f32>();
            cosine >= SAME_WORD && !short && other_word.text.len() > 3
                || cosine >= SAME_FAMILY && derived(word, other_word)
        };
        if let Some((j, _)) = new_left.iter().find(|(j, other)| !taken[*j] && alike(*j, other)) {
            pairs[i] = Some(*j);
            taken[*j] = true;
        }
    }
}

/// Whether one word looks like the other with an ending that makes another kind of word of it: `own` and `owner`. So do
/// `general` and `generate`, so that this is not enough.
fn derived(a: &Word, b: &Word) -> bool {
    if Lexicon::is_whole(&a.text) || Lexicon::is_whole(&b.text) {
        return false;
    }
    let (a, b) = (&*a.stem, &*b.stem);
    const ENDINGS: [&str; 18] = [
        "er", "or", "i", "ic", "ion", "tion", "ment", "al", "y", "ous", "anc", "enc", "abl", "ist", "ness", "iti",
        "at", "ation",
    ];
    if a == b {
        return true;
    }
    let common = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    if common < 3 || !a.is_char_boundary(common) || !b.is_char_boundary(common) {
        return false;
    }
    let ends = |rest: &str| rest.is_empty() || ENDINGS.contains(&rest);
    let (a_rest, b_rest) = (&a[common..], &b[common..]);
    ends(a_rest) && ends(b_rest) && (common >= 5 || a_rest.is_empty() || b_rest.is_empty())
}
