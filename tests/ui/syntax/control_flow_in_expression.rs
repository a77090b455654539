// A block with statements in the middle of a sum.

use meerkat::prelude::*;

#[vertex_operator]
fn score(v: Vertex, degree: &[u32], out: &mut [u32]) {
    out[v] = 1 + if degree[v] > 8 {
        let extra = degree[v] - 8;
        extra * 2
    } else {
        0
    };
}

fn main() {}
