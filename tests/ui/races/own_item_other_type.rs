// `thread_id()` again, but cut to 16 bits: not its own any more.

use meerkat::prelude::*;

#[kernel]
fn clear(values: &mut [u32]) {
    let i = thread_id() as u16;
    values[i as u32] = 0;
}

fn main() {}
