//! The snippets of docs/STREAMS.md, in programs that run.

use meerkat::algos::sssp::Sssp;
use meerkat::algos::wcc::{self, Components};
use meerkat::prelude::*;
use meerkat::runtime::dynamic::{Answers, Epochs, Watch};
use meerkat::runtime::graph::Compaction;
use meerkat::runtime::properties::{EdgeValues, PropertyGraph};
use meerkat::runtime::saved::Checkpoints;
use meerkat::runtime::window::Window;
use meerkat::runtime::{ErrorKind, PinnedBatch, Update};

fn edge(src: u32, dst: u32, weight: u32) -> Edge<u32> {
    Edge { src, dst, weight }
}

fn ring(device: &Device, vertices: u32) -> Result<SlabGraph<u32>, Error> {
    let edges: Vec<_> = (0..vertices).map(|v| edge(v, (v + 1) % vertices, 1)).collect();
    let options = SlabOptions::DEFAULT.oriented(Orientation::Both);
    SlabGraph::from_edges(device, vertices, &edges, &options)
}

#[test]
fn a_batch_reports_what_it_changed() -> Result<(), Error> {
    let (device, vertices) = (Device::auto(), 5);
    let edges = [edge(0, 1, 4), edge(1, 2, 4)];
    // ANCHOR: apply
    let options = SlabOptions::DEFAULT.oriented(Orientation::Both);
    let graph = SlabGraph::from_edges(&device, vertices, &edges, &options)?;
    let mut sssp = graph.track(Sssp::from_source(0))?;

    let change = sssp.apply(&Batch::new().delete([edge(0, 1, 0)]).insert([edge(0, 2, 3)]))?;
    assert_eq!((change.deleted().len(), change.inserted().len()), (1, 1));
    assert_eq!(sssp.output()?.distances, [0, u32::MAX, 3, u32::MAX, u32::MAX]);
    // ANCHOR_END: apply

    // ANCHOR: order
    let mut batch = Batch::new();
    batch.push(Update::Insert(edge(2, 4, 9)));
    batch.push(Update::Delete(edge(2, 4, 0)));
    batch.push(Update::Insert(edge(2, 4, 1)));
    let change = sssp.apply(&batch)?;
    assert_eq!((change.deleted().len(), change.inserted().len()), (0, 1));
    assert_eq!(sssp.output()?.distances[4], 4);
    // ANCHOR_END: order
    Ok(())
}

#[test]
fn a_refused_batch_changes_nothing() -> Result<(), Error> {
    let mut sssp = ring(&Device::auto(), 4)?.track(Sssp::from_source(0))?;
    // ANCHOR: refused
    let batch = Batch::new().insert([edge(0, 2, 1), edge(3, 99, 1)]);
    let error = sssp.apply(&batch).expect_err("there is no vertex 99");
    assert!(matches!(error.kind(), ErrorKind::VertexOutOfRange { index: 1, dst: 99, .. }));
    assert_eq!(sssp.output()?.distances, [0, 1, 2, 3]);
    // ANCHOR_END: refused
    Ok(())
}

#[test]
fn a_batch_without_memory_is_rolled_back() -> Result<(), Error> {
    let device = Device::auto();
    // ANCHOR: limit
    let options = SlabOptions { max_slabs: 100, ..SlabOptions::DEFAULT };
    let graph = SlabGraph::<u32>::from_edges(&device, 100, &[edge(0, 1, 1)], &options)?;
    let mut tracked = graph.track(Sssp::from_source(0))?;

    // Vertex 0 has one slab, with places for 15 neighbours and their weights.
    let many: Vec<_> = (1..100).map(|dst| edge(0, dst, 1)).collect();
    let error = tracked.apply(&Batch::new().insert(&many)).expect_err("no slab is left");
    assert!(matches!(error.kind(), ErrorKind::SlabLimit { .. }));
    assert_eq!(tracked.graph().edge_count()?, 1);

    // Graph and answer are as they were.
    assert_eq!(tracked.output()?.distances[1], 1);
    // ANCHOR_END: limit
    Ok(())
}

