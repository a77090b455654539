// A counter that is no slice.

use meerkat::prelude::*;

#[vertex_operator]
fn f(v: Vertex, count: &Atomic<u32>) {
    if v > 3 {
        count.fetch_add(1);
    }
}

fn main() {}
