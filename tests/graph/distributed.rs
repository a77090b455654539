//! Distributed graphs beside a graph of one device and an ordered map: random sequences of batches
//! over 1 to 8 ranks, batches that are refused, ranks that die.

use std::rc::Rc;
use std::time::{Duration, Instant};

use meerkat::prelude::*;
use meerkat::runtime::communicator::{
    Communicator, HostCommunicator, Plan, Reduction, communicator_on, exchange_items, first_cause,
    run_ranks,
};
use meerkat::runtime::distributed::{Delivery, DistributedGraph, OwnerGather, Ownership};
use meerkat::runtime::graph::Adjacency;
use meerkat::runtime::oracle::generate::{Rng, sequence};
use meerkat::runtime::oracle::{Kind, Model, Sequence};
use meerkat::runtime::{BlockEdges, CompactEdges, ErrorKind, MemoryFaults, Update};

use super::support::ranks::{LONG, part, part_of, sequences, two_gpus};

/// How many sequences each kind and container gets.
pub(super) const SEQUENCES: &str = "MEERKAT_MODEL_SEQUENCES";

/// A sequence, and how it is replayed.
pub(super) struct Task<W: Weight> {
    sequence: Sequence<W>,
    ownership: Ownership,
    options: SlabOptions,
}

fn keys<W: Weight>(edges: &[Edge<W>]) -> Vec<(u32, u32, u32)> {
    edges.iter().map(|edge| (edge.src, edge.dst, edge.weight.to_bits())).collect()
}

/// Replays sequences over ranks, one on each device, one sequence after another.
fn replay<L: EdgeLists>(tasks: &[Task<L::Carried>], devices: &[Device]) -> Result<(), Error> {
    let replayed = run_ranks(devices.len(), LONG, |threads| {
        let device = &devices[threads.rank()];
        let communicator = communicator_on(threads, device)?;
        tasks.iter().try_for_each(|task| replay_as_rank::<L>(task, &communicator, device))
    });
    first_cause(replayed).map(drop)
}

/// Replays a sequence, and compares with the model and with one device after each batch.
pub(super) fn replay_as_rank<L: EdgeLists>(
    task: &Task<L::Carried>,
    communicator: &Rc<dyn Communicator>,
    device: &Device,
) -> Result<(), Error> {
    let Task { sequence, ownership, options } = task;
    let (rank, ranks, n) = (communicator.rank(), communicator.size(), sequence.vertices);
    let start = part(&sequence.start, rank, ranks);
    let mut graph = DistributedGraph::<L>::from_edges(
        Rc::clone(communicator),
        device,
        n,
        &start,
        options,
        *ownership,
    )?;
    let mut alone = DynamicGraph::<L>::from_edges(device, n, &sequence.start, options)?;
    let mut model = Model::new(n, sequence.direction);
    model.apply(&Batch::new().insert(&sequence.start));
    compare(&graph, &alone, &model, rank)?;
    for batch in &sequence.batches {
        let change = graph.apply(&part_of(batch, rank, ranks))?;
        let expected = alone.apply(batch)?;
        model.apply(batch);
        compare(&graph, &alone, &model, rank)?;
        let side = change.out.as_ref().or(change.into.as_ref()).expect("an orientation");
        let mut changed = [side.deleted().len() as u64, side.inserted().len() as u64];
        communicator.all_reduce(&mut changed, Reduction::Sum)?;
        let of_one = [expected.deleted().len() as u64, expected.inserted().len() as u64];
        assert_eq!(changed, of_one, "what changed");
    }
    Ok(())
}

fn compare<L: EdgeLists>(
    graph: &DistributedGraph<L>,
    alone: &DynamicGraph<L>,
    model: &Model<L::Carried>,
    rank: usize,
) -> Result<(), Error> {
    let edges = graph.to_edges()?;
    assert_eq!(keys(&edges), keys(&model.edges()), "rank {rank}");
    assert_eq!(graph.edge_count()?, alone.edge_count()?);
    if alone.out_edges().is_ok() {
        assert_eq!(graph.out_degrees()?, alone.out_degrees()?);
    }
    if alone.in_edges().is_ok() {
        assert_eq!(graph.in_degrees()?, alone.in_degrees()?);
    }
    let statistics = graph.rank_statistics()?;
    assert_eq!(statistics.vertices.iter().sum::<u64>(), u64::from(graph.vertex_count()));
    assert!(statistics.imbalance() >= 1.0);
    let partition = graph.partition();
    for edge in graph.own_edges()? {
        let with = if alone.out_edges().is_ok() { edge.src } else { edge.dst };
        assert_eq!(partition.owner(with), rank, "an arc lies with its owner");
    }
    Ok(())
}

