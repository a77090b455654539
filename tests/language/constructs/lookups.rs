//! What kernels ask of a graph against a set of edges.

use super::kernels::lookups::{self, Found};
use super::operators::{graph, random_edges};
use super::{buffer, expect};
use meerkat::prelude::*;
use meerkat::runtime::graph::NOT_FOUND;

fn weight(src: u32, dst: u32) -> u32 {
    src * 1000 + dst
}

#[test]
fn edges_are_found_by_tiles_and_by_lanes_100v_1500e() {
    let edges = random_edges(100, 1500);
    // Every edge of the graph, and as many pairs of which few are.
    let others = (0..1500u32).map(|i| (i * 7 % 100, i * i % 100));
    // What empty places and tombstones hold is no neighbour: `nth_neighbor` gives it for none.
    let nobody = [(0, u32::MAX), (1, u32::MAX - 1), (99, u32::MAX - 2)];
    let asked: Vec<_> = edges.iter().copied().chain(others).chain(nobody).collect();
    let found = |&(src, dst): &(u32, u32)| {
        let there = edges.contains(&(src, dst));
        let weight = if there { u64::from(weight(src, dst)) } else { NOT_FOUND };
        Found { by_tile: there, by_lane: there, weight }
    };
    let expected: Vec<Found> = asked.iter().map(found).collect();
    let list: Vec<_> = asked.iter().map(|&(src, dst)| Edge { src, dst, weight: 0 }).collect();
    expect(&expected, |device, out| {
        let graph = graph(device, 100, edges.iter().copied(), weight);
        lookups::edges::launch(device, 3003, &graph, &buffer(device, &list), out)
    });
}

#[test]
fn closures_look_edges_up_under_every_schedule_100v_1500e() {
    let edges = random_edges(100, 1500);
    let mut expected = vec![0u32; 100];
    for &(src, dst) in &edges {
        expected[src as usize] += 1 + 1000 * u32::from(edges.contains(&(dst, src)));
    }
    for schedule in Schedule::ALL {
        expect(&expected, |device, out| {
            let graph = graph(device, 100, edges.iter().copied(), weight);
            lookups::mutual::launch_with(schedule, device, 0..100, &graph, out)
        });
    }
}

#[test]
fn slabs_are_read_16_bytes_at_a_time_100v_1500e() {
    let edges = random_edges(100, 1500);
    let mut expected = vec![0u32; 100];
    edges.iter().for_each(|&(src, dst)| expected[src as usize] += dst);
    expect(&expected, |device, out| {
        let graph = graph(device, 100, edges.iter().copied(), weight);
        lookups::quads::launch(device, 0..100, &graph, out)
    });
}
