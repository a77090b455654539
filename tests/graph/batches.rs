//! Batches, directions and orientations of the slab graph against an ordered map.

use crate::support::devices::devices;
use crate::support::random::Random;
use meerkat::prelude::*;
use meerkat::runtime::graph::{Csr, Update};
use meerkat::runtime::{Change, ErrorKind, Weight};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// All directions and orientations.
const KINDS: [SlabOptions; 4] = [
    SlabOptions::DEFAULT,
    SlabOptions::DEFAULT.oriented(Orientation::In),
    SlabOptions::DEFAULT.oriented(Orientation::Both),
    SlabOptions::DEFAULT.undirected(),
];

/// The arcs of a graph, by an ordered map.
#[derive(Clone)]
struct Model<W> {
    vertices: u32,
    direction: Direction,
    arcs: BTreeMap<(u32, u32), W>,
}

impl<W: Weight + Debug + PartialEq> Model<W> {
    fn new(vertices: u32, direction: Direction) -> Self {
        Model { vertices, direction, arcs: BTreeMap::new() }
    }

    fn apply(&mut self, update: &Update<W>) {
        let (Update::Insert(edge) | Update::Delete(edge)) = *update;
        let Edge { src, dst, weight } = edge;
        let arcs = match self.direction {
            Direction::Directed => vec![(src, dst)],
            Direction::Undirected => vec![(src, dst), (dst, src)],
        };
        for arc in arcs {
            match update {
                Update::Insert(_) => self.arcs.insert(arc, weight),
                Update::Delete(_) => self.arcs.remove(&arc),
            };
        }
    }

    fn edges(&self) -> Vec<Edge<W>> {
        let edge = |(&(src, dst), &weight): (&(u32, u32), &W)| Edge { src, dst, weight };
        self.arcs.iter().map(edge).collect()
    }

    /// The arcs that are here and not, or otherwise, in the other.
    fn edges_not_in(&self, other: &Self) -> Vec<Edge<W>> {
        let differs = |edge: &Edge<W>| other.arcs.get(&(edge.src, edge.dst)) != Some(&edge.weight);
        self.edges().into_iter().filter(differs).collect()
    }

    fn degrees(&self, end: impl Fn(&(u32, u32)) -> u32) -> Vec<u32> {
        let mut degrees = vec![0; self.vertices as usize];
        self.arcs.keys().for_each(|arc| degrees[end(arc) as usize] += 1);
        degrees
    }

    #[track_caller]
    fn check(&self, graph: &SlabGraph<W>, place: &str) {
        assert!(graph.to_edges().expect("edges") == self.edges(), "{place}: wrong edges");
        assert_eq!(graph.edge_count().expect("a count"), self.arcs.len() as u64, "{place}");
        let (out, into) = (self.degrees(|arc| arc.0), self.degrees(|arc| arc.1));
        assert_eq!(graph.out_degrees().expect("degrees"), out, "{place}");
        assert_eq!(graph.in_degrees().expect("degrees"), into, "{place}");
        for vertex in 0..self.vertices.min(5) {
            if graph.out_edges().is_ok() {
                let expected: Vec<_> = self
                    .arcs
                    .range((vertex, 0)..=(vertex, u32::MAX))
                    .map(|(k, &w)| (k.1, w))
                    .collect();
                assert_eq!(graph.neighbors(vertex).expect("neighbours"), expected, "{place}");
            }
            if let Ok(in_edges) = graph.in_edges() {
                let ends = self.arcs.iter().filter(|(arc, _)| arc.1 == vertex);
                let expected: Vec<_> = ends.map(|(arc, &weight)| (arc.0, weight)).collect();
                assert_eq!(in_edges.neighbors(vertex).expect("neighbours"), expected, "{place}");
            }
        }
    }
}

/// Applies the batches one after another to every kind of graph on every device,
/// half by half, and compares change and graph after each.
#[track_caller]
fn check<W: Weight + Debug + PartialEq>(vertices: u32, base: &[Edge<W>], batches: &[Batch<W>]) {
    for device in devices() {
        for options in &KINDS {
            let mut model = Model::new(vertices, options.direction);
            base.iter().for_each(|&edge| model.apply(&Update::Insert(edge)));
            let mut graph =
                SlabGraph::from_edges(&device, vertices, base, options).expect("a graph");
            model.check(&graph, "as built");
            for (at, batch) in batches.iter().enumerate() {
                let place = format!("{}, {options:?}, batch {at}", device.name());
                let before = model.clone();
                batch.updates().for_each(|update| model.apply(&update));
                let change = graph.change_of(batch).expect("a change");
                before.check(&graph, &place);
                check_change(&change, &before, &model, &place);
                graph.apply_deletions(&change).expect("deletions");
                let mut between = before.clone();
                between.arcs.retain(|arc, weight| model.arcs.get(arc) == Some(weight));
                between.check(&graph, &place);
                graph.apply_insertions(&change).expect("insertions");
                model.check(&graph, &place);
                graph.check_invariants().unwrap_or_else(|broken| panic!("{place}: {broken}"));
            }
        }
    }
}

