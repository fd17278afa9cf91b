use super::*;

static FILE: &[u8] = include_bytes!("../../models/static-multi-v1.bin");
const PARITY: &str = include_str!("../../../tests/models/parity.json");

fn model() -> StaticModel {
    StaticModel::load(FILE).unwrap()
}

#[test]
fn the_checked_in_table_loads_without_a_copy() {
    let model = model();
    assert_eq!((model.id(), model.dimension(), model.vocabulary()), ("static-multi-v1", 256, model.leaning.len()));
    assert!(matches!(model.rows.file, Cow::Borrowed(_)));
    assert!(FILE.len() <= 14_000_000);
}

#[test]
fn tokens_and_pooled_vectors_equal_the_python_ones() {
    let model = model();
    let cases: serde_json::Value = serde_json::from_str(PARITY).unwrap();
    for case in cases["cases"].as_array().unwrap() {
        let text = case["text"].as_str().unwrap();
        let tokens = model.tokens(text);
        let ids: Vec<u64> = tokens.iter().map(|token| u64::from(token.0)).collect();
        let wanted: Vec<u64> = case["tokens"].as_array().unwrap().iter().map(|id| id.as_u64().unwrap()).collect();
        assert_eq!(ids, wanted, "{text:?}");
        let pooled = model.pooled(&tokens);
        for (i, wanted) in case["pooled"].as_array().into_iter().flatten().enumerate() {
            assert!((f64::from(pooled[i]) - wanted.as_f64().unwrap()).abs() < 1e-3, "{text:?} at {i}");
        }
    }
}

#[test]
fn every_row_is_unit_length_and_every_token_its_own_best_match() {
    let model = model();
    for id in (0..model.vocabulary() as u16).step_by(97).map(TokenId) {
        assert!((model.cosine(id, id) - 1.0).abs() < 0.01, "{id:?}");
    }
}

#[test]
fn meaning_shows() {
    let model = model();
    let token = |word: &str| model.tokens(word)[0];
    assert!(model.cosine(token("dog"), token("puppy")) > model.cosine(token("dog"), token("tax")) + 0.2);
    assert_eq!(model.idf(token(",")), 0.0);
    assert!(model.idf(token("the")) < 0.2 * model.idf(token("puppy")));
    let cosine = |a: &str, b: &str| -> f32 {
        let (a, b) = (model.pooled(&model.tokens(a)), model.pooled(&model.tokens(b)));
        a.iter().zip(&b).map(|(x, y)| x * y).sum()
    };
    assert!(cosine("my dog is ill", "the puppy is sick") > cosine("my dog is ill", "the tax is due") + 0.1);
}

#[test]
fn ids_outside_the_table_are_nothing() {
    let (model, beyond) = (model(), TokenId(u16::MAX));
    let mut row = [1; 256];
    model.row_into(beyond, &mut row);
    assert_eq!(row, [0; 256]);
    assert_eq!((model.scale(beyond), model.weight(beyond), model.idf(beyond)), (0.0, 0.0, 0.0));
    assert_eq!(model.cosine(beyond, TokenId(2000)), 0.0);
    assert!(model.pooled(&[beyond]).iter().all(|&value| value == 0.0));
    assert!(model.pooled(&[]).iter().all(|&value| value == 0.0));
}

#[test]
fn long_texts_are_read_up_to_the_limit() {
    assert_eq!(model().tokens(&"word ".repeat(5000)).len(), TOKEN_LIMIT);
}

#[test]
fn meaning_shows_in_other_languages_and_across() {
    let model = model();
    let pooled = |text: &str| model.pooled(&model.tokens(text));
    let cosine = |a: &str, b: &str| -> f32 { pooled(a).iter().zip(&pooled(b)).map(|(x, y)| x * y).sum() };
    for (one, like, other) in [
        ("오류", "에러", "고양이"),
        ("错误", "故障", "咖啡"),
        ("会議", "打ち合わせ", "猫"),
        ("แพทย์", "โรงพยาบาล", "แมว"),
        ("서버", "server", "coffee"),
        ("数据库", "database", "dog"),
        ("猫", "cat", "server"),
        ("ฐานข้อมูล", "database", "coffee"),
        ("сервер", "server", "coffee"),
        ("Datenbank", "database", "cat"),
    ] {
        assert!(cosine(one, like) > cosine(one, other) + 0.1, "{one}, {like}, {other}");
    }
}

#[test]
fn a_noun_is_one_token_whatever_follows() {
    let model = model();
    let token = |text: &str| model.tokens(text)[0];
    assert_eq!(token("서버에서"), token("서버가"));
    assert_eq!(token("программистами"), token("программисты"));
    assert_eq!(model.tokens("数据库"), [token("数据库")]);
    assert_eq!(model.tokens("데이터베이스는")[0], token("데이터베이스를"));
    assert!(model.idf(model.tokens("서버는")[1]) < 0.2 * model.idf(token("서버")));
}

#[test]
fn english_words_keep_their_tokens_and_foreign_texts_show_theirs() {
    let model = model();
    for text in ["the café is near the old town", "kubernetes todo schema", "die-hard fans met in war", "Zürich AI"] {
        assert!(model.tokens(text).iter().all(|token| token.0 < 30_522), "{text}");
    }
    // "die" and "war" are English too.
    let (alone, german) = (model.tokens("die"), model.tokens("die Datenbank war nicht erreichbar"));
    assert!(alone[0].0 < 30_522 && german[0].0 >= 30_522);
    assert!(model.idf(german[0]) < 1.0);
}

#[test]
fn any_text_is_read() {
    let model = model();
    let mut state = 1_u32;
    let mut draw = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % below
    };
    let blocks = [0x20, 0x60, 0xC0, 0x300, 0x390, 0x430, 0x5D0, 0x640, 0x930, 0xE01, 0x1100, 0x1EA0, 0x2010, 0x3040];
    let blocks = [blocks.as_slice(), &[0x30A0, 0x4E00, 0xAC00, 0xFE70, 0xFF00, 0xFFE0, 0x1F600, 0x20000]].concat();
    for _ in 0..2000 {
        let text: String = (0..draw(60))
            .filter_map(|_| char::from_u32(blocks[draw(blocks.len() as u32) as usize] + draw(48)))
            .collect();
        let tokens = model.tokens(&text);
        assert!(tokens.iter().all(|token| token.index() < model.vocabulary()), "{text:?}");
        assert!(model.pooled(&tokens).iter().all(|value| value.is_finite()), "{text:?}");
    }
    for long in ["데이터베이스".repeat(2000), "数".repeat(5000), "kunden".repeat(2000), "é".repeat(5000)] {
        assert!(model.tokens(&long).len() <= TOKEN_LIMIT);
    }
}
