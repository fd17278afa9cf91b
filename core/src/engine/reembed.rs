//! Giving memories the vectors of another model, or none. Nothing but the vector changes: no clock, no version.

use crate::{
    change::{Change, Operation, Staged},
    engine::{Engine, checked, scope_or_default},
    error::Error,
    label::Scope,
    operation::{ReembedInput, Reembedded, Unembedded, VectorKind, Vectors},
    record::{Memory, Record},
    time::Moment,
    vector::Embedding,
};

impl Engine {
    /// Which vectors the memories of a scope carry.
    ///
    /// # Errors
    /// [`Error::BadName`] for the scope.
    pub fn vectors(&self, scope: Option<&str>) -> Result<Vectors, Error> {
        let scope = scope_or_default(scope)?;
        let Some(partition) = self.partition(&scope) else { return Ok(Vectors::default()) };
        let kinds = partition
            .embedded
            .iter()
            .map(|of| (VectorKind { model: of.model.clone(), dimension: of.dimension }, of.index.len()));
        Ok(Vectors { memories: partition.lexical.count(), kinds: kinds.collect() })
    }

    /// The memories, of one scope or of all, whose vector is not of the kind that is wanted, in order of scope and id;
    /// where none is wanted, those that carry one.
    ///
    /// # Errors
    /// [`Error::BadName`] for the scope.
    pub fn unembedded(&self, scope: Option<&str>, wanted: Option<&VectorKind>) -> Result<Vec<Unembedded>, Error> {
        let scope = scope.map(|scope| Scope::parse("scope", scope)).transpose()?;
        let asked = self.partitions.iter().filter(|of| scope.as_ref().is_none_or(|scope| scope == of.scope()));
        let found = asked.flat_map(|partition| {
            let memories = partition.by_id().into_iter().map(|(_, memory)| memory);
            let lacking = memories.filter(|memory| kind_of(memory).as_ref() != wanted);
            lacking.map(|memory| Unembedded { scope: partition.scope().clone(), id: memory.id.clone() })
        });
        Ok(found.collect())
    }

    /// Gives memories the vectors that the host made of their texts, and changes nothing else of them. One that was
    /// edited or deleted since the host read it is left out: the vector is of another text.
    ///
    /// # Errors
    /// [`Error::BadName`] for the scope; [`Error::Blank`] or [`Error::OutOfRange`] for a vector that is none;
    /// [`Error::WrongDimension`] where one model's vectors differ in length among themselves.
    pub fn stage_reembed(&self, input: &ReembedInput, moment: Moment) -> Result<Staged<Reembedded>, Error> {
        let now = checked(moment)?.now;
        let scope = scope_or_default(input.scope.as_deref())?;
        let mut outcome = Reembedded::default();
        let mut changes = Vec::new();
        let mut dimensions: Vec<(&str, usize)> = Vec::new();
        for new in &input.memories {
            let embedding = new.embedding.as_ref().map(Embedding::quantise).transpose()?;
            if let (Some(raw), Some(embedding)) = (&new.embedding, &embedding) {
                let actual = embedding.values.len();
                let known = dimensions.iter().find(|(model, _)| *model == &*raw.model);
                let expected = known.map_or(actual, |(_, expected)| *expected);
                if known.is_none() {
                    dimensions.push((&raw.model, actual));
                }
                if expected != actual {
                    let (field, model) = ("embedding.values", raw.model.clone());
                    return Err(Error::WrongDimension { field, model, expected, actual });
                }
            }
            let old = self.partition(&scope).and_then(|partition| partition.find(&new.id));
            let as_read = |old: &&Memory| old.version == new.version && old.content == new.content;
            let Some(old) = old.filter(as_read) else {
                outcome.left_out.push(new.id.clone());
                continue;
            };
            if old.embedding != embedding {
                outcome.changed += 1;
                changes.push(Change::Put(Record::Memory(Box::new(Memory { embedding, ..old.clone() }))));
            }
        }
        Ok(self.stage(Operation::Reembed, now, outcome, changes))
    }
}

fn kind_of(memory: &Memory) -> Option<VectorKind> {
    let embedding = memory.embedding.as_ref()?;
    Some(VectorKind { model: embedding.model.clone(), dimension: embedding.values.len() })
}
