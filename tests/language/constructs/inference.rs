//! Types that only rustc knows.

use super::kernels::inference::{self, PROGRAMS, Pair, Small, Tiny};
use super::{buffer, expect};
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

#[test]
fn structs_of_2_and_6_bytes_are_lent_to_those_who_walk() {
    let small: Vec<_> = (0..40u16).map(|i| Small { a: i, b: i * 100, c: 60_000 - i }).collect();
    let tiny: Vec<_> = (0..40u8).map(|i| Tiny { a: i, b: 255 - i }).collect();
    let edges: Vec<Edge> =
        (0..40).map(|i| Edge { src: i % 7, dst: (i * 3 + 1) % 40, weight: () }).collect();
    let mut expected = vec![0u32; 40];
    let distinct: std::collections::BTreeSet<_> =
        edges.iter().map(|edge| (edge.src as usize, edge.dst)).collect();
    for (src, dst) in distinct {
        let (own, tag) = (small[src], tiny[src]);
        let sum = own.a.wrapping_add(own.b.wrapping_mul(2)).wrapping_add(own.c.wrapping_mul(3));
        expected[src] += u32::from(sum) + u32::from(tag.a) + u32::from(tag.b) * 1000 + dst % 2;
    }
    for schedule in Schedule::ALL.into_iter().filter(|&one| one != Schedule::SlabList) {
        expect(&expected, |device, out| {
            let graph = SlabGraph::from_edges(device, 40, &edges, &SlabOptions::default())?;
            let (small, tiny) = (buffer(device, &small), buffer(device, &tiny));
            inference::small_structs::launch_with(
                schedule,
                device,
                0..40,
                &graph,
                &small,
                &tiny,
                out,
            )
        });
    }
}

#[test]
fn a_chain_of_22_variables_in_a_branch_is_written_once() {
    let pairs: Vec<_> = (0..40u64).map(|i| Pair { first: i, second: i + 7 }).collect();
    let value = |i: u64| if i > 3 { i << 22 } else { i + 7 };
    let expected: Vec<u64> = (0..40).map(value).collect();
    expect(&expected, |device, out| {
        inference::chained_branches::launch(device, 40, &buffer(device, &pairs), out)
    });
    assert!(inference::chained_branches::info().cuda_body().len() < 4000);
}
