//! Fields in any order, evaluated as written.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Node {
    parent: u32,
    level: u32,
}

#[vertex_operator]
pub(super) fn root(v: Vertex, tree: &mut [Node]) {
    tree[v] = Node { level: 0, parent: v };
}
