// An array inside the own item: no race, but not written in place.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Walk {
    length: u32,
    path: [u32; 4],
}

#[kernel]
fn step(walks: &mut [Walk], order: &[u32]) {
    let i = thread_id();
    walks[i].path[order[i] & 3] = i;
    walks[order[i]].path[0] = i;
    walks[i].length = 3;
}

fn main() {}
