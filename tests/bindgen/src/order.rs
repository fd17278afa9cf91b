//! Puts the functions of a module next to those like them.
//!
//! What generic code was made into is much alike, but lies far apart, and gzip looks back 32 KiB at most. Nothing but
//! the order changes.

use std::{cmp::Reverse, collections::HashMap, error::Error};

use wasm_encoder::{
    CodeSection, FunctionSection, Module,
    reencode::{self, Reencode},
};
use wasmparser::{CodeSectionReader, FunctionBody, FunctionSectionReader, Operator, Parser, Payload, TypeRef};

/// Instructions in a row that are compared as one.
const SHINGLE: usize = 3;

/// How many features a function has: for each of so many hashes, the shingle with the least. With half as
/// many the module is 1 to 2 KB larger.
const FEATURES: usize = 512;

/// What is left of a likeness with each function further back. Found by trying, as the others were.
const FADING: f32 = 0.7;

/// The same module, with its functions in an order that compresses well.
///
/// # Errors
/// Where `bytes` are no module.
pub(crate) fn by_likeness(bytes: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let (mut imported, mut bodies) = (0, Vec::new());
    for payload in Parser::new(0).parse_all(bytes) {
        match payload? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(instructions(&body)?),
            _ => {}
        }
    }
    let order = order(&bodies);
    let mut index = vec![0; order.len()];
    for (now, &before) in order.iter().enumerate() {
        index[before] = imported + u32::try_from(now)?;
    }
    let mut module = Module::new();
    Reordered { imported, order, index }.parse_core_module(&mut module, Parser::new(0), bytes)?;
    Ok(module.finish())
}

/// A number for each instruction; calls are all the same, since the order decides what is called by which number.
fn instructions(body: &FunctionBody<'_>) -> Result<Vec<u64>, Box<dyn Error>> {
    let (bytes, start) = (body.as_bytes(), body.range().start);
    let all = body.get_operators_reader()?.into_iter_with_offsets().collect::<Result<Vec<_>, _>>()?;
    let ends = all.iter().skip(1).map(|(_, at)| at - start).chain([bytes.len()]);
    let number = |((operator, at), end): (&(Operator<'_>, usize), usize)| match operator {
        Operator::Call { .. } => 0,
        _ => bytes[at - start..end].iter().fold(1, |number, &byte| mixed(number, u64::from(byte))),
    };
    Ok(all.iter().zip(ends).map(number).collect())
}

/// As FxHash does it.
fn mixed(number: u64, next: u64) -> u64 {
    (number.rotate_left(5) ^ next).wrapping_mul(0x517C_C1B7_2722_0A95)
}

/// From each function to the one most like it and the few before it; to the largest where none is.
fn order(bodies: &[Vec<u64>]) -> Vec<usize> {
    let features: Vec<[u64; FEATURES]> = bodies.iter().map(|body| features(body)).collect();
    let mut having: HashMap<(usize, u64), Vec<usize>> = HashMap::new();
    for (function, features) in features.iter().enumerate() {
        for feature in features.iter().copied().enumerate() {
            having.entry(feature).or_default().push(function);
        }
    }
    let mut likeness = vec![0.0_f32; bodies.len()];
    let mut left: Vec<usize> = (0..bodies.len()).collect();
    left.sort_by_key(|&function| Reverse(bodies[function].len()));
    let mut order = Vec::with_capacity(bodies.len());
    while !left.is_empty() {
        let next =
            (1..left.len()).fold(0, |best, at| if likeness[left[at]] > likeness[left[best]] { at } else { best });
        let next = left.remove(next);
        order.push(next);
        likeness.iter_mut().for_each(|likeness| *likeness *= FADING);
        for feature in features[next].iter().copied().enumerate() {
            for &function in &having[&feature] {
                likeness[function] += 1.0;
            }
        }
    }
    order
}

/// A MinHash of the code: functions share as much of it as they share of their shingles.
fn features(body: &[u64]) -> [u64; FEATURES] {
    let mut least = [u64::MAX; FEATURES];
    for shingle in body.windows(SHINGLE.min(body.len()).max(1)) {
        let code = shingle.iter().fold(0, |code, &instruction| mixed(code, instruction));
        for (least, salt) in least.iter_mut().zip(1_u64..) {
            // Odd numbers that have little in common: the golden ratio's bits, times an odd one.
            let salt = (2 * salt + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            *least = (*least).min(code.wrapping_mul(salt) >> 32);
        }
    }
    least
}

struct Reordered {
    imported: u32,
    /// Functions by their new place.
    order: Vec<usize>,
    /// New indices by the old place.
    index: Vec<u32>,
}

impl Reencode for Reordered {
    type Error = wasmparser::BinaryReaderError;

    fn function_index(&mut self, function: u32) -> Result<u32, reencode::Error<Self::Error>> {
        let own = function.checked_sub(self.imported);
        Ok(own.map_or(function, |own| self.index[own as usize]))
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), reencode::Error<Self::Error>> {
        let types = section.into_iter().collect::<Result<Vec<u32>, _>>()?;
        for &function in &self.order {
            functions.function(types[function]);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), reencode::Error<Self::Error>> {
        let bodies = section.into_iter().collect::<Result<Vec<FunctionBody<'_>>, _>>()?;
        for function in self.order.clone() {
            self.parse_function_body(code, bodies[function].clone())?;
        }
        Ok(())
    }
}
