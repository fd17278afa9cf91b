//! What the files beside a model's weights say of it: its shape, its pooling, how much it reads.

use std::{fs, path::Path};

use serde::Deserialize;
use serde_json::Value;

use super::ModelError;

/// A BERT's shape, as `config.json` has it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Shape {
    pub(crate) vocab_size: usize,
    pub(crate) hidden_size: usize,
    pub(crate) num_hidden_layers: usize,
    pub(crate) num_attention_heads: usize,
    pub(crate) intermediate_size: usize,
    #[serde(default = "gelu")]
    pub(crate) hidden_act: Activation,
    #[serde(default = "small")]
    pub(crate) layer_norm_eps: f64,
    #[serde(default = "positions")]
    pub(crate) max_position_embeddings: usize,
    #[serde(default = "types")]
    pub(crate) type_vocab_size: usize,
}

/// What stands between the two halves of a layer's feed-forward network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) enum Activation {
    /// By the error function.
    #[serde(rename = "gelu")]
    Gelu,
    /// By the hyperbolic tangent.
    #[serde(rename = "gelu_new", alias = "gelu_pytorch_tanh")]
    GeluTanh,
    #[serde(rename = "relu")]
    Relu,
}

/// How a text's vector is made of its tokens'.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pooling {
    /// Their mean, the special tokens' included.
    Mean,
    /// That of the first, `[CLS]`.
    Cls,
    /// The highest of each value.
    Max,
}

/// What is done with the last layer's output, and how many tokens the model reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reading {
    pub(crate) pooling: Pooling,
    pub(crate) normalise: bool,
    /// Special tokens included.
    pub(crate) most_tokens: usize,
}

impl Shape {
    /// Reads `config.json`.
    pub(crate) fn read(folder: &Path, model: &str) -> Result<Self, ModelError> {
        let unsupported = |reason: String| ModelError::Unsupported { model: model.to_owned(), reason };
        let config = json(&folder.join("config.json"))?.unwrap_or_default();
        for (field, only) in [("model_type", "bert"), ("position_embedding_type", "absolute")] {
            if let Some(found) = config.get(field).and_then(Value::as_str).filter(|found| *found != only) {
                return Err(unsupported(format!("its {field} is {found:?}, and only {only:?} is known here")));
            }
        }
        let shape: Self =
            serde_json::from_value(config).map_err(|error| unsupported(format!("config.json: {error}")))?;
        let heads = shape.num_attention_heads;
        if heads == 0 || !shape.hidden_size.is_multiple_of(heads) {
            let reason = format!("its {} dimensions can't be shared by {heads} heads", shape.hidden_size);
            return Err(unsupported(reason));
        }
        Ok(shape)
    }
}

impl Reading {
    /// Reads what sentence-transformers keeps beside a model: `modules.json`, the pooling's own config, and
    /// `sentence_bert_config.json`. What is not there is the mean, normalised, up to what the model has positions for.
    pub(crate) fn read(folder: &Path, model: &str, shape: &Shape) -> Result<Self, ModelError> {
        let modules = json(&folder.join("modules.json"))?;
        let pooling = match pooling_folder(modules.as_ref()) {
            Some(name) => json(&folder.join(name).join("config.json"))?,
            None => json(&folder.join("1_Pooling").join("config.json"))?,
        };
        let kinds = kinds(modules.as_ref());
        if let Some(other) = kinds.iter().find(|kind| !["Transformer", "Pooling", "Normalize"].contains(&kind.as_str()))
        {
            let reason = format!("its module {other:?} is not known here");
            return Err(ModelError::Unsupported { model: model.to_owned(), reason });
        }
        let normalise = modules.is_none() || kinds.iter().any(|kind| kind == "Normalize");
        let limit = json(&folder.join("sentence_bert_config.json"))?
            .and_then(|config| config.get("max_seq_length")?.as_u64())
            .and_then(|limit| usize::try_from(limit).ok());
        let most = shape.max_position_embeddings;
        let most_tokens = limit.unwrap_or(most).clamp(3, most.max(3));
        Ok(Self { pooling: pooled(pooling.as_ref(), model)?, normalise, most_tokens })
    }

    /// As a text that two readings share only where they do the same.
    pub(crate) fn fingerprint(&self, shape: &Shape) -> String {
        let Self { pooling, normalise, most_tokens } = self;
        let (pooling, activation) = (*pooling as u8, shape.hidden_act as u8);
        let (heads, eps) = (shape.num_attention_heads, shape.layer_norm_eps);
        format!("pooling {pooling} unit {normalise} most {most_tokens} heads {heads} act {activation} eps {eps:e}")
    }
}

