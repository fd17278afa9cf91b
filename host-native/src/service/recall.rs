//! Recall, which writes how fresh it makes what it finds, and answers where it can't; where a model is not there, by what
//! needs none; and where the clock is ahead, only looks.

use ebbtrace_core::{RecallInput, Recalled, VectorKind, Vectors};

use super::{Service, ServiceError, turn};
use crate::store::Need;

impl Service {
    /// Finds memories, and keeps what was found fresh. Where that can't be written, as on a full disk, what was found is
    /// answered all the same, with a notice; so it is where the embedder fails, where the stored vectors are another
    /// model's, and where the reranker fails or is too slow.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn recall(&self, mut input: RecallInput) -> Result<Recalled, ServiceError> {
        if input.asker.is_none() {
            input.asker.clone_from(&self.owner);
        }
        let mut notices = Vec::new();
        if let (Some(by), false) = (&self.ahead, input.peek) {
            input.peek = true;
            notices.push(format!("--now is {by} ahead of the clock, so this was only a look: nothing was refreshed"));
        }
        let need = Need::of_recall(&input);
        let mut failed = false;
        if self.embedder.is_some() && input.embedding.is_none() && !input.query.trim().is_empty() {
            let topic = self.read(&need, |engine| engine.topic(input.scope.as_deref(), &input.query))?;
            match self.embed(&topic) {
                Ok(embedding) => input.embedding = embedding,
                Err(error) => {
                    failed = true;
                    notices.push(format!("Found without the embedder: {error}. {}", error.next_step()));
                }
            }
        }
        let vectors = self.read(&need, |engine| engine.vectors(input.scope.as_deref()))?;
        notices.extend(fit(&vectors, &mut input).filter(|_| !failed));
        if input.second_stage.is_none() {
            input.second_stage = self.second_stage(&need, &input, &mut notices)?;
        }
        let recalled = match self.write(&need, |engine, moment| engine.stage_recall(&input, moment)) {
            Err(error) if turn::only_prevents_writing(&error) => {
                notices.push(format!("This use was not recorded, so nothing is kept fresh by it: {error}."));
                let moment = self.moment();
                self.read(&need, |engine| Ok(engine.stage_recall(&input, moment)?.outcome))?
            }
            other => other?,
        };
        self.saw(recalled.hits.iter().map(|hit| &hit.memory));
        let notices = [recalled.notices, notices].concat();
        Ok(Recalled { notices, ..recalled })
    }
}

/// Takes the query's vector out where too few memories have one to compare it with: beside those that have, the others
/// would be judged by less. Says what the caller should know of that.
fn fit(vectors: &Vectors, input: &mut RecallInput) -> Option<String> {
    let Some(raw) = &input.embedding else {
        let (other, count) = (vectors.kinds.first()?, vectors.others(None));
        return Some(format!(
            "{count} of {} memories carry vectors of another embedder ({}), which are not in use here: found by words, \
             links and the token table. Choose that embedder, or drop them with `ebbtrace reembed`.",
            vectors.memories, other.0.model,
        ));
    };
    let kind = VectorKind { model: raw.model.as_str().into(), dimension: raw.values.len() };
    let (with, all) = (vectors.of(&kind), vectors.memories);
    if with == all {
        return None;
    }
    // One model has one dimension: the core refuses a vector of another.
    let other_dimension =
        vectors.kinds.iter().any(|(known, _)| known.model == kind.model && known.dimension != kind.dimension);
    let notice = format!(
        "{} of {all} memories carry no vector of this embedder ({}): they are found by words, links and the token \
         table. `ebbtrace reembed` with this embedder gives them one.",
        all - with,
        kind.model,
    );
    if other_dimension || 2 * with < all {
        input.embedding = None;
    }
    Some(notice)
}

#[cfg(test)]
mod tests {
    use ebbtrace_core::RawEmbedding;

    use super::*;

    /// What is said, and whether the query's vector is used, with so many of ten memories that carry one of each kind.
    fn fitted(kinds: &[(&str, usize, usize)], dimension: Option<usize>) -> (String, bool) {
        let kind = |(model, dimension, count): &(&str, usize, usize)| {
            (VectorKind { model: (*model).into(), dimension: *dimension }, *count)
        };
        let vectors = Vectors { memories: 10, kinds: kinds.iter().map(kind).collect() };
        let embedding =
            dimension.map(|dimension| RawEmbedding { model: "mine".to_owned(), values: vec![1.0; dimension] });
        let mut input = RecallInput { embedding, ..RecallInput::default() };
        (fit(&vectors, &mut input).unwrap_or_default(), input.embedding.is_some())
    }

    #[test]
    fn a_vector_is_used_where_at_least_half_can_be_compared_with_it() {
        assert_eq!(fitted(&[("mine", 3, 10)], Some(3)), (String::new(), true));
        assert_eq!(fitted(&[], None), (String::new(), false));
        let (said, used) = fitted(&[("mine", 3, 5), ("other", 3, 5)], Some(3));
        assert!(used && said.starts_with("5 of 10 memories carry no vector of this embedder (mine)"), "{said}");
        let (said, used) = fitted(&[("mine", 3, 4)], Some(3));
        assert!(!used && said.starts_with("6 of 10 memories"), "{said}");
        let (said, used) = fitted(&[("mine", 3, 9), ("mine", 4, 1)], Some(3));
        assert!(!used && said.starts_with("1 of 10 memories"), "{said}");
    }

    #[test]
    fn vectors_that_nobody_uses_are_told_of() {
        let (said, _) = fitted(&[("other", 3, 4)], None);
        assert!(said.starts_with("4 of 10 memories carry vectors of another embedder (other)"), "{said}");
    }
}
