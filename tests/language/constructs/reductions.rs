//! Reductions of one's own, under every schedule, against folds over an edge list.

use super::kernels::reductions::{self, Bins, OfEdge, Two};
use super::{buffer, devices, noise};
use meerkat::prelude::*;
use meerkat::runtime::{DeviceType, ErrorKind};
use std::collections::BTreeMap;
use std::fmt::Debug;

const COUNT: u32 = 600;

/// 3 hubs with an edge to every vertex, 400 of a few neighbours, the rest of none.
fn edges() -> Vec<Edge<u32>> {
    let few = noise(31).zip(noise(32)).take(2000).map(|(a, b)| (a % 400, b % COUNT));
    let hubs = [5u32, 64, 255].into_iter().flat_map(|hub| (0..COUNT).map(move |dst| (hub, dst)));
    let edges: BTreeMap<_, _> = few.chain(hubs).zip(noise(33)).collect();
    let edge = |((src, dst), weight): ((u32, u32), u32)| Edge { src, dst, weight: weight % 50 };
    edges.into_iter().map(edge).collect()
}

fn graph<W: Weight>(device: &Device, edges: &[Edge<W>]) -> SlabGraph<W> {
    let options = SlabOptions { load_factor: 0.3, ..SlabOptions::default() };
    SlabGraph::from_edges(device, COUNT, edges, &options).unwrap()
}

/// Every schedule but one gives what `run` expects; a slab list to each tile is refused.
fn everywhere(run: impl Fn(&Device, Schedule) -> Result<(), Error>) {
    for device in devices() {
        for schedule in Schedule::ALL {
            let done = run(&device, schedule);
            if schedule == Schedule::SlabList {
                let error = done.expect_err("a refusal");
                assert!(matches!(error.kind(), ErrorKind::UnsupportedSchedule { .. }), "{error}");
                assert!(error.to_string().contains("tiles of several warps at once"), "{error}");
            } else {
                done.unwrap_or_else(|error| panic!("{} {schedule:?}: {error}", device.name()));
            }
        }
    }
}

#[track_caller]
fn compare<T: PartialEq + Debug>(found: &[T], expected: &[T], on: &Device, schedule: Schedule) {
    assert_eq!(found.len(), expected.len());
    for (v, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_eq!(found, expected, "{} {schedule:?} vertex {v}", on.name());
    }
}

fn check_gather<R: OfEdge + DeviceType + Debug + PartialEq>(fold: impl Fn(&[Edge<u32>]) -> R) {
    let edges = edges();
    let values: Vec<u32> = noise(34).take(COUNT as usize).collect();
    let expected: Vec<R> = (0..COUNT)
        .map(|v| {
            let is_in = |edge: &&Edge<u32>| edge.src == v && edge.weight != 9;
            let own: Vec<_> = edges.iter().filter(is_in).copied().collect();
            fold(if values[v as usize] % 5 == 0 { &[] } else { &own })
        })
        .collect();
    everywhere(|device, schedule| {
        let (graph, values) = (graph(device, &edges), buffer(device, &values));
        let mut out = DeviceBuffer::<R>::zeroed(device, COUNT as usize)?;
        reductions::gather::launch_with(schedule, device, 0..COUNT, &graph, &values, &mut out)?;
        compare(&out.to_vec()?, &expected, device, schedule);
        Ok(())
    });
}

/// The two smallest, by sorting.
fn two(edges: &[Edge<u32>]) -> Two {
    let mut keys: Vec<_> = edges.iter().map(|edge| edge.weight * 1000 + edge.dst).collect();
    keys.sort_unstable();
    Two {
        first: keys.first().copied().unwrap_or(u32::MAX),
        second: keys.get(1).copied().unwrap_or(u32::MAX),
        count: edges.iter().map(|edge| 1u64 << (edge.dst % 40)).sum(),
    }
}

#[test]
fn an_operator_gathers_any_reduction_600v_3700e_of_16_bytes() {
    check_gather::<Two>(two);
}

