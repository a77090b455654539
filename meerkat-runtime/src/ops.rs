//! Arithmetic with one meaning on both back ends: Rust's, without its panics.
//! Integers wrap, shifts mask; an integer division by zero traps.

use crate::trap::{self, Fault};
use std::ops::{BitAnd, BitOr, BitXor};

/// Numbers: what `+`, `-`, `*`, `/`, `%` and unary `-` work on.
pub trait Arithmetic: Copy {
    /// Wrapping sum.
    fn add(self, other: Self) -> Self;
    /// Wrapping difference.
    fn sub(self, other: Self) -> Self;
    /// Wrapping product.
    fn mul(self, other: Self) -> Self;
    /// Quotient; `None` for an integer division by zero.
    fn checked_div(self, other: Self) -> Option<Self>;
    /// Remainder; `None` for an integer division by zero.
    fn checked_rem(self, other: Self) -> Option<Self>;
    /// Wrapping negation.
    fn neg(self) -> Self;
    /// Wrapping absolute value.
    fn absolute(self) -> Self;
}

/// Integers and `bool`: what `&`, `|` and `^` work on.
pub trait Integer:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
{
}

/// Integers: what `<<` and `>>` work on, the distance masked to the width.
pub trait Shift: Copy {
    /// `self << (by % width)`.
    fn shl(self, by: u32) -> Self;
    /// `self >> (by % width)`.
    fn shr(self, by: u32) -> Self;
    /// The bits turned towards the high end.
    fn rotate_left(self, by: u32) -> Self;
    /// The bits turned towards the low end.
    fn rotate_right(self, by: u32) -> Self;
    /// The power, wrapping.
    fn pow(self, exponent: u32) -> Self;
}

/// What `abs_diff` works on: unsigned integers, whose differences have their own type.
#[diagnostic::on_unimplemented(
    message = "`abs_diff` is for unsigned integers in a kernel, not for `{Self}`",
    note = "of signed integers write `a.max(b).wrapping_sub(a.min(b)) as u32`, of floats \
            `(a - b).abs()`"
)]
pub trait AbsDiff {
    /// The type itself: a name for it, so that rustc says no more of a result that is none.
    type Output;
    /// How far apart two numbers are.
    fn abs_diff(self, other: Self) -> Self::Output;
}

/// What `fetch_add_aggregated` works on: the sum is the same in whatever order.
#[diagnostic::on_unimplemented(
    message = "`fetch_add_aggregated` is for atomics of `u32`, `i32`, `u64` and `i64`, not of \
               `{Self}`",
    label = "not an integer of 32 or 64 bits",
    note = "write `fetch_add`: lanes that add up among themselves would round a sum of floats \
            differently each time"
)]
pub trait Aggregate: Arithmetic {}

impl Aggregate for u32 {}
impl Aggregate for i32 {}
impl Aggregate for u64 {}
impl Aggregate for i64 {}

/// A shift distance of any integer type.
pub trait ShiftDistance: Copy {
    /// Its low 32 bits; the mask of the shift takes fewer.
    fn distance(self) -> u32;
}

/// What `min` and `max` work on; of a NaN and a number, the number.
pub trait Order: Copy {
    /// The smaller.
    fn smaller(self, other: Self) -> Self;
    /// The larger.
    fn larger(self, other: Self) -> Self;
}

macro_rules! integers {
    ($($ty:ident $abs:expr;)*) => {$(
        impl Arithmetic for $ty {
            #[inline(always)]
            fn add(self, other: Self) -> Self { self.wrapping_add(other) }
            #[inline(always)]
            fn sub(self, other: Self) -> Self { self.wrapping_sub(other) }
            #[inline(always)]
            fn mul(self, other: Self) -> Self { self.wrapping_mul(other) }
            #[inline(always)]
            fn checked_div(self, other: Self) -> Option<Self> {
                (other != 0).then(|| self.wrapping_div(other))
            }
            #[inline(always)]
            fn checked_rem(self, other: Self) -> Option<Self> {
                (other != 0).then(|| self.wrapping_rem(other))
            }
            #[inline(always)]
            fn neg(self) -> Self { self.wrapping_neg() }
            #[inline(always)]
            fn absolute(self) -> Self { $abs(self) }
        }
        impl Integer for $ty {}
        impl Shift for $ty {
            #[inline(always)]
            fn shl(self, by: u32) -> Self { self.wrapping_shl(by) }
            #[inline(always)]
            fn shr(self, by: u32) -> Self { self.wrapping_shr(by) }
            #[inline(always)]
            fn rotate_left(self, by: u32) -> Self { self.rotate_left(by) }
            #[inline(always)]
            fn rotate_right(self, by: u32) -> Self { self.rotate_right(by) }
            #[inline(always)]
            fn pow(self, exponent: u32) -> Self { self.wrapping_pow(exponent) }
        }
        impl ShiftDistance for $ty {
            #[inline(always)]
            fn distance(self) -> u32 { self as u32 }
        }
        impl Order for $ty {
            #[inline(always)]
            fn smaller(self, other: Self) -> Self { self.min(other) }
            #[inline(always)]
            fn larger(self, other: Self) -> Self { self.max(other) }
        }
    )*};
}

