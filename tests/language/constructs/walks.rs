//! Walks of a lane by itself, searches, common neighbours, neighbours by place.

use super::kernels::walks;
use super::{buffer, devices, expect};
use meerkat::prelude::*;
use std::collections::BTreeMap;

const VERTICES: u32 = 40;

type Neighbors = Vec<BTreeMap<u32, u32>>;

/// Both arcs of each edge; vertex 3 has more neighbours than a slab holds, 39 has none.
fn graph() -> (Vec<Edge<u32>>, Neighbors) {
    let mut edges: Vec<_> =
        (0..90u32).map(|i| (i % 9, (i * 7 + 1) % 39, i % 11)).filter(|(a, b, _)| a != b).collect();
    edges.extend((4..36).map(|b| (3, b, b % 5)));
    let mut neighbors = vec![BTreeMap::new(); VERTICES as usize];
    for &(a, b, weight) in &edges {
        neighbors[a as usize].insert(b, weight);
        neighbors[b as usize].insert(a, weight);
    }
    let arcs = neighbors.iter().enumerate().flat_map(|(src, of)| {
        of.iter().map(move |(&dst, &weight)| Edge { src: src as u32, dst, weight })
    });
    (arcs.collect(), neighbors)
}

fn on(device: &Device, edges: &[Edge<u32>]) -> Result<SlabGraph<u32>, Error> {
    SlabGraph::from_edges(device, VERTICES, edges, &SlabOptions::default())
}

#[test]
fn a_lane_walks_by_itself_in_kernels_and_device_functions() {
    let (edges, neighbors) = graph();
    let expected = |v: u32| {
        let of = &neighbors[v as usize];
        let mut sum = of.iter().map(|(dst, weight)| weight * 100 + dst % 100).max().unwrap_or(0);
        for round in (0..v % 3).filter(|&round| round != 1) {
            sum += of.keys().sum::<u32>() * (round + 1);
        }
        sum
    };
    for device in devices() {
        let graph = on(&device, &edges).unwrap();
        let mut out = DeviceBuffer::zeroed(&device, VERTICES as usize).unwrap();
        walks::in_a_kernel::launch(&device, VERTICES, &graph, &mut out).unwrap();
        for (v, found) in (0..VERTICES).zip(out.to_vec().unwrap()) {
            let fits: Vec<_> = neighbors[v as usize]
                .iter()
                .filter(|&(&dst, &weight)| dst > v && weight > 2)
                .map(|(&dst, _)| expected(v) + dst)
                .collect();
            match (v % 2, fits.is_empty()) {
                (1, _) => assert_eq!(found, expected(v), "{v}"),
                (_, true) => assert_eq!(found, expected(v) + 7, "{v}"),
                (_, false) => assert!(fits.contains(&found), "{v}: {found} of {fits:?}"),
            }
        }
    }
}

#[test]
fn a_walk_inside_a_walk_sees_the_neighbours_of_neighbours() {
    let (edges, neighbors) = graph();
    let mut expected = vec![0; VERTICES as usize];
    let (mut added, mut most) = (vec![0u32; VERTICES as usize], vec![0u32; VERTICES as usize]);
    for v in 0..VERTICES {
        for (&a, &first) in &neighbors[v as usize] {
            for (&b, &second) in neighbors[a as usize].iter().filter(|&(&b, _)| b != v) {
                expected[v as usize] += first * second;
                most[a as usize] = most[a as usize].max(second);
                added[b as usize] += 1;
            }
        }
    }
    for schedule in Schedule::ALL {
        expect(&expected, |device, out| {
            let (graph, seen) = (on(device, &edges)?, DeviceBuffer::zeroed(device, 40)?);
            walks::nested::launch_with(schedule, device, 0..VERTICES, &graph, out, &seen)?;
            for (v, seen) in seen.to_vec()?.into_iter().enumerate() {
                assert!(seen >= added[v].max(most[v]), "{schedule:?}: {v}");
                assert!(seen <= added[v] + most[v], "{schedule:?}: {v}");
            }
            Ok(())
        });
    }
}

