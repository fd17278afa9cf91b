"""What MiniLM gives for a few texts, by the forward pass in minilm.py: for the test of the Rust one.

    python reference.py --model-dir MODEL --out reference.json
    EBBTRACE_MINILM=MODEL EBBTRACE_REFERENCE=reference.json cargo test -p ebbtrace --test models -- --ignored --nocapture
"""

import argparse
import json
import pathlib

from tokenizers import Tokenizer

import minilm

TEXTS = [
    "We deploy on Wednesdays.",
    "The staging database is wiped on Sundays",
    "Priya plays the cello in an orchestra",
    "서버에서 API配置 ERR_CONN-3",
    "We bill by the outcome, not by the hour. " * 60,
    "!",
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model-dir", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    given = parser.parse_args()
    weights = minilm.load_weights(given.model_dir / "model.safetensors")
    tokenizer = Tokenizer.from_file(str(given.model_dir / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(minilm.SEQUENCE_LIMIT)
    vectors = minilm.sentence_vectors(weights, [tokenizer.encode(text).ids for text in TEXTS])
    made = [{"text": text, "vector": vector.tolist()} for text, vector in zip(TEXTS, vectors)]
    given.out.write_text(json.dumps(made))


if __name__ == "__main__":
    main()
