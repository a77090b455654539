//! PageRank.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use meerkat::algos::pagerank::{DeadEnds, Norm, Options, Ranks, Stop, ranks};
use meerkat::prelude::*;
use meerkat::runtime::ErrorKind;
use meerkat::runtime::graph::Compaction;

use super::support::expected::{Graph, PageRank};
use super::support::graphs::{Input, slab_graph};
use super::support::{data_folder, devices, graphs_folder, say};
use super::{check_folder, oracle, random_graphs};

#[test]
fn pagerank_of_the_graphs_of_the_repository() {
    for device in devices::devices() {
        check_folder("pagerank", &graphs_folder(), &device, cost, compare);
    }
}

#[test]
fn pagerank_of_large_graphs() {
    for device in devices::devices() {
        check_folder("pagerank", &data_folder(), &device, cost, compare);
    }
}

fn cost(graph: &Graph) -> u64 {
    (graph.n + graph.m_arcs) * u64::from(graph.pagerank.iterations)
}

/// The same number of steps, sum 1, and the same 20 best within what the answers
/// themselves are certain of.
fn compare(input: &Input, expected: &Graph, device: &Device) -> Vec<String> {
    let graph = input.build(device);
    let rows = RowGraph::of(&graph).expect("rows");
    let of_slabs: Ranks<f64> = ranks(&graph, &Options::default()).expect("ranks");
    let of_rows: Ranks<f64> = ranks(&rows, &Options::default()).expect("ranks");
    let compact = CompactGraph::of(&graph).expect("compact slabs");
    let of_compact: Ranks<f64> = ranks(&compact, &Options::default()).expect("ranks");
    let blocks = BlockGraph::of(&graph).expect("block arrays");
    let of_blocks: Ranks<f64> = ranks(&blocks, &Options::default()).expect("ranks");
    let mut all = Vec::new();
    for (container, found) in [
        ("slabs", of_slabs),
        ("rows", of_rows),
        ("compact slabs", of_compact),
        ("block arrays", of_blocks),
    ] {
        let mut found_here = differences(input, &found, &expected.pagerank, 6e-12);
        if found.iterations != expected.pagerank.iterations {
            found_here.push(format!("{} steps", found.iterations));
        }
        all.extend(found_here.into_iter().map(|difference| format!("{container}: {difference}")));
    }
    all
}

/// Where sum and the 20 best differ by more than `tolerance`.
pub(crate) fn differences(
    input: &Input,
    found: &Ranks<f64>,
    expected: &PageRank,
    tolerance: f64,
) -> Vec<String> {
    let mut differences = Vec::new();
    // In parts: added one by one, thousands of equal ranks are all rounded alike.
    let sum: f64 = found.ranks.chunks(128).map(|part| part.iter().sum::<f64>()).sum();
    if (sum - expected.sum).abs() > 1e-12 {
        differences.push(format!("the sum is {sum:e}"));
    }
    let mut order: Vec<u32> = (0..input.simple.n).collect();
    order.sort_by(|&a, &b| found.ranks[b as usize].total_cmp(&found.ranks[a as usize]));
    for (&vertex, &(id, rank)) in order.iter().zip(&expected.top20) {
        let at_this_place = found.ranks[vertex as usize];
        let of_this_vertex = found.ranks[input.file.ids.vertex_of(id).expect("an id") as usize];
        let difference = (at_this_place - rank).abs().max((of_this_vertex - rank).abs());
        if difference > tolerance {
            differences.push(format!("{id} has {of_this_vertex:e} for {rank:e}"));
        }
    }
    differences
}

