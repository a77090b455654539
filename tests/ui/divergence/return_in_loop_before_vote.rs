// Some lanes leave a helper; the warp votes later in the same loop.

use meerkat::prelude::*;

#[device]
fn first_free(marks: &[Atomic<u32>], rounds: Uniform<u32>) -> u32 {
    for round in 0..rounds {
        let free = warp_ballot(marks[round].load() == 0);
        if free & lanes_below() == 0 {
            return round;
        }
    }
    rounds
}

fn main() {}
