// A word of the language as a loop variable and as a binding of an arm.

use meerkat::prelude::*;

#[kernel]
fn f(x: &[u32], out: &mut [u32]) {
    let i = thread_id();
    for thread_id in 0..3 {
        out[i] = thread_id;
    }
    out[i] = match x[i] {
        lane_id @ 1..=3 => lane_id,
        _ => 0,
    };
}

fn main() {}
