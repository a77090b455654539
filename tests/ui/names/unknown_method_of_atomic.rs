// A method that atomics have not.

use meerkat::prelude::*;

#[vertex_operator]
fn f(v: Vertex, sums: &[Atomic<u32>]) {
    sums[v].fetch_sum(2);
}

fn main() {}
