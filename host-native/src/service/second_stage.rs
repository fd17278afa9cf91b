//! The second stage of a recall: a reranker's word on the best of the first, off the service's lock.

use ebbtrace_core::{RecallInput, Shortlisted};

use super::{Service, ServiceError};
use crate::{
    rerank::{SHORTLIST, scores},
    store::Need,
};

impl Service {
    /// What the reranker makes of the best of the first stage, by id. `None` where there is no reranker, nothing to
    /// choose between, or it fails or is too slow, which a notice says: the first stage's order stands.
    pub(super) fn second_stage(
        &self,
        need: &Need,
        input: &RecallInput,
        notices: &mut Vec<String>,
    ) -> Result<Option<Vec<(String, f64)>>, ServiceError> {
        let Some(reranker) = &self.reranker else { return Ok(None) };
        let moment = self.moment();
        let found = self.read(need, |engine| engine.shortlist(input, moment, SHORTLIST))?;
        if found.len() < 2 {
            return Ok(None);
        }
        let (ids, texts): (Vec<String>, Vec<String>) = found.into_iter().map(read).unzip();
        match scores(reranker, &input.query, texts, self.reranker_timeout) {
            Ok(scores) => Ok(Some(ids.into_iter().zip(scores).collect())),
            Err(reason) => {
                notices.push(format!("In the first stage's order: {reason}"));
                Ok(None)
            }
        }
    }
}

/// A memory's id, and what the reranker reads of it: who says what.
fn read(memory: Shortlisted) -> (String, String) {
    let text = match memory.author {
        Some(author) => format!("{author}: {}", memory.content),
        None => memory.content,
    };
    (memory.id.to_string(), text)
}