/// The largest difference to the ranks of an independent program.
fn error<R: Float>(device: &Device, n: u32, arcs: &[(u32, u32)], options: &Options) -> f64 {
    let graph = slab_graph::<()>(device, n, arcs);
    let rows = RowGraph::of(&graph).expect("rows");
    let of_slabs: Ranks<R> = ranks(&graph, options).expect("ranks");
    let of_rows: Ranks<R> = ranks(&rows, options).expect("ranks");
    let compact = CompactGraph::of(&graph).expect("compact slabs");
    let of_compact: Ranks<R> = ranks(&compact, options).expect("ranks");
    let blocks = BlockGraph::of(&graph).expect("block arrays");
    let of_blocks: Ranks<R> = ranks(&blocks, options).expect("ranks");
    let loops = options.dead_ends == DeadEnds::SelfLoops;
    let expected = oracle::pagerank(n, arcs, options.damping, loops);
    let errors = [of_slabs, of_rows, of_compact, of_blocks].into_iter().flat_map(|found| {
        let pairs = found.ranks.into_iter().zip(&expected);
        pairs.map(|(rank, expected)| (rank.to_f64() - expected).abs()).collect::<Vec<_>>()
    });
    errors.fold(0.0, f64::max)
}

#[test]
fn pagerank_of_random_graphs_solves_the_linear_system() {
    for device in devices::devices() {
        for (n, arcs) in random_graphs() {
            for dead_ends in [DeadEnds::Teleport, DeadEnds::SelfLoops] {
                for (damping, norm) in [(0.85, Norm::L1), (0.5, Norm::LInfinity)] {
                    let stop = |tolerance| Stop::Change { tolerance, norm, max_iterations: 500 };
                    let options = Options { damping, dead_ends, stop: stop(1e-12) };
                    let double = error::<f64>(&device, n, &arcs, &options);
                    assert!(double < 1e-11, "{n} vertices, {options:?}: {double:e}");
                    let options = Options { stop: stop(1e-5), ..options };
                    let single = error::<f32>(&device, n, &arcs, &options);
                    assert!(single < 1e-4, "{n} vertices, {options:?}: {single:e}");
                }
            }
        }
    }
}

#[test]
fn pagerank_without_convergence_or_with_a_bad_damping_is_an_error() {
    let device = Device::cpu();
    let graph = slab_graph::<()>(&device, 3, &[(0, 1)]);
    let kind = |options: &Options| match ranks::<f32, _>(&graph, options) {
        Ok(found) => panic!("{found:?}"),
        Err(error) => error.to_string(),
    };
    let stop = Stop::Change { tolerance: 1e-12, norm: Norm::L1, max_iterations: 2 };
    let message = kind(&Options { stop, ..Options::default() });
    assert!(message.starts_with("after 2 steps the change is"), "{message}");
    // Without a step nothing is known to be small.
    let stop = Stop::Change { tolerance: 1e-12, norm: Norm::L1, max_iterations: 0 };
    let message = kind(&Options { stop, ..Options::default() });
    assert!(message.starts_with("after 0 steps the change is inf"), "{message}");
    for damping in [1.0, -0.1, f64::NAN] {
        let options = Options { damping, ..Options::default() };
        let error = ranks::<f64, _>(&graph, &options).expect_err("a bad damping");
        assert!(matches!(error.kind(), ErrorKind::Damping { .. }), "{error}");
    }
}

#[test]
fn pagerank_in_single_precision_settles_on_a_star() {
    let arcs: Vec<_> = (1..44).flat_map(|v| [(0, v), (v, 0)]).collect();
    let stop = Stop::Change { tolerance: 1e-6, norm: Norm::LInfinity, max_iterations: 200 };
    let options = Options { stop, ..Options::default() };
    for device in devices::devices() {
        let off = error::<f32>(&device, 44, &arcs, &options);
        assert!(off < 1e-5, "{off:e}");
    }
}

