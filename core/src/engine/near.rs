//! What is near a memory in its scope, for resolution and consolidation.

use rustc_hash::FxHashSet;

use crate::{
    engine::{Engine, state},
    late::Matcher,
    order,
    partition::Partition,
    rank,
    record::Memory,
    resolve::{self, Near, Statement, Terms, Verdict},
    terms::{self, QueryTerm},
    vector_index::QueryVector,
};

/// How many of a text's rarest terms are looked up for restatements.
const RARE_TERMS: usize = 4;
/// Terms that more memories than this have are passed over there.
const COMMON: usize = 512;

impl Engine {
    /// The current memories most like `draft`, best first; equal ones by id.
    pub(super) fn near<'p>(&self, partition: &'p Partition, draft: &Memory) -> Vec<Near<'p>> {
        let limit = self.config.resolution.candidates;
        let query = terms::query_terms(&draft.content);
        let lexical = partition.lexical.score(&query, &self.config.recall);
        // A record of an agent's work is brought up to date by its own operation alone.
        let is_record = |slot: u32| partition.memory(slot).is_some_and(state::is_tracked);
        let is_current = |slot: u32| partition.is_current(slot) && !is_record(slot);
        let mut slots = FxHashSet::default();
        let mut best = Best::new(limit);
        for &slot in &lexical.touched {
            best.offer(slot, lexical.score(slot), is_current);
        }
        slots.extend(best.finish(partition));
        let tokens = self.model.as_deref().map(|model| (model, model.tokens(&draft.content)));
        if let Some((model, tokens)) = &tokens {
            let vector = QueryVector::new(&model.pooled(tokens));
            let mut best = Best::new(limit);
            partition.pooled.scan(&vector, |slot, cosine| best.offer(slot, f64::from(cosine), is_current));
            slots.extend(best.finish(partition));
        }
        let statement = Statement::parse(&draft.content);
        let mut matcher = tokens.as_ref().map(|(model, tokens)| Matcher::new(model, tokens));
        let mut near: Vec<Near<'p>> = slots
            .into_iter()
            .filter_map(|slot| {
                let memory = partition.memory(slot)?;
                let same_author = draft.author == memory.author;
                let by_tokens = matcher
                    .as_mut()
                    .filter(|matcher| self.knows_script(&statement, matcher))
                    .map(|matcher| matcher.similarity(partition.content_tokens(slot)));
                // What another said, or what is far off, is another fact whatever its words: they need not be read.
                if let Some(similarity) = by_tokens
                    && !self.terms(similarity, same_author).decides(&statement)
                {
                    return Some(Near::distinct(slot, memory, similarity));
                }
                let other = Statement::parse(&memory.content);
                let similarity = by_tokens.unwrap_or_else(|| resolve::word_similarity(&statement, &other));
                let terms = self.terms(similarity, same_author);
                Some(Near::new(slot, memory, &statement, &other, &terms))
            })
            .collect();
        order::sort_by(&mut near, |a, b| rank::order((a.similarity, &a.memory.id), (b.similarity, &b.memory.id)));
        near.truncate(limit);
        near
    }

    /// The slots of current memories that say the same as the one in `slot`, in no particular order.
    pub(crate) fn restatements(&self, partition: &Partition, slot: u32, memory: &Memory) -> Vec<u32> {
        let mut query = terms::query_terms(&memory.content);
        let frequency = |term: &QueryTerm| partition.lexical.document_frequency(&term.term);
        order::sort_by(&mut query, |a, b| (frequency(a), &a.term).cmp(&(frequency(b), &b.term)));
        query.retain(|term| (2..=COMMON).contains(&frequency(term)));
        query.truncate(RARE_TERMS);
        let lexical = partition.lexical.score(&query, &self.config.recall);
        let mut best = Best::new(self.config.resolution.candidates);
        for &other in &lexical.touched {
            best.offer(other, lexical.score(other), |other| other != slot);
        }
        let mut sameness = Sameness::new(self, partition, slot, memory);
        let mut found = best.finish(partition);
        found.retain(|&other| partition.memory(other).is_some_and(|far| sameness.with(other, far).is_some()));
        found
    }

    /// Whether the token table can carry the similarity: it knows Latin script.
    fn knows_script(&self, statement: &Statement, matcher: &Matcher<'_>) -> bool {
        !matcher.is_empty() && statement.is_latin()
    }

    fn terms(&self, similarity: f64, same_author: bool) -> Terms<'_> {
        Terms { similarity, same_author, model: self.model.as_deref(), config: &self.config.resolution }
    }
}

