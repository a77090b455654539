//! Sets of edges on the device, asked by an operator, beside a set of the host.

use std::collections::HashSet;

use crate::support::devices::devices;
use crate::support::random::Random;
use meerkat::prelude::*;
use meerkat::runtime::graph::{EdgeSet, HashedEdges, contains_edge};

#[vertex_operator]
fn ask<W: Weight>(i: Vertex, asked: &[Edge], set: &EdgeSet<W>, found: &mut [u32]) {
    let edge = asked[i];
    found[i] = contains_edge(set, edge.src, edge.dst) as u32;
}

/// Pairs of few vertices: loops, repeats and opposite arcs are among them.
fn pairs(count: u32, seed: u64) -> Vec<(u32, u32)> {
    let mut random = Random::new(seed);
    let n = count.isqrt() + 2;
    (0..count).map(|_| (random.below(n), random.below(n))).collect()
}

fn edge<W: Weight>((src, dst): (u32, u32)) -> Edge<W> {
    Edge { src, dst, weight: W::ZERO }
}

fn check<W: Weight>(device: &Device, count: u32, direction: Direction) {
    let (listed, asked) = (pairs(count, 1), pairs(count + 2, 2));
    let sorted = |(src, dst): (u32, u32)| match direction {
        Direction::Directed => (src, dst),
        Direction::Undirected => (src.min(dst), src.max(dst)),
    };
    let back = listed.iter().map(|&(src, dst)| (dst, src));
    let asked: Vec<_> = asked.into_iter().chain(back).chain(listed.iter().copied()).collect();
    let there: HashSet<_> = listed.iter().copied().map(sorted).collect();
    let expected: Vec<_> =
        asked.iter().map(|&pair| u32::from(there.contains(&sorted(pair)))).collect();

    let listed: Vec<Edge<W>> = listed.into_iter().map(edge).collect();
    let asked: Vec<Edge> = asked.into_iter().map(edge).collect();
    let listed = DeviceBuffer::from_slice(device, &listed).expect("memory");
    let asked = DeviceBuffer::from_slice(device, &asked).expect("memory");
    let set = HashedEdges::of(&listed, direction).expect("a set");
    let mut found = DeviceBuffer::zeroed(device, asked.len()).expect("memory");
    ask::launch(device, 0..asked.len() as u32, &asked, &set, &mut found).expect("answers");
    assert_eq!(found.to_vec().expect("answers"), expected, "{count} edges, {direction:?}");
}

#[test]
fn sets_of_0_to_20000_edges_have_what_was_listed_and_nothing_else() {
    for device in devices() {
        for count in [0, 1, 2, 7, 100, 1001, 20_000] {
            for direction in [Direction::Directed, Direction::Undirected] {
                check::<()>(&device, count, direction);
                check::<f32>(&device, count, direction);
            }
        }
    }
}
