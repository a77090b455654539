// Host memory in a device struct.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Table<'a> {
    keys: &'a [u32],
    count: u32,
}

fn main() {}
