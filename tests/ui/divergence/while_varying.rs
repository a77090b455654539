// Lanes walk lists of different lengths and vote inside the loop.

use meerkat::prelude::*;

#[kernel]
fn chase(parent: &[u32], hops: &[Atomic<u32>]) {
    let mut v = thread_id();
    while parent[v] != v {
        v = parent[v];
        let walking = warp_ballot(true);
        hops[0].fetch_add(walking.count_ones());
    }
}

fn main() {}
