// A `return` inside a loop parts the lanes for what follows the loop.

use meerkat::prelude::*;

#[device]
fn first_match(keys: &[u32], key: u32, rounds: Uniform<u32>) -> u32 {
    for round in 0..rounds {
        if keys[round] == key {
            return round;
        }
    }
    warp_reduce_min(key)
}

fn main() {}
