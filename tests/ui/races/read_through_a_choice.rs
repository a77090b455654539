// A slice that is chosen, put into a tuple or into an array can be read anywhere.

use meerkat::prelude::*;

#[kernel]
fn mix(n: u32, a: &mut [u32], b: &mut [u32], order: &[u32]) {
    let i = thread_id();
    let chosen = (if n > 3 { a } else { b })[n];
    let t = (a, order);
    let listed = [order, b][1][n];
    let mut own = [0u32; 4];
    own[a[n] & 3] = 1;
    a[i] = chosen + t.0[n] + listed + own[0] + a.len();
}

fn main() {}
