use super::*;

/// A table of three words in two dimensions, and of pieces.
fn file(header: &str, vocabulary: &[u8], pieces: &[u8], numbers: &[f32], tail: &[u8]) -> Vec<u8> {
    let mut file = MAGIC.to_vec();
    for block in [header.as_bytes(), vocabulary, pieces] {
        file.extend((block.len() as u32).to_le_bytes());
        file.extend(block);
    }
    file.resize(file.len().next_multiple_of(4), 0);
    file.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    file.extend(tail);
    file
}

const HEADER: &str = r#"{"id":"small","dimension":2,"vocabulary":3,"note":[1]}"#;
const WORDS: &[u8] = b"[UNK]\na\nb";
const NUMBERS: [f32; 9] = [1.0 / 127.0, 1.0 / 127.0, 1.0 / 127.0, 0.0, 1.0, 3.0, 0.0, 2.0, 4.0];
const ROWS: [u8; 6] = [127, 0, 0, 127, 0x81, 0];

fn english(header: &str, vocabulary: &[u8], numbers: [f32; 9]) -> Vec<u8> {
    file(header, vocabulary, b"", &numbers, &ROWS)
}

/// With two pieces of other languages.
fn multilingual(header: &str) -> Vec<u8> {
    let numbers = [[0.0, 0.008, 0.008, 0.15, 0.2], [0.0, 1.0, 3.0, 1.0, 1.0], [0.0, 2.0, 4.0, 5.0, 6.0]].concat();
    let costs = [2000_u16.to_le_bytes(), 3000_u16.to_le_bytes()].concat();
    file(header, WORDS, "서버\nhût".as_bytes(), &numbers, &[costs.as_slice(), &ROWS, &[0x8F, 0x3A]].concat())
}

const MULTILINGUAL: &str =
    r#"{"id":"small","dimension":2,"vocabulary":3,"pieces":2,"english":["a","zz"],"foreign":["b"]}"#;

fn code(file: Vec<u8>) -> &'static str {
    StaticModel::load(file).unwrap_err().code()
}

#[test]
fn a_small_table_works() {
    let model = StaticModel::load(english(HEADER, WORDS, NUMBERS)).unwrap();
    let tokens = model.tokens("A b, b");
    let (a, b) = (tokens[0], tokens[1]);
    assert_eq!(tokens.iter().map(|token| token.0).collect::<Vec<_>>(), [1, 2, 0, 2]);
    assert_eq!((model.weight(b), model.idf(b), model.cosine(a, b)), (3.0, 4.0, 0.0));
    let pooled = model.pooled(&[a, b]);
    assert!((pooled[0] + 3.0 * 0.1_f32.sqrt()).abs() < 1e-6 && (pooled[1] - 0.1_f32.sqrt()).abs() < 1e-6);
}

#[test]
fn pieces_of_other_languages_follow_the_words() {
    let model = StaticModel::load(multilingual(MULTILINGUAL)).unwrap();
    assert_eq!(model.vocabulary(), 5);
    let tokens = model.tokens("a hût 서버");
    assert_eq!(tokens.iter().map(|token| token.0).collect::<Vec<_>>(), [1, 4, 3]);
    assert_eq!((model.idf(tokens[1]), model.leaning[1], model.leaning[2], model.leaning[4]), (6.0, -1, 1, 1));
    let mut row = [0; 2];
    model.row_into(tokens[2], &mut row);
    assert_eq!(row, [7, 0]);
    model.row_into(tokens[1], &mut row);
    assert_eq!(row, [2, -5]);
}

#[test]
fn every_cut_is_an_error() {
    for file in [english(HEADER, WORDS, NUMBERS), multilingual(MULTILINGUAL)] {
        for length in 0..file.len() {
            assert_eq!(code(file[..length].to_vec()), "truncated", "cut to {length}");
        }
        assert_eq!(code([file.as_slice(), &[0]].concat()), "trailing_bytes");
    }
}

#[test]
fn no_changed_byte_makes_it_panic() {
    for file in [english(HEADER, WORDS, NUMBERS), multilingual(MULTILINGUAL)] {
        for at in 0..file.len() {
            for byte in [0, 1, 0x0A, 0x7F, 0x80, 0xFF] {
                let mut changed = file.clone();
                changed[at] = byte;
                if let Ok(model) = StaticModel::load(changed) {
                    let pooled = model.pooled(&model.tokens("a b c hût 서버서 é"));
                    assert!(pooled.iter().all(|value| value.is_finite()));
                }
            }
        }
    }
}

#[test]
fn errors_say_what_is_wrong() {
    let with = |header: &str| english(header, WORDS, NUMBERS);
    assert_eq!(code(b"PK\x03\x04 something else".to_vec()), "magic");
    assert_eq!(code(with("{}")), "header");
    assert_eq!(code(with(r#"{"id":"x","dimension":0,"vocabulary":3}"#)), "header");
    assert_eq!(code(with(r#"{"id":"x","dimension":99999999999999,"vocabulary":3}"#)), "header");
    assert_eq!(code(with(r#"{"id":"x","dimension":2,"vocabulary":3,"pieces":65533}"#)), "header");
    assert_eq!(code(with(r#"{"id":"x","dimension":1,"vocabulary":3,"pieces":2}"#)), "header");
    assert_eq!(code(with(r#"{"id":"x","dimension":2,"vocabulary":4}"#)), "vocabulary");
    assert_eq!(code(with(r#"{"id":"x","dimension":3,"vocabulary":3}"#)), "truncated");
    assert_eq!(code(multilingual(r#"{"id":"x","dimension":2,"vocabulary":3,"pieces":1}"#)), "vocabulary");
    assert_eq!(code(multilingual(r#"{"id":"x","dimension":2,"vocabulary":3}"#)), "vocabulary");
    assert_eq!(code(english(HEADER, b"a\nb\nc", NUMBERS)), "vocabulary");
    assert_eq!(code(english(HEADER, b"[UNK]\na\n\xFF", NUMBERS)), "vocabulary");
    for bad in [f32::NAN, f32::INFINITY, -1.0] {
        let mut numbers = NUMBERS;
        numbers[4] = bad;
        assert_eq!(code(english(HEADER, WORDS, numbers)), "number");
    }
    let error = StaticModel::load(&b"PK"[..]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "not a token table: it begins with \"PK\", not \"EBBSTAT2\"; give the bytes of a static-*.bin file"
    );
}
