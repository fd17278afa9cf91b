"""How far the static table is from MiniLM itself, on the LoCoMo conversations. Prints the table that README.md holds.

    python distance.py --model-dir DIR --table ../../core/models/static-multi-v1.bin --locomo FOLDER

FOLDER holds LoCoMo as one JSON file a conversation: {sessions: [{turns: [{id, speaker, text, caption?}]}],
speakers, qa: [{question, evidence: [turn id]}]}. LoCoMo is CC BY-NC 4.0: it is measured on, never copied.

Hit@5: the share of questions with at least one evidence turn among the five best turns of their conversation.
"""

import argparse
import glob
import json
import os
import re

import numpy as np
from scipy.stats import spearmanr
from tokenizers import Tokenizer

import minilm
from table import Reference, Table

PAIRS = 20_000  # Random pairs of turns of one conversation, for correlation and spread.


class Conversation:
    def __init__(self, path, tokenizer, reference):
        content = json.load(open(path, encoding="utf-8"))
        turns = [turn for session in content["sessions"] for turn in session["turns"]]
        texts = [" ".join(filter(None, [f"{t['speaker']}: {t['text']}", t.get("caption")])) for t in turns]
        place = {turn["id"]: index for index, turn in enumerate(turns)}
        asked = [qa for qa in content["qa"] if qa["evidence"]]
        names = re.compile(rf"\b({'|'.join(map(re.escape, content['speakers']))})('s)?\b", re.IGNORECASE)
        questions = [qa["question"] for qa in asked]

        def full(texts):
            sequences = [encoding.ids for encoding in tokenizer.encode_batch(texts)]
            limit = minilm.SEQUENCE_LIMIT
            return [s if len(s) <= limit else s[: limit - 1] + [minilm.SEP] for s in sequences]

        self.evidence = [{place[turn] for turn in qa["evidence"] if turn in place} for qa in asked]
        self.full = full(texts), full(questions)
        self.turns = [np.array(reference.tokens(text)) for text in texts]
        self.questions = {
            True: [np.array(reference.tokens(question)) for question in questions],
            False: [np.array(reference.tokens(names.sub("", question))) for question in questions],
        }

    def hits(self, scores):
        best = np.argsort(-scores, axis=1, kind="stable")[:, :5]
        return [bool(wanted & set(row.tolist())) for wanted, row in zip(self.evidence, best)]


def main():
    arguments = argparse.ArgumentParser(description="Measure the static table against MiniLM on LoCoMo.")
    arguments.add_argument("--model-dir", required=True, help="folder of model.safetensors, tokenizer.json")
    arguments.add_argument("--table", required=True, help="the static table")
    arguments.add_argument("--locomo", required=True, help="folder of LoCoMo conversations as JSON")
    options = arguments.parse_args()

    tokenizer = Tokenizer.from_file(os.path.join(options.model_dir, "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    weights = minilm.load_weights(os.path.join(options.model_dir, "model.safetensors"))
    table = Table(options.table)
    paths = sorted(glob.glob(os.path.join(options.locomo, "*.json")))
    reference = Reference(table, options.model_dir)
    conversations = [Conversation(path, tokenizer, reference) for path in paths]

    hits, pairs, nearest = {}, [], []
    random = np.random.default_rng(0)
    for conversation in conversations:
        teacher, asked = (minilm.sentence_vectors(weights, sequences) for sequences in conversation.full)
        static = table.pooled(conversation.turns)
        add(hits, "MiniLM, pooled cosine, question as asked", conversation.hits(asked @ teacher.T))
        for named, label in ((True, "question as asked"), (False, "speakers' names left out")):
            question = conversation.questions[named]
            add(hits, f"static, pooled cosine, {label}", conversation.hits(table.pooled(question) @ static.T))
            add(hits, f"static, late interaction, {label}", conversation.hits(table.late(question, conversation.turns)))
        chosen = random.integers(0, len(static), (PAIRS // len(conversations), 2))
        one, other = chosen[chosen[:, 0] != chosen[:, 1]].T
        one_way = table.late(conversation.turns, conversation.turns)
        symmetric = np.minimum(one_way, one_way.T)
        cosines = [(vectors[one] * vectors[other]).sum(1) for vectors in (teacher, static)]
        pairs.append(np.array([*cosines, symmetric[one, other]]))
        before = np.tril(np.ones_like(symmetric), -1)
        measures = (teacher @ teacher.T, static @ static.T, symmetric)
        nearest.append(np.array([(before * measure).max(1)[1:] for measure in measures]))
    report(hits, np.concatenate(pairs, axis=1), np.concatenate(nearest, axis=1), conversations)


def add(hits, label, found):
    hits.setdefault(label, []).extend(found)


def report(hits, pairs, nearest, conversations):
    turns = sum(len(conversation.turns) for conversation in conversations)
    questions = sum(len(conversation.evidence) for conversation in conversations)
    print(f"{len(conversations)} conversations, {turns} turns, {questions} questions with evidence.\n")
    print("| Retrieval | Hit@5 |\n| --- | ---: |")
    for label, found in hits.items():
        print(f"| {label} | {100 * np.mean(found):.1f} |")
    print("\n| Similarity of two turns of one conversation | MiniLM | static pooled | static late, symmetric |")
    print("| --- | ---: | ---: | ---: |")
    correlations = [spearmanr(pairs[0], measure)[0] for measure in pairs]
    row("Spearman correlation with MiniLM, random pairs", correlations, "{:.2f}")
    row("mean, random pairs", pairs.mean(1), "{:.2f}")
    row("standard deviation, random pairs", pairs.std(1), "{:.2f}")
    row("99th percentile, random pairs", np.percentile(pairs, 99, axis=1), "{:.2f}")
    for threshold in (0.65, 0.75, 0.85):
        row(f"turns over {threshold} to an earlier one", 100 * (nearest > threshold).mean(1), "{:.1f} %")


def row(label, values, form):
    print(f"| {label} | " + " | ".join(form.format(value) for value in values) + " |")


if __name__ == "__main__":
    main()
