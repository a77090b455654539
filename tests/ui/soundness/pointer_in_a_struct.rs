// A reference among the bytes of a struct.

#![forbid(unsafe_code)]

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Node {
    next: &'static u32,
}

fn main() {}
