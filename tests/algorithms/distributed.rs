//! Algorithms over 2, 3, 4 and 8 ranks through random streams: after every batch the answers are those
//! of one device.
//!
//! `MEERKAT_SEQUENCES=1000` sets how many sequences each algorithm and kind gets. With
//! `MEERKAT_REQUIRE_TWO_GPUS=1` the ranks are two GPUs.

use std::cell::Cell;
use std::fmt::Debug;
use std::rc::Rc;

use meerkat::algos::bfs::{self, Bfs, Tree};
use meerkat::algos::pagerank::{self, DeadEnds, Method, Options, PageRank, Ranks};
use meerkat::algos::sssp::{self, PathWeight, ShortestPaths, Sssp};
use meerkat::algos::triangles::{TriangleCounts, Triangles};
use meerkat::algos::wcc::{self, Components};
use meerkat::prelude::*;
use meerkat::runtime::communicator::{Communicator, communicator_on, first_cause, run_ranks};
use meerkat::runtime::distributed::{
    DistributedAlgorithm, DistributedGraph, DistributedTracked, Ownership, Part, PendingChange,
};
use meerkat::runtime::graph::Adjacency;
use meerkat::runtime::oracle::generate::{Rng, sequence};
use meerkat::runtime::oracle::{Kind, Sequence};
use meerkat::runtime::{CompactEdges, ErrorKind, MemoryFaults};

use crate::support::ranks::{LONG, part, part_of, sequences, two_gpus_if_required};

const RANKS: [usize; 4] = [2, 3, 4, 8];

/// What is compared: an algorithm over ranks, and the answer on one device.
struct Check<'a, L: EdgeLists, A, O, X> {
    algorithm: &'a (dyn Fn() -> A + Sync),
    expected: &'a (dyn Fn(&DynamicGraph<L>) -> Result<X, Error> + Sync),
    wrong: &'a (dyn Fn(&O, &X) -> Result<(), String> + Sync),
}

/// A sequence, and how its graph is divided.
struct Task<W: Weight> {
    sequence: Sequence<W>,
    ownership: Ownership,
    name: String,
}

/// Follows sequences over ranks, one after another; each rank compares each answer with that of one device.
fn replay<L: EdgeLists, A, O, X>(
    tasks: &[Task<L::Carried>],
    devices: &[Device],
    check: &Check<'_, L, A, O, X>,
) -> Result<(), Error>
where
    A: DistributedAlgorithm<L, Output = O>,
{
    let replayed = run_ranks(devices.len(), LONG, |threads| {
        let device = &devices[threads.rank()];
        let communicator = communicator_on(threads, device)?;
        tasks.iter().try_for_each(|task| follow(task, &communicator, device, check))
    });
    first_cause(replayed).map(drop)
}

/// Follows a sequence as one of several ranks.
fn follow<L: EdgeLists, A, O, X>(
    task: &Task<L::Carried>,
    communicator: &Rc<dyn Communicator>,
    device: &Device,
    check: &Check<'_, L, A, O, X>,
) -> Result<(), Error>
where
    A: DistributedAlgorithm<L, Output = O>,
{
    let Task { sequence, ownership, name } = task;
    let (rank, ranks) = (communicator.rank(), communicator.size());
    let options = match sequence.direction {
        Direction::Directed => SlabOptions::DEFAULT.oriented(Orientation::Both),
        Direction::Undirected => SlabOptions::DEFAULT.undirected(),
    };
    let (n, start) = (sequence.vertices, part(&sequence.start, rank, ranks));
    let graph = DistributedGraph::<L>::from_edges(
        Rc::clone(communicator),
        device,
        n,
        &start,
        &options,
        *ownership,
    )?;
    let mut alone = DynamicGraph::<L>::from_edges(device, n, &sequence.start, &options)?;
    let mut tracked = graph.track((check.algorithm)())?;
    let mut compare = |tracked: &mut DistributedTracked<L, A>, batch: Option<&Batch<_>>| {
        let found = tracked.output()?;
        if let Some(batch) = batch {
            alone.apply(batch)?;
        }
        let expected = (check.expected)(&alone)?;
        if let Err(what) = (check.wrong)(&found, &expected) {
            panic!("{name}, {ranks} ranks, {ownership:?}, rank {rank}: {what}");
        }
        Ok::<(), Error>(())
    };
    compare(&mut tracked, None)?;
    for batch in &sequence.batches {
        tracked.apply(&part_of(batch, rank, ranks))?;
        compare(&mut tracked, Some(batch))?;
    }
    Ok(())
}

