//! A model's files, read and checked: shape, tokenizer, weights.

use std::{fs, path::Path};

use candle_core::{DType, Device};
use candle_nn::VarBuilder;
use sha2::{Digest, Sha256};
use tokenizers::{Encoding, Tokenizer, TruncationParams};

use super::{
    ModelError, ModelSource,
    bert::Bert,
    files,
    setup::{Reading, Shape},
};

/// The file of the weights.
pub(crate) const WEIGHTS: &str = "model.safetensors";

/// A model that is ready to read.
pub(crate) struct Checkpoint {
    /// What it was asked for by.
    pub(crate) name: String,
    pub(crate) bert: Bert,
    pub(crate) reading: Reading,
    tokenizer: Tokenizer,
    /// Of all that its vectors depend on.
    pub(crate) fingerprint: String,
}

impl Checkpoint {
    /// Finds the files, fetches what is to be fetched, and loads them. `more` takes what else it needs of the weights.
    pub(crate) fn load<T>(
        source: &ModelSource,
        more: impl FnOnce(&Shape, &VarBuilder<'_>) -> candle_core::Result<T>,
    ) -> Result<(Self, T), ModelError> {
        let name = source.to_string();
        let folder = files::find_or_fetch(source)?;
        let shape = Shape::read(&folder, &name)?;
        let reading = Reading::read(&folder, &name, &shape)?;
        let weights_path = folder.join(WEIGHTS);
        let weights = read(&weights_path)?;
        let sum = hex(&Sha256::digest(&weights));
        if let Some(expected) = source.pinned().filter(|expected| **expected != *sum) {
            let (path, expected) = (weights_path, expected.to_owned());
            return Err(ModelError::Checksum { model: name, path, expected, actual: sum });
        }
        let vocabulary = read(&folder.join("tokenizer.json"))?;
        let told = [sum, hex(&Sha256::digest(&vocabulary)), reading.fingerprint(&shape)].join("\n");
        let fingerprint = hex(&Sha256::digest(told.as_bytes()))[..16].to_owned();
        let tokenizer = tokenizer(&vocabulary, reading.most_tokens)
            .map_err(|reason| ModelError::Unreadable { path: folder.join("tokenizer.json"), reason })?;
        let unusable = |error: candle_core::Error| {
            let reason = format!("{}: {}", weights_path.display(), first_line(&error.to_string()));
            ModelError::Unsupported { model: name.clone(), reason }
        };
        let weights = VarBuilder::from_buffered_safetensors(weights, DType::F32, &Device::Cpu).map_err(unusable)?;
        let rest = more(&shape, &weights).map_err(unusable)?;
        let bert = Bert::new(shape, &weights).map_err(unusable)?;
        Ok((Self { name, bert, reading, tokenizer, fingerprint }, rest))
    }

    /// The tokens of a text, cut to what the model reads.
    pub(crate) fn encode(&self, text: &str) -> Result<Encoding, ModelError> {
        self.tokenizer.encode(text, true).map_err(|error| self.failed(&error))
    }

    /// The tokens of two texts together; the longer one is cut to what the model reads.
    pub(crate) fn encode_pair(&self, one: &str, other: &str) -> Result<Encoding, ModelError> {
        self.tokenizer.encode((one, other), true).map_err(|error| self.failed(&error))
    }

    /// How many tokens there are.
    pub(crate) fn vocabulary(&self) -> usize {
        self.tokenizer.get_vocab_size(true)
    }

    /// That the model did not do its work.
    pub(crate) fn failed(&self, error: &impl ToString) -> ModelError {
        ModelError::Failed { model: self.name.clone(), reason: first_line(&error.to_string()) }
    }
}

/// The tokenizer as its file has it, but cut at what the model reads and never padded.
fn tokenizer(bytes: &[u8], most_tokens: usize) -> Result<Tokenizer, String> {
    let mut tokenizer = Tokenizer::from_bytes(bytes).map_err(|error| error.to_string())?;
    let cut = TruncationParams { max_length: most_tokens, ..TruncationParams::default() };
    tokenizer.with_truncation(Some(cut)).map_err(|error| error.to_string())?;
    tokenizer.with_padding(None);
    Ok(tokenizer)
}

fn read(path: &Path) -> Result<Vec<u8>, ModelError> {
    fs::read(path).map_err(|error| ModelError::Unreadable { path: path.to_owned(), reason: error.to_string() })
}

/// An error of the libraries below goes on with where it came from.
fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

/// Bytes as lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
