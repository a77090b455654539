// CUDA aligns the fields, `packed` does not.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C, packed)]
struct Record {
    tag: u8,
    key: u64,
}

fn main() {}