fn replay_all<L: EdgeLists, A, O, X>(
    weight: impl Fn(&mut Rng) -> L::Carried + Copy,
    algorithm: &(dyn Fn() -> A + Sync),
    expected: &(dyn Fn(&DynamicGraph<L>) -> Result<X, Error> + Sync),
    wrong: &(dyn Fn(&O, &X) -> Result<(), String> + Sync),
) -> Result<(), Error>
where
    A: DistributedAlgorithm<L, Output = O>,
{
    let check = Check { algorithm, expected, wrong };
    let (cpus, gpus) = (vec![Device::cpu(); 8], two_gpus_if_required());
    let of_seed = |seed: u64| {
        let ownership = [Ownership::Hash, Ownership::Range][(seed / 4 % 2) as usize];
        let direction = [Direction::Directed, Direction::Undirected][(seed / 3 % 2) as usize];
        Kind::ALL.map(|kind| Task {
            sequence: sequence(seed, kind, direction, weight),
            ownership,
            name: format!("seed {seed}, {kind:?}, {direction:?}"),
        })
    };
    let mut seeds = 0..sequences("MEERKAT_SEQUENCES", 16);
    match gpus {
        // To join by NCCL takes as long as many sequences.
        Some(gpus) => replay(&seeds.flat_map(of_seed).collect::<Vec<_>>(), &gpus, &check),
        None => seeds.try_for_each(|seed| {
            replay(&of_seed(seed), &cpus[..RANKS[(seed % 4) as usize]], &check)
        }),
    }
}

fn equal<O: PartialEq + Debug>(found: &O, expected: &O) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{found:?}, should be {expected:?}")) }
}

/// Whether every reached vertex but the source has a parent that is at the other end of a tight arc.
fn check_parents<W: Weight, D: PartialEq + Debug>(
    (edges, source): (&[Edge<W>], u32),
    (distances, parents): (&[D], &[u32]),
    is_tight: impl Fn(&D, W, &D) -> bool,
    is_reached: impl Fn(&D) -> bool,
) -> Result<(), String> {
    for (v, (distance, &parent)) in (0..).zip(distances.iter().zip(parents)) {
        let arc = edges.iter().find(|edge| (edge.src, edge.dst) == (parent, v));
        let is_right = match (is_reached(distance), arc) {
            (false, _) => parent == u32::MAX,
            (true, _) if v == source => parent == source,
            (true, Some(arc)) => is_tight(&distances[parent as usize], arc.weight, distance),
            (true, None) => false,
        };
        if !is_right {
            return Err(format!("{v} at {distance:?} has the parent {parent}"));
        }
    }
    Ok(())
}

type Levels<W> = (Tree, Vec<Edge<W>>);

fn expected_levels<L: EdgeLists>(graph: &DynamicGraph<L>) -> Result<Levels<L::Carried>, Error> {
    Ok((bfs::tree(graph, 0)?, graph.to_edges()?))
}

fn wrong_levels<W: Weight>(found: &Tree, (tree, edges): &Levels<W>) -> Result<(), String> {
    equal(&found.levels, &tree.levels)?;
    let (levels, parents) = (&found.levels[..], &found.parents[..]);
    let is_tight = |from: &u32, _, to: &u32| from + 1 == *to;
    check_parents((edges, 0), (levels, parents), is_tight, |&level| level != u32::MAX)
}

#[test]
fn levels_over_ranks_are_those_of_one_device() -> Result<(), Error> {
    fn check<L: EdgeLists>(weight: impl Fn(&mut Rng) -> L::Carried + Copy) -> Result<(), Error> {
        let (expected, wrong) = (&expected_levels::<L>, &wrong_levels::<L::Carried>);
        replay_all::<L, _, _, _>(weight, &|| Bfs::from_source(0), expected, wrong)
    }
    check::<Adjacency>(|_| ())?;
    check::<CompactEdges<u32>>(|rng| rng.u32(0..9))
}

