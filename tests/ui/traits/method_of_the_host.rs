// A method without the attribute.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Node {
    distance: u32,
}

impl Node {
    fn further(self) -> u32 {
        self.distance + 1
    }
}

#[kernel]
fn walk(nodes: &[Node], out: &mut [u32]) {
    let i = thread_id();
    out[i] = nodes[i].further();
}

fn main() {}
