//! k-trusses that follow batches which are hard on them: one edge that brings a whole truss in or
//! takes it out, edges of one triangle that come and go at once, and arcs that change nothing.

use std::collections::BTreeSet;

use meerkat::algos::truss::KTruss;
use meerkat::prelude::*;
use meerkat::runtime::ErrorKind;
use meerkat::runtime::{Tracked, Update};

use super::oracle::trussness;
use super::support::devices;
use super::truss::{by_edge, clique, k_truss};

type Arc = (u32, u32);

const WAYS: [SlabOptions; 3] = [
    SlabOptions::DEFAULT,
    SlabOptions::DEFAULT.oriented(Orientation::Both),
    SlabOptions::DEFAULT.undirected(),
];

/// A graph whose truss is followed, and the arcs that it has.
struct Followed {
    n: u32,
    arcs: BTreeSet<Arc>,
    tracked: Tracked<SlabGraph, KTruss>,
}

impl Followed {
    fn new(device: &Device, n: u32, k: u32, start: &[Arc], options: &SlabOptions) -> Self {
        let edges: Vec<_> = start.iter().copied().map(edge).collect();
        let graph = SlabGraph::from_edges(device, n, &edges, options).expect("a graph");
        let tracked = graph.track(KTruss::new(k)).expect("a truss");
        let mut followed = Followed { n, arcs: BTreeSet::new(), tracked };
        start.iter().for_each(|&arc| followed.change(arc, true));
        followed.check("at first");
        followed
    }

    fn change(&mut self, (u, v): Arc, is_there: bool) {
        let both = if self.tracked.graph().is_undirected() { 2 } else { 1 };
        for arc in [(u, v), (v, u)].into_iter().take(both) {
            if is_there {
                self.arcs.insert(arc)
            } else {
                self.arcs.remove(&arc)
            };
        }
    }

