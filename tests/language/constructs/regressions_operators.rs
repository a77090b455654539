//! Operators: text that does not compile, and names taken for each other.

use super::expect;
use meerkat::prelude::*;

#[device]
fn successor(x: u32) -> u32 {
    x + 1
}

// CUDA: "identifier `first` is undefined" in `value_of<decltype(successor(first))>`,
// which is printed before the `if` that declares `first`.
#[vertex_operator]
fn calls_in_a_row(v: Vertex, graph: &Graph, total: &[Atomic<u32>]) {
    let first = successor(v);
    let second = successor(first);
    for_each_neighbor(graph, v, true, |dst| {
        total[dst].fetch_add(second);
    });
}

#[test]
fn results_of_calls_build_on_each_other_before_a_walk() {
    let edges = [Edge { src: 0, dst: 1, weight: () }, Edge { src: 2, dst: 0, weight: () }];
    expect(&[4, 2, 0], |device, out| {
        let graph = SlabGraph::from_edges(device, 3, &edges, &SlabOptions::default())?;
        let total = DeviceBuffer::<Atomic<u32>>::zeroed(device, 3)?;
        calls_in_a_row::launch(device, 0..3, &graph, &total)?;
        out.write(0, &total.to_vec()?)
    });
}

// All: `ignored` was the neighbour.
#[vertex_operator]
fn looks_away(v: Vertex, graph: &Graph, total: &mut [u32]) {
    let ignored = v + 10;
    let mut sum = 0u32;
    for_each_neighbor(graph, v, true, |_| sum += ignored);
    total[v] = sum;
}

#[test]
fn a_variable_is_named_as_what_a_closure_ignores() {
    let edges = [(0, 1), (0, 2), (2, 0)].map(|(src, dst)| Edge { src, dst, weight: () });
    expect(&[20, 0, 12], |device, out| {
        let graph = SlabGraph::from_edges(device, 3, &edges, &SlabOptions::default())?;
        looks_away::launch(device, 0..3, &graph, out)
    });
}

pub(crate) fn kernels() -> Vec<meerkat::runtime::program::KernelInfo> {
    vec![calls_in_a_row::info(), looks_away::info()]
}
