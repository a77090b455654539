// The pair of frontiers, where the next one is meant.

use meerkat::prelude::*;

#[vertex_operator]
fn visit(v: Vertex, graph: &Graph, levels: &[Atomic<u32>], next: &Frontier<Vertex>) {
    for_each_neighbor(graph, v, true, |dst| {
        warp_enqueue_frontier(next, dst, levels[dst].swap(1) == 0);
    });
}

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let graph = SlabGraph::<()>::from_edges(&device, 4, &[], &SlabOptions::default())?;
    let levels = DeviceBuffer::<Atomic<u32>>::zeroed(&device, 4)?;
    let frontiers = Frontiers::<Vertex>::new(&device, 4, &[0])?;
    visit::launch(&device, frontiers.current(), &graph, &levels, &frontiers)?;
    Ok(())
}
