//! Integer and `bool` operators.

use meerkat::prelude::*;
use meerkat::runtime::program::KernelInfo;

macro_rules! integers {
    ($($ty:ident)*) => {$(
        pub mod $ty {
            use super::*;

            /// One result of every operator and method.
            #[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
            #[repr(C)]
            pub struct Results {
                pub sum: $ty,
                pub difference: $ty,
                pub product: $ty,
                pub quotient: $ty,
                pub remainder: $ty,
                pub both: $ty,
                pub either: $ty,
                pub exclusive: $ty,
                pub inverted: $ty,
                pub left: $ty,
                pub right: $ty,
                pub smaller: $ty,
                pub larger: $ty,
                pub saturated: $ty,
                pub wrapped: $ty,
            }

            #[kernel]
            pub fn operate(a: &[$ty], b: &[$ty], out: &mut [Results]) {
                let i = thread_id();
                if i < a.len() {
                    let x = a[i];
                    let y = b[i];
                    let mut divisor = y;
                    if y == 0 {
                        divisor = 3;
                    }
                    out[i] = Results {
                        sum: x + y,
                        difference: x - y,
                        product: x * y,
                        quotient: x / divisor,
                        remainder: x % divisor,
                        both: x & y,
                        either: x | y,
                        exclusive: x ^ y,
                        inverted: !x,
                        left: x << (y as u32),
                        right: x >> (y as u32),
                        smaller: x.min(y),
                        larger: x.max(y),
                        saturated: x.saturating_add(y),
                        wrapped: x.wrapping_add(y).wrapping_mul(3).wrapping_sub(y),
                    };
                }
            }

            #[kernel]
            pub fn assign(a: &[$ty], b: &[$ty], out: &mut [$ty]) {
                let i = thread_id();
                if i < a.len() {
                    let mut x = a[i];
                    let y = b[i];
                    x += y;
                    x *= 3;
                    x -= 7;
                    x ^= y;
                    x |= 8;
                    x &= 127;
                    x <<= 3;
                    x += 100;
                    x >>= 1;
                    x /= 3;
                    x %= 17;
                    out[i] = x;
                }
            }

            #[kernel]
            pub fn compare(a: &[$ty], b: &[$ty], out: &mut [u32]) {
                let i = thread_id();
                if i < a.len() {
                    let x = a[i];
                    let y = b[i];
                    out[i] = (x == y) as u32
                        | ((x != y) as u32) << 1
                        | ((x < y) as u32) << 2
                        | ((x <= y) as u32) << 3
                        | ((x > y) as u32) << 4
                        | ((x >= y) as u32) << 5
                        | x.count_ones() << 6
                        | x.leading_zeros() << 14
                        | x.trailing_zeros() << 22;
                }
            }
        }
    )*};
}

integers!(u8 u16 u32 u64 i8 i16 i32 i64);

macro_rules! signed {
    ($($module:ident $ty:ident)*) => {$(
        pub mod $module {
            use super::*;

            /// Negation, absolute value, and the literals below zero.
            #[kernel]
            pub fn negate(a: &[$ty], negated: &mut [$ty], absolute: &mut [$ty]) {
                let i = thread_id();
                if i < a.len() {
                    negated[i] = -a[i] + -5;
                    absolute[i] = a[i].abs();
                }
            }
        }
    )*};
}

signed!(negate_i8 i8 negate_i16 i16 negate_i32 i32 negate_i64 i64);

/// Every operator of `bool`, each a bit of the result.
#[kernel]
pub fn logic(a: &[bool], b: &[bool], out: &mut [u32]) {
    let i = thread_id();
    if i < a.len() {
        let x = a[i];
        let y = b[i];
        let mut z = x;
        z &= y;
        let mut w = x;
        w |= y;
        let mut v = x;
        v ^= y;
        out[i] = (x & y) as u32
            | ((x | y) as u32) << 1
            | ((x ^ y) as u32) << 2
            | ((!x) as u32) << 3
            | ((x == y) as u32) << 4
            | ((x != y) as u32) << 5
            | ((x && !y || y && !x) as u32) << 6
            | (z as u32) << 7
            | (w as u32) << 8
            | (v as u32) << 9
            | (select(x, y, true) as u32) << 10
            | (!(x & y) as u32) << 11;
    }
}

const FLAGS: u64 = 0xff00_0000_0000_0001;
const LOWEST: i64 = i64::MIN;
const TINY: i8 = -128;
const YES: bool = true;

/// Literals in all their forms, and constants of several types.
#[kernel]
pub fn literals(out: &mut [u64]) {
    let i = thread_id();
    if i < out.len() {
        let mut sum = 1_000u64 + 0xff + 0o17 + 0b101;
        sum ^= 3 * (sum >> 7) ^ u64::MAX;
        sum ^= 3 * (sum >> 7) ^ u32::MAX as u64;
        sum ^= 3 * (sum >> 7) ^ i32::MIN as u64;
        sum ^= 3 * (sum >> 7) ^ 18_446_744_073_709_551_615;
        sum ^= 3 * (sum >> 7) ^ FLAGS;
        sum ^= 3 * (sum >> 7) ^ LOWEST as u64;
        sum ^= 3 * (sum >> 7) ^ TINY as u64;
        if YES {
            sum ^= 3 * (sum >> 7) ^ u8::MAX as u64;
            sum ^= 3 * (sum >> 7) ^ i8::MIN as u64;
            sum ^= 3 * (sum >> 7) ^ u16::MAX as u64;
            sum ^= 3 * (sum >> 7) ^ i64::MAX as u64;
        }
        out[i] = sum;
    }
}

pub fn kernels() -> Vec<KernelInfo> {
    macro_rules! each {
        ($($ty:ident)*) => { vec![$($ty::operate::info(), $ty::assign::info(), $ty::compare::info()),*] };
    }
    let mut kernels = each!(u8 u16 u32 u64 i8 i16 i32 i64);
    kernels.extend([
        negate_i8::negate::info(),
        negate_i16::negate::info(),
        negate_i32::negate::info(),
        negate_i64::negate::info(),
        logic::info(),
        literals::info(),
    ]);
    kernels
}
