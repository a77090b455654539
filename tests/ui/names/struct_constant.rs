// Constants are single numbers.

use meerkat::prelude::*;

const ROOT: Edge<u32> = Edge { src: 0, dst: 0, weight: 1 };

#[vertex_operator]
fn reset(v: Vertex, tree: &mut [Edge<u32>]) {
    tree[v] = ROOT;
}

fn main() {}
