//! Numbers as bounds: what an operator generic over its number type may do with it.

use crate::device_type::DeviceType;
use crate::ops::{Arithmetic, Order};
use meerkat_macros::device;
use std::ops::{
    Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign,
};

/// What kernels compare: numbers and `bool`.
#[diagnostic::on_unimplemented(
    message = "a kernel compares numbers and `bool`, not `{Self}`",
    note = "compare its fields, each by itself"
)]
pub trait Comparable {}

macro_rules! impl_comparable {
    ($($ty:ident)*) => {$(impl Comparable for $ty {})*};
}

impl_comparable!(bool u8 u16 u32 u64 i8 i16 i32 i64 f32 f64);

/// Methods and operators that the language has for any number. A bound of [`Number`] brings
/// them; they are apart, so that importing it hides no method of Rust's own.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is accumulated over the neighbours, so it must be a number",
    label = "not known to be a number",
    note = "give it the bound `Number`"
)]
pub trait Words:
    DeviceType
    + PartialOrd
    + Comparable
    + Arithmetic
    + Order
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + RemAssign
{
    /// Its zero.
    const ZERO: Self;
    /// Its one.
    const ONE: Self;
    /// The least of its values but for infinities.
    const MIN: Self;
    /// The largest of its values but for infinities.
    const MAX: Self;
    /// `SUM_IDENTITY + x` is `x`, zeros of either sign included.
    #[doc(hidden)]
    const SUM_IDENTITY: Self;
    /// `MIN_IDENTITY.min(x)` is `x`.
    #[doc(hidden)]
    const MIN_IDENTITY: Self;
    /// `MAX_IDENTITY.max(x)` is `x`.
    #[doc(hidden)]
    const MAX_IDENTITY: Self;
    /// The smaller; of a NaN and a number, the number.
    fn min(self, other: Self) -> Self;
    /// The larger; of a NaN and a number, the number.
    fn max(self, other: Self) -> Self;
}

/// Methods that the language has for floats alone.
pub trait FloatWords: Words + Neg<Output = Self> {
    /// Without its sign.
    fn abs(self) -> Self;
    /// The square root, rounded as IEEE 754 has it.
    fn sqrt(self) -> Self;
}

/// Any number: `fn total<T: Number>(..)` adds, subtracts, multiplies, divides and compares,
/// and has `min`, `max`, `T::ZERO`, `T::ONE`, `T::MIN` and `T::MAX`.
#[device]
pub trait Number: Words {
    /// The value of this type that `n as T` is.
    fn from_u32(n: u32) -> Self;
    /// The value as an `f64`, rounded if it has more than 53 bits.
    fn to_f64(self) -> f64;
}

/// `f32` or `f64`: [`Number`] with `abs`, `sqrt` and unary `-`.
#[device]
pub trait Float: Number + FloatWords {
    /// The value of this type that `x as T` is: rounded.
    fn from_f64(x: f64) -> Self;
}

macro_rules! numbers {
    ($($ty:ident $zero:literal $one:literal ($sum:expr, $min:ident, $max:ident))*) => {$(
        impl Words for $ty {
            const ZERO: $ty = $zero;
            const ONE: $ty = $one;
            const MIN: $ty = <$ty>::MIN;
            const MAX: $ty = <$ty>::MAX;
            const SUM_IDENTITY: $ty = $sum;
            const MIN_IDENTITY: $ty = <$ty>::$min;
            const MAX_IDENTITY: $ty = <$ty>::$max;
            #[inline(always)]
            fn min(self, other: $ty) -> $ty {
                self.smaller(other)
            }
            #[inline(always)]
            fn max(self, other: $ty) -> $ty {
                self.larger(other)
            }
        }

        #[device]
        impl Number for $ty {
            fn from_u32(n: u32) -> $ty {
                n as $ty
            }
            fn to_f64(self) -> f64 {
                self as f64
            }
        }
    )*};
}

numbers! {
    u8 0 1 (0, MAX, MIN)
    u16 0 1 (0, MAX, MIN)
    u32 0 1 (0, MAX, MIN)
    u64 0 1 (0, MAX, MIN)
    i8 0 1 (0, MAX, MIN)
    i16 0 1 (0, MAX, MIN)
    i32 0 1 (0, MAX, MIN)
    i64 0 1 (0, MAX, MIN)
    f32 0.0 1.0 (-0.0, NAN, NAN)
    f64 0.0 1.0 (-0.0, NAN, NAN)
}

macro_rules! floats {
    ($($ty:ident)*) => {$(
        impl FloatWords for $ty {
            #[inline(always)]
            fn abs(self) -> $ty {
                <$ty>::abs(self)
            }
            #[inline(always)]
            fn sqrt(self) -> $ty {
                <$ty>::sqrt(self)
            }
        }

        #[device]
        impl Float for $ty {
            fn from_f64(x: f64) -> $ty {
                x as $ty
            }
        }
    )*};
}

floats!(f32 f64);
