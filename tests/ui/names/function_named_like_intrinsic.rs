// A function that the language has already.

use meerkat::prelude::*;

#[device]
fn warp_any(predicate: bool) -> bool {
    warp_ballot(predicate) != 0
}

fn main() {}