#[test]
fn pagerank_of_small_graphs_known_by_hand() {
    for device in devices::devices() {
        let of = |n, arcs: &[(u32, u32)]| {
            let graph = slab_graph::<()>(&device, n, arcs);
            ranks::<f64, _>(&graph, &Options::default()).expect("ranks").ranks
        };
        assert!(of(0, &[]).is_empty());
        assert_eq!(of(1, &[]), [1.0]);
        // Nobody links to anybody: all are alike, and so are those on a ring.
        assert!(of(8, &[]).iter().all(|&rank| (rank - 0.125).abs() < 1e-15));
        let ring: Vec<_> = (0..8).map(|v| (v, (v + 1) % 8)).collect();
        assert!(of(8, &ring).iter().all(|&rank| (rank - 0.125).abs() < 1e-15));
    }
}

#[test]
fn pagerank_is_what_ldbc_publishes_after_as_many_steps() {
    for device in devices::devices() {
        let folder = data_folder().join("ldbc");
        let graphs = [("test-pr-undirected", false), ("example-directed", true)];
        let there = graphs.iter().filter(|(name, directed)| {
            let folder = folder.join(name);
            folder.exists() && {
                check_ldbc(&folder.join(name), *directed, &device);
                true
            }
        });
        let count = there.count();
        say(&format!("pagerank equals {count} published outputs of LDBC, on {}", device.name()));
    }
}

fn check_ldbc(file: &Path, directed: bool, device: &Device) {
    let properties = fs::read_to_string(file.with_extension("properties")).expect("properties");
    let property = |name: &str| {
        let line = properties.lines().find(|line| line.contains(name)).expect("a property");
        line.rsplit('=').next().expect("a value").trim().to_owned()
    };
    let steps = property("pr.num-iterations").parse().expect("a number");
    let damping = property("pr.damping-factor").parse().expect("a number");
    let input = Input::read(&file.with_extension("e"), directed);
    let options = Options { damping, stop: Stop::Steps(steps), ..Options::default() };
    let graph = input.build(device);
    let found: Ranks<f64> = ranks(&graph, &options).expect("ranks");
    let published = fs::read_to_string(format!("{}-PR", file.display())).expect("LDBC's output");
    assert_eq!(published.lines().count(), found.ranks.len());
    for line in published.lines() {
        let (id, rank) = line.split_once(' ').expect("`id rank`");
        let rank: f64 = rank.parse().expect("a rank");
        let vertex = input.file.ids.vertex_of(id.parse().expect("an id")).expect("a vertex");
        let difference = (found.ranks[vertex as usize] - rank).abs() / rank;
        // LDBC's reference is single precision here and there.
        assert!(difference < 1e-7, "{id}: {difference:e}");
    }
}

/// Thousands of equal shares, added one after another, were so far off that no step was within the tolerance.
#[test]
fn ranks_around_a_hub_of_equal_neighbours_converge() {
    let usual = SlabOptions::DEFAULT.undirected();
    // One list for all neighbours of the hub, or as many as it had when it was small.
    let unhashed = SlabOptions { hashing: false, ..usual };
    let kept = SlabOptions { compaction: Compaction::OnDemand, ..usual };
    let ways = [(usual, 20_000u32), (usual, 100_000), (unhashed, 20_000), (kept, 20_000)];
    for device in devices::devices() {
        for (options, leaves) in ways {
            let spokes: Vec<_> =
                (1..=leaves).map(|v| Edge { src: 0, dst: v, weight: () }).collect();
            let mut graph =
                SlabGraph::from_edges(&device, leaves + 1, &[], &options).expect("a graph");
            graph.apply(&Batch::new().insert(spokes)).expect("a batch");
            let found = ranks::<f64, _>(&graph, &Options::default()).expect("ranks");
            let (n, damping) = (f64::from(leaves) + 1.0, 0.85);
            // The hub gets all that the leaves pass on, and each leaf an equal part of what it passes.
            let base = (1.0 - damping) / n;
            let hub = (base + damping * f64::from(leaves) * base) / (1.0 - damping * damping);
            let leaf = base + damping * hub / f64::from(leaves);
            assert!((found.ranks[0] - hub).abs() < 1e-11, "{} for {hub}", found.ranks[0]);
            let is_leaf = |rank: &f64| (rank - leaf).abs() < 1e-11 / n;
            assert!(found.ranks[1..].iter().all(is_leaf), "{leaves} leaves");
        }
    }
}

