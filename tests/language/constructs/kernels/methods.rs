//! Methods of numbers beyond those that stand for operators.

use meerkat::prelude::*;
use meerkat::runtime::program::KernelInfo;

macro_rules! integers {
    ($($ty:ident)*) => {$(
        pub mod $ty {
            use super::*;

            /// One result of every method that all integers have.
            #[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
            #[repr(C)]
            pub struct Results {
                pub less: $ty,
                pub times: $ty,
                pub negated: $ty,
                pub power: $ty,
                pub square: $ty,
                pub left: $ty,
                pub right: $ty,
                pub seventh: $ty,
                pub swapped: $ty,
                pub reversed: $ty,
                pub clamped: $ty,
            }

            #[kernel]
            pub fn operate(a: &[$ty], b: &[$ty], distances: &[u32], out: &mut [Results]) {
                let i = thread_id();
                if i < a.len() {
                    let x = a[i];
                    let y = b[i];
                    let by = distances[i];
                    out[i] = Results {
                        less: x.saturating_sub(y),
                        times: x.saturating_mul(y),
                        negated: x.wrapping_neg(),
                        power: x.pow(by),
                        square: x.pow(2),
                        left: x.rotate_left(by),
                        right: x.rotate_right(by),
                        seventh: $ty::rotate_left(x, 7),
                        swapped: x.swap_bytes(),
                        reversed: x.reverse_bits(),
                        clamped: x.clamp(3, y),
                    };
                }
            }
        }
    )*};
}

integers!(u8 u16 u32 u64 i8 i16 i32 i64);

macro_rules! differences {
    ($($name:ident $ty:ident)*) => {$(
        #[kernel]
        pub fn $name(a: &[$ty], b: &[$ty], out: &mut [$ty]) {
            let i = thread_id();
            if i < a.len() {
                out[i] = a[i].abs_diff(b[i]);
            }
        }
    )*};
}

differences!(differences_u8 u8 differences_u16 u16 differences_u32 u32 differences_u64 u64);

macro_rules! signs {
    ($($name:ident $ty:ident)*) => {$(
        #[kernel]
        pub fn $name(a: &[$ty], out: &mut [$ty]) {
            let i = thread_id();
            if i < a.len() {
                out[i] = a[i].signum();
            }
        }
    )*};
}

signs!(signs_i8 i8 signs_i16 i16 signs_i32 i32 signs_i64 i64);

macro_rules! floats {
    ($($ty:ident $bits:ident)*) => {$(
        pub mod $ty {
            use super::*;

            /// What has the same bits everywhere; `kinds` has a bit for each test.
            #[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
            #[repr(C)]
            pub struct Exact {
                pub floor: $ty,
                pub ceil: $ty,
                pub round: $ty,
                pub trunc: $ty,
                pub root: $ty,
                pub fused: $ty,
                pub copied: $ty,
                pub sign: $ty,
                pub clamped: $ty,
                pub next: $ty,
                pub bits: $bits,
                pub kinds: $bits,
            }

            #[kernel]
            pub fn exact(a: &[$ty], b: &[$ty], out: &mut [Exact]) {
                let i = thread_id();
                if i < a.len() {
                    let x = a[i];
                    let y = b[i];
                    let bits = $ty::to_bits(x);
                    out[i] = Exact {
                        floor: x.floor(),
                        ceil: x.ceil(),
                        round: x.round(),
                        trunc: x.trunc(),
                        root: x.sqrt(),
                        fused: x.mul_add(y, x),
                        copied: x.copysign(y),
                        sign: x.signum(),
                        clamped: x.clamp(-2.5, 1.0),
                        next: $ty::from_bits(bits ^ 1),
                        bits,
                        kinds: (x.is_finite() as $bits) | (x.is_infinite() as $bits) << 1,
                    };
                }
            }

            /// What may differ in the last bits.
            #[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
            #[repr(C)]
            pub struct Close {
                pub exp: $ty,
                pub exp2: $ty,
                pub ln: $ty,
                pub log2: $ty,
                pub power: $ty,
                pub sin: $ty,
                pub cos: $ty,
            }

            #[kernel]
            pub fn close(a: &[$ty], b: &[$ty], out: &mut [Close]) {
                let i = thread_id();
                if i < a.len() {
                    let x = a[i];
                    out[i] = Close {
                        exp: x.exp(),
                        exp2: x.exp2(),
                        ln: x.ln(),
                        log2: x.log2(),
                        power: x.powf(b[i]),
                        sin: x.sin(),
                        cos: x.cos(),
                    };
                }
            }
        }
    )*};
}

floats!(f32 u32 f64 u64);

pub fn kernels() -> Vec<KernelInfo> {
    vec![
        u8::operate::info(),
        u16::operate::info(),
        u32::operate::info(),
        u64::operate::info(),
        i8::operate::info(),
        i16::operate::info(),
        i32::operate::info(),
        i64::operate::info(),
        differences_u8::info(),
        differences_u16::info(),
        differences_u32::info(),
        differences_u64::info(),
        signs_i8::info(),
        signs_i16::info(),
        signs_i32::info(),
        signs_i64::info(),
        f32::exact::info(),
        f64::exact::info(),
        f32::close::info(),
        f64::close::info(),
    ]
}
