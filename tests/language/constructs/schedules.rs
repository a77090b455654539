//! One operator, every schedule, one answer; hubs of hundreds of slab lists among
//! vertices of none.

use super::kernels::schedules::{self, Gathered};
use super::{buffer, devices, noise};
use meerkat::prelude::*;
use meerkat::runtime::{ErrorKind, MemoryFaults};
use std::collections::BTreeMap;

const COUNT: u32 = 700;

/// 3 hubs of up to all vertices, 500 of a few neighbours, the rest of none.
fn edges() -> Vec<Edge<u32>> {
    let few = noise(21).zip(noise(22)).take(2500).map(|(a, b)| (a % 500, b % COUNT));
    let hubs = [3u32, 64, 255].into_iter().flat_map(|hub| (0..COUNT).map(move |dst| (hub, dst)));
    let edges: BTreeMap<_, _> = few.chain(hubs).zip(noise(23)).collect();
    let edge = |((src, dst), weight): ((u32, u32), u32)| Edge { src, dst, weight: weight % 50 };
    edges.into_iter().map(edge).collect()
}

/// Many buckets even for some hundred neighbours.
fn graph(device: &Device, edges: &[Edge<u32>]) -> SlabGraph<u32> {
    let options = SlabOptions { load_factor: 0.3, ..SlabOptions::default() };
    SlabGraph::from_edges(device, COUNT, edges, &options).unwrap()
}

fn everywhere(run: impl Fn(&Device, Schedule)) {
    for device in devices() {
        Schedule::ALL.into_iter().for_each(|schedule| run(&device, schedule));
    }
}

#[test]
fn every_accumulation_under_every_schedule_700v_4600e() {
    let edges = edges();
    let values: Vec<i32> = noise(24).take(COUNT as usize).map(|x| (x % 40) as i32).collect();
    let expected: Vec<Gathered> = (0..COUNT)
        .map(|v| {
            let own = values[v as usize];
            let to: Vec<_> =
                edges.iter().filter(|edge| edge.src == v && own != 13).copied().collect();
            let dsts = || to.iter().map(|edge| edge.dst);
            Gathered {
                wide: dsts().fold(3, |sum, dst| sum + ((own as u64) << 33) + u64::from(dst)),
                ratio: 1.0 + to.len() as f32 * (own as f32 * 0.5 + 1.0),
                sum: to.iter().fold(7, |sum, edge| sum + edge.weight),
                least: dsts().map(|dst| values[dst as usize] - own).min().unwrap_or(100).min(100),
                most: to.iter().map(|edge| edge.dst + edge.weight % 3).max().unwrap_or(1).max(1),
                bits: dsts().fold(0, |bits, dst| bits | 1 << (dst % 32)),
                flags: u32::from(v % 2 == 0 && dsts().any(|dst| dst % 2 == 0))
                    | u32::from(v % 3 == 0 || dsts().any(|dst| dst % 2 == 1)) << 1,
            }
        })
        .collect();
    everywhere(|device, schedule| {
        let (graph, values) = (graph(device, &edges), buffer(device, &values));
        let mut out = DeviceBuffer::zeroed(device, COUNT as usize).unwrap();
        schedules::gather::launch_with(schedule, device, 0..COUNT, &graph, &values, &mut out)
            .unwrap();
        let found: Vec<Gathered> = out.to_vec().unwrap();
        for (v, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert_eq!(found, expected, "{} {schedule:?} vertex {v}", device.name());
        }
    });
}

