//! Giving every memory the vector of the embedder in use, in parts: each is one commit, so that it can be broken off at
//! any time and goes on where it was.

use std::collections::BTreeSet;

use ebbtrace_core::{Memory, ReembedInput, Reembedding, Unembedded, VectorKind};
use serde::Serialize;

use super::{Service, ServiceError};
use crate::embed::{Embedder, embed_one};
use crate::store::Need;

/// How many memories are embedded and committed at a time: about a second's work for a small model.
const BATCH: usize = 32;

/// Memories that are edited while they are embedded are tried again, so often.
const PASSES: usize = 3;

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Memories that are done, of those that needed it at the start.
    pub done: usize,
    /// Memories that needed it at the start.
    pub all: usize,
}

/// What was done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ReembedReport {
    /// The model that every memory has a vector of now; `None`: vectors were dropped.
    pub model: Option<String>,
    /// How many values a vector has; 0 without a model.
    pub dimension: usize,
    /// Memories of every state that were looked at.
    pub memories: usize,
    /// Those that had such a vector before, or none where none is wanted.
    pub unchanged: usize,
    /// Those that have another vector now, or none any more.
    pub changed: usize,
    /// Those that were edited each time they were embedded: `scope/id`. Call again for them.
    pub left_out: Vec<String>,
}

impl Service {
    /// Gives every memory, of one scope or of all, the vector of the embedder in use; without one, stored vectors are
    /// dropped. Nothing else of a memory changes. What has such a vector is passed over. Others may write meanwhile.
    ///
    /// # Errors
    /// [`ServiceError`]; what was committed before stays done.
    pub fn reembed(
        &self,
        scope: Option<&str>,
        mut progress: impl FnMut(Progress),
    ) -> Result<ReembedReport, ServiceError> {
        let kind = self.embedder.as_deref().map(kind_of).transpose()?;
        let mut report = ReembedReport::default();
        if let Some(kind) = &kind {
            (report.model, report.dimension) = (Some(kind.model.to_string()), kind.dimension);
        }
        let lacking = || self.read(&whole(scope), |engine| engine.unembedded(scope, kind.as_ref()));
        let mut left = lacking()?;
        let all = left.len();
        report.memories = self.memories(scope)?;
        report.unchanged = report.memories.saturating_sub(all);
        progress(Progress { done: 0, all });
        for _ in 0..PASSES {
            for batch in left.chunk_by(|a, b| a.scope == b.scope).flat_map(|scope| scope.chunks(BATCH)) {
                report.changed += self.reembed_batch(batch)?;
                progress(Progress { done: report.changed.min(all), all });
            }
            left = lacking()?;
            if left.is_empty() {
                break;
            }
        }
        report.left_out = left.iter().map(|one| format!("{}/{}", one.scope, one.id)).collect();
        Ok(report)
    }

    /// Embeds memories of one scope, off the lock, and commits their vectors; how many changed.
    fn reembed_batch(&self, batch: &[Unembedded]) -> Result<usize, ServiceError> {
        let Some(scope) = batch.first().map(|one| one.scope.to_string()) else { return Ok(0) };
        let need = Need::memories(Some(&scope), batch.iter().map(|one| one.id.as_str()));
        let memories: Vec<Memory> = self.read(&need, |engine| {
            // One that was deleted meanwhile needs nothing.
            Ok(batch.iter().filter_map(|one| engine.find(Some(&scope), one.id.as_str()).ok().cloned()).collect())
        })?;
        let vectors = match self.embedder.as_deref() {
            None => vec![None; memories.len()],
            Some(embedder) => {
                let texts: Vec<&str> = memories.iter().map(|memory| memory.content.as_str()).collect();
                let model = embedder.model()?.to_owned();
                let raw = |values| Some(ebbtrace_core::RawEmbedding { model: model.clone(), values });
                embedder.embed(&texts)?.into_iter().map(raw).collect()
            }
        };
        let new = memories.into_iter().zip(vectors).map(|(memory, embedding)| Reembedding {
            id: memory.id.to_string(),
            version: memory.version,
            content: memory.content,
            embedding,
        });
        let input = ReembedInput { scope: Some(scope), memories: new.collect() };
        Ok(self.write(&need, |engine, moment| engine.stage_reembed(&input, moment))?.changed)
    }

    /// How many memories there are, of every state.
    fn memories(&self, scope: Option<&str>) -> Result<usize, ServiceError> {
        self.read(&whole(scope), |engine| {
            let scopes: BTreeSet<String> = match scope {
                Some(scope) => BTreeSet::from([scope.to_owned()]),
                None => engine.scopes().into_iter().collect(),
            };
            scopes.iter().map(|scope| Ok(engine.vectors(Some(scope))?.memories)).sum()
        })
    }
}

/// Everything in the scope, or in all of them.
fn whole(scope: Option<&str>) -> Need {
    scope.map_or(Need::Everything, |scope| Need::scope(Some(scope)))
}

/// Which vectors an embedder makes.
fn kind_of(embedder: &dyn Embedder) -> Result<VectorKind, ServiceError> {
    let one = embed_one(embedder, "one")?;
    Ok(VectorKind { model: one.model.into(), dimension: one.values.len() })
}
