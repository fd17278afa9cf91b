"""Retrieval with the table in each language, on the pairs of pairs.json. Prints the tables that README.md holds.

    python languages.py --model-dir DIR --table ../../core/models/static-multi-v1.bin

A question seeks its memory among the memories of all languages; the same matter told in another language doesn't count.
"""

import argparse
import json
import os

import numpy as np

from table import Reference, Table

ACROSS = ("ko>en", "en>ko", "zh>en", "ja>en", "th>en", "de>en", "ru>en", "en>ru", "ko>ja", "zh>de")


def main():
    arguments = argparse.ArgumentParser(description="Measure the static table in each language.")
    arguments.add_argument("--model-dir", required=True, help="folder of MiniLM's tokenizer.json")
    arguments.add_argument("--table", required=True, help="the static table")
    options = arguments.parse_args()
    table = Table(options.table)
    report(table, Reference(table, options.model_dir).tokens)


def report(table, tokens):
    with open(os.path.join(os.path.dirname(__file__), "pairs.json"), encoding="utf-8") as file:
        pairs = {name: found for name, found in json.load(file).items() if name != "note"}

    def read(texts):
        return [np.array(tokens(text) or [0]) for text in texts]

    questions = {name: read([question for question, _ in found]) for name, found in pairs.items()}
    memories = {name: read([memory for _, memory in found]) for name, found in pairs.items()}
    matter = [(name, place) for name, found in pairs.items() for place in range(len(found))]
    every = [memory for found in memories.values() for memory in found]
    pooled = table.pooled(every)
    print("| Language | late Hit@1 | Hit@5 | MRR | pooled Hit@1 | Hit@5 | MRR | late, two memories | pooled |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name, found in questions.items():
        cells = []
        for scores in (table.late(found, every), table.pooled(found) @ pooled.T):
            for question, row in enumerate(scores):
                for place, (other, number) in enumerate(matter):
                    if "mixed" not in (name, other) and other != name and number == question:
                        row[place] = -9
            cells += hits(scores, [matter.index((name, number)) for number in range(len(found))])
        own = memories[name]
        late, upper = table.late(own, own), np.triu_indices(len(own), 1)
        cells.append(f"{np.minimum(late, late.T)[upper].mean():.2f}")
        vectors = table.pooled(own)
        cells.append(f"{(vectors @ vectors.T)[upper].mean():.2f}")
        print(f"| {name} | " + " | ".join(cells) + " |")
    print("\n| Question > memory | late Hit@1 | Hit@5 | MRR |\n| --- | ---: | ---: | ---: |")
    for across in ACROSS:
        asked, told = across.split(">")
        scores = table.late(questions[asked], memories[told])
        print(f"| {across} | " + " | ".join(hits(scores, range(len(scores)))) + " |")


def hits(scores, wanted):
    """Hit@1, Hit@5 and mean reciprocal rank; what ties with the answer stands before it."""
    ranks = np.array([(row >= row[place]).sum() for row, place in zip(scores, wanted)])
    return [f"{100 * (ranks <= 1).mean():.0f}", f"{100 * (ranks <= 5).mean():.0f}", f"{(1 / ranks).mean():.2f}"]


if __name__ == "__main__":
    main()
