// A loop as a value.

use meerkat::prelude::*;

#[vertex_operator]
fn root(v: Vertex, parent: &[u32], out: &mut [u32]) {
    let mut at = v;
    out[v] = loop {
        if parent[at] == at {
            break at;
        }
        at = parent[at];
    };
}

fn main() {}
