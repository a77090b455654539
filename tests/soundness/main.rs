//! Programs without `unsafe` that try to read or write what is not theirs, or to break a
//! graph. Those that must not compile are in `tests/ui/soundness`; each of these compiles,
//! and gets an error or does no harm: on the CPU, and on CUDA. What only the kernel can see,
//! such as an index that it computed, CUDA reports in the checked mode.
#![forbid(unsafe_code)]

mod changes;
mod kernels;
mod launches;
mod lists;
mod memory;
mod states;
#[path = "../support/mod.rs"]
mod support;

use meerkat::prelude::*;
use support::devices::devices;

/// The CPU, and CUDA in the checked mode: where kernels see what they do.
fn checked_devices() -> Vec<Device> {
    let checked = |device: Device| match device.is_cuda() {
        true => Device::cuda_checked(0).expect("the device in the checked mode"),
        false => device,
    };
    devices().into_iter().map(checked).collect()
}

fn edge(src: u32, dst: u32) -> Edge {
    Edge { src, dst, weight: () }
}

/// A ring of vertices, in which nothing has been deleted.
fn ring(device: &Device, vertices: u32) -> SlabGraph {
    let edges: Vec<_> = (0..vertices).map(|v| edge(v, (v + 1) % vertices)).collect();
    SlabGraph::from_edges(device, vertices, &edges, &SlabOptions::DEFAULT).expect("a graph")
}

/// Whether a graph is that ring, and sound.
fn assert_is_ring(graph: &SlabGraph, vertices: u32) {
    graph.check_invariants().expect("invariants");
    let mut edges = graph.to_edges().expect("the edges");
    edges.sort_unstable_by_key(|edge| (edge.src, edge.dst));
    let expected: Vec<_> = (0..vertices).map(|v| edge(v, (v + 1) % vertices)).collect();
    assert_eq!(edges, expected);
}

/// The error that must be.
fn refused<T>(result: Result<T, Error>, what: &str) -> Error {
    match result {
        Ok(_) => panic!("{what} was accepted"),
        Err(error) => error,
    }
}
