// Recursion through a path.

use meerkat::prelude::*;

#[device]
fn find(parent: &[u32], v: u32) -> u32 {
    if parent[v] == v {
        return v;
    }
    self::find(parent, parent[v])
}

fn main() {}
