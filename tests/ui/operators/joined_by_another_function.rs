// A struct with two functions called `join`: lanes begin with the identity of one of them.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Count {
    ways: u32,
}

#[device]
impl Count {
    fn join(self, other: Count) -> Count {
        Count { ways: self.ways * other.ways }
    }
}

#[device]
impl Reduce for Count {
    const IDENTITY: Count = Count { ways: 0 };
    fn join(self, other: Count) -> Count {
        Count { ways: self.ways + other.ways }
    }
}

#[vertex_operator]
fn count(v: Vertex, graph: &Graph, out: &mut [Count]) {
    let mut all = Count { ways: 1 };
    for_each_neighbor(graph, v, true, |dst| {
        all = all.join(Count { ways: dst });
    });
    out[v] = all;
}

fn main() {}
