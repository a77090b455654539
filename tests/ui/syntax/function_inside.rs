// A helper declared inside.

use meerkat::prelude::*;

#[vertex_operator]
fn bin(v: Vertex, degree: &[u32], out: &mut [u32]) {
    fn class(d: u32) -> u32 {
        d / 32
    }
    out[v] = class(degree[v]);
}

fn main() {}
