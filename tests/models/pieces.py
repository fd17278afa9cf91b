"""Which of multilingual-e5-small's pieces the table takes, and how a text is cut into them."""

import collections
import unicodedata

import numpy as np
import snowballstemmer

import function_words
import work_words

# How many pieces of each script, and words of each Latin-script language.
SCRIPTS = {"Han": 7850, "Kana": 2950, "Hangul": 4500, "Thai": 2850, "Arabic": 700, "Devanagari": 450, "Greek": 400, "Hebrew": 400}
CYRILLIC_STEMS, CYRILLIC_ENDINGS = 5500, 450
LANGUAGES = {"de": 1800, "fr": 1150, "es": 1200, "pt": 1000, "it": 550, "vi": 950, "nl": 350, "pl": 450}
HAN_CHARACTERS = 3500  # So many at most are single characters.

# Korean particles: a word that ends in one is left to be cut before it, when the word without it is commoner.
PARTICLES = "은 는 이 가 을 를 의 에 에서 에는 으로 로 와 과 도 에게 까지 부터 입니다 했다 했습니다 하는".split()
WORD_SCORE = -13.5  # Log probability of a word of work_words.py.

SCRIPT_NAMES = (
    ("CJK UNIFIED", "Han"), ("IDEOGRAPHIC ITER", "Han"), ("HIRAGANA", "Kana"), ("KATAKANA", "Kana"), ("HANGUL", "Hangul"),
    ("THAI", "Thai"), ("CYRILLIC", "Cyrillic"), ("ARABIC", "Arabic"), ("DEVANAGARI", "Devanagari"), ("GREEK", "Greek"),
    ("HEBREW", "Hebrew"), ("LATIN", "Latin"), ("COMBINING", "Latin"),
)  # fmt: skip
WORD_SCRIPTS = {"ko": "Hangul", "ja": "Kana", "zh": "Han", "th": "Thai", "ru": "Cyrillic", "de": "Latin"}

_russian = snowballstemmer.stemmer("russian")


class Piece:
    """What one row stands for: `ids` are the e5 pieces whose mean it is, or one sequence of them if `whole`."""

    def __init__(self, text, ids, score, script, start=True, language=None, whole=False):
        self.text, self.ids, self.score, self.script = text, ids, score, script
        self.start, self.language, self.whole = start, language, whole

    def group(self):
        """Pieces of one group share probabilities and a mean."""
        return self.language or ("Han" if self.script == "Kana" else self.script)


def fold(text):
    """As `unigram::fold` in the core: composed, lower-cased, without what writers leave out at will."""
    folded = ""
    for character in unicodedata.normalize("NFC", text):
        code = ord(character)
        if code == 0x640 or 0x64B <= code <= 0x652 or (0x591 <= code <= 0x5C7 and unicodedata.category(character) == "Mn"):
            continue
        folded += {"ё": "е", "ς": "σ", "\u0e33": "\u0e4d\u0e32"}.get(character.lower(), character.lower())
    return folded


def script(text):
    """The script that all of a word is in; Kana may stand among Han. None for mixtures and other scripts."""
    found = set()
    for character in text:
        name = unicodedata.name(character, "")
        found.add(next((script for start, script in SCRIPT_NAMES if name.startswith(start)), None))
    if "Kana" in found and found <= {"Kana", "Han"}:
        return "Kana"
    return found.pop() if len(found) == 1 else None


class Source:
    """e5's pieces that are words or parts of words, by their folded text."""

    def __init__(self, e5):
        self.e5 = e5
        self.by_text = collections.defaultdict(list)
        for id, piece in enumerate(e5.pieces):
            text = fold(piece.removeprefix("▁"))
            if id > 3 and text and all(unicodedata.category(c)[0] in "LM" for c in text):
                self.by_text[text].append(id)
        self.scripts = {text: script(text) for text in self.by_text}
        self.scores = {text: self.sum(ids) for text, ids in self.by_text.items()}

    def sum(self, ids):
        return float(np.logaddexp.reduce([self.e5.scores[id] for id in ids]))

    def starts(self, ids):
        return [id for id in ids if self.e5.pieces[id].startswith("▁")]

    def first(self, ids):
        """The commonest form; one that begins a word, if there is one."""
        return [max(self.starts(ids) or ids, key=lambda id: self.e5.scores[id])]

    def piece(self, text, language=None):
        ids = self.by_text[text]
        return Piece(text, self.first(ids), self.scores[text], self.scripts[text], bool(self.starts(ids)), language)


