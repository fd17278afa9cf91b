//! Integer arithmetic on quantised vectors.
//!
//! A quantised vector is a row of signed bytes and one positive scale; the real vector is `scale * byte`. All the
//! hot work of an exact vector scan is the integer dot product here. It is written so that the compiler turns it into
//! 16-bit multiplies with pairwise addition (`pmaddwd` on baseline x86-64), and being integer it gives the same answer
//! on every machine whatever the order of summation.

/// Elements handled at a time: one 128-bit register of bytes.
const LANES: usize = 16;

/// Dot product of two quantised vectors, without their scales.
///
/// The shorter length counts when the two differ. The result is exact up to 131,071 elements, where the largest
/// possible sum, `128 * 128 * n`, still fits in an `i32`; beyond that it wraps.
///
/// ```
/// # use ebbtrace_core::vector_math::dot;
/// assert_eq!(dot(&[1, -2, 3], &[4, 5, -6]), 4 - 10 - 18);
/// ```
#[must_use]
pub fn dot(a: &[i8], b: &[i8]) -> i32 {
    dot_lanes(a, b)
}

/// [`dot`] for vectors stored as raw bytes, each the two's complement of a signed byte.
///
/// ```
/// # use ebbtrace_core::vector_math::dot_bytes;
/// assert_eq!(dot_bytes(&[0xFF, 2], &[3, 0xFE]), -3 - 4);
/// ```
#[must_use]
pub fn dot_bytes(a: &[u8], b: &[u8]) -> i32 {
    dot_lanes(a, b)
}

/// Widens a row to 16 bits, for one that is multiplied with many others: that work is then done once.
pub(crate) fn widen(row: &[u8], wide: &mut [i16]) {
    let length = row.len().min(wide.len());
    let (row, row_tail) = row[..length].as_chunks::<LANES>();
    let (wide, wide_tail) = wide[..length].as_chunks_mut::<LANES>();
    for (wide, bytes) in wide.iter_mut().zip(row) {
        *wide = widened(bytes);
    }
    for (wide, byte) in wide_tail.iter_mut().zip(row_tail) {
        *wide = i16::from(byte.cast_signed());
    }
}

/// Widens a row of 4-bit values: the first half of them in the bytes' low bits, the second in their high ones, each
/// plus 8.
pub(crate) fn widen_halves(row: &[u8], wide: &mut [i16]) {
    let (first, second) = wide.split_at_mut(row.len().min(wide.len()));
    let length = first.len().min(second.len());
    let (row, row_tail) = row[..length].as_chunks::<LANES>();
    let (first, first_tail) = first[..length].as_chunks_mut::<LANES>();
    let (second, second_tail) = second[..length].as_chunks_mut::<LANES>();
    for ((first, second), bytes) in first.iter_mut().zip(second).zip(row) {
        (*first, *second) = widened_halves(bytes);
    }
    for ((first, second), byte) in first_tail.iter_mut().zip(second_tail).zip(row_tail) {
        (*first, *second) = halves(*byte);
    }
}

