// Atomics are 4 or 8 bytes.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Candidate {
    distance: u32,
    parent: u32,
    edge: u32,
}

#[vertex_operator]
fn offer(v: Vertex, best: &[Atomic<Candidate>], edge: u32) {
    best[0].fetch_min(Candidate { distance: 1, parent: v, edge });
}

fn main() {}
