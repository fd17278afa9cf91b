//! The same answers worked out the plain way: no index, no cache, one formula after the other.

use std::collections::{BTreeMap, BTreeSet};

use ebbtrace_core::{
    Edge, Engine, Memory, Moment, Profile, RecallInput, Record, StaticModel, Tier, Timestamp, late,
    lexical::LexicalIndex,
    question::Kinds,
    rank::Evidence,
    score::{decay, strength},
    terms::{Purpose, Term, analyze, is_stop_word, query_terms, stem, topic},
    vector::quantise,
    when::{When, is_of_time},
    wordpiece::TokenId,
};
use proptest::prelude::*;

use crate::world::model;

/// Floats that were added in another order, or as f32.
const CLOSE: f64 = 2e-6;

const QUERIES: [&str; 8] = [
    "retry limit of Atlas",
    "dark roast coffee",
    "ERR_CONN-3 nginx",
    "PostgreSQL 프로젝트",
    "数据库",
    "What do I like in the morning?",
    "How many minutes does a deploy of last week take?",
    "Who is Mira?",
];

/// One scope's records.
struct Scope {
    memories: BTreeMap<String, Memory>,
    edges: Vec<Edge>,
}

/// Compares the engine with the plain model at `now`.
pub(crate) fn check(engine: &Engine, now: Timestamp) -> Result<(), TestCaseError> {
    for name in engine.scopes() {
        let mut scope = Scope { memories: BTreeMap::new(), edges: Vec::new() };
        for record in engine.records(Some(&name)) {
            match record {
                Record::Memory(memory) => drop(scope.memories.insert(memory.id.to_string(), *memory)),
                Record::Edge(edge) => scope.edges.push(edge),
                _ => {}
            }
        }
        let plain = Plain { engine, scope: &scope, now };
        for id in scope.memories.keys() {
            let (ours, wanted) = (engine.activation(Some(&name), id, now).unwrap(), plain.activation(id));
            prop_assert!((ours - wanted).abs() <= 1e-9 * wanted.max(1.0), "activation of {id}: {ours}, plain {wanted}");
            plain.forecast(&name, id)?;
        }
        for query in QUERIES {
            plain.recall(&name, query)?;
        }
    }
    Ok(())
}

struct Plain<'a> {
    engine: &'a Engine,
    scope: &'a Scope,
    now: Timestamp,
}

