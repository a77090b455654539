// Not every value has an arm.

use meerkat::prelude::*;

#[kernel]
fn advance(state: &mut [u32]) {
    let i = thread_id();
    let next: u32 = match state[i] {
        0 => 1,
        1 => 2,
    };
    state[i] = next;
}

fn main() {}
