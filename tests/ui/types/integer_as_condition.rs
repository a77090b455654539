// A count is not a condition.

use meerkat::prelude::*;

#[vertex_operator]
fn keep(v: Vertex, degree: &[u32], marks: &mut [bool]) {
    if degree[v] {
        marks[v] = true;
    }
}

fn main() {}
