//! The host code of the README.

use meerkat::prelude::*;

const UNREACHED: u32 = u32::MAX;

#[vertex_operator]
fn visit(v: Vertex, graph: &Graph, level: u32, levels: &[Atomic<u32>], next: &Frontier<Vertex>) {
    for_each_neighbor(graph, v, true, |dst| {
        let discovered =
            levels[dst].load() == UNREACHED && levels[dst].fetch_min(level) == UNREACHED;
        warp_enqueue_frontier(next, dst, discovered);
    });
}

#[test]
fn the_host_loop_of_the_readme_finds_three_levels() -> Result<(), Error> {
    let (vertices, source) = (4, 0);
    let edge = |src, dst| Edge { src, dst, weight: () };
    let edges = [edge(0, 1), edge(1, 2), edge(2, 3)];
    // ANCHOR: loop
    let device = Device::auto(); // CUDA where there is one, else the CPU
    let graph = SlabGraph::from_edges(&device, vertices, &edges, &SlabOptions::default())?;
    let mut levels = DeviceBuffer::filled(&device, vertices as usize, UNREACHED)?;
    levels.write(source as usize, &[0])?;
    let mut frontiers = Frontiers::new(&device, vertices, &[source])?;
    frontiers.repeat(
        |_, _| true,
        |round, current, next| visit::launch(&device, current, &graph, round + 1, &levels, next),
    )?;
    // ANCHOR_END: loop
    assert_eq!(levels.to_vec()?, [0, 1, 2, 3]);
    Ok(())
}

#[test]
fn the_tracked_graph_of_the_readme_answers_after_a_batch() -> Result<(), Error> {
    let device = Device::auto();
    let edge = |src, dst, weight| Edge { src, dst, weight };
    let (vertices, edges) = (3, [edge(0, 1, 4u32), edge(1, 2, 4)]);
    let (gone, new) = ([edge(0, 1, 4)], [edge(0, 2, 3), edge(2, 1, 2)]);
    // ANCHOR: track
    use meerkat::algos::sssp::Sssp;

    let graph = SlabGraph::from_edges(&device, vertices, &edges, &SlabOptions::default())?;
    let mut sssp = graph.track(Sssp::from_source(0))?;
    sssp.apply(&Batch::new().delete(gone).insert(new))?;
    let distances = sssp.output()?.distances;
    // ANCHOR_END: track
    assert_eq!(distances, [0, 5, 3]);
    Ok(())
}
