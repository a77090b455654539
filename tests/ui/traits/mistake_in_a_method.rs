// A mistake in a function of a type is reported once, and not again where it is called.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Bins {
    of: [u32; 4],
}

#[device]
impl Reduce for Bins {
    const IDENTITY: Bins = Bins { of: [0; 4] };
    fn join(self, other: Bins) -> Bins {
        let mut of = self.of;
        for i in 0..4 {
            of[i] += other.of[i];
        }
        Bins { of }
    }
}

#[device]
impl Bins {
    fn one(which: u32) -> Bins {
        let mut of = [0; 4];
        of[which % 4] = 1.5;
        Bins { of }
    }
}

#[vertex_operator]
fn count(v: Vertex, graph: &Graph, out: &mut [Bins]) {
    let mut bins = Bins::one(v);
    for_each_neighbor(graph, v, true, |dst| {
        bins = bins.join(Bins::one(dst));
    });
    out[v] = bins;
}

fn main() {}
