use meerkat::prelude::*;

#[vertex_operator]
fn sum<G: Neighbors<Carried = u32>>(v: Vertex, graph: &G, sums: &mut [u32]) {
    let mut sum = 0u32;
    for_each_neighbor(graph, v, true, |_dst, weight| sum += weight);
    sums[v] = sum;
}

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let graph = SlabGraph::<f32>::from_edges(&device, 3, &[], &SlabOptions::DEFAULT)?;
    let mut sums = DeviceBuffer::zeroed(&device, 3)?;
    sum::launch(&device, 0..3, &graph, &mut sums)
}
