// `&&` skips its right side where the left is false.

use meerkat::prelude::*;

#[kernel]
fn settle(levels: &[Atomic<u32>], done: &[Atomic<u32>]) {
    let i = thread_id();
    let settled = levels[i].load() == 3;
    if settled && warp_all(settled) {
        done[global_warp_id()].store(1);
    }
}

fn main() {}
