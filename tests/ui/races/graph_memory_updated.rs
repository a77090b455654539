// The graph's own memory is public for the kernels of the language, not for writing.

use meerkat::prelude::*;

#[device]
fn clear(degrees: &[Atomic<u32>], v: u32) {
    degrees[v].store(0);
}

#[vertex_operator]
fn spoil(v: Vertex, graph: &Graph, seen: &mut [u32]) {
    graph.degrees[v].store(0);
    graph.slabs[v].word(3).store(7);
    let same = graph;
    same.degrees[v].fetch_add(1);
    clear(graph.degrees, v);
    seen[v] = graph.degrees[v].load() + graph.vertices.len();
    unsafe { graph.degrees[v].store(1) };
}

fn main() {}
