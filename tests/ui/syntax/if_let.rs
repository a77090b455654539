// There is no `Option` to look into.

use meerkat::prelude::*;

#[vertex_operator]
fn adopt(v: Vertex, parent: &[u32], out: &mut [u32]) {
    if let 0 = parent[v] {
        out[v] = v;
    }
}

fn main() {}
