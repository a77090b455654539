// An operator has no block to share memory with.

use meerkat::prelude::*;

#[vertex_operator]
fn count(v: Vertex, out: &mut [u32]) {
    let shared = block_shared::<u32, 4>();
    out[v] = shared[0].load();
}

fn main() {}
