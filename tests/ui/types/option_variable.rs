// No sentinel needed on the host; on the device it is one.

use meerkat::prelude::*;

#[device]
fn parent_of(parents: &[u32], v: u32) -> Option<u32> {
    parents[v]
}

fn main() {}
