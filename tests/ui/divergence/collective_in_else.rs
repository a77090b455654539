// The other branch diverges just the same.

use meerkat::prelude::*;

#[kernel]
fn classify(degree: &[u32], small: &[Atomic<u32>], large: &[Atomic<u32>]) {
    let d = degree[thread_id()];
    if d < 32 {
        small[0].fetch_add(1);
    } else {
        let most = warp_reduce_max(d);
        large[0].fetch_max(most);
    }
}

fn main() {}
