//! Batches that tear off so much of a tree that it is computed again, at the end of the batch, and those
//! just below that. The batch after it is followed.

use crate::support::devices::devices;
use crate::support::dijkstra::{dijkstra, tree_flaws};
use meerkat::algos::bfs::Bfs;
use meerkat::algos::sssp::Sssp;
use meerkat::algos::tree::{self, PathTree};
use meerkat::prelude::*;
use meerkat::runtime::Tuning;

const BOTH: SlabOptions = SlabOptions::DEFAULT.oriented(Orientation::Both);
const OUT: SlabOptions = SlabOptions::DEFAULT;

type Arcs = Vec<(u32, u32)>;

/// A source with 8,000 children, who have a child each, and a long way round to some of them.
fn broad() -> Arcs {
    let children = (1..8001).flat_map(|v| [(0, v), (v, v + 8000)]);
    children.chain((16001..16010).map(|v| (v, v + 1))).chain([(0, 16001), (16010, 1)]).collect()
}

/// A path of 12,000 vertices, with a way around each third edge.
fn long() -> Arcs {
    let path = (0..12_000).map(|v| (v, v + 1));
    path.chain((0..12_000).step_by(3).flat_map(|v| [(v, 12_001 + v), (12_001 + v, v + 1)]))
        .collect()
}

fn edges_of<W: Weight>(arcs: impl IntoIterator<Item = (u32, u32)>) -> Vec<Edge<W>> {
    let weight = |src, dst| W::from_bits((src * 7 + dst * 3) % 5 + 1);
    arcs.into_iter().map(|(src, dst)| Edge { src, dst, weight: weight(src, dst) }).collect()
}

/// Whether deletions of these leave a torn tree, and whether two batches are followed all the same.
fn check<W: Weight + tree::Length<W>>(
    arcs: &Arcs,
    leaving: &[(u32, u32)],
    is_torn: bool,
    mut follow: impl FnMut(SlabGraph<W>, [Batch<W>; 2]),
) {
    let vertices = arcs.iter().map(|arc| arc.0.max(arc.1)).max().map_or(0, |last| last + 1);
    for (device, options) in devices()
        .into_iter()
        .flat_map(|device| [BOTH, OUT].map(move |options| (device.clone(), options)))
    {
        let edges = edges_of(arcs.iter().copied());
        let graph = || SlabGraph::<W>::from_edges(&device, vertices, &edges, &options);
        let leaving = edges_of(leaving.iter().copied());
        let mut changed = graph().expect("a graph");
        let mut tree = PathTree::compute::<W, W>(&changed, 0).expect("a tree");
        let change = changed.apply(&Batch::new().delete(leaving.clone())).expect("a batch");
        tree.on_delete::<W, W>(&changed, change.deleted()).expect("a deletion");
        assert_eq!(tree.is_torn(), is_torn, "{} edges", leaving.len());
        tree.on_insert::<W, W>(&changed, change.deleted()).expect("an insertion");
        let again = edges_of([(0, 3), (5, 7), (2, 9)]);
        let batches =
            [Batch::new().delete(leaving).insert(again.clone()), Batch::new().delete(again)];
        follow(graph().expect("a graph"), batches);
    }
}

fn follow_levels(graph: SlabGraph<()>, batches: [Batch<()>; 2]) {
    let mut tracked = graph.track(Bfs::from_source(0)).expect("tracked");
    for batch in batches {
        tracked.apply(&batch).expect("a batch");
        let edges = tracked.graph().to_edges().expect("edges");
        let (found, n) = (tracked.output().expect("an answer"), tracked.graph().vertex_count());
        assert_eq!(found.levels, dijkstra(n, &edges, 0));
        assert_eq!(tree_flaws(&edges, 0, &found.levels, &found.parents), [""; 0]);
    }
}

