//! A first operator: every vertex sends its value to its neighbours. Runs on
//! CUDA where there is a device, else on the CPU.
//!
//!     cargo run --example hello_operator

#![allow(clippy::print_stdout)]

use meerkat::prelude::*;

// ANCHOR: operator
/// Written for one vertex; `for_each_neighbor` walks with the whole warp.
#[vertex_operator]
fn send(v: Vertex, graph: &Graph, value: &[u32], received: &[Atomic<u32>]) {
    let own = value[v]; // the walk sees it as the vertex's own, in all lanes
    // Vertices of value 1 keep it: where the predicate is false, no walk.
    for_each_neighbor(graph, v, own > 1, |dst| {
        received[dst].fetch_add(own); // shared memory is written by atomics only
    });
}
// ANCHOR_END: operator

fn main() -> Result<(), Error> {
    // ANCHOR: host
    let device = Device::auto();
    // A ring of 6 vertices with a hub in its middle.
    let ring = (0..6).map(|v| (v, (v + 1) % 6));
    let spokes = (0..6).flat_map(|v| [(v, 6), (6, v)]);
    let edges: Vec<Edge> =
        ring.chain(spokes).map(|(src, dst)| Edge { src, dst, weight: () }).collect();
    let graph = SlabGraph::from_edges(&device, 7, &edges, &SlabOptions::default())?;
    let value = DeviceBuffer::from_slice(&device, &[1, 2, 3, 4, 5, 6, 100])?;
    let received = DeviceBuffer::<Atomic<u32>>::zeroed(&device, 7)?;
    // ANCHOR_END: host

    // ANCHOR: launch
    // One launch visits all vertices; its arguments are the operator's own.
    send::launch(&device, 0..7, &graph, &value, &received)?;
    for (v, sum) in received.to_vec()?.iter().enumerate() {
        println!("vertex {v} received {sum}");
    }
    // ANCHOR_END: launch
    Ok(())
}