/// A random graph, whose levels are large and passed over backwards, with a path at its end, whose levels are
/// one vertex each; then edges go and come.
#[test]
fn levels_that_are_passed_over_backwards_follow_deletions() -> Result<(), Error> {
    let (expected, wrong) = (&expected_levels::<CompactEdges>, &wrong_levels::<()>);
    let check = Check { algorithm: &|| Bfs::from_source(0), expected, wrong };
    let (cpus, gpus) = (vec![Device::cpu(); 3], two_gpus_if_required());
    let mut rng = Rng::with_seed(19);
    let edge = |src, dst| Edge { src, dst, weight: () };
    for direction in [Direction::Directed, Direction::Undirected] {
        for ownership in [Ownership::Hash, Ownership::Range] {
            let mut pair = || edge(rng.u32(0..1200), rng.u32(0..1200));
            let mut start: Vec<_> = (0..6000).map(|_| pair()).collect();
            start.extend((1199..1300).map(|v| edge(v, v + 1)));
            let batch = |turn: usize| {
                let gone = &start[turn * 1500..][..1200];
                Batch::new().delete(gone).insert([edge(7, 1100 + turn as u32 * 60)])
            };
            let batches = (0..4).map(batch).collect();
            let sequence = Sequence { vertices: 1400, direction, start: start.clone(), batches };
            let devices = gpus.as_ref().map_or(&cpus[..], |gpus| &gpus[..]);
            let name = "a path behind".to_owned();
            replay(&[Task { sequence, ownership, name }], devices, &check)?;
        }
    }
    Ok(())
}

#[test]
fn distances_over_ranks_are_those_of_one_device() -> Result<(), Error> {
    fn check<W: PathWeight>(
        weight: impl Fn(&mut Rng) -> W + Copy,
        is_tight: fn(&W::Distance, W, &W::Distance) -> bool,
    ) -> Result<(), Error>
    where
        W::Distance: Debug,
    {
        let expected = |graph: &DynamicGraph<Adjacency<W>>| {
            Ok((sssp::distances(graph, 0)?, graph.to_edges()?))
        };
        let wrong = |found: &ShortestPaths<W::Distance>, (distances, edges): &(Vec<_>, Vec<_>)| {
            equal(&found.distances, distances)?;
            let (distances, parents) = (&found.distances[..], &found.parents[..]);
            let is_reached = |distance: &W::Distance| *distance != W::UNREACHED;
            check_parents((edges, 0), (distances, parents), is_tight, is_reached)
        };
        let algorithm = || Sssp::from_source(0);
        replay_all::<Adjacency<W>, _, _, _>(weight, &algorithm, &expected, &wrong)
    }
    check::<u32>(|rng| rng.u32(0..9), |from, weight, to| from + weight == *to)?;
    check::<f32>(|rng| rng.f32(), |from, weight, to| from + weight == *to)
}

#[test]
fn components_over_ranks_are_those_of_one_device() -> Result<(), Error> {
    let (algorithm, labels) = (|| Components, |graph: &_| wcc::labels(graph));
    replay_all::<Adjacency, _, _, _>(|_| (), &algorithm, &labels, &equal)?;
    let labels = |graph: &_| wcc::labels(graph);
    replay_all::<CompactEdges<u32>, _, _, _>(|rng| rng.u32(0..3), &algorithm, &labels, &equal)
}

#[test]
fn ranks_over_ranks_are_within_the_bounds_of_those_of_one_device() -> Result<(), Error> {
    fn check<R: Float + Debug>(
        options: Options,
        method: Method,
        rounding: f64,
    ) -> Result<(), Error> {
        let algorithm = move || PageRank::<R>::new(options, method);
        let expected = move |graph: &_| pagerank::ranks::<R, _>(graph, &options);
        let wrong = move |found: &Ranks<R>, expected: &Ranks<R>| {
            let pairs = found.ranks.iter().zip(&expected.ranks);
            let apart: f64 = pairs.map(|(a, b)| (a.to_f64() - b.to_f64()).abs()).sum();
            let bound = found.error_bound + expected.error_bound + rounding;
            let same = found.ranks.len() == expected.ranks.len();
            if same && apart <= bound {
                Ok(())
            } else {
                Err(format!("{apart:e}, may be {bound:e}"))
            }
        };
        replay_all::<Adjacency, _, _, _>(|_| (), &algorithm, &expected, &wrong)
    }
    let loops = Options { dead_ends: DeadEnds::SelfLoops, ..Options::default() };
    check::<f64>(Options::default(), Method::Static, 1e-12)?;
    check::<f64>(Options::default(), Method::DF_P, 1e-12)?;
    check::<f64>(loops, Method::NaiveDynamic, 1e-12)?;
    let single = Options::default().to_error(1e-4);
    check::<f32>(single, Method::NaiveDynamic, 1e-5)
}

