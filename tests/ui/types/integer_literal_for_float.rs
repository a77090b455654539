// `1` is no `f32`.

use meerkat::prelude::*;

#[vertex_operator]
fn normalise(v: Vertex, degree: &[f32], share: &mut [f32]) {
    share[v] = 1 / degree[v];
}

fn main() {}