/// One memory, ready to be told how alike others are that could go into it.
pub(crate) struct Sameness<'p> {
    engine: &'p Engine,
    partition: &'p Partition,
    memory: &'p Memory,
    statement: Statement,
    matcher: Option<Matcher<'p>>,
}

impl<'p> Sameness<'p> {
    /// With the memory in `slot`.
    pub(crate) fn new(engine: &'p Engine, partition: &'p Partition, slot: u32, memory: &'p Memory) -> Self {
        let statement = Statement::parse(&memory.content);
        let matcher = engine.model.as_deref().map(|model| Matcher::new(model, partition.content_tokens(slot)));
        let matcher = matcher.filter(|matcher| engine.knows_script(&statement, matcher));
        Self { engine, partition, memory, statement, matcher }
    }

    /// How alike the memory in `slot` is, if one may go into the other.
    pub(crate) fn with(&mut self, slot: u32, memory: &Memory) -> Option<f64> {
        let least = self.engine.config.resolution.consolidate;
        let same_author = self.memory.author == memory.author;
        let is_record = state::is_tracked(self.memory) || state::is_tracked(memory);
        if !self.memory.state.is_current() || !memory.state.is_current() || !same_author || is_record {
            return None;
        }
        let by_tokens = self.matcher.as_mut().map(|matcher| matcher.similarity(self.partition.content_tokens(slot)));
        // What is far off need not be read.
        if by_tokens.is_some_and(|similarity| similarity < least) {
            return None;
        }
        let other = Statement::parse(&memory.content);
        let similarity = by_tokens.unwrap_or_else(|| resolve::word_similarity(&self.statement, &other));
        let verdict = resolve::judge(&self.statement, &other, &self.engine.terms(similarity, same_author));
        let same = matches!(verdict, Verdict::Same | Verdict::Restated);
        (same && similarity >= least).then_some(similarity)
    }
}

/// The slots with the highest scores.
struct Best {
    limit: usize,
    scored: Vec<(f64, u32)>,
    bar: f64,
    /// How many to gather before the next cut.
    full: usize,
}

impl Best {
    fn new(limit: usize) -> Self {
        Self { limit, scored: Vec::new(), bar: 0.0, full: 4 * limit }
    }

    fn offer(&mut self, slot: u32, score: f64, admit: impl Fn(u32) -> bool) {
        if score <= 0.0 || score < self.bar || !admit(slot) {
            return;
        }
        self.scored.push((score, slot));
        if self.scored.len() >= self.full {
            // Equal scores all stay until the end, where ids decide; doubling keeps many of them from being sorted at
            // each offer.
            self.scored.select_nth_unstable_by(self.limit - 1, |a, b| b.0.total_cmp(&a.0));
            self.bar = self.scored[self.limit - 1].0;
            self.scored.retain(|(score, _)| *score >= self.bar);
            self.full = (2 * self.scored.len()).max(4 * self.limit);
        }
    }

    fn finish(mut self, partition: &Partition) -> Vec<u32> {
        let id = |slot: u32| partition.id(slot).expect("a scored slot is in use");
        order::sort_by(&mut self.scored, |a, b| rank::order((a.0, id(a.1)), (b.0, id(b.1))));
        self.scored.into_iter().take(self.limit).map(|(_, slot)| slot).collect()
    }
}
