// A pattern that takes a struct apart.

use meerkat::prelude::*;

#[edge_operator]
fn mark(edge: Edge<u32>, marks: &[Atomic<u32>]) {
    match edge {
        Edge { src, dst, weight: 0 } => marks[dst].store(src),
        _ => marks[edge.src].store(0),
    }
}

fn main() {}
