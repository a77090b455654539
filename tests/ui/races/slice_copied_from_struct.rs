// A copy of the struct still holds the slice that all lanes share.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Table {
    keys: DeviceSlice<u32>,
}

#[kernel]
fn fill(table: Table, order: &[u32]) {
    let i = thread_id();
    let mut mine = table;
    mine.keys[order[i]] = i;
}

fn main() {}
