// A graph does not change while somebody has its edges.

#![forbid(unsafe_code)]

use meerkat::prelude::*;

#[vertex_operator]
fn count(v: Vertex, graph: &Graph, degrees: &mut [u32]) {
    degrees[v] = out_degree(graph, v);
}

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let mut graph = SlabGraph::<()>::from_edges(&device, 4, &[], &SlabOptions::DEFAULT)?;
    let mut degrees = DeviceBuffer::zeroed(&device, 4)?;
    let out = graph.out_edges()?;
    graph.compact()?;
    count::launch(&device, 0..4, out, &mut degrees)?;
    Ok(())
}
