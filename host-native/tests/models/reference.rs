//! The forward pass against the one in numpy.

use std::{env, fs, path::PathBuf};

use ebbtrace::{Embedder, Reranker, embed::Transformer, model::ModelSource, rerank::CrossEncoder};
use serde_json::Value;

use super::{shorter, tiny};

fn expected() -> Value {
    serde_json::from_slice(&fs::read(tiny().join("expected.json")).unwrap()).unwrap()
}

fn embedder(folder: PathBuf) -> Transformer {
    Transformer::new(ModelSource::Folder(folder))
}

fn texts(expected: &Value) -> Vec<&str> {
    expected["embeddings"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap()).collect()
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

#[test]
fn vectors_are_those_of_the_reference() {
    let expected = expected();
    let embedder = embedder(tiny());
    let vectors = embedder.embed(&texts(&expected)).unwrap();
    for (one, vector) in expected["embeddings"].as_array().unwrap().iter().zip(&vectors) {
        let wanted: Vec<f32> = one["vector"].as_array().unwrap().iter().map(|v| v.as_f64().unwrap() as f32).collect();
        assert_eq!(vector.len(), wanted.len());
        let furthest = vector.iter().zip(&wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(furthest < 1e-4, "{furthest} at {one}");
        let length = vector.iter().map(|value| value * value).sum::<f32>();
        assert!((length - 1.0).abs() < 1e-5, "{length}");
    }
}

#[test]
fn scores_are_those_of_the_reference() {
    let reranker = CrossEncoder::new(ModelSource::Folder(tiny()));
    for one in expected()["scores"].as_array().unwrap() {
        let (query, text) = (one["query"].as_str().unwrap(), one["text"].as_str().unwrap());
        let score = f64::from(reranker.score(query, &[text]).unwrap()[0]);
        assert!((score - one["score"].as_f64().unwrap()).abs() < 1e-4, "{score}: {one}");
    }
}

#[test]
fn a_vector_does_not_depend_on_what_is_embedded_beside_it() {
    let expected = expected();
    let texts = texts(&expected);
    let embedder = embedder(tiny());
    let together = embedder.embed(&texts).unwrap();
    for (text, vector) in texts.iter().zip(&together) {
        assert_eq!(embedder.embed(&[text]).unwrap().first(), Some(vector), "{text}");
    }
    let many = embedder.embed(&texts.repeat(8)).unwrap();
    assert!(many.chunks(texts.len()).all(|again| *again == *together));
    assert_eq!(embedder.embed(&[]).unwrap(), Vec::<Vec<f32>>::new());
}

#[test]
fn token_vectors_leave_out_what_marks_the_ends() {
    let embedder = embedder(tiny());
    let tokens = embedder.token_vectors(&["We deploy on Wednesdays.", "!", ""]).unwrap();
    let counts: Vec<usize> = tokens.iter().map(|text| text.tokens.len()).collect();
    assert_eq!(counts, [6, 1, 0]);
    for text in &tokens {
        assert_eq!((text.dimension, text.values.len()), (16, 16 * text.tokens.len()));
        for vector in text.values.chunks(16) {
            assert!((vector.iter().map(|value| value * value).sum::<f32>() - 1.0).abs() < 1e-5);
        }
    }
}

#[test]
fn an_id_is_the_contents() {
    let folder = tempfile::tempdir().unwrap();
    let (other, tiny) = (shorter(folder.path()), tiny());
    let id = |folder: &PathBuf| embedder(folder.clone()).model().unwrap().to_owned();
    assert!(id(&tiny).starts_with("bert-16-"), "{}", id(&tiny));
    assert_ne!(id(&tiny), id(&other));
    fs::copy(tiny.join("sentence_bert_config.json"), other.join("sentence_bert_config.json")).unwrap();
    assert_eq!(id(&tiny), id(&other));
    let mut weights = fs::read(tiny.join("model.safetensors")).unwrap();
    *weights.last_mut().unwrap() ^= 1;
    fs::write(other.join("model.safetensors"), weights).unwrap();
    assert_ne!(id(&tiny), id(&other));
}

#[test]
fn files_that_are_no_model_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let broken = shorter(folder.path());
    let refused = || embedder(broken.clone()).embed(&["text"]).unwrap_err();
    fs::write(broken.join("model.safetensors"), b"half a fi").unwrap();
    assert_eq!(refused().code(), "model_unsupported");
    fs::write(broken.join("tokenizer.json"), b"{}").unwrap();
    assert_eq!(refused().code(), "model_unreadable");
    fs::remove_file(broken.join("config.json")).unwrap();
    assert_eq!(refused().code(), "model_incomplete");
}

/// MiniLM itself, where `EBBTRACE_MINILM` names its folder, against what `tests/models/minilm.py` gives.
#[test]
#[ignore = "needs MiniLM's files, which are no part of the project"]
fn minilm_is_that_of_the_reference() {
    let folder = PathBuf::from(env::var_os("EBBTRACE_MINILM").unwrap());
    let reference: Value =
        serde_json::from_slice(&fs::read(env::var_os("EBBTRACE_REFERENCE").unwrap()).unwrap()).unwrap();
    let embedder = embedder(folder);
    let texts: Vec<&str> = reference.as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap()).collect();
    let together = embedder.embed(&texts.repeat(9)).unwrap();
    for (number, vector) in together.iter().enumerate() {
        assert_eq!(embedder.embed(&[texts[number % texts.len()]]).unwrap().first(), Some(vector), "{number}");
    }
    for one in reference.as_array().unwrap() {
        let wanted: Vec<f32> = one["vector"].as_array().unwrap().iter().map(|v| v.as_f64().unwrap() as f32).collect();
        let vector = embedder.embed(&[one["text"].as_str().unwrap()]).unwrap().remove(0);
        let cosine = cosine(&vector, &wanted);
        println!("cosine {cosine:.7}: {:.60}", one["text"].as_str().unwrap());
        assert!(cosine > 0.9999, "{cosine}: {one}");
    }
}
