// The value to enqueue is read also by lanes without an item.

use meerkat::prelude::*;

#[vertex_operator]
fn jump(v: Vertex, parent: &[u32], next: &Frontier<Vertex>) {
    warp_enqueue_frontier(next, parent[v], parent[v] != v);
}

fn main() {}
