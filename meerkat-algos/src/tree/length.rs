//! What counts as the length of an edge.

use meerkat_runtime::prelude::*;

/// Lengths of paths over edges that carry a `W`: 32 bits that compare like what they
/// stand for, and saturate below [`UNREACHED`](super::UNREACHED).
///
/// `()` counts every edge as 1, whatever it carries; a weight counts as itself.
#[device]
pub trait Length<W: Weight> {
    /// Whether lengths add up to the same in any order: those of floats do not.
    const ADDS_UP: bool;
    /// Whether edges differ in length.
    const DIFFERS: bool;
    /// The length of an edge.
    fn of(weight: W) -> u32;
    /// The sum of two lengths.
    fn sum(a: u32, b: u32) -> u32;
    /// Whether it can be the length of an edge: neither negative nor NaN.
    fn is_length(weight: W) -> bool;
    /// The length of a path and one edge more.
    fn lengthen(path: u32, weight: W) -> u32 {
        Self::sum(path, Self::of(weight))
    }
}

/// The sum of two lengths that are integers: it stops below `u32::MAX`.
#[device]
fn sum_of_integers(a: u32, b: u32) -> u32 {
    a.saturating_add(b).min(u32::MAX - 1)
}

#[device]
impl<W: Weight> Length<W> for () {
    const ADDS_UP: bool = true;
    const DIFFERS: bool = false;
    fn of(_weight: W) -> u32 {
        1
    }
    fn sum(a: u32, b: u32) -> u32 {
        sum_of_integers(a, b)
    }
    fn is_length(_weight: W) -> bool {
        true
    }
}

#[device]
impl Length<u32> for u32 {
    const ADDS_UP: bool = true;
    const DIFFERS: bool = true;
    fn of(weight: u32) -> u32 {
        weight
    }
    fn sum(a: u32, b: u32) -> u32 {
        sum_of_integers(a, b)
    }
    fn is_length(_weight: u32) -> bool {
        true
    }
}

#[device]
impl Length<i32> for i32 {
    const ADDS_UP: bool = true;
    const DIFFERS: bool = true;
    fn of(weight: i32) -> u32 {
        weight as u32
    }
    fn sum(a: u32, b: u32) -> u32 {
        sum_of_integers(a, b)
    }
    fn is_length(weight: i32) -> bool {
        weight >= 0
    }
}

#[device]
impl Length<f32> for f32 {
    const ADDS_UP: bool = false;
    const DIFFERS: bool = true;
    fn of(weight: f32) -> u32 {
        weight.to_bits()
    }
    fn sum(a: u32, b: u32) -> u32 {
        (f32::from_bits(a) + f32::from_bits(b)).min(f32::MAX).to_bits()
    }
    fn is_length(weight: f32) -> bool {
        weight >= 0.0
    }
}
