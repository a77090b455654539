// No errors to pass on.

use meerkat::prelude::*;

#[vertex_operator]
fn check(v: Vertex, levels: &mut [u32]) {
    let next = levels[v].checked_add(1)?;
    levels[v] = next;
}

fn main() {}
