// A vertex where an edge belongs.

use meerkat::prelude::*;

#[edge_operator]
fn relax(v: Vertex, distance: &[Atomic<u32>]) {
    distance[v].fetch_min(1);
}

fn main() {}
