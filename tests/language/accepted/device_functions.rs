//! Slices, graphs and generics travel through device functions; `&` is optional.

use meerkat::prelude::*;

#[device]
fn last(values: &[u32]) -> u32 {
    if values.len() == 0 { u32::MAX } else { values[values.len() - 1] }
}

#[device]
fn heavier<W: Weight>(_graph: &Graph<W>, a: u32, b: u32) -> u32 {
    select(a > b, a, b)
}

#[vertex_operator]
pub(super) fn mark<W: Weight>(v: Vertex, graph: &Graph<W>, keys: &[u32], out: &mut [u32]) {
    let mut best = 0u32;
    for_each_neighbor(&graph, v, true, |dst| best = best.max(dst));
    out[v] = heavier::<W>(graph, best, last(keys));
    out[v] += 1;
}
