//! The methods that the page lists, each once.

use meerkat::prelude::*;

#[kernel]
pub(super) fn methods(a: u32, b: i32, c: f32, out: &[Atomic<u32>]) {
    let x = a.min(3).max(1).wrapping_add(2).wrapping_sub(1).wrapping_mul(3).saturating_add(1);
    let y = b.abs().min(4) as u32;
    let z = c.sqrt().abs().to_bits();
    let bits = x.count_ones() + x.leading_zeros() + x.trailing_zeros();
    let nan = c.is_nan();
    out[0].fetch_xor(select(nan, x, y) ^ z ^ bits);
    out[0].compare_and_swap(3, 4);
    out[0].fetch_sub(1);
}
