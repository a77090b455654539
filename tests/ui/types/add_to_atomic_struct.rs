// A struct has an order but no sum.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Node {
    parent: u32,
    level: u32,
}

#[vertex_operator]
fn next_level(v: Vertex, tree: &[Atomic<Node>]) {
    tree[v].fetch_add(Node { parent: 0, level: 1 });
}

fn main() {}
