// Not every `u32` is a `char`.

use meerkat::prelude::*;

#[vertex_operator]
fn label(v: Vertex, mark: char, labels: &mut [u32]) {
    labels[v] = mark as u32;
}

fn main() {}
