// Predicate and value exchanged.

use meerkat::prelude::*;

#[vertex_operator]
fn keep(v: Vertex, degree: &[u32], next: &Frontier<Vertex>) {
    let d = degree[v];
    warp_enqueue_frontier(next, d > 0, v);
}

fn main() {}