#[test]
fn ranks_that_follow_a_hub_of_equal_neighbours_keep_their_tolerance() {
    use meerkat::algos::pagerank::{Method, PageRank};
    let method = Method::DynamicFrontierPruning { frontier_tolerance: 1e-6, prune_tolerance: 1e-6 };
    for device in devices::devices() {
        let options = SlabOptions::DEFAULT.undirected();
        let graph = SlabGraph::<()>::from_edges(&device, 12_001, &[], &options).expect("a graph");
        let mut followed =
            graph.track(PageRank::<f64>::new(Options::default(), method)).expect("ranks");
        for first in (1..=12_000).step_by(3_000) {
            let spokes: Vec<_> =
                (first..first + 3_000).map(|v| Edge { src: 0, dst: v, weight: () }).collect();
            followed.apply(&Batch::new().insert(spokes)).expect("a batch");
        }
        let (found, graph) = (followed.output().expect("ranks"), followed.graph());
        let scratch = ranks::<f64, _>(graph, &Options::default()).expect("ranks");
        let error: f64 = found.ranks.iter().zip(&scratch.ranks).map(|(a, b)| (a - b).abs()).sum();
        assert!(error <= found.error_bound + scratch.error_bound, "{error:e}");
    }
}

/// A few affected vertices went on until changes were as small as the tolerances of the method, although
/// all ranks were within the one asked for: on a road network for ten times as long.
#[test]
fn steps_of_few_end_once_all_changes_may_stay_out() {
    use meerkat::algos::pagerank::{Method, PageRank};
    const WIDTH: u32 = 120;
    let arc = |src, dst| Edge { src, dst, weight: () };
    let cells = || (0..WIDTH * WIDTH).filter(|v| v % WIDTH + 1 < WIDTH && v / WIDTH + 1 < WIDTH);
    let grid: Vec<_> = cells().flat_map(|v| [arc(v, v + 1), arc(v, v + WIDTH)]).collect();
    let stop = Stop::Change { tolerance: 1e-9, norm: Norm::LInfinity, max_iterations: 1000 };
    for device in devices::devices() {
        for dead_ends in [DeadEnds::SelfLoops, DeadEnds::Teleport] {
            let asked = Options { stop, dead_ends, ..Options::default() };
            let steps_with = |tolerance: f64| {
                let method = Method::DynamicFrontierPruning {
                    frontier_tolerance: tolerance,
                    prune_tolerance: tolerance,
                };
                let options = SlabOptions::DEFAULT.undirected();
                let graph = SlabGraph::from_edges(&device, WIDTH * WIDTH, &grid, &options);
                let graph = graph.expect("a graph");
                let mut followed = graph.track(PageRank::<f64>::new(asked, method)).expect("ranks");
                let mut steps = 0;
                for at in [60 * WIDTH + 60, 30 * WIDTH + 90] {
                    let batch = Batch::new().delete([arc(at, at + 1)]).insert([arc(at, at + 500)]);
                    followed.apply(&batch).expect("a batch");
                    let found = followed.output().expect("ranks");
                    let scratch = ranks::<f64, _>(followed.graph(), &asked).expect("ranks");
                    let pairs = found.ranks.iter().zip(&scratch.ranks);
                    let error: f64 = pairs.map(|(a, b)| (a - b).abs()).sum();
                    assert!(error <= found.error_bound + scratch.error_bound, "{error:e}");
                    steps += found.iterations;
                }
                steps
            };
            // Of a change of 1e-5 of a rank, which may stay out here, 1e-13 are left after 113 steps more.
            let (usual, fine) = (steps_with(1e-5), steps_with(1e-13));
            assert!(fine <= usual + 20, "{fine} steps instead of {usual}, {dead_ends:?}");
        }
    }
}