#[test]
fn two_algorithms_follow_one_graph() -> Result<(), Error> {
    let graph = ring(&Device::auto(), 4)?;
    // ANCHOR: tuple
    let mut both = graph.track((Sssp::from_source(0), Components))?;
    both.apply(&Batch::new().delete([edge(1, 2, 0)]))?;
    let (paths, components) = both.output()?;
    // ANCHOR_END: tuple
    assert_eq!(paths.distances, [0, 1, u32::MAX, u32::MAX]);
    assert_eq!(components, [0; 4]);
    Ok(())
}

// ANCHOR: updates
/// Counts the neighbours of each vertex that the last batch brought.
#[vertex_operator]
fn count_new<G: UpdatedNeighbors>(v: Vertex, graph: &G, new: &mut [u32]) {
    let mut own = 0u32;
    for_each_updated_neighbor(graph, v, true, |_| own += 1);
    new[v] = own;
}
// ANCHOR_END: updates

#[test]
fn the_updates_of_a_batch_are_visited_alone() -> Result<(), Error> {
    let device = Device::auto();
    let edges = [edge(0, 1, 1)];
    // ANCHOR: tracking
    let options = SlabOptions { track_updates: true, ..SlabOptions::DEFAULT };
    let mut graph = SlabGraph::from_edges(&device, 4, &edges, &options)?;
    graph.update_slab_pointers()?; // what is inserted from here on is new
    graph.insert(&[edge(0, 2, 1), edge(0, 3, 1), edge(3, 0, 1)])?;
    let mut new = DeviceBuffer::zeroed(&device, 4)?;
    count_new::launch(&device, 0..4, &graph, &mut new)?;
    assert_eq!(new.to_vec()?, [2, 0, 0, 1]);
    // ANCHOR_END: tracking
    Ok(())
}

#[test]
fn compaction_removes_tombstones() -> Result<(), Error> {
    let device = Device::auto();
    // ANCHOR: compaction
    let options = SlabOptions { compaction: Compaction::OnDemand, ..SlabOptions::DEFAULT };
    let star: Vec<_> = (1..200).map(|dst| edge(0, dst, 1)).collect();
    let mut graph = SlabGraph::from_edges(&device, 200, &star, &options)?;
    graph.delete(&star[10..])?;
    assert_eq!(graph.out_edges()?.statistics()?.tombstones, 189);
    graph.compact()?;
    let after = graph.out_edges()?.statistics()?;
    assert_eq!((after.edges, after.tombstones), (10, 0));
    // ANCHOR_END: compaction
    Ok(())
}

#[test]
fn pinned_batches_are_applied_one_while_the_next_is_copied() -> Result<(), Error> {
    let device = Device::auto();
    let mut graph = SlabGraph::<u32>::from_edges(&device, 50, &[], &SlabOptions::DEFAULT)?;
    let lists: Vec<Vec<_>> =
        (0..5).map(|src| (0..50).map(|dst| edge(src, dst, 1)).collect()).collect();
    // ANCHOR: pinned
    // Two batches in pinned memory, filled and uploaded in turn.
    let mut batches = [PinnedBatch::new(&device, 50)?, PinnedBatch::new(&device, 50)?];
    let mut arriving = None;
    for (number, edges) in lists.iter().enumerate() {
        let batch = &mut batches[number % 2];
        batch.clear();
        batch.insert(edges)?;
        // The batch before is applied while this one is copied.
        if let Some(arrived) = arriving.replace(batch.upload()?) {
            graph.apply(&arrived)?;
        }
    }
    if let Some(arrived) = arriving {
        graph.apply(&arrived)?;
    }
    assert_eq!(graph.edge_count()?, 250);
    // ANCHOR_END: pinned
    Ok(())
}

