//! Triangles that follow batches which are hard on them: hubs, cliques, edges that share
//! triangles, and arcs that change nothing.

use std::collections::BTreeSet;

use meerkat::algos::triangles::Triangles;
use meerkat::prelude::*;
use meerkat::runtime::{Tracked, Update};

use super::oracle;
use super::support::devices;

type Arc = (u32, u32);

const OUT_ONLY: SlabOptions = SlabOptions::DEFAULT;
const WAYS: [SlabOptions; 3] =
    [OUT_ONLY, OUT_ONLY.oriented(Orientation::Both), OUT_ONLY.undirected()];

/// A graph whose triangles are followed, and the arcs that it has.
struct Followed {
    n: u32,
    undirected: bool,
    arcs: BTreeSet<Arc>,
    tracked: Tracked<SlabGraph, Triangles>,
}

impl Followed {
    fn new(device: &Device, n: u32, start: &[Arc], options: &SlabOptions) -> Self {
        let edges: Vec<_> = start.iter().copied().map(edge).collect();
        let graph = SlabGraph::from_edges(device, n, &edges, options).expect("a graph");
        let tracked = graph.track(Triangles).expect("counts");
        let undirected = options.direction == Direction::Undirected;
        let mut followed = Followed { n, undirected, arcs: BTreeSet::new(), tracked };
        start.iter().for_each(|&arc| followed.change(arc, true));
        followed.check("at first");
        followed
    }

    fn change(&mut self, (u, v): Arc, is_there: bool) {
        for arc in [(u, v), (v, u)].into_iter().take(1 + usize::from(self.undirected)) {
            if is_there {
                self.arcs.insert(arc)
            } else {
                self.arcs.remove(&arc)
            };
        }
    }

    /// Applies a batch and compares with an intersection of sets.
    fn apply(&mut self, batch: &Batch, when: &str) {
        for update in batch.updates() {
            match update {
                Update::Insert(edge) => self.change((edge.src, edge.dst), true),
                Update::Delete(edge) => self.change((edge.src, edge.dst), false),
            }
        }
        self.tracked.apply(batch).expect("a batch");
        self.check(when);
    }

    fn check(&self, when: &str) {
        let arcs: Vec<_> = self.arcs.iter().copied().collect();
        let expected = oracle::triangles_per_vertex(self.n, &arcs);
        let found = self.tracked.output().expect("counts");
        let way = self.tracked.graph().options();
        assert_eq!(found.per_vertex, expected, "{when}, {way:?}");
        assert_eq!(3 * found.total, expected.iter().sum::<u64>(), "{when}, {way:?}");
        let neighbors = oracle::neighbors(self.n, &arcs);
        let degrees: Vec<_> = neighbors.iter().map(|of| of.len() as u32).collect();
        assert_eq!(found.degrees, degrees, "{when}, {way:?}");
    }

    fn total(&self) -> u64 {
        self.tracked.output().expect("counts").total
    }
}

fn edge((src, dst): Arc) -> Edge {
    Edge { src, dst, weight: () }
}

fn insertion(arcs: impl IntoIterator<Item = Arc>) -> Batch {
    Batch::new().insert(arcs.into_iter().map(edge).collect::<Vec<_>>())
}

fn deletion(arcs: impl IntoIterator<Item = Arc>) -> Batch {
    Batch::new().delete(arcs.into_iter().map(edge).collect::<Vec<_>>())
}

/// Every device with every way to keep a graph.
fn each_way(check: impl Fn(&Device, &SlabOptions)) {
    for device in devices::own_devices() {
        WAYS.iter().for_each(|options| check(&device, options));
    }
}

fn clique(vertices: std::ops::Range<u32>) -> Vec<Arc> {
    vertices.clone().flat_map(|u| (vertices.start..u).map(move |v| (u, v))).collect()
}

#[test]
fn triangles_with_one_two_and_three_changed_edges_count_once() {
    // On a square with a diagonal, 0 1 2 and 0 2 3, and the ends 4 and 5.
    let start = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 0)];
    let one = [(1, 3)];
    let two = [(4, 0), (1, 4)];
    let three = [(4, 5), (5, 3), (3, 4)];
    each_way(|device, options| {
        let mut graph = Followed::new(device, 6, &start, options);
        assert_eq!(graph.total(), 2);
        for (arcs, total) in [(&one[..], 4), (&two, 5), (&three, 8)] {
            graph.apply(&insertion(arcs.iter().copied()), "inserted");
            assert_eq!(graph.total(), total);
        }
        let all = [&one[..], &two, &three].concat();
        graph.apply(&deletion(all.iter().map(|&(u, v)| (v, u)).chain(all.clone())), "deleted");
        assert_eq!(graph.total(), 2);
        graph.apply(&insertion(all), "all at once");
        assert_eq!(graph.total(), 8);
    });
}

