//! Reading a token table's file. Every length is checked before it is used.

use std::{borrow::Cow, ops::Range};

use serde::Deserialize;

use super::{ModelError, StaticModel};
use crate::wordpiece::{VOCABULARY_LIMIT, WordPiece};

const MAGIC: &[u8] = b"EBBSTAT1";

/// Longest vectors a table may have.
const DIMENSION_LIMIT: usize = 4096;

/// Highest weight and idf; what keeps sums over a text finite.
const WEIGHT_LIMIT: f32 = 1e6;

/// The fields of the header that are needed to read on; the others say how the table was made.
#[derive(Deserialize)]
struct Header {
    id: Box<str>,
    dimension: usize,
    vocabulary: usize,
}

pub(super) fn read(file: Cow<'static, [u8]>) -> Result<StaticModel, ModelError> {
    let mut parts = Parts { file: &file, at: 0 };
    parts.magic()?;
    let header = parse_header(parts.block("the header")?)?;
    let pieces = parse_vocabulary(parts.block("the vocabulary")?, &header)?;
    parts.align();
    let scale = parts.numbers("scale", header.vocabulary, 1.0)?;
    let weight = parts.numbers("weight", header.vocabulary, WEIGHT_LIMIT)?;
    let idf = parts.numbers("idf", header.vocabulary, WEIGHT_LIMIT)?;
    let rows = parts.range("the rows", header.vocabulary as u64 * header.dimension as u64)?;
    let extra = file.len() - rows.end;
    if extra > 0 {
        return Err(ModelError::TrailingBytes { extra });
    }
    Ok(StaticModel { id: header.id, dimension: header.dimension, pieces, scale, weight, idf, file, rows })
}

fn parse_header(bytes: &[u8]) -> Result<Header, ModelError> {
    let header: Header =
        serde_json::from_slice(bytes).map_err(|error| ModelError::Header { reason: error.to_string() })?;
    let check = |name: &str, value: usize, limit: usize| match value {
        value if (1..=limit).contains(&value) => Ok(()),
        _ => Err(ModelError::Header { reason: format!("{name} is {value}, allowed is 1 to {limit}") }),
    };
    check("dimension", header.dimension, DIMENSION_LIMIT)?;
    check("vocabulary", header.vocabulary, VOCABULARY_LIMIT)?;
    Ok(header)
}

fn parse_vocabulary(bytes: &[u8], header: &Header) -> Result<WordPiece, ModelError> {
    let unusable = |reason: String| ModelError::Vocabulary { reason };
    let text = str::from_utf8(bytes).map_err(|error| unusable(error.to_string()))?;
    let pieces = WordPiece::new(text)?;
    match pieces.len() == header.vocabulary {
        true => Ok(pieces),
        false => Err(unusable(format!("the header says {} pieces, there are {}", header.vocabulary, pieces.len()))),
    }
}

/// Takes a file apart from front to back.
struct Parts<'a> {
    file: &'a [u8],
    at: usize,
}

impl<'a> Parts<'a> {
    fn magic(&mut self) -> Result<(), ModelError> {
        let start = &self.file[..self.file.len().min(MAGIC.len())];
        if !MAGIC.starts_with(start) {
            return Err(ModelError::Magic { found: start.escape_ascii().to_string() });
        }
        self.take("the first 8 bytes", MAGIC.len() as u64).map(|_| ())
    }

