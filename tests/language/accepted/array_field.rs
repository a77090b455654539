//! A small array in a struct.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Histogram {
    bins: [u32; 8],
}
