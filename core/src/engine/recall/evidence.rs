//! What speaks for a memory: each part of [`Evidence`] worked out, the dear ones only where they could matter.

use crate::{
    config::RecallConfig,
    engine::recall::{Candidate, Search},
    late::Matcher,
    operation::{Profile, Score},
    partition::Beside,
    question::Kinds,
    rank::Evidence,
    record::Memory,
};

impl<'a> Search<'a> {
    /// The memory in `slot` with what is cheap to know of it.
    pub(super) fn candidate(&self, slot: u32) -> Option<Candidate<'a>> {
        let memory = self.partition.memory(slot)?;
        let config = self.config();
        let beside = self.beside(slot).slots().map(|(slot, _)| (slot, config.context));
        let vector =
            self.vector.as_ref().map_or(0.0, |(query, index)| index.cosine_in_context(query, slot, beside.clone()));
        let around = self.around(slot);
        let truth = |holds: bool| f64::from(u8::from(holds));
        let evidence = Evidence {
            lexical: if self.by_id.contains(&slot) { 1.0 } else { self.lexical.in_context(slot, beside) },
            session: self.lexical.in_context(slot, around.iter().map(|&slot| (slot, 1.0))),
            tokens: 0.0,
            vector: floored(vector, config.vector_floor),
            author: truth(self.partition.is_of(slot, memory, &self.named)),
            time: truth(self.when.holds(memory.occurred_at)),
            answer: 0.0,
            substance: substance(memory, self.partition.content_tokens(slot).len()),
            graph: 0.0,
            strength: self.retention.strength(memory),
            activation: self.retention.relative_activation(slot),
            support: 0.0,
            second_stage: self.request.verdict(memory),
        };
        Some(Candidate { slot, memory, evidence, complete: false, score: Score::default(), path: Vec::new() })
    }

    /// What stands beside a memory in its session, where a session is of any weight.
    pub(super) fn beside(&self, slot: u32) -> Beside {
        let counts = self.config().context > 0.0 && self.request.profile == Profile::Fused;
        if counts { self.partition.beside(slot) } else { Beside::NOTHING }
    }

    /// What stands around a memory in its session, where a session is of any weight.
    fn around(&self, slot: u32) -> Vec<u32> {
        let config = self.config();
        let counts = config.context > 0.0 && config.session > 0.0 && self.request.profile == Profile::Fused;
        if counts { self.partition.around(slot, config.around) } else { Vec::new() }
    }

    /// Works out how well a candidate's tokens fit, whether it has what is asked for, and how much of the query it has,
    /// unless that is done.
    pub(super) fn complete(&self, candidate: &mut Candidate<'_>, matcher: &mut Option<Matcher<'_>>) {
        if std::mem::replace(&mut candidate.complete, true) {
            return;
        }
        let (slot, config) = (candidate.slot, self.config());
        let beside = self.beside(slot).slots();
        let tokens = matcher.as_mut().map_or(0.0, |matcher| {
            let near = config.context_tokens as f32;
            let beside = beside.clone().map(|(slot, distance)| (slot, if distance == 1 { near } else { near * near }));
            let texts = std::iter::once((slot, 1.0)).chain(beside);
            matcher.coverage_in_context(texts.map(|(slot, share)| (slot, share, self.partition.content_tokens(slot))))
        });
        let tokens = floored(tokens, config.tokens_floor);
        candidate.evidence.tokens = tokens;
        let answers = self.asked != Kinds::default() && self.asked.meet(Kinds::told(&candidate.memory.content));
        candidate.evidence.answer = f64::from(u8::from(answers));
        // The pooled static vectors are too blunt to be an answer by themselves; a model of the host's own is not.
        let by_vector = if self.host_vector { candidate.evidence.vector } else { 0.0 };
        let beside = beside.map(|(slot, _)| config.context * self.coverage.of(slot));
        let has = beside.fold(self.coverage.of(slot), f64::max);
        let support = has.max(tokens).max(by_vector);
        candidate.evidence.support = if self.by_id.contains(&slot) { 1.0 } else { support };
        candidate.score = candidate.evidence.score(self.request.profile, config);
    }

    /// What a candidate would score if its dear parts were full, or does score where they are known.
    pub(super) fn at_most(&self, candidate: &Candidate<'_>) -> f64 {
        if candidate.complete {
            return candidate.score.total;
        }
        let answer = if self.asked == Kinds::default() { 0.0 } else { 1.0 };
        let full = Evidence { tokens: 1.0, answer, ..candidate.evidence };
        full.score(self.request.profile, self.config()).total
    }

    /// About what a candidate will score: its tokens are taken to fit as well as its words do.
    pub(super) fn promise(&self, candidate: &Candidate<'_>) -> f64 {
        if candidate.complete {
            return candidate.score.total;
        }
        let tokens = self.coverage.of(candidate.slot);
        Evidence { tokens, ..candidate.evidence }.score(self.request.profile, self.config()).total
    }

    pub(super) fn config(&self) -> &'a RecallConfig {
        &self.engine.config.recall
    }
}

/// How much a memory tells by itself, 0..=1, by how many telling tokens it has; less where it asks.
fn substance(memory: &Memory, tokens: usize) -> f64 {
    let asks = memory.content.trim_end().ends_with(['?', '？']);
    let tells = (libm::log(1.0 + tokens as f64) / 5.0).min(1.0);
    (tells - if asks { 0.25 } else { 0.0 }).max(0.0)
}

/// What is above `floor`, stretched to 0..=1.
fn floored(value: f64, floor: f64) -> f64 {
    ((value - floor) / (1.0 - floor)).max(0.0)
}
