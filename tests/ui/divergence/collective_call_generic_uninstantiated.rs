// A library's generic kernel that nobody has launched yet.

use meerkat::prelude::*;

#[device]
fn agree(value: u32) -> Uniform<bool> {
    warp_all(value == 0)
}

#[kernel]
pub fn stop<W: Weight>(_graph: &Graph<W>, values: &[u32], out: &[Atomic<u32>]) {
    let i = thread_id();
    if values[i] > 3 {
        let calm: Uniform<bool> = agree(values[i]);
        if calm {
            out[0].store(1);
        }
    }
}

fn main() {}