#[test]
fn a_clique_of_90_comes_and_goes_whole_and_in_halves() {
    let arcs = clique(0..90);
    let (half, rest) = arcs.split_at(arcs.len() / 2);
    each_way(|device, options| {
        let mut graph = Followed::new(device, 100, &[], options);
        graph.apply(&insertion(arcs.iter().copied()), "whole");
        assert_eq!(graph.total(), 90 * 89 * 88 / 6);
        graph.apply(&deletion(half.iter().copied()), "half of it");
        graph.apply(&deletion(rest.iter().copied()), "nothing left");
        assert_eq!(graph.total(), 0);
        graph.apply(&insertion(rest.iter().copied()), "half of it again");
        graph.apply(&insertion(half.iter().copied()), "whole again");
    });
}

#[test]
fn a_hub_of_500_over_a_clique_of_40_is_cut_off_and_joined_again() {
    let spokes = || (1..=500).map(|v| (0, v));
    let start: Vec<_> = clique(1..41).into_iter().chain(spokes()).collect();
    let rim: Vec<_> = (40..500).map(|v| (v, v + 1)).collect();
    each_way(|device, options| {
        let mut graph = Followed::new(device, 501, &start, options);
        graph.apply(&insertion(rim.iter().copied()), "a rim");
        graph.apply(&deletion(spokes().filter(|(_, v)| v % 3 != 0)), "spokes gone");
        graph.apply(&insertion(spokes()), "spokes back");
        graph.apply(&deletion(spokes().chain(rim.iter().copied())), "the hub alone");
        assert_eq!(graph.total(), 40 * 39 * 38 / 6);
    });
}

#[test]
fn two_hubs_with_3000_common_neighbours_are_joined_parted_and_joined() {
    let start: Vec<_> = (2..3002).flat_map(|v| [(0, v), (v, 1)]).collect();
    each_way(|device, options| {
        let mut graph = Followed::new(device, 3002, &start, options);
        assert_eq!(graph.total(), 0);
        graph.apply(&insertion([(1, 0)]), "joined");
        assert_eq!(graph.total(), 3000);
        graph.apply(&deletion([(1, 0), (0, 7), (8, 1)]), "parted");
        assert_eq!(graph.total(), 0);
        graph.apply(&insertion([(0, 1), (0, 7)]), "joined again");
        assert_eq!(graph.total(), 2999);
    });
}

/// Both ends of the edges between hubs have long lists; of each of these edges one end is walked, by a block.
#[test]
fn triangles_of_edges_between_six_hubs_count_once() {
    const HUBS: u32 = 6;
    for device in devices::own_devices() {
        let device = device.with_schedule(Schedule::Hybrid);
        let leaves = if device.is_cuda() { 24_000 } else { 3000 };
        let n = HUBS + leaves;
        let spokes = (HUBS..n).flat_map(|leaf| (0..HUBS).map(move |hub| edge((leaf, hub))));
        let options = OUT_ONLY.undirected();
        let spokes: Vec<_> = spokes.collect();
        let graph = SlabGraph::from_edges(&device, n, &spokes, &options).expect("a graph");
        let mut tracked = graph.track(Triangles).expect("counts");
        let rim: Vec<_> = (HUBS..n).step_by(2).map(|leaf| (leaf, leaf + 1)).collect();
        let between: Vec<_> = clique(0..HUBS);
        let mut check = |batch: &Batch, has_rim: bool, is_joined: bool| {
            tracked.apply(batch).expect("a batch");
            let [rim, pairs] = [has_rim, is_joined].map(u64::from);
            let of_hub = rim * u64::from(leaves) / 2 + pairs * (5 * u64::from(leaves) + 10);
            let of_leaf = rim * 6 + pairs * 15;
            let found = tracked.output().expect("counts").per_vertex;
            let expected = (0..n).map(|v| if v < HUBS { of_hub } else { of_leaf });
            assert!(found.iter().copied().eq(expected), "{has_rim} {is_joined}: {:?}", &found[..9]);
        };
        check(&insertion(rim.iter().chain(&between).copied()), true, true);
        check(&deletion(between.iter().copied()), true, false);
        check(&deletion(rim.iter().copied()), false, false);
        check(&insertion(between.iter().copied()), false, true);
        check(&insertion(rim.iter().copied()), true, true);
        check(&deletion(rim.iter().chain(&between).copied()), false, false);
    }
}

