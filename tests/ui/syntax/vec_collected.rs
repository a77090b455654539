// Memory on the heap.

use meerkat::prelude::*;

#[kernel]
fn f(x: &[u32], out: &mut [u32]) {
    let i = thread_id();
    let mut seen = Vec::new();
    seen.push(x[i]);
    let ids: Vec<u32> = vec![0; 8];
    out[i] = ids[0];
}

fn main() {}