#[test]
fn vertices_come_and_go() -> Result<(), Error> {
    let graph = ring(&Device::auto(), 4)?;
    // ANCHOR: vertices
    let mut sssp = graph.track(Sssp::from_source(0))?;
    assert_eq!(sssp.insert_vertices(1)?, [4]);
    sssp.apply(&Batch::new().insert([edge(2, 4, 5)]))?;
    assert_eq!(sssp.output()?.distances, [0, 1, 2, 3, 7]);

    let lost = sssp.delete_vertices(&[1])?;
    assert_eq!(lost.deleted().len(), 2);
    assert_eq!(sssp.output()?.distances[2], u32::MAX);
    assert_eq!(sssp.insert_vertices(1)?, [1]); // the id is used again
    // ANCHOR_END: vertices
    Ok(())
}

#[test]
fn answers_stay_on_the_device() -> Result<(), Error> {
    let graph = ring(&Device::auto(), 6)?;
    // ANCHOR: answers
    let mut tracked = graph.track(Components)?;
    let mut watch = Watch::from(&tracked.answers()?)?;

    tracked.apply(&Batch::new().delete([edge(1, 2, 0), edge(4, 5, 0)]))?;
    let answers = tracked.answers()?;
    assert_eq!(answers.look_up(&[5, 3])?, [0, 2]);
    let changed = watch.changes(&answers)?;
    let changed: Vec<_> = changed.iter().map(|changed| (changed.vertex, changed.answer)).collect();
    assert_eq!(changed, [(2, 2), (3, 2), (4, 2)]);
    // ANCHOR_END: answers

    let graph = ring(&Device::auto(), 6)?;
    // ANCHOR: answers_of_one
    let both = graph.track((Sssp::from_source(0), Components))?;
    let state = both.state()?.1.get()?;
    let components = Answers::of(both.graph(), &both.algorithm().1, state);
    assert_eq!(components.look_up(&[5])?, [0]);
    // ANCHOR_END: answers_of_one
    Ok(())
}

#[test]
fn epochs_are_read_while_batches_are_applied() -> Result<(), Error> {
    let mut tracked = ring(&Device::auto(), 6)?.track(Components)?;
    // ANCHOR: epochs
    let epochs = Epochs::new();
    let readers = epochs.clone(); // for other threads
    tracked.apply(&Batch::new().insert([edge(4, 5, 0)]))?;
    epochs.publish(tracked.epoch()?);
    tracked.apply(&Batch::new().delete([edge(4, 5, 0)]))?;
    if let Some(epoch) = readers.latest() {
        assert_eq!(epoch.answer().to_vec()?, wcc::labels(epoch.graph())?);
    }
    // ANCHOR_END: epochs
    Ok(())
}

#[test]
fn a_window_slides_over_a_tracked_graph() -> Result<(), Error> {
    let device = Device::auto();
    let options = SlabOptions::DEFAULT.oriented(Orientation::Both);
    let graph = SlabGraph::<u32>::from_edges(&device, 4, &[], &options)?;
    // ANCHOR: window
    let mut components = graph.track(Components)?;
    let mut window = Window::of(components.graph())?;
    for (second, src, dst) in [(0, 0, 1), (20, 1, 2), (40, 0, 1), (70, 2, 3)] {
        let arriving = DeviceBuffer::from_slice(&device, &[edge(src, dst, 1)])?;
        // Those of the last minute stay.
        window.slide(second, second - 60, arriving, |batch| components.apply(batch))?;
    }
    // 0 -> 1 came again, so it is still there.
    assert_eq!(components.output()?, [0, 0, 0, 0]);
    let none = DeviceBuffer::zeroed(&device, 0)?;
    window.slide(90, 30, none, |batch| components.apply(batch))?;
    assert_eq!(components.output()?, [0, 0, 2, 2]);
    // ANCHOR_END: window
    Ok(())
}

