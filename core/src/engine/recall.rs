//! Recall: candidates from every index, graph expansion, evidence, ranking, tiers, and reinforcement of what was found.

mod expand;
mod reinforce;
mod shortlist;

use std::{cmp::Ordering, collections::BTreeMap};

use rustc_hash::FxHashSet;

use crate::{
    change::{Operation, Staged},
    engine::{Engine, checked, recall::shortlist::Shortlist, scope_or_default},
    error::Error,
    label::{Label, MemoryId, Scope},
    late::Matcher,
    lexical::{Coverage, LexicalScores},
    limits,
    operation::{Hit, Profile, RecallInput, Recalled, Score},
    partition::Partition,
    rank::{self, Evidence},
    record::{Memory, State, Tier},
    retention::Retention,
    static_model::StaticModel,
    terms::{self, Purpose, QueryTerm, Term},
    time::{Moment, Timestamp},
    vector_index::{QueryVector, VectorIndex},
};

impl Engine {
    /// Finds the memories that answer a query, best first, and says why each surfaced. What was found is reinforced, as
    /// are the edges it came by, unless the input says `peek` or `as_of`.
    ///
    /// # Errors
    /// An argument out of bounds: [`Error::Blank`], [`Error::TooLong`], [`Error::OutOfRange`],
    /// [`Error::UnknownValue`], [`Error::BadName`], [`Error::WrongDimension`].
    pub fn stage_recall(&self, input: &RecallInput, moment: Moment) -> Result<Staged<Recalled>, Error> {
        let Moment { now, .. } = checked(moment)?;
        let request = Request::parse(self, input, now)?;
        let Some(partition) = self.partition(&request.scope) else {
            return Ok(self.stage(Operation::Recall, now, Recalled::default(), Vec::new()));
        };
        let search = Search::new(self, partition, &request);
        let mut recalled = search.run();
        if let Some(notice) = search.notice() {
            recalled.notices.push(notice);
        }
        let changes = if input.peek || input.as_of.is_some() {
            Vec::new()
        } else {
            reinforce::changes(partition, &recalled.hits, now)
        };
        Ok(self.stage(Operation::Recall, now, recalled, changes))
    }
}

/// A checked input.
struct Request<'a> {
    scope: Scope,
    query: &'a str,
    k: usize,
    depth: Option<Tier>,
    kinds: Vec<Label>,
    tags: &'a [String],
    min_score: f64,
    /// The instant that memories are judged at.
    at: Timestamp,
    /// Whether memories are taken as they stood at `at`.
    as_of: bool,
    profile: Profile,
    embedding: Option<crate::vector::Embedding>,
}

impl<'a> Request<'a> {
    fn parse(engine: &Engine, input: &'a RecallInput, now: Timestamp) -> Result<Self, Error> {
        let scope = scope_or_default(input.scope.as_deref())?;
        limits::length("query", &input.query, limits::QUERY_BYTES)?;
        limits::count("kinds", input.kinds.len(), limits::TAGS)?;
        limits::count("tags", input.tags.len(), limits::TAGS)?;
        let config = &engine.config.recall;
        Ok(Self {
            query: &input.query,
            k: input.k.map_or(config.k, |k| k.clamp(1, limits::RESULTS as i64) as usize),
            depth: input.depth.as_deref().map(|depth| Tier::parse("depth", depth)).transpose()?,
            kinds: input.kinds.iter().map(|kind| Label::parse("kinds", kind)).collect::<Result<_, _>>()?,
            tags: &input.tags,
            min_score: input.min_score.map_or(Ok(config.min_score), |score| limits::unit("min_score", score))?,
            at: input.as_of.map_or(Ok(now), |at| limits::instant("as_of", at))?,
            as_of: input.as_of.is_some(),
            profile: input.profile,
            embedding: engine.embedding(&scope, input.embedding.as_ref())?,
            scope,
        })
    }

    /// Whether a memory may be among the hits, its tier apart.
    fn admits(&self, memory: &Memory) -> bool {
        let current = if self.as_of {
            let ended = match &memory.state {
                State::Superseded { at, .. } => *at <= self.at,
                _ => false,
            };
            memory.valid_from <= self.at && !ended
        } else {
            memory.state.is_current()
        };
        current
            && (self.kinds.is_empty() || self.kinds.contains(&memory.kind))
            && self.tags.iter().all(|tag| memory.tags.iter().any(|own| **own == **tag))
    }

