"""Distils all-MiniLM-L6-v2 into the static token table core/models/static-minilm-v1.bin.

    python distill.py --model-dir DIR --out static-minilm-v1.bin [--parity parity.json]

DIR holds the model's model.safetensors, tokenizer.json and vocab.txt. The recipe is model2vec's, with the changes
that README.md argues for; every number of it stands in RECIPE and goes into the file's header. Nothing is random:
the same model, package versions and machine give the same bytes, and the script prints their sha256.
"""

import argparse
import hashlib
import json
import os
import struct

os.environ["OPENBLAS_NUM_THREADS"] = "2"  # The order of a sum must not depend on the machine's cores.

import numpy as np  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402

import minilm  # noqa: E402

RECIPE = {
    "id": "static-minilm-v1",
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
    arguments = argparse.ArgumentParser(description="Distil all-MiniLM-L6-v2 into a static token table.")
    arguments.add_argument("--model-dir", required=True, help="folder of model.safetensors, tokenizer.json, vocab.txt")
    arguments.add_argument("--out", required=True, help="the table to write")
    arguments.add_argument("--parity", help="also write token ids and pooled vectors of fixed texts, as JSON")
    options = arguments.parse_args()

    vocabulary = read_vocabulary(options.model_dir)
    weights = minilm.load_weights(os.path.join(options.model_dir, "model.safetensors"))
    vectors = reduce(token_outputs(weights, len(vocabulary)))
    norms = np.linalg.norm(vectors, axis=1)
    scale, rows = quantise(vectors / norms[:, None])
    weight, idf = importance(vocabulary)
    weight *= norms / norms[FIRST_WORD:].mean()

    content = pack(vocabulary, scale, weight, idf, rows)
    with open(options.out, "wb") as file:
        file.write(content)
    print(f"{options.out}: {len(content)} bytes, sha256 {hashlib.sha256(content).hexdigest()}")
    if options.parity:
        write_parity(options, scale, weight, rows)


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


def pack(vocabulary, scale, weight, idf, rows):
    """The file, as described in core/src/static_model.rs."""
    header = json.dumps(RECIPE).encode()
    pieces = "\n".join(vocabulary).encode()
    content = b"EBBSTAT1"
    content += struct.pack("<I", len(header)) + header
    content += struct.pack("<I", len(pieces)) + pieces
    content += bytes(-len(content) % 4)
    for numbers in (scale, weight, idf):
        content += numbers.astype("<f4").tobytes()
    return content + rows.tobytes()


def write_parity(options, scale, weight, rows):
    """Token ids of PARITY_TEXTS by the reference tokenizer, and of some the first 8 pooled values."""
    tokenizer = Tokenizer.from_file(os.path.join(options.model_dir, "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    cases = []
    for text in PARITY_TEXTS:
        case = {"text": text, "tokens": tokenizer.encode(text, add_special_tokens=False).ids}
        if len(cases) % 6 == 0:
            tokens = case["tokens"]
            pooled = (weight[tokens] * scale[tokens]) @ rows[tokens].astype(np.float64)
            length = np.linalg.norm(pooled) or 1.0
            case["pooled"] = [round(float(value), 5) for value in (pooled / length)[:8]]
        cases.append(case)
    with open(options.parity, "w", encoding="utf-8") as file:
        lines = ",\n".join(json.dumps(case) for case in cases)
        file.write(f'{{"cases": [\n{lines}\n]}}\n')


PARITY_TEXTS = [
    "The deploy to production failed at 14:32 because the disk was full.",
    "",
    " \t\n\r  ",
    "I love dark mode; I hate dark mode!",
    "don't can't won't it's they'll we've I'd",
    "HELLO World hElLo",
    "Café crème à la carte, naïve façade, Zürich, Ångström, São Paulo",
    "Cafe\u0301 cre\u0300me with combining marks: n\u0303 o\u0308 u\u0323\u0302",
    "İstanbul ıssız, Straße, ŒUVRE, ﬁnal ﬂow",
    "Ελληνικά: Ὀδυσσεύς ΣΊΣΥΦΟΣ",
    "Привет, как дела? Ёлка и йод",
    "שלום עולם, בְּרֵאשִׁית",
    "العَرَبِيَّة لغة جميلة؟",
    "हिन्दी में पाठ और संयुक्ताक्षर",
    "ภาษาไทยไม่มีช่องว่าง",
    "Tiếng Việt có nhiều dấu",
    "我喜欢黑暗模式。数据库在东京。",
    "日本語のテキスト、カタカナとひらがな。ガギグ",
    "안녕하세요, 저는 서울에 삽니다.",
    "한글 decomposed: \u1112\u1161\u11ab\u1100\u1173\u11af",
    "mixed中文and English和日本語text",
    "𠀀𪜀𫝀 rare ideographs 﨑 and 豈",
    "emoji 😀 👍🏽 👩‍👩‍👧‍👦 🇫🇷 ❤️ ☕",
    "let x = foo_bar(&mut baz[0])?.unwrap(); // TODO: camelCase snake_case",
    "https://example.com/a/b?c=d&e=f#frag user@example.org ftp://[::1]:21/",
    "C:\\Users\\name\\file.txt ~/.config/app.toml ../../etc",
    "1,234,567.89 $5.00 €30 £20 ¥1000 50% 3.14159 1e-9 0xDEADBEEF",
    "2024-05-17T09:30:00Z 17/05/2024 May 17th",
    "v1.2.3-rc.4+build.567 sha256:ab12cd34",
    "[CLS",
    "** bold ** __init__ `code` <b>tag</b> {json: \"value\"} | pipe ^ caret ~ tilde",
    "“curly” ‘quotes’ — em dash – en dash … ellipsis « guillemets » ¿qué? ¡hola!",
    "non\u00a0breaking\u2003em\u2009thin\u3000ideographic\u202fnarrow\u2028line\u2029paragraph\u1680ogham",
    "zero\u200bwidth\u200cnon\u200djoiner\u2060word\ufeffbom soft\u00adhyphen",
    "control\x00null\x07bell\x1besc\x7fdel\x85nel\x9f \x0bvt \x0cff",
    "private \ue000 use \U000f0000 and \ufffd replacement",
    "bidi \u202eoverride\u202c \u2066isolate\u2069",
    "a" * 100,
    "a" * 101,
    "short " + "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 2 + " end",
    "é" * 100 + " " + "é" * 101,
    "pneumonoultramicroscopicsilicovolcanoconiosis antidisestablishmentarianism",
    "PostgreSQL kubectl OAuth2 GraphQL webpack IndexedDB wasm32-unknown-unknown",
    "#hashtag ##double @mention ### heading",
    "a b c d e f g h i j k l m n o p q r s t u v w x y z",
    "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
    "¹²³ ½ ¼ ⅓ ™ © ® ° µ ª º ß æ ø å ð þ đ ħ ł ŋ",
    "ＦＵＬＬＷＩＤＴＨ ｔｅｘｔ １２３ ！？",
    "ﷺ ﻻ ﬃ ㎏ ㍿ ① Ⅷ",
    "á̶̢͔̊z̸a̷l̵g̶o̴ t̸e̵x̷t̶",
    "\u0301leading mark, trailing mark\u0301",
    "한국어랑 English랑 섞어 쓰기",
    "ｶﾀｶﾅ half width ﾊﾟ",
    "math: ∀x∈ℝ, x²≥0 → ∑ ≠ ∞ √2 ≈ 1.41",
    "Maria moved to Lisbon in March and now works for a bank.",
    "She no longer eats meat, but fish is fine.",
    "The meeting was moved from Tuesday to Thursday at noon.",
    "tab\tseparated\tvalues\nand\r\nlines",
    "ends with space ",
    " begins with space",
    "The limit is 5 requests per second.",
    "ქართული ენა, հայերեն, ትግርኛ, ᚠᚢᚦ, 𝔘𝔫𝔦𝔠𝔬𝔡𝔢, 𐍈",
    "x\u0345\u0300\u0323y \u302e\u302f \U0001d165\U0001d15e",
]


if __name__ == "__main__":
    main()
