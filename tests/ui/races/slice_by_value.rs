// A slice as a plain value, copied into a variable that may be assigned.

use meerkat::prelude::*;

#[kernel]
fn fill(keys: DeviceSlice<u32>, order: &[u32]) {
    let i = thread_id();
    let mut mine = keys;
    mine[order[i]] = i;
}

fn main() {}
