//! Operators and frontiers against loops over an edge list.

use super::kernels::operators;
use super::{buffer, devices, expect, noise};
use meerkat::prelude::*;
use meerkat::runtime::{ErrorKind, Weight};
use std::collections::{BTreeMap, BTreeSet};

/// `count` distinct edges among `vertices` vertices, one of which is a hub.
pub(crate) fn random_edges(vertices: u32, count: usize) -> BTreeSet<(u32, u32)> {
    let mut numbers = noise(vertices);
    let mut edges = BTreeSet::new();
    while edges.len() < count {
        let (src, dst) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
        let src = if src % 4 == 0 { 0 } else { src % vertices };
        edges.insert((src, dst % vertices));
    }
    edges
}

/// The graph of these edges on a device.
pub(crate) fn graph<W: Weight>(
    device: &Device,
    vertices: u32,
    edges: impl IntoIterator<Item = (u32, u32)>,
    weight: impl Fn(u32, u32) -> W,
) -> SlabGraph<W> {
    let edge = |(src, dst)| Edge { src, dst, weight: weight(src, dst) };
    let edges: Vec<_> = edges.into_iter().map(edge).collect();
    SlabGraph::from_edges(device, vertices, &edges, &SlabOptions::default()).expect("a graph")
}

#[test]
fn closures_read_their_owners_values_100v_700e() {
    let edges = random_edges(100, 700);
    let values: Vec<u32> = noise(1).take(100).map(|x| x % 1000).collect();
    let mut expected = vec![0u32; 100];
    for &(src, dst) in &edges {
        let own = values[src as usize] + 17;
        expected[dst as usize] += own;
        expected[src as usize] += own * 3 + dst;
    }
    expect(&expected, |device, out| {
        let graph = graph(device, 100, edges.iter().copied(), |_, _| ());
        let total = DeviceBuffer::<Atomic<u32>>::zeroed(device, 100)?;
        let values = buffer(device, &values);
        operators::broadcasts::launch(device, 0..100, &graph, 17, &values, &total)?;
        out.write(0, &total.to_vec()?)
    });
}

#[test]
fn operators_visit_exactly_the_vertices_of_ranges_and_frontiers() {
    let values: Vec<u32> = (0..200).map(|i| i * 7 % 31).collect();
    let doubled = |v: u32| if values[v as usize] > 10 { values[v as usize] * 2 } else { v };
    for range in [0..200u32, 5..6, 40..73, 100..100, 199..200] {
        let visited = |v| if range.contains(&v) { doubled(v) } else { 0 };
        let expected: Vec<u32> = (0..200).map(visited).collect();
        expect(&expected, |device, out| {
            operators::own_item::launch(device, range.clone(), &buffer(device, &values), out)
        });
    }
    let list: Vec<u32> = (0..200).filter(|v| v % 13 == 4).rev().collect();
    let expected: Vec<u32> = (0..200).map(|v| if v % 13 == 4 { doubled(v) } else { 0 }).collect();
    expect(&expected, |device, out| {
        let frontiers = Frontiers::new(device, 200, &list)?;
        operators::own_item::launch(device, frontiers.current(), &buffer(device, &values), out)
    });
}

#[test]
fn edge_operators_visit_each_of_500_edges_once() {
    let edges = random_edges(60, 500);
    let mut expected = vec![0u32; 60];
    for &(src, dst) in &edges {
        expected[src as usize] += 1;
        expected[dst as usize] += 0x10000;
    }
    let list: Vec<Edge> = edges.iter().map(|&(src, dst)| Edge { src, dst, weight: () }).collect();
    expect(&expected, |device, out| {
        let degrees = DeviceBuffer::<Atomic<u32>>::zeroed(device, 60)?;
        operators::count_endpoints::launch(device, &buffer(device, &list), &degrees)?;
        out.write(0, &degrees.to_vec()?)
    });
}

#[test]
fn edges_travel_through_2_frontiers_40v_300e() {
    let edges = random_edges(40, 300);
    let weight = |src: u32, dst: u32| src * 100 + dst;
    let first: Vec<_> =
        edges.iter().map(|&(src, dst)| Edge { src, dst, weight: weight(src, dst) }).collect();
    let mut reached = vec![0u32; 40];
    let mut frontier: BTreeMap<(u32, u32, u32), u32> = BTreeMap::new();
    first.iter().for_each(|e| *frontier.entry((e.src, e.dst, e.weight)).or_default() += 1);
    let mut lengths = Vec::new();
    for _round in 0..2 {
        let mut next = BTreeMap::new();
        for (&(src, dst, w), &times) in &frontier {
            if src == dst {
                continue;
            }
            for &(_, to) in edges.range((dst, 0)..(dst + 1, 0)) {
                reached[to as usize] += (w + 1) * times;
                if to % 2 == 0 {
                    *next.entry((dst, to, w + 1 + weight(dst, to))).or_default() += times;
                }
            }
        }
        lengths.push(next.values().sum::<u32>());
        frontier = next;
    }
    expect(&reached, |device, out| {
        let graph = graph(device, 40, edges.iter().copied(), weight);
        let totals = DeviceBuffer::<Atomic<u32>>::zeroed(device, 40)?;
        let mut frontiers = Frontiers::new(device, 100_000, &first)?;
        for &length in &lengths {
            let (current, next) = (frontiers.current(), frontiers.next());
            operators::extend::launch(device, current, &graph, &totals, next)?;
            assert_eq!(frontiers.advance()?, length, "{}", device.name());
        }
        out.write(0, &totals.to_vec()?)
    });
}