#[test]
fn edges_spread_and_enqueue_under_every_schedule() {
    let edges = edges();
    let items: Vec<Edge<u32>> = edges.iter().copied().step_by(9).collect();
    let mut seen = vec![0u32; COUNT as usize];
    let mut next = Vec::new();
    for item in items.iter().filter(|item| item.src != item.dst) {
        for edge in edges.iter().filter(|edge| edge.src == item.dst) {
            seen[edge.dst as usize] += item.weight + 1;
            if edge.dst % 2 == 0 {
                next.push((item.dst, edge.dst, item.weight + 1 + edge.weight));
            }
        }
    }
    next.sort_unstable();
    everywhere(|device, schedule| {
        let (graph, items) = (graph(device, &edges), buffer(device, &items));
        let counts = DeviceBuffer::<Atomic<u32>>::zeroed(device, COUNT as usize).unwrap();
        let mut frontiers = Frontiers::<Edge<u32>>::new(device, 1 << 16, &[]).unwrap();
        let queue = frontiers.next();
        schedules::spread::launch_with(schedule, device, &items, &graph, &counts, queue).unwrap();
        frontiers.advance().unwrap();
        let on = format!("{} {schedule:?}", device.name());
        assert_eq!(counts.to_vec().unwrap(), seen, "{on}");
        let mut found: Vec<_> = frontiers
            .to_vec()
            .unwrap()
            .into_iter()
            .map(|edge| (edge.src, edge.dst, edge.weight))
            .collect();
        found.sort_unstable();
        assert_eq!(found, next, "{on}");
    });
}

/// A list of few vertices is spread over a large GPU, and its hubs shared; one of all
/// of them overflows what a block stages.
#[test]
fn vertices_are_pushed_once_by_3_hubs_and_by_all_700_under_every_schedule() {
    let edges = edges();
    for items in [vec![3u32, 64, 255], (0..COUNT).collect(), vec![64]] {
        let mut seen = vec![0u32; COUNT as usize];
        let mut next = Vec::new();
        for edge in edges.iter().filter(|edge| items.contains(&edge.src)) {
            seen[edge.dst as usize] += edge.weight + edge.src;
            next.extend((edge.dst != edge.src).then_some(edge.dst));
        }
        next.sort_unstable();
        everywhere(|device, schedule| {
            let graph = graph(device, &edges);
            let counts = DeviceBuffer::<Atomic<u32>>::zeroed(device, COUNT as usize).unwrap();
            let mut frontiers = Frontiers::<Vertex>::new(device, 1 << 16, &items).unwrap();
            let (current, queue) = (frontiers.current(), frontiers.next());
            schedules::push::launch_with(schedule, device, current, &graph, &counts, queue)
                .unwrap();
            frontiers.advance().unwrap();
            let on = format!("{} {schedule:?} {} items", device.name(), items.len());
            assert_eq!(counts.to_vec().unwrap(), seen, "{on}");
            let mut found = frontiers.to_vec().unwrap();
            found.sort_unstable();
            assert_eq!(found, next, "{on}");
        });
    }
}

/// A launch that lists hubs for a second one walks them itself where there is no memory for the list. (On CUDA
/// these hubs are too short to be listed.)
#[test]
fn hubs_are_walked_where_there_is_no_memory_to_put_them_off() {
    let (edges, items) = (edges(), vec![3u32, 64, 255]);
    let mut seen = vec![0u32; COUNT as usize];
    for edge in edges.iter().filter(|edge| items.contains(&edge.src)) {
        seen[edge.dst as usize] += edge.weight + edge.src;
    }
    for device in devices() {
        let faults = MemoryFaults::new();
        let device = device.with_memory_faults(&faults);
        let graph = graph(&device, &edges);
        let counts = DeviceBuffer::<Atomic<u32>>::zeroed(&device, COUNT as usize).unwrap();
        let frontiers = Frontiers::<Vertex>::new(&device, 1 << 16, &items).unwrap();
        let (current, queue, hybrid) = (frontiers.current(), frontiers.next(), Schedule::Hybrid);
        faults.fail_from(0);
        schedules::push::launch_with(hybrid, &device, current, &graph, &counts, queue).unwrap();
        let asked = faults.heal();
        assert!(asked || device.name() != "cpu", "no list was asked for");
        assert_eq!(counts.to_vec().unwrap(), seen, "{}", device.name());
    }
}

