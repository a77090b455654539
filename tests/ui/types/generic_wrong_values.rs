// An error of a function over the weight is reported once, too.

use meerkat::prelude::*;

#[device]
fn doubled<W: Weight>(weight: W, by: u32) -> u32 {
    let bits: f32 = weight.to_bits();
    bits as u32 * by
}

#[vertex_operator]
fn shorten<W: Weight>(v: Vertex, graph: &Graph<W>, distances: &[Atomic<u32>]) {
    let own: f32 = distances[v].load();
    for_each_neighbor(graph, v, own > 1.0, |dst, weight| {
        distances[dst].fetch_min(weight);
    });
}

fn main() {}