#[test]
fn an_edge_is_there_as_long_as_one_of_its_arcs() {
    let start = [(0, 1), (1, 0), (1, 2), (2, 0)];
    for device in devices::own_devices() {
        for options in &WAYS[..2] {
            let mut graph = Followed::new(&device, 4, &start, options);
            let steps = [
                (deletion([(0, 1)]), 1),
                (insertion([(0, 1)]), 1),
                (deletion([(0, 1), (1, 0)]), 0),
                (insertion([(1, 0), (0, 1)]), 1),
                (insertion([(0, 2), (2, 1)]), 1),
                (deletion([(2, 0), (1, 2), (1, 0)]), 1),
                (deletion([(0, 1), (2, 1), (0, 2)]), 0),
            ];
            for (step, (batch, total)) in steps.iter().enumerate() {
                graph.apply(batch, &format!("step {step}"));
                assert_eq!(graph.total(), *total, "step {step}");
            }
        }
    }
}

#[test]
fn loops_repeats_and_edges_that_come_and_go_in_one_batch_leave_no_trace() {
    let start = [(0, 1), (1, 2), (2, 0), (3, 3)];
    let edges = |arcs: &[Arc]| arcs.iter().copied().map(edge).collect::<Vec<_>>();
    each_way(|device, options| {
        let mut graph = Followed::new(device, 5, &start, options);
        graph.apply(&insertion([(0, 0), (1, 1), (0, 1), (0, 1)]), "loops and repeats");
        graph.apply(&deletion([(0, 0), (3, 3), (3, 4), (3, 4)]), "loops and nothing");
        let both = [(0, 1), (1, 2)];
        let back = Batch::new().delete(edges(&both)).insert(edges(&both));
        graph.apply(&back, "deleted and inserted");
        let gone = Batch::new().insert(edges(&[(3, 0), (3, 1)])).delete(edges(&[(3, 0), (3, 1)]));
        graph.apply(&gone, "inserted and deleted");
        assert_eq!(graph.total(), 1);
        let moved = Batch::new().delete(edges(&[(2, 0)])).insert(edges(&[(2, 3), (3, 0), (1, 3)]));
        graph.apply(&moved, "one triangle for another");
        graph.apply(&insertion([(2, 0), (0, 2), (2, 2), (0, 2)]), "there and back");
        assert_eq!(graph.total(), 4);
    });
}

#[test]
fn an_edge_with_a_new_weight_closes_the_same_triangles() {
    let edge = |src, dst, weight| Edge { src, dst, weight };
    let start = [edge(0, 1, 5u32), edge(1, 2, 5), edge(2, 0, 5), edge(0, 2, 7)];
    for device in devices::own_devices() {
        for options in [OUT_ONLY, OUT_ONLY.undirected()] {
            let graph = SlabGraph::from_edges(&device, 3, &start, &options).expect("a graph");
            let mut tracked = graph.track(Triangles).expect("counts");
            tracked.apply(&Batch::new().insert([edge(2, 0, 9), edge(0, 1, 1)])).expect("a batch");
            let found = tracked.output().expect("counts");
            assert_eq!((found.total, found.per_vertex), (1, vec![1, 1, 1]), "{options:?}");
        }
    }
}

/// More than a quarter of the edges come, then go: they are counted again, and not followed.
#[test]
fn a_batch_of_a_large_part_of_the_edges_is_counted_again() {
    let arc = |i: u32| (i % 150, (i % 150 + 1 + i / 150) % 150);
    let (first, more): (Vec<_>, Vec<_>) =
        ((0..1_000).map(arc).collect(), (1_000..6_000).map(arc).collect());
    for device in devices::devices() {
        for options in &WAYS {
            let mut followed = Followed::new(&device, 150, &first, options);
            let edges: Vec<_> = more.iter().copied().map(edge).collect();
            followed.apply(&Batch::new().insert(&edges), "after most have come");
            followed.apply(&Batch::new().delete(&edges[..10]), "after some have gone");
            followed.apply(&Batch::new().delete(&edges), "after most have gone");
            followed.apply(&Batch::new().insert(&edges[..10]), "after some have come");
        }
    }
}
