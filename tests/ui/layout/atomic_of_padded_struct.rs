// An atomic is compared byte by byte, and padding has no value.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Candidate {
    distance: u32,
    hops: u16,
}

#[vertex_operator]
fn offer(v: Vertex, best: &[Atomic<Candidate>]) {
    best[v].store(Candidate { distance: 1, hops: 2u16 });
}

fn main() {}
