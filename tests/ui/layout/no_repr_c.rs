// Rust may reorder the fields.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
struct Node {
    parent: u32,
    level: u32,
}

fn main() {}
