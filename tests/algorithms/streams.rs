//! Components, triangles and ranks through random and adversarial streams: after
//! every batch the answer that followed and a recomputation are those of plain
//! programs.
//!
//! `MEERKAT_SEQUENCES=2000` sets how many sequences an algorithm and kind gets.

use meerkat::algos::pagerank::{DeadEnds, Method, Options, PageRank, Rank, Ranks, Stop};
use meerkat::algos::triangles::{TriangleCounts, Triangles};
use meerkat::algos::wcc::Components;
use meerkat::prelude::*;
use meerkat::runtime::oracle::generate::{Rng, sequence};
use meerkat::runtime::oracle::{Kind, Model, Oracle};

use super::oracle;
use super::support::devices::{devices, label};
use super::support::say;

/// How many sequences an algorithm and kind gets on a device.
fn sequences(device: &Device) -> u64 {
    let asked = std::env::var("MEERKAT_SEQUENCES").ok().and_then(|count| count.parse().ok());
    asked.unwrap_or(if device.is_cuda() { 30 } else { 40 })
}

/// Sequences of every kind, half of them undirected.
#[track_caller]
fn check<W, A>(
    name: &str,
    algorithm: impl Fn() -> A,
    weight: impl Fn(&mut Rng) -> W,
    wrong: impl Fn(&Arcs, &A::Output) -> Result<(), String>,
) where
    W: Weight + std::fmt::Debug,
    A: DynamicAlgorithm<W>,
{
    let wrong = |model: &Model<W>, followed: &A::Output, recomputed: &A::Output| {
        let arcs = Arcs::of(model);
        wrong(&arcs, followed)?;
        wrong(&arcs, recomputed).map_err(|what| format!("from scratch: {what}"))
    };
    for device in devices() {
        for kind in Kind::ALL {
            let (mut batches, mut updates) = (0, 0);
            for (turn, direction) in [(0, Direction::Directed), (1, Direction::Undirected)] {
                let options = SlabOptions::DEFAULT.oriented(Orientation::Both);
                let oracle = Oracle::new(device.clone(), &algorithm, &wrong).with_options(options);
                let seeds = (0..sequences(&device)).filter(|seed| seed % 2 == turn);
                match oracle.check(seeds.map(|seed| sequence(seed / 2, kind, direction, &weight))) {
                    Ok(replayed) => {
                        batches += replayed.batches;
                        updates += replayed.updates;
                    }
                    Err(failure) => panic!("{name}, {kind:?}, {direction:?}: {failure}"),
                }
            }
            let (sequences, on) = (sequences(&device), label(&device));
            say(&format!(
                "{name}, {kind:?}: {sequences} sequences, {batches} batches, {updates} updates, \
                 on {on}"
            ));
        }
    }
}

/// The arcs of a model.
struct Arcs {
    n: u32,
    arcs: Vec<(u32, u32)>,
}

impl Arcs {
    fn of<W: Weight>(model: &Model<W>) -> Self {
        let arcs = model.edges().iter().map(|edge| (edge.src, edge.dst)).collect();
        Arcs { n: model.vertices(), arcs }
    }
}

#[test]
fn components_follow_streams() {
    let wrong = |graph: &Arcs, labels: &Vec<u32>| {
        let expected = oracle::component_labels(graph.n, &graph.arcs);
        match (0..expected.len()).find(|&v| labels[v] != expected[v]) {
            None => Ok(()),
            Some(v) => Err(format!("{v} is labelled {}, should be {}", labels[v], expected[v])),
        }
    };
    check("components", Components::new, |_| (), wrong);
    check("components, weighted", Components::new, |rng| rng.u32(0..3), wrong);
}

