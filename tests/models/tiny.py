"""A tiny BERT with random weights, and what it gives for a few texts, worked out in plain numpy.

Writes a folder as hubs have it: config.json, tokenizer.json, model.safetensors, with the files of sentence-transformers
beside them, and expected.json with the vectors and the scores that the Rust tests compare with. One checkpoint serves as
embedder and as cross-encoder: it has a classifier, whose weights an embedder passes over.
"""

import argparse
import json
import pathlib

import numpy as np
from scipy.special import erf
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

LAYERS, HEADS, WIDTH, INNER, POSITIONS, LIMIT = 2, 4, 16, 32, 48, 24
WORDS = """[PAD] [UNK] [CLS] [SEP] [MASK] the a is on in of we our by and not when how do you to what where who deploy
##s ##ed ##ing day wednesday friday database staging wipe price bill hour outcome cello play ##er orchestra . , ? ! 1 2""".split()
TEXTS = [
    "We deploy on Wednesdays.",
    "The staging database is wiped on Friday",
    "Who plays the cello in our orchestra?",
    "we bill by the outcome, not by the hour " * 6,
    "zyzzyva",
    "!",
]
PAIRS = [
    ("when do we deploy?", "We deploy on Wednesdays."),
    ("when do we deploy?", "Who plays the cello?"),
    ("what is wiped", "The staging database is wiped on Friday " * 5),
    ("how do you bill", "zyzzyva"),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    out = parser.parse_args().out
    (out / "1_Pooling").mkdir(parents=True, exist_ok=True)
    weights = random_weights()
    save(out / "model.safetensors", weights)
    tokenizer = make_tokenizer()
    tokenizer.save(str(out / "tokenizer.json"))
    tokenizer.enable_truncation(LIMIT)
    config = {
        "model_type": "bert", "architectures": ["BertForSequenceClassification"], "vocab_size": len(WORDS),
        "hidden_size": WIDTH, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "intermediate_size": INNER,
        "hidden_act": "gelu", "layer_norm_eps": 1e-12, "max_position_embeddings": POSITIONS, "type_vocab_size": 2,
    }
    kinds = ["Transformer", "Pooling", "Normalize"]
    paths = ["", "1_Pooling", "2_Normalize"]
    modules = [{"idx": n, "name": str(n), "path": path, "type": f"sentence_transformers.models.{kind}"}
               for n, (kind, path) in enumerate(zip(kinds, paths))]
    write(out / "config.json", config)
    write(out / "modules.json", modules)
    write(out / "sentence_bert_config.json", {"max_seq_length": LIMIT})
    write(out / "1_Pooling" / "config.json", {"pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True})
    expected = {"embeddings": [], "scores": []}
    for text in TEXTS:
        encoding = tokenizer.encode(text)
        vector = hidden_states(weights, encoding.ids, encoding.type_ids).mean(0)
        vector /= np.linalg.norm(vector)
        expected["embeddings"].append({"text": text, "tokens": len(encoding.ids), "vector": numbers(vector)})
    for query, text in PAIRS:
        encoding = tokenizer.encode(query, text)
        first = hidden_states(weights, encoding.ids, encoding.type_ids)[:1]
        logit = linear(weights, "classifier", np.tanh(linear(weights, "bert.pooler.dense", first)))[0, 0]
        score = float(1 / (1 + np.exp(-logit)))
        expected["scores"].append({"query": query, "text": text, "score": round(score, 6)})
    write(out / "expected.json", expected)


def hidden_states(weights, ids, types):
    """The last layer's output, [length, WIDTH], in double precision."""
    name = "bert.embeddings."
    x = (weights[name + "word_embeddings.weight"][ids] + weights[name + "position_embeddings.weight"][: len(ids)]
         + weights[name + "token_type_embeddings.weight"][types])
    x = layer_norm(weights, name + "LayerNorm", x)
    for layer in range(LAYERS):
        name = f"bert.encoder.layer.{layer}."
        query, key, value = (
            linear(weights, name + f"attention.self.{part}", x).reshape(len(ids), HEADS, -1).transpose(1, 0, 2)
            for part in ("query", "key", "value"))
        scores = np.exp(query @ key.transpose(0, 2, 1) / (WIDTH // HEADS) ** 0.5)
        attended = (scores / scores.sum(-1, keepdims=True)) @ value
        attended = attended.transpose(1, 0, 2).reshape(len(ids), WIDTH)
        x = layer_norm(weights, name + "attention.output.LayerNorm",
                       x + linear(weights, name + "attention.output.dense", attended))
        inner = linear(weights, name + "intermediate.dense", x)
        inner = inner * 0.5 * (1 + erf(inner / 2**0.5))
        x = layer_norm(weights, name + "output.LayerNorm", x + linear(weights, name + "output.dense", inner))
    return x


def linear(weights, name, x):
    return x @ weights[name + ".weight"].T + weights[name + ".bias"]


def layer_norm(weights, name, x):
    x = x - x.mean(-1, keepdims=True)
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12) * weights[name + ".weight"] + weights[name + ".bias"]


def random_weights():
    random = np.random.default_rng(7)
    weights = {}

    def put(name, *shape, about=0.0):
        values = about + random.normal(0, 0.3, shape)
        weights[name] = values.astype(np.float32).astype(np.float64)

    def dense(name, out, into):
        put(name + ".weight", out, into)
        put(name + ".bias", out)

    def norm(name):
        put(name + ".weight", WIDTH, about=1.0)
        put(name + ".bias", WIDTH)

    for table, rows in (("word", len(WORDS)), ("position", POSITIONS), ("token_type", 2)):
        put(f"bert.embeddings.{table}_embeddings.weight", rows, WIDTH)
    norm("bert.embeddings.LayerNorm")
    for layer in range(LAYERS):
        name = f"bert.encoder.layer.{layer}."
        for part in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            dense(name + part, WIDTH, WIDTH)
        norm(name + "attention.output.LayerNorm")
        dense(name + "intermediate.dense", INNER, WIDTH)
        dense(name + "output.dense", WIDTH, INNER)
        norm(name + "output.LayerNorm")
    dense("bert.pooler.dense", WIDTH, WIDTH)
    dense("classifier", 1, WIDTH)
    # So that the scores lie apart.
    weights["classifier.weight"] *= 8
    return weights


def make_tokenizer():
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    ends = [(word, vocabulary[word]) for word in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=ends)
    return tokenizer


def save(path, weights):
    header, data = {}, b""
    for name, values in weights.items():
        raw = values.astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(values.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


def write(path, value):
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def numbers(vector):
    return [round(float(value), 6) for value in vector]


if __name__ == "__main__":
    main()
