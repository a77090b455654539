// A struct is no sum.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Best {
    weight: u32,
    vertex: u32,
}

#[device]
impl Best {
    fn none() -> Best {
        Best { weight: 0, vertex: u32::MAX }
    }
}

#[vertex_operator]
fn heaviest(v: Vertex, graph: &Graph<u32>, out: &mut [u32]) {
    let mut best = Best::none();
    for_each_neighbor(graph, v, true, |dst, weight| {
        best = best.max(Best { weight, vertex: dst });
    });
    out[v] = best.vertex;
}

fn main() {}
