// The item's place is the second parameter of an edge operator, and does not change.

use meerkat::prelude::*;

#[edge_operator]
fn mark(edge: Edge, found: &[Atomic<u32>], at: Place) {
    found[edge.dst].store(at);
}

#[edge_operator]
fn mark_next(edge: Edge, mut at: Place, found: &[Atomic<u32>]) {
    at += 1;
    found[edge.dst].store(at);
}

fn main() {}