#[test]
fn frontiers_hold_what_1000_lanes_enqueue() {
    for modulus in [1, 3, 1000, 5000] {
        let kept = (0..1000u32).filter(|v| v % modulus == 0).map(|v| v * 2);
        let expected: BTreeSet<u32> = kept.collect();
        for device in super::devices() {
            let mut frontiers = Frontiers::new(&device, 1000, &[]).expect("memory");
            assert!(frontiers.is_empty());
            operators::filter::launch(&device, 0..1000, modulus, frontiers.next()).expect("a run");
            let length = frontiers.advance().expect("room for all");
            assert_eq!((length, frontiers.len()), (expected.len() as u32, length));
            // Marks what the next launch visits.
            let mut seen = DeviceBuffer::<u32>::zeroed(&device, 2000).expect("memory");
            let values = DeviceBuffer::filled(&device, 2000, 11).expect("memory");
            operators::own_item::launch(&device, frontiers.current(), &values, &mut seen)
                .expect("a run");
            let seen = seen.to_vec().expect("a copy");
            let marked = (0..2000u32).filter(|v| seen[*v as usize] == 22);
            assert_eq!(marked.collect::<BTreeSet<_>>(), expected, "{}", device.name());
        }
    }
}

#[test]
fn lanes_of_a_branch_enqueue_one_by_one_and_warps_beside_them() {
    for device in super::devices() {
        let (mut even, mut odd) = (
            Frontiers::new(&device, 500, &[]).expect("memory"),
            Frontiers::new(&device, 500, &[]).expect("memory"),
        );
        operators::split::launch(&device, 777, 777, even.next(), odd.next()).expect("a run");
        for (frontiers, parity) in [(&mut even, 0), (&mut odd, 1)] {
            frontiers.advance().expect("room for all");
            let mut found = frontiers.to_vec().expect("a copy");
            found.sort_unstable();
            let expected: Vec<u32> = (0..777).filter(|i| i % 2 == parity).collect();
            assert_eq!(found, expected, "{}", device.name());
        }
    }
}

#[test]
fn a_frontier_for_10_says_that_100_were_enqueued() {
    for device in super::devices() {
        let mut frontiers = Frontiers::new(&device, 10, &[1, 2, 3]).expect("memory");
        operators::filter::launch(&device, 0..100, 1, frontiers.next()).expect("a run");
        let error = frontiers.advance().expect_err("too many");
        let ErrorKind::FrontierOverflow { enqueued, capacity } = *error.kind() else {
            panic!("{error}")
        };
        assert_eq!((enqueued, capacity), (100, 10));
        assert!(frontiers.is_empty());
    }
}

#[test]
fn a_frontier_for_2_refuses_3_first_items() {
    for device in super::devices() {
        let error = Frontiers::new(&device, 2, &[1u32, 2, 3]).expect_err("too many");
        assert!(matches!(error.kind(), ErrorKind::OutOfBounds { .. }), "{error}");
    }
}

#[test]
fn each_edge_has_an_element_of_its_own_120v_900e() {
    let edges = random_edges(120, 900);
    let weight = |src: u32, dst: u32| (src * 5 + dst) % 9;
    let items: Vec<_> =
        edges.iter().rev().map(|&(src, dst)| Edge { src, dst, weight: weight(src, dst) }).collect();
    let expected: Vec<u64> = items
        .iter()
        .enumerate()
        .map(|(at, item)| {
            let own = edges.iter().filter(|(src, _)| *src == item.dst && item.weight != 3);
            let (mut sum, mut tagged) = (0, 0);
            for &(src, dst) in own {
                sum += dst + weight(src, dst);
                tagged = tagged.max(at as u32 * 7 % (dst + 2));
            }
            u64::from(sum) << 32 | u64::from(tagged + item.src)
        })
        .collect();
    for device in devices() {
        for schedule in Schedule::ALL {
            let graph = graph(&device, 120, edges.iter().copied(), weight);
            let items = buffer(&device, &items);
            let mut out = DeviceBuffer::zeroed(&device, 900).unwrap();
            operators::of_each_edge::launch_with(schedule, &device, &items, &graph, &mut out)
                .unwrap();
            assert_eq!(out.to_vec().unwrap(), expected, "{} {schedule:?}", device.name());
        }
    }
}

#[test]
fn items_are_of_any_struct_60v_400e() {
    use operators::TwoSteps;
    let edges = random_edges(60, 400);
    let items: Vec<_> = noise(61)
        .zip(noise(62))
        .zip(noise(63))
        .take(777)
        .map(|((a, b), c)| TwoSteps { from: a % 60, over: b % 60, to: c % 60 })
        .collect();
    let turned = |(at, path): (usize, &TwoSteps)| TwoSteps {
        from: path.to,
        over: if edges.contains(&(path.from, path.to)) { path.over } else { u32::MAX },
        to: path.from + at as u32,
    };
    let expected: Vec<_> = items.iter().enumerate().map(turned).collect();
    for device in devices() {
        for schedule in Schedule::ALL {
            let graph = graph(&device, 60, edges.iter().copied(), |_, _| 1u32);
            let items = buffer(&device, &items);
            let mut out = DeviceBuffer::zeroed(&device, 777).unwrap();
            operators::of_paths::launch_with(schedule, &device, &items, &graph, &mut out).unwrap();
            assert_eq!(out.to_vec().unwrap(), expected, "{} {schedule:?}", device.name());
        }
    }
}
