// A field with the name of a part of a tuple.

use meerkat::prelude::*;

#[repr(C)]
#[derive(Clone, Copy, DeviceStruct)]
struct Under {
    _0: u32,
}

fn main() {}
