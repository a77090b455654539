// Lanes break apart; the ballot below no longer has all of them.

use meerkat::prelude::*;

#[kernel]
fn probe(keys: &[u32], wanted: u32, found: &[Atomic<u32>]) {
    let mut at = lane_id();
    loop {
        if keys[at] == wanted {
            break;
        }
        at += 32;
        if warp_all(at >= keys.len()) {
            break;
        }
    }
    found[0].fetch_min(at);
}

fn main() {}
