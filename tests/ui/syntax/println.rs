// The first thing one tries.

use meerkat::prelude::*;

#[vertex_operator]
fn visit(v: Vertex, levels: &mut [u32]) {
    println!("visiting {v}");
    levels[v] = 1;
}

fn main() {}
