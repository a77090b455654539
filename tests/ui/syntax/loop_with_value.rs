// A loop as a value.

use meerkat::prelude::*;

#[kernel]
fn f(x: &[u32], out: &mut [u32]) {
    let i = thread_id();
    let mut k = 0u32;
    let found = loop {
        k += 1;
        if x[k] == i {
            break k;
        }
    };
    let other = 'a: {
        break 'a 3;
    };
    out[i] = found + other;
}

fn main() {}
