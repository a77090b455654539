// The function's own item is the thread's, the operator's is the vertex.

use meerkat::prelude::*;

#[device]
fn reset(values: &mut [u32]) {
    let i = thread_id();
    values[i] = 0;
}

#[vertex_operator]
fn visit(v: Vertex, levels: &mut [u32]) {
    levels[v] = 1;
    reset(levels);
}

fn main() {}