// ANCHOR: dearest
/// The dearest edge that leaves each vertex, and how often each edge was looked at.
#[vertex_operator]
fn dearest<G: Neighbors<Carried = u32>>(
    v: Vertex,
    graph: &G,
    cost: &[f32],
    looks: &[Atomic<u32>],
    most: &mut [f32],
) {
    let mut dearest = 0.0f32;
    for_each_neighbor(graph, v, true, |_, id| {
        dearest = dearest.max(cost[id]);
        looks[id].fetch_add(1);
    });
    most[v] = dearest;
}
// ANCHOR_END: dearest

#[test]
fn edges_have_properties_and_expire() -> Result<(), Error> {
    let device = Device::auto();
    let options = SlabOptions::DEFAULT.oriented(Orientation::Both);
    // ANCHOR: properties
    let mut graph = PropertyGraph::<SlabGraph<u32>>::new(&device, 4, &options)?;
    let cost = graph.add_edge_column::<f32>("cost", 1.0)?;
    let time = graph.add_edge_column::<i64>("time", 0)?;
    let looks = graph.add_edge_column::<Atomic<u32>>("looks", 0)?;

    let edge = |src, dst| Edge { src, dst, weight: () };
    let values = EdgeValues::none().with(&device, cost, &[2.5, 4.0, 0.5])?;
    let values = values.with(&device, time, &[10, 20, 30])?;
    graph.apply(&Batch::new().insert([edge(0, 1), edge(0, 2), edge(2, 3)]), &values)?;
    // Another cost for an edge that is there; its time stays.
    let values = EdgeValues::none().with(&device, cost, &[9.0])?;
    graph.apply(&Batch::new().insert([edge(2, 3)]), &values)?;

    let (edges, mut most) = (graph.graph(), DeviceBuffer::zeroed(&device, 4)?);
    let (costs, counts) = (graph.edge_values(cost)?, graph.edge_values(looks)?);
    dearest::launch(&device, 0..4, edges, costs, counts, &mut most)?;
    assert_eq!(most.to_vec()?, [4.0, 0.0, 9.0, 0.0]);
    // ANCHOR_END: properties
    // ANCHOR: expire
    let mut graph = graph.track(Components)?;
    let expired = graph.expire(time, 20)?;
    assert_eq!(expired.deleted().len(), 1);
    assert_eq!(graph.tracked().output()?, [0, 1, 0, 0]);
    // ANCHOR_END: expire
    Ok(())
}

#[test]
fn a_stream_goes_on_from_its_last_checkpoint() -> Result<(), Error> {
    let device = Device::auto();
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let batches: Vec<_> = (0..9).map(|v| Batch::new().insert([edge(v, v + 1, 1)])).collect();
    let start = || {
        let options = SlabOptions::DEFAULT.oriented(Orientation::Both);
        SlabGraph::from_edges(&device, 10, &[], &options)?.track(Sssp::from_source(0))
    };
    // What was left by a process that was killed after four batches.
    let mut killed = start()?;
    batches[..4].iter().try_for_each(|batch| killed.apply(batch).map(drop))?;
    Checkpoints::in_folder(folder, 3)?.save(|path| killed.save_checkpoint(path, 4))?;
    // ANCHOR: checkpoints
    // The last three are kept.
    let checkpoints = Checkpoints::in_folder(folder, 3)?;
    let latest =
        checkpoints.latest(|path| Tracked::load_checkpoint(&device, Sssp::from_source(0), path))?;
    // Damaged files would be named here.
    assert!(latest.skipped.is_empty(), "{:?}", latest.skipped);
    let (mut sssp, position) = match latest.loaded {
        Some(loaded) => loaded,
        None => (start()?, 0),
    };
    for (batch, position) in batches.iter().zip(1u64..).skip(position as usize) {
        sssp.apply(batch)?;
        if position % 2 == 0 {
            checkpoints.save(|path| sssp.save_checkpoint(path, position))?;
        }
    }
    assert_eq!(sssp.output()?.distances[9], 9);
    // ANCHOR_END: checkpoints
    assert_eq!(position, 4);
    Ok(())
}
