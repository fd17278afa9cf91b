//! Transformers as embedders and rerankers, on a tiny BERT with random weights (`tests/models/tiny.py` makes it), and
//! the way that models take from a hub, which is a server of these tests.

#![cfg(feature = "candle")]
#![allow(clippy::unwrap_used, reason = "a test that can't go on fails")]

#[path = "cli/support.rs"]
#[allow(dead_code, reason = "the tests of the command line use the rest of it")]
mod support;

mod models {
    mod fetching;
    mod mixed;
    mod reference;
    mod reranking;
    mod server;

    use std::{
        fs,
        path::{Path, PathBuf},
    };

    /// The tiny BERT's folder.
    pub(crate) fn tiny() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/tiny-bert")
    }

    /// A copy of it in `folder` that reads less of a text: another model, since its vectors are others.
    pub(crate) fn shorter(folder: &Path) -> PathBuf {
        let copy = folder.join("shorter");
        fs::create_dir_all(copy.join("1_Pooling")).unwrap();
        for name in ["config.json", "tokenizer.json", "model.safetensors", "modules.json", "1_Pooling/config.json"] {
            fs::copy(tiny().join(name), copy.join(name)).unwrap();
        }
        fs::write(copy.join("sentence_bert_config.json"), r#"{"max_seq_length": 6}"#).unwrap();
        copy
    }
}
