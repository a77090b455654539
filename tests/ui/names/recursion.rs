// Path compression, as the textbook writes it.

use meerkat::prelude::*;

#[device]
fn find(parent: &[u32], v: u32) -> u32 {
    if parent[v] == v {
        return v;
    }
    find(parent, parent[v])
}

fn main() {}