#[test]
fn triangles_over_ranks_are_those_of_one_device() -> Result<(), Error> {
    let algorithm = || Triangles;
    let counts = |graph: &DynamicGraph<Adjacency>| {
        type Alone = SlabGraph;
        let state = DynamicAlgorithm::<Alone>::compute(&Triangles, graph)?;
        DynamicAlgorithm::<Alone>::output(&Triangles, &state)
    };
    let wrong = |found: &TriangleCounts, expected: &TriangleCounts| equal(found, expected);
    replay_all::<Adjacency, _, _, _>(|_| (), &algorithm, &counts, &wrong)
}

/// Memory runs out at one allocation after another of one rank, in the graph or in the algorithm: all
/// ranks refuse the batch and can go on, or none does.
fn refuse_without_memory<A, X: Debug + Sync>(
    algorithm: &(dyn Fn() -> A + Sync),
    expected: impl Fn(&DynamicGraph<CompactEdges>) -> Result<X, Error>,
) -> Result<(), Error>
where
    A: DistributedAlgorithm<CompactEdges, Output: PartialEq + PartialEq<X> + Debug>,
{
    let directed = SlabOptions::DEFAULT.oriented(Orientation::Both);
    let mut refused = 0;
    for options in [SlabOptions::DEFAULT.undirected(), directed] {
        refused += refused_without_memory(&options, algorithm, &expected)?;
    }
    assert!(refused > 20, "{refused} batches were refused");
    Ok(())
}

/// How many batches were refused.
fn refused_without_memory<A, X: Debug + Sync>(
    options: &SlabOptions,
    algorithm: &(dyn Fn() -> A + Sync),
    expected: impl Fn(&DynamicGraph<CompactEdges>) -> Result<X, Error>,
) -> Result<u32, Error>
where
    A: DistributedAlgorithm<CompactEdges, Output: PartialEq + PartialEq<X> + Debug>,
{
    let ranks = 3;
    let edge = |src, dst| Edge { src, dst, weight: () };
    let edges: Vec<_> = (0..200).map(|k| edge(k % 60, (k * k + k / 60 + 1) % 60)).collect();
    let batch = |rank| match rank {
        0 => Batch::new().insert([edge(60, 61), edge(3, 62)]),
        _ => Batch::new().delete(part(&edges, rank, 7)),
    };
    let mut alone = DynamicGraph::from_edges(&Device::cpu(), 64, &edges, options)?;
    (0..ranks).try_for_each(|rank| alone.apply(&batch(rank)).map(drop))?;
    let expected = expected(&alone)?;
    let mut refused = 0;
    for failing in 0..300 {
        let results = run_ranks(ranks, LONG, |communicator| {
            let (rank, faults) = (communicator.rank(), MemoryFaults::new());
            let device = Device::cpu().with_memory_faults(&faults);
            let own = part(&edges, rank, ranks);
            let graph = DistributedGraph::<CompactEdges>::from_edges(
                Rc::new(communicator),
                &device,
                64,
                &own,
                options,
                Ownership::Hash,
            )?;
            let mut tracked = graph.track(algorithm())?;
            let before = tracked.output()?;
            let batch = batch(rank);
            if rank == 1 {
                faults.fail_once(failing);
            }
            let applied = tracked.apply(&batch);
            let has_failed = faults.heal();
            if let Err(error) = &applied {
                let of_other = matches!(error.kind(), ErrorKind::RefusedByRank { rank: 1, .. });
                assert!(if rank == 1 { error.is_out_of_memory() } else { of_other }, "{error}");
                assert_eq!(tracked.output()?, before, "allocation {failing}");
                tracked.apply(&batch)?;
            }
            let after = tracked.output()?;
            assert_eq!(after, expected, "allocation {failing}");
            Ok((has_failed, applied.is_err()))
        });
        let results = first_cause(results)?;
        refused += u32::from(results[1].1);
        if !results[1].0 {
            break;
        }
    }
    Ok(refused)
}

#[test]
fn memory_that_runs_out_on_one_rank_leaves_graph_and_answers() -> Result<(), Error> {
    refuse_without_memory(&|| Components, |alone| {
        let labels = wcc::labels(alone)?;
        assert_eq!([labels[60], labels[61], labels[62]], [60, 60, labels[3]]);
        Ok(labels)
    })
}