#[track_caller]
fn check_change<W: Weight + Debug + PartialEq>(
    change: &Change<W>,
    before: &Model<W>,
    after: &Model<W>,
    place: &str,
) {
    let (deleted, inserted) = (before.edges_not_in(after), after.edges_not_in(before));
    assert!(ascending(change.deleted()) == deleted, "{place}: wrong deletions");
    assert!(ascending(change.inserted()) == inserted, "{place}: wrong insertions");
}

fn ascending<W: Weight>(edges: &DeviceBuffer<Edge<W>>) -> Vec<Edge<W>> {
    let mut edges = edges.to_vec().expect("edges");
    edges.sort_by_key(|edge| (edge.src, edge.dst));
    edges
}

fn edge(src: u32, dst: u32, weight: u32) -> Edge<u32> {
    Edge { src, dst, weight }
}

fn unweighted(edges: &[Edge<u32>]) -> Vec<Edge> {
    edges.iter().map(|edge| Edge { src: edge.src, dst: edge.dst, weight: () }).collect()
}

#[test]
fn the_last_update_of_an_edge_decides() {
    let base = [edge(0, 1, 5), edge(1, 2, 6), edge(3, 3, 7)];
    check(
        4,
        &base,
        &[
            // Gone and back with a new weight, or with the old one.
            Batch::new()
                .delete([edge(0, 1, 0), edge(1, 2, 0)])
                .insert([edge(0, 1, 9), edge(1, 2, 6)]),
            // There and gone again; a loop; the other arc.
            Batch::new().insert([edge(2, 3, 1), edge(3, 3, 8)]).delete([edge(2, 3, 1)]),
            // The last of several weights, in both directions of one edge.
            Batch::new().insert([edge(0, 2, 1), edge(2, 0, 2), edge(0, 2, 3), edge(0, 2, 4)]),
            Batch::new().delete([edge(2, 0, 0)]).insert([edge(2, 0, 3)]).delete([edge(3, 3, 0)]),
            Batch::new(),
        ],
    );
}

#[test]
fn one_edge_inserted_and_deleted_50_times_in_50_batches_and_in_one() {
    let on = Batch::new().insert(unweighted(&[edge(1, 0, 0)]));
    let off = Batch::new().delete(unweighted(&[edge(1, 0, 0)]));
    let batches: Vec<_> =
        (0..100).map(|at| if at % 2 == 0 { on.clone() } else { off.clone() }).collect();
    check(2, &[], &batches);
    check(2, &[], &[batches.iter().flat_map(|batch| batch.updates()).collect::<Batch>()]);
}

#[test]
fn duplicates_only_1000_times_one_edge_with_ascending_weights() {
    let all: Vec<_> = (0..1000).map(|weight| edge(0, 0, weight)).collect();
    check(
        1,
        &[],
        &[Batch::new().insert(&all), Batch::new().insert(&all), Batch::new().delete(&all)],
    );
}

#[test]
fn a_hub_grows_by_3000_neighbours_within_a_batch_and_loses_every_third() {
    let spokes: Vec<_> = (1..3001).map(|dst| edge(0, dst, dst)).collect();
    let third: Vec<_> = spokes.iter().copied().step_by(3).collect();
    check(
        3001,
        &[],
        &[Batch::new().insert(&spokes), Batch::new().delete(&third).insert([edge(0, 0, 1)])],
    );
}

#[test]
fn a_batch_of_30000_mixed_updates_of_2500_edges() {
    let mut random = Random::new(7);
    let mut updates = |count: u32| -> Batch<u32> {
        let update = |_| {
            let named = edge(random.below(50), random.below(50), random.below(3));
            if random.below(2) == 0 { Update::Insert(named) } else { Update::Delete(named) }
        };
        (0..count).map(update).collect()
    };
    check(50, &[], &[updates(30_000), updates(3000), updates(300)]);
}

#[test]
fn float_weights_of_both_signs_of_zero_differ() {
    let zero = |weight: f32| [Edge { src: 0, dst: 1, weight }];
    for device in devices() {
        let mut graph = SlabGraph::from_edges(&device, 2, &zero(0.0), &KINDS[0]).expect("a graph");
        let change = graph.apply(&Batch::new().insert(zero(-0.0))).expect("a change");
        assert_eq!((change.deleted().len(), change.inserted().len()), (1, 1));
        assert!(graph.neighbors(0).expect("one")[0].1.is_sign_negative());
    }
}

