//! How many vertices lie within `k` hops of a source, while edges arrive.
//! docs/FIRST_OPERATOR.md tells how this program came about.
#![allow(clippy::print_stdout, reason = "an example shows its result")]

use meerkat::prelude::*;

const UNSEEN: u32 = u32::MAX;

/// Marks the neighbours of `v` that no earlier hop has seen.
// ANCHOR: operator
#[vertex_operator]
fn hop(v: Vertex, graph: &Graph, hops: u32, seen: &[Atomic<u32>], next: &Frontier<Vertex>) {
    for_each_neighbor(graph, v, true, |dst| {
        let discovered = seen[dst].load() == UNSEEN && seen[dst].fetch_min(hops) == UNSEEN;
        warp_enqueue_frontier(next, dst, discovered);
    });
}
// ANCHOR_END: operator

/// Vertices at most `k` hops from `source`, itself included.
fn within(graph: &SlabGraph, source: u32, k: u32, schedule: Schedule) -> Result<u32, Error> {
    let (device, vertices) = (graph.device(), graph.vertex_count());
    let mut seen = DeviceBuffer::<Atomic<u32>>::filled(device, vertices as usize, UNSEEN)?;
    seen.write(source as usize, &[0])?;
    let mut frontiers = Frontiers::new(device, vertices, &[source])?;
    let mut count = 1;
    // ANCHOR: host
    for hops in 1..=k {
        let (current, next) = (frontiers.current(), frontiers.next());
        hop::launch_with(schedule, device, current, graph, hops, &seen, next)?;
        count += frontiers.advance()?;
    }
    // ANCHOR_END: host
    Ok(count)
}

// ANCHOR: oracle
/// The oracle: plain Rust, one vertex after another.
fn within_plain(edges: &[Edge], source: u32, k: u32) -> u32 {
    let mut reached = std::collections::BTreeSet::from([source]);
    for _ in 0..k {
        let known = reached.clone();
        let from_known = edges.iter().filter(|edge| known.contains(&edge.src));
        reached.extend(from_known.map(|edge| edge.dst));
    }
    reached.len() as u32
}
// ANCHOR_END: oracle

fn main() -> Result<(), Error> {
    let device = Device::auto();
    let vertices = 1000u32;
    let pick = |i: u32| (i.wrapping_mul(0x9E37_79B1) >> 8) % vertices;
    let edge = |i: u32| Edge { src: pick(2 * i), dst: pick(2 * i + 1), weight: () };
    let mut edges: Vec<Edge> = (0..500).map(edge).collect();
    let mut graph = SlabGraph::from_edges(&device, vertices, &edges, &SlabOptions::default())?;
    for batch in 0..10 {
        let new: Vec<Edge> = (0..100).map(|i| edge(500 + 100 * batch + i)).collect();
        graph.insert(&new)?;
        edges.extend(new);
        let count = within(&graph, 0, 4, Schedule::Auto)?;
        assert_eq!(count, within_plain(&edges, 0, 4));
        // ANCHOR: schedules
        for schedule in Schedule::ALL {
            assert_eq!(count, within(&graph, 0, 4, schedule)?);
        }
        // ANCHOR_END: schedules
        println!("{} edges: {count} vertices within 4 hops of 0", edges.len());
    }
    Ok(())
}
