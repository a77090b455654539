// What the owner of a graph asks of its lists, others do not.

#![forbid(unsafe_code)]

use meerkat::prelude::*;
use meerkat::runtime::EdgeLists;

fn change<L: EdgeLists>(lists: &L, edges: &DeviceBuffer<Edge<L::Carried>>) {
    let words = lists.found();
}

fn main() {}
