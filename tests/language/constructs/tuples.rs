//! Tuples, patterns and methods.

use super::kernels::tuples::{self, Node, Parts};
use super::{buffer, devices, expect, noise};
use meerkat::prelude::*;

fn nodes(count: usize) -> Vec<Node> {
    let node =
        |x: u32| Node { parent: x % 17, distance: if x % 5 == 0 { u32::MAX } else { x % 9 } };
    noise(11).take(count).map(node).collect()
}

fn before(a: Node, b: Node) -> bool {
    (a.distance, a.parent) < (b.distance, b.parent)
}

#[test]
fn methods_of_200_structs() {
    let (nodes, weights) = (nodes(200), noise(12).take(200).map(|x| x % 4).collect::<Vec<_>>());
    let expected: Vec<Node> = (0..224u32)
        .map(|i| match nodes.get(i as usize) {
            None => Node { parent: i, distance: 0 },
            Some(&node) => {
                let distance = node.distance.saturating_add(weights[i as usize]);
                let next = Node { parent: i, distance };
                let best = if before(next, node) { next } else { node };
                if before(best, next) { best } else { next }
            }
        })
        .collect();
    let least: Vec<u32> = expected
        .chunks(32)
        .flat_map(|warp| vec![warp.iter().map(|node| node.distance).min().unwrap(); warp.len()])
        .collect();
    for device in devices() {
        let (nodes, weights) = (buffer(&device, &nodes), buffer(&device, &weights));
        let mut out = DeviceBuffer::zeroed(&device, 224).unwrap();
        let mut nearest = DeviceBuffer::zeroed(&device, 224).unwrap();
        tuples::methods::launch(&device, 224, &nodes, &weights, &mut out, &mut nearest).unwrap();
        assert_eq!(out.to_vec().unwrap(), expected, "{}", device.name());
        assert_eq!(nearest.to_vec().unwrap(), least, "{}", device.name());
    }
}

#[test]
fn methods_are_ordinary_functions_on_the_host() {
    let node = Node { parent: 3, distance: 5 };
    assert_eq!(node.through(7, 2), Node { parent: 7, distance: 7 });
    assert!(Node::source(4).before(node) && node.before(Node::NOBODY));
}

#[test]
fn tuples_of_100_threads() {
    let a: Vec<u32> = noise(13).take(100).collect();
    let at = |i: usize| a.get(i).copied().unwrap_or(0);
    let ratio = |x: u32| if x % 2 == 1 { x as f32 } else { 0.5 };
    let chosen = |i: usize| (i as u16 as u32, 3u32);
    let expected: Vec<Parts> = (0..100)
        .map(|i| {
            let x = at(i);
            let (low, high) = (x & 0xffff, x >> 16);
            let wide = u64::from(x) * 3 + u64::from(x % 2 == 0);
            // `flag` is false either way, so each lane chose its index.
            let first = chosen(i / 32 * 32 + 3).0;
            Parts {
                quotient: x / 7,
                remainder: x % 7,
                low: low.min(high),
                high: low.max(high),
                wide,
                ratio: ratio(x),
                flag: false,
                best: first ^ chosen(i).1,
            }
        })
        .collect();
    expect(&expected, |device, out| tuples::tuples::launch(device, 100, &buffer(device, &a), out));
}

#[test]
fn structs_taken_apart() {
    let nodes = nodes(64);
    let one = |node: &Node| {
        let (parent, far) = (node.parent, node.distance);
        (parent * 1000).wrapping_add(far).wrapping_add(parent)
    };
    let expected: Vec<u32> = nodes.iter().map(one).collect();
    expect(&expected, |device, out| {
        tuples::taken_apart::launch(device, 64, &buffer(device, &nodes), out)
    });
}

#[test]
fn tuples_in_an_operator_under_all_schedules() {
    let edges: Vec<Edge> = noise(14)
        .zip(noise(15))
        .take(3000)
        .map(|(a, b)| Edge { src: a % 50, dst: b % 400, weight: () })
        .collect();
    for device in devices() {
        let graph = SlabGraph::from_edges(&device, 400, &edges, &SlabOptions::default()).unwrap();
        let expected: Vec<Node> = (0..400u32)
            .map(|v| {
                let to = || edges.iter().filter(|edge| edge.src == v).map(|edge| edge.dst);
                let most = to().max().map_or(0, |dst| dst + v);
                Node { parent: to().min().unwrap_or(u32::MAX), distance: most }
            })
            .collect();
        for schedule in Schedule::ALL {
            let mut out = DeviceBuffer::zeroed(&device, 400).unwrap();
            tuples::extremes::launch_with(schedule, &device, 0..400, &graph, &mut out).unwrap();
            assert_eq!(out.to_vec().unwrap(), expected, "{} {schedule:?}", device.name());
        }
    }
}

#[test]
fn type_arguments_that_only_the_call_gives() {
    for device in devices() {
        let mut out = DeviceBuffer::zeroed(&device, 40).unwrap();
        let mut ends = DeviceBuffer::zeroed(&device, 40).unwrap();
        tuples::named_types::launch(&device, 40, &mut out, &mut ends).unwrap();
        let weighted = |i: u32| Edge { src: i, dst: i + 1, weight: 0.0f32 };
        let plain = |i: u32| Edge { src: i * 2, dst: 7, weight: () };
        assert_eq!(out.to_vec().unwrap(), (0..40).map(weighted).collect::<Vec<_>>());
        assert_eq!(ends.to_vec().unwrap(), (0..40).map(plain).collect::<Vec<_>>());
    }
}
