"""Reads a static token table, and cuts texts into its tokens with the reference tokenizers: Hugging Face's BERT for
English, its Unigram, restricted to the table's pieces, for the other scripts."""

import json
import os
import re
import struct
import unicodedata

import numpy as np
from tokenizers import Tokenizer

import pieces as choice

TOKEN_LIMIT = 512
STEM_LENGTH, ENDING_LENGTH, COMPOUND_LIMIT = 4, 3, 3
CLASSES = os.path.join(os.path.dirname(__file__), "../../core/src/wordpiece/tables.rs")


class Table:
    """A static table's arrays, rows as unit vectors."""

    def __init__(self, path):
        raw = open(path, "rb").read()
        assert raw[:8] == b"EBBSTAT2"
        at = 8
        blocks = []
        for _ in range(3):
            (length,) = struct.unpack_from("<I", raw, at)
            blocks.append(raw[at + 4 : at + 4 + length])
            at += 4 + length
        self.header = json.loads(blocks[0])
        self.words, self.pieces = (block.decode().split("\n") for block in blocks[1:])
        words, count, dimension = len(self.words), len(self.pieces), self.header["dimension"]
        at += -at % 4
        numbers = np.frombuffer(raw, "<f4", 3 * (words + count), at).reshape(3, words + count)
        scale, self.weight, self.idf = numbers
        at += numbers.nbytes
        self.costs = np.frombuffer(raw, "<u2", count, at)
        at += self.costs.nbytes
        english = np.frombuffer(raw, np.int8, words * dimension, at).reshape(words, dimension)
        halves = np.frombuffer(raw, np.uint8, count * dimension // 2, at + english.nbytes).reshape(count, -1)
        others = np.concatenate([halves & 15, halves >> 4], axis=1).astype(np.int8) - 8
        self.vectors = np.concatenate([english, others]).astype(np.float32) * scale[:, None]

    def pooled(self, sequences):
        sums = np.array([self.weight[tokens] @ self.vectors[tokens] for tokens in sequences])
        return sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)

    def late(self, queries, texts):
        """[queries, texts]: each query token's best cosine among the text's tokens, averaged by idf."""
        vocabulary, flat = np.unique(np.concatenate(texts), return_inverse=True)
        starts = np.cumsum([0] + [len(text) for text in texts[:-1]])
        asked = np.unique(np.concatenate(queries))
        cosines = (self.vectors[asked] @ self.vectors[vocabulary].T)[:, flat]
        best = np.maximum.reduceat(cosines, starts, axis=1)
        shares = np.zeros((len(queries), len(asked)), np.float32)
        for row, query in zip(shares, queries):
            np.add.at(row, np.searchsorted(asked, query), self.idf[query])
        return shares @ best / np.maximum(shares.sum(1, keepdims=True), 1e-9)


class Reference:
    """Texts to token ids."""

    def __init__(self, table, model_dir):
        from multilingual import RECIPE, unigram

        self.bert = Tokenizer.from_file(os.path.join(model_dir, "tokenizer.json"))
        self.bert.no_padding()
        self.bert.no_truncation()
        self.classes = character_classes()
        self.words, self.pieces = table.words, table.pieces
        self.ids = {piece: len(table.words) + place for place, piece in enumerate(table.pieces)}
        self.latin = {piece for piece in table.pieces if self.is_latin(piece[0])}
        step = RECIPE["cost_step"]
        scores = [(piece, -step * int(cost)) for piece, cost in zip(table.pieces, table.costs)]
        # Latin pieces can't be found in other scripts; the reference wants an unknown piece beside them.
        self.unigram = unigram([("<unk>", 0.0), *scores], 0)
        known = {word: id for id, word in enumerate(table.words)}
        self.unknown = known["[UNK]"]
        self.leaning = {known[word]: -1 for word in table.header["english"]}
        self.leaning.update({known[word]: 1 for word in table.header["foreign"]})
        self.leaning.update({self.ids[piece]: 1 for piece in self.latin})

    @staticmethod
    def is_latin(character):
        return ord(character) < 0x370 or 0x1E00 <= ord(character) <= 0x1EFF

    def tokens(self, text):
        found = self.read(text, False)[:TOKEN_LIMIT]
        if sum(self.leaning.get(token, 0) for token in found) > 0:
            return self.read(text, True)[:TOKEN_LIMIT]
        return found

    def read(self, text, foreign):
        text = "".join(c for c in text if not self.within(c, "REMOVED"))
        text = "".join(unicodedata.normalize("NFKC", c) if 0xFF00 <= ord(c) <= 0xFFEF else c for c in text)
        found = []
        for other_script, stretch in self.stretches(text):
            if not other_script:
                found += self.plain(stretch, foreign)
                continue
            folded = choice.fold(stretch)
            encoded = self.unigram.encode(folded, add_special_tokens=False)
            for id, (start, end) in zip(encoded.ids, encoded.offsets):
                found += [len(self.words) + id - 1] if id else self.plain(folded[start:end], foreign)
        return found

    def stretches(self, text):
        stretch, other_script = "", False
        for c in text:
            same = self.is_other(c) or self.within(c, "NONSPACING") if other_script else not self.is_other(c)
            if not same or c < "\x80" and other_script:
                yield other_script, stretch
                stretch, other_script = "", self.is_other(c)
            stretch += c
        yield other_script, stretch

    def plain(self, text, foreign):
        """Words in Latin script, marks, and what no piece holds."""
        encoded = self.bert.encode(text, add_special_tokens=False)
        found = []
        for word in sorted({word for word in encoded.word_ids if word is not None}):
            places = [place for place, number in enumerate(encoded.word_ids) if number == word]
            start, end = encoded.offsets[places[0]][0], encoded.offsets[places[-1]][1]
            while end < len(text) and self.within(text[end], "NONSPACING"):
                end += 1
            ids = [encoded.ids[place] for place in places]
            lower = "".join(c.lower() for c in unicodedata.normalize("NFD", text[start:end]))
            spelling = unicodedata.normalize("NFC", lower)
            whole = len(ids) == 1 and ids[0] != self.unknown
            other = None
            if not whole or foreign or not lower.isascii():
                other = self.compound(spelling, COMPOUND_LIMIT if foreign and not whole else 1)
            found += other or ids
        return found

    def compound(self, word, most):
        if word in self.latin:
            return [self.ids[word]]
        for length in range(len(word) - 1, STEM_LENGTH - 1, -1):
            if most == 1 or word[:length] not in self.latin:
                continue
            stem, rest = [self.ids[word[:length]]], word[length:]
            if len(rest) <= ENDING_LENGTH:
                return stem
            for linked in (rest, rest[1:] if rest[0] == "s" else ""):
                found = self.compound(linked, most - 1) if len(linked) >= STEM_LENGTH else None
                if found:
                    return stem + found
        return None

    def is_other(self, c):
        return self.within(c, "OTHER_SCRIPTS") and not self.within(c, "PUNCTUATION") and not c.isspace()

    def within(self, c, name):
        code = ord(c)
        return code > 127 and any(low <= code <= high for low, high in self.classes[name])


def character_classes():
    """The ranges of core/src/wordpiece/tables.rs."""
    with open(CLASSES, encoding="utf-8") as file:
        source = file.read()
    classes = {}
    for name, ranges in re.findall(r"const (\w+): &\[\(u32, u32\)\] = &\[(.*?)\];", source, re.DOTALL):
        pairs = re.findall(r"\((0x[0-9A-F_]+), (0x[0-9A-F_]+)\)", ranges)
        classes[name] = [(int(low, 16), int(high, 16)) for low, high in pairs]
    return classes