#[test]
fn an_operator_gathers_any_reduction_600v_3700e_of_a_largest_key() {
    check_gather::<ArgMax<u32>>(|edges| {
        let keys = edges.iter().map(|edge| (edge.weight % 7, u32::MAX - edge.dst));
        let (key, vertex) = keys.max().unwrap_or((0, 0));
        ArgMax { key, vertex: u32::MAX - vertex }
    });
}

#[test]
fn the_nearest_neighbor_beside_a_sum_and_a_histogram() {
    // Infinite keys count, NaN (of weight 100) does not; the smaller vertex wins
    // among equals.
    let weight = |edge: &Edge<u32>| match edge.weight {
        7 => 100.0,
        8 => f32::INFINITY,
        weight => (weight / 4) as f32 - 3.0,
    };
    let whole = edges();
    let edges: Vec<Edge<f32>> =
        whole.iter().map(|e| Edge { src: e.src, dst: e.dst, weight: weight(e) }).collect();
    let mut near = vec![ArgMin { key: f32::MAX, vertex: u32::MAX }; COUNT as usize];
    let mut bins = vec![Bins { of: [0; 5] }; COUNT as usize];
    let mut sums = vec![1u32; COUNT as usize];
    for (v, bins) in bins.iter_mut().enumerate() {
        bins.of[v % 5] += 1;
    }
    for edge in &edges {
        let v = edge.src as usize;
        bins[v].of[edge.dst as usize % 5] += 1;
        sums[v] += edge.dst;
        let is_first = near[v].vertex == u32::MAX || edge.weight < near[v].key;
        if is_first && edge.weight != 100.0 {
            near[v] = ArgMin { key: edge.weight, vertex: edge.dst };
        }
    }
    everywhere(|device, schedule| {
        let graph = graph(device, &edges);
        let mut out = DeviceBuffer::zeroed(device, COUNT as usize)?;
        let mut counts = DeviceBuffer::zeroed(device, COUNT as usize)?;
        let mut totals = DeviceBuffer::zeroed(device, COUNT as usize)?;
        reductions::nearest::launch_with(
            schedule,
            device,
            0..COUNT,
            &graph,
            &mut out,
            &mut counts,
            &mut totals,
        )?;
        compare(&out.to_vec()?, &near, device, schedule);
        compare(&counts.to_vec()?, &bins, device, schedule);
        compare(&totals.to_vec()?, &sums, device, schedule);
        Ok(())
    });
}

#[test]
fn edges_gather_of_both_their_ends() {
    let edges = edges();
    let items: Vec<Edge<u32>> = edges.iter().copied().step_by(7).collect();
    let farthest = |v: u32| {
        let own = edges.iter().filter(|edge| edge.src == v);
        own.map(|edge| (edge.weight, u32::MAX - edge.dst)).max()
    };
    let mut expected = vec![0u64; COUNT as usize];
    for item in &items {
        let of_src = farthest(item.src).map_or(u32::MAX, |(_, dst)| u32::MAX - dst);
        let before = (3, u32::MAX - 1_000_000);
        let of_dst = farthest(item.dst).filter(|_| item.weight > 3).unwrap_or(before).max(before);
        let both = u64::from(of_src) << 32 | u64::from(u32::MAX - of_dst.1);
        expected[item.src as usize] = expected[item.src as usize].wrapping_add(both);
    }
    everywhere(|device, schedule| {
        let (graph, items) = (graph(device, &edges), buffer(device, &items));
        let far = DeviceBuffer::<Atomic<u64>>::zeroed(device, COUNT as usize)?;
        reductions::of_both_ends::launch_with(schedule, device, &items, &graph, &far)?;
        compare(&far.to_vec()?, &expected, device, schedule);
        Ok(())
    });
}

#[test]
fn a_lane_by_itself_joins_too() {
    let edges = edges();
    let of = |v: u32| edges.iter().filter(|edge| edge.src == v).copied().collect::<Vec<_>>();
    let expected: Vec<Two> = (0..COUNT).map(|v| two(&of(v))).collect();
    for device in devices() {
        let graph = graph(&device, &edges);
        let mut out = DeviceBuffer::zeroed(&device, COUNT as usize).unwrap();
        reductions::alone::launch(&device, COUNT, &graph, &mut out).unwrap();
        compare(&out.to_vec().unwrap(), &expected, &device, Schedule::Thread);
    }
}
