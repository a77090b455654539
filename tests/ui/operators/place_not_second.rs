// The item's place is the second parameter of an edge operator.

use meerkat::prelude::*;

#[edge_operator]
fn mark(edge: Edge, found: &[Atomic<u32>], at: Place) {
    found[edge.dst].store(at);
}

fn main() {}
