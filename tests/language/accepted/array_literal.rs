//! The first number gives the array its type.

use meerkat::prelude::*;

#[vertex_operator]
pub(super) fn bin(v: Vertex, degree: &[u32], out: &mut [u32]) {
    let bounds = [1u32, 8, 32, 256];
    let mut class = 0u32;
    while class < 4 && degree[v] > bounds[class] {
        class += 1;
    }
    out[v] = class;
}