/// Five vertices with arcs to more than there are vertices: those whom a batch at them affects are not listed
/// then. A batch at one of them, and one elsewhere, are followed from where that left the ranks.
#[test]
fn ranks_follow_batches_whose_sources_reach_everybody() {
    use meerkat::algos::pagerank::{Method, PageRank};
    const N: u32 = 2000;
    let tolerance = 1e-6;
    let pruning = Method::DynamicFrontierPruning {
        frontier_tolerance: tolerance,
        prune_tolerance: tolerance,
    };
    let arc = |(src, dst)| Edge { src, dst, weight: () };
    let ring = (0..N).map(|v| (v, (v * 7 + 1) % N));
    let spokes = (0..5).flat_map(|hub| (5..N).filter(move |v| v % 5 != hub).map(move |v| (hub, v)));
    let start: BTreeSet<_> = ring.chain(spokes).collect();
    let more: Vec<_> = (0..5).map(|hub| (hub, 10 + hub)).collect();
    let stops = [Options::default().stop, Stop::Steps(0), Stop::Steps(1), Stop::Steps(3)];
    let frontier = Method::DynamicFrontier { frontier_tolerance: tolerance };
    let cases =
        [(frontier, 0), (pruning, 0), (frontier, 1), (pruning, 1), (pruning, 2), (pruning, 3)];
    for device in devices::devices() {
        for ((method, stop), damping) in
            cases.into_iter().flat_map(|case| [(case, 0.85), (case, 0.2)])
        {
            let ranks = Options { stop: stops[stop], damping, ..Options::default() };
            let options = SlabOptions::DEFAULT.oriented(Orientation::Both);
            let edges: Vec<_> = start.iter().copied().map(arc).collect();
            let graph = SlabGraph::from_edges(&device, N, &edges, &options).expect("a graph");
            let mut arcs = start.clone();
            let mut followed = graph.track(PageRank::<f64>::new(ranks, method)).expect("ranks");
            let mut check = |deleted: &[(u32, u32)], inserted: &[(u32, u32)]| {
                deleted.iter().for_each(|arc| assert!(arcs.remove(arc), "{arc:?}"));
                arcs.extend(inserted);
                let edges = |arcs: &[(u32, u32)]| arcs.iter().copied().map(arc).collect::<Vec<_>>();
                let batch = Batch::new().delete(edges(deleted)).insert(edges(inserted));
                followed.apply(&batch).expect("a batch");
                let found = followed.output().expect("ranks");
                let arcs: Vec<_> = arcs.iter().copied().collect();
                let expected = oracle::pagerank(N, &arcs, damping, false);
                let pairs = found.ranks.iter().zip(&expected);
                let error: f64 = pairs.map(|(a, b)| (a - b).abs()).sum();
                let case =
                    format!("{method:?}, {stop}, {damping}: {error:e}, {}", found.error_bound);
                assert!(error <= found.error_bound + 1e-9, "{case}");
                assert!(stop > 0 || found.error_bound < 1e-5, "{case}");
            };
            check(&[], &more);
            check(&[(0, 6), (1, 7), (2, 8)], &[]);
            check(&[more[3]], &[]);
            check(&[(100, 701)], &[(100, 7), (9, 900)]);
            check(&more[..3], &[(0, 6), (1, 7), (2, 8)]);
        }
    }
}