fn replay_all<L: EdgeLists>(weight: impl Fn(&mut Rng) -> L::Carried + Copy) -> Result<(), Error> {
    let cpus = vec![Device::cpu(); 8];
    (0..sequences(SEQUENCES, 32))
        .try_for_each(|seed| replay::<L>(&tasks_of(seed, weight), &cpus[..1 + (seed % 8) as usize]))
}

/// Replays sequences on two GPUs. (To join by NCCL takes as long as many of them.)
fn replay_on<L: EdgeLists>(
    gpus: &[Device],
    count: u64,
    weight: impl Fn(&mut Rng) -> L::Carried + Copy,
) -> Result<(), Error> {
    let tasks: Vec<_> = (0..count).flat_map(|seed| tasks_of(seed, weight)).collect();
    replay::<L>(&tasks, gpus)
}

/// Sequences of all kinds; over all seeds graphs of all orientations and both ownerships.
pub(super) fn tasks_of<W: Weight>(
    seed: u64,
    weight: impl Fn(&mut Rng) -> W + Copy,
) -> Vec<Task<W>> {
    let both = SlabOptions::DEFAULT.oriented(Orientation::Both);
    let ways = [
        (Direction::Directed, both),
        (Direction::Directed, SlabOptions::DEFAULT),
        (Direction::Directed, SlabOptions::DEFAULT.oriented(Orientation::In)),
        (Direction::Undirected, SlabOptions::DEFAULT.undirected()),
    ];
    let ownership = [Ownership::Hash, Ownership::Range][(seed / 8 % 2) as usize];
    let (direction, options) = ways[(seed / 3 % 4) as usize];
    let task =
        |kind| Task { sequence: sequence(seed, kind, direction, weight), ownership, options };
    Kind::ALL.into_iter().map(task).collect()
}

#[test]
fn batches_over_1_to_8_ranks_of_slabs_are_those_of_one_device() -> Result<(), Error> {
    replay_all::<Adjacency>(|_| ())
}

#[test]
fn weighted_batches_over_1_to_8_ranks_of_slabs_are_those_of_one_device() -> Result<(), Error> {
    replay_all::<Adjacency<u32>>(|rng| rng.u32(0..5))
}

#[test]
fn batches_over_1_to_8_ranks_of_compact_slabs_are_those_of_one_device() -> Result<(), Error> {
    replay_all::<CompactEdges<f32>>(|rng| rng.f32())
}

#[test]
fn batches_over_1_to_8_ranks_of_block_arrays_are_those_of_one_device() -> Result<(), Error> {
    replay_all::<BlockEdges>(|_| ())
}

#[test]
fn batches_over_two_gpus_are_those_of_one_device() -> Result<(), Error> {
    let Some(gpus) = two_gpus() else { return Ok(()) };
    let count = sequences(SEQUENCES, 33);
    replay_on::<Adjacency>(&gpus, count, |_| ())?;
    replay_on::<CompactEdges<u32>>(&gpus, count, |rng| rng.u32(0..5))?;
    replay_on::<BlockEdges>(&gpus, count, |_| ())
}

#[test]
fn a_gpu_that_does_not_come_is_an_error_of_the_other_after_the_timeout() {
    let Some(gpus) = two_gpus() else { return };
    let timeout = Duration::from_secs(5);
    let results = run_ranks(2, timeout, |threads| {
        let (rank, device) = (threads.rank(), &gpus[threads.rank()]);
        let communicator = communicator_on(threads, device)?;
        let from = DeviceBuffer::<u32>::zeroed(device, 8)?;
        let mut into = DeviceBuffer::<u32>::zeroed(device, 16)?;
        let plan = Plan::gather_of(rank, vec![8, 8]);
        exchange_items(&*communicator, &plan, (&from, 0), &mut into)?;
        if rank == 1 {
            std::thread::sleep(2 * timeout);
        }
        let start = Instant::now();
        let error = exchange_items(&*communicator, &plan, (&from, 0), &mut into);
        assert!(error.is_err() && start.elapsed() < 2 * timeout);
        device.synchronize()
    });
    assert!(results.into_iter().all(|result| result.is_ok()));
}

fn edge(src: u32, dst: u32) -> Edge<u32> {
    Edge { src, dst, weight: src + dst }
}