/// The folder of the pooling's config, where `modules.json` names one; a plain name alone, so that it stays in the
/// model's own folder.
pub(crate) fn pooling_folder(modules: Option<&Value>) -> Option<String> {
    let module = modules?.as_array()?.iter().find(|module| kind(module).is_some_and(|kind| kind == "Pooling"))?;
    let path = module.get("path")?.as_str()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    (!path.is_empty() && path.chars().all(plain)).then(|| path.to_owned())
}

fn kinds(modules: Option<&Value>) -> Vec<String> {
    let modules = modules.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    modules.iter().filter_map(kind).map(str::to_owned).collect()
}

/// `Pooling` of `sentence_transformers.models.Pooling`.
fn kind(module: &Value) -> Option<&str> {
    module.get("type")?.as_str()?.rsplit('.').next()
}

fn pooled(config: Option<&Value>, model: &str) -> Result<Pooling, ModelError> {
    let Some(config) = config.and_then(Value::as_object) else { return Ok(Pooling::Mean) };
    let set: Vec<&str> = config
        .iter()
        .filter(|(name, value)| name.starts_with("pooling_mode_") && value.as_bool() == Some(true))
        .map(|(name, _)| name.trim_start_matches("pooling_mode_"))
        .collect();
    match set[..] {
        [] | ["mean_tokens"] => Ok(Pooling::Mean),
        ["cls_token"] => Ok(Pooling::Cls),
        ["max_tokens"] => Ok(Pooling::Max),
        _ => {
            let reason = format!("its pooling is {}, and one of mean, cls and max is known here", set.join(" + "));
            Err(ModelError::Unsupported { model: model.to_owned(), reason })
        }
    }
}

/// A JSON file, or `None` where it is not there.
fn json(path: &Path) -> Result<Option<Value>, ModelError> {
    let unreadable = |reason: String| ModelError::Unreadable { path: path.to_owned(), reason };
    match fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| unreadable(error.to_string())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(error.to_string())),
    }
}

fn gelu() -> Activation {
    Activation::Gelu
}

fn small() -> f64 {
    1e-12
}

fn positions() -> usize {
    512
}

fn types() -> usize {
    2
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: &str = r#"{"vocab_size": 9, "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2,
        "intermediate_size": 16, "max_position_embeddings": 64"#;

    fn reading(files: &[(&str, &str)]) -> Result<Reading, ModelError> {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in [("config.json", &*format!("{SHAPE}}}"))].iter().chain(files) {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        let shape = Shape::read(folder.path(), "m")?;
        Reading::read(folder.path(), "m", &shape)
    }

    #[test]
    fn what_is_not_said_is_the_mean_of_all_that_fits() {
        let plain = Reading { pooling: Pooling::Mean, normalise: true, most_tokens: 64 };
        assert_eq!(reading(&[]).unwrap(), plain);
    }

    #[test]
    fn pooling_normalisation_and_length_are_read() {
        let modules = r#"[{"path": "", "type": "sentence_transformers.models.Transformer"},
            {"path": "2_P", "type": "sentence_transformers.models.Pooling"}]"#;
        let cls = r#"{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}"#;
        let files = [("modules.json", modules), ("2_P/config.json", cls)];
        let short = ("sentence_bert_config.json", r#"{"max_seq_length": 16}"#);
        let read = reading(&[files[0], files[1], short]).unwrap();
        assert_eq!(read, Reading { pooling: Pooling::Cls, normalise: false, most_tokens: 16 });
    }

    #[test]
    fn what_is_not_known_is_refused_with_its_name() {
        let dense = r#"[{"path": "3_Dense", "type": "sentence_transformers.models.Dense"}]"#;
        let both = r#"{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": true}"#;
        let roberta = &*format!("{SHAPE}, \"model_type\": \"roberta\"}}");
        let act = &*format!("{SHAPE}, \"hidden_act\": \"swish\"}}");
        for (file, content, named) in [
            ("modules.json", dense, "Dense"),
            ("1_Pooling/config.json", both, "cls_token + mean_tokens"),
            ("config.json", roberta, "roberta"),
            ("config.json", act, "swish"),
        ] {
            let refused = reading(&[(file, content)]).unwrap_err();
            assert_eq!(refused.code(), "model_unsupported");
            assert!(refused.to_string().contains(named), "{refused}");
        }
    }

    #[test]
    fn a_pooling_folder_stays_in_the_models_own() {
        let modules = |path: &str| serde_json::json!([{"path": path, "type": "a.Pooling"}]);
        assert_eq!(pooling_folder(Some(&modules("1_Pooling"))).as_deref(), Some("1_Pooling"));
        for path in ["../x", "/etc", "a/b", "", "."] {
            assert_eq!(pooling_folder(Some(&modules(path))), None, "{path}");
        }
    }
}
