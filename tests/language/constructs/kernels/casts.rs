//! Casts from every number type to every other.

use meerkat::prelude::*;
use meerkat::runtime::program::KernelInfo;

/// One value as all types.
#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Casts {
    pub as_u8: u8,
    pub as_u16: u16,
    pub as_u32: u32,
    pub as_u64: u64,
    pub as_i8: i8,
    pub as_i16: i16,
    pub as_i32: i32,
    pub as_i64: i64,
    pub as_f32: f32,
    pub as_f64: f64,
}

macro_rules! casts {
    ($($ty:ident)*) => {$(
        pub mod $ty {
            use super::*;

            #[kernel]
            pub fn cast_all(a: &[$ty], out: &mut [Casts]) {
                let i = thread_id();
                if i < a.len() {
                    let x = a[i];
                    out[i] = Casts {
                        as_u8: x as u8,
                        as_u16: x as u16,
                        as_u32: x as u32,
                        as_u64: x as u64,
                        as_i8: x as i8,
                        as_i16: x as i16,
                        as_i32: x as i32,
                        as_i64: x as i64,
                        as_f32: x as f32,
                        as_f64: x as f64,
                    };
                }
            }
        }
    )*};
}

casts!(u8 u16 u32 u64 i8 i16 i32 i64 f32 f64);

pub fn kernels() -> Vec<KernelInfo> {
    macro_rules! each {
        ($($ty:ident)*) => { vec![$($ty::cast_all::info()),*] };
    }
    each!(u8 u16 u32 u64 i8 i16 i32 i64 f32 f64)
}