const BOTH: SlabOptions = SlabOptions::DEFAULT.oriented(Orientation::Both);

/// A graph of 200 vertices with 600 edges, of which each rank brings a part.
fn some_graph(
    communicator: HostCommunicator,
    device: &Device,
    ranks: usize,
) -> Result<DistributedGraph<Adjacency<u32>>, Error> {
    let edges: Vec<_> = (0..600).map(|k| edge(k % 200, (7 * k + k / 200) % 200)).collect();
    let own = part(&edges, communicator.rank(), ranks);
    DistributedGraph::from_edges(Rc::new(communicator), device, 200, &own, &BOTH, Ownership::Hash)
}

#[test]
fn a_bad_edge_of_one_rank_is_refused_by_all_and_no_edge_changes() -> Result<(), Error> {
    for ranks in [2, 3, 4, 8] {
        let results = run_ranks(ranks, LONG, |communicator| {
            let rank = communicator.rank();
            let mut graph = some_graph(communicator, &Device::cpu(), ranks)?;
            let before = graph.to_edges()?;
            let mut batch = Batch::new().insert([edge(1, 2), edge(3, 199)]).delete(&before[..20]);
            if rank == 1 {
                batch.push(Update::Insert(edge(5, 200)));
            }
            let error = graph.apply(&batch).expect_err("there is no vertex 200");
            match error.kind() {
                ErrorKind::VertexOutOfRange { index: 22, dst: 200, .. } => assert_eq!(rank, 1),
                ErrorKind::RefusedByRank { rank: 1, reason } => {
                    assert!(rank != 1 && reason.contains("5 -> 200"), "{reason}");
                }
                other => panic!("{other}"),
            }
            assert_eq!(keys(&graph.to_edges()?), keys(&before));
            // All can go on.
            graph.apply(&Batch::new().delete([edge(0, 0)]))?;
            Ok(())
        });
        first_cause(results)?;
    }
    Ok(())
}

/// Memory runs out at one allocation after another of one rank.
#[test]
fn memory_that_runs_out_on_one_rank_leaves_all_ranks_as_they_were() -> Result<(), Error> {
    let ranks = 3;
    let mut refused = 0;
    for kind in [0, 1, 2] {
        for failing in 0..200u32 {
            let results = run_ranks(ranks, LONG, |communicator| {
                let (rank, faults) = (communicator.rank(), MemoryFaults::new());
                let device = Device::cpu().with_memory_faults(&faults);
                let mut graph = some_graph(communicator, &device, ranks)?;
                let before = keys(&graph.to_edges()?);
                let fresh: Vec<_> = (0..90).map(|k| edge(k, 3 * k % 200)).collect();
                let gone: Vec<_> = (0..60).map(|k| edge(k, 7 * k % 200)).collect();
                let own = |edges: &[Edge<u32>]| part(edges, rank, ranks);
                let batch = match kind {
                    0 => Batch::new().insert(own(&fresh)),
                    1 => Batch::new().delete(own(&gone)),
                    _ => Batch::new().delete(own(&gone)).insert(own(&fresh)),
                };
                if rank == 1 {
                    faults.fail_once(failing);
                }
                let applied = graph.apply(&batch);
                let has_failed = faults.heal();
                let is_refused = applied.is_err();
                match applied {
                    Ok(_) => {}
                    Err(error) if rank == 1 => assert!(error.is_out_of_memory(), "{error}"),
                    Err(error) => {
                        let kind = error.kind();
                        assert!(
                            matches!(kind, ErrorKind::RefusedByRank { rank: 1, .. }),
                            "{error}"
                        );
                    }
                }
                let mut votes = [u64::from(is_refused)];
                graph
                    .communicator()
                    .all_reduce(&mut votes, meerkat::runtime::communicator::Reduction::Sum)?;
                assert!(votes[0] == 0 || votes[0] == ranks as u64, "all or none");
                let after = keys(&graph.to_edges()?);
                if is_refused {
                    assert!(after == before, "allocation {failing}");
                    graph.apply(&batch)?;
                }
                let mut model = Model::<u32>::new(200, Direction::Directed);
                let start: Vec<_> =
                    before.iter().map(|&(src, dst, weight)| Edge { src, dst, weight }).collect();
                model.apply(&Batch::new().insert(&start));
                for of in 0..ranks {
                    if kind > 0 {
                        model.apply(&Batch::new().delete(part(&gone, of, ranks)));
                    }
                    if kind != 1 {
                        model.apply(&Batch::new().insert(part(&fresh, of, ranks)));
                    }
                }
                let expected = keys(&model.edges());
                assert!(keys(&graph.to_edges()?) == expected, "allocation {failing}");
                Ok((has_failed, is_refused))
            });
            let results = first_cause(results)?;
            refused += usize::from(results[1].1);
            if !results[1].0 {
                break;
            }
        }
    }
    assert!(refused > 30, "{refused} batches were refused");
    Ok(())
}