def choose(source, english, tokenizer):
    """The kept pieces, in the order of their ids. `english` is the English vocabulary."""
    pieces = [piece for name, count in SCRIPTS.items() for piece in of_script(source, name, count)]
    pieces += cyrillic(source) + latin(source, english)
    kept = {}
    for piece in pieces:
        kept.setdefault(piece.text, piece)
    for piece in work(source, kept, english, tokenizer):
        kept[piece.text] = piece
    return list(kept.values())


def of_script(source, name, count):
    texts = [text for text, found in source.scripts.items() if found == name and not joined(source, text, name)]
    texts.sort(key=lambda text: (-source.scores[text], text))
    if name == "Greek":
        texts = [text for text in texts if len(text) > 1]  # Formulas in English texts keep their letters.
    if name == "Han":
        single = [text for text in texts if len(text) == 1][:HAN_CHARACTERS]
        texts = single + [text for text in texts if len(text) > 1]
    return [source.piece(text) for text in texts[:count]]


def joined(source, text, name):
    """Whether it is a word and a particle, better cut in two."""
    if name == "Kana":
        return any("ぁ" <= a <= "ん" and "一" <= b <= "鿿" for a, b in zip(text, text[1:]))
    if name != "Hangul":
        return False
    stems = [text.removesuffix(particle) for particle in PARTICLES if text.endswith(particle)]
    return any(len(stem) > 1 and source.scores.get(stem, -99) > source.scores[text] for stem in stems)


def stem(word):
    found = _russian.stemWord(word)
    return found if len(found) >= 3 else word


def cyrillic(source):
    """Words by their stem, all forms in one row, and the endings to cut off."""
    forms, parts = collections.defaultdict(list), {}
    function = kinds()
    for text in [text for text, found in source.scripts.items() if found == "Cyrillic"]:
        starts = source.starts(source.by_text[text]) if len(text) >= 3 else []
        for id in starts:
            forms[text if text in function else stem(text)].append(id)
        others = [id for id in source.by_text[text] if id not in starts]
        if others:
            parts[text] = others
    order = sorted(forms, key=lambda text: (text not in function, -source.sum(forms[text]), text))
    words = [Piece(text, forms[text], source.sum(forms[text]), "Cyrillic") for text in order[:CYRILLIC_STEMS]]
    taken = {piece.text for piece in words}
    order = sorted((text for text in parts if text not in taken), key=lambda text: (-source.sum(parts[text]), text))
    return words + [
        Piece(text, parts[text], source.sum(parts[text]), "Cyrillic", start=False) for text in order[:CYRILLIC_ENDINGS]
    ]


def kinds():
    """What kind each listed word of another language is of."""
    found = {}
    for kind, lists in (("light", function_words.LIGHT), ("turning", function_words.TURNING), ("function", function_words.FUNCTION)):
        for words in lists.values():
            found.update((fold(word), kind) for word in words.split())
    return found


def latin(source, english):
    """Words of other languages in Latin script, that no English text holds."""
    known, function = set(english), kinds()
    texts = [t for t, found in source.scripts.items() if found == "Latin" and source.starts(source.by_text[t])]
    language, margin = languages(source, texts, known)
    pieces = []
    for name, count in LANGUAGES.items():
        own = [t for t in texts if language[t] == name and len(t) > 2 and t not in known and t not in function_words.KEPT_ENGLISH]
        own = [t for t in own if not t.isascii() or (len(t) > 3 and margin[t] > 0.1) or t in function]
        own.sort(key=lambda text: (-source.scores[text], text))
        pieces += [source.piece(text, name) for text in own[:count]]
        words = " ".join(lists.get(name, "") for lists in (function_words.FUNCTION, function_words.TURNING))
        pieces += [source.piece(text, name) for text in sorted(set(map(fold, words.split()))) if text in language]
    return pieces