impl Plain<'_> {
    fn decayed(&self, since: Timestamp) -> f64 {
        decay(self.now.days_since(since), self.engine.config().fading.half_life_days)
    }

    /// The edges at a memory: (the other end, the decayed weight).
    fn ties<'s>(&'s self, id: &'s str) -> impl Iterator<Item = (&'s str, f64)> {
        self.scope.edges.iter().filter_map(move |edge| {
            let weight = edge.weight * self.decayed(edge.reinforced_at);
            match (edge.key.from.as_str(), edge.key.to.as_str()) {
                (from, to) if from == id => Some((to, weight)),
                (from, to) if to == id => Some((from, weight)),
                _ => None,
            }
        })
    }

    /// The edges at a memory that recall walks over: not those of likeness and of sessions.
    fn drawn<'s>(&'s self, id: &'s str) -> impl Iterator<Item = (&'s str, f64)> {
        let drawn = |edge: &&Edge| !["semantic", "follows"].contains(&edge.key.relation.as_str());
        self.scope.edges.iter().filter(drawn).filter_map(move |edge| {
            let weight = edge.weight * self.decayed(edge.reinforced_at);
            match (edge.key.from.as_str(), edge.key.to.as_str()) {
                (from, to) if from == id => Some((to, weight)),
                (from, to) if to == id => Some((from, weight)),
                _ => None,
            }
        })
    }

    fn own(&self, id: &str) -> f64 {
        let read = self.engine.config().fading.read_bonus * self.decayed(self.scope.memories[id].last_accessed_at);
        self.ties(id).map(|(_, weight)| weight).sum::<f64>() + read
    }

    fn activation(&self, id: &str) -> f64 {
        let fan = |id: &str| self.ties(id).map(|(_, weight)| weight).sum::<f64>();
        let spread: f64 = self.ties(id).map(|(far, weight)| self.own(far) * weight / fan(far)).sum();
        self.own(id) + self.engine.config().fading.spread * spread
    }

    fn relative_activation(&self, id: &str) -> f64 {
        let ranked = self.scope.memories.values().filter(|memory| memory.state.as_str() == "active" && !memory.pinned);
        let peak = ranked.map(|memory| self.activation(memory.id.as_str())).fold(0.0, f64::max);
        (self.activation(id) / peak.max(self.engine.config().fading.full_activation)).min(1.0)
    }

    fn strength(&self, memory: &Memory) -> f64 {
        let days = self.now.days_since(memory.last_accessed_at);
        strength(memory.importance, days, memory.recall_count, memory.category, &self.engine.config().fading)
    }

    fn retention(&self, id: &str) -> f64 {
        self.strength(&self.scope.memories[id]).max(self.relative_activation(id))
    }

    /// The tier by the rules, with `None` where a figure is too near a line for a sum in another order to decide.
    fn tier(&self, id: &str) -> Option<Tier> {
        let memory = &self.scope.memories[id];
        let tiers = &self.engine.config().tiers;
        let state = memory.state.as_str();
        if memory.pinned && state == "active" {
            return Some(Tier::Hot);
        }
        if state == "proposed" {
            return Some(Tier::Frozen);
        }
        let near = |value: f64, line: f64| (value - line).abs() < 1e-7;
        let retention = self.retention(id);
        if [tiers.hot, tiers.warm, tiers.frozen].into_iter().any(|line| near(retention, line)) {
            return None;
        }
        let mut held = false;
        for (far, weight) in self.ties(id) {
            if near(weight, tiers.live_edge) || near(self.retention(far), tiers.frozen) {
                return None;
            }
            let current = self.scope.memories[far].state.is_current();
            held |= weight >= tiers.live_edge && current && self.retention(far) >= tiers.frozen;
        }
        let tier = match retention {
            r if r >= tiers.hot => Tier::Hot,
            r if r >= tiers.warm => Tier::Warm,
            r if r >= tiers.frozen || memory.pinned || held => Tier::Cold,
            _ => Tier::Frozen,
        };
        Some(if state == "active" { tier } else { tier.max(Tier::Cold) })
    }

    /// A forecast against the plain tier on each of the next days.
    fn forecast(&self, name: &str, id: &str) -> Result<(), TestCaseError> {
        // A clock ahead of now stands still until now has caught up: the forecast's premise does not hold.
        let ahead = |at: Timestamp| at > self.now;
        let clocks = self.scope.memories.values().map(|memory| memory.last_accessed_at);
        if clocks.chain(self.scope.edges.iter().map(|edge| edge.reinforced_at)).any(ahead) {
            return Ok(());
        }
        let forecast = self.engine.forecast(Some(name), id, self.now).unwrap();
        for days in [0.0, 1.0, 2.0, 5.0, 11.0, 20.0, 30.0, 45.0, 70.0, 110.0, 200.0, 500.0] {
            let at = Plain { now: self.now.plus_days(days), ..*self };
            let Some(tier) = at.tier(id) else { continue };
            for (deeper, when) in
                [(Tier::Warm, forecast.warm), (Tier::Cold, forecast.cold), (Tier::Frozen, forecast.frozen)]
            {
                // The forecast is exact to a thousandth of a day.
                let reached = when.is_some_and(|when| when <= days);
                let undecided = when.is_some_and(|when| (when - days).abs() < 0.002);
                prop_assert!(
                    undecided || reached == (tier >= deeper),
                    "{id} is {tier} after {days} days, and the forecast says {forecast:?}"
                );
            }
        }
        Ok(())
    }

    /// Recall against a scan over all memories.
    fn recall(&self, name: &str, query: &str) -> Result<(), TestCaseError> {
        let input = RecallInput {
            scope: Some(name.to_owned()),
            query: query.to_owned(),
            depth: Some("frozen".to_owned()),
            k: Some(1000),
            ..RecallInput::default()
        };
        let recalled = self.engine.stage_recall(&input, Moment { now: self.now, entropy: 0 }).unwrap().outcome;
        let wanted = self.scan(query);
        let ours: BTreeMap<&str, f64> =
            recalled.hits.iter().map(|hit| (hit.memory.id.as_str(), hit.score.total)).collect();
        for (id, evidence) in &wanted {
            let config = &self.engine.config().recall;
            let score = evidence.score(Profile::Fused, config).total;
            match ours.get(id.as_str()) {
                Some(found) => {
                    prop_assert!(
                        (found - score).abs() < CLOSE,
                        "{query:?} gives {id} {found}, plain {score}: {evidence:?}"
                    );
                }
                None => {
                    let border = (evidence.support - config.min_support).abs() < CLOSE;
                    // Without one that has enough of what is asked for, there is no answer at all.
                    let any = wanted.values().any(|best| best.support >= config.min_support + CLOSE);
                    prop_assert!(!evidence.answers(config) || border || !any, "{query:?} misses {id}: {evidence:?}");
                }
            }
        }
        for hit in &recalled.hits {
            let evidence = wanted.get(hit.memory.id.as_str());
            prop_assert!(evidence.is_some(), "{query:?} finds {}, which is not there", hit.memory.id);
            let least = self.engine.config().recall.rest_support - CLOSE;
            let near = |e: &Evidence| e.support >= least || e.graph > 0.0;
            prop_assert!(evidence.is_some_and(near), "{query:?} should not find {}", hit.memory.id);
        }
        Ok(())
    }

    /// The name of the person that a memory stands for.
    fn person(memory: &Memory) -> Option<&str> {
        let name = memory.content.split_once(", engineer").filter(|_| memory.kind.as_str() == "person")?.0;
        name.starts_with(char::is_uppercase).then_some(name)
    }

    /// The names that a memory gives: its author's, and its own where it stands for a person.
    fn names(memory: &Memory) -> Vec<String> {
        memory.author.iter().cloned().chain(Self::person(memory).map(str::to_owned)).collect()
    }

    /// Whom a query speaks of, and its text without their names.
    fn named(&self, query: &str) -> (BTreeSet<String>, String) {
        let given: BTreeSet<String> = self.scope.memories.values().flat_map(Self::names).collect();
        let words = |name: &str| name.to_lowercase().split(' ').map(str::to_owned).collect::<BTreeSet<_>>();
        let is_name = |word: &str| word != "user" && given.iter().any(|name| words(name).contains(word));
        let asked = query.split(|c: char| !c.is_alphanumeric()).filter(|word| word.starts_with(char::is_uppercase));
        let asked: BTreeSet<String> = asked.map(str::to_lowercase).filter(|word| is_name(word)).collect();
        let spoken_of = |name: &&String| match asked.is_empty() {
            true => query.contains(" I ") && *name == "user",
            false => *name != "user" && asked.is_subset(&words(name)),
        };
        let named = given.iter().filter(spoken_of).cloned().collect();
        let when = When::read(query, self.now);
        let of_time = |word: &str| !when.is_empty() && is_of_time(word);
        (named, topic(query, is_name, of_time).into_owned())
    }

    /// The current memories beside one in its session, with their distance: so many before it and after it.
    fn beside<'w>(&'w self, memory: &Memory, before: usize, after: usize) -> Vec<(&'w str, usize)> {
        let place = |memory: &Memory| (memory.source.position, memory.id.clone());
        let mut session: Vec<&Memory> = self.scope.memories.values().collect();
        session.retain(|other| {
            other.source.session.is_some() && other.source.session == memory.source.session && other.state.is_current()
        });
        session.sort_by_key(|other| place(other));
        let before = session.iter().rev().filter(|other| place(other) < place(memory)).take(before);
        let after = session.iter().filter(|other| place(other) > place(memory)).take(after);
        let distant = |(distance, other): (usize, &&'w Memory)| (other.id.as_str(), distance);
        let found: Vec<_> = (1..).zip(before).map(distant).chain((1..).zip(after).map(distant)).collect();
        found
    }

    /// What speaks for each memory that is current.
    fn scan(&self, query: &str) -> BTreeMap<String, Evidence> {
        let config = &self.engine.config().recall;
        let model = model();
        let (named, topic) = self.named(query);
        let (when, asked_kinds) = (When::read(query, self.now), Kinds::asked(query));
        let texts: BTreeMap<&str, String> = self
            .scope
            .memories
            .iter()
            .map(|(id, memory)| {
                let said = memory.author.as_ref().map_or(String::new(), |author| format!("{author}: "));
                (id.as_str(), said + &memory.content)
            })
            .collect();
        let bags: BTreeMap<&str, (BTreeMap<String, f64>, f64)> =
            texts.iter().map(|(id, text)| (*id, bag(text))).collect();
        let count = bags.len() as f64;
        let average = bags.values().map(|(_, length)| length).sum::<f64>().max(1.0) / count;
        let asked_terms = query_terms(&topic);
        let terms: Vec<(String, f64)> = asked_terms
            .iter()
            .map(|term| {
                let with = bags.values().filter(|(bag, _)| bag.contains_key(&*term.term)).count() as f64;
                (term.term.to_string(), (1.0 + (count - with + 0.5) / (with + 0.5)).ln())
            })
            .collect();
        let total: f64 = terms.iter().map(|(_, idf)| idf).sum();
        let asked = late::telling(&model, &model.tokens(&topic));
        // How much of a query must be there is subject to measurement: asked of an index that is new.
        let (mut index, mut slots) = (LexicalIndex::default(), BTreeMap::new());
        for (slot, (id, text)) in (0..).zip(&texts) {
            index.insert(slot, text);
            slots.insert(*id, slot);
        }
        let floored = |value: f64, floor: f64| ((value - floor) / (1.0 - floor)).max(0.0);
        let truth = |holds: bool| f64::from(u8::from(holds));
        let mut found = BTreeMap::new();
        for (id, memory) in self.scope.memories.iter().filter(|(_, memory)| memory.state.is_current()) {
            let stand =
                |before, after| if config.context > 0.0 { self.beside(memory, before, after) } else { Vec::new() };
            let beside = stand(2, 1);
            let read: Vec<(&str, f64)> =
                std::iter::once((id.as_str(), 1.0)).chain(beside.iter().map(|(id, _)| (*id, config.context))).collect();
            let words = |read: &[(&str, f64)]| -> f64 {
                let parts: f64 = read.iter().map(|(_, share)| share).sum();
                let length = read.iter().map(|(id, share)| share * bags[id].1).sum::<f64>() / parts;
                let weigh = |(term, idf): &(String, f64)| {
                    let counts = read.iter().map(|(id, share)| share * bags[id].0.get(term).copied().unwrap_or(0.0));
                    let tf: f64 = counts.sum();
                    let norm = config.k1 * (1.0 - config.b + config.b * length / average);
                    if tf == 0.0 { 0.0 } else { idf * tf / (tf + norm) / total }
                };
                terms.iter().map(weigh).sum()
            };
            let around = stand(config.around, config.around).into_iter().map(|(id, _)| (id, 1.0));
            let around: Vec<(&str, f64)> = std::iter::once((id.as_str(), 1.0)).chain(around).collect();
            let has = |id: &str| index.coverage(&asked_terms).of(slots[id]);
            let tokens = floored(self.coverage(&model, &asked, id, &beside), config.tokens_floor);
            let vectors: Vec<(Vec<f64>, f64)> =
                read.iter().map(|(id, share)| (pooled(&model, &self.scope.memories[*id].content), *share)).collect();
            let gives = |id: &str| Self::names(&self.scope.memories[id]).iter().any(|name| named.contains(name));
            let is_person = |id: &str| Self::person(&self.scope.memories[id]).is_some_and(|name| named.contains(name));
            let spoken_of = gives(id) || self.ties(id).any(|(far, _)| is_person(far));
            let own = late::telling(&model, &model.tokens(&memory.content)).len();
            let asks = memory.content.trim_end().ends_with(['?', '？']);
            let evidence = Evidence {
                lexical: words(&read),
                session: words(&around),
                tokens,
                vector: floored(cosine(&pooled(&model, &topic), &vectors), config.vector_floor),
                author: truth(spoken_of),
                time: truth(when.holds(memory.occurred_at)),
                answer: truth(asked_kinds.meet(Kinds::told(&memory.content))),
                substance: ((1.0 + own as f64).ln() / 5.0).min(1.0) - if asks { 0.25 } else { 0.0 },
                support: beside.iter().map(|(id, _)| config.context * has(id)).fold(has(id), f64::max).max(tokens),
                graph: 0.0,
                strength: self.strength(memory),
                activation: self.relative_activation(id),
                second_stage: None,
            };
            found.insert(id.clone(), evidence);
        }
        self.walk(&mut found);
        found
    }

    /// How well a memory covers a query's tokens, with those beside it at their shares.
    fn coverage(&self, model: &StaticModel, asked: &[TokenId], id: &str, beside: &[(&str, usize)]) -> f64 {
        let best = |token: TokenId, id: &str| {
            let said = late::telling(model, &model.tokens(&self.scope.memories[id].content));
            said.iter().map(|&other| f64::from(model.cosine(token, other))).fold(0.0, f64::max)
        };
        let near = self.engine.config().recall.context_tokens;
        let shares = beside.iter().map(|(id, distance)| (*id, near.powi(*distance as i32)));
        let read: Vec<(&str, f64)> = std::iter::once((id, 1.0)).chain(shares).collect();
        let (mut sum, mut total) = (0.0, 0.0);
        for &token in asked {
            let weight = f64::from(model.idf(token));
            sum += weight * read.iter().map(|(id, share)| share * best(token, id)).fold(0.0, f64::max);
            total += weight;
        }
        if total > 0.0 { (sum / total).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// From each of the best, every way of at most `graph_depth` steps that comes to no memory later than it could.
    fn walk(&self, found: &mut BTreeMap<String, Evidence>) {
        let config = &self.engine.config().recall;
        let mut seeds: Vec<(f64, String)> = found
            .iter()
            .filter(|(_, evidence)| evidence.support >= config.min_support)
            .map(|(id, evidence)| (evidence.relevance(config), id.clone()))
            .collect();
        seeds.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        seeds.truncate(config.graph_seeds);
        let mut best: BTreeMap<String, f64> = BTreeMap::new();
        for (relevance, seed) in seeds {
            let mut seen: BTreeMap<String, f64> = BTreeMap::from([(seed.clone(), relevance)]);
            let mut frontier = seen.clone();
            for _ in 0..config.graph_depth {
                let mut next: BTreeMap<String, f64> = BTreeMap::new();
                for (from, value) in &frontier {
                    for (far, weight) in self.drawn(from) {
                        if !seen.contains_key(far) && self.scope.memories[far].state.is_current() {
                            let known = next.entry(far.to_owned()).or_insert(0.0);
                            *known = known.max(value * weight.min(1.0));
                        }
                    }
                }
                seen.extend(next.clone());
                for (id, value) in &next {
                    let known = best.entry(id.clone()).or_insert(0.0);
                    *known = known.max(*value);
                }
                frontier = next;
            }
        }
        for (id, value) in best {
            if let Some(evidence) = found.get_mut(&id) {
                evidence.graph = value;
            }
        }
    }
}

/// A text's pooled vector, quantised as the index does.
fn pooled(model: &StaticModel, text: &str) -> Vec<f64> {
    let (values, scale) = quantise(&model.pooled(&model.tokens(text)));
    values.iter().map(|&value| f64::from(value) * f64::from(scale)).collect()
}

/// The cosine of a query's vector and the sum of others by their shares, each taken to be of unit length.
fn cosine(query: &[f64], vectors: &[(Vec<f64>, f64)]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let (mut product, mut norm) = (0.0, 0.0);
    for (i, (vector, share)) in vectors.iter().enumerate() {
        product += share * dot(query, vector).clamp(-1.0, 1.0);
        norm += share * share;
        norm += vectors[..i].iter().map(|(other, weight)| 2.0 * share * weight * dot(vector, other)).sum::<f64>();
    }
    if norm > 0.0 { product / norm.sqrt() } else { 0.0 }
}

/// The counted terms of a text, and its length for BM25.
fn bag(text: &str) -> (BTreeMap<String, f64>, f64) {
    let (mut bag, mut length) = (BTreeMap::new(), 0.0);
    analyze(text, Purpose::Index, |term| {
        let (term, counts) = match term {
            Term::Word(word) => (stem(word).into_owned(), !is_stop_word(word)),
            Term::Exact(text) => (text.to_owned(), true),
        };
        *bag.entry(term).or_insert(0.0) += 1.0;
        length += f64::from(u8::from(counts));
    });
    (bag, length)
}
