// A vote in a walk that each lane makes by itself.

use meerkat::prelude::*;

#[kernel]
fn f(graph: &Graph, out: &mut [u32]) {
    let i = thread_id();
    let mut n = 0;
    for_each_neighbor(graph, i, true, |dst| {
        if warp_any(dst == 3) {
            n += 1;
        }
    });
    out[i] = n;
}

fn main() {}
