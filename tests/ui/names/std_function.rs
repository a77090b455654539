// `std` is not on the device.

use meerkat::prelude::*;

#[vertex_operator]
fn limit(v: Vertex, most: u32, degree: &mut [u32]) {
    degree[v] = std::cmp::min(degree[v], most);
}

fn main() {}
