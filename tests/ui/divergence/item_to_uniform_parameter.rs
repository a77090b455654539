// Under one schedule lanes share a vertex, under another each has its own.

use meerkat::prelude::*;

#[device]
fn slab_of(table: &[u32], vertex: Uniform<u32>) -> Uniform<u32> {
    table[vertex]
}

#[vertex_operator]
fn gather(v: Vertex, graph: &Graph, table: &[u32], out: &[Atomic<u32>]) {
    for_each_neighbor(graph, v, true, |dst| {
        out[dst].fetch_add(slab_of(table, v));
    });
}

fn main() {}
