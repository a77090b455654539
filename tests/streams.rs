//! Dynamic searches through random and adversarial streams: after every batch
//! equal to Dijkstra's algorithm and to a recomputation, and every parent tight.
//!
//! `MEERKAT_SEQUENCES=2000` sets how many sequences an algorithm and kind gets.

mod support;

use meerkat::algos::bfs::{Bfs, Tree};
use meerkat::algos::sssp::{PathWeight, ShortestPaths, Sssp};
use meerkat::prelude::*;
use meerkat::runtime::oracle::generate::{Rng, sequence};
use meerkat::runtime::oracle::{Kind, Model, Oracle, Replayed};
use support::devices::{devices, label};
use support::dijkstra::{Length, dijkstra, tree_flaws};
use support::say;

/// How many sequences an algorithm and kind gets on a device.
fn sequences(device: &Device) -> u64 {
    let asked = std::env::var("MEERKAT_SEQUENCES").ok().and_then(|count| count.parse().ok());
    asked.unwrap_or(if device.is_cuda() { 40 } else { 60 })
}

const DIRECTIONS: [(Direction, Orientation); 3] = [
    (Direction::Directed, Orientation::Out),
    (Direction::Directed, Orientation::Both),
    (Direction::Undirected, Orientation::Out),
];

/// Sequences of every kind, spread over directions and orientations.
#[track_caller]
fn check<W, A>(
    algorithm: impl Fn() -> A,
    weight: impl Fn(&mut Rng) -> W,
    wrong: impl Fn(&Model<W>, &A::Output, &A::Output) -> Result<(), String>,
) where
    W: Weight + std::fmt::Debug,
    A: DynamicAlgorithm<W>,
{
    for device in devices() {
        for kind in Kind::ALL {
            let mut all = Replayed::default();
            for (turn, (direction, orientation)) in (0..).zip(DIRECTIONS) {
                let oracle = Oracle::new(device.clone(), &algorithm, &wrong)
                    .with_options(SlabOptions::DEFAULT.oriented(orientation));
                let seeds = (0..sequences(&device)).filter(|seed| seed % 3 == turn);
                let made = seeds.map(|seed| sequence(seed / 3, kind, direction, &weight));
                match oracle.check(made) {
                    Ok(replayed) => {
                        all.sequences += replayed.sequences;
                        all.batches += replayed.batches;
                        all.updates += replayed.updates;
                    }
                    Err(failure) => {
                        panic!("{kind:?}, {direction:?}, {orientation:?}: {failure}")
                    }
                }
            }
            let name = std::any::type_name::<(A, W)>();
            let Replayed { sequences, batches, updates } = all;
            let on = label(&device);
            say(&format!(
                "{name}, {kind:?}: {sequences} sequences, {batches} batches, {updates} updates, on {on}"
            ));
        }
    }
}

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

fn check_bfs<W: Weight + std::fmt::Debug>(weight: impl Fn(&mut Rng) -> W) {
    let wrong = |model: &Model<W>, followed: &Tree, recomputed: &Tree| {
        let edges: Vec<Edge> =
            model.edges().iter().map(|e| Edge { src: e.src, dst: e.dst, weight: () }).collect();
        let tree = (&followed.levels[..], &followed.parents[..]);
        check_paths(&edges, model.vertices(), tree, &recomputed.levels)
    };
    check(|| Bfs::from_source(0), weight, wrong);
}

fn check_sssp<W>(weight: impl Fn(&mut Rng) -> W)
where
    W: PathWeight + Length<Sum = <W as PathWeight>::Distance>,
{
    type Paths<W> = ShortestPaths<<W as PathWeight>::Distance>;
    let wrong = |model: &Model<W>, followed: &Paths<W>, recomputed: &Paths<W>| {
        let tree = (&followed.distances[..], &followed.parents[..]);
        check_paths(&model.edges(), model.vertices(), tree, &recomputed.distances)
    };
    check(|| Sssp::from_source(0), weight, wrong);
}

#[test]
fn bfs() {
    check_bfs(|_| ());
}

#[test]
fn bfs_does_not_look_at_weights() {
    check_bfs(|rng| rng.u32(..));
}

#[test]
fn sssp_with_weights_1_to_64() {
    check_sssp(|rng| rng.u32(1..=64));
}

#[test]
fn sssp_with_weights_mostly_zero() {
    check_sssp(|rng| if rng.bool() { 0 } else { rng.u32(0..3) });
}

#[test]
fn sssp_with_sums_that_saturate() {
    check_sssp(|rng| if rng.bool() { u32::MAX - rng.u32(0..3) } else { rng.u32(..) / 4 });
}

#[test]
fn sssp_with_i32_weights() {
    check_sssp(|rng| rng.i32(0..100));
}

#[test]
fn sssp_with_f32_weights_some_lost_in_rounding() {
    check_sssp(|rng| rng.f32() * [0.0, 1.0, 1e-6, 1e12, f32::MAX][rng.usize(0..5)]);
}
