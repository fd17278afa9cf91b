//! An exact scan over one contiguous block of int8 vectors.

use crate::{
    vector::quantise,
    vector_math::{dot, dot_half_wide},
};

/// Vectors of one dimension by slot.
#[derive(Debug)]
pub struct VectorIndex {
    dimension: usize,
    /// `dimension` values for each slot.
    values: Vec<i8>,
    /// For each slot what its values are multiplied with; 0 for none.
    scales: Vec<f32>,
    count: usize,
}

/// A query's vector, quantised as the index's are, and widened once for all of them.
#[derive(Clone, Debug)]
pub struct QueryVector {
    values: Box<[i16]>,
    scale: f32,
}

impl QueryVector {
    /// From values of any length.
    #[must_use]
    pub fn new(vector: &[f32]) -> Self {
        let (values, scale) = quantise(vector);
        Self::quantised(&values, scale)
    }

    /// From a vector that is quantised already.
    #[must_use]
    pub fn quantised(values: &[i8], scale: f32) -> Self {
        Self { values: values.iter().map(|&value| i16::from(value)).collect(), scale }
    }
}

impl VectorIndex {
    /// An empty index of `dimension`.
    #[must_use]
    pub fn new(dimension: usize) -> Self {
        Self { dimension, values: Vec::new(), scales: Vec::new(), count: 0 }
    }

    /// Sets the vector of `slot`, quantised. One of another dimension, or of zeros, is none.
    pub fn set(&mut self, slot: u32, values: &[i8], scale: f32) {
        self.clear(slot);
        let slot = slot as usize;
        if values.len() != self.dimension || scale <= 0.0 {
            return;
        }
        if self.scales.len() <= slot {
            self.grow(slot + 1);
        }
        self.count += 1;
        self.scales[slot] = scale;
        self.values[slot * self.dimension..][..self.dimension].copy_from_slice(values);
    }

    /// Takes the vector of `slot` out.
    pub fn clear(&mut self, slot: u32) {
        if let Some(scale) = self.scales.get_mut(slot as usize) {
            self.count -= usize::from(*scale != 0.0);
            *scale = 0.0;
        }
    }

    /// How many slots have a vector.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether no slot has a vector.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The cosine of `query` and the vector of `slot`, -1..=1; 0 where there is none.
    #[must_use]
    pub fn cosine(&self, query: &QueryVector, slot: u32) -> f32 {
        let scale = self.scales.get(slot as usize).copied().unwrap_or(0.0);
        if scale == 0.0 || query.values.len() != self.dimension {
            return 0.0;
        }
        let values = &self.values[slot as usize * self.dimension..][..self.dimension];
        (dot_half_wide(&query.values, values) as f32 * query.scale * scale).clamp(-1.0, 1.0)
    }

    /// The cosine of `query` and the vector of `slot` with those beside it added to it by their weights, -1..=1.
    #[must_use]
    pub fn cosine_in_context(&self, query: &QueryVector, slot: u32, beside: impl Iterator<Item = (u32, f64)>) -> f64 {
        let all: Vec<(u32, f64)> = std::iter::once((slot, 1.0)).chain(beside).collect();
        let (mut dot, mut norm) = (0.0, 0.0);
        for (i, &(slot, weight)) in all.iter().enumerate() {
            dot += weight * f64::from(self.cosine(query, slot));
            norm += weight * weight;
            for &(other, share) in &all[..i] {
                norm += 2.0 * weight * share * self.between(slot, other);
            }
        }
        if norm > 0.0 { dot / libm::sqrt(norm) } else { 0.0 }
    }

    /// The cosine of the vectors of two slots.
    fn between(&self, a: u32, b: u32) -> f64 {
        let row =
            |slot: u32| self.values.get(slot as usize * self.dimension..).and_then(|rest| rest.get(..self.dimension));
        let scale = |slot: u32| self.scales.get(slot as usize).copied().unwrap_or(0.0);
        let (Some(x), Some(y)) = (row(a), row(b)) else { return 0.0 };
        f64::from(dot(x, y)) * f64::from(scale(a)) * f64::from(scale(b))
    }

    /// Hands the cosine of `query` with every vector to `each`, by slot.
    pub fn scan(&self, query: &QueryVector, mut each: impl FnMut(u32, f32)) {
        if query.values.len() != self.dimension || self.dimension == 0 {
            return;
        }
        for ((slot, values), &scale) in (0..).zip(self.values.chunks_exact(self.dimension)).zip(&self.scales) {
            if scale != 0.0 {
                each(slot, (dot_half_wide(&query.values, values) as f32 * query.scale * scale).clamp(-1.0, 1.0));
            }
        }
    }

    /// Grows by an eighth at a time: at 100,000 vectors a doubling would waste more than it saves.
    fn grow(&mut self, slots: usize) {
        let missing = slots - self.scales.len();
        if self.scales.capacity() < slots {
            let more = missing.max(self.scales.len() / 8).max(64);
            self.scales.reserve_exact(more);
            self.values.reserve_exact(more * self.dimension);
        }
        self.scales.resize(slots, 0.0);
        self.values.resize(slots * self.dimension, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scans_agree_with_the_plain_cosine() {
        let vector = |seed: u32| -> Vec<f32> { (0..32).map(|i| libm::sinf((seed * 37 + i * 11) as f32)).collect() };
        let mut index = VectorIndex::new(32);
        for slot in [3, 0, 7, 5] {
            let (values, scale) = quantise(&vector(slot));
            index.set(slot, &values, scale);
        }
        index.clear(5);
        let query = vector(99);
        let mut seen = Vec::new();
        index.scan(&QueryVector::new(&query), |slot, cosine| {
            let other = vector(slot);
            let product: f32 = query.iter().zip(&other).map(|(a, b)| a * b).sum();
            let norm = |v: &[f32]| v.iter().map(|x| x * x).sum::<f32>().sqrt();
            assert!((cosine - product / norm(&query) / norm(&other)).abs() < 0.02);
            seen.push(slot);
        });
        assert_eq!(seen, [0, 3, 7]);
    }

    #[test]
    fn another_dimension_finds_nothing() {
        let mut index = VectorIndex::new(4);
        index.set(0, &[127, 0, 0, 0], 1.0 / 127.0);
        index.set(1, &[127, 0], 1.0 / 127.0);
        let query = QueryVector::new(&[1.0, 0.0]);
        assert_eq!(index.cosine(&query, 0), 0.0);
        index.scan(&query, |_, _| panic!("nothing fits"));
    }
}