/// More hubs than a launch puts off.
#[test]
fn hubs_are_pushed_once_where_600_among_9600_are_too_long_for_a_block() {
    const HUBS: u32 = 600;
    let edges: Vec<_> = (0..12_000).map(|dst| Edge { src: 0, dst, weight: 1 }).collect();
    let items: Vec<u32> = (0..9_600).map(|i| if i % 16 == 0 { 0 } else { i }).collect();
    for device in devices() {
        let options = SlabOptions { load_factor: 0.3, ..SlabOptions::default() };
        let graph = SlabGraph::from_edges(&device, 12_000, &edges, &options).unwrap();
        let counts = DeviceBuffer::<Atomic<u32>>::zeroed(&device, 12_000).unwrap();
        let mut frontiers = Frontiers::<Vertex>::new(&device, 12_000 * HUBS, &items).unwrap();
        let (current, queue, hybrid) = (frontiers.current(), frontiers.next(), Schedule::Hybrid);
        schedules::push::launch_with(hybrid, &device, current, &graph, &counts, queue).unwrap();
        assert_eq!(counts.to_vec().unwrap(), [HUBS; 12_000], "{}", device.name());
        assert_eq!(frontiers.advance().unwrap(), 11_999 * HUBS, "{}", device.name());
    }
}

#[test]
fn what_does_not_fit_a_staged_frontier_is_counted_under_every_schedule() {
    let edges = edges();
    everywhere(|device, schedule| {
        let graph = graph(device, &edges);
        let counts = DeviceBuffer::<Atomic<u32>>::zeroed(device, COUNT as usize).unwrap();
        let mut frontiers = Frontiers::<Vertex>::new(device, 64, &[3]).unwrap();
        let (current, queue) = (frontiers.current(), frontiers.next());
        schedules::push::launch_with(schedule, device, current, &graph, &counts, queue).unwrap();
        let error = frontiers.advance().unwrap_err();
        let expected = ErrorKind::FrontierOverflow { enqueued: COUNT - 1, capacity: 64 };
        assert_eq!(format!("{:?}", error.kind()), format!("{expected:?}"), "{schedule:?}");
    });
}

#[test]
fn looking_ends_with_the_first_found_under_every_schedule() {
    let edges = edges();
    let marks: Vec<u32> = noise(26).take(COUNT as usize).map(|x| u32::from(x % 9 == 0)).collect();
    let is_found = |v: u32| {
        let to = edges.iter().filter(|edge| edge.src == v && v % 7 != 0 && edge.weight % 2 == 0);
        v % 5 == 0 || to.into_iter().any(|edge| marks[edge.dst as usize] == 1)
    };
    let expected: Vec<u32> = (0..COUNT).map(|v| u32::from(is_found(v))).collect();
    everywhere(|device, schedule| {
        let (graph, marks) = (graph(device, &edges), buffer(device, &marks));
        let mut out = DeviceBuffer::zeroed(device, COUNT as usize).unwrap();
        schedules::look::launch_with(schedule, device, 0..COUNT, &graph, &marks, &mut out).unwrap();
        assert_eq!(out.to_vec().unwrap(), expected, "{} {schedule:?}", device.name());
    });
}

/// A path, so that a round visits one vertex, and rounds are queued ahead; then a
/// frontier that grows beyond the threads of a queued round.
#[test]
fn repeated_rounds_visit_a_path_of_699_edges_and_a_burst_once() {
    let edge = |src, dst| Edge { src, dst, weight: 1u32 };
    let path: Vec<_> = (0..COUNT - 1).map(|v| edge(v, v + 1)).collect();
    for device in devices() {
        let graph = graph(&device, &path);
        for end in [COUNT, 150, 1] {
            let seen = DeviceBuffer::<Atomic<u32>>::zeroed(&device, COUNT as usize).unwrap();
            let mut frontiers = Frontiers::new(&device, COUNT, &[0]).unwrap();
            let goes_on = |done, _| done < 400;
            let rounds = frontiers.repeat(goes_on, |round, current, next| {
                schedules::count_up::launch(&device, current, &graph, round, end, &seen, next)
            });
            let rounds = rounds.unwrap();
            let visited = (end + 1).min(COUNT).min(400);
            assert_eq!(rounds, visited, "{}", device.name());
            assert_eq!(frontiers.visited(), u64::from(visited));
            let expected: Vec<_> = (1..=visited).collect();
            let seen = seen.to_vec().unwrap();
            assert_eq!(seen[..visited as usize], expected, "round by round");
            assert!(seen[visited as usize..].iter().all(|&count| count == 0));
        }
    }
}

