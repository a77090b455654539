// A walk where a value is wanted.

use meerkat::prelude::*;

#[device]
fn visit(graph: &Graph, v: u32) {
    return for_each_neighbor(graph, v, true, |_dst| {});
}

#[kernel]
fn all(graph: &Graph) {
    let v = thread_id();
    let _done = for_each_neighbor(graph, v, true, |_dst| {});
}

fn main() {}
