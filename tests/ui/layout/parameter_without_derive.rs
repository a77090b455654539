// The kernel takes a struct that CUDA has never seen.

use meerkat::prelude::*;

#[derive(Clone, Copy)]
#[repr(C)]
struct Limits {
    low: u32,
    high: u32,
}

#[vertex_operator]
fn clamp(v: Vertex, limits: Limits, values: &mut [u32]) {
    values[v] = values[v].max(limits.low).min(limits.high);
}

fn main() {}
