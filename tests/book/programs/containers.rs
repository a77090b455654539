//! The snippets of docs/CONTAINERS.md, in programs that run.

use meerkat::algos::sssp;
use meerkat::algos::wcc::Components;
use meerkat::prelude::*;
use meerkat::runtime::oriented::OrientedGraph;

fn edges_of(pairs: &[(u32, u32)]) -> Vec<Edge> {
    pairs.iter().map(|&(src, dst)| Edge { src, dst, weight: () }).collect()
}

#[test]
fn a_slab_graph_is_built_changed_and_asked() -> Result<(), Error> {
    let device = Device::auto();
    // ANCHOR: slab_graph
    let edges = edges_of(&[(0, 1), (0, 2), (2, 0)]);
    let options = SlabOptions::DEFAULT.oriented(Orientation::Both);
    let mut graph = SlabGraph::from_edges(&device, 3, &edges, &options)?;
    graph.delete(&edges[..1])?;
    assert_eq!(graph.neighbors(0)?, [(2, ())]);
    assert_eq!(graph.out_degrees()?, [1, 0, 1]);
    assert_eq!(graph.in_degrees()?, [1, 0, 1]);
    // ANCHOR_END: slab_graph
    Ok(())
}

#[test]
fn statistics_say_how_full_a_graph_is() -> Result<(), Error> {
    let device = Device::auto();
    let edges = edges_of(&[(0, 1), (0, 2), (2, 0)]);
    let graph = SlabGraph::from_edges(&device, 3, &edges, &SlabOptions::DEFAULT)?;
    // ANCHOR: statistics
    let statistics = graph.out_edges()?.statistics()?;
    assert_eq!((statistics.slabs, statistics.places), (3, 93));
    assert_eq!((statistics.edges, statistics.tombstones), (3, 0));
    // ANCHOR_END: statistics
    Ok(())
}

/// The example, as it runs by itself.
#[path = "../../../examples/own_container.rs"]
mod own_container;

#[test]
fn one_operator_runs_over_a_grid_of_its_own_over_slabs_and_over_rows() -> Result<(), Error> {
    own_container::main()
}

#[test]
fn compact_slabs_take_batches_and_are_tracked() -> Result<(), Error> {
    let device = Device::auto();
    // ANCHOR: compact_graph
    let edges = edges_of(&[(0, 1), (0, 2), (2, 0)]);
    let options = SlabOptions::DEFAULT.oriented(Orientation::Both);
    let mut graph = CompactGraph::from_edges(&device, 3, &edges, &options)?;
    let change = graph.apply(&Batch::new().delete(&edges[..1]).insert(&edges[1..]))?;
    assert_eq!(change.deleted().to_vec()?, edges[..1]);
    assert!(change.inserted().is_empty());
    let components = graph.track(Components)?;
    assert_eq!(components.output()?, [0, 1, 0]);
    // ANCHOR_END: compact_graph
    Ok(())
}

#[test]
fn block_arrays_take_batches() -> Result<(), Error> {
    let device = Device::auto();
    // ANCHOR: block_graph
    let edges = edges_of(&[(0, 1), (0, 2), (2, 0)]);
    let mut graph = BlockGraph::from_edges(&device, 3, &edges, &SlabOptions::DEFAULT)?;
    graph.apply(&Batch::new().delete(&edges[..1]).insert(edges_of(&[(1, 2), (1, 0)])))?;
    assert_eq!(graph.neighbors(1)?, [(0, ()), (2, ())]);
    // Lists of up to 4 keys are in the least block: 3 of them are.
    assert_eq!(graph.out_edges()?.statistics()?.places, 12);
    // ANCHOR_END: block_graph
    // ANCHOR: block_memory
    let memory = graph.out_edges()?.memory()?;
    assert_eq!((memory.keys, memory.places_in_lists), (4, 12));
    // The build took two blocks of 4. For the third list there was none, so an array was added.
    assert_eq!(memory.places_in_arrays, 2 * 4 + 4096);
    // ANCHOR_END: block_memory
    Ok(())
}

#[test]
fn rows_take_the_operators_of_the_slab_graph() -> Result<(), Error> {
    let device = Device::auto();
    // ANCHOR: row_graph
    /// The sum of the neighbours of `v`.
    #[vertex_operator]
    fn sum<G: Neighbors>(v: Vertex, graph: &G, sums: &mut [u32]) {
        let mut sum = 0u32;
        for_each_neighbor(graph, v, true, |dst| sum += dst);
        sums[v] = sum;
    }

    let edges = edges_of(&[(0, 1), (0, 2), (2, 0)]);
    let slabs = SlabGraph::from_edges(&device, 3, &edges, &SlabOptions::DEFAULT)?;
    let rows = RowGraph::of(&slabs)?;
    let mut sums = DeviceBuffer::zeroed(&device, 3)?;
    sum::launch(&device, 0..3, &slabs, &mut sums)?;
    assert_eq!(sums.to_vec()?, [3, 0, 0]);
    sum::launch(&device, 0..3, &rows, &mut sums)?;
    assert_eq!(sums.to_vec()?, [3, 0, 0]);
    // ANCHOR_END: row_graph
    Ok(())
}

#[test]
fn rows_can_be_borrowed() -> Result<(), Error> {
    let device = Device::auto();
    // ANCHOR: borrowed_rows
    let offsets = DeviceBuffer::from_slice(&device, &[0, 2, 2, 3])?;
    let neighbors = DeviceBuffer::from_slice(&device, &[1, 2, 0])?;
    let weights = DeviceBuffer::<u32>::from_slice(&device, &[5, 9, 1])?;
    let rows = BorrowedRows::new(&offsets, &neighbors, &weights)?;
    assert_eq!(sssp::distances(&rows, 2)?, [1, 6, 0]);
    // ANCHOR_END: borrowed_rows
    Ok(())
}

#[test]
fn rows_are_a_copy_and_do_not_follow_the_graph() -> Result<(), Error> {
    let device = Device::auto();
    // ANCHOR: rows
    let triangle = edges_of(&[(0, 1), (1, 2), (2, 0)]);
    let mut graph = SlabGraph::from_edges(&device, 3, &triangle, &SlabOptions::DEFAULT)?;
    let rows = OrientedGraph::of(&graph)?;
    graph.delete(&triangle[..1])?;
    // The copy has the three edges of before, each once, in no order.
    assert_eq!(rows.edges()?.len(), 3);
    assert_eq!(graph.edge_count()?, 2);
    // ANCHOR_END: rows
    Ok(())
}

#[test]
fn snapshots_give_the_graph_back() -> Result<(), Box<dyn std::error::Error>> {
    let device = Device::auto();
    let edges = edges_of(&[(0, 1), (1, 2)]);
    let graph = SlabGraph::from_edges(&device, 3, &edges, &SlabOptions::DEFAULT)?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("graph.meerkat");
    // ANCHOR: snapshot
    graph.save(&path)?;
    let restored: SlabGraph = SlabGraph::load(&device, &path)?;
    assert_eq!(restored.edge_count()?, graph.edge_count()?);
    // ANCHOR_END: snapshot
    Ok(())
}
