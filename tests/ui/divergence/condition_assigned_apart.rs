// A flag that some lanes set decides over a collective.

use meerkat::prelude::*;

#[kernel]
fn relax(distance: &[u32], bound: u32, changed: &[Atomic<u32>]) {
    let i = thread_id();
    let mut improved = false;
    if distance[i] < bound {
        improved = true;
    }
    if improved {
        changed[0].fetch_or(warp_ballot(improved));
    }
}

fn main() {}