#[inline(always)]
fn halves(byte: u8) -> (i16, i16) {
    (i16::from(byte & 15) - 8, i16::from(byte >> 4) - 8)
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline(always)]
fn widened(bytes: &[u8; LANES]) -> [i16; LANES] {
    bytes.map(|byte| i16::from(byte.cast_signed()))
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline(always)]
fn widened_halves(bytes: &[u8; LANES]) -> ([i16; LANES], [i16; LANES]) {
    (bytes.map(|byte| halves(byte).0), bytes.map(|byte| halves(byte).1))
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn widened(bytes: &[u8; LANES]) -> [i16; LANES] {
    bytemuck::cast(u8::registers(bytes))
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn widened_halves(bytes: &[u8; LANES]) -> ([i16; LANES], [i16; LANES]) {
    use core::arch::wasm32::{i8x16_splat, i8x16_sub, u8x16_shr, v128_and};
    let (bytes, eight) = (bytemuck::cast(*bytes), i8x16_splat(8));
    let part = |half| {
        let signed: [i8; LANES] = bytemuck::cast(i8x16_sub(half, eight));
        bytemuck::cast(i8::registers(&signed))
    };
    (part(v128_and(bytes, i8x16_splat(15))), part(u8x16_shr(bytes, 4)))
}

/// [`dot`] of two rows that are widened already.
pub(crate) fn dot_wide(a: &[i16], b: &[i16]) -> i32 {
    dot_lanes(a, b)
}

/// [`dot`] where one side is widened already.
pub(crate) fn dot_half_wide(a: &[i16], b: &[i8]) -> i32 {
    dot_lanes(a, b)
}

/// Adds `factor * byte` to each element of `sum`, for a row of raw two's complement bytes.
///
/// The shorter length counts when the two differ. Each element is one multiply and one add, never fused, so the
/// result is the same on every machine.
pub(crate) fn add_scaled(sum: &mut [f32], row: &[u8], factor: f32) {
    for (total, byte) in sum.iter_mut().zip(row) {
        *total += factor * f32::from(byte.cast_signed());
    }
}

/// [`add_scaled`] for a row that is widened already.
pub(crate) fn add_scaled_wide(sum: &mut [f32], row: &[i16], factor: f32) {
    for (total, &value) in sum.iter_mut().zip(row) {
        *total += factor * f32::from(value);
    }
}

/// Makes `vector` unit length in place; all zero when its length is zero or not finite.
pub(crate) fn normalise(vector: &mut [f32]) {
    let length = squared_length(vector).sqrt();
    let factor = if length > 0.0 && length.is_finite() { 1.0 / length } else { 0.0 };
    for value in vector {
        *value = if factor > 0.0 { *value * factor } else { 0.0 };
    }
}

/// An element of a quantised vector, however it is stored.
trait Element: Copy {
    fn widened(self) -> i16;

    /// A block as two registers of eight 16-bit values.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    fn registers(block: &[Self; LANES]) -> [core::arch::wasm32::v128; 2];
}

impl Element for i8 {
    #[inline(always)]
    fn widened(self) -> i16 {
        i16::from(self)
    }

    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    #[inline(always)]
    fn registers(block: &[Self; LANES]) -> [core::arch::wasm32::v128; 2] {
        use core::arch::wasm32::{i16x8_extend_high_i8x16, i16x8_extend_low_i8x16};
        let bytes = bytemuck::cast(*block);
        [i16x8_extend_low_i8x16(bytes), i16x8_extend_high_i8x16(bytes)]
    }
}

impl Element for u8 {
    #[inline(always)]
    fn widened(self) -> i16 {
        i16::from(self.cast_signed())
    }

    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    #[inline(always)]
    fn registers(block: &[Self; LANES]) -> [core::arch::wasm32::v128; 2] {
        i8::registers(&bytemuck::cast(*block))
    }
}

impl Element for i16 {
    #[inline(always)]
    fn widened(self) -> i16 {
        self
    }

    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    #[inline(always)]
    fn registers(block: &[Self; LANES]) -> [core::arch::wasm32::v128; 2] {
        bytemuck::cast(*block)
    }
}

#[inline(always)]
fn dot_lanes<A: Element, B: Element>(a: &[A], b: &[B]) -> i32 {
    let length = a.len().min(b.len());
    let (a_blocks, a_tail) = a[..length].as_chunks::<LANES>();
    let (b_blocks, b_tail) = b[..length].as_chunks::<LANES>();
    let mut sum = dot_blocks(a_blocks, b_blocks);
    for (&x, &y) in a_tail.iter().zip(b_tail) {
        sum = sum.wrapping_add(product(x, y));
    }
    sum
}

#[inline(always)]
fn product<A: Element, B: Element>(x: A, y: B) -> i32 {
    i32::from(x.widened()) * i32::from(y.widened())
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline(always)]
fn dot_blocks<A: Element, B: Element>(a: &[[A; LANES]], b: &[[B; LANES]]) -> i32 {
    let mut sum = 0_i32;
    for (x, y) in a.iter().zip(b) {
        for lane in 0..LANES {
            sum = sum.wrapping_add(product(x[lane], y[lane]));
        }
    }
    sum
}

/// Said outright: the module for JavaScript is built for size, where the compiler leaves loops as they are.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn dot_blocks<A: Element, B: Element>(a: &[[A; LANES]], b: &[[B; LANES]]) -> i32 {
    use core::arch::wasm32::{i32x4_add, i32x4_dot_i16x8, i32x4_splat};
    let mut sums = i32x4_splat(0);
    for (x, y) in a.iter().zip(b) {
        let ([x_low, x_high], [y_low, y_high]) = (A::registers(x), B::registers(y));
        let both = i32x4_add(i32x4_dot_i16x8(x_low, y_low), i32x4_dot_i16x8(x_high, y_high));
        sums = i32x4_add(sums, both);
    }
    bytemuck::cast::<_, [i32; 4]>(sums).into_iter().fold(0, i32::wrapping_add)
}

/// Sum of squares in a fixed order: eight running sums, then the eight in order.
fn squared_length(vector: &[f32]) -> f32 {
    let (blocks, tail) = vector.as_chunks::<8>();
    let mut sums = [0.0_f32; 8];
    for block in blocks {
        for lane in 0..8 {
            sums[lane] += block[lane] * block[lane];
        }
    }
    sums.iter().chain(&tail.iter().map(|v| v * v).fold([0.0], |[s], v| [s + v])).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(length: usize, seed: u32) -> Vec<i8> {
        let mut state = seed;
        (0..length)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8 as i8
            })
            .collect()
    }

    #[test]
    fn dot_equals_the_plain_sum_at_every_length() {
        for length in 0..100 {
            let (a, b) = (pattern(length, 1), pattern(length, 2));
            let plain: i32 = a.iter().zip(&b).map(|(&x, &y)| i32::from(x) * i32::from(y)).sum();
            let bytes = |v: &[i8]| v.iter().map(|&x| x as u8).collect::<Vec<_>>();
            assert_eq!(dot(&a, &b), plain, "length {length}");
            assert_eq!(dot_bytes(&bytes(&a), &bytes(&b)), plain, "length {length}");
            let wide = |v: &[i8]| {
                let mut wide = vec![0; v.len()];
                widen(&bytes(v), &mut wide);
                wide
            };
            assert_eq!(dot_wide(&wide(&a), &wide(&b)), plain, "length {length}");
            assert_eq!(dot_half_wide(&wide(&a), &b), plain, "length {length}");
        }
    }

    #[test]
    fn halves_are_widened_at_every_length() {
        for length in 0..70 {
            let row: Vec<u8> = pattern(length, 3).into_iter().map(|byte| byte as u8).collect();
            let mut wide = vec![99; 2 * length];
            widen_halves(&row, &mut wide);
            let first = row.iter().map(|byte| i16::from(byte & 15) - 8);
            let second = row.iter().map(|byte| i16::from(byte >> 4) - 8);
            assert_eq!(wide, first.chain(second).collect::<Vec<_>>(), "length {length}");
        }
    }

    #[test]
    fn dot_takes_the_extremes_and_the_shorter_length() {
        assert_eq!(dot(&[i8::MIN; 256], &[i8::MIN; 256]), 256 * 16_384);
        assert_eq!(dot(&[i8::MIN; 33], &[i8::MAX; 17]), 17 * -16_256);
        assert_eq!(dot(&[], &[1]), 0);
    }

    #[test]
    fn normalise_gives_unit_length_or_zero() {
        let mut vector: Vec<f32> = (0..19).map(|i| i as f32 - 4.0).collect();
        normalise(&mut vector);
        assert!((vector.iter().map(|v| v * v).sum::<f32>() - 1.0).abs() < 1e-5);
        for mut degenerate in [vec![0.0; 9], vec![f32::MAX; 9], vec![f32::NAN, 1.0]] {
            normalise(&mut degenerate);
            assert!(degenerate.iter().all(|&v| v == 0.0));
        }
    }
}
