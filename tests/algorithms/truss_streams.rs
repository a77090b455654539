//! k-trusses through random and adversarial streams, and through batches of dense graphs, where
//! trusses come and go.

use std::collections::{BTreeMap, BTreeSet};

use meerkat::algos::truss::KTruss;
use meerkat::prelude::*;
use meerkat::runtime::oracle::Kind;
use meerkat::runtime::oracle::generate::Rng;
use meerkat::runtime::{CompactEdges, Update};

use super::oracle::trussness;
use super::streams::{Arcs, check};
use super::support::devices;
use super::support::streams::for_each_kind;
use super::truss::{by_edge, clique, k_truss};

fn check_truss<W: Weight + std::fmt::Debug>(kind: Kind, k: u32, weight: impl Fn(&mut Rng) -> W) {
    let wrong = |graph: &Arcs, found: &Vec<Edge<u32>>| {
        let expected = k_truss(graph.n, &trussness(graph.n, &graph.arcs), k);
        match by_edge(found) {
            found if found == expected => Ok(()),
            found => Err(format!("{found:?}, should be {expected:?}")),
        }
    };
    let name = format!("{k}-truss, {}", std::any::type_name::<W>());
    check(&name, kind, || KTruss::new(k), weight, wrong);
}

for_each_kind! {
    trusses_of_2: |kind| check_truss(kind, 2, |_| ());
    trusses_of_3: |kind| check_truss(kind, 3, |_| ());
    trusses_of_4: |kind| check_truss(kind, 4, |_| ());
    trusses_of_5: |kind| check_truss(kind, 5, |_| ());
    trusses_do_not_look_at_weights: |kind| check_truss(kind, 4, |rng| rng.f32());
}

/// Random batches of a few vertices, nearly all of whose edges may be there.
struct Dense {
    rng: Rng,
    n: u32,
    arcs: BTreeSet<(u32, u32)>,
}

impl Dense {
    fn new(seed: u64, n: u32) -> Self {
        Dense { rng: Rng::with_seed(seed), n, arcs: BTreeSet::new() }
    }

    fn pair(&mut self) -> (u32, u32) {
        (self.rng.u32(0..self.n), self.rng.u32(0..self.n))
    }

    /// Mostly a few edges; at times a clique that comes or goes.
    fn pairs(&mut self) -> Vec<(u32, u32)> {
        match self.rng.u32(0..8) {
            0 => {
                let size = self.rng.u32(3..7);
                clique(self.rng.u32(0..=self.n - size), size).collect()
            }
            1 => vec![self.pair()],
            _ => (0..self.rng.u32(1..12)).map(|_| self.pair()).collect(),
        }
    }

    /// A batch of which about `share` in ten parts insert.
    fn batch(&mut self, share: u32) -> Batch {
        let mut batch = Batch::new();
        for _ in 0..self.rng.u32(1..3) {
            let inserts = self.rng.u32(0..10) < share;
            for (src, dst) in self.pairs() {
                let edge = Edge { src, dst, weight: () };
                let inserts = inserts ^ (self.rng.u32(0..8) == 0);
                batch.push(if inserts { Update::Insert(edge) } else { Update::Delete(edge) });
            }
        }
        batch
    }

    /// Notes a batch in the arcs; if the graph is undirected, both of each edge.
    fn note(&mut self, batch: &Batch, undirected: bool) {
        for update in batch.updates() {
            let (edge, inserts) = match update {
                Update::Insert(edge) => (edge, true),
                Update::Delete(edge) => (edge, false),
            };
            let both = [(edge.src, edge.dst), (edge.dst, edge.src)];
            for arc in both.into_iter().take(1 + usize::from(undirected)) {
                if inserts {
                    self.arcs.insert(arc)
                } else {
                    self.arcs.remove(&arc)
                };
            }
        }
    }
}

/// How often the number of edges of a truss rose and fell.
#[derive(Default)]
struct Moves {
    rose: usize,
    fell: usize,
    last: usize,
}

impl Moves {
    fn note(&mut self, edges: usize) {
        self.rose += usize::from(edges > self.last);
        self.fell += usize::from(edges < self.last);
        self.last = edges;
    }
}

