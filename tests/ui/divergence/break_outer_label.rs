// The labelled `break` parts the lanes of the outer loop.

use meerkat::prelude::*;

#[kernel]
fn search(table: &[u32], rounds: u32, hits: &[Atomic<u32>]) {
    let key = thread_id();
    'rounds: for round in 0..rounds {
        for slot in 0..8u32 {
            if table[round * 8 + slot] == key {
                break 'rounds;
            }
        }
        hits[round].fetch_add(warp_ballot(true));
    }
}

fn main() {}
