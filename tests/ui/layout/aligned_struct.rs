// A struct with an alignment of its own.

use meerkat::prelude::*;

#[repr(C, align(16))]
#[derive(Clone, Copy, DeviceStruct)]
struct Wide {
    a: u32,
}

fn main() {}
