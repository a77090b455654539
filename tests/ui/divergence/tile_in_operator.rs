// A tile of an operator has lanes without an item, too.

use meerkat::prelude::*;

#[vertex_operator]
fn sums(v: Vertex, degree: &[u32], out: &mut [u32]) {
    let d = degree[v];
    out[v] = tile::<8>().reduce_sum(d);
}

fn main() {}