/// Follows `batches` batches; an oracle after each.
fn follow<L: EdgeLists<Carried = ()>>(
    device: &Device,
    seed: u64,
    k: u32,
    batches: u32,
    options: &SlabOptions,
) -> Moves {
    let n = 8 + (seed % 7) as u32;
    let undirected = options.direction == Direction::Undirected;
    let graph = DynamicGraph::<L>::from_edges(device, n, &[], options).expect("a graph");
    let mut tracked = graph.track(KTruss::new(k)).expect("a truss");
    let (mut dense, mut moves) = (Dense::new(seed, n), Moves::default());
    for number in 0..batches {
        // It fills for some batches, and empties for as many.
        let batch = dense.batch(if number / 12 % 2 == 0 { 7 } else { 4 });
        dense.note(&batch, undirected);
        tracked.apply(&batch).expect("a batch");
        let arcs: Vec<_> = dense.arcs.iter().copied().collect();
        let expected = k_truss(n, &trussness(n, &arcs), k);
        let found = by_edge(&tracked.output().expect("a truss"));
        let schedule = device.schedule();
        assert_eq!(
            found, expected,
            "k = {k}, seed {seed}, batch {number}, {schedule:?}: {batch:?}"
        );
        check_kept(tracked.state().expect("a truss").graph(), &arcs);
        moves.note(found.len());
    }
    moves
}

/// Whether the simple graph of a truss has both arcs of each edge, of one number, and no others.
fn check_kept(kept: &CompactGraph<u32>, arcs: &[(u32, u32)]) {
    let kept = kept.to_edges().expect("edges");
    let kept: BTreeMap<_, _> =
        kept.iter().map(|edge| ((edge.src, edge.dst), edge.weight)).collect();
    let both = arcs.iter().filter(|(u, v)| u != v).flat_map(|&(u, v)| [(u, v), (v, u)]);
    assert!(kept.keys().copied().eq(both.collect::<BTreeSet<_>>()), "{kept:?}");
    assert!(kept.iter().all(|(&(u, v), number)| kept[&(v, u)] == *number), "{kept:?}");
}

/// Dense graphs for this `k`, over all schedules and both ways to keep them.
fn check_dense(k: u32) {
    for device in devices::own_devices() {
        let (mut rose, mut fell) = (0, 0);
        for (seed, schedule) in (0..).zip(Schedule::ALL.into_iter().chain([Schedule::Auto])) {
            let device = device.clone().with_schedule(schedule);
            let directed = SlabOptions::DEFAULT;
            for moves in [
                follow::<CompactEdges>(&device, seed, k, 150, &directed),
                follow::<CompactEdges>(&device, 100 + seed, k, 150, &directed.undirected()),
            ] {
                rose += moves.rose;
                fell += moves.fell;
            }
        }
        assert!(rose > 300 && fell > 300, "the truss rose {rose} times, fell {fell} times");
    }
}

#[test]
fn trusses_of_3_follow_2700_batches_of_dense_graphs() {
    check_dense(3);
}

#[test]
fn trusses_of_4_follow_2700_batches_of_dense_graphs() {
    check_dense(4);
}

#[test]
fn trusses_of_5_follow_2700_batches_of_dense_graphs() {
    check_dense(5);
}

#[test]
fn trusses_of_6_follow_2700_batches_of_dense_graphs() {
    check_dense(6);
}

#[test]
fn numbers_of_edges_run_out_and_begin_again() {
    // Ten times as many insertions as there is room for at first.
    for device in devices::own_devices() {
        let moves = follow::<CompactEdges>(&device, 5, 4, 2500, &SlabOptions::DEFAULT);
        assert!(moves.rose > 300 && moves.fell > 300);
    }
}

#[test]
fn trusses_that_follow_do_not_depend_on_the_order_of_weak_memory() {
    for seed in 0..6 {
        let device = Device::cpu().with_weak_memory(seed);
        let moves = follow::<CompactEdges>(&device, seed, 4, 60, &SlabOptions::DEFAULT);
        assert!(moves.rose > 5 && moves.fell > 5);
    }
}
