// A range is no iterator here.

use meerkat::prelude::*;

#[kernel]
fn backwards(values: &[u32], out: &[Atomic<u32>]) {
    for i in (0..values.len()).rev() {
        out[i].store(values[i]);
    }
}

fn main() {}