/// A snapshot of three ranks, read by one, three and five.
#[test]
fn a_snapshot_is_read_by_as_many_ranks_and_by_others() -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    for round in 0..2 {
        let saved = run_ranks(3, LONG, |communicator| {
            let mut graph = some_graph(communicator, &Device::cpu(), 3)?;
            graph.apply(&Batch::new().insert([edge(graph.rank() as u32, 150 + round)]))?;
            graph.save(folder.path())?;
            Ok(keys(&graph.to_edges()?))
        });
        let saved = first_cause(saved)?.swap_remove(0);
        for ranks in [1, 3, 5] {
            let loaded = run_ranks(ranks, LONG, |communicator| {
                let communicator = Rc::new(communicator);
                let graph = DistributedGraph::<Adjacency<u32>>::load(
                    communicator,
                    &Device::cpu(),
                    folder.path(),
                )?;
                assert_eq!(*graph.options(), BOTH);
                assert_eq!(graph.in_degrees()?.iter().sum::<u32>() as u64, graph.edge_count()?);
                Ok(keys(&graph.to_edges()?))
            });
            assert!(first_cause(loaded)?.iter().all(|edges| *edges == saved));
        }
        let files = std::fs::read_dir(folder.path()).expect("the folder").count();
        assert_eq!(files, 1 + 3 * 2, "one snapshot, and nothing of the one before");
    }
    Ok(())
}

#[test]
fn a_rank_that_panics_leaves_the_others_with_an_error_and_their_edges() {
    let start = Instant::now();
    let results = run_ranks(4, LONG, |communicator| {
        let rank = communicator.rank();
        let mut graph = some_graph(communicator, &Device::cpu(), 4)?;
        let before = keys(&graph.own_edges()?);
        assert!(rank != 2, "rank 2 gives up");
        let batch = Batch::new().insert([edge(rank as u32, 100)]).delete([edge(0, 0)]);
        let error = graph.apply(&batch).expect_err("rank 2 is gone");
        assert!(matches!(error.kind(), ErrorKind::RankLost { rank: 2 }), "{error}");
        assert_eq!(keys(&graph.own_edges()?), before);
        Ok(())
    });
    assert!(start.elapsed() < LONG / 2);
    for (rank, result) in results.into_iter().enumerate() {
        assert_eq!(result.is_err(), rank == 2);
    }
}

#[test]
fn a_rank_that_hangs_leaves_the_others_with_an_error_after_the_timeout() {
    let timeout = Duration::from_millis(1500);
    let results = run_ranks(3, timeout, |communicator| {
        let rank = communicator.rank();
        let mut graph = some_graph(communicator, &Device::cpu(), 3)?;
        let before = keys(&graph.own_edges()?);
        if rank == 0 {
            std::thread::sleep(2 * timeout);
        }
        let start = Instant::now();
        let error = graph.apply(&Batch::new().insert([edge(1, 100)])).expect_err("rank 0 hangs");
        assert!(matches!(error.kind(), ErrorKind::RankTimeout { .. }), "{error}");
        assert!(start.elapsed() < 2 * timeout);
        assert_eq!(keys(&graph.own_edges()?), before);
        Ok(())
    });
    assert!(results.into_iter().all(|result| result.is_ok()));
}

