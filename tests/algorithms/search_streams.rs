//! Dynamic searches through random and adversarial streams: after every batch
//! equal to Dijkstra's algorithm and to a recomputation, and every parent tight.

use crate::support::dijkstra::{Length, dijkstra, tree_flaws};
use crate::support::streams::{check, for_each_kind};
use meerkat::algos::bfs::{Bfs, Tree};
use meerkat::algos::sssp::{PathWeight, ShortestPaths, Sssp};
use meerkat::prelude::*;
use meerkat::runtime::oracle::generate::Rng;
use meerkat::runtime::oracle::{Kind, Model};

const WAYS: [(Direction, SlabOptions); 3] = [
    (Direction::Directed, SlabOptions::DEFAULT.oriented(Orientation::Out)),
    (Direction::Directed, SlabOptions::DEFAULT.oriented(Orientation::Both)),
    (Direction::Undirected, SlabOptions::DEFAULT.oriented(Orientation::Out)),
];

fn check_paths<W: Length>(
    edges: &[Edge<W>],
    vertices: u32,
    followed: (&[W::Sum], &[u32]),
    recomputed: &[W::Sum],
) -> Result<(), String> {
    let expected = dijkstra(vertices, edges, 0);
    if let Some(v) = (0..expected.len()).find(|&v| followed.0[v] != expected[v]) {
        return Err(format!("vertex {v} is at {:?}, should be {:?}", followed.0[v], expected[v]));
    }
    if recomputed != expected {
        return Err("the recomputation is wrong".to_owned());
    }
    match tree_flaws(edges, 0, followed.0, followed.1).first() {
        Some(flaw) => Err(flaw.clone()),
        None => Ok(()),
    }
}

fn check_bfs<W: Weight + std::fmt::Debug>(kind: Kind, weight: impl Fn(&mut Rng) -> W) {
    let wrong = |model: &Model<W>, followed: &Tree, recomputed: &Tree| {
        let edges: Vec<Edge> =
            model.edges().iter().map(|e| Edge { src: e.src, dst: e.dst, weight: () }).collect();
        let tree = (&followed.levels[..], &followed.parents[..]);
        check_paths(&edges, model.vertices(), tree, &recomputed.levels)
    };
    let name = format!("bfs, {}", std::any::type_name::<W>());
    check(&name, kind, &WAYS, || Bfs::from_source(0), weight, wrong);
}

fn check_sssp<W>(kind: Kind, weight: impl Fn(&mut Rng) -> W)
where
    W: PathWeight + Length<Sum = <W as PathWeight>::Distance>,
{
    type Paths<W> = ShortestPaths<<W as PathWeight>::Distance>;
    let wrong = |model: &Model<W>, followed: &Paths<W>, recomputed: &Paths<W>| {
        let tree = (&followed.distances[..], &followed.parents[..]);
        check_paths(&model.edges(), model.vertices(), tree, &recomputed.distances)
    };
    let name = format!("sssp, {}", std::any::type_name::<W>());
    check(&name, kind, &WAYS, || Sssp::from_source(0), weight, wrong);
}

for_each_kind! {
    bfs: |kind| check_bfs(kind, |_| ());
    bfs_does_not_look_at_weights: |kind| check_bfs(kind, |rng| rng.u32(..));
    sssp_with_weights_1_to_64: |kind| check_sssp(kind, |rng| rng.u32(1..=64));
    sssp_with_weights_mostly_zero: |kind| check_sssp(kind, |rng| if rng.bool() { 0 } else { rng.u32(0..3) });
    sssp_with_sums_that_saturate: |kind| check_sssp(kind, |rng| if rng.bool() { u32::MAX - rng.u32(0..3) } else { rng.u32(..) / 4 });
    sssp_with_i32_weights: |kind| check_sssp(kind, |rng| rng.i32(0..100));
    sssp_with_f32_weights_some_lost_in_rounding: |kind| check_sssp(kind, |rng| rng.f32() * [0.0, 1.0, 1e-6, 1e12, f32::MAX][rng.usize(0..5)]);
}
