//! BERT's forward pass. Texts lie one after the other, without padding and masks: what is done to each token is done to all
//! of them at once, and only attention goes text by text. So a text's vectors do not depend on what is read beside it.

use candle_core::{D, Device, Result, Tensor};
use candle_nn::{LayerNorm, Module, VarBuilder, ops::softmax_last_dim};
use tokenizers::Encoding;

use super::setup::{Activation, Shape};

/// How many tokens are read at once, but for a single text of more.
const AT_ONCE: usize = 2_048;

/// A BERT in memory.
#[derive(Debug)]
pub(crate) struct Bert {
    words: Tensor,
    positions: Tensor,
    types: Tensor,
    norm: LayerNorm,
    layers: Vec<Layer>,
    shape: Shape,
}

#[derive(Debug)]
struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    attended: Linear,
    attended_norm: LayerNorm,
    inner: Linear,
    outer: Linear,
    outer_norm: LayerNorm,
}

impl Bert {
    /// Takes the weights out of `weights`, where they may stand under `bert.`.
    pub(crate) fn new(shape: Shape, weights: &VarBuilder<'_>) -> Result<Self> {
        let prefixed = weights.contains_tensor("bert.embeddings.word_embeddings.weight");
        let weights = if prefixed { weights.pp("bert") } else { weights.clone() };
        let width = shape.hidden_size;
        let table = |name: &str, rows: usize| weights.pp("embeddings").get((rows, width), &format!("{name}.weight"));
        let layers =
            (0..shape.num_hidden_layers).map(|layer| Layer::new(&shape, &weights.pp("encoder.layer").pp(layer)));
        Ok(Self {
            words: table("word_embeddings", shape.vocab_size)?,
            positions: table("position_embeddings", shape.max_position_embeddings)?,
            types: table("token_type_embeddings", shape.type_vocab_size)?,
            norm: norm(&shape, &weights.pp("embeddings.LayerNorm"))?,
            layers: layers.collect::<Result<_>>()?,
            shape,
        })
    }

    /// The last layer's output for each token of each text, `[tokens, dimension]`.
    pub(crate) fn forward(&self, texts: &[Encoding]) -> Result<Vec<Tensor>> {
        let mut read = Vec::with_capacity(texts.len());
        let mut rest = texts;
        while !rest.is_empty() {
            // As many as fit, and one at least.
            let mut tokens = 0;
            let fits = |text: &&Encoding| {
                tokens += text.len();
                tokens <= AT_ONCE
            };
            let (batch, others) = rest.split_at(rest.iter().take_while(fits).count().max(1));
            read.extend(self.forward_batch(batch)?);
            rest = others;
        }
        Ok(read)
    }

    fn forward_batch(&self, texts: &[Encoding]) -> Result<Vec<Tensor>> {
        let lengths: Vec<usize> = texts.iter().map(Encoding::len).collect();
        let column = |of: &dyn Fn(&Encoding) -> Vec<u32>| -> Result<Tensor> {
            let values: Vec<u32> = texts.iter().flat_map(of).collect();
            Tensor::from_vec(values, lengths.iter().sum::<usize>(), &Device::Cpu)
        };
        let words = self.words.index_select(&column(&|text| text.get_ids().to_vec())?, 0)?;
        let types = self.types.index_select(&column(&|text| text.get_type_ids().to_vec())?, 0)?;
        let positions = self.positions.index_select(&column(&|text| (0..text.len() as u32).collect())?, 0)?;
        let mut x = self.norm.forward(&((words + types)? + positions)?)?;
        for layer in &self.layers {
            x = layer.forward(&x, &lengths, &self.shape)?;
        }
        parts(&lengths).map(|(start, length)| x.narrow(0, start, length)).collect()
    }

    /// How many values a token's vector has.
    pub(crate) fn dimension(&self) -> usize {
        self.shape.hidden_size
    }
}

