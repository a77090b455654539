// A niche that CUDA does not know.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Node {
    parent: Option<u32>,
    level: u32,
}

fn main() {}
