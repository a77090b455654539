// A launch of an operator whose parameters are refused, which gets no error.

use meerkat::prelude::*;

#[vertex_operator]
fn f(graph: &Graph, v: Vertex, out: &mut [u32]) {
    out[v] = 1;
}

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let graph = SlabGraph::<()>::from_edges(&device, 3, &[], &SlabOptions::DEFAULT)?;
    let mut out: DeviceBuffer<u32> = DeviceBuffer::zeroed(&device, 3)?;
    f::launch(&device, 0..3, &graph, &mut out)
}
