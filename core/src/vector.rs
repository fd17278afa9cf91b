//! Vectors as int8 with a scale, so that dot products are integers: exact, and the same on every host.

use serde::{Deserialize, Serialize};

use crate::{error::Error, limits, operation::RawEmbedding};

/// A vector from the host's model, scaled to unit length and quantised at the door.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Embedding {
    /// The model that made it.
    pub model: Box<str>,
    /// The unit vector's value i is close to `scale * values[i]`.
    pub values: Box<[i8]>,
    /// Above 0, or 0 for a vector of zeros.
    pub scale: f32,
}

impl Embedding {
    /// Checks and quantises what a host handed in.
    ///
    /// # Errors
    /// [`Error::Blank`] for a model without a name, [`Error::OutOfRange`] for an empty vector, one that is too long or
    /// one with a value that is not finite.
    pub fn quantise(raw: &RawEmbedding) -> Result<Self, Error> {
        limits::length("embedding.model", &raw.model, limits::NAME_BYTES)?;
        let length = raw.values.len();
        if length == 0 || length > limits::DIMENSIONS {
            let allowed = "1 to 4096 dimensions";
            return Err(Error::OutOfRange { field: "embedding.values", value: length.to_string(), allowed });
        }
        if let Some(bad) = raw.values.iter().find(|value| !value.is_finite()) {
            let allowed = "finite numbers only";
            return Err(Error::OutOfRange { field: "embedding.values", value: bad.to_string(), allowed });
        }
        let (values, scale) = quantise(&raw.values);
        Ok(Self { model: raw.model.as_str().into(), values: values.into(), scale })
    }
}

/// Scales `vector` to unit length and quantises it: int8 values and the scale that turns them back.
/// A vector of zeros gives zeros and scale 0.
#[must_use]
pub fn quantise(vector: &[f32]) -> (Vec<i8>, f32) {
    let largest = vector.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
    if largest == 0.0 {
        return (vec![0; vector.len()], 0.0);
    }
    // Dividing by the largest value first keeps the squares finite for any finite input.
    let norm = libm::sqrtf(vector.iter().map(|value| (value / largest) * (value / largest)).sum::<f32>());
    let values = vector.iter().map(|value| rounded(value / largest * 127.0)).collect();
    (values, 1.0 / (127.0 * norm))
}

/// `value` (-127..=127) to the nearest integer, halves away from zero. As `libm::roundf`, but of plain arithmetic that
/// the compiler does for several values at once; what is cut off is exact.
fn rounded(value: f32) -> i8 {
    let whole = value as i32;
    let rest = value - whole as f32;
    (whole + i32::from(rest >= 0.5) - i32::from(rest <= -0.5)) as i8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantised_vectors_keep_their_direction() {
        let (values, scale) = quantise(&[3.0, 4.0]);
        assert_eq!(values, [95, 127]);
        assert!((f32::from(values[1]) * scale - 0.8).abs() < 1e-6);
        assert_eq!(quantise(&[0.0, 0.0]), (vec![0, 0], 0.0));
        let (values, scale) = quantise(&[f32::MAX, f32::MAX]);
        assert_eq!(values, [127, 127]);
        assert!(scale.is_finite() && scale > 0.0);
    }

    #[test]
    fn rounding_is_that_of_libm() {
        let edges = (-254..=254).map(|halves| halves as f32 / 2.0);
        let near = edges.flat_map(|edge| [edge.next_down(), edge, edge.next_up()]);
        let between = (-4_000..=4_000).map(|n| n as f32 * 127.0 / 4_000.0);
        for value in near.chain(between) {
            assert_eq!(rounded(value), libm::roundf(value) as i8, "{value}");
        }
    }

    #[test]
    fn bad_vectors_are_refused() {
        let raw = |values: Vec<f32>| RawEmbedding { model: "m".to_owned(), values };
        assert_eq!(Embedding::quantise(&raw(vec![])).unwrap_err().code(), "out_of_range");
        assert_eq!(Embedding::quantise(&raw(vec![f32::NAN])).unwrap_err().code(), "out_of_range");
        assert_eq!(Embedding::quantise(&raw(vec![0.0; 4097])).unwrap_err().code(), "out_of_range");
    }
}
