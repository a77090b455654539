// A collective function, called for one item at a time.

use meerkat::prelude::*;

#[device]
fn warp_total(value: u32) -> Uniform<u32> {
    warp_reduce_sum(value)
}

#[vertex_operator]
fn degrees(v: Vertex, degree: &[u32], total: &[Atomic<u32>]) {
    let all = warp_total(degree[v]);
    total[0].fetch_max(all);
}

fn main() {}
