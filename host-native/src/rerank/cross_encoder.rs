//! A BERT that reads question and text as one and gives a single figure.

use candle_core::{Result as Tensors, Tensor};
use candle_nn::VarBuilder;

use super::Reranker;
use crate::model::{
    ModelError, ModelSource,
    bert::{Linear, linear},
    checkpoint::Checkpoint,
    lazy::Lazy,
    setup::Shape,
};

/// A BERT for the classification of sequences with one class, such as `cross-encoder/ms-marco-MiniLM-L-6-v2`. Its figure
/// goes through the logistic function, to 0..1. Its model is loaded, and fetched where need be, at its first use.
pub struct CrossEncoder {
    name: String,
    source: ModelSource,
    loaded: Lazy<(Checkpoint, Head)>,
}

/// What stands over BERT: the pooler over `[CLS]`, and the classifier over that.
struct Head {
    pooler: Linear,
    classifier: Linear,
}

impl CrossEncoder {
    /// The model that `source` names; nothing is loaded yet.
    #[must_use]
    pub fn new(source: ModelSource) -> Self {
        Self { name: source.to_string(), source, loaded: Lazy::new() }
    }

    fn loaded(&self) -> Result<&(Checkpoint, Head), ModelError> {
        self.loaded.get(|| Checkpoint::load(&self.source, Head::new))
    }
}

impl Reranker for CrossEncoder {
    fn model(&self) -> &str {
        &self.name
    }

    fn score(&self, query: &str, texts: &[&str]) -> Result<Vec<f32>, ModelError> {
        let (checkpoint, head) = self.loaded()?;
        let encode = |text: &&str| checkpoint.encode_pair(query, text);
        let pairs = texts.iter().map(encode).collect::<Result<Vec<_>, _>>()?;
        let scores = || -> Tensors<Vec<f32>> {
            checkpoint.bert.forward(&pairs)?.iter().map(|hidden| head.score(hidden)).collect()
        };
        scores().map_err(|error| checkpoint.failed(&error))
    }

    fn prepare(&self) -> Result<(), ModelError> {
        self.loaded().map(drop)
    }
}

impl Head {
    fn new(shape: &Shape, weights: &VarBuilder<'_>) -> Tensors<Self> {
        let width = shape.hidden_size;
        let pooler = linear(width, width, &weights.pp("bert.pooler.dense"))?;
        let classifier = linear(width, 1, &weights.pp("classifier"))?;
        Ok(Self { pooler, classifier })
    }

    /// How well the pair fits whose last layer this is, 0..=1.
    fn score(&self, hidden: &Tensor) -> Tensors<f32> {
        let pooled = self.pooler.forward(&hidden.narrow(0, 0, 1)?)?.tanh()?;
        let logit: f32 = self.classifier.forward(&pooled)?.flatten_all()?.get(0)?.to_scalar()?;
        Ok(1.0 / (1.0 + (-logit).exp()))
    }
}
