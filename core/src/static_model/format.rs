//! Reading a token table's file. Every length is checked before it is used.

use std::{
    borrow::Cow,
    ops::{Range, RangeInclusive},
};

use serde::Deserialize;

use super::{ModelError, Rows, StaticModel};
use crate::{
    unigram::Unigram,
    wordpiece::{VOCABULARY_LIMIT, WordPiece},
};

const MAGIC: &[u8] = b"EBBSTAT2";

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
    #[serde(default)]
    pieces: usize,
    #[serde(default)]
    english: Vec<Box<str>>,
    #[serde(default)]
    foreign: Vec<Box<str>>,
}

pub(super) fn read(file: Cow<'static, [u8]>) -> Result<StaticModel, ModelError> {
    let mut parts = Parts { file: &file, at: 0 };
    parts.magic()?;
    let header = parse_header(parts.block("the header")?)?;
    let english = parse_vocabulary(parts.block("the vocabulary")?, &header)?;
    let pieces = parse_text(parts.block("the pieces")?)?;
    parts.align();
    let tokens = header.vocabulary + header.pieces;
    let scale = parts.numbers("scale", tokens, 1.0)?;
    let weight = parts.numbers("weight", tokens, WEIGHT_LIMIT)?;
    let idf = parts.numbers("idf", tokens, WEIGHT_LIMIT)?;
    let (costs, _) = parts.take("the costs", 2 * header.pieces as u64)?.as_chunks::<2>();
    let others = parse_pieces(pieces, costs.iter().map(|&bytes| u16::from_le_bytes(bytes)).collect(), &header)?;
    let bytes = parts.range("the rows", header.vocabulary as u64 * header.dimension as u64)?;
    let halves = parts.range("the packed rows", header.pieces as u64 * (header.dimension / 2) as u64)?;
    let extra = file.len() - halves.end;
    if extra > 0 {
        return Err(ModelError::TrailingBytes { extra });
    }
    let leaning = leaning(&header, &english, &others);
    let rows = Rows { file, dimension: header.dimension, bytes, halves };
    Ok(StaticModel { id: header.id, english, others, leaning, scale, weight, idf, rows })
}

fn parse_header(bytes: &[u8]) -> Result<Header, ModelError> {
    let header: Header =
        serde_json::from_slice(bytes).map_err(|error| ModelError::Header { reason: error.to_string() })?;
    let check = |name: &str, value: usize, allowed: RangeInclusive<usize>| match allowed.contains(&value) {
        true => Ok(()),
        false => {
            let (low, high) = allowed.into_inner();
            Err(ModelError::Header { reason: format!("{name} is {value}, allowed is {low} to {high}") })
        }
    };
    check("dimension", header.dimension, 1..=DIMENSION_LIMIT)?;
    check("vocabulary", header.vocabulary, 1..=VOCABULARY_LIMIT)?;
    check("pieces", header.pieces, 0..=VOCABULARY_LIMIT - header.vocabulary)?;
    match header.pieces > 0 && !header.dimension.is_multiple_of(2) {
        true => Err(ModelError::Header {
            reason: format!("dimension is {}, with pieces it must be even", header.dimension),
        }),
        false => Ok(header),
    }
}

fn parse_text(bytes: &[u8]) -> Result<&str, ModelError> {
    str::from_utf8(bytes).map_err(|error| ModelError::Vocabulary { reason: error.to_string() })
}

fn parse_vocabulary(bytes: &[u8], header: &Header) -> Result<WordPiece, ModelError> {
    let pieces = WordPiece::new(parse_text(bytes)?)?;
    match pieces.len() == header.vocabulary {
        true => Ok(pieces),
        false => Err(wrong_count("words", header.vocabulary, pieces.len())),
    }
}

fn parse_pieces(text: &str, costs: Box<[u16]>, header: &Header) -> Result<Unigram, ModelError> {
    let pieces = match text.is_empty() {
        true => Unigram::default(),
        false => Unigram::new(text, costs, header.vocabulary as u16)?,
    };
    match pieces.len() == header.pieces {
        true => Ok(pieces),
        false => Err(wrong_count("pieces", header.pieces, pieces.len())),
    }
}

fn wrong_count(what: &str, said: usize, found: usize) -> ModelError {
    ModelError::Vocabulary { reason: format!("the header says {said} {what}, there are {found}") }
}

/// What each token says of its text: -1 that it is English, 1 that it is in another language of Latin script.
fn leaning(header: &Header, english: &WordPiece, others: &Unigram) -> Box<[i8]> {
    let mut leaning = vec![0; header.vocabulary];
    for (words, side) in [(&header.english, -1), (&header.foreign, 1)] {
        for token in words.iter().filter_map(|word| english.word(word)) {
            leaning[token.index()] = side;
        }
    }
    leaning.extend(others.latin().map(i8::from));
    leaning.into()
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
mod tests;
