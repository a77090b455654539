// Both are named at once.

use meerkat::prelude::*;

#[derive(Clone, DeviceStruct)]
#[repr(C)]
struct Record {
    tag: char,
    members: Vec<u32>,
}

fn main() {}
