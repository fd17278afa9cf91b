//! The lexical index: BM25 (Robertson & Zaragoza 2009) over our own postings.
//!
//! score(d, q) = sum over the terms t of q of idf(t) x tf x (k1 + 1) / (tf + k1 x (1 - b + b x length(d) / average)),
//! idf(t) = ln(1 + (N - df + 0.5) / (df + 0.5)); N memories, df of them with t. This is the weighting of the `bm25`
//! crate, which a test compares with. That crate fixes the average length when built; here it is the exact quotient
//! of two integers, so that a store that grew and one that was reopened score alike.

use rustc_hash::FxHashMap;

use crate::{
    config::RecallConfig,
    terms::{Purpose, QueryTerm, Term, analyze, is_stop_word, stem},
};

/// Where a term occurs.
#[derive(Clone, Copy, Debug)]
struct Posting {
    slot: u32,
    count: u32,
}

/// What a word is to the index.
#[derive(Clone, Copy, Debug)]
struct Word {
    term: u32,
    /// Whether it counts towards a text's length, as all but stop words do.
    counts: bool,
    /// How often it stands in the texts. A word that is in none of them any more is forgotten.
    uses: u32,
}

/// Postings of one scope.
#[derive(Debug, Default)]
pub struct LexicalIndex {
    /// A term's number.
    terms: FxHashMap<Box<str>, u32>,
    /// Stemming is the dear part of indexing: what a word was found to be is kept.
    words: FxHashMap<Box<str>, Word>,
    /// By term number: sorted by slot.
    postings: Vec<Vec<Posting>>,
    /// Numbers of terms that are in no text any more.
    free: Vec<u32>,
    /// By slot: terms that count towards length; 0 for none.
    lengths: Vec<u32>,
    /// How many texts are indexed.
    count: u64,
    /// The sum of their lengths.
    total: u64,
    /// Scratch: the terms of the text at hand.
    scratch: Vec<u32>,
}

/// The scores of a query, by slot.
pub struct LexicalScores<'i> {
    index: &'i LexicalIndex,
    scores: Vec<f32>,
    /// For each slot how often it has each term, up to 255.
    counts: Vec<u8>,
    /// What each term weighs in a score.
    weights: Vec<f64>,
    flat: f64,
    per_length: f64,
    /// The slots with a score above 0, in no particular order.
    pub touched: Vec<u32>,
}

impl LexicalScores<'_> {
    /// The score of the text of `slot` read together with those beside it, which count by their weights: BM25 over the
    /// sums of their counts and lengths. 0..=1.
    #[must_use]
    pub fn in_context(&self, slot: u32, beside: impl Iterator<Item = (u32, f64)> + Clone) -> f64 {
        let all = || std::iter::once((slot, 1.0)).chain(beside.clone());
        let length = |slot: u32| self.index.lengths.get(slot as usize).copied().unwrap_or(0);
        let (length, parts) = all()
            .fold((0.0, 0.0), |(sum, parts), (slot, weight)| (sum + weight * f64::from(length(slot)), parts + weight));
        let width = self.weights.len();
        let mut score = 0.0;
        for (term, weight) in self.weights.iter().enumerate() {
            let count: f64 = all()
                .map(|(slot, share)| {
                    share * f64::from(self.counts.get(slot as usize * width + term).copied().unwrap_or(0))
                })
                .sum();
            if count > 0.0 {
                score += weight * count / (count + self.flat + self.per_length * length / parts);
            }
        }
        score
    }

    /// The slot's score over the best that the query could reach, 0..=1.
    #[must_use]
    pub fn score(&self, slot: u32) -> f64 {
        self.scores.get(slot as usize).copied().map_or(0.0, f64::from)
    }
}

/// A query's terms, with what each tells and where it is.
pub struct Coverage<'i> {
    terms: Vec<(f64, &'i [Posting])>,
    total: f64,
}

impl Coverage<'_> {
    /// How much of what the query asks for the memory in `slot` has: the share of the terms it has, weighted by how
    /// much each tells; 0..=1. Unlike a score it does not fall with the memory's length.
    #[must_use]
    pub fn of(&self, slot: u32) -> f64 {
        let has = |postings: &[Posting]| postings.binary_search_by_key(&slot, |posting| posting.slot).is_ok();
        let found = self.terms.iter().filter(|(_, postings)| has(postings));
        let found = found.fold(0.0, |found, (weight, _)| found + weight);
        if self.total > 0.0 { found / self.total } else { 0.0 }
    }
}

