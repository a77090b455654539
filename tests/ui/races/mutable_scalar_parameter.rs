// A counter as in C: one word that every lane would write.

use meerkat::prelude::*;

#[vertex_operator]
fn count_isolated(v: Vertex, degree: &[u32], count: &mut u32) {
    if degree[v] == 0 {
        *count += 1;
    }
}

fn main() {}
