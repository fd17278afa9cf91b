"""all-MiniLM-L6-v2 in plain numpy: reads model.safetensors and runs the six BERT layers.

Only what distilling needs: float32, no padding (a batch holds sequences of one length), mean pooling.
"""

import json

import numpy as np
from scipy.special import erf

LAYERS, HEADS, WIDTH = 6, 12, 384
CLS, SEP = 101, 102
SEQUENCE_LIMIT = 256


def load_weights(path):
    """The float32 tensors of a safetensors file, by name."""
    raw = open(path, "rb").read()
    header_length = int.from_bytes(raw[:8], "little")
    weights = {}
    for name, tensor in json.loads(raw[8 : 8 + header_length]).items():
        if name != "__metadata__" and tensor["dtype"] == "F32":
            begin, end = tensor["data_offsets"]
            values = np.frombuffer(raw, "<f4", (end - begin) // 4, 8 + header_length + begin)
            weights[name] = values.reshape(tensor["shape"])
    return weights


def hidden_states(weights, ids):
    """Output of the last layer, [batch, length, 384], for token ids [batch, length]."""
    batch, length = ids.shape
    embedding = "embeddings."
    x = (
        weights[embedding + "word_embeddings.weight"][ids]
        + weights[embedding + "position_embeddings.weight"][:length]
        + weights[embedding + "token_type_embeddings.weight"][0]
    ).reshape(batch * length, WIDTH)
    x = _layer_norm(weights, embedding + "LayerNorm", x)
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}."
        attended = _attention(weights, name + "attention.self.", x, batch, length)
        attended = _linear(weights, name + "attention.output.dense", attended)
        x = _layer_norm(weights, name + "attention.output.LayerNorm", x + attended)
        inner = _linear(weights, name + "intermediate.dense", x)
        inner = inner * np.float32(0.5) * (1 + erf(inner * np.float32(2**-0.5)))
        x = _layer_norm(weights, name + "output.LayerNorm", x + _linear(weights, name + "output.dense", inner))
    return x.reshape(batch, length, WIDTH)


def sentence_vectors(weights, sequences, batch_tokens=4096):
    """Mean-pooled unit vectors of sequences of ids that include [CLS] and [SEP]."""
    vectors = np.zeros((len(sequences), WIDTH), np.float32)
    by_length = {}
    for index, sequence in enumerate(sequences):
        by_length.setdefault(len(sequence), []).append(index)
    for length, indices in sorted(by_length.items()):
        step = max(1, batch_tokens // length)
        for start in range(0, len(indices), step):
            chosen = indices[start : start + step]
            ids = np.array([sequences[index] for index in chosen])
            vectors[chosen] = hidden_states(weights, ids).mean(1)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _linear(weights, name, x):
    return x @ weights[name + ".weight"].T + weights[name + ".bias"]


def _layer_norm(weights, name, x):
    x = x - x.mean(-1, keepdims=True)
    deviation = np.sqrt((x * x).mean(-1, keepdims=True) + np.float32(1e-12))
    return x / deviation * weights[name + ".weight"] + weights[name + ".bias"]


def _attention(weights, name, x, batch, length):
    def heads(part):
        return _linear(weights, name + part, x).reshape(batch, length, HEADS, -1).transpose(0, 2, 1, 3)

    query, key, value = heads("query"), heads("key"), heads("value")
    scores = query @ key.transpose(0, 1, 3, 2) / np.float32((WIDTH // HEADS) ** 0.5)
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    scores /= scores.sum(-1, keepdims=True)
    return (scores @ value).transpose(0, 2, 1, 3).reshape(batch * length, WIDTH)