    /// Applies a batch and compares with naive peeling.
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
        let k = self.tracked.algorithm().k();
        let expected = k_truss(self.n, &trussness(self.n, &arcs), k);
        let found = by_edge(&self.tracked.output().expect("a truss"));
        assert_eq!(found, expected, "{when}, {:?}", self.tracked.graph().options());
    }

    fn edges(&self) -> usize {
        self.tracked.output().expect("a truss").len()
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

/// Two hubs, 0 and 1, over a ring of `n` vertices: every edge is in two triangles, so that no part
/// of it is a 4-truss.
fn bipyramid(n: u32) -> Vec<Arc> {
    let ring = move |i: u32| 2 + i % n;
    (0..n).flat_map(|i| [(0, ring(i)), (ring(i), 1), (ring(i), ring(i + 1))]).collect()
}

#[test]
fn one_edge_brings_a_chain_of_600_candidates_in_and_takes_all_of_them_out() {
    let all = bipyramid(200);
    each_way(|device, options| {
        for missing in [all[2], all[3 * 70]] {
            let start: Vec<_> = all.iter().copied().filter(|&arc| arc != missing).collect();
            let mut graph = Followed::new(device, 202, 4, &start, options);
            assert_eq!(graph.edges(), 0);
            for _ in 0..2 {
                graph.apply(&insertion([missing]), "the last edge");
                assert_eq!(graph.edges(), 600);
                graph.apply(&deletion([missing]), "without it");
                assert_eq!(graph.edges(), 0);
            }
            let moved = Batch::new().delete([edge(all[300])]).insert([edge(missing)]);
            graph.apply(&moved, "another is missing");
            assert_eq!(graph.edges(), 0);
        }
    });
}

#[test]
fn a_chain_that_no_edge_closes_leaves_no_trace() {
    // Candidates reach all around; each round takes two ends of the chain back.
    let all = bipyramid(60);
    let open: Vec<_> = all.iter().copied().filter(|&arc| arc != all[5]).collect();
    each_way(|device, options| {
        let clique: Vec<_> = clique(62, 5).collect();
        let start = [&open[1..], &clique].concat();
        let mut graph = Followed::new(device, 67, 4, &start, options);
        graph.apply(&insertion([open[0]]), "one of two that are missing");
        assert_eq!(graph.edges(), 10);
        graph.apply(&insertion([all[5], (2, 62)]), "the other, and a bridge");
        assert_eq!(graph.edges(), 190);
    });
}

#[test]
fn two_and_three_edges_of_one_triangle_come_and_go_at_once() {
    let all: Vec<_> = clique(0, 6).collect();
    each_way(|device, options| {
        for k in 3..7 {
            let mut graph = Followed::new(device, 7, k, &all, options);
            let batches: [&[Arc]; 4] =
                [&[(0, 1), (1, 2)], &[(0, 1), (1, 2), (2, 0)], &[(0, 1), (2, 3), (4, 5)], &all];
            for arcs in batches {
                // Either direction: in a directed graph only one of them is there.
                let both = arcs.iter().flat_map(|&(u, v)| [(u, v), (v, u)]);
                graph.apply(&deletion(both), "deleted");
                graph.apply(&insertion(arcs.iter().copied()), "inserted");
                assert_eq!(graph.edges(), 15, "k = {k}");
            }
        }
    });
}

#[test]
fn triangles_of_the_old_truss_and_new_edges_count_once() {
    // A clique of 4, to whose edges new vertices close triangles by two and three new edges.
    let start: Vec<_> = clique(0, 4).collect();
    each_way(|device, options| {
        let mut graph = Followed::new(device, 9, 4, &start, options);
        graph.apply(&insertion([(4, 0), (4, 1), (4, 2)]), "a corner on a face");
        assert_eq!(graph.edges(), 9);
        graph.apply(&insertion([(5, 0), (5, 1), (5, 6), (6, 0), (6, 1)]), "two on an edge");
        assert_eq!(graph.edges(), 14);
        graph.apply(&insertion([(7, 8), (7, 0), (8, 0)]), "a triangle that is not enough");
        assert_eq!(graph.edges(), 14);
        graph.apply(&deletion([(4, 0), (6, 0)]), "all of them go");
        assert_eq!(graph.edges(), 6);
    });
}

#[test]
fn an_edge_of_500_triangles_loses_and_regains_them() {
    let pages = (2..502).flat_map(|page| [(0, page), (page, 1)]);
    let start: Vec<_> = pages.chain([(0, 1)]).collect();
    each_way(|device, options| {
        let mut graph = Followed::new(device, 502, 3, &start, options);
        assert_eq!(graph.edges(), 1001);
        graph.apply(&deletion((2..302).map(|page| (0, page))), "pages torn out");
        assert_eq!(graph.edges(), 401);
        graph.apply(&deletion([(0, 1)]), "the spine");
        assert_eq!(graph.edges(), 0);
        graph.apply(&insertion((2..302).map(|page| (page, 0))), "pages without a spine");
        graph.apply(&insertion([(1, 0)]), "and with one");
        assert_eq!(graph.edges(), 1001);
    });
}

#[test]
fn an_edge_is_there_as_long_as_one_of_its_arcs() {
    let start: Vec<_> = clique(0, 4).chain([(0, 1)]).collect();
    for device in devices::own_devices() {
        for options in &WAYS[..2] {
            let mut graph = Followed::new(&device, 5, 4, &start, options);
            let steps = [
                (deletion([(1, 0)]), 6),
                (insertion([(1, 0), (1, 1)]), 6),
                (deletion([(0, 1), (1, 0)]), 0),
                (insertion([(1, 0), (0, 1), (0, 1)]), 6),
                (Batch::new().delete([edge((2, 0))]).insert([edge((0, 2))]), 6),
                (deletion([(0, 2), (2, 0), (4, 4)]), 0),
            ];
            for (step, (batch, edges)) in steps.iter().enumerate() {
                graph.apply(batch, &format!("step {step}"));
                assert_eq!(graph.edges(), *edges, "step {step}");
            }
        }
    }
}

#[test]
fn an_edge_with_a_new_weight_is_in_the_same_truss() {
    let edge = |src, dst, weight| Edge { src, dst, weight };
    let start: Vec<_> = clique(0, 4).map(|(u, v)| edge(u, v, 5u32)).collect();
    for device in devices::own_devices() {
        for options in [SlabOptions::DEFAULT, SlabOptions::DEFAULT.undirected()] {
            let graph = SlabGraph::from_edges(&device, 4, &start, &options).expect("a graph");
            let mut tracked = graph.track(KTruss::new(4)).expect("a truss");
            let heavier: Vec<_> = start.iter().map(|e| edge(e.src, e.dst, 9)).collect();
            tracked.apply(&Batch::new().insert(heavier)).expect("a batch");
            let found = tracked.output().expect("a truss");
            assert!(found.len() == 6 && found.iter().all(|edge| edge.weight == 2), "{found:?}");
        }
    }
}

#[test]
fn a_graph_of_in_edges_alone_has_no_truss_to_follow() {
    let options = SlabOptions::DEFAULT.oriented(Orientation::In);
    let graph = SlabGraph::<()>::from_edges(&Device::cpu(), 2, &[], &options).expect("a graph");
    let error = graph.track(KTruss::new(3)).expect_err("in-edges alone");
    assert!(matches!(error.kind(), ErrorKind::OrientationMissing { wanted: "out" }), "{error}");
}

/// Each of its edges used to walk all of the hub, when they came and when they went.
#[test]
fn a_hub_that_comes_with_one_batch_and_goes_with_another_is_followed() {
    for device in devices::devices() {
        let n = 400;
        let ring: Vec<Arc> = (1..n).map(|v| (v, v % (n - 1) + 1)).collect();
        let mut followed = Followed::new(&device, n, 3, &ring, &SlabOptions::DEFAULT.undirected());
        let spokes: Vec<_> = (1..n).map(|v| edge((0, v))).collect();
        followed.apply(&Batch::new().insert(&spokes), "the hub came");
        followed.apply(&Batch::new().delete(&spokes[..200]), "half of it went");
        followed.apply(&Batch::new().delete(&spokes[200..]), "all of it went");
    }
}