impl LexicalIndex {
    /// Indexes `text` as `slot`, which must not be indexed yet.
    pub fn insert(&mut self, slot: u32, text: &str) {
        let length = self.collect(text);
        let mut terms = std::mem::take(&mut self.scratch);
        terms.sort_unstable();
        for run in terms.chunk_by(|a, b| a == b) {
            let postings = &mut self.postings[run[0] as usize];
            let posting = Posting { slot, count: run.len() as u32 };
            match postings.last() {
                Some(last) if last.slot >= slot => {
                    let at = postings.partition_point(|known| known.slot < slot);
                    postings.insert(at, posting);
                }
                _ => postings.push(posting),
            }
        }
        self.scratch = terms;
        if self.lengths.len() <= slot as usize {
            self.lengths.resize(slot as usize + 1, 0);
        }
        self.lengths[slot as usize] = length;
        self.count += 1;
        self.total += u64::from(length);
    }

    /// Takes `slot` out again; `text` must be what it was indexed with. A word that no other text has leaves no trace.
    pub fn remove(&mut self, slot: u32, text: &str) {
        let Self { terms, words, postings, free, .. } = self;
        let mut length = 0;
        let mut leave = |terms: &mut FxHashMap<Box<str>, u32>, term: &str| {
            let Some(&number) = terms.get(term) else { return };
            let postings = &mut postings[number as usize];
            if let Ok(at) = postings.binary_search_by_key(&slot, |posting| posting.slot) {
                postings.remove(at);
            }
            if postings.is_empty() {
                *postings = Vec::new();
                terms.remove(term);
                free.push(number);
            }
        };
        analyze(text, Purpose::Index, |term| match term {
            Term::Word(word) => {
                if let Some(known) = words.get_mut(word) {
                    length += u32::from(known.counts);
                    known.uses -= 1;
                    if known.uses == 0 {
                        words.remove(word);
                    }
                }
                leave(terms, &stem(word));
            }
            Term::Exact(text) => {
                length += 1;
                leave(terms, text);
            }
        });
        self.lengths[slot as usize] = 0;
        self.count -= 1;
        self.total -= u64::from(length);
    }

    /// How many memories there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count as usize
    }

    /// How many memories have `term`.
    #[must_use]
    pub fn document_frequency(&self, term: &str) -> usize {
        self.terms.get(term).map_or(0, |&number| self.postings[number as usize].len())
    }

    /// How much a term tells, > 0: most for one that no memory has.
    #[must_use]
    pub fn idf(&self, term: &str) -> f64 {
        idf(self.count, self.document_frequency(term) as u64)
    }

    /// Scores every memory that has a term of `query`.
    #[must_use]
    pub fn score(&self, query: &[QueryTerm], config: &RecallConfig) -> LexicalScores<'_> {
        let per_length = config.k1 * config.b * self.count as f64 / (self.total.max(1)) as f64;
        let flat = config.k1 * (1.0 - config.b);
        let mut found = LexicalScores {
            index: self,
            scores: vec![0.0; self.lengths.len()],
            counts: Vec::new(),
            weights: Vec::new(),
            flat,
            per_length,
            touched: Vec::new(),
        };
        let best: f64 = query.iter().map(|term| self.idf(&term.term)).sum::<f64>() * (config.k1 + 1.0);
        if best == 0.0 || self.count == 0 {
            return found;
        }
        found.counts = vec![0; self.lengths.len() * query.len()];
        for (place, term) in query.iter().enumerate() {
            let number = self.terms.get(&term.term);
            let postings = number.map_or(&[][..], |&number| &self.postings[number as usize]);
            let weight = idf(self.count, postings.len() as u64) * (config.k1 + 1.0) / best;
            found.weights.push(weight);
            for posting in postings {
                found.counts[posting.slot as usize * query.len() + place] = posting.count.min(255) as u8;
                let count = f64::from(posting.count);
                let length = f64::from(self.lengths[posting.slot as usize]);
                let score = &mut found.scores[posting.slot as usize];
                if *score == 0.0 {
                    found.touched.push(posting.slot);
                }
                *score += (weight * count / (count + flat + per_length * length)) as f32;
            }
        }
        found
    }

    /// The terms of `query`, looked up: for telling of one memory after the other how much of them it has.
    #[must_use]
    pub fn coverage(&self, query: &[QueryTerm]) -> Coverage<'_> {
        /// Memories imagined beside the real ones, so that in a small scope a word that is missing does not outweigh
        /// all that are there.
        const IMAGINED: u64 = 1_000;
        let term = |term: &QueryTerm| {
            let postings = self.terms.get(&term.term).map_or(&[][..], |&number| &self.postings[number as usize]);
            (idf(self.count + IMAGINED, postings.len() as u64), postings)
        };
        let terms: Vec<_> = query.iter().map(term).collect();
        let total = terms.iter().fold(0.0, |total, (weight, _)| total + weight);
        Coverage { terms, total }
    }

    /// Puts the term numbers of `text` into `scratch`; returns its length for BM25.
    fn collect(&mut self, text: &str) -> u32 {
        let Self { terms, words, postings, free, scratch, .. } = self;
        scratch.clear();
        let mut length = 0;
        let mut number = |term: &str| {
            if let Some(&known) = terms.get(term) {
                return known;
            }
            let new = free.pop().unwrap_or_else(|| {
                postings.push(Vec::new());
                postings.len() as u32 - 1
            });
            terms.insert(term.into(), new);
            new
        };
        analyze(text, Purpose::Index, |term| match term {
            Term::Word(word) => {
                let known = match words.get_mut(word) {
                    Some(known) => known,
                    None => {
                        let new = Word { term: number(&stem(word)), counts: !is_stop_word(word), uses: 0 };
                        words.entry(word.into()).or_insert(new)
                    }
                };
                known.uses += 1;
                length += u32::from(known.counts);
                scratch.push(known.term);
            }
            Term::Exact(text) => {
                length += 1;
                scratch.push(number(text));
            }
        });
        length
    }
}