integers! {
    u8 |x| x; u16 |x| x; u32 |x| x; u64 |x| x;
    i8 i8::wrapping_abs; i16 i16::wrapping_abs; i32 i32::wrapping_abs; i64 i64::wrapping_abs;
}

macro_rules! floats {
    ($($ty:ident)*) => {$(
        impl Arithmetic for $ty {
            #[inline(always)]
            fn add(self, other: Self) -> Self { self + other }
            #[inline(always)]
            fn sub(self, other: Self) -> Self { self - other }
            #[inline(always)]
            fn mul(self, other: Self) -> Self { self * other }
            #[inline(always)]
            fn checked_div(self, other: Self) -> Option<Self> { Some(self / other) }
            #[inline(always)]
            fn checked_rem(self, other: Self) -> Option<Self> { Some(self % other) }
            #[inline(always)]
            fn neg(self) -> Self { -self }
            #[inline(always)]
            fn absolute(self) -> Self { self.abs() }
        }
        impl Order for $ty {
            #[inline(always)]
            fn smaller(self, other: Self) -> Self { self.min(other) }
            #[inline(always)]
            fn larger(self, other: Self) -> Self { self.max(other) }
        }
    )*};
}

floats!(f32 f64);

impl Integer for bool {}

macro_rules! unsigned {
    ($($ty:ident)*) => {$(
        impl AbsDiff for $ty {
            type Output = $ty;
            #[inline(always)]
            fn abs_diff(self, other: Self) -> $ty { self.abs_diff(other) }
        }
    )*};
}

unsigned!(u8 u16 u32 u64);

/// `a + b`, wrapping.
#[inline(always)]
pub fn add<T: Arithmetic>(a: T, b: T) -> T {
    a.add(b)
}

/// `a - b`, wrapping.
#[inline(always)]
pub fn sub<T: Arithmetic>(a: T, b: T) -> T {
    a.sub(b)
}

/// `a * b`, wrapping.
#[inline(always)]
pub fn mul<T: Arithmetic>(a: T, b: T) -> T {
    a.mul(b)
}

/// `a / b`; traps an integer division by zero.
#[track_caller]
#[inline(always)]
pub fn div<T: Arithmetic>(a: T, b: T) -> T {
    match a.checked_div(b) {
        Some(quotient) => quotient,
        None => trap::raise(Fault::DivisionByZero),
    }
}

/// `a % b`; traps an integer division by zero.
#[track_caller]
#[inline(always)]
pub fn rem<T: Arithmetic>(a: T, b: T) -> T {
    match a.checked_rem(b) {
        Some(remainder) => remainder,
        None => trap::raise(Fault::DivisionByZero),
    }
}

/// `-a`, wrapping.
#[inline(always)]
pub fn neg<T: Arithmetic>(a: T) -> T {
    a.neg()
}

/// `|a|`, wrapping.
#[inline(always)]
pub fn abs<T: Arithmetic>(a: T) -> T {
    a.absolute()
}

/// `a << by`, the distance masked.
#[inline(always)]
pub fn shl<T: Shift>(a: T, by: impl ShiftDistance) -> T {
    a.shl(by.distance())
}

/// `a >> by`, the distance masked.
#[inline(always)]
pub fn shr<T: Shift>(a: T, by: impl ShiftDistance) -> T {
    a.shr(by.distance())
}

/// One of two values, both computed.
#[inline(always)]
pub fn select<T>(condition: bool, then: T, otherwise: T) -> T {
    if condition { then } else { otherwise }
}

/// How far apart two numbers are.
#[inline(always)]
pub fn abs_diff<T: AbsDiff>(a: T, b: T) -> T::Output {
    a.abs_diff(b)
}

/// At least `low` and at most `high`, where Rust's panics if that cannot be; a NaN stays.
#[inline(always)]
pub fn clamp<T: PartialOrd>(a: T, low: T, high: T) -> T {
    let a = if a < low { low } else { a };
    if a > high { high } else { a }
}

/// The power, wrapping.
#[inline(always)]
pub fn pow<T: Shift>(a: T, exponent: impl ShiftDistance) -> T {
    a.pow(exponent.distance())
}

/// The bits turned towards the high end.
#[inline(always)]
pub fn rotate_left<T: Shift>(a: T, by: impl ShiftDistance) -> T {
    a.rotate_left(by.distance())
}

/// The bits turned towards the low end.
#[inline(always)]
pub fn rotate_right<T: Shift>(a: T, by: impl ShiftDistance) -> T {
    a.rotate_right(by.distance())
}