#[test]
fn rounds_that_are_too_small_for_a_burst_of_40000_are_launched_again() {
    // A path of 40 edges, whose end has 40,000 out-neighbours with one each.
    let (stem, burst) = (40u32, 40_000u32);
    let edge = |src, dst| Edge { src, dst, weight: 1u32 };
    let leaf = |i: u32| stem + 1 + i;
    let edges: Vec<_> = (0..stem)
        .map(|v| edge(v, v + 1))
        .chain((0..burst).flat_map(|i| [edge(stem, leaf(i)), edge(leaf(i), leaf(burst + i))]))
        .collect();
    let count = leaf(2 * burst);
    for device in devices() {
        let options = SlabOptions::default();
        let graph = SlabGraph::from_edges(&device, count, &edges, &options).unwrap();
        let seen = DeviceBuffer::<Atomic<u32>>::zeroed(&device, count as usize).unwrap();
        let mut frontiers = Frontiers::new(&device, count, &[0]).unwrap();
        let rounds = frontiers
            .repeat(
                |_, _| true,
                |_, current, next| schedules::push::launch(&device, current, &graph, &seen, next),
            )
            .unwrap();
        assert_eq!((rounds, frontiers.visited()), (stem + 3, u64::from(stem + 1 + 2 * burst)));
        let seen = seen.to_vec().unwrap();
        for edge in &edges {
            assert_eq!(seen[edge.dst as usize], edge.src + 1, "{} {edge:?}", device.name());
        }
    }
}

#[test]
fn a_block_enqueues_in_the_order_of_its_threads() {
    for device in devices() {
        for (count, every) in [(1000u32, 1u32), (1000, 7), (3, 2), (700, 2000)] {
            let mut frontiers = Frontiers::<Vertex>::new(&device, 1000, &[]).unwrap();
            schedules::choose::launch(&device, 1024, every, count, frontiers.next()).unwrap();
            frontiers.advance().unwrap();
            let found = frontiers.to_vec().unwrap();
            let block = if device.is_cuda() { 256 } else { 32 };
            let in_order = found.windows(2).all(|w| w[0] < w[1] || w[0] / block != w[1] / block);
            assert!(in_order, "{}: {found:?}", device.name());
            let mut sorted = found;
            sorted.sort_unstable();
            let expected: Vec<u32> = (0..count).filter(|i| i % every == 0).collect();
            assert_eq!(sorted, expected, "{}", device.name());
        }
    }
}

#[test]
fn walks_in_a_loop_under_every_schedule() {
    let edges = edges();
    let mut expected = vec![0u32; COUNT as usize];
    for (v, total) in (0..).zip(&mut expected) {
        for round in 0..3u32 {
            let walks = *total % 2 == 0;
            let to = edges.iter().filter(|edge| edge.src == v && walks);
            *total += to.map(|edge| edge.dst + round).sum::<u32>() + 1;
        }
    }
    everywhere(|device, schedule| {
        let graph = graph(device, &edges);
        let mut out = DeviceBuffer::zeroed(device, COUNT as usize).unwrap();
        schedules::repeated::launch_with(schedule, device, 0..COUNT, 3, &graph, &mut out).unwrap();
        assert_eq!(out.to_vec().unwrap(), expected, "{} {schedule:?}", device.name());
    });
}

