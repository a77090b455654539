// C++ has no `==` of structs, nor do lanes compare one field after another.

use meerkat::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, DeviceStruct)]
#[repr(C)]
struct Node {
    level: u32,
    parent: u32,
}

#[kernel]
fn same(nodes: &[Node], out: &mut [u32]) {
    let i = thread_id();
    let first = nodes[0];
    if nodes[i] == first {
        out[i] = 1;
    }
}

fn main() {}
