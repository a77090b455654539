// Many edges end in one vertex.

use meerkat::prelude::*;

#[edge_operator]
fn relax(edge: Edge<u32>, distance: &mut [u32]) {
    distance[edge.dst] = distance[edge.src] + edge.weight;
}

fn main() {}
