// The item is the operator's own; its thread is somebody else's item.

use meerkat::prelude::*;

#[vertex_operator]
fn compact(v: Vertex, label: &[u32], out: &mut [u32]) {
    let i = thread_id();
    out[v] = label[v];
    out[i] = label[v];
}

fn main() {}
