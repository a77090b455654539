//! Types that only rustc knows.

use super::expect;
use super::kernels::inference::{self, PROGRAMS};
use meerkat::prelude::*;

#[test]
fn programs_without_a_type_in_sight_compute_what_rust_computes() {
    let expected: Vec<u64> = PROGRAMS.iter().flat_map(|(_, program)| (0..4).map(program)).collect();
    assert!(PROGRAMS.len() >= 40);
    expect(&expected, |device, out| {
        inference::inferred::launch(device, expected.len() as u32, out)
    });
}

#[test]
fn a_walk_over_an_alias_of_a_graph_knows_its_weights() {
    let edges: Vec<_> =
        (0..90u32).map(|i| Edge { src: i % 9, dst: (i * 7 + 1) % 40, weight: i % 11 }).collect();
    let mut last = std::collections::BTreeMap::new();
    for edge in &edges {
        last.insert((edge.src, edge.dst), edge.weight);
    }
    let mut expected = vec![0u64; 40];
    for ((src, dst), weight) in last {
        if weight * 2 > 4 {
            expected[src as usize] += (1 << 40) + u64::from(weight) * 2 * 3 + u64::from(dst % 2);
        }
    }
    // The list's schedule hands values through memory and asks for their types.
    let fitting = Schedule::ALL.into_iter().filter(|&one| one != Schedule::SlabList);
    for schedule in fitting {
        expect(&expected, |device, out| {
            let graph = SlabGraph::from_edges(device, 40, &edges, &SlabOptions::default())?;
            inference::inferred_walk::launch_with(schedule, device, 0..40, &graph, out)
        });
    }
}
