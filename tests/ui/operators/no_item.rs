// An operator without its item.

use meerkat::prelude::*;

#[vertex_operator]
fn reset(levels: &mut [u32]) {
    let i = thread_id();
    levels[i] = 0;
}

fn main() {}
