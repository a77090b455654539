//! Device views: slices that go together.

use super::kernels::views::{ReachBuffers, RowsOnHost, fares, step, sums};
use super::{buffer, devices, expect};
use meerkat::prelude::*;

const VERTICES: u32 = 60;

fn edges() -> Vec<Edge<u32>> {
    let arcs = (0..400u32).map(|i| (i * i % 59, (i * 7 + 3) % VERTICES, i % 13 + 1));
    let mut arcs: Vec<_> = arcs.map(|(src, dst, weight)| Edge { src, dst, weight }).collect();
    arcs.sort_by_key(|edge| (edge.src, edge.dst));
    arcs.dedup_by_key(|edge| (edge.src, edge.dst));
    arcs
}

/// Distances with a toll at each vertex entered, by relaxing all edges again and again.
fn expected(edges: &[Edge<u32>], tolls: &[u32]) -> Vec<u32> {
    let mut distances = vec![u32::MAX; VERTICES as usize];
    distances[0] = 0;
    for _ in 0..VERTICES {
        for edge in edges {
            let from = distances[edge.src as usize];
            if from != u32::MAX {
                let through = from + edge.weight + tolls[edge.dst as usize];
                let known = &mut distances[edge.dst as usize];
                *known = through.min(*known);
            }
        }
    }
    distances
}

#[test]
fn an_operator_takes_slices_that_go_together_as_one_parameter() {
    let edges = edges();
    let tolls: Vec<u32> = (0..VERTICES).map(|v| v % 4).collect();
    let expected = expected(&edges, &tolls);
    for device in devices() {
        for schedule in Schedule::ALL {
            let graph =
                SlabGraph::from_edges(&device, VERTICES, &edges, &SlabOptions::DEFAULT).unwrap();
            let n = VERTICES as usize;
            let mut distances = DeviceBuffer::<Atomic<u32>>::filled(&device, n, u32::MAX).unwrap();
            distances.write(0, &[0]).unwrap();
            let listed = DeviceBuffer::<Atomic<u32>>::zeroed(&device, n).unwrap();
            let tolls = buffer(&device, &tolls);
            let mut frontiers = Frontiers::<Vertex>::new(&device, VERTICES, &[0]).unwrap();
            let mut round = 0;
            while !frontiers.is_empty() {
                round += 1;
                let (distances, listed, tolls) = (&distances, &listed, &tolls);
                let reach = ReachBuffers { distances, listed, tolls, round };
                let (current, next) = (frontiers.current(), frontiers.next());
                step::launch_with(schedule, &device, current, &graph, reach, next).unwrap();
                frontiers.advance().unwrap();
            }
            assert_eq!(distances.to_vec().unwrap(), expected, "{} {schedule:?}", device.name());
        }
    }
}

#[test]
fn a_view_is_generic_and_holds_values_too() {
    for device in devices() {
        let rows = buffer(&device, &(0..40u64).collect::<Vec<_>>());
        let mut out = DeviceBuffer::zeroed(&device, 10).unwrap();
        let all = RowsOnHost { rows: &rows, more: [1, 2, 3, 1 << 40] };
        sums::launch::<u64, 4>(&device, 10, all, &mut out).unwrap();
        let expected: Vec<u64> = (0..10).map(|i| i * 16 + 6 + 6 + (1 << 40)).collect();
        assert_eq!(out.to_vec().unwrap(), expected, "{}", device.name());
    }
}

#[test]
fn a_slice_of_a_view_is_an_argument_of_a_method() {
    let expected: Vec<u32> = (0..VERTICES).map(|v| v * 10 + v % 4).collect();
    expect(&expected, |device, out| {
        let tolls: Vec<u32> = (0..VERTICES).map(|v| v % 4).collect();
        let base: Vec<u32> = (0..VERTICES).map(|v| v * 10).collect();
        let (tolls, base) = (buffer(device, &tolls), buffer(device, &base));
        let unused = DeviceBuffer::<Atomic<u32>>::zeroed(device, 1)?;
        let (distances, listed) = (&unused, &unused);
        let reach = ReachBuffers { distances, listed, tolls: &tolls, round: 0 };
        fares::launch(device, 0..VERTICES, reach, &base, out)
    });
}