#[test]
fn triangles_follow_streams() {
    let wrong = |graph: &Arcs, found: &TriangleCounts| {
        let expected = oracle::triangles_per_vertex(graph.n, &graph.arcs);
        if found.per_vertex != expected || 3 * found.total != expected.iter().sum::<u64>() {
            return Err(format!("{found:?}, should be {expected:?}"));
        }
        let degrees = oracle::neighbors(graph.n, &graph.arcs);
        match (0..degrees.len()).find(|&v| degrees[v].len() != found.degrees[v] as usize) {
            None => Ok(()),
            Some(v) => Err(format!("{v} has degree {}", found.degrees[v])),
        }
    };
    check("triangles", Triangles::new, |_| (), wrong);
    check("triangles, weighted", Triangles::new, |rng| rng.f32(), wrong);
}

/// The ranks within `error` of the fixed point, relative to the largest.
fn check_ranks<R: Rank>(method: Method, dead_ends: DeadEnds, stop: Stop, error: f64) {
    let options = Options { dead_ends, stop, ..Options::default() };
    let loops = dead_ends == DeadEnds::SelfLoops;
    let wrong = |graph: &Arcs, found: &Ranks<R>| {
        let expected = oracle::pagerank(graph.n, &graph.arcs, options.damping, loops);
        let largest = expected.iter().copied().fold(0.0, f64::max);
        let off = |v: &usize| (found.ranks[*v].into() - expected[*v]).abs() > error * largest;
        match (0..expected.len()).find(off) {
            None => Ok(()),
            Some(v) => {
                let rank: f64 = found.ranks[v].into();
                Err(format!("{v} has rank {rank:e}, should have {:e}", expected[v]))
            }
        }
    };
    let name = format!("{}, {method:?}, {dead_ends:?}", std::any::type_name::<R>());
    check(&name, || PageRank::<R>::new(options, method), |_| (), wrong);
}

fn to(tolerance: f64) -> Stop {
    use meerkat::algos::pagerank::Norm::LInfinity;
    Stop::Change { tolerance, norm: LInfinity, max_iterations: 500 }
}

#[test]
fn exact_ranks_follow_streams() {
    for method in [Method::Static, Method::NaiveDynamic, Method::DynamicTraversal] {
        check_ranks::<f64>(method, DeadEnds::Teleport, to(1e-13), 5e-11);
    }
    for method in [Method::NaiveDynamic, Method::DynamicTraversal] {
        check_ranks::<f64>(method, DeadEnds::SelfLoops, to(1e-13), 5e-11);
    }
    check_ranks::<f32>(Method::NaiveDynamic, DeadEnds::Teleport, to(1e-6), 3e-4);
}

#[test]
fn ranks_of_the_dynamic_frontier_follow_streams() {
    for method in [Method::DF, Method::DF_P] {
        for dead_ends in [DeadEnds::Teleport, DeadEnds::SelfLoops] {
            check_ranks::<f64>(method, dead_ends, to(1e-12), 1e-4);
        }
    }
    // Without tolerances nothing is left out.
    let exact = Method::DynamicFrontierPruning { spreads: 0.0, stays: 0.0 };
    check_ranks::<f64>(exact, DeadEnds::Teleport, to(1e-13), 5e-11);
    check_ranks::<f32>(Method::DF_P, DeadEnds::Teleport, to(1e-6), 3e-4);
}

#[test]
fn a_source_with_a_self_loop_is_affected_by_its_own_new_edge() {
    let options = Options { dead_ends: DeadEnds::SelfLoops, ..Options::default() };
    for method in [Method::DynamicTraversal, Method::DF, Method::DF_P] {
        for device in devices() {
            let graph = super::support::graphs::slab_graph::<()>(&device, 2, &[]);
            let mut tracked = graph.track(PageRank::<f64>::new(options, method)).expect("tracked");
            let edge = Edge { src: 0, dst: 1, weight: () };
            tracked.apply(&Batch::new().insert([edge])).expect("applied");
            let found = tracked.output().expect("ranks").ranks;
            let expected = oracle::pagerank(2, &[(0, 1)], options.damping, true);
            assert!((found[0] - expected[0]).abs() < 1e-9, "{method:?}: {found:?}");
        }
    }
}