#[test]
fn memory_that_runs_out_on_one_rank_leaves_graph_and_levels() -> Result<(), Error> {
    refuse_without_memory(&|| LevelsOnly(Bfs::from_source(3)), |alone| {
        let levels = bfs::levels(alone, 3)?;
        assert!(levels.iter().filter(|&&level| level != u32::MAX).count() > 10, "{levels:?}");
        Ok(levels)
    })
}

/// A search of which only the levels are asked for: parents may differ from run to run.
struct LevelsOnly(Bfs);

impl<L: EdgeLists> DistributedAlgorithm<L> for LevelsOnly {
    type State = <Bfs as DistributedAlgorithm<L>>::State;
    type Output = Vec<u32>;

    fn compute(&self, part: &Part<'_, L>) -> Result<Self::State, Error> {
        DistributedAlgorithm::compute(&self.0, part)
    }

    fn follow(
        &self,
        state: &mut Self::State,
        part: &Part<'_, L>,
        change: PendingChange<'_, L::Carried>,
    ) -> Result<(), Error> {
        DistributedAlgorithm::follow(&self.0, state, part, change)
    }

    fn output(&self, state: &Self::State, part: &Part<'_, L>) -> Result<Vec<u32>, Error> {
        DistributedAlgorithm::output(&self.0, state, part).map(|tree| tree.levels)
    }
}

/// An algorithm whose first state is that of another graph.
struct OfAnother<'a, L: EdgeLists, A> {
    algorithm: A,
    other: &'a DistributedGraph<L>,
    has_begun: Cell<bool>,
}

impl<L: EdgeLists, A: DistributedAlgorithm<L>> DistributedAlgorithm<L> for OfAnother<'_, L, A> {
    type State = A::State;
    type Output = A::Output;

    fn compute(&self, part: &Part<'_, L>) -> Result<A::State, Error> {
        if self.has_begun.replace(true) {
            return self.algorithm.compute(part);
        }
        self.algorithm.compute(&self.other.part()?)
    }

    fn follow(
        &self,
        state: &mut A::State,
        part: &Part<'_, L>,
        change: PendingChange<'_, L::Carried>,
    ) -> Result<(), Error> {
        self.algorithm.follow(state, part, change)
    }

    fn output(&self, state: &A::State, part: &Part<'_, L>) -> Result<A::Output, Error> {
        self.algorithm.output(state, part)
    }
}

#[test]
fn a_state_of_another_graph_is_refused_and_computed_again() -> Result<(), Error> {
    /// `is_followed`: or computed from scratch after each batch.
    fn check<A>(algorithm: impl Fn() -> A + Sync, is_followed: bool) -> Result<(), Error>
    where
        A: DistributedAlgorithm<CompactEdges<u32>, Output: Send>,
    {
        let is_refused = |error: Error| {
            let kind = error.kind();
            matches!(kind, ErrorKind::StateOfAnotherGraph { vertices: 40, of_graph: 50 })
        };
        let results = run_ranks(2, LONG, |communicator| {
            let communicator: Rc<dyn Communicator> = Rc::new(communicator);
            let of = |n: u32| {
                let edges: Vec<_> =
                    (1..n).map(|v| Edge { src: v / 2, dst: v, weight: 1 }).collect();
                DistributedGraph::<CompactEdges<u32>>::from_edges(
                    Rc::clone(&communicator),
                    &Device::cpu(),
                    n,
                    &part(&edges, communicator.rank(), 2),
                    &SlabOptions::DEFAULT.oriented(Orientation::Both),
                    Ownership::Hash,
                )
            };
            let other = of(40)?;
            let wrong =
                || OfAnother { algorithm: algorithm(), other: &other, has_begun: Cell::new(false) };
            let mut tracked = of(50)?.track(wrong())?;
            assert!(is_refused(tracked.output().map(drop).expect_err("of 40 vertices")));
            let batch = Batch::new().insert([Edge { src: 7, dst: 49, weight: 2 }]);
            if is_followed {
                assert!(is_refused(tracked.apply(&batch).map(drop).expect_err("of 40 vertices")));
                tracked.output()?;
            }
            tracked.apply(&batch)?;
            tracked.output().map(drop)
        });
        first_cause(results).map(drop)
    }
    check(|| Bfs::from_source(0), true)?;
    check(|| Sssp::from_source(0), true)?;
    check(|| Components, true)?;
    check(|| PageRank::<f64>::new(Options::default(), Method::DF_P), true)?;
    check(|| Triangles, false)
}
