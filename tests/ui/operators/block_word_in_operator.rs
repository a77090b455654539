// A block has as many items as the schedule and the back end make it.

use meerkat::prelude::*;

#[vertex_operator]
fn count_blocks(v: Vertex, wanted: &[u32], found: &[Atomic<u32>]) {
    let some = block_any(wanted[v] == 1);
    if some && block_thread_id() == 0 {
        found[block_id()].store(1);
    }
}

fn main() {}
