// A slice in a struct, written through a copy of the struct.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Table {
    keys: DeviceSlice<u32>,
}

#[device]
fn fill(table: Table, at: u32) -> Table {
    let mut mine = table;
    mine.keys[at] = 3;
    mine
}

fn main() {}
