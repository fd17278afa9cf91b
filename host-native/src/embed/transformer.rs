//! A BERT as an embedder: sentence-transformers' models of that type, and what is built like them.

use candle_core::{Result as Tensors, Tensor};
use tokenizers::Encoding;

use super::{Embedder, TokenVectors};
use crate::model::{ModelError, ModelSource, checkpoint::Checkpoint, lazy::Lazy, setup::Pooling};

/// A BERT as an embedder. Its model is loaded, and fetched where need be, at its first use.
pub struct Transformer {
    source: ModelSource,
    loaded: Lazy<Loaded>,
}

struct Loaded {
    id: String,
    checkpoint: Checkpoint,
}

impl Transformer {
    /// The model that `source` names; nothing is loaded yet.
    #[must_use]
    pub fn new(source: ModelSource) -> Self {
        Self { source, loaded: Lazy::new() }
    }

    fn loaded(&self) -> Result<&Loaded, ModelError> {
        self.loaded.get(|| {
            let (checkpoint, ()) = Checkpoint::load(&self.source, |_, _| Ok(()))?;
            // By content: the same weights are the same model, wherever they were found.
            let id = format!("bert-{}-{}", checkpoint.bert.dimension(), checkpoint.fingerprint);
            Ok(Loaded { id, checkpoint })
        })
    }
}

impl Embedder for Transformer {
    fn model(&self) -> Result<&str, ModelError> {
        Ok(&self.loaded()?.id)
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        let loaded = self.loaded()?;
        loaded.read(texts, |_, hidden| loaded.pooled(hidden))
    }

    fn token_vectors(&self, texts: &[&str]) -> Result<Vec<TokenVectors>, ModelError> {
        let loaded = self.loaded()?;
        loaded.read(texts, |encoding, hidden| loaded.tokens(encoding, hidden))
    }
}

impl Loaded {
    /// What `of` makes of each text's last layer.
    fn read<T>(&self, texts: &[&str], of: impl Fn(&Encoding, &Tensor) -> Tensors<T>) -> Result<Vec<T>, ModelError> {
        let encodings = texts.iter().map(|text| self.checkpoint.encode(text)).collect::<Result<Vec<_>, _>>()?;
        let read = || -> Tensors<Vec<T>> {
            let hidden = self.checkpoint.bert.forward(&encodings)?;
            encodings.iter().zip(&hidden).map(|(encoding, hidden)| of(encoding, hidden)).collect()
        };
        read().map_err(|error| self.checkpoint.failed(&error))
    }

    /// A text's one vector.
    fn pooled(&self, hidden: &Tensor) -> Tensors<Vec<f32>> {
        let pooled = match self.checkpoint.reading.pooling {
            Pooling::Mean => hidden.mean(0)?,
            Pooling::Cls => hidden.get(0)?,
            Pooling::Max => hidden.max(0)?,
        };
        let mut vector = pooled.to_vec1()?;
        if self.checkpoint.reading.normalise {
            unit(&mut vector);
        }
        Ok(vector)
    }

    /// Each token's vector, but for those that mark the text's ends.
    fn tokens(&self, encoding: &Encoding, hidden: &Tensor) -> Tensors<TokenVectors> {
        let dimension = self.checkpoint.bert.dimension();
        let hidden = hidden.flatten_all()?.to_vec1::<f32>()?;
        let mut tokens =
            TokenVectors { dimension, vocabulary: self.checkpoint.vocabulary(), ..TokenVectors::default() };
        let all = encoding.get_ids().iter().zip(encoding.get_special_tokens_mask()).zip(hidden.chunks_exact(dimension));
        for ((token, _), vector) in all.filter(|((_, special), _)| **special == 0) {
            tokens.tokens.push(*token);
            tokens.values.extend_from_slice(vector);
        }
        tokens.values.chunks_exact_mut(dimension).for_each(unit);
        Ok(tokens)
    }
}

/// Brings a vector to unit length; one of zeros stays.
fn unit(vector: &mut [f32]) {
    let norm = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    if norm > 0.0 {
        vector.iter_mut().for_each(|value| *value /= norm);
    }
}
