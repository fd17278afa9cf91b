//! What is asked for, checked.

use rustc_hash::FxHashMap;

use crate::{
    engine::{Engine, scope_or_default},
    error::Error,
    label::{Label, Scope},
    limits,
    operation::{Profile, RecallInput},
    record::{Memory, State, Tier},
    time::Timestamp,
    vector::Embedding,
};

/// A checked input.
pub(super) struct Request<'a> {
    pub(super) scope: Scope,
    pub(super) query: &'a str,
    pub(super) k: usize,
    pub(super) depth: Option<Tier>,
    pub(super) kinds: Vec<Label>,
    pub(super) tags: &'a [String],
    pub(super) min_score: f64,
    /// The instant that memories are judged at.
    pub(super) at: Timestamp,
    /// Whether memories are taken as they stood at `at`.
    pub(super) as_of: bool,
    pub(super) profile: Profile,
    pub(super) embedding: Option<Embedding>,
    /// Who asks.
    pub(super) asker: Option<&'a str>,
    /// What a second stage made of memories, by id.
    pub(super) second_stage: Option<FxHashMap<&'a str, f64>>,
}

impl<'a> Request<'a> {
    pub(super) fn parse(engine: &Engine, input: &'a RecallInput, now: Timestamp) -> Result<Self, Error> {
        let scope = scope_or_default(input.scope.as_deref())?;
        limits::length("query", &input.query, limits::QUERY_BYTES)?;
        limits::count("kinds", input.kinds.len(), limits::TAGS)?;
        limits::count("tags", input.tags.len(), limits::TAGS)?;
        if let Some(asker) = &input.asker {
            limits::length("asker", asker, limits::NAME_BYTES)?;
        }
        let verdicts = input.second_stage.as_deref().unwrap_or_default();
        limits::count("second_stage", verdicts.len(), limits::RESULTS)?;
        let verdicts = verdicts.iter().map(|(id, score)| Ok((id.as_str(), limits::unit("second_stage", *score)?)));
        let config = &engine.config.recall;
        Ok(Self {
            asker: input.asker.as_deref(),
            second_stage: input.second_stage.as_ref().map(|_| verdicts.collect::<Result<_, Error>>()).transpose()?,
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
    pub(super) fn admits(&self, memory: &Memory) -> bool {
        let current = if self.as_of {
            let ended = match &memory.state {
                State::Superseded { at, .. } => *at <= self.at,
                // What was put away by then came only when asked for, as today.
                State::Archived { at, .. } => *at <= self.at && self.depth.is_none(),
                State::Active | State::Proposed { .. } => false,
            };
            memory.valid_from <= self.at && !ended
        } else {
            memory.state.is_current()
        };
        current
            && (self.kinds.is_empty() || self.kinds.contains(&memory.kind))
            && self.tags.iter().all(|tag| memory.tags.iter().any(|own| **own == **tag))
    }

    /// Whether a memory in a tier that is not in reach may fill in. What is proposed for deletion is still there until a
    /// human decides, so it does; what was put away by hand comes only when asked for.
    pub(super) fn fills(&self, memory: &Memory, tier: Tier) -> bool {
        let put_away = matches!(memory.state, State::Archived { .. });
        self.depth.is_none() && tier >= Tier::Cold && memory.state.is_current() && !put_away
    }

    /// What a second stage made of a memory, where there was one.
    pub(super) fn verdict(&self, memory: &Memory) -> Option<f64> {
        let verdicts = self.second_stage.as_ref()?;
        Some(verdicts.get(memory.id.as_str()).copied().unwrap_or(0.0))
    }
}