def languages(source, texts, known):
    """The language of each Latin-script word, and how far English is behind it, by a linear map of e5's input vectors.
    It learns from the listed words, from English ones and from letters that tell."""
    labels = labelled(source, texts, known)
    names = sorted(set(labels.values()))
    vectors = source.e5.embeddings(np.array([source.first(source.by_text[text])[0] for text in texts])).astype(np.float64)
    place = {text: index for index, text in enumerate(texts)}
    chosen = [place[text] for text in labels]
    vectors = (vectors - vectors[chosen].mean(0)) / vectors[chosen].std(0)
    vectors = np.concatenate([vectors, np.ones((len(texts), 1))], axis=1)
    answers = np.array([[label == name for name in names] for label in labels.values()], np.float64)
    weight = 1 / np.sqrt(answers.sum(0))[answers.argmax(1)]
    known_vectors = vectors[chosen]
    weighted = known_vectors * weight[:, None]
    ridge = 8 * weight.mean() * np.eye(vectors.shape[1])
    scores = vectors @ np.linalg.solve(weighted.T @ known_vectors + ridge, weighted.T @ answers)
    found = {text: labels.get(text, names[best]) for text, best in zip(texts, scores.argmax(1))}
    return found, dict(zip(texts, scores.max(1) - scores[:, names.index("en")]))


TELLING_LETTERS = {
    "es": "ñ", "pt": "ãõ", "de": "ß", "vi": "ươạếộệ", "pl": "łęąż", "tr": "ğı", "ro": "ţț", "cs": "řů", "hu": "őű", "sv": "å",
}  # fmt: skip


def labelled(source, texts, known):
    lists = [function_words.FUNCTION, function_words.TURNING, function_words.LIGHT, function_words.OTHERS]
    words = collections.defaultdict(set)
    for name in sorted(set(LANGUAGES) | set(function_words.OTHERS)):
        for word in " ".join(part.get(name, "") for part in lists).split():
            words[fold(word)].add(name)
    available = set(texts)
    labels = {w: min(names) for w, names in sorted(words.items()) if len(names) == 1 and len(w) > 1 and w in available}
    common = [text for text in known if text in available and text not in words and len(text) > 2]
    labels.update((text, "en") for text in sorted(common)[::10])
    letters = {letter: name for name, letters in TELLING_LETTERS.items() for letter in letters}
    count = collections.Counter()
    for text in texts:
        name = next((letters[letter] for letter in text if letter in letters), None)
        if name and text not in labels and count[name] < 150:
            labels[text] = name
            count[name] += 1
    return labels


def work(source, kept, english, tokenizer):
    """The words of work_words.py that are not among the pieces yet."""
    known = set(english)
    cutter = Cutter({text: piece.score for text, piece in kept.items() if piece.script != "Latin"})
    for language in work_words.WORDS:
        for word in dict.fromkeys((work_words.WORDS[language] + " " + work_words.DAILY[language]).split()):
            text = stem(fold(word)) if language == "ru" else fold(word)
            if text in kept or text in known or text in function_words.KEPT_ENGLISH:
                continue
            spelled = word.capitalize() if language == "de" and word not in work_words.LOWER else word
            ids = tokenizer.encode(spelled, add_special_tokens=False).ids
            ids = ids[1:] if len(ids) > 1 and source.e5.pieces[ids[0]] == "▁" else ids
            score = WORD_SCORE if language == "de" else max(WORD_SCORE, cutter.best(text) + 0.5)
            yield Piece(text, ids, score, WORD_SCRIPTS[language], True, language if language == "de" else None, True)


class Cutter:
    """The likeliest cut of a text into pieces with log probabilities."""

    def __init__(self, scores):
        self.scores, self.longest = scores, max(map(len, scores))

    def best(self, text):
        best = [0.0] + [-np.inf] * len(text)
        for start in range(len(text)):
            for end in range(start + 1, min(len(text), start + self.longest) + 1):
                best[end] = max(best[end], best[start] + self.scores.get(text[start:end], -30 if end == start + 1 else -np.inf))
        return best[-1]
