// Lanes copy values freely.

use meerkat::prelude::*;

#[derive(Clone, DeviceStruct)]
#[repr(C)]
struct Node {
    parent: u32,
    level: u32,
}

fn main() {}
