// A device function has no item to visit the neighbours of.

use meerkat::prelude::*;

#[device]
fn degree(graph: &Graph, v: u32) -> u32 {
    let mut degree = 0u32;
    for_each_neighbor(graph, v, true, |dst| degree += 1);
    degree
}

fn main() {}
