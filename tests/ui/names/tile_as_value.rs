// A tile in a variable.

use meerkat::prelude::*;

#[kernel]
fn f(out: &mut [bool]) {
    let mine = tile::<8>();
    out[thread_id()] = mine.any(lane_id() == 3);
}

fn main() {}
