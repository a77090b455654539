// A kernel is launched, not called.

use meerkat::prelude::*;

#[kernel]
fn reset(levels: &[Atomic<u32>]) {
    levels[thread_id()].store(0);
}

#[kernel]
fn reset_all(levels: &[Atomic<u32>]) {
    reset(levels);
}

fn main() {}
