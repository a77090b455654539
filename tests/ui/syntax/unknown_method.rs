// `isqrt` is not among the methods of numbers.

use meerkat::prelude::*;

#[vertex_operator]
fn square(v: Vertex, values: &mut [u32]) {
    values[v] = values[v].isqrt();
}

fn main() {}
