// Two underscores, as in CUDA.

use meerkat::prelude::*;

#[vertex_operator]
fn copy(v: Vertex, values: &mut [u32]) {
    let __value = values[v];
    values[v] = __value + 1;
}

fn main() {}