#[test]
fn lists_that_do_not_fit_the_graph_are_refused_on_all_ranks_and_they_go_on() -> Result<(), Error> {
    for ownership in [Ownership::Hash, Ownership::Range] {
        let results = run_ranks(2, LONG, |communicator| {
            let (device, rank) = (Device::cpu(), communicator.rank());
            let graph = DistributedGraph::<Adjacency<u32>>::from_edges(
                Rc::new(communicator),
                &device,
                100,
                &[],
                &BOTH,
                ownership,
            )?;
            let part = graph.part()?;
            // A key that is no vertex.
            let keys = DeviceBuffer::<u32>::from_slice(&device, &[3, 99, 100 - rank as u32])?;
            let error = Delivery::to_owners(&part, Ok(keys)).expect_err("rank 0 has vertex 100");
            match error.kind() {
                ErrorKind::NoSuchVertex { vertex: 100, count: 100 } => assert_eq!(rank, 0),
                ErrorKind::RefusedByRank { rank: 0, .. } => assert_eq!(rank, 1),
                other => panic!("{other}"),
            }
            // Fewer values than vertices.
            let keys = DeviceBuffer::<u32>::from_slice(&device, &[3, 99])?;
            let delivery = Delivery::to_owners(&part, Ok(keys))?;
            let short = DeviceBuffer::<u64>::zeroed(&device, if rank == 1 { 99 } else { 100 })?;
            assert!(is_of_another_graph(delivery.deliver(&short).map(drop), rank == 1));
            let whole = DeviceBuffer::<u64>::filled(&device, 100, 7)?;
            let (keys, values) = delivery.deliver(&whole)?;
            assert!(values.to_vec()?.iter().all(|&value| value == 7));
            assert_eq!(keys.len(), values.len());
            // An end that is no vertex; keys that are not of the items there cannot be.
            let stray = DeviceBuffer::from_slice(&device, &[edge(3, 99), edge(99, 100)])?;
            assert!(part.sort_by_owner(&stray, true).is_err());
            assert_eq!(part.sort_by_owner(&stray, false)?.1.iter().sum::<usize>(), 2);
            // Values of another graph, on one rank.
            let mut gather = OwnerGather::new(&part)?;
            let into = DeviceBuffer::<u64>::zeroed(&device, 100)?;
            let mut lists = [short, into];
            let gathered =
                gather.gather(&part, &mut lists, |lists| lists.each_mut(), |_, _| Ok(()));
            assert!(is_of_another_graph(gathered, rank == 1));
            let [short, into] = lists;
            let mut lists = [whole, into];
            gather.gather(&part, &mut lists, |lists| lists.each_mut(), |_, _| Ok(()))?;
            assert_eq!(lists[0].to_vec()?, [7; 100]);
            assert!(is_of_another_graph(part.values_of_all(Ok(&short)).map(drop), rank == 1));
            Ok(())
        });
        first_cause(results)?;
    }
    Ok(())
}

/// Whether it is refused for another number of vertices: by this rank, or by the other.
fn is_of_another_graph(done: Result<(), Error>, by_this: bool) -> bool {
    match done.expect_err("another number of vertices").kind() {
        ErrorKind::StateOfAnotherGraph { vertices: 99, of_graph: 100 } => by_this,
        ErrorKind::RefusedByRank { rank: 1, .. } => !by_this,
        _ => false,
    }
}

#[test]
fn ranks_that_ask_for_different_graphs_get_an_error_that_says_so() {
    let one = (100, Ownership::Hash, SlabOptions::DEFAULT);
    let others = [
        (101, Ownership::Hash, SlabOptions::DEFAULT),
        (100, Ownership::Range, SlabOptions::DEFAULT),
        (100, Ownership::Hash, SlabOptions::DEFAULT.undirected()),
        (100, Ownership::Hash, SlabOptions::DEFAULT.oriented(Orientation::In)),
        (100, Ownership::Hash, BOTH),
    ];
    for other in others {
        let results = run_ranks(2, LONG, |communicator| {
            let (n, ownership, options) = if communicator.rank() == 0 { one } else { other };
            DistributedGraph::<Adjacency>::from_edges(
                Rc::new(communicator),
                &Device::cpu(),
                n,
                &[],
                &options,
                ownership,
            )
            .map(drop)
        });
        for result in results {
            let error = result.expect_err("two graphs");
            assert!(matches!(error.kind(), ErrorKind::RanksOutOfStep { .. }), "{error}");
        }
    }
}

#[test]
fn a_snapshot_with_edges_of_another_rank_is_refused() -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let saved = run_ranks(2, LONG, |communicator| {
        some_graph(communicator, &Device::cpu(), 2)?.save(folder.path())
    });
    first_cause(saved)?;
    // Both ranks get the lists of rank 0.
    for side in ["out", "in"] {
        let of = |rank: u32| folder.path().join(format!("1-{rank}-{side}"));
        std::fs::copy(of(0), of(1)).expect("a copy");
    }
    let loaded = run_ranks(2, LONG, |communicator| {
        let communicator = Rc::new(communicator);
        DistributedGraph::<Adjacency<u32>>::load(communicator, &Device::cpu(), folder.path())
            .map(drop)
    });
    let error = first_cause(loaded).expect_err("edges of rank 0");
    assert!(error.to_string().contains("which belongs to rank 0"), "{error}");
    Ok(())
}
