// All lanes enter the loop together, and leave it apart.

use meerkat::prelude::*;

#[kernel]
fn descend(limits: &[u32], out: &[Atomic<u32>]) {
    let mut searching = true;
    while searching {
        let ballot = warp_ballot(true);
        out[0].fetch_add(ballot);
        searching = limits[thread_id()] > ballot;
    }
}

fn main() {}