#[test]
fn a_batch_with_a_bad_update_changes_nothing_and_names_it() {
    for device in devices() {
        for options in &KINDS {
            let base = [Edge { src: 0, dst: 1, weight: 1.0f32 }];
            let mut graph = SlabGraph::from_edges(&device, 3, &base, options).expect("a graph");
            let before = graph.to_edges().expect("edges");
            let good = [Edge { src: 1, dst: 2, weight: 2.0 }];
            let outside = [Edge { src: 3, dst: 0, weight: 2.0 }];
            let error =
                graph.apply(&Batch::new().insert(good).delete(outside)).expect_err("outside");
            assert!(
                matches!(error.kind(), ErrorKind::VertexOutOfRange { index: 1, src: 3, .. }),
                "{error}"
            );
            let nan = [Edge { src: 1, dst: 2, weight: f32::NAN }];
            let error = graph.apply(&Batch::new().delete(base).insert(nan)).expect_err("a NaN");
            assert!(
                matches!(error.kind(), ErrorKind::NanWeight { index: 1, src: 1, dst: 2 }),
                "{error}"
            );
            assert!(SlabGraph::from_edges(&device, 3, &nan, options).is_err());
            assert_eq!(graph.to_edges().expect("edges"), before);
            graph.apply(&Batch::new().delete(nan)).expect("a deletion has no weight");
        }
    }
}

#[test]
fn an_orientation_that_is_not_kept_is_refused_with_the_way_out() {
    let device = Device::cpu();
    let graph = SlabGraph::<()>::from_edges(&device, 3, &[], &KINDS[0]).expect("a graph");
    let error = graph.in_edges().expect_err("out-edges only");
    let message = "the graph keeps no in-edges; build it with `Orientation::Both`";
    assert_eq!(error.to_string(), message);
    let graph = SlabGraph::<()>::from_edges(&device, 3, &[], &KINDS[1]).expect("a graph");
    let error = graph.neighbors(0).expect_err("in-edges only");
    assert!(matches!(error.kind(), ErrorKind::OrientationMissing { wanted: "out" }), "{error}");
    let error = graph.in_edges().expect("in-edges").neighbors(3).expect_err("no such vertex");
    assert!(matches!(error.kind(), ErrorKind::NoSuchVertex { vertex: 3, count: 3 }), "{error}");
}

#[test]
fn compressed_rows_come_back_as_they_went_in() {
    let csr = Csr {
        offsets: vec![0, 2, 2, 5],
        neighbors: vec![0, 2, 0, 1, 2],
        weights: vec![5i32, -1, 7, 0, i32::MIN],
    };
    for device in devices() {
        for options in &KINDS[..3] {
            let graph = SlabGraph::from_csr(&device, &csr, options).expect("a graph");
            assert_eq!(graph.to_csr().expect("rows"), csr);
        }
        let broken = Csr { offsets: vec![0, 2, 1, 5], ..csr.clone() };
        let error = SlabGraph::from_csr(&device, &broken, &KINDS[0]).expect_err("descending");
        assert!(matches!(error.kind(), ErrorKind::BrokenCsr { what: "offsets" }), "{error}");
        let broken = Csr { weights: vec![1], ..csr.clone() };
        let error = SlabGraph::from_csr(&device, &broken, &KINDS[0]).expect_err("few weights");
        assert!(matches!(error.kind(), ErrorKind::BrokenCsr { what: "weights" }), "{error}");
    }
}

fn arc(src: u32, dst: u32) -> Edge {
    Edge { src, dst, weight: () }
}

/// Each was taken for a lack of room, and the whole graph compacted for it.
#[test]
fn a_refused_edge_does_not_compact_the_graph() {
    for device in devices() {
        let edges: Vec<_> = (0..900).map(|at| arc(at / 30, at % 30)).collect();
        let mut graph =
            SlabGraph::from_edges(&device, 30, &edges, &SlabOptions::DEFAULT).expect("a graph");
        graph.delete(&edges[..300]).expect("a deletion");
        let tombstones = |graph: &SlabGraph| {
            graph.out_edges().and_then(|out| out.statistics()).expect("statistics").tombstones
        };
        assert_eq!(tombstones(&graph), 300);
        assert!(graph.insert(&[arc(0, 30)]).is_err());
        assert_eq!(tombstones(&graph), 300);
    }
}

/// It made the change stale.
#[test]
fn an_empty_batch_between_the_halves_of_a_change_does_not_matter() {
    for device in devices() {
        let mut graph = SlabGraph::from_edges(&device, 9, &[arc(1, 2)], &SlabOptions::DEFAULT)
            .expect("a graph");
        let batch = Batch::new().delete([arc(1, 2)]).insert([arc(3, 4)]);
        let change = graph.change_of(&batch).expect("a change");
        graph.apply_deletions(&change).expect("deletions");
        graph.apply(&Batch::new()).expect("nothing");
        graph.apply_insertions(&change).expect("insertions");
        assert_eq!(graph.to_edges().expect("edges"), [arc(3, 4)]);
    }
}
