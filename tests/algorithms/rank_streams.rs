//! Ranks through random and adversarial streams, by every method and way of dead ends:
//! after every batch those of a plain program, within what the method promises.

use meerkat::algos::pagerank::{DeadEnds, Method, Options, PageRank, Ranks, Stop};
use meerkat::prelude::*;
use meerkat::runtime::oracle::Kind;

use super::oracle;
use super::streams::{Arcs, check};
use super::support::devices::devices;
use super::support::graphs::slab_graph;
use super::support::streams::for_each_kind;

/// The ranks within `error` of the fixed point, relative to the largest.
fn check_ranks<R: Float>(kind: Kind, method: Method, dead_ends: DeadEnds, stop: Stop, error: f64) {
    let options = Options { dead_ends, stop, ..Options::default() };
    let loops = dead_ends == DeadEnds::SelfLoops;
    let wrong = |graph: &Arcs, found: &Ranks<R>| {
        let expected = oracle::pagerank(graph.n, &graph.arcs, options.damping, loops);
        let largest = expected.iter().copied().fold(0.0, f64::max);
        let off = |v: &usize| (found.ranks[*v].to_f64() - expected[*v]).abs() > error * largest;
        match (0..expected.len()).find(off) {
            None => Ok(()),
            Some(v) => {
                let rank: f64 = found.ranks[v].to_f64();
                Err(format!("{v} has rank {rank:e}, should have {:e}", expected[v]))
            }
        }
    };
    let name = format!("{}, {method:?}, {dead_ends:?}", std::any::type_name::<R>());
    check(&name, kind, || PageRank::<R>::new(options, method), |_| (), wrong);
}

fn to(tolerance: f64) -> Stop {
    use meerkat::algos::pagerank::Norm::LInfinity;
    Stop::Change { tolerance, norm: LInfinity, max_iterations: 500 }
}

/// Followed until nothing changes.
fn exact(kind: Kind, method: Method, dead_ends: DeadEnds) {
    check_ranks::<f64>(kind, method, dead_ends, to(1e-13), 5e-11);
}

/// Followed where changes are not small.
fn close(kind: Kind, method: Method, dead_ends: DeadEnds) {
    check_ranks::<f64>(kind, method, dead_ends, to(1e-12), 1e-4);
}

/// In single precision. What a batch leaves undone adds up over up to ten of them: at a
/// vertex with no way out but a loop, six times the tolerance, of ranks above 0.017.
fn single(kind: Kind, method: Method) {
    check_ranks::<f32>(kind, method, DeadEnds::Teleport, to(3e-7), 1e-3);
}

/// Without tolerances nothing is left out.
const EXACT_DF_P: Method =
    Method::DynamicFrontierPruning { frontier_tolerance: 0.0, prune_tolerance: 0.0 };

for_each_kind! {
    static_teleport: |kind| exact(kind, Method::Static, DeadEnds::Teleport);
    nd_teleport: |kind| exact(kind, Method::NaiveDynamic, DeadEnds::Teleport);
    nd_self_loops: |kind| exact(kind, Method::NaiveDynamic, DeadEnds::SelfLoops);
    nd_single: |kind| single(kind, Method::NaiveDynamic);
    dt_teleport: |kind| exact(kind, Method::DynamicTraversal, DeadEnds::Teleport);
    dt_self_loops: |kind| exact(kind, Method::DynamicTraversal, DeadEnds::SelfLoops);
    df_teleport: |kind| close(kind, Method::DF, DeadEnds::Teleport);
    df_self_loops: |kind| close(kind, Method::DF, DeadEnds::SelfLoops);
    dfp_teleport: |kind| close(kind, Method::DF_P, DeadEnds::Teleport);
    dfp_self_loops: |kind| close(kind, Method::DF_P, DeadEnds::SelfLoops);
    dfp_exact: |kind| exact(kind, EXACT_DF_P, DeadEnds::Teleport);
    dfp_single: |kind| single(kind, Method::DF_P);
}

#[test]
fn a_source_with_a_self_loop_is_affected_by_its_own_new_edge() {
    let options = Options { dead_ends: DeadEnds::SelfLoops, ..Options::default() };
    for method in [Method::DynamicTraversal, Method::DF, Method::DF_P] {
        for device in devices() {
            let graph = slab_graph::<()>(&device, 2, &[]);
            let mut tracked = graph.track(PageRank::<f64>::new(options, method)).expect("tracked");
            let edge = Edge { src: 0, dst: 1, weight: () };
            tracked.apply(&Batch::new().insert([edge])).expect("applied");
            let found = tracked.output().expect("ranks").ranks;
            let expected = oracle::pagerank(2, &[(0, 1)], options.damping, true);
            assert!((found[0] - expected[0]).abs() < 1e-9, "{method:?}: {found:?}");
        }
    }
}
