"""Token ids of fixed texts by the reference tokenizers, and of some the first 8 pooled values, for the Rust tests.

    python parity.py --model-dir DIR --table ../../core/models/static-multi-v1.bin --out parity.json
"""

import argparse
import json

from table import Reference, Table


def main():
    arguments = argparse.ArgumentParser(description="Write token ids and pooled vectors of fixed texts.")
    arguments.add_argument("--model-dir", required=True, help="folder of MiniLM's tokenizer.json")
    arguments.add_argument("--table", required=True, help="the static table")
    arguments.add_argument("--out", required=True, help="the JSON to write")
    options = arguments.parse_args()
    write(options.out, options.table, options.model_dir)


def write(path, table_path, model_dir):
    table = Table(table_path)
    reference = Reference(table, model_dir)
    cases = []
    for text in PARITY_TEXTS:
        case = {"text": text, "tokens": reference.tokens(text)}
        if len(cases) % 6 == 0 or len(cases) > 64 and len(cases) % 2 == 0:
            case["pooled"] = [round(float(value), 5) for value in table.pooled([case["tokens"]])[0][:8]]
        cases.append(case)
    with open(path, "w", encoding="utf-8") as file:
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
    # From here on texts of other languages.
    "서버에서 오류가 발생했고 서버가 재시작되었다. API를 호출하면 timeout!",
    "데이터베이스 마이그레이션은 매주 목요일에 한다",
    "数据库在东京，服务器用 Rust 写的。我們使用繁體中文。",
    "データベースの移行はＡＰＩサーバーでｶﾞ行う。「メモリリーク」",
    "เซิร์ฟเวอร์ล่มเพราะใบรับรองหมดอายุ น้ำแข็ง",
    "Сервер упал из-за просроченного сертификата; ёлка, й, программистами",
    "Η βάση δεδομένων βρίσκεται στην Αθήνα, α и β",
    "قاعدة البيانات في القاهرة، العَرَبِيَّة",
    "מסד הנתונים בירושלים, שָׁלוֹם",
    "डेटाबेस सर्वर दिल्ली में है",
    "Die Datenbank läuft nicht, weil das Zertifikat abgelaufen ist.",
    "Wir haben die Kundendatenbanken und den Programmierfehler geprüft",
    "Où est la base de données ? Nous ne sommes pas prêts.",
    "La contraseña no está en el servidor y mañana es tarde",
    "Não há reunião na terça-feira, você pode verificar?",
    "Cơ sở dữ liệu được lưu ở Hà Nội, không phải Sài Gòn",
    "für fur café cafe naïve résumé Straße strasse",
    "The café of Müller und Söhne is in the old town",
    "Der Server is down and the logs are full of Fehler",
    "이것은 the server 입니다",
    "កម្ពុជា ລາວ မြန်မာ ქართული 서버ქართ",
    "漢字かな交じり文ー〜々〆ヶ、１２３４ＡＢＣ",
    "와이파이 비밀번호는 abcd1234 이다 (회의실 3층)",
    "Übergrößenträger ÀÉÎÕÜ ñandú łódź żółć",
    "가" * 300,
    "数据" * 200 + " end",
    "ㅋㅋㅋ ㅠㅠ ｱｲｳ ﾊﾟﾋﾟ ￥１００",
    "п\u0440и\u0432ет\u0301 и\u0306 е\u0308",
]



if __name__ == "__main__":
    main()