    /// A `u32` length and as many bytes.
    fn block(&mut self, part: &'static str) -> Result<&'a [u8], ModelError> {
        let length = self.take(part, 4)?.first_chunk().copied().map_or(0, u32::from_le_bytes);
        self.take(part, u64::from(length))
    }

    /// Goes on at the next multiple of 4.
    fn align(&mut self) {
        self.at = self.at.next_multiple_of(4);
    }

    fn numbers(&mut self, part: &'static str, count: usize, limit: f32) -> Result<Box<[f32]>, ModelError> {
        let (chunks, _) = self.take(part, 4 * count as u64)?.as_chunks::<4>();
        let numbers: Box<[f32]> = chunks.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        match numbers.iter().position(|value| !(0.0..=limit).contains(value)) {
            Some(token) => Err(ModelError::Number { part, token, value: numbers[token], limit }),
            None => Ok(numbers),
        }
    }

    fn take(&mut self, part: &'static str, bytes: u64) -> Result<&'a [u8], ModelError> {
        let range = self.range(part, bytes)?;
        Ok(&self.file[range])
    }

    fn range(&mut self, part: &'static str, bytes: u64) -> Result<Range<usize>, ModelError> {
        // Both fit: the file's length and a product of two checked sizes are far below 2^63.
        let needed = self.at as u64 + bytes;
        let length = self.file.len();
        if needed > length as u64 {
            return Err(ModelError::Truncated { part, needed, length });
        }
        let range = self.at..needed as usize;
        self.at = range.end;
        Ok(range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table of three tokens in two dimensions.
    fn small(header: &str, vocabulary: &[u8], numbers: [f32; 9]) -> Vec<u8> {
        let mut file = MAGIC.to_vec();
        for block in [header.as_bytes(), vocabulary] {
            file.extend((block.len() as u32).to_le_bytes());
            file.extend(block);
        }
        file.resize(file.len().next_multiple_of(4), 0);
        file.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        file.extend([127, 0, 0, 127, 0x81, 0]);
        file
    }

    const HEADER: &str = r#"{"id":"small","dimension":2,"vocabulary":3,"note":[1]}"#;
    const PIECES: &[u8] = b"[UNK]\na\nb";
    const NUMBERS: [f32; 9] = [1.0 / 127.0, 1.0 / 127.0, 1.0 / 127.0, 0.0, 1.0, 3.0, 0.0, 2.0, 4.0];

    fn code(file: Vec<u8>) -> &'static str {
        StaticModel::load(file).unwrap_err().code()
    }

    #[test]
    fn a_small_table_works() {
        let model = StaticModel::load(small(HEADER, PIECES, NUMBERS)).unwrap();
        let tokens = model.tokens("A b, b");
        let (a, b) = (tokens[0], tokens[1]);
        assert_eq!(tokens.iter().map(|token| token.0).collect::<Vec<_>>(), [1, 2, 0, 2]);
        assert_eq!((model.weight(b), model.idf(b), model.cosine(a, b)), (3.0, 4.0, 0.0));
        let pooled = model.pooled(&[a, b]);
        assert!((pooled[0] + 3.0 * 0.1_f32.sqrt()).abs() < 1e-6 && (pooled[1] - 0.1_f32.sqrt()).abs() < 1e-6);
    }

    #[test]
    fn every_cut_is_an_error() {
        let file = small(HEADER, PIECES, NUMBERS);
        for length in 0..file.len() {
            assert_eq!(code(file[..length].to_vec()), "truncated", "cut to {length}");
        }
        assert_eq!(code([file.as_slice(), &[0]].concat()), "trailing_bytes");
    }

    #[test]
    fn no_changed_byte_makes_it_panic() {
        let file = small(HEADER, PIECES, NUMBERS);
        for at in 0..file.len() {
            for byte in [0, 1, 0x7F, 0x80, 0xFF] {
                let mut changed = file.clone();
                changed[at] = byte;
                if let Ok(model) = StaticModel::load(changed) {
                    let pooled = model.pooled(&model.tokens("a b c"));
                    assert!(pooled.iter().all(|value| value.is_finite()));
                }
            }
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let with = |header: &str| small(header, PIECES, NUMBERS);
        assert_eq!(code(b"PK\x03\x04 something else".to_vec()), "magic");
        assert_eq!(code(with("{}")), "header");
        assert_eq!(code(with(r#"{"id":"x","dimension":0,"vocabulary":3}"#)), "header");
        assert_eq!(code(with(r#"{"id":"x","dimension":99999999999999,"vocabulary":3}"#)), "header");
        assert_eq!(code(with(r#"{"id":"x","dimension":2,"vocabulary":4}"#)), "vocabulary");
        assert_eq!(code(with(r#"{"id":"x","dimension":3,"vocabulary":3}"#)), "truncated");
        assert_eq!(code(small(HEADER, b"a\nb\nc", NUMBERS)), "vocabulary");
        assert_eq!(code(small(HEADER, b"[UNK]\na\n\xFF", NUMBERS)), "vocabulary");
        for bad in [f32::NAN, f32::INFINITY, -1.0] {
            let mut numbers = NUMBERS;
            numbers[4] = bad;
            assert_eq!(code(small(HEADER, PIECES, numbers)), "number");
        }
        let error = StaticModel::load(&b"PK"[..]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "not a token table: it begins with \"PK\", not \"EBBSTAT1\"; give the bytes of a static-*.bin file"
        );
    }
}