#[test]
fn common_neighbours_are_those_of_both() {
    let (edges, neighbors) = graph();
    let both = |a: u32, b: u32| {
        let of_b = &neighbors[b as usize];
        neighbors[a as usize].keys().copied().filter(|w| of_b.contains_key(w)).collect::<Vec<_>>()
    };
    let mut met = vec![0u32; VERTICES as usize];
    let expected: Vec<u32> = (0..VERTICES)
        .map(|v| {
            if v % 2 == 0 {
                both(v, (v + 1) % 40).into_iter().for_each(|w| met[w as usize] += v);
            }
            let above = neighbors[v as usize].keys().filter(|&&a| a > v);
            above.map(|&a| both(v, a).into_iter().filter(|&b| b > a).count() as u32).sum()
        })
        .collect();
    assert!(expected.iter().sum::<u32>() > 20 && met.iter().sum::<u32>() > 20);
    for schedule in Schedule::ALL {
        expect(&expected, |device, out| {
            let (graph, found) = (on(device, &edges)?, DeviceBuffer::zeroed(device, 40)?);
            walks::common::launch_with(schedule, device, 0..VERTICES, &graph, out, &found)?;
            assert_eq!(found.to_vec()?, met, "{schedule:?}");
            Ok(())
        });
    }
}

#[test]
fn a_search_finds_one_of_those_that_fit_under_every_schedule() {
    let (edges, neighbors) = graph();
    let side: Vec<u32> = (0..VERTICES).map(|v| v * 5 / 3 % 3).collect();
    let mut found_some = 0;
    for device in devices() {
        for schedule in Schedule::ALL {
            let graph = on(&device, &edges).unwrap();
            let sides = buffer(&device, &side);
            let mut out = DeviceBuffer::zeroed(&device, VERTICES as usize).unwrap();
            walks::search::launch_with(schedule, &device, 0..VERTICES, &graph, &sides, &mut out)
                .unwrap();
            for (v, found) in out.to_vec().unwrap().into_iter().enumerate() {
                let fits = |&(&dst, &weight): &(&u32, &u32)| {
                    side[v] != 2 && weight >= 3 && side[dst as usize] != side[v]
                };
                let fitting: Vec<_> =
                    neighbors[v].iter().filter(fits).map(|(dst, _)| *dst).collect();
                match fitting.is_empty() {
                    true => assert_eq!(found, u32::MAX, "{schedule:?}: {v}"),
                    false => assert!(fitting.contains(&found), "{schedule:?}: {v}: {found}"),
                }
                found_some += u32::from(!fitting.is_empty());
            }
        }
    }
    assert!(found_some > 50);
}

#[test]
fn neighbours_by_place_are_each_once_and_weights_are_those_of_the_edge() {
    let (edges, neighbors) = graph();
    for device in devices() {
        let graph = on(&device, &edges).unwrap();
        let mut out = DeviceBuffer::zeroed(&device, VERTICES as usize).unwrap();
        walks::by_place::launch(&device, VERTICES, &graph, &mut out).unwrap();
        for (v, found) in out.to_vec().unwrap().into_iter().enumerate() {
            let (third, weight) = ((found >> 32) as u32, (found as u32) >> 1);
            assert_eq!(found & 1, 1, "{v}: a neighbour by chance is one");
            assert_eq!(third == u32::MAX, neighbors[v].len() < 3, "{v}");
            assert!(third == u32::MAX || neighbors[v].contains_key(&third), "{v}");
            let to = (v as u32 * 7 + 1) % 40;
            assert_eq!(weight, neighbors[v].get(&to).copied().unwrap_or(1000), "{v}");
        }
    }
}

#[test]
fn a_lane_asks_nobody_after_the_neighbour_it_found() {
    let (edges, neighbors) = graph();
    for device in devices() {
        let graph = on(&device, &edges).unwrap();
        let mut out = DeviceBuffer::zeroed(&device, VERTICES as usize).unwrap();
        walks::weighted::launch(&device, VERTICES, &graph, 6, &mut out).unwrap();
        for (v, found) in out.to_vec().unwrap().into_iter().enumerate() {
            let (sum, last, asked) = (found >> 32, found >> 16 & 0xffff, found & 0xffff);
            let total: u64 = neighbors[v].values().map(|&weight| u64::from(weight)).sum();
            if total > 6 {
                // Without the last it was not passed yet.
                assert!(sum > 6 && sum - last <= 6, "{v}: {sum} with {last}");
            } else {
                assert_eq!((sum, asked), (total, neighbors[v].len() as u64), "{v}");
            }
        }
    }
}