/// While the dead ends' part is held, ranks add up to more than 1. Then shares that were rounded to 2^-52 were
/// all off in one direction, by more than the bound that came with the ranks.
#[test]
fn a_hub_whose_ranks_add_up_to_more_than_2_keeps_its_bound() {
    use meerkat::algos::pagerank::{Method, PageRank};
    const LEAVES: u32 = 120_000;
    let (a, b, n) = (LEAVES, LEAVES + 1, LEAVES + 2);
    let arc = |src, dst| Edge { src, dst, weight: () };
    let stop = Stop::Change { tolerance: 1e-13, norm: Norm::L1, max_iterations: 1000 };
    let ranks = Options { stop, ..Options::default() };
    let method = Method::DynamicFrontier { frontier_tolerance: 1e-13 };
    let options = SlabOptions::DEFAULT.oriented(Orientation::Both);
    for device in devices::devices() {
        let graph = SlabGraph::<()>::from_edges(&device, n, &[], &options).expect("a graph");
        let mut followed = graph.track(PageRank::<f64>::new(ranks, method)).expect("ranks");
        followed.apply(&Batch::new().insert([arc(b, a), arc(a, b)])).expect("a batch");
        for part in 0..4 {
            let of_part = part * (LEAVES / 4)..(part + 1) * (LEAVES / 4);
            let edges: Vec<_> = of_part.map(|leaf| arc(leaf, a)).collect();
            followed.apply(&Batch::new().insert(edges)).expect("a batch");
        }
        let found = followed.output().expect("ranks");
        // By hand: every leaf has `x`, what is left is a circle of two; all divided by their sum.
        let (d, leaves) = (ranks.damping, f64::from(LEAVES));
        let of_a = (1.0 + d + d * leaves) / (1.0 - d * d);
        let of_b = 1.0 + d * of_a;
        let sum = leaves + of_a + of_b;
        let off = |v: u32, rank: f64| (found.ranks[v as usize] - rank / sum).abs();
        let error =
            (0..LEAVES).map(|leaf| off(leaf, 1.0)).sum::<f64>() + off(a, of_a) + off(b, of_b);
        let bound = found.error_bound;
        assert!(error <= bound + 1e-13 && bound < 2e-12, "{error:e} of {bound:e}");
    }
}

/// Where all steps asked for were done, ranks that were far off had a bound of 0.
#[test]
fn the_error_of_ranks_after_a_given_number_of_steps_is_within_its_bound() {
    use meerkat::algos::pagerank::{Method, PageRank};
    let edge = |src, dst| Edge { src, dst, weight: () };
    let both = SlabOptions::DEFAULT.oriented(Orientation::Both);
    let methods = [
        Method::Static,
        Method::NaiveDynamic,
        Method::DynamicTraversal,
        Method::DynamicFrontier { frontier_tolerance: 1e-6 },
        Method::DynamicFrontierPruning { frontier_tolerance: 1e-6, prune_tolerance: 1e-6 },
    ];
    for device in devices::devices() {
        for (method, steps) in
            methods.into_iter().flat_map(|method| [(method, 0), (method, 1), (method, 3)])
        {
            let start = [edge(0, 1), edge(1, 2), edge(2, 0), edge(2, 3), edge(5, 6), edge(6, 5)];
            let graph = SlabGraph::from_edges(&device, 8, &start, &both).expect("a graph");
            let options = Options { stop: Stop::Steps(steps), ..Options::default() };
            let mut followed = graph.track(PageRank::<f64>::new(options, method)).expect("ranks");
            for batch in [
                Batch::new().insert([edge(3, 4), edge(4, 5)]),
                Batch::new().delete([edge(2, 0)]).insert([edge(7, 1)]),
            ] {
                followed.apply(&batch).expect("a batch");
                let found = followed.output().expect("ranks");
                let exact = ranks::<f64, _>(followed.graph(), &Options::default()).expect("ranks");
                let error: f64 =
                    found.ranks.iter().zip(&exact.ranks).map(|(a, b)| (a - b).abs()).sum();
                let bound = found.error_bound + exact.error_bound + 1e-14;
                assert!(error <= bound, "{method:?}, {steps} steps: {error:e} and {bound:e}");
            }
            let scratch = ranks::<f64, _>(followed.graph(), &options).expect("ranks");
            let exact = ranks::<f64, _>(followed.graph(), &Options::default()).expect("ranks");
            let error: f64 =
                scratch.ranks.iter().zip(&exact.ranks).map(|(a, b)| (a - b).abs()).sum();
            assert!(error <= scratch.error_bound + exact.error_bound, "{steps} steps");
        }
    }
}