#[test]
fn single_slab_lists_by_groups_and_refused_by_blocks() {
    let edges = edges();
    let mut sums = vec![0u32; COUNT as usize];
    edges.iter().for_each(|edge| sums[edge.src as usize] += edge.dst * edge.weight);
    everywhere(|device, schedule| {
        let graph = graph(device, &edges);
        let mut out = DeviceBuffer::zeroed(device, COUNT as usize).unwrap();
        let mut last = DeviceBuffer::zeroed(device, COUNT as usize).unwrap();
        let result = schedules::buckets::launch_with(
            schedule,
            device,
            0..COUNT,
            &graph,
            200,
            &mut out,
            &mut last,
        );
        let on = format!("{} {schedule:?}", device.name());
        if matches!(schedule, Schedule::Block | Schedule::Hybrid | Schedule::SlabList) {
            let error = result.unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::UnsupportedSchedule { .. }), "{on}: {error}");
            return;
        }
        result.unwrap();
        assert_eq!(out.to_vec().unwrap(), sums, "{on}");
        let degrees = graph.out_degrees().unwrap();
        for (v, (last, degree)) in last.to_vec().unwrap().into_iter().zip(degrees).enumerate() {
            assert_eq!(last / 1_000_000, degree, "{on} vertex {v}");
            assert!(last % 1_000_000 <= degree, "{on} vertex {v}");
        }
    });
}

#[test]
fn updated_neighbors_under_every_schedule() {
    let (old, new): (Vec<_>, Vec<_>) = edges().into_iter().partition(|edge| edge.dst % 5 != 0);
    let again = old[..20].to_vec();
    let (mut sums, mut counts) = (vec![0u32; COUNT as usize], vec![0u32; COUNT as usize]);
    for edge in old.iter().chain(&new) {
        counts[edge.src as usize] += 1;
    }
    for edge in new.iter().filter(|edge| edge.src != 7) {
        sums[edge.src as usize] += edge.dst * edge.weight + edge.src;
    }
    everywhere(|device, schedule| {
        let options =
            SlabOptions { load_factor: 0.3, track_updates: true, ..SlabOptions::default() };
        let mut graph = SlabGraph::from_edges(device, COUNT, &old, &options).unwrap();
        graph.update_slab_pointers().unwrap();
        graph.insert(&new).unwrap();
        graph.insert(&again).unwrap();
        let mut found = DeviceBuffer::zeroed(device, COUNT as usize).unwrap();
        let mut all = DeviceBuffer::zeroed(device, COUNT as usize).unwrap();
        schedules::updates::launch_with(schedule, device, 0..COUNT, &graph, &mut found, &mut all)
            .unwrap();
        let on = format!("{} {schedule:?}", device.name());
        assert_eq!(found.to_vec().unwrap(), sums, "{on}");
        assert_eq!(all.to_vec().unwrap(), counts, "{on}");
    });
}

#[test]
fn updates_of_a_graph_that_does_not_track_them_are_refused() {
    for device in devices() {
        let graph = graph(&device, &edges());
        let mut found = DeviceBuffer::zeroed(&device, COUNT as usize).unwrap();
        let mut all = DeviceBuffer::zeroed(&device, COUNT as usize).unwrap();
        let launched = schedules::updates::launch(&device, 0..COUNT, &graph, &mut found, &mut all);
        let error = launched.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::UpdatesNotTracked), "{error}");
    }
}

#[test]
fn fast_math_is_near_and_exact_math_is_exact() {
    let x: Vec<f32> = noise(31).take(1000).map(|x| (x % 1000) as f32 * 0.37).collect();
    let exact: Vec<f32> = x.iter().map(|x| (x * x + 0.1) * x / 3.0 + x.sqrt()).collect();
    for device in devices() {
        let values = buffer(&device, &x);
        let mut out = DeviceBuffer::zeroed(&device, 1000).unwrap();
        schedules::polynomial::launch(&device, 1000, &values, &mut out).unwrap();
        assert_eq!(out.to_vec().unwrap(), exact, "{}", device.name());
        let fast = Schedule::Auto.fast_math();
        schedules::polynomial::launch_with(fast, &device, 1000, &values, &mut out).unwrap();
        for (found, exact) in out.to_vec().unwrap().into_iter().zip(&exact) {
            let near = (found - exact).abs() <= exact.abs() * 1e-5 + 1e-5;
            assert!(near, "{}: {found} for {exact}", device.name());
        }
    }
}
