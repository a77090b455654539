// Type parameters without a bound: reported once each, not at each use.

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

#[device]
trait Scale<T> {
    fn scale(self, by: T) -> T;
}

#[device]
impl<T> Scale<T> for u32 {
    fn scale(self, by: T) -> T {
        by
    }
}

#[kernel]
fn fill(out: &mut [u32]) {
    let i = thread_id();
    if i < out.len() {
        out[i] = larger(i, 3);
    }
}

fn main() {}
