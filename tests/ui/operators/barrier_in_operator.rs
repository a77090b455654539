// An operator waits for nobody.

use meerkat::prelude::*;

#[vertex_operator]
fn wait(v: Vertex, out: &mut [u32]) {
    out[v] = 1;
    block_barrier();
}

fn main() {}
