//! Floating-point operators and methods.

use meerkat::prelude::*;
use meerkat::runtime::program::KernelInfo;

macro_rules! floats {
    ($($ty:ident)*) => {$(
        pub mod $ty {
            use super::*;

            /// One result of every operator and method; `order` has a bit for
            /// each comparison.
            #[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
            #[repr(C)]
            pub struct Results {
                pub sum: $ty,
                pub difference: $ty,
                pub product: $ty,
                pub quotient: $ty,
                pub negated: $ty,
                pub smaller: $ty,
                pub larger: $ty,
                pub absolute: $ty,
                pub root: $ty,
                pub unfused: $ty,
                pub order: u32,
            }

            #[kernel]
            pub fn operate(a: &[$ty], b: &[$ty], out: &mut [Results]) {
                let i = thread_id();
                if i < a.len() {
                    let x = a[i];
                    let y = b[i];
                    out[i] = Results {
                        sum: x + y,
                        difference: x - y,
                        product: x * y,
                        quotient: x / y,
                        negated: -x,
                        smaller: x.min(y),
                        larger: x.max(y),
                        absolute: x.abs(),
                        root: x.sqrt(),
                        unfused: x * y - y * 0.1 + 1.0e-3,
                        order: (x == y) as u32
                            | ((x != y) as u32) << 1
                            | ((x < y) as u32) << 2
                            | ((x <= y) as u32) << 3
                            | ((x > y) as u32) << 4
                            | ((x >= y) as u32) << 5
                            | (x.is_nan() as u32) << 6,
                    };
                }
            }

            #[kernel]
            pub fn assign(a: &[$ty], b: &[$ty], out: &mut [$ty]) {
                let i = thread_id();
                if i < a.len() {
                    let mut x = a[i];
                    x += b[i];
                    x *= 1.5;
                    x -= 0.1 * b[i];
                    x /= 3.0;
                    out[i] = x;
                }
            }

            #[kernel]
            pub fn constants(out: &mut [$ty]) {
                let i = thread_id();
                let mut x: $ty = 0.1;
                if i == 1 {
                    x = $ty::MAX;
                } else if i == 2 {
                    x = $ty::MIN;
                } else if i == 3 {
                    x = $ty::INFINITY;
                } else if i == 4 {
                    x = $ty::NEG_INFINITY;
                } else if i == 5 {
                    x = $ty::EPSILON;
                } else if i == 6 {
                    x = -0.0;
                } else if i == 7 {
                    x = 16_777_217.0;
                } else if i == 8 {
                    x = 1e-7;
                }
                if i < out.len() {
                    out[i] = x;
                }
            }
        }
    )*};
}

floats!(f32 f64);

/// The bits of an `f32`.
#[kernel]
pub fn bits(a: &[f32], out: &mut [u32]) {
    let i = thread_id();
    if i < a.len() {
        out[i] = a[i].to_bits();
    }
}

/// The bits of an `f64`, by a value and by path.
#[kernel]
pub fn wide_bits(a: &[f64], out: &mut [u64]) {
    let i = thread_id();
    if i < a.len() {
        out[i] = a[i].to_bits() ^ f64::to_bits(a[i] * 2.0) << 1;
    }
}

const DAMPING: f32 = 0.85;
const THIRD: f64 = 1.0 / 3.0;

/// Constants of the user's keep all their bits.
#[kernel]
pub fn scaled(a: &[f32], single: &mut [f32], double_precision: &mut [f64]) {
    let i = thread_id();
    if i < a.len() {
        single[i] = a[i] * DAMPING;
        double_precision[i] = a[i] as f64 * THIRD;
    }
}

pub fn kernels() -> Vec<KernelInfo> {
    vec![
        f32::operate::info(),
        f32::assign::info(),
        f32::constants::info(),
        f64::operate::info(),
        f64::assign::info(),
        f64::constants::info(),
        bits::info(),
        wide_bits::info(),
        scaled::info(),
    ]
}