    /// Whether a memory in a tier that is not in reach may fill in. What was put away by hand comes only when asked for.
    fn fills(&self, memory: &Memory, tier: Tier) -> bool {
        self.depth.is_none() && tier == Tier::Cold && !matches!(memory.state, State::Archived { .. })
    }
}

/// A memory that may answer.
struct Candidate<'a> {
    slot: u32,
    memory: &'a Memory,
    evidence: Evidence,
    /// Whether the evidence has the dear parts too: tokens and support.
    complete: bool,
    score: Score,
    /// The slots from a direct match to this memory, where the graph speaks for it.
    path: Vec<u32>,
}

struct Search<'a> {
    engine: &'a Engine,
    partition: &'a Partition,
    request: &'a Request<'a>,
    retention: Retention<'a>,
    terms: Vec<QueryTerm>,
    lexical: LexicalScores,
    coverage: Coverage<'a>,
    /// The slots of memories that the query names by id.
    named: Vec<u32>,
    /// The query in the static model's terms.
    tokens: Option<(&'a StaticModel, Vec<crate::wordpiece::TokenId>)>,
    /// The query's vector in the index that is used.
    vector: Option<(QueryVector, &'a VectorIndex)>,
    /// Whether it is one of the host's own model.
    host_vector: bool,
}

impl<'a> Search<'a> {
    fn new(engine: &'a Engine, partition: &'a Partition, request: &'a Request<'a>) -> Self {
        let terms = terms::query_terms(request.query);
        let lexical = partition.lexical.score(&terms, &engine.config.recall);
        let coverage = partition.lexical.coverage(&terms);
        let tokens = engine.model.as_deref().map(|model| (model, model.tokens(request.query)));
        let embedded = request.embedding.as_ref().and_then(|embedding| {
            let index = partition.embedded.get(&(embedding.model.clone(), embedding.values.len()))?;
            Some((QueryVector::quantised(&embedding.values, embedding.scale), index))
        });
        let host_vector = embedded.is_some();
        let vector = embedded.or_else(|| {
            let (model, tokens) = tokens.as_ref()?;
            Some((QueryVector::new(&model.pooled(tokens)), &partition.pooled))
        });
        let retention = Retention::new(partition, &engine.config, request.at);
        let named = named(partition, request.query);
        Self { engine, partition, request, retention, terms, lexical, coverage, named, tokens, vector, host_vector }
    }

    fn run(&self) -> Recalled {
        let mut matcher = self.tokens.as_ref().map(|(model, tokens)| Matcher::new(model, tokens));
        let mut candidates = self.direct(&mut matcher);
        self.expand(&mut candidates);
        let config = &self.engine.config.recall;
        let (mut near, mut deep) = (Vec::new(), Vec::new());
        for mut candidate in candidates.into_values() {
            candidate.score = candidate.evidence.score(self.request.profile, config);
            // What an edge leads to answers as it is. How well its tokens fit is dear to know, and can wait.
            if candidate.evidence.graph == 0.0 || candidate.score.total < self.request.min_score {
                self.complete(&mut candidate, &mut matcher);
            }
            if candidate.evidence.answers(config) && candidate.score.total >= self.request.min_score {
                let list = if self.is_in_reach(candidate.slot) { &mut near } else { &mut deep };
                list.push(candidate);
            }
        }
        let k = self.request.k;
        let mut chosen = self.best(near, k, |_| true, &mut matcher);
        let (room, deeper) = (k - chosen.len(), deep.len());
        let fills = |candidate: &Candidate<'_>| {
            let tier = self.retention.tier(candidate.slot, candidate.memory);
            self.request.fills(candidate.memory, tier)
        };
        let fill = self.best(deep, room, fills, &mut matcher);
        let archived = deeper - fill.len();
        chosen.extend(fill);
        chosen.sort_unstable_by(|a, b| self.order(a, b));
        let hits = chosen.into_iter().map(|candidate| self.hit(candidate)).collect();
        Recalled { hits, archived, notices: Vec::new() }
    }

    /// The `limit` best of those candidates that `fits` holds for, best first. They are taken by what each could score
    /// at most, so that the work ends where no other can be among them.
    fn best(
        &self,
        candidates: Vec<Candidate<'a>>,
        limit: usize,
        fits: impl Fn(&Candidate<'a>) -> bool,
        matcher: &mut Option<Matcher<'_>>,
    ) -> Vec<Candidate<'a>> {
        let mut best: Vec<Candidate<'a>> = Vec::new();
        if limit == 0 {
            return best;
        }
        let mut candidates: Vec<(f64, Candidate<'a>)> =
            candidates.into_iter().map(|candidate| (self.at_most(&candidate), candidate)).collect();
        candidates.sort_unstable_by(|a, b| rank::order((a.0, self.id(a.1.slot)), (b.0, self.id(b.1.slot))));
        for (at_most, mut candidate) in candidates {
            if best.len() == limit && best[limit - 1].score.total > at_most {
                break;
            }
            if fits(&candidate) {
                self.complete(&mut candidate, matcher);
                let place = best.partition_point(|known| self.order(known, &candidate).is_lt());
                best.insert(place, candidate);
                best.truncate(limit);
            }
        }
        best
    }

    /// What a candidate would score if its tokens fitted entirely, or does score where they are known.
    fn at_most(&self, candidate: &Candidate<'_>) -> f64 {
        if candidate.complete {
            return candidate.score.total;
        }
        Evidence { tokens: 1.0, ..candidate.evidence }.score(self.request.profile, &self.engine.config.recall).total
    }

    fn order(&self, a: &Candidate<'_>, b: &Candidate<'_>) -> Ordering {
        rank::order((a.score.total, self.id(a.slot)), (b.score.total, self.id(b.slot)))
    }

    /// The best of each index, with what speaks for them directly.
    fn direct(&self, matcher: &mut Option<Matcher<'_>>) -> BTreeMap<u32, Candidate<'a>> {
        let limit = self.engine.config.recall.candidates.max(self.request.k);
        let mut slots = FxHashSet::default();
        let mut lexical = Shortlist::new(self, limit);
        for &slot in &self.lexical.touched {
            lexical.offer(slot, self.lexical.score(slot));
        }
        slots.extend(lexical.finish());
        if let Some((query, index)) = &self.vector {
            let mut nearest = Shortlist::new(self, limit);
            index.scan(query, |slot, cosine| nearest.offer(slot, f64::from(cosine)));
            slots.extend(nearest.finish());
        }
        slots.extend(self.named.iter().copied().filter(|&slot| self.admits(slot)));
        let mut found: BTreeMap<u32, Candidate<'a>> =
            slots.into_iter().filter_map(|slot| Some((slot, self.candidate(slot)?))).collect();
        found.values_mut().for_each(|candidate| self.complete(candidate, matcher));
        found
    }

    /// The memory in `slot` with what is cheap to know of it.
    fn candidate(&self, slot: u32) -> Option<Candidate<'a>> {
        let memory = self.partition.memory(slot)?;
        let cosine = |(query, index): &(QueryVector, &VectorIndex)| f64::from(index.cosine(query, slot));
        let evidence = Evidence {
            lexical: if self.named.contains(&slot) { 1.0 } else { self.lexical.score(slot) },
            tokens: 0.0,
            vector: floored(self.vector.as_ref().map_or(0.0, cosine), self.engine.config.recall.vector_floor),
            support: 0.0,
            graph: 0.0,
            strength: self.retention.strength(memory),
            activation: self.retention.relative_activation(slot),
        };
        Some(Candidate { slot, memory, evidence, complete: false, score: Score::default(), path: Vec::new() })
    }

    /// Works out how well a candidate's tokens fit and how much of the query it has, unless that is done.
    fn complete(&self, candidate: &mut Candidate<'_>, matcher: &mut Option<Matcher<'_>>) {
        if std::mem::replace(&mut candidate.complete, true) {
            return;
        }
        let (slot, config) = (candidate.slot, &self.engine.config.recall);
        let tokens = matcher.as_mut().map_or(0.0, |matcher| matcher.coverage(self.partition.tokens(slot)));
        let tokens = floored(tokens, config.tokens_floor);
        candidate.evidence.tokens = tokens;
        // The pooled static vectors are too blunt to be an answer by themselves; a model of the host's own is not.
        let by_vector = if self.host_vector { candidate.evidence.vector } else { 0.0 };
        let support = self.coverage.of(slot).max(tokens).max(by_vector);
        candidate.evidence.support = if self.named.contains(&slot) { 1.0 } else { support };
        candidate.score = candidate.evidence.score(self.request.profile, config);
    }

    /// Keeps the `limit` best, the worst of them last, the others in no particular order.
    fn keep_best(&self, scored: &mut Vec<(f64, u32)>, limit: usize) {
        if limit < scored.len() {
            let order = |a: &(f64, u32), b: &(f64, u32)| rank::order((a.0, self.id(a.1)), (b.0, self.id(b.1)));
            if let Some(last) = limit.checked_sub(1) {
                scored.select_nth_unstable_by(last, order);
            }
            scored.truncate(limit);
        }
    }

    fn hit(&self, candidate: Candidate<'_>) -> Hit {
        let memory = candidate.memory;
        let has = document_terms(&memory.content);
        let matched = self.terms.iter().filter(|term| has.contains(&*term.term)).map(|term| term.surface.to_string());
        Hit {
            matched: matched.collect(),
            score: candidate.score,
            path: candidate.path.iter().map(|&slot| self.id(slot).clone()).collect(),
            tier: self.retention.tier(candidate.slot, memory),
            retention: self.retention.retention(candidate.slot, memory),
            age_days: self.request.at.days_since(memory.occurred_at),
            memory: memory.clone(),
        }
    }

    /// Whether the memory in `slot` may be among the hits, its tier apart; the memory is looked at only if need be.
    fn admits(&self, slot: u32) -> bool {
        let request = self.request;
        let plain = !request.as_of && request.kinds.is_empty() && request.tags.is_empty();
        let current = request.as_of || self.partition.is_current(slot);
        current && (plain || self.partition.memory(slot).is_some_and(|memory| request.admits(memory)))
    }

    /// Whether the memory in `slot` is of a tier that is looked in from the start.
    fn is_in_reach(&self, slot: u32) -> bool {
        self.request.as_of || self.retention.is_within(slot, self.request.depth.unwrap_or(Tier::Warm))
    }

    /// What the caller should know of how the answer was found.
    fn notice(&self) -> Option<String> {
        let embedding = self.request.embedding.as_ref()?;
        let key = (embedding.model.clone(), embedding.values.len());
        if self.partition.embedded.is_empty() || self.partition.embedded.contains_key(&key) {
            return None;
        }
        Some(format!("The stored vectors are not from the model {:?}: found by words and links.", embedding.model))
    }

    fn id(&self, slot: u32) -> &'a MemoryId {
        self.partition.id(slot).expect("a candidate's slot is in use")
    }
}

