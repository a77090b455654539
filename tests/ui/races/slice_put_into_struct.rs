// A struct or a tuple made of a slice does not open it to writes.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Table {
    keys: DeviceSlice<u32>,
}

#[kernel]
fn fill(keys: &[u32], order: &[u32]) {
    let i = thread_id();
    let table = Table { keys };
    let mut pair = (keys, i);
    pair.0[order[i]] = table.keys[i];
}

fn main() {}
