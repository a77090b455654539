// A range needs both ends.

use meerkat::prelude::*;

#[kernel]
fn scan(values: &[u32], out: &[Atomic<u32>]) {
    for i in 0.. {
        if values[i] == 0 {
            break;
        }
        out[0].fetch_add(values[i]);
    }
}

fn main() {}