/// How many neighbours two vertices have in common.
fn shared(neighbors: &Neighbors, a: u32, b: u32) -> u32 {
    neighbors[a as usize].keys().filter(|w| neighbors[b as usize].contains_key(w)).count() as u32
}

#[test]
fn vertices_of_walks_are_fields_and_a_second_one_is_asked_for_once() {
    let (edges, neighbors) = graph();
    let walkers: Vec<_> = (0..VERTICES)
        .map(|i| walks::Walker { at: i * 7 % VERTICES, path: [i, (i + 3) % VERTICES] })
        .collect();
    let one = walks::Walker { at: 3, path: [4, 2] };
    let expected = |i: u32| {
        let walker = walkers[i as usize];
        let around: u32 = neighbors[walker.at as usize].keys().sum();
        let sees = neighbors[walker.path[1] as usize].contains_key(&walker.at);
        let found = (around + u32::from(sees) * 1000) * 100;
        found + shared(&neighbors, 4, found % 40) + shared(&neighbors, 3, i) * 10000
    };
    let mut met = vec![0u32; VERTICES as usize];
    neighbors[3].keys().for_each(|&dst| met[dst as usize] += 1 + 2 + 3);
    for of in &neighbors {
        of.keys().filter(|w| neighbors[6].contains_key(w)).for_each(|&w| met[w as usize] += 100);
    }
    for device in devices() {
        let graph = on(&device, &edges).unwrap();
        let mut out = DeviceBuffer::zeroed(&device, VERTICES as usize).unwrap();
        let items = buffer(&device, &walkers);
        walks::walkers::launch(&device, VERTICES, &graph, &items, one, &mut out).unwrap();
        let expected: Vec<_> = (0..VERTICES).map(expected).collect();
        assert_eq!(out.to_vec().unwrap(), expected, "{}", device.name());
        for schedule in Schedule::ALL {
            let found = DeviceBuffer::<Atomic<u32>>::zeroed(&device, VERTICES as usize).unwrap();
            walks::from_one::launch_with(schedule, &device, 0..VERTICES, &graph, one, &found)
                .unwrap();
            assert_eq!(found.to_vec().unwrap(), met, "{} {schedule:?}", device.name());
        }
    }
}

#[test]
fn walks_inside_of_blocks_that_are_values_are_statements_like_others() {
    let (edges, neighbors) = graph();
    let expected = neighbors.iter().map(|of| {
        let largest = of.values().max().copied().unwrap_or(0);
        let hub = if of.contains_key(&3) { 5 } else { 0 };
        (of.keys().sum::<u32>() + largest * 1000 + hub) * 100 + of.len() as u32
    });
    let expected: Vec<_> = expected.collect();
    for device in devices() {
        let graph = on(&device, &edges).unwrap();
        for schedule in Schedule::ALL {
            let mut out = DeviceBuffer::zeroed(&device, VERTICES as usize).unwrap();
            walks::in_blocks::launch_with(schedule, &device, 0..VERTICES, &graph, &mut out)
                .unwrap();
            assert_eq!(out.to_vec().unwrap(), expected, "{} {schedule:?}", device.name());
        }
    }
}

#[test]
fn what_a_closure_counts_by_itself_is_uniform_there() {
    let (edges, neighbors) = graph();
    let sum = |of: &BTreeMap<u32, u32>| of.keys().map(|w| w + w * w + w * w * w).sum::<u32>();
    let expected: Vec<_> = neighbors.iter().map(sum).collect();
    for device in devices() {
        let graph = on(&device, &edges).unwrap();
        let mut out = DeviceBuffer::zeroed(&device, VERTICES as usize).unwrap();
        walks::uniform_in_a_closure::launch(&device, VERTICES, &graph, &mut out).unwrap();
        assert_eq!(out.to_vec().unwrap(), expected, "{}", device.name());
    }
}
