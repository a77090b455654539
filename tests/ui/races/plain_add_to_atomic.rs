// `+=` on an atomic is a read and a write.

use meerkat::prelude::*;

#[edge_operator]
fn count(edge: Edge<()>, degree: &[Atomic<u32>]) {
    degree[edge.src] += 1;
}

fn main() {}
