// A slice in a struct is read-only.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Table {
    keys: DeviceSlice<u32>,
}

#[kernel]
fn fill(table: Table, order: &[u32]) {
    let i = thread_id();
    table.keys[order[i]] = 3;
}

fn main() {}
