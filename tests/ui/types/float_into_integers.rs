// The slice holds `u32`.

use meerkat::prelude::*;

#[vertex_operator]
fn halve(v: Vertex, values: &mut [u32]) {
    values[v] = 0.5;
}

fn main() {}
