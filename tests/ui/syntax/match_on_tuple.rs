// A `match` on more than a number.

use meerkat::prelude::*;

#[kernel]
fn f(x: &[u32], out: &mut [u32]) {
    let i = thread_id();
    out[i] = match (x[i], i) {
        (0, _) => 1,
        _ => 2,
    };
    out[i] = match x[i] {
        [a, ..] => a,
        _ => 0,
    };
}

fn main() {}
