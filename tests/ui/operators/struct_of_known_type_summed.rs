// A struct is joined, not summed.

use meerkat::prelude::*;

#[repr(C)]
#[derive(Clone, Copy, DeviceStruct)]
struct Count {
    ways: u32,
}

#[vertex_operator]
fn count(v: Vertex, graph: &Graph, found: &[Atomic<u32>]) {
    let mut all: Count = Count { ways: 0 };
    for_each_neighbor(graph, v, true, |dst| {
        all += Count { ways: dst };
    });
    found[v].store(all.ways);
}

fn main() {}