/// What is above `floor`, stretched to 0..=1.
fn floored(value: f64, floor: f64) -> f64 {
    ((value - floor) / (1.0 - floor)).max(0.0)
}

/// The memories whose id the query is, or has among its words.
fn named(partition: &Partition, query: &str) -> Vec<u32> {
    let words = query.split_whitespace().map(|word| word.trim_matches(|c: char| "\"'`()[]<>,;.?!".contains(c)));
    let mut slots: Vec<u32> = words.chain([query.trim()]).filter_map(|id| partition.slot_of(id)).collect();
    slots.sort_unstable();
    slots.dedup();
    slots
}

/// The index terms of a text.
fn document_terms(text: &str) -> FxHashSet<Box<str>> {
    let mut found = FxHashSet::default();
    terms::analyze(text, Purpose::Index, |term| {
        found.insert(match term {
            Term::Word(word) => terms::stem(word).as_ref().into(),
            Term::Exact(text) => text.into(),
        });
    });
    found
}

#[cfg(test)]
mod tests {
    use crate::{Config, Engine, Moment, RecallInput, RememberInput};

    fn engine(texts: &[(&str, &str)]) -> Engine {
        let mut engine = Engine::new(Config::default(), None);
        for (n, (id, content)) in (0..).zip(texts) {
            let input =
                RememberInput { id: Some((*id).into()), content: (*content).into(), ..RememberInput::default() };
            let staged = engine.stage_remember(&input, Moment::new(1_790_000_000_000 + n, n as u64)).unwrap();
            engine.apply(&staged.entry);
        }
        engine
    }

    fn ids(engine: &Engine, query: &str) -> Vec<String> {
        let input = RecallInput { query: query.into(), ..RecallInput::default() };
        let staged = engine.stage_recall(&input, Moment::new(1_790_000_100_000, 0)).unwrap();
        staged.outcome.hits.iter().map(|hit| hit.memory.id.to_string()).collect()
    }

    #[test]
    fn a_memory_is_found_by_its_id() {
        let engine = engine(&[("fact:zebra-77", "Stripes are unique"), ("other", "The zebra crossing is at gate 77")]);
        assert_eq!(ids(&engine, "fact:zebra-77")[0], "fact:zebra-77");
        assert_eq!(ids(&engine, "what does `fact:zebra-77` say?")[0], "fact:zebra-77");
    }

    #[test]
    fn a_word_that_is_missing_does_not_silence_a_small_scope() {
        let engine = engine(&[("pricing", "We bill by the outcome"), ("lunch", "Lunch is at noon")]);
        assert_eq!(ids(&engine, "our billing model and outcome"), ["pricing"]);
        assert!(ids(&engine, "quarterly satellite telemetry").is_empty());
    }
}