fn idf(count: u64, frequency: u64) -> f64 {
    libm::log(1.0 + (count as f64 - frequency as f64 + 0.5).max(0.0) / (frequency as f64 + 0.5))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::query_terms;

    const TEXTS: [&str; 5] = [
        "The deploy script restarts nginx twice",
        "nginx nginx nginx logs to journald",
        "Lunch with Priya on Thursday about the roadmap and the deploy freeze in December",
        "PostgreSQL vacuum runs at night",
        "deploy",
    ];

    #[test]
    fn weights_are_those_of_the_bm25_crate() {
        // Its tokenizer is a trait: ours goes in, so that the weighting alone is compared.
        #[derive(Default)]
        struct Ours;
        impl bm25::Tokenizer for Ours {
            fn tokenize(&self, text: &str) -> Vec<String> {
                let mut found = Vec::new();
                analyze(text, Purpose::Index, |term| {
                    if let Term::Word(word) = term
                        && !is_stop_word(word)
                    {
                        found.push(stem(word).into_owned());
                    }
                });
                found
            }
        }
        let lengths: Vec<usize> = TEXTS.iter().map(|text| bm25::Tokenizer::tokenize(&Ours, text).len()).collect();
        let average = lengths.iter().sum::<usize>() as f32 / lengths.len() as f32;
        let config = RecallConfig::default();
        let embedder = bm25::EmbedderBuilder::<u32, Ours>::with_avgdl(average)
            .k1(config.k1 as f32)
            .b(config.b as f32)
            .tokenizer(Ours)
            .build();
        let mut scorer = bm25::Scorer::<usize>::new();
        let mut index = LexicalIndex::default();
        for (slot, text) in TEXTS.iter().enumerate() {
            scorer.upsert(&slot, embedder.embed(text));
            index.insert(slot as u32, text);
        }
        for query in ["deploy nginx", "roadmap", "vacuum night deploy", "nginx"] {
            let terms = query_terms(query);
            let best: f64 = terms.iter().map(|term| index.idf(&term.term)).sum::<f64>() * (config.k1 + 1.0);
            let ours = index.score(&terms, &config);
            for slot in 0..TEXTS.len() {
                let theirs = scorer.score(&slot, &embedder.embed(query)).unwrap_or(0.0);
                let mine = ours.score(slot as u32) * best;
                assert!((mine - f64::from(theirs)).abs() < 1e-5, "{query} {slot}: {mine} {theirs}");
            }
        }
    }

    #[test]
    fn removal_leaves_no_trace() {
        let config = RecallConfig::default();
        let mut lived = LexicalIndex::default();
        for (slot, text) in TEXTS.iter().enumerate() {
            lived.insert(slot as u32, text);
        }
        lived.remove(1, TEXTS[1]);
        lived.remove(4, TEXTS[4]);
        lived.insert(1, "nginx is gone");
        let mut fresh = LexicalIndex::default();
        for (slot, text) in [(3, TEXTS[3]), (0, TEXTS[0]), (1, "nginx is gone"), (2, TEXTS[2])] {
            fresh.insert(slot, text);
        }
        let words = |index: &LexicalIndex| {
            let mut words: Vec<_> = index.words.iter().map(|(word, known)| (word.clone(), known.uses)).collect();
            words.sort();
            let mut terms: Vec<_> = index.terms.keys().cloned().collect();
            terms.sort();
            (words, terms)
        };
        assert_eq!(words(&lived), words(&fresh));
        for query in ["deploy nginx", "journald", "gone"] {
            let (a, b) = (lived.score(&query_terms(query), &config), fresh.score(&query_terms(query), &config));
            for slot in 0..5 {
                assert_eq!(a.score(slot), b.score(slot), "{query} {slot}");
            }
        }
    }
}
