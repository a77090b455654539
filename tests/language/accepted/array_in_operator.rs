//! A small table in registers.

use meerkat::prelude::*;

#[vertex_operator]
pub(super) fn bin(v: Vertex, degree: &[u32], out: &mut [u32]) {
    let mut bounds = [0u32; 4];
    bounds[0] = 8;
    let mut class = 0u32;
    while class < 4 && degree[v] > bounds[class] {
        class += 1;
    }
    out[v] = class;
}
