//! Words of C++ are ordinary names here.

use meerkat::prelude::*;

#[device]
fn register(int: u32, float: f32) -> f32 {
    int as f32 + float
}

#[vertex_operator]
pub(super) fn template(v: Vertex, operator: u32, float: &mut [f32]) {
    let auto = float[v];
    let auto = auto * 2.0;
    let int = operator + 1;
    float[v] = register(int, auto);
}
