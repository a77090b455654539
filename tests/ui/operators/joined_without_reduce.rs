// A struct with a function `join` of its own, which lanes would need to begin from nothing.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Best {
    cost: f32,
    vertex: u32,
}

#[device]
impl Best {
    fn join(self, other: Best) -> Best {
        if other.cost < self.cost { other } else { self }
    }
}

#[vertex_operator]
fn nearest(v: Vertex, graph: &Graph<f32>, out: &mut [Best]) {
    let mut best = Best { cost: 1.0, vertex: v };
    for_each_neighbor(graph, v, true, |dst, weight| {
        best = best.join(Best { cost: weight, vertex: dst });
    });
    out[v] = best;
}

fn main() {}
