// The name is the item's, the value no longer.

use meerkat::prelude::*;

#[vertex_operator]
fn swap_halves(v: Vertex, half: u32, from: &[u32], to: &mut [u32]) {
    let value = from[v];
    let v = v % half;
    to[v] = value;
}

fn main() {}
