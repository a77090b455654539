// Filled in below.

use meerkat::prelude::*;

#[vertex_operator]
fn side(v: Vertex, degree: &[u32], out: &mut [u32]) {
    let class: u32;
    if degree[v] > 32 {
        class = 1;
    } else {
        class = 0;
    }
    out[v] = class;
}

fn main() {}
