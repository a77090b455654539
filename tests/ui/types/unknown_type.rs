// A type that nobody declared.

use meerkat::prelude::*;

#[vertex_operator]
fn reset(v: Vertex, nodes: &mut [TreeNode], level: u32) {
    nodes[v] = TreeNode { parent: v, level };
}

fn main() {}
