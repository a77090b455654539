// Options of methods that may fail.

use meerkat::prelude::*;

#[kernel]
fn f(x: &[u32], out: &mut [u32]) {
    let i = thread_id();
    out[i] = x[i].checked_add(1).unwrap_or(0);
    out[i] = x.get(i).copied().unwrap_or(0);
    out[i] = x.first().unwrap();
}

fn main() {}
