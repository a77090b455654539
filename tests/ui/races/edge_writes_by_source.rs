// An element to each edge, by the vertex that it shares with others.

use meerkat::prelude::*;

#[edge_operator]
fn spread(edge: Edge<u32>, at: Place, out: &mut [u32]) {
    out[edge.src] = edge.weight;
    out[at + 1] = 3;
}

fn main() {}