fn follow_distances(graph: SlabGraph<u32>, batches: [Batch<u32>; 2]) {
    let mut tracked = graph.track(Sssp::from_source(0)).expect("tracked");
    for batch in batches {
        tracked.apply(&batch).expect("a batch");
        let edges = tracked.graph().to_edges().expect("edges");
        let (found, n) = (tracked.output().expect("an answer"), tracked.graph().vertex_count());
        assert_eq!(found.distances, dijkstra(n, &edges, 0));
        assert_eq!(tree_flaws(&edges, 0, &found.distances, &found.parents), [""; 0]);
    }
}

/// All thresholds of one value.
fn odd(value: u32) -> Tuning {
    Tuning {
        rounds_ahead: value,
        threads_ahead: value,
        large_level: value,
        forward_cost: value,
        pace: 0,
        rounds_out_of_order: value,
        idle_frontier: value,
        torn_levels: value,
        torn_distances: value,
        torn_deep: value,
        torn_cuts: value,
    }
}

/// A batch that deletes some edges and inserts others, and one that takes these back.
fn batches_of<W: Weight>(leaving: &[(u32, u32)], again: &[(u32, u32)]) -> [Batch<W>; 2] {
    let (leaving, again) = (edges_of(leaving.to_vec()), edges_of(again.to_vec()));
    [Batch::new().delete(leaving).insert(again.clone()), Batch::new().delete(again)]
}

/// No threshold changes an answer, however odd.
#[test]
fn searches_under_odd_thresholds_follow_batches_all_the_same() {
    let (least, most) = (odd(1), odd(u32::MAX));
    let unordered = Tuning { rounds_out_of_order: 0, idle_frontier: 0, ..Tuning::DEFAULT };
    let pace = Tuning { pace: 1, ..least };
    for (device, tuning) in devices().into_iter().flat_map(|device| {
        [least, most, unordered, pace].map(move |tuning| (device.clone(), tuning))
    }) {
        let device = device.with_tuning(tuning);
        for arcs in [broad(), long()] {
            let vertices = arcs.iter().map(|arc| arc.0.max(arc.1)).max().map_or(0, |last| last + 1);
            let leaving: Vec<_> = arcs.iter().copied().step_by(37).collect();
            let again = [(0, vertices - 1), (0, vertices / 2)];
            let levels = SlabGraph::from_edges(&device, vertices, &edges_of(arcs.clone()), &BOTH);
            follow_levels(levels.expect("a graph"), batches_of(&leaving, &again));
            let lengths = SlabGraph::from_edges(&device, vertices, &edges_of(arcs), &BOTH);
            follow_distances(lengths.expect("a graph"), batches_of(&leaving, &again));
        }
    }
}

#[test]
fn levels_below_a_source_that_lost_its_children_are_computed_again() {
    let from_source = |range: std::ops::Range<u32>| range.map(|v| (0, v)).collect::<Vec<_>>();
    check::<()>(&broad(), &from_source(1..5000), true, follow_levels);
    check::<()>(&broad(), &from_source(1..2500), true, follow_levels);
    check::<()>(&broad(), &from_source(1..1000), false, follow_levels);
}

#[test]
fn levels_along_a_path_that_is_cut_in_many_places_are_computed_again() {
    let cuts = |step| (0..12_000).step_by(step).map(|v| (v, v + 1)).collect::<Vec<_>>();
    check::<()>(&long(), &cuts(30), true, follow_levels);
    check::<()>(&long(), &cuts(3000), false, follow_levels);
}

#[test]
fn distances_are_computed_again_where_half_of_a_broad_tree_is_torn_off() {
    let from_source = |range: std::ops::Range<u32>| range.map(|v| (0, v)).collect::<Vec<_>>();
    check::<u32>(&broad(), &from_source(1..7000), true, follow_distances);
    check::<u32>(&broad(), &from_source(1..2500), false, follow_distances);
    let cuts: Vec<_> = (0..12_000).step_by(30).map(|v| (v, v + 1)).collect();
    check::<u32>(&long(), &cuts, false, follow_distances);
}
