//! Recall: candidates from every index, graph expansion, evidence, ranking, tiers, and reinforcement of what was found.

mod evidence;
mod expand;
mod reinforce;
mod request;
mod shortlist;

use std::{cmp::Ordering, collections::BTreeMap};

use rustc_hash::FxHashSet;

use crate::{
    change::{Operation, Staged},
    engine::{
        Engine, checked,
        recall::{request::Request, shortlist::Shortlist},
        scope_or_default,
    },
    error::Error,
    label::MemoryId,
    late::Matcher,
    lexical::{Coverage, LexicalScores},
    operation::{Hit, Profile, RecallInput, Recalled, Score, Shortlisted},
    order,
    partition::{Named, Partition},
    question::Kinds,
    rank::{self, Evidence},
    record::{Memory, Tier},
    retention::Retention,
    static_model::StaticModel,
    terms::{self, Purpose, QueryTerm, Term},
    time::Moment,
    vector_index::{QueryVector, VectorIndex},
    when::{self, When},
    wordpiece::TokenId,
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

    /// The memories that a second stage is to read: the `limit` (at most 1,000) that a recall would find, best first.
    /// What it makes of them goes into [`RecallInput::second_stage`].
    ///
    /// # Errors
    /// As [`Engine::stage_recall`].
    pub fn shortlist(&self, input: &RecallInput, moment: Moment, limit: usize) -> Result<Vec<Shortlisted>, Error> {
        let input = RecallInput { k: Some(limit as i64), second_stage: None, peek: true, ..input.clone() };
        let recalled = self.stage_recall(&input, moment)?.outcome;
        let read = |Hit { memory, .. }: Hit| Shortlisted {
            id: memory.id,
            version: memory.version,
            author: memory.author,
            content: memory.content,
        };
        Ok(recalled.hits.into_iter().map(read).collect())
    }

    /// What of a query a host's own model is to embed: all but the names that the scope knows by author, metadata or
    /// person memories, for which there is a part of the score of its own.
    ///
    /// # Errors
    /// A scope that is no label.
    pub fn topic(&self, scope: Option<&str>, query: &str) -> Result<String, Error> {
        let scope = scope_or_default(scope)?;
        let partition = self.partition(&scope);
        Ok(partition.map_or_else(|| query.to_owned(), |partition| partition.without_names(query)))
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
    lexical: LexicalScores<'a>,
    /// Whom the query speaks of.
    named: Named,
    when: When,
    /// What it asks for.
    asked: Kinds,
    coverage: Coverage<'a>,
    /// The slots of memories that the query names by id.
    by_id: Vec<u32>,
    /// The query in the static model's terms.
    tokens: Option<(&'a StaticModel, Vec<TokenId>)>,
    /// The query's vector in the index that is used.
    vector: Option<(QueryVector, &'a VectorIndex)>,
    /// Whether it is one of the host's own model.
    host_vector: bool,
}

impl<'a> Search<'a> {
    fn new(engine: &'a Engine, partition: &'a Partition, request: &'a Request<'a>) -> Self {
        // The older formula knows of no names, times and neighbours.
        let (fused, query) = (request.profile == Profile::Fused, request.query);
        let when = When::read(query, request.at);
        let of_time = |word: &str| !when.is_empty() && when::is_of_time(word);
        let topic = if fused { partition.topic(query, of_time) } else { query.to_owned() };
        let terms = terms::query_terms(&topic);
        let tokens = engine.model.as_deref().map(|model| (model, model.tokens(&topic)));
        let embedded = request.embedding.as_ref().and_then(|embedding| {
            let of = partition.embedded.iter().find(|of| of.is_of(embedding))?;
            Some((QueryVector::quantised(&embedding.values, embedding.scale), &of.index))
        });
        let host_vector = embedded.is_some();
        let vector = embedded.or_else(|| {
            let (model, tokens) = tokens.as_ref()?;
            Some((QueryVector::new(&model.pooled(tokens)), &partition.pooled))
        });
        Self {
            engine,
            partition,
            request,
            retention: Retention::new(partition, &engine.config, request.at),
            lexical: partition.lexical.score(&terms, &engine.config.recall),
            coverage: partition.lexical.coverage(&terms),
            named: partition.named(query, request.asker),
            when,
            asked: Kinds::asked(query),
            by_id: by_id(partition, query),
            terms,
            tokens,
            vector,
            host_vector,
        }
    }

    fn run(&self) -> Recalled {
        let mut matcher = self.tokens.as_ref().map(|(model, tokens)| Matcher::new(model, tokens));
        let mut candidates = self.direct();
        self.expand(&mut candidates, &mut matcher);
        let config = self.config();
        let (mut near, mut deep) = (Vec::new(), Vec::new());
        let mut matching = FxHashSet::default();
        for mut candidate in candidates.into_values() {
            candidate.score = candidate.evidence.score(self.request.profile, config);
            if self.is_in_reach(candidate.slot) {
                near.push(candidate);
            } else {
                if candidate.evidence.answers(config) || self.coverage.of(candidate.slot) >= config.min_support {
                    matching.insert(candidate.slot);
                }
                deep.push(candidate);
            }
        }
        let mut chosen = self.choose(near, deep, &mut matcher);
        // The rest of an answer may have less of what is asked for than its best part.
        if !chosen.iter().any(|candidate| candidate.evidence.support >= config.min_support) {
            chosen.clear();
        }
        let archived = matching.len() - chosen.iter().filter(|candidate| matching.contains(&candidate.slot)).count();
        order::sort_by(&mut chosen, |a, b| self.order(a, b));
        let hits = chosen.into_iter().map(|candidate| self.hit(candidate)).collect();
        Recalled { hits, archived, notices: Vec::new() }
    }

    /// The best of what is in reach; archived memories where fewer than are asked for come near the best answer.
    fn choose(
        &self,
        near: Vec<Candidate<'a>>,
        deep: Vec<Candidate<'a>>,
        matcher: &mut Option<Matcher<'_>>,
    ) -> Vec<Candidate<'a>> {
        let (k, reach) = (self.request.k, self.config().reach);
        let total = |candidates: &[Candidate<'_>], at: usize| candidates.get(at).map_or(0.0, |best| best.score.total);
        let mut chosen = self.best(near, k, 0.0, |_| true, matcher);
        let fills = |candidate: &Candidate<'_>| {
            let tier = self.retention.tier(candidate.slot, candidate.memory);
            self.request.fills(candidate.memory, tier)
        };
        // None that would not outdo the last of them by so much could take its place.
        let mut archived = self.best(deep, k, total(&chosen, k - 1) / reach.max(f64::MIN_POSITIVE), fills, matcher);
        // To use what was archived again takes more than to come along: half-way to an answer by itself.
        let least = (self.config().min_support + self.config().rest_support) / 2.0;
        archived.retain(|candidate| candidate.evidence.support >= least);
        let bar = reach * total(&chosen, 0).max(total(&archived, 0));
        let weaker = chosen.split_off(chosen.partition_point(|candidate| candidate.score.total >= bar));
        let room = k - chosen.len();
        chosen.extend(archived.into_iter().take(room));
        let room = k - chosen.len();
        chosen.extend(weaker.into_iter().take(room));
        chosen
    }

    /// The `limit` best answers among those candidates that score at least `least` and that `fits` holds for, best first. They
    /// are taken by what each could score at most, and no more than the second stage is for, so that the work ends where no other can be among
    /// them.
    fn best(
        &self,
        candidates: Vec<Candidate<'a>>,
        limit: usize,
        least: f64,
        fits: impl Fn(&Candidate<'a>) -> bool,
        matcher: &mut Option<Matcher<'_>>,
    ) -> Vec<Candidate<'a>> {
        let mut best: Vec<Candidate<'a>> = Vec::new();
        if limit == 0 {
            return best;
        }
        let order = |a: &(f64, Candidate<'_>), b: &(f64, Candidate<'_>)| {
            rank::order((a.0, self.id(a.1.slot)), (b.0, self.id(b.1.slot)))
        };
        let fitting = candidates.into_iter().filter(fits);
        let mut candidates: Vec<(f64, Candidate<'a>)> =
            fitting.map(|candidate| (self.promise(&candidate), candidate)).collect();
        let matched = self.config().matched.max(2 * limit);
        if matched < candidates.len() {
            candidates.select_nth_unstable_by(matched, order);
            candidates.truncate(matched);
        }
        candidates.iter_mut().for_each(|(score, candidate)| *score = self.at_most(candidate));
        order::sort_by(&mut candidates, order);
        let least = least.max(self.request.min_score);
        for (at_most, mut candidate) in candidates {
            let beaten = best.len() == limit && best[limit - 1].score.total > at_most;
            if beaten || at_most < least {
                break;
            }
            self.complete(&mut candidate, matcher);
            let answers = candidate.evidence.answers(self.config());
            if answers && candidate.score.total >= least {
                let place = best.partition_point(|known| self.order(known, &candidate).is_lt());
                best.insert(place, candidate);
                best.truncate(limit);
            }
        }
        best
    }

    fn order(&self, a: &Candidate<'_>, b: &Candidate<'_>) -> Ordering {
        rank::order((a.score.total, self.id(a.slot)), (b.score.total, self.id(b.slot)))
    }

    /// The best of each index, and what has the best of those beside it.
    fn direct(&self) -> BTreeMap<u32, Candidate<'a>> {
        let limit = self.config().candidates.max(self.request.k);
        let mut slots = FxHashSet::default();
        let mut lexical = Shortlist::new(self, limit);
        for &slot in &self.lexical.touched {
            lexical.offer(slot, self.lexical.score(slot));
        }
        let mut beside = Vec::new();
        lexical.finish(&mut slots, &mut beside);
        if let Some((query, index)) = &self.vector {
            let mut nearest = Shortlist::new(self, limit);
            index.scan(query, |slot, cosine| nearest.offer(slot, f64::from(cosine)));
            nearest.finish(&mut slots, &mut beside);
        }
        slots.extend(self.by_id.iter().copied().filter(|&slot| self.admits(slot)));
        let fused = self.request.profile == Profile::Fused;
        let beside = beside.into_iter().filter(|_| fused && self.config().context > 0.0);
        let beside = beside.flat_map(|slot| self.partition.stands_beside(slot)).flatten();
        slots.extend(beside.filter(|&slot| self.admits(slot)));
        order::filled(slots.into_iter().filter_map(|slot| Some((slot, self.candidate(slot)?))))
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
        let embedded = &self.partition.embedded;
        if embedded.is_empty() || embedded.iter().any(|of| of.is_of(embedding)) {
            return None;
        }
        Some(format!("The stored vectors are not from the model {:?}: found by words and links.", embedding.model))
    }

    fn id(&self, slot: u32) -> &'a MemoryId {
        self.partition.id(slot).expect("a candidate's slot is in use")
    }
}

/// The memories whose id the query is, or has among its words.
fn by_id(partition: &Partition, query: &str) -> Vec<u32> {
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
