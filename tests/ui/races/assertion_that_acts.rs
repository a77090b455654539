// An assertion that claims what it tests: in the fast mode nobody looks.

use meerkat::prelude::*;

#[kernel]
fn claim(owners: &[Atomic<u32>]) {
    let i = thread_id();
    assert!(owners[i].fetch_add(1) == 0);
}

fn main() {}