impl Layer {
    fn new(shape: &Shape, weights: &VarBuilder<'_>) -> Result<Self> {
        let (width, inner) = (shape.hidden_size, shape.intermediate_size);
        let own = |name: &str| linear(width, width, &weights.pp("attention").pp(name));
        Ok(Self {
            query: own("self.query")?,
            key: own("self.key")?,
            value: own("self.value")?,
            attended: own("output.dense")?,
            attended_norm: norm(shape, &weights.pp("attention.output.LayerNorm"))?,
            inner: linear(width, inner, &weights.pp("intermediate.dense"))?,
            outer: linear(inner, width, &weights.pp("output.dense"))?,
            outer_norm: norm(shape, &weights.pp("output.LayerNorm"))?,
        })
    }

    fn forward(&self, x: &Tensor, lengths: &[usize], shape: &Shape) -> Result<Tensor> {
        let (query, key, value) = (self.query.forward(x)?, self.key.forward(x)?, self.value.forward(x)?);
        let mixed = parts(lengths).map(|(start, length)| {
            let part = |of: &Tensor| heads(&of.narrow(0, start, length)?, shape.num_attention_heads);
            attend(&part(&query)?, &part(&key)?, &part(&value)?)
        });
        let mixed = Tensor::cat(&mixed.collect::<Result<Vec<_>>>()?, 0)?;
        let x = self.attended_norm.forward(&(self.attended.forward(&mixed)? + x)?)?;
        let inner = self.inner.forward(&x)?;
        let inner = match shape.hidden_act {
            Activation::Gelu => inner.gelu_erf()?,
            Activation::GeluTanh => inner.gelu()?,
            Activation::Relu => inner.relu()?,
        };
        self.outer_norm.forward(&(self.outer.forward(&inner)? + x)?)
    }
}

/// Where each text begins, and how long it is.
fn parts(lengths: &[usize]) -> impl Iterator<Item = (usize, usize)> + '_ {
    lengths.iter().scan(0, |end, &length| {
        *end += length;
        Some((*end - length, length))
    })
}

/// `[tokens, width]` as `[heads, tokens, width of a head]`.
fn heads(x: &Tensor, heads: usize) -> Result<Tensor> {
    let (length, width) = x.dims2()?;
    x.reshape((length, heads, width / heads))?.transpose(0, 1)?.contiguous()
}

/// What each token takes from the others of its text, `[tokens, width]`.
fn attend(query: &Tensor, key: &Tensor, value: &Tensor) -> Result<Tensor> {
    let (heads, length, width) = query.dims3()?;
    let scores = (query.matmul(&key.transpose(D::Minus2, D::Minus1)?)? / (width as f64).sqrt())?;
    softmax_last_dim(&scores)?.matmul(value)?.transpose(0, 1)?.reshape((length, heads * width))
}

/// A layer `x W + b`. Its weights are kept as they are multiplied with, which is not as files have them.
#[derive(Debug)]
pub(crate) struct Linear {
    weight: Tensor,
    bias: Tensor,
}

impl Linear {
    /// `x W + b`
    pub(crate) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        x.matmul(&self.weight)?.broadcast_add(&self.bias)
    }
}

/// A layer whose weights stand at `weights`.
pub(crate) fn linear(from: usize, to: usize, weights: &VarBuilder<'_>) -> Result<Linear> {
    let weight = weights.get((to, from), "weight")?.t()?.contiguous()?;
    Ok(Linear { weight, bias: weights.get(to, "bias")? })
}

/// A normalisation, whose weights older files call gamma and beta.
fn norm(shape: &Shape, weights: &VarBuilder<'_>) -> Result<LayerNorm> {
    let old = weights.contains_tensor("gamma");
    let (weight, bias) = if old { ("gamma", "beta") } else { ("weight", "bias") };
    let width = shape.hidden_size;
    Ok(LayerNorm::new(weights.get(width, weight)?, weights.get(width, bias)?, shape.layer_norm_eps))
}
