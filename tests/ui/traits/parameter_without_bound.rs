// Type parameters of which nothing is asked: told once each, not at each use.

use meerkat::prelude::*;

#[vertex_operator]
fn count<K>(v: Vertex, graph: &Graph<K>, found: &[Atomic<u32>]) {
    for_each_neighbor(graph, v, true, |dst| {
        found[dst].fetch_add(1);
    });
}

#[device]
fn larger<T>(a: T, b: T) -> T {
    if a < b { b } else { a }
}

#[kernel]
fn fill(out: &mut [u32]) {
    let i = thread_id();
    if i < out.len() {
        out[i] = larger(i, 3);
    }
}

fn main() {}
