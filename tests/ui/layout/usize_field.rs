// `usize` again.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Range {
    first: usize,
    count: u32,
}

fn main() {}
